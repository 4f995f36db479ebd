#!/usr/bin/env python3
"""Processes of a study are killed with SIGKILL, again and again, at any moment: no result is lost, none comes twice, and a
strategy whose choices do not depend on timing chooses what it would have chosen undisturbed.

  search_kill_test.py path/to/actforge [unittest options]
"""

import json
import os
import random
import signal
import subprocess
import time

import cli_runner
from cli_runner import FAILED, ProgramTest

KILLS = 50
TRIALS = 250
SETTINGS = ("--evaluator", "distance", "--target", "swish(x)", "--strategy", "random", "--trials", str(TRIALS), "--workers",
            "2", "--seed", "3")


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []


class Kill(ProgramTest):
    maxDiff = None
    group = "search"

    def trials(self, place):
        done = self.run_program("search", "export", place, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def start_time(self):
        begin = time.monotonic()
        subprocess.run([self.program, "--version"], stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - begin

    def start(self, place, delay):
        return subprocess.Popen([self.program, "search", "run", "--study", place, *SETTINGS, "--delay", delay],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_kills(self):
        # A process that sanitizers watch takes longer to start; killed faster than that, it would never get to a result.
        start = self.start_time()
        delay = f"{0.08 + start:.2f}"
        calm = self.path("calm.db")
        self.assertEqual(self.start(calm, delay).wait(timeout=250), 0)
        stormy = self.path("stormy.db")
        dice = random.Random(1)
        kills = {"run": 0, "worker": 0, "keeper": 0}
        finished = {}
        run = self.start(stormy, delay)
        while sum(kills.values()) < KILLS:
            time.sleep(dice.uniform(0.02, 0.25) + start)
            if run.poll() is not None:
                # On a busy machine so many workers in a row may be killed before a result that the run gives up, and says so.
                self.assertIn(run.returncode, (-signal.SIGKILL, FAILED))
                run = self.start(stormy, delay)
                continue
            keepers = children(run.pid)  # each has a worker for its child
            who = dice.choice(["run", "worker", "keeper"])
            victims = {"run": [run.pid], "worker": [w for k in keepers for w in children(k)], "keeper": keepers}[who]
            if not victims:
                continue
            try:
                os.kill(dice.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                continue
            kills[who] += 1
            if who == "run":
                run.wait()
            # Whatever was finished before must stay as it was.
            if os.path.exists(stormy) and sum(kills.values()) % 5 == 0:
                finished.update(self.compare(stormy, finished))
        run.kill()
        run.wait()
        self.assertEqual(self.start(stormy, delay).wait(timeout=250), 0)
        self.assertGreater(min(kills.values()), 5, kills)
        self.compare(stormy, finished)
        result, undisturbed = self.trials(stormy), self.trials(calm)
        self.assertEqual(len(result), TRIALS)
        self.assertEqual(len({trial["key"] for trial in result}), TRIALS)
        self.assertTrue(all(t["status"] in ("completed", "failed", "quarantined") for t in result))
        self.assertEqual([t["expression"] for t in result], [t["expression"] for t in undisturbed])
        for mine, calm_one in zip(result, undisturbed):
            if mine["status"] != "quarantined":  # lost its worker three times
                self.assertEqual(mine["score"], calm_one["score"])
        self.assertLess(sum(t["status"] == "quarantined" for t in result), TRIALS / 10)
        self.assertTrue(any(t["attempt"] > 1 for t in result), "no kill hit a trial")

    def compare(self, place, before):
        now = {t["number"]: t for t in self.trials(place) if t["status"] in ("completed", "failed", "quarantined")}
        for number, trial in before.items():
            self.assertEqual(now.get(number), trial)
        return now


if __name__ == "__main__":
    cli_runner.main()
