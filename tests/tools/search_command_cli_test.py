#!/usr/bin/env python3
"""Searches with training commands, as a user runs them: any metric, logs, GPUs, commands that stay.

  search_command_cli_test.py path/to/actforge [unittest options]
"""

import json
import os
import signal
import subprocess
import time
import unittest.mock

import cli_runner
from cli_runner import BAD_INPUT, FAILED, USAGE, ProgramTest

FLAGS = ("--preset", "mini", "--strategy", "random", "--space", "unary(unary(x))")
FINAL = ("--runs", "2", "--top", "1", "--baseline", "relu(x)", "--workers", "2")
# The longer a function's text, the lower the reward, from -80 on.
REWARD = """import json, os, sys
expr = os.environ["ACTFORGE_EXPR"]
print("training with", expr)
if "sinh(" in expr:
    raise ValueError("no " + expr)
print("INFO:", json.dumps({"reward": -80 - len(expr), "latency": len(expr) / 10}))
"""
PERSISTENT = """import json, os, sys
print("started", os.getpid(), flush=True)
open("starts", "a").write("%d\\n" % os.getpid())
for line in sys.stdin:
    question = json.loads(line)
    print("working on", question["expr"], flush=True)
    if "sinh(" in question["expr"]:
        sys.exit("no " + question["expr"])
    print(json.dumps({"trial": question["trial"], "f1": 1 / len(question["expr"])}), flush=True)
open("ends", "a").write("%d\\n" % os.getpid())
"""


def is_there(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Command(ProgramTest):
    group = "search"

    def setUp(self):
        super().setUp()
        self.study = str(self.folder / "study.db")
        (self.folder / "reward.py").write_text(REWARD)
        (self.folder / "persistent.py").write_text(PERSISTENT)

    def search(self, *arguments, code=0):
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, code, (done.stdout, done.stderr))
        return done

    def text(self, *arguments, **options):
        return self.search(*arguments).stdout.decode()

    def answer(self, *arguments, **options):
        return json.loads(self.text(*arguments, "--json"))

    def lines(self, name):
        path = self.folder / name
        return path.read_text().split() if path.exists() else []

    def run_study(self, *arguments, trials=8, code=0, flags=FLAGS):
        return self.search("run", "--study", self.study, *flags, "--trials", str(trials), *arguments, code=code)

    def test_a_metric_of_ones_own_is_shown_as_it_is(self):
        done = self.run_study("--evaluate", "python3 reward.py", "--objective", "reward", "--direction", "max")
        self.assertNotIn(b"no place for the function", done.stderr)
        self.assertRegex(done.stderr.decode(), r"trial 0 completed -\d\d(\.\d)? ")
        best = self.answer("top", self.study)
        scores = [trial["objectives"]["reward"] for trial in best if trial["number"] is not None]  # without the baseline
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertTrue(all(-120 < score < -80 for score in scores), scores)
        for command in (["status"], ["top"], ["show"]):
            text = self.text(*command, self.study)
            self.assertRegex(text, r"\breward\b")
            self.assertRegex(text, r"(?<!\d)-\d\d(\.\d)?\b")
            self.assertNotRegex(text, r"\d{4}\.")
        final = self.text("final", self.study, *FINAL)
        self.assertRegex(final, r"relu\(x\) .*-87\.000 ± 0\.000")
        self.assertNotIn("percent", final)
        self.assertNotRegex(final, r"-\d{4}")
        csv = self.text("final", self.study, *FINAL, "--format", "csv")
        self.assertIn("final,reward,relu(x),", csv)
        page = self.folder / "page.html"
        done = self.run_program("report", self.study, "-o", str(page))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("-8700", page.read_text())
        self.assertIn("-87.000", page.read_text())
        # It goes on with the same words, and not with others.
        more = ("run", "--study", self.study, "--trials", "9", "--objective", "reward", "--direction")
        self.assertEqual(self.answer(*more, "max")["trials"], 9)
        self.assertIn(b"'reward:max' there, 'reward:min' here", self.search(*more, "min", code=USAGE).stderr)

    def test_accuracies_in_percent_stay_as_they_are(self):
        self.run_study("--evaluate", "echo '{\"accuracy\": 85.3}' # {expr}", trials=2)
        final = self.text("final", self.study, *FINAL)
        self.assertIn("85.300", final)
        self.assertNotIn("8530", final)

    def test_several_metrics_keep_a_front(self):
        self.run_study("--evaluate", "python3 reward.py", "--objective", "reward:max,latency:min", trials=12)
        best = self.answer("status", self.study)
        self.assertEqual(best["objectives"], ["reward", "latency"])
        # Both want short functions.
        shortest = min(len(t["expression"]) for t in json.loads(self.text("export", self.study, "--json"))
                       if t["status"] == "completed")
        self.assertTrue(all(len(t["expression"]) == shortest for t in best["front"]))
        self.assertEqual(best["best"]["objectives"]["latency"], shortest / 10)

    def test_a_metric_needs_a_direction(self):
        for words, arguments in ((b"Write f1:max or f1:min", ("--objective", "f1")),
                                 (b"max or min, not 'up'", ("--objective", "f1:up")),
                                 (b"did you mean 'min'", ("--objective", "f1", "--direction", "mni"))):
            self.assertIn(words, self.run_study("--evaluate", "x {expr}", *arguments, code=USAGE).stderr)
        self.assertIn(b"unknown measure 'f1'",
                      self.run_study("--evaluator", "distance", "--target", "x", "--objective", "f1:max", code=USAGE).stderr)
        self.assertFalse(os.path.exists(self.study))

    def test_negative_numbers_need_no_equals_sign(self):
        flags = ("--preset", "mini", "--space", "unary(unary(x))")
        for threshold in ("-86", "-inf", "-1e-3", "-.5"):
            self.study = str(self.folder / f"t{threshold}.db")
            self.run_study("--evaluate", "python3 reward.py", "--objective", "reward:max", "--threshold", threshold,
                           "--baseline", "", trials=1, flags=flags)
            shown = self.run_program("search", "new", "--evaluate", "x {expr}", "--threshold", threshold)
            self.assertIn(f"threshold = {float(threshold):g}".encode(), shown.stdout)
        refused = self.search("new", "--threshold", "-x", code=USAGE).stderr
        self.assertIn(b"takes a number", refused)
        self.assertIn(b"not '-x'", refused)
        done = self.run_program("fn", "eval", "x*x", "--at", "-2")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_trial_has_a_log(self):
        self.run_study("--evaluate", "python3 reward.py", "--objective", "reward:max", "--repeats", "0", "--attempts", "2",
                       "--baseline", "", "--workers", "2", trials=24)
        trials = json.loads(self.text("export", self.study, "--json"))
        good = next(t for t in trials if t["status"] == "completed")
        bad = next(t for t in trials if t["status"] == "quarantined")
        log = self.text("log", self.study, str(good["number"]))
        self.assertTrue(log.startswith(f"$ python3 reward.py\ntraining with {good['expression']}\nINFO: "), log)
        answer = self.answer("log", self.study, str(good["number"]))
        self.assertIn("\n  log: " + answer["file"] + "\n", self.text("show", self.study, str(good["number"])))
        self.assertEqual((answer["trial"], answer["attempt"], answer["log"]), (good["number"], 1, log))
        self.assertEqual(answer["file"], self.study + f".logs/trial-{good['number']}.log")
        self.assertEqual(self.answer("log", self.study, str(bad["number"]))["attempt"], 2)
        self.assertIn("ValueError", self.text("log", self.study, str(bad["number"]), "--attempt", "1"))
        # The reason has its lines; in a line of a list only what matters.
        self.assertRegex(bad["reason"], r"^the command ended with code 1:\nTraceback [^\n]*\n(.*\n)+ValueError: no ")
        shown = self.text("show", self.study, str(bad["number"]))
        self.assertRegex(shown, r"\n  the command ended with code 1:\n  Traceback .*\n")
        for words, arguments in (("there is no trial 99; the study has 24", ["99"]),
                                 ("it had 1 attempt", [str(good["number"]), "--attempt", "2"])):
            self.assertIn(words, self.search("log", self.study, *arguments, code=BAD_INPUT).stderr.decode())
        self.study = str(self.folder / "other.db")
        self.run_study("--evaluator", "distance", "--target", "tanh(x)", trials=1)
        self.assertIn("only commands have logs", self.search("log", self.study, "0", code=BAD_INPUT).stderr.decode())

    def test_lists_have_reasons_of_one_line(self):
        done = self.run_study("--evaluate", "printf 'a\\nb\\nc\\n' >&2; exit 1 # {expr}", "--attempts", "1", trials=2,
                              code=FAILED)
        self.assertIn("(the command ended with code 1: c)\n", done.stderr.decode())

    def test_a_forgotten_placeholder_is_noted(self):
        done = self.run_study("--evaluate", "echo '{\"accuracy\": 1}'", trials=1)
        self.assertIn(b"note: the command has no place for the function, such as {expr}", done.stderr)
        done = self.run_program("search", "new", "--evaluate", "echo '{\"accuracy\": 1}'")
        self.assertIn(b"note: the command has no place for the function, such as {expr}", done.stderr)

    def test_workers_have_numbers_and_gpus(self):
        self.run_study("--evaluate", "echo $ACTFORGE_WORKER $CUDA_VISIBLE_DEVICES $ACTFORGE_STAGE >> seen; sleep 0.2;"
                       "echo '{\"accuracy\": 1}' # {expr}", "--workers", "3", "--gpus", "0,1", trials=9)
        seen = {tuple(line.split()) for line in (self.folder / "seen").read_text().splitlines()}
        wanted = {(str(place), str(place % 2), stage) for place in range(3) for stage in ("baseline", "search")}
        self.assertEqual(seen, wanted)

    def test_a_command_that_stays(self):
        done = self.run_study("--evaluate", "exec python3 persistent.py", "--persistent", "--objective", "f1:max",
                              "--attempts", "1", "--repeats", "0", "--baseline", "", trials=40)
        trials = json.loads(self.text("export", self.study, "--json"))
        failed = [t for t in trials if t["status"] == "quarantined"]
        self.assertTrue(failed)
        for trial in failed:
            self.assertIn("sinh(", trial["expression"])
            self.assertEqual(trial["reason"], "the command ended with code 1: no " + trial["expression"])
        self.assertEqual(len(self.lines("starts")), len(failed) + 1)
        self.assertEqual(self.lines("ends"), self.lines("starts")[-1:])
        self.assertNotIn(b"note:", done.stderr)
        good = next(t for t in trials if t["status"] == "completed")
        self.assertIn("working on " + good["expression"] + "\n", self.text("log", self.study, str(good["number"])))

    def test_it_stays_outside_the_search_too(self):
        stay = ("--evaluate", "exec python3 persistent.py", "--persistent", "--objective", "f1:max", "--repeats", "0",
                "--attempts", "1")
        self.run_study(*stay, trials=3)
        self.assertEqual(len(self.lines("starts")), 2)  # three runs of the baseline, and the search
        os.remove(self.folder / "starts")
        answer = json.loads(self.text("final", self.study, "--runs", "3", "--top", "1", "--baseline", "relu(x)", "--json"))
        self.assertEqual(len(self.lines("starts")), 1)
        rows = {row["expression"]: row["scores"] for row in answer["rows"]}
        self.assertEqual(len(rows), 2)
        for expression, scores in rows.items():
            self.assertEqual(scores, [1 / len(expression)] * 3)
        os.remove(self.folder / "starts")
        # One that breaks it names itself, and what was evaluated before is kept.
        done = self.search("final", self.study, "--runs", "2", "--top", "0", "--function", "tanh(x)", "--function", "sinh(x)",
                           "--baseline", "relu(x)", code=FAILED)
        self.assertRegex(done.stderr.decode(), r"\nactforge: sinh\(x\): the command ended with code 1: no sinh\(x\)\nWhat was ")
        self.assertIn(b"final run 1:", done.stderr)
        self.search("final", self.study, "--runs", "1", "--top", "0", "--function", "tanh(x)", "--baseline", "relu(x)")
        self.assertEqual(len(self.lines("starts")), 1)
        while any(is_there(int(process)) for process in self.lines("starts")):
            time.sleep(0.02)

    def test_python_need_not_flush(self):
        (self.folder / "persistent.py").write_text(PERSISTENT.replace(", flush=True", ""))
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("PYTHONUNBUFFERED", None)
            self.run_study("--evaluate", "exec python3 persistent.py", "--persistent", "--objective", "f1:max", "--timeout", "20",
                           "--baseline", "", trials=2)
            self.assertEqual(self.answer("status", self.study)["completed"], 2)
            for value, seen in ((None, 1), ("2", 2)):  # the user's own stays
                self.study = str(self.folder / f"{seen}.db")
                os.environ.update({"PYTHONUNBUFFERED": value} if value else {})
                self.run_study("--evaluate", "echo '{\"f1\": '$PYTHONUNBUFFERED'}' # {expr}", "--objective", "f1:max", "--baseline",
                               "", trials=1)
                self.assertEqual(self.answer("status", self.study)["best"]["objectives"]["f1"], seen)

    def test_more_gpus_than_workers_are_noted(self):
        evaluate = ("--evaluate", "echo '{\"accuracy\": 1}' # {expr}", "--gpus", "0,1,2")
        self.assertIn(b"of the 3 GPUs only 2 are used, as there are 2 workers; --workers 3 uses all",
                      self.run_study(*evaluate, "--workers", "2", trials=1).stderr)
        self.assertNotIn(b"GPUs", self.run_study(*evaluate, "--workers", "3", trials=1).stderr)

    def test_what_is_set_aside_is_told(self):
        done = self.run_study("--evaluate", "test {trial} -ne 2 || { echo a >&2; echo 'ValueError: no' >&2; exit 1; };"
                              "echo '{\"accuracy\": 1}' # {expr}", "--attempts", "1", trials=5)
        bad = [t["number"] for t in json.loads(self.text("export", self.study, "--json")) if t["status"] == "quarantined"]
        self.assertEqual(bad, [2])
        self.assertRegex(done.stderr.decode(), r"\ntrial 2 set aside .*\(the command ended with code 1: ValueError: no\)\n")
        status = self.text("status", self.study)
        self.assertRegex(status, r"\nset aside: trial 2; because the command ended with code 1: ValueError: no\n")
        self.assertEqual(self.answer("status", self.study)["set_aside"]["trials"], bad)
        self.assertIn("trial 2: set aside\n", self.text("show", self.study, "2"))
        # Where everything breaks, the error says what shows more.
        self.study = str(self.folder / "broken.db")
        done = self.run_study("--evaluate", "echo here; exit 3 # {expr}", "--attempts", "1", code=FAILED)
        self.assertIn(b"'search log STUDY 2' shows all that it printed", done.stderr)
        self.assertIn("here", self.text("log", self.study, "2"))

    def test_stopping_the_study_ends_a_command_that_stays(self):
        (self.folder / "persistent.py").write_text(PERSISTENT.replace('"working on"', '(__import__("time").sleep(60))'))
        run = subprocess.Popen([self.program, "search", "run", "--study", self.study, *FLAGS, "--evaluate",
                                "exec python3 persistent.py", "--persistent", "--baseline", ""], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        end = time.monotonic() + 60
        while not self.lines("starts"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=30), 130)
        process = int(self.lines("starts")[0])
        while is_there(process):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        self.assertEqual(self.answer("status", self.study)["running"], 0)

    def test_temporary_files_are_in_the_scratch_folder(self):
        (self.folder / "scratch").mkdir()
        self.run_study("--evaluate", "echo {file_pytorch} $TMPDIR >> seen; echo '{\"accuracy\": 1}'", "--scratch",
                       "scratch", trials=2)
        scratch = str(self.folder / "scratch")
        for line in (self.folder / "seen").read_text().splitlines():
            file, folder = line.split()
            self.assertTrue(file.startswith(scratch + "/actforge-"), line)
            self.assertEqual(folder, scratch)
        self.assertEqual(os.listdir(scratch), [])
        self.assertIn(b"there is no folder 'none'", self.run_study("--scratch", "none", code=USAGE).stderr)


if __name__ == "__main__":
    cli_runner.main()
