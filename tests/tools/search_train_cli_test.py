#!/usr/bin/env python3
"""`actforge search` with real training, on digits.

  search_train_cli_test.py path/to/actforge [unittest options]
"""

import json
import signal
import subprocess

import cli_runner
from cli_runner import ProgramTest

TRAIN = ("--data", "digits", "--net", "allcnn-mini", "--subset", "300", "--epochs", "2", "--preset", "mini")


class SearchTrain(ProgramTest):
    group = "search"

    def path(self, name):
        return str(self.folder / name)

    def search(self, *arguments):
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def trials(self, place):
        return json.loads(self.search("export", place, "--format", "json"))

    def test_workers_and_interruptions_do_not_change_results(self):
        random = (*TRAIN, "--strategy", "random", "--trials", "10")
        one, two = self.path("one.db"), self.path("two.db")
        self.search("run", "--study", one, *random)
        run = subprocess.Popen([self.program, "search", "run", "--study", two, *random, "--workers", "2"],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        run.stderr.readline()  # a trial has ended
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        self.search("resume", two)
        a, b = self.trials(one), self.trials(two)
        self.assertEqual([(t["expression"], t["score"], t["status"]) for t in a],
                         [(t["expression"], t["score"], t["status"]) for t in b])
        self.assertTrue(any(t["status"] == "completed" for t in a))
        good = next(t for t in a if t["status"] == "completed")
        self.assertEqual(good["metrics"]["tasks"][0]["validation_accuracy"], good["score"])
        curve = json.loads(self.search("show", one, str(good["number"]), "--json"))["curve"]
        self.assertEqual([point["epoch"] for point in curve], [1, 2])

    def test_several_networks_are_several_objectives(self):
        place = self.path("general.db")
        self.search("run", "--study", place, "--data", "digits", "--net", "mlp-1-16,mlp-2-16", "--subset", "300", "--epochs", "1",
                    "--preset", "mini", "--trials", "6", "--grace", "0")
        done = [t for t in self.trials(place) if t["status"] == "completed"]
        self.assertTrue(done)
        for trial in done:
            self.assertEqual(set(trial["objectives"]), {"accuracy of mlp-1-16 on digits", "accuracy of mlp-2-16 on digits"})

    def test_halving(self):
        place = self.path("halving.db")
        self.search("run", "--study", place, "--data", "digits", "--net", "mlp-1-16", "--subset", "300", "--epochs", "4",
                    "--preset", "mini", "--trials", "14", "--grace", "0", "--halving", "true")
        stopped = [t for t in self.trials(place) if t["status"] == "stopped"]
        self.assertTrue(stopped)
        for trial in stopped:
            self.assertRegex(trial["reason"], r"not among the best at epoch [13]$")
            self.assertIn(trial["metrics"]["tasks"][0]["epochs"], (1, 3))


if __name__ == "__main__":
    cli_runner.main()
