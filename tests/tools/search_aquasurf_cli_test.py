#!/usr/bin/env python3
"""`actforge search` with the strategy aquasurf: maps, spectra that workers measure, real training on digits.

  search_aquasurf_cli_test.py path/to/actforge [unittest options]
"""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import time

import cli_runner
from cli_runner import USAGE, ProgramTest

STUDY = ("--strategy", "aquasurf", "--space", "aquasurf-3", "--preset", "mini", "--pool", "30", "--growth", "2", "--baseline", "",
         "--data", "digits", "--net", "mlp-1-16", "--subset", "300", "--epochs", "1")
KNOWN = ["elu(x)", "relu(x)", "selu(x)", "sigmoid(x)", "softplus(x)", "softsign(x)", "swish(x)", "tanh(x)"]


class Aquasurf(ProgramTest):
    group = "search"

    def search(self, *arguments):
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def trials(self, place):
        done = self.search("export", place, "--format", "json")
        return json.loads(done.stdout)

    def spectra(self, place):
        with contextlib.closing(sqlite3.connect(place)) as database:
            return database.execute("SELECT expression, valid FROM features ORDER BY id").fetchall()

    def results(self, place):
        return [(t["expression"], t["origin"], t["status"], t["score"]) for t in self.trials(place)]

    def test_a_study_with_spectra(self):
        place = self.path("one.db")
        said = self.search("run", "--study", place, *STUDY, "--trials", "14", "--repeats", "0").stderr.decode()
        trials = self.trials(place)
        self.assertEqual([t["expression"] for t in trials[:8]], KNOWN)
        self.assertEqual([t["origin"] for t in trials], ["start"] * 8 + ["surrogate"] * 6)
        self.assertRegex(trials[8]["story"][0], r"^surrogate: predicted .*; the nearest that was tried is trial \d, ")
        spectra = self.spectra(place)
        # Those of the pool and of the start whose outputs are finite, and two more after most trials.
        self.assertGreater(len(spectra), 35)
        self.assertEqual(len({expression for expression, _ in spectra}), len(spectra))
        valid = {expression for expression, is_valid in spectra if is_valid}
        for trial in trials[8:]:
            self.assertIn(trial["expression"], valid)
        self.assertIn("trial 13 ", said)
        # Not measured again by anybody who asks for the same.
        done = self.run_program("fisher", "--study", place, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.spectra(place), spectra)

    def test_one_worker_does_the_same_again_even_if_it_is_killed(self):
        calm = self.path("calm.db")
        self.search("run", "--study", calm, *STUDY, "--trials", "14")
        total = len(self.spectra(calm))
        # While the spectra for the first map are measured, and while those are that come between trials.
        for spectra in (10, total - 9, total - 5):
            killed = self.path(f"killed{spectra}.db")
            run = subprocess.Popen([self.program, "search", "run", "--study", killed, *STUDY, "--trials", "14"],
                                   stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=cli_runner.environment())
            self.wait_for_spectra(killed, spectra, run)
            run.kill()
            run.wait()
            before = self.spectra(killed)
            self.search("resume", killed)
            self.assertEqual(self.spectra(killed)[:len(before)], before)
            self.assertEqual(self.results(killed), self.results(calm))
            self.assertEqual(self.spectra(killed), self.spectra(calm))

    def wait_for_spectra(self, place, count, run):
        """Or until the study is over: on a busy machine this may look too late."""
        limit = time.monotonic() + 60
        while time.monotonic() < limit:
            over = run.poll() is not None
            with contextlib.suppress(sqlite3.Error):
                if os.path.exists(place) and len(self.spectra(place)) >= count:
                    return
            self.assertFalse(over, "no spectra were measured")
            time.sleep(0.005)
        self.fail("no spectra were measured")

    def test_two_workers_share_the_work(self):
        place = self.path("two.db")
        long = STUDY[:-1] + ("20",)  # epochs: nobody is done before the other worker has started
        self.search("run", "--study", place, *long, "--trials", "16", "--workers", "2")
        trials = self.trials(place)
        self.assertEqual(len({t["key"] for t in trials}), 16)
        self.assertEqual(len({t["worker"] for t in trials}), 2)
        self.assertGreater(len(self.spectra(place)), 30)

    def test_interrupted_and_continued_with_more(self):
        place = self.path("stopped.db")
        large = [word if word != "30" else "2000" for word in STUDY]  # a pool that takes minutes
        run = subprocess.Popen([self.program, "search", "run", "--study", place, *large, "--trials", "10", "--repeats", "0"],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=cli_runner.environment())
        self.addCleanup(run.stderr.close)
        self.wait_for_spectra(place, 25, run)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, said)
        self.assertIn(b"continues", said)
        self.assertEqual(len(self.trials(place)), 8)

    def test_eigenvalues_or_outputs_alone(self):
        for features, measured in (("eigenvalues", True), ("outputs", False)):
            place = self.path(features + ".db")
            self.search("run", "--study", place, *STUDY, "--trials", "10", "--repeats", "0", "--features", features)
            self.assertEqual(self.trials(place)[9]["origin"], "surrogate")
            self.assertEqual(bool(self.spectra(place)), measured)

    def test_without_a_network_outputs_are_compared(self):
        place = self.path("distance.db")
        self.search("run", "--study", place, "--strategy", "aquasurf", "--space", "aquasurf-3", "--evaluator", "distance",
                    "--target", "tanh(x)*swish(x)", "--preset", "mini", "--regressor", "forest", "--trials", "40")
        trials = self.trials(place)
        best_known = max(t["score"] for t in trials[:8])
        self.assertGreater(max(t["score"] for t in trials), best_known)
        settings = self.search("show", place).stdout.decode()
        self.assertTrue(settings)

    def start_map(self, place, *arguments):
        run = subprocess.Popen([self.program, "search", "run", "--study", place, "--strategy", "aquasurf", "--evaluator", "distance",
                                "--target", "tanh(x)*swish(x)", "--baseline", "", "--inputs", "100", "--trials", "12", *arguments],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=cli_runner.environment())
        self.addCleanup(run.kill)
        return run

    @staticmethod
    def first_child(process):
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return file.read().split()[0]

    def wait_for_worker(self, run, seconds):
        """Until the worker has computed for so long: then it makes the map."""
        ticks = seconds * os.sysconf("SC_CLK_TCK")
        while run.poll() is None:
            with contextlib.suppress(OSError, IndexError):
                worker = self.first_child(self.first_child(run.pid))  # between them is the keeper
                with open(f"/proc/{worker}/stat", encoding="ascii") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[11]) >= ticks:
                        return
            time.sleep(0.02)
        self.fail("it ended by itself: " + run.communicate()[1].decode())

    def test_ctrl_c_while_the_map_is_made(self):
        # The map of all functions takes minutes, from the first of which on it is stopped in several steps.
        place = self.path("large.db")
        for seconds in (0.3, 2, 6):
            run = self.start_map(place, "--space", "aquasurf-4", "--pool", "0")
            self.wait_for_worker(run, seconds)
            run.send_signal(signal.SIGINT)
            _, said = run.communicate(timeout=15)
            self.assertEqual(run.returncode, 130, said)
            self.assertIn(b"continue", said)
        status = json.loads(self.search("status", place, "--json").stdout)
        self.assertEqual((status["running"], status["failed"]), (0, 0))

    def test_after_ctrl_c_while_the_map_is_made_it_goes_on(self):
        arguments = ("--space", "aquasurf-3", "--pool", "0")
        calm, stopped = self.path("calm.db"), self.path("stopped.db")
        run = self.start_map(stopped, *arguments)
        self.wait_for_worker(run, 1)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=15)
        self.assertEqual(run.returncode, 130, said)
        self.search("resume", stopped)
        _, said = self.start_map(calm, *arguments).communicate(timeout=120)
        self.assertEqual(len(self.trials(calm)), 12, said)
        self.assertEqual(self.results(stopped), self.results(calm))

    def test_wrong_settings_are_told_before_anything_runs(self):
        place = self.path("wrong.db")
        distance = ("--evaluator", "distance", "--target", "tanh(x)")
        for expected, *arguments in (
                ("features: 'both' needs spectra", *distance, "--strategy", "aquasurf", "--features", "both"),
                ("unknown operator 'swihs'", *distance, "--strategy", "aquasurf", "--start", "relu(x),swihs(x)"),
                ("--regressor takes one of knn, forest, svr, gp", *distance, "--strategy", "aquasurf", "--regressor", "knnn"),
                ("'pool' is given, but nothing reads it", *distance, "--strategy", "pangaea", "--pool", "7"),
                ("--exploration takes a number from 0 to 1", *distance, "--strategy", "aquasurf", "--exploration", "2"),
                ("did you mean 'aquasurf'", *distance, "--strategy", "aquasruf"),
        ):
            self.assertIn(expected, self.refusal(USAGE, "search", "run", "--study", place, *arguments))
            self.assertFalse(os.path.exists(place))


if __name__ == "__main__":
    cli_runner.main()
