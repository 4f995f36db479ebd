#!/usr/bin/env python3
"""`actforge search` as a user runs it, on evaluators that take no training.

  search_cli_test.py path/to/actforge [unittest options]
"""

import csv
import io
import json
import os
import re
import signal
import subprocess
import time

import cli_runner
from cli_runner import BAD_INPUT, FAILED, STORAGE, USAGE, StudyTest

DISTANCE = ("--evaluator", "distance", "--target", "swish(x)", "--preset", "mini")


class Search(StudyTest):
    def answer(self, *arguments):
        return json.loads(self.search(*arguments, "--json"))

    def fails(self, code, words, *arguments):
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, code, (done.stdout, done.stderr))
        self.assertIn(words, done.stderr.decode())

    def test_a_study_from_beginning_to_end(self):
        file = self.path("study.toml")
        self.search("new", "-o", file, *DISTANCE, "--trials", "30")
        with open(file, encoding="utf-8") as text:
            self.assertIn('target = "swish(x)"', text.read())
        summary = self.answer("run", file, "--workers", "2")
        self.assertEqual((summary["trials"], summary["running"], summary["queued"]), (30, 0, 0))
        self.assertEqual(summary["completed"] + summary["failed"], 30)
        self.assertEqual(self.answer("status", self.study), summary)
        top = self.answer("top", self.study, "--count", "5")
        self.assertEqual(top[0]["expression"], summary["best"]["expression"])
        scores = [trial["score"] for trial in top[:5]]
        # The baseline, which is no trial, and what else is well known come after them.
        self.assertEqual([(t["known_as"], t["number"]) for t in top if t["baseline"]], [("ReLU", None)])
        self.assertEqual(scores, sorted(scores, reverse=True))
        shown = self.answer("show", self.study, str(top[0]["number"]))
        self.assertEqual((shown["score"], shown["key"]), (top[0]["score"], top[0]["key"]))
        rows = list(csv.DictReader(io.StringIO(self.search("export", self.study))))
        self.assertEqual([int(row["number"]) for row in rows], list(range(30)))
        self.assertEqual(len({row["key"] for row in rows}), 30)
        exported = self.answer("export", self.study)
        self.assertEqual(exported, json.loads(self.search("export", self.study, "--format", "json")))
        self.assertEqual([t["expression"] for t in exported], [row["expression"] for row in rows])
        # Again: nothing is left to do. More: the rest.
        self.assertEqual(self.answer("run", file)["trials"], 30)
        self.assertEqual(self.answer("resume", self.study, "--trials", "40")["trials"], 40)

    def test_text_for_people(self):
        text = self.search("run", "--study", self.study, *DISTANCE, "--trials", "5")
        self.assertRegex(text, r"(?m)^5 of 5 trials: \d completed, 0 stopped early, \d failed")
        self.assertRegex(self.search("top", self.study), r"trial +accuracy +seconds +origin +known as +function")
        self.assertRegex(self.search("show", self.study), r"^trial \d: completed\n")
        self.assertIn("of 5 trials", self.search("status", self.study))

    def test_several_objectives_keep_a_front(self):
        summary = self.answer("run", "--study", self.study, "--evaluator", "distance", "--target", "mul(tanh(x),exp(x))",
                              "--preset", "mini", "--seed", "1", "--trials", "40", "--objective", "accuracy,cost")
        self.assertEqual(summary["objectives"], ["accuracy", "cost"])
        self.assertEqual(summary["best"]["score"], max(t["score"] for t in summary["front"]))
        front = [(t["objectives"]["accuracy"], t["objectives"]["cost"]) for t in summary["front"]]
        self.assertGreater(len(front), 1)
        for a in front:
            self.assertFalse(any(b != a and b[0] >= a[0] and b[1] <= a[1] for b in front), front)

    def test_strategies_without_timing_do_not_depend_on_workers(self):
        for strategy, space in (("random", "pangaea"), ("exhaustive", "cafe-s1"), ("cafe", "cafe-s2")):
            lists = []
            for workers in ("1", "3"):
                place = self.path(f"{strategy}-{workers}.db")
                self.answer("run", "--study", place, *DISTANCE, "--strategy", strategy, "--space", space, "--trials", "36",
                            "--workers", workers, "--delay", "0.002")
                trials = json.loads(self.search("export", place, "--format", "json"))
                lists.append([(t["expression"], t["score"]) for t in trials])
            self.assertEqual(len(lists[0]), 36)
            self.assertEqual(*lists)

    def test_commands_of_the_users_own(self):
        script = self.path("my_train.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n# chatter, then the answer\necho training \"$1\"\n"
                       "echo '{\"epoch\": 1, \"accuracy\": 0.3}'\necho '{\"epoch\": 2, \"accuracy\": 0.4}'\n"
                       "length=$(printf %s \"$1\" | wc -c)\necho \"{\\\"accuracy\\\": 0.$length}\"\n")
        os.chmod(script, 0o755)
        summary = self.answer("run", "--study", self.study, "--evaluate", f"{script} {{expr}}", "--preset", "mini",
                              "--trials", "6", "--workers", "2")
        self.assertEqual(summary["completed"], 6)
        best = self.answer("show", self.study)
        self.assertEqual(best["score"], float(f"0.{len(best['expression'])}"))
        self.assertEqual([point["score"] for point in best["curve"]], [0.3, 0.4])

    def test_files_of_a_study(self):
        """Named relative to the study file; the study goes on from another folder, unless a file has changed."""
        with open(self.path("space.toml"), "w", encoding="utf-8") as file:
            file.write('schemas = ["unary(unary(x))"]\n')
        with open(self.path("table.csv"), "w", encoding="utf-8") as file:
            file.write('expression,accuracy\nrelu(x),0.5\n"max(x,x)",0.25\n')
        with open(self.path("study.toml"), "w", encoding="utf-8") as file:
            file.write('[space]\nspace = "space.toml"\n[evaluate]\nevaluator = "table"\ntable = "table.csv"\n'
                       '[strategy]\nstrategy = "exhaustive"\n[budget]\ntrials = 40\n')
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        for trials in ("40", "60"):
            done = self.run_program("search", "run", self.path("study.toml"), "--trials", trials, "--json", cwd=elsewhere)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["trials"], int(trials))
        done = self.run_program("search", "resume", self.study, "--trials", "70", "--json", cwd=elsewhere)
        self.assertEqual(json.loads(done.stdout)["trials"], 70)
        with open(self.path("table.csv"), "a", encoding="utf-8") as file:
            file.write("tanh(x),0.9\n")
        self.fails(BAD_INPUT, "table.csv has changed", "resume", self.study, "--trials", "80")

    def test_commands_run_where_the_study_began(self):
        with open(self.path("answer.json"), "w", encoding="utf-8") as file:
            file.write('{"accuracy": 0.75}')
        command = ("--evaluate", "true {expr}; cat answer.json | awk '{print}'", "--preset", "mini")
        self.search("run", "--study", self.study, *command, "--trials", "2")
        done = self.run_program("search", "resume", self.study, "--trials", "4", "--json", cwd="/")
        self.assertEqual(json.loads(done.stdout)["completed"], 4)

    def test_evaluators_that_break(self):
        for name, command, words in (
                ("exits", "echo {expr} > /dev/null; echo no such data >&2; exit 3", "code 3: no such data"),
                ("rubbish", "echo {expr}", "no line of JSON"),
                ("wrong", "true {expr}; echo '{\"akkuracy\": 1}'", "has no \"accuracy\""),
                ("hangs", "true {expr}; sleep 100", "longer than 0.2 s")):
            place = self.path(name + ".db")
            self.fails(FAILED, words, "run", "--study", place, "--evaluate", command, "--preset", "mini", "--timeout",
                       "0.2")
            # The study is as it should be, and says why; once the command is mended, it goes on.
            status = self.answer("status", place)
            self.assertEqual((status["completed"], status["quarantined"]), (0, 3))
            self.assertIn(words, self.answer("show", place, "0")["reason"])

    def test_an_evaluator_that_breaks_on_the_way(self):
        """The budget is not burnt; once it is mended, what was set aside is tried again."""
        script = self.path("flaky.sh")

        def write(text):
            with open(script, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(script, 0o755)

        write("#!/bin/sh\necho '{\"accuracy\": 0.5}'\n")
        self.search("run", "--study", self.study, "--evaluate", f"{script} {{expr}}", "--preset", "mini", "--trials", "4")
        write("#!/bin/sh\nexit 1\n")
        self.fails(FAILED, "--retry", "resume", self.study, "--trials", "40", "--workers", "2")
        status = self.answer("status", self.study)
        self.assertEqual((status["completed"], status["running"], status["budget"]), (4, 0, 40))
        self.assertLessEqual(status["quarantined"], 16)
        write("#!/bin/sh\necho '{\"accuracy\": 0.5}'\n")
        self.assertEqual(self.answer("resume", self.study, "--retry")["completed"], 40)

    def test_some_functions_in_a_row_may_break_it(self):
        """Of a command that works, three of them are nothing to stop for."""
        self.search("run", "--study", self.study, "--evaluate", "echo {expr} > /dev/null; test {trial} -lt 3 -o {trial} -gt 8 && "
                    "echo '{\"accuracy\": 0.5}'", "--preset", "mini", "--strategy", "random", "--trials", "12", "--attempts", "1",
                    "--repeats", "0")
        status = self.answer("status", self.study)
        self.assertEqual((status["completed"], status["quarantined"]), (6, 6))

    def test_commands_die_with_their_workers(self):
        mark = f"{60 + os.getpid() / 1e6:.6f}"  # a time that no other process sleeps
        run = subprocess.Popen([self.program, "search", "run", "--study", self.study, "--evaluate", f"true {{expr}}; sleep {mark}; echo x",
                                "--preset", "mini", "--baseline", ""], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)

        def sleepers():
            found = []
            for entry in os.listdir("/proc"):
                try:
                    with open(f"/proc/{entry}/cmdline", "rb") as file:
                        if file.read().split(b"\0")[:2] == [b"sleep", mark.encode()]:
                            found.append(int(entry))
                except OSError:
                    pass
            return found

        def wait_for(condition):
            end = time.monotonic() + 60
            while not condition():
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)

        wait_for(sleepers)
        first = sleepers()[0]

        def child_of(process):
            with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
                return int(file.read().split()[0])

        os.kill(child_of(child_of(run.pid)), signal.SIGKILL)  # the worker, whose keeper is the child of the run

        def replaced():  # one look: between two, the first may end before its successor begins
            now = sleepers()
            return now and first not in now

        wait_for(replaced)
        self.assertEqual(len(sleepers()), 1)
        run.send_signal(signal.SIGTERM)
        run.wait(timeout=60)
        wait_for(lambda: not sleepers())

    def test_a_moved_study_and_other_limits(self):
        first, second = self.folder / "first", self.folder / "second"
        first.mkdir()
        (first / "t.csv").write_text("expression,accuracy\nrelu(x),0.5\nx*sigmoid(x),0.9\n")
        (first / "s.toml").write_text('[space]\nspace = "unary(x)"\n[strategy]\nstrategy = "exhaustive"\n[evaluate]\n'
                                      'evaluator = "table"\ntable = "t.csv"\n[budget]\ntrials = 5\n')
        self.search("run", str(first / "s.toml"))
        first.rename(second)
        # All 27 but zero(x) and one(x), which are constant.
        self.assertEqual(self.answer("run", str(second / "s.toml"), "--trials", "30")["trials"], 25)
        self.assertEqual(self.answer("status", str(second / "s.db"))["budget"], 30)
        # Found by its values, though it is written otherwise.
        self.assertEqual(self.answer("top", str(second / "s.db"))[0]["expression"], "swish(x)")
        # A limit of time can be lifted.
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "40", "--delay", "0.1", "--time", "1s")
        self.assertLess(self.answer("status", self.study)["trials"], 40)
        self.assertEqual(self.answer("resume", self.study, "--time", "")["trials"], 40)

    def test_a_normal_form_is_shown(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "12", "--normal-form", "scale")
        shown = self.answer("show", self.study)
        self.assertRegex(shown["evaluated"], r"^mul\([0-9.]+," + re.escape(shown["expression"]) + r"\)$")
        self.assertIn("evaluated as " + shown["evaluated"], self.run_program("search", "show", self.study).stdout.decode())

    def test_wrong_input(self):
        self.fails(BAD_INPUT, "search new", "run", self.path("none.toml"))
        self.fails(BAD_INPUT, "there is no study", "run", self.path("none.db"))
        self.fails(STORAGE, "none.db", "status", self.path("none.db"))
        self.fails(USAGE, "--study", "run")
        self.fails(USAGE, "did you mean 'pangaea'", "run", "--study", self.study, "--strategy", "pangea")
        self.fails(USAGE, "nothing reads it", "run", "--study", self.study, "--target", "relu(x)")
        self.fails(USAGE, "nothing reads it", "run", "--study", self.study, *DISTANCE, "--net", "allcnn-c")
        self.fails(USAGE, "nothing reads it", "run", "--study", self.study, *DISTANCE, "--elites", "3")
        self.fails(BAD_INPUT, "unknown network", "run", "--study", self.study, "--net", "none")
        self.fails(BAD_INPUT, "unknown data set", "run", "--study", self.study, "--data", "none")
        self.fails(USAGE, "expr_pytorch", "run", "--study", self.study, "--evaluate", "x {expr_pytorsh}")
        self.fails(BAD_INPUT, "cannot read the table", "run", "--study", self.study, "--evaluator", "table", "--table",
                   self.path("none.csv"))
        self.assertFalse(os.path.exists(self.study))
        file = self.path("typo.toml")
        with open(file, "w", encoding="utf-8") as text:
            text.write("[study]\nseed = 1\n\n[strategy]\npopultion = 3\n")
        self.fails(BAD_INPUT, "line 5: [strategy] has no key 'popultion'; did you mean 'population'?", "run", file)
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "3")
        self.fails(USAGE, "[study] seed: '0' there, '7' here", "run", "--study", self.study, *DISTANCE, "--seed", "7")
        self.fails(BAD_INPUT, "there is no trial 3", "show", self.study, "3")
        with open(self.study, "r+b") as database:
            database.truncate(5000)
        self.fails(STORAGE, "study.db", "status", self.study)

    def test_ctrl_c_and_on(self):
        run = subprocess.Popen([self.program, "search", "run", "--study", self.study, *DISTANCE, "--trials", "60",
                                "--workers", "2", "--delay", "0.05"], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(10):
            run.stderr.readline()
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        self.assertIn(b"continues", errors)
        status = self.answer("status", self.study)
        self.assertEqual(status["running"], 0)
        self.assertLess(status["completed"] + status["failed"], 60)
        # Trials that were given back do not count as attempts.
        self.assertTrue(all(t["attempt"] <= 1 for t in json.loads(self.search("export", self.study, "--format", "json"))))
        self.assertEqual(self.answer("resume", self.study)["trials"], 60)

    def test_time_limit(self):
        begin = time.monotonic()
        summary = self.answer("run", "--study", self.study, *DISTANCE, "--trials", "100000", "--delay", "0.02", "--time",
                              "2s")
        self.assertLess(summary["trials"], 10000)
        self.assertGreater(summary["completed"], 0)
        self.assertGreaterEqual(time.monotonic() - begin, 1.9)


if __name__ == "__main__":
    cli_runner.main()
