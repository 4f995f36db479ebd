#!/usr/bin/env python3
"""`actforge bench`: benchmarks built, written, read, checked, and strategies compared on them.

  bench_cli_test.py path/to/actforge Files|Train [unittest options]
"""

import contextlib
import gzip
import json
import math
import os
import signal
import sqlite3
import subprocess
import time

import cli_runner
from cli_runner import BAD_INPUT, DONE, FAILED, USAGE, ProgramTest, strict_json

SPACE = "binary(unary(x),unary(x))"


def act_bench(functions):
    """As the published files are: every function is scored by a made-up rule that its name decides, one in nine failed."""
    rows = {}
    for i, name in enumerate(functions):
        failed = i % 9 == 4
        accuracy = None if failed else round(0.5 + 0.4 * math.sin(len(name) * 0.7 + i * 0.01) ** 2, 6)
        rows[name] = {
            "Train Accuracy": accuracy, "Validation Accuracy": accuracy, "Test Accuracy": accuracy,
            "Train Loss": None if failed else 1 - accuracy, "Validation Loss": None if failed else 1 - accuracy,
            "Test Loss": None if failed else 1 - accuracy,
            "Equivalent Activation Functions": [], "Runtime (s)": 2.5,
            "Fisher log eigenvalue CDF": None if failed else [0.0, round(accuracy, 3), 1.0, round(accuracy / 2, 3), 1.0],
        }
    return rows


class BenchTest(ProgramTest):
    group = "bench"

    def bench(self, *arguments, code=DONE):
        done = self.run_program("bench", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout.decode()

    def content(self, path):
        with gzip.open(path) as file:
            return json.load(file)


class Files(BenchTest):
    def setUp(self):
        super().setUp()
        listed = self.run_program("space", "sample", SPACE, "--count", "400", "--seed", "1")
        self.assertEqual(listed.returncode, DONE, listed.stderr)
        self.rows = act_bench(sorted({line for line in listed.stdout.decode().split("\n") if line}))
        self.published = self.path("published.json")
        with open(self.published, "w") as file:
            json.dump(self.rows, file)

    def test_published_form_in_and_out(self):
        self.assertIn(f"{len(self.rows)} functions, 1 seeds", self.bench("read", self.published, "-o", self.path("a.bench")))
        self.bench("write", self.path("a.bench"), "-o", self.path("again.json"))
        with open(self.path("again.json")) as file:
            again = json.load(file)
        self.assertEqual(again.keys(), self.rows.keys())
        for name, row in self.rows.items():
            for field in row:
                if field.endswith("CDF"):
                    continue
                if isinstance(row[field], float):
                    self.assertAlmostEqual(again[name][field], row[field], 6, (name, field))
                else:
                    self.assertEqual(again[name][field], row[field], (name, field))
            if row["Fisher log eigenvalue CDF"] is None:
                self.assertIsNone(again[name]["Fisher log eigenvalue CDF"])
            else:
                for a, b in zip(row["Fisher log eigenvalue CDF"], again[name]["Fisher log eigenvalue CDF"], strict=True):
                    self.assertAlmostEqual(a, b, 3)

    def test_show(self):
        shown = strict_json(self.bench("show", self.published, "--json"))
        failed = sum(row["Validation Accuracy"] is None for row in self.rows.values())
        self.assertEqual((shown["functions"], shown["failed_runs"], shown["always_failed"]), (len(self.rows), failed, failed))
        self.assertEqual(shown["spectra"], len(self.rows) - failed)
        best = max((row["Validation Accuracy"] or 0) for row in self.rows.values())
        self.assertAlmostEqual(shown["best"][0]["score"], best, 6)
        self.assertIn(f"{len(self.rows)} functions", self.bench("show", self.published))

    def test_compare(self):
        files = [self.path(name) for name in ("curves.csv", "curves.svg", "page.html")]
        outputs = [word for name in files for word in ("-o", name)]
        common = (self.published, "--space", SPACE, "--trials", "20", "--repeats", "8")
        answer = strict_json(self.bench("compare", *common, "--strategies", "random,pangaea:population=6", *outputs, "--json"))
        self.assertEqual([row["strategy"] for row in answer["strategies"]], ["random", "pangaea:population=6"])
        truth = {row["Validation Accuracy"] for row in self.rows.values()}
        self.assertAlmostEqual(answer["best"], max(t for t in truth if t is not None), 6)
        for row in answer["strategies"]:
            self.assertEqual(len(row["curve"]), 20)
            self.assertLessEqual(row["end"]["low"], row["end"]["mean"])
        with open(files[0]) as file:
            self.assertEqual(len(file.read().splitlines()), 1 + 2 * 20)
        for name in files[1:]:
            with open(name) as file:
                self.assertIn("pangaea:population=6", file.read())
        # Threads do not matter, seeds do.
        def curve(*options):
            text = self.bench("compare", *common, "--strategies", "random", *options, "--json")
            return strict_json(text)["strategies"][0]["curve"]
        one = curve("--threads", "1")
        self.assertEqual(one, curve("--threads", "2"))
        self.assertNotEqual(one, curve("--seed", "9"))
        self.assertIn("searches of each strategy", self.bench("compare", *common, "--strategies", "random"))

    def test_explain(self):
        answer = strict_json(self.bench("explain", self.published, "--known", "40", "--repeats", "3", "--json"))
        failed = sum(row["Validation Accuracy"] is None for row in self.rows.values())
        spectra = answer["invalid_spectra"]
        # Here exactly those that failed have no spectrum.
        self.assertEqual((spectra["invalid_failed"], spectra["invalid_completed"], spectra["valid_failed"]), (failed, 0, 0))
        self.assertLess(spectra["p"], 1e-6)
        self.assertEqual({row["features"] for row in answer["predictions"]}, {"outputs", "eigenvalues", "both"})
        # The spectrum of a made-up row is its score.
        best = max(row["correlation"] for row in answer["predictions"] if row["features"] == "eigenvalues")
        self.assertGreater(best, 0.8)
        shown = self.bench("explain", self.published, "--known", "40", "--repeats", "3")
        self.assertIn(f"{failed} of {failed} failed in every run", shown)
        self.assertIn("rank correlation", shown)

    def test_a_search_on_a_benchmark_with_its_spectra(self):
        place = self.path("table.db")
        done = self.run_program("search", "run", "--study", place, "--evaluator", "table", "--table", self.published,
                                "--space", SPACE, "--strategy", "aquasurf", "--preset", "mini", "--pool", "0", "--growth", "0",
                                "--features", "both", "--trials", "15", "--repeats", "0", "--baseline", "")
        self.assertEqual(done.returncode, DONE, done.stderr)
        exported = self.run_program("search", "export", place, "--format", "json")
        for trial in json.loads(exported.stdout):
            row = self.rows.get(trial["expression"])
            if row and row["Validation Accuracy"] is not None:
                self.assertAlmostEqual(trial["score"], row["Validation Accuracy"], 6)
        with contextlib.closing(sqlite3.connect(place)) as database:
            valid = database.execute("SELECT COUNT(*) FROM features WHERE valid").fetchone()[0]
        self.assertGreater(valid, 100)

    def test_ctrl_c(self):
        run = subprocess.Popen([self.program, "bench", "compare", self.published, "--space", SPACE, "--strategies", "pangaea",
                                "--trials", "5000", "--repeats", "5000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=cli_runner.environment())
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        out, said = run.communicate(timeout=30)
        self.assertEqual((run.returncode, out), (130, b""), said)

    def test_wrong_input(self):
        with open(self.path("broken.bench"), "wb") as file:
            file.write(gzip.compress(b'{"format": "actforge benchmark"')[:-6])
        with open(self.path("text.bench"), "w") as file:
            file.write("expression,accuracy\n")
        for code, expected, *arguments in (
                (BAD_INPUT, "cannot read the benchmark", "show", "missing.bench"),
                (BAD_INPUT, "broken.bench: ", "show", self.path("broken.bench")),
                (BAD_INPUT, "neither a benchmark of actforge", "show", self.path("text.bench")),
                (USAGE, "name it with --space", "compare", self.published),
                (USAGE, "did you mean 'aquasurf'", "compare", self.published, "--space", SPACE, "--strategies", "aquasruf"),
                (USAGE, ".csv, .svg or .html", "compare", self.published, "--space", SPACE, "-o", "a.pdf"),
                (USAGE, "--measure", "compare", self.published, "--space", SPACE, "--measure", "speed"),
                (USAGE, "--known", "explain", self.published, "--known", "-3"),
                (USAGE, "at least one known function", "explain", self.published, "--known", "0"),
                (USAGE, "at least two repeats", "explain", self.published, "--repeats", "1"),
                (BAD_INPUT, "neither a benchmark of actforge", "explain", self.path("text.bench")),
                (USAGE, "writes a compact file", "read", self.published, "-o", self.path("x.json")),
        ):
            with self.subTest(arguments):
                self.assertIn(expected, self.refusal(code, "bench", *arguments))


class Train(BenchTest):
    BUILD = ("--space", "unary(x)", "--data", "digits", "--net", "mlp-1-16", "--subset", "200", "--epochs", "1")

    def build(self, name, *arguments):
        done = self.run_program("bench", "build", "--study", self.path(name), *self.BUILD, *arguments)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return done.stdout.decode()

    def compact(self, name, *sources):
        self.bench("write", *(self.path(source) for source in sources), "-o", self.path(name))
        return self.content(self.path(name))

    @staticmethod
    def without_seconds(content):
        return {**content, "runs": [{k: v for k, v in run.items() if k != "seconds"} for run in content["runs"]]}

    def test_built_by_two_workers_killed_and_continued(self):
        said = self.build("calm.db", "--runs", "2")
        self.assertIn("2 seeds", said)
        calm = self.compact("calm.bench", "calm.db")
        self.assertEqual(len(calm["runs"]), 2)
        self.assertEqual(calm["runs"][0]["status"].count("-"), 0)
        self.assertIn("relu(x)", calm["functions"])
        self.assertEqual(len(calm["spectra"]["rows"]), len(calm["functions"]))
        self.assertIn("actforge bench build --space unary(x) --net mlp-1-16 --data digits --subset 200", calm["command"])
        killed = self.path("killed.db")
        run = subprocess.Popen([self.program, "bench", "build", "--study", killed, *self.BUILD, "--runs", "2", "--workers", "2"],
                               stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=cli_runner.environment(),
                               start_new_session=True)
        self.wait_for_trials(killed, 10, run)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        self.build("killed.db", "--workers", "2")
        again = self.compact("killed.bench", "killed.db")
        self.assertEqual(self.by_name(again), self.by_name(calm))

    def by_name(self, content):
        """Two workers end in any order."""
        return {name: [(run["status"][i], run["accuracy"][i], run["loss"][i]) for run in content["runs"]] +
                [content["spectra"]["rows"][i]] for i, name in enumerate(content["functions"])}

    def wait_for_trials(self, place, count, run):
        limit = time.monotonic() + 60
        while time.monotonic() < limit and run.poll() is None:
            with contextlib.suppress(sqlite3.Error):
                if os.path.exists(place):
                    with contextlib.closing(sqlite3.connect(place)) as database:
                        if database.execute("SELECT COUNT(*) FROM trials").fetchone()[0] >= count:
                            return
            time.sleep(0.01)

    def test_checked_by_training_again(self):
        self.build("a.db", "--runs", "1")
        content = self.compact("a.bench", "a.db")
        self.assertIn("12 of 12 rows agree", self.bench("check", self.path("a.bench"), "--rows", "12"))
        run = content["runs"][0]
        run["accuracy"] = [value if value is None else value + 0.05 for value in run["accuracy"]]
        with gzip.open(self.path("wrong.bench"), "wt") as file:
            json.dump(content, file)
        self.assertIn("NO", self.bench("check", self.path("wrong.bench"), "--rows", "12", code=FAILED))
        self.bench("check", self.path("wrong.bench"), "--rows", "12", "--tolerance", "0.051")

    def test_published_rows_cannot_be_checked(self):
        with open(self.path("published.json"), "w") as file:
            json.dump(act_bench(["relu(x)", "swish(x)"]), file)
        said = self.refusal(USAGE, "bench", "check", self.path("published.json"))
        self.assertIn("does not say how its network was trained", said)

    def test_seeds_that_were_built_apart_belong_together(self):
        self.build("one.db", "--runs", "1")
        self.build("two.db", "--runs", "1", "--seed", "1")
        self.build("other.db", "--runs", "1", "--learning-rate", "0.02")
        both = self.compact("both.bench", "one.db", "two.db")
        self.assertEqual(len(both["runs"]), 2)
        self.assertNotEqual(both["runs"][0]["accuracy"], both["runs"][1]["accuracy"])
        said = self.refusal(USAGE, "bench", "write", self.path("one.db"), self.path("other.db"), "-o", self.path("x.bench"))
        self.assertIn("do not belong together", said)
        # Rows of both can be checked, each with its own seed.
        self.assertIn("8 of 8 rows agree", self.bench("check", self.path("both.bench"), "--rows", "8", "--seed", "3"))


if __name__ == "__main__":
    cli_runner.main()
