#!/usr/bin/env python3
"""`actforge search` with real training, on digits.

  search_train_cli_test.py path/to/actforge [unittest options]
"""

import contextlib
import json
import signal
import sqlite3
import subprocess

import cli_runner
from cli_runner import ProgramTest

TRAIN = ("--data", "digits", "--net", "allcnn-mini", "--subset", "300", "--epochs", "2", "--preset", "mini")


class SearchTrain(ProgramTest):
    group = "search"

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

    def test_hyperparameters_reach_the_training(self):
        def best(name, rates):
            place = self.path(name)
            self.search("run", "--study", place, "--data", "digits", "--net", "mlp-1-16", "--subset", "300", "--epochs", "3",
                        "--preset", "mini", "--strategy", "random", "--space", "elu(x)|tanh(x)|swish(x)",
                        "--trials", "4", "--repeats", "0", "--with", f"learning-rate=log:{rates}")
            return max(self.trials(place), key=lambda trial: trial["score"])
        self.assertLess(best("slow.db", "1e-12..1e-11")["score"] + 0.2, best("fast.db", "0.01..0.1")["score"])
        winner = best("fast.db", "0.01..0.1")
        table = json.loads(self.search("final", self.path("fast.db"), "--top", "1", "--runs", "1", "--baseline", "relu(x)",
                                       "--full-epochs", "3", "--full-subset", "300", "--json"))
        for row in table["rows"]:
            if not row["baseline"]:
                self.assertEqual(row["hyperparameters"], winner["hyperparameters"])
            self.assertTrue(0.01 <= row["hyperparameters"]["learning-rate"] <= 0.1)

    def test_several_networks_are_several_objectives(self):
        place = self.path("general.db")
        self.search("run", "--study", place, "--data", "digits", "--net", "mlp-1-16,mlp-2-16", "--subset", "300", "--epochs", "1",
                    "--preset", "mini", "--trials", "6", "--grace", "0")
        done = [t for t in self.trials(place) if t["status"] == "completed"]
        self.assertTrue(done)
        for trial in done:
            self.assertEqual(set(trial["objectives"]), {"accuracy of mlp-1-16 on digits", "accuracy of mlp-2-16 on digits"})

    def test_only_final_tests_look_at_test_images(self):
        place = self.path("final.db")
        self.search("run", "--study", place, "--data", "digits", "--net", "mlp-1-16", "--subset", "300", "--epochs", "1", "--preset", "mini",
                    "--strategy", "random", "--trials", "4", "--grace", "0", "--full-epochs", "2", "--full-subset", "400")
        self.search("rerank", place, "--top", "2")
        final = json.loads(self.search("final", place, "--top", "1", "--runs", "2", "--function", "swish(alpha*x)", "--json"))
        self.assertEqual(final["conditions"], "mlp-1-16 on digits, 2 epochs, 400 training images, test images")
        transfer = json.loads(self.search("transfer", place, "--net", "mlp-2-16", "--top", "1", "--runs", "1", "--json"))
        self.assertEqual((transfer["test"], transfer["conditions"]),
                         (False, "mlp-2-16 on digits, 2 epochs, 400 training images, validation images"))
        with contextlib.closing(sqlite3.connect(place)) as database:
            self.assertFalse(any("test" in metrics for metrics, in database.execute("SELECT metrics FROM trials")))
            runs = [(json.loads(conditions), expression, json.loads(scores), json.loads(metrics)["tasks"][0]) for
                    conditions, expression, scores, metrics in database.execute(
                        "SELECT conditions, expression, scores, metrics FROM runs WHERE status = 'completed'")]
        self.assertEqual({c["stage"] for c, _, _, _ in runs}, {"baseline", "rerank", "final", "transfer"})
        for conditions, _, scores, task in runs:
            tested = conditions["stage"] == "final"
            self.assertEqual("test_accuracy" in task, tested)
            self.assertEqual(scores[0], task["test_accuracy" if tested else "validation_accuracy"])
        # How alpha moved, in every layer.
        tracks = next(task["parameters"] for c, e, _, task in runs if c["stage"] == "final" and e == "swish(alpha(x))")
        self.assertTrue(tracks)
        for track in tracks:
            self.assertEqual((track["parameter"], track["epoch"], track["low"][0], track["high"][0]), ("alpha", [0, 1, 2], 1, 1))
            self.assertLess(track["low"][2], track["high"][2])
        # A page with it all.
        done = self.run_program("report", place, "-o", self.path("page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("alpha of swish(alpha(x))", (self.folder / "page.html").read_text())

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
