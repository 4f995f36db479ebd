#!/usr/bin/env python3
"""What comes after a search, as a user runs it: `search rerank`, `final`, `transfer`, `report` and `watch`.

  search_final_cli_test.py path/to/actforge [unittest options]
"""

import contextlib
import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request

import cli_runner
from cli_runner import BAD_INPUT, FAILED, STORAGE, USAGE, ProgramTest

# Says how good a function is: worse the longer its text, with noise from the seed; and keeps a log of the calls.
EVALUATE = """#!/usr/bin/env python3
import json, os, random, sys, time
expr, seed, stage = sys.argv[1], int(sys.argv[2]), os.environ["ACTFORGE_STAGE"]
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.jsonl"), "a") as log:
    log.write(json.dumps([stage, expr, seed]) + "\\n")
time.sleep(float(os.environ.get("SLOW", "0")))
if os.environ.get("BROKEN") == stage:
    sys.exit("it is broken")
noise = random.Random(f"{expr}{seed}").gauss(0, 0.01)
base = 0.5 if expr == "relu(x)" else 0.9 - 0.01 * len(expr)
if expr == "tanh(x)":
    print(json.dumps({"status": "failed", "reason": "the loss became undefined"}))
else:
    print(json.dumps({"accuracy": base + noise}))
"""


class AfterTheSearch(ProgramTest):
    group = "search"

    def setUp(self):
        super().setUp()
        self.study = self.path("study.db")
        script = self.folder / "evaluate.py"
        script.write_text(EVALUATE)
        script.chmod(0o755)

    def search(self, *arguments, code=0, **environment):
        done = self.run_program(self.group, *arguments, env=cli_runner.environment(**environment))
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stdout.decode() if code == 0 else done.stderr.decode()

    def table(self, *arguments):
        return json.loads(self.search(*arguments, "--json"))

    def calls(self, stage):
        try:
            lines = (self.folder / "calls.jsonl").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [call for call in map(json.loads, lines) if call[0] == stage]

    def make_study(self, *flags, trials=20):
        self.search("run", "--study", self.study, "--evaluate", "./evaluate.py {expr} {seed}", "--preset", "mini",
                    "--strategy", "random", "--space", "unary(unary(x))", "--trials", str(trials), "--workers", "2", *flags)

    def events(self):
        with open(self.path("page.html"), encoding="utf-8") as page:
            return page.read()

    def test_the_baseline_is_measured_when_a_search_begins(self):
        self.make_study()
        calls = self.calls("baseline")
        self.assertEqual([call[1] for call in calls], ["relu(x)"] * 3)
        self.assertEqual(len({call[2] for call in calls}), 3)
        self.assertEqual(len(self.calls("search")), 20)
        self.search("resume", self.study, "--trials", "21")
        self.assertEqual(len(self.calls("baseline")), 3)
        os.remove(self.study)
        self.make_study("--baseline", "")
        self.assertEqual(len(self.calls("baseline")), 3)

    def test_a_baseline_that_breaks_does_not_stop_the_search(self):
        done = self.run_program(
            "search", "run", "--study", self.study, "--evaluate", "./evaluate.py {expr} {seed}", "--preset", "mini",
            "--strategy", "random", "--trials", "3", env=cli_runner.environment(BROKEN="baseline"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the baseline could not be measured: relu(x): the command ended with code 1: it is broken",
                      done.stderr.decode())

    def test_rerank_takes_the_best_ten_and_means_of_two(self):
        self.make_study()
        top = [t["expression"] for t in json.loads(self.search("top", self.study, "--count", "10", "--json"))][:10]
        answer = self.table("rerank", self.study)
        self.assertEqual(answer["stage"], "rerank")
        self.assertNotIn("looks", answer)
        self.assertEqual({row["expression"] for row in answer["rows"]}, set(top))
        for row in answer["rows"]:
            self.assertEqual(row["runs"], 2)
            self.assertAlmostEqual(row["mean"], sum(row["scores"]) / 2)
        means = [row["mean"] for row in answer["rows"]]
        self.assertEqual(means, sorted(means, reverse=True))
        self.assertEqual(len(self.calls("rerank")), 20)
        # Again, nothing is left to do; with more runs the rest.
        self.assertEqual(self.table("rerank", self.study)["rows"], answer["rows"])
        self.table("rerank", self.study, "--runs", "3")
        self.assertEqual(len(self.calls("rerank")), 30)

    def test_final_takes_the_best_three_of_the_ranking(self):
        self.make_study()
        reranked = [row["expression"] for row in self.table("rerank", self.study)["rows"]][:3]
        self.assertEqual(self.calls("final"), [])
        answer = self.table("final", self.study, "--runs", "6", "--baseline", "relu(x)")
        self.assertEqual({row["expression"] for row in answer["rows"]}, {*reranked, "relu(x)"})
        self.assertEqual((answer["against"], answer["looks"], answer["notes"]), ("relu(x)", 1, []))
        best, relu = answer["rows"][0], answer["rows"][-1]
        self.assertTrue(relu["baseline"])
        self.assertIsNone(relu["welch"]["p"])
        # Far better than ReLU, which this evaluator does not like.
        self.assertLess(best["welch"]["holm"], 1e-6)
        self.assertLess(best["mann_whitney"]["p"], 0.002)  # 1 of the 924 orders of 6 and 6
        self.assertGreater(best["difference_interval"][0], 0.2)
        self.assertTrue(best["interval"][0] < best["mean"] < best["interval"][1])
        # The same seeds for all functions, another for every run.
        seeds = {}
        for _, expression, seed in self.calls("final"):
            seeds.setdefault(expression, []).append(seed)
        self.assertEqual(len({tuple(sorted(s)) for s in seeds.values()}), 1)
        self.assertEqual(len(set(seeds["relu(x)"])), 6)

    def test_rivals_are_all_common_functions(self):
        self.make_study()
        answer = self.table("final", self.study, "--runs", "3", "--workers", "2")
        baselines = [row["expression"] for row in answer["rows"] if row["baseline"]]
        self.assertEqual(sorted(baselines), sorted(f"{name}(x)" for name in (
            "relu", "leaky_relu", "elu", "selu", "gelu", "swish", "mish", "softplus", "tanh")))
        # The evaluator likes short names: of the rivals elu is the best, but for noise, and is what the others are tested against.
        rivals = {row["expression"]: row for row in answer["rows"] if row["baseline"]}
        self.assertEqual(answer["against"], max(rivals, key=lambda name: rivals[name]["mean"]))
        for row in answer["rows"]:
            self.assertEqual(row["welch"]["p"] is None, row["baseline"])
        self.assertIn(answer["against"] + ", the best known function here", answer["verdict"])
        text = self.search("final", self.study, "--runs", "3").splitlines()
        self.assertEqual(text[1], answer["verdict"])
        # Another scale or rate needs a network.
        self.assertIn("needs a network that is trained", self.search("final", self.study, "--confirm", code=USAGE))
        self.assertIn("needs a network that is trained", self.search("final", self.study, "--rates", "0.1", code=USAGE))

    def test_a_second_look_at_the_test_images_is_noted(self):
        self.make_study()
        first = self.search("final", self.study, "--runs", "3")
        self.assertIn("favour lucky runs", first)
        self.assertNotIn("have been used", first)
        self.assertEqual(self.search("final", self.study, "--runs", "3"), first)  # only shown again
        second = self.search("final", self.study, "--runs", "3", "--function", "sin(x)")
        self.assertIn("have been used 2 times", second)
        self.assertIn("sin(x)", second)
        self.search("final", self.study, "--runs", "4")
        self.run_program("report", self.study, "-o", self.path("page.html"))
        self.assertEqual(len(re.findall("test images used", self.events())), 3)

    def test_failed_runs_count(self):
        self.make_study()
        rows = self.table("final", self.study, "--runs", "2", "--top", "0", "--function", "tanh(x)")["rows"]
        tanh = next(row for row in rows if row["expression"] == "tanh(x)")
        self.assertEqual((tanh["failed"], tanh["scores"]), (2, [0, 0]))

    def test_formats(self):
        self.make_study()
        command = ("final", self.study, "--runs", "3", "--baseline", "relu(x)", "--baseline", "swish(x)")
        answer = self.table(*command)
        text = self.search(*command)
        self.assertRegex(text, r"relu\(x\) +3 +\d\d\.\d\d ± \d\.\d\d ")
        self.assertIn("***", text)
        rows = list(csv.DictReader(io.StringIO(self.search(*command, "--format", "csv"))))
        self.assertEqual([row["expression"] for row in rows], [row["expression"] for row in answer["rows"]])
        for row, other in zip(rows, answer["rows"]):
            self.assertEqual([float(v) for v in row["scores"].split()], other["scores"])
            self.assertAlmostEqual(float(row["mean"]), other["mean"])
            self.assertEqual(row["welch_p"] == "", other["welch"]["p"] is None)
        latex = self.search(*command, "--format", "latex")
        for words in (r"\begin{tabular}", r"\bm{", r"\scriptscriptstyle \pm", r"95\% interval", r"\midrule"):
            self.assertIn(words, latex)
        self.assertEqual(latex.count("{"), latex.count("}"))
        self.assertIn("Median", self.search(*command, "--statistic", "median"))
        self.search(*command, "--format", "csv", "-o", self.path("table.csv"))
        with open(self.path("table.csv"), encoding="utf-8") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 5)
        against = self.table(*command, "--against", "swish(x)")
        self.assertEqual(against["against"], "swish(x)")

    def test_ctrl_c_and_kill_lose_nothing(self):
        self.make_study()
        command = [self.program, "search", "final", self.study, "--runs", "5", "--workers", "2", "--baseline", "relu(x)", "--json"]
        for how, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
            run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                                   env=cli_runner.environment(SLOW="0.2"))
            for _ in range(3):
                run.stderr.readline()
            run.send_signal(how)
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, code)
        time.sleep(0.5)  # what a killed one had started is gone with it
        before = len(self.calls("final"))
        time.sleep(0.5)
        self.assertEqual(len(self.calls("final")), before)
        answer = self.table("final", self.study, "--runs", "5", "--baseline", "relu(x)")
        self.assertEqual([row["runs"] for row in answer["rows"]], [5] * 4)
        self.assertEqual(answer["looks"], 1)  # one look, in pieces
        # Twenty are needed; each interruption costs two at most.
        self.assertLessEqual(len(self.calls("final")), 24)

    def test_wrong_input(self):
        self.make_study()
        for code, words, *arguments in (
                (STORAGE, "there is no", "rerank", self.path("none.db")),
                (USAGE, "at least one", "rerank", self.study, "--runs", "0"),
                (USAGE, "transfer trains a network", "transfer", self.study, "--net", "resnet-mini"),
                (USAGE, "not among the functions", "final", self.study, "--runs", "1", "--against", "sin(x)"),
                (BAD_INPUT, "unknown", "final", self.study, "--function", "rellu(x)"),
                (USAGE, "--format", "final", self.study, "--format", "xml"),
                (USAGE, "nothing to write", "../report", self.study)):
            verb = ["report"] if arguments[0] == "../report" else ["search", arguments[0]]
            done = self.run_program(*verb, *arguments[1:])
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(words, done.stderr.decode())
        self.assertEqual(self.calls("final"), [])  # refused before anything was run
        self.run_program("report", self.study, "-o", self.path("page.html"))
        self.assertNotIn("test images used", self.events())
        done = self.run_program("search", "run", "--study", self.path("new.db"), "--evaluate", "./evaluate.py {expr} {seed}",
                                "--baseline", "rellu(x)")
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("did you mean 'relu'", done.stderr.decode())
        self.assertFalse(os.path.exists(self.path("new.db")))

    def test_an_evaluator_that_breaks(self):
        self.make_study()
        said = self.search("final", self.study, "--runs", "1", code=FAILED, BROKEN="final")
        self.assertIn("it is broken", said)
        self.assertEqual([row["runs"] for row in self.table("final", self.study, "--runs", "1")["rows"]], [1] * 12)

    def test_a_study_without_results(self):
        self.search("run", "--study", self.study, "--evaluate", "echo '{\"status\": \"failed\"}' # {expr}", "--preset",
                    "mini", "--trials", "3", "--baseline", "")
        for verb in ("rerank", "final"):
            self.assertIn("no function of this study has a score yet", self.search(verb, self.study, code=BAD_INPUT))
        done = self.run_program("report", self.study, "-o", self.path("page.html"), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No trial was completed", json.loads(done.stdout)["notes"][0])
        self.assertIn("No trial was completed", self.events())

    def test_report(self):
        self.make_study()
        self.search("final", self.study, "--runs", "2")
        done = self.run_program("report", self.study, "-o", self.path("page.html"), "--svg", self.path("pictures"),
                                "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = json.loads(done.stdout)["files"]
        self.assertEqual(files[0], self.path("page.html"))
        self.assertIn(self.path("pictures/progress.svg"), files)
        for file in files[1:]:
            with open(file, encoding="utf-8") as svg:
                self.assertIn("<svg", svg.read())
        page = self.events()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        for words in ("Final test", "relu(x)", "class ", "settings", "evaluate.py"):
            self.assertIn(words, page)

    def test_a_study_from_a_stranger(self):
        self.make_study(trials=6)
        self.search("final", self.study, "--runs", "2")
        evil = "</script><script>document.title='evil'</script>\"'><img src=x onerror=alert(1)>"
        with contextlib.closing(sqlite3.connect(self.study)) as database:
            for column in ("expression", "origin", "reason"):
                database.execute(f"UPDATE trials SET {column} = ?", (evil,))
            database.execute("UPDATE trials SET story = ?", (json.dumps([evil]),))
            database.execute("UPDATE runs SET expression = ? WHERE repeat = 0", (evil,))
            database.execute("UPDATE events SET text = ?, kind = ?", (evil, evil))
            database.commit()
        done = self.run_program("report", self.study, "-o", self.path("page.html"), "--svg", self.path("pictures"))
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.events()
        for words in ("<script>document", "<img", "</script><script>"):
            self.assertNotIn(words, page)
        self.assertIn("onerror", page)  # it is there, as text
        for picture in (self.folder / "pictures").iterdir():
            self.assertNotIn("<img", picture.read_text(), picture.name)
        self.assertIn("no function of this study", self.search("rerank", self.study, code=BAD_INPUT))

    def test_watch(self):
        self.make_study(trials=5)
        watch = subprocess.Popen([self.program, "search", "watch", self.study, "--port", "0", "--json"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        try:
            url = ""
            while "http" not in url:
                url = watch.stdout.readline().decode()
                self.assertTrue(url)
            url = re.search(r"http://127\.0\.0\.1:\d+/", url)[0]
            read = lambda path, **headers: urllib.request.urlopen(  # noqa: E731
                urllib.request.Request(url + path, headers=headers), timeout=20).read().decode()
            first = read("revision")
            self.assertIn("<!DOCTYPE html>", read(""))
            self.assertEqual(read("revision"), first)
            self.search("resume", self.study, "--trials", "8")
            self.assertNotEqual(read("revision"), first)
            self.assertIn("<dd>8 of 8</dd>", read(""))
            for path, headers, code in (("", {"Host": "evil.example"}, 403), ("../etc/passwd", {}, 404)):
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    read(path, **headers)
                self.assertEqual(refused.exception.code, code)
            post = urllib.request.Request(url, data=b"x", method="POST")
            with self.assertRaises(urllib.error.HTTPError):
                urllib.request.urlopen(post, timeout=20)
            watch.send_signal(signal.SIGINT)
            self.assertEqual(watch.wait(timeout=20), 0)
        finally:
            watch.kill()
            watch.communicate()


if __name__ == "__main__":
    cli_runner.main()
