#!/usr/bin/env python3
"""What a study says of itself (whether it can evolve anything, what it has found beside well-known functions), and how
it is steered: functions put in front, another strategy.

  search_steer_cli_test.py path/to/actforge [unittest options]
"""

import json
import signal
import subprocess
import time

import cli_runner
from cli_runner import BAD_INPUT, USAGE, ProgramTest, strict_json

DISTANCE = ("--evaluator", "distance", "--target", "swish(x)")


class Steer(ProgramTest):
    group = "search"

    def setUp(self):
        super().setUp()
        self.study = str(self.folder / "study.db")

    def done(self, *arguments):
        done = self.run_program("search", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def search(self, *arguments):
        return self.done(*arguments)[0]

    def answer(self, *arguments):
        return strict_json(self.search(*arguments, "--json"))

    def refused(self, code, words, *arguments):
        self.assertIn(words, self.refusal(code, "search", *arguments))

    def trials(self):
        return json.loads(self.search("export", self.study, "--format", "json"))

    def command(self, text):
        """A score in place of `{n}`, the length of the function."""
        return ("--evaluate", f"echo \"{{\\\"accuracy\\\": {text.replace('{n}', '$(printf %s {expr} | wc -c)')}}}\"")


class CanItEvolve(Steer):
    def test_the_population_follows_from_the_budget(self):
        text, said = self.done("run", "--study", self.study, *DISTANCE, "--trials", "14")
        self.assertIn("strategy pangaea (population 4, sample 2, threshold 0.2)\n", said)
        self.assertIn("strategy pangaea (population 4, sample 2, threshold 0.2)\n", text)
        self.assertNotIn("random search", text + said)
        self.assertTrue(any(trial["parents"] for trial in self.trials()))
        status = self.answer("status", self.study)["strategy"]
        self.assertEqual((status["name"], status["options"]["population"], status["caution"]), ("pangaea", "4", None))
        # A larger budget is no other study.
        self.assertEqual(self.answer("run", "--study", self.study, "--trials", "20")["trials"], 20)

    def test_a_study_file_leaves_it_open_too(self):
        file = self.folder / "study.toml"
        file.write_text('[evaluate]\nevaluator = "distance"\ntarget = "swish(x)"\n[budget]\ntrials = 14\n')
        self.assertEqual(self.answer("run", str(file))["strategy"]["options"]["population"], "4")
        self.assertEqual(self.answer("run", str(file), "--trials", "40")["strategy"]["options"]["population"], "4")

    def test_rewards_below_zero_have_children(self):
        self.search("run", "--study", self.study, *self.command("-{n}"), "--trials", "14")
        self.assertTrue(any(trial["parents"] for trial in self.trials()))

    def test_it_says_where_nothing_can_evolve(self):
        said = self.done("run", "--study", self.study, *DISTANCE, "--trials", "14", "--population", "64")
        for text in (*said, self.search("status", self.study), self.done("new", "--trials", "14", "--population", "64")[1]):
            self.assertIn("The first 64 functions (--population) are drawn at random, and there will be about 1", text)
        self.assertIn("random search", self.answer("status", self.study)["strategy"]["caution"])
        other = str(self.folder / "other.db")
        said = self.done("run", "--study", other, *DISTANCE, "--trials", "5")
        for text in (*said, self.search("status", other)):
            self.assertIn("5 functions are too few to evolve", text)
        self.assertEqual(self.answer("status", other)["strategy"]["name"], "random")

    def test_it_says_where_nothing_passes_the_threshold(self):
        self.search("run", "--study", self.study, *self.command("-{n}"), "--trials", "14", "--threshold", "0.2")
        text = self.search("status", self.study)
        self.assertIn("No function has reached the threshold of 0.2 (--threshold); the best score is -", text)
        self.assertFalse(any(trial["parents"] for trial in self.trials()))
        # What it says helps.
        self.search("run", self.study, "--strategy", "pangaea", "--threshold=-inf", "--trials", "30")
        self.assertTrue(any(trial["parents"] for trial in self.trials()))


class Verdict(Steer):
    def test_the_first_line_says_what_was_found(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "10", "--strategy", "random")
        sentence = "No function found so far beats relu(x), the best of the well-known functions measured."
        status, top = self.search("status", self.study), self.search("top", self.study, "--count", "2")
        for text in (status, top):
            self.assertTrue(text.startswith(sentence), text)
            self.assertRegex(text, r"(?m)^ +0\.\d+ .* baseline +ReLU, baseline +relu\(x\)$")
        answer = self.answer("status", self.study)
        self.assertEqual(answer["verdict"], {"text": status.splitlines()[0], "beats_known": False})
        self.assertEqual([known["known_as"] for known in answer["known"]], ["ReLU"])
        self.assertIsNone(answer["found"]["known_as"])
        page = str(self.folder / "page.html")
        done = self.run_program("report", self.study, "-o", page, "--json")
        self.assertEqual(strict_json(done.stdout)["verdict"], answer["verdict"]["text"])

    def test_well_known_functions_among_the_trials_are_marked(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "14", "--strategy", "aquasurf", "--pool", "30")
        marked = {row["known_as"]: row["number"] for row in self.answer("status", self.study)["known"]}
        self.assertIsNotNone(marked["Swish"])  # it is the target
        self.assertEqual(len(marked), 8)  # the functions that the strategy starts from; ReLU is the baseline
        text = self.search("top", self.study, "--count", "1")
        self.assertTrue(text.startswith("No function found so far beats swish(x), the best of "), text)
        self.assertEqual(text.count("\n") - 3, 8 + 1)  # and the best function that was found

    def test_what_is_better_is_said_to_be(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "8", "--strategy", "random")
        self.search("enqueue", self.study, "mul(1.01,swish(x))")
        self.search("resume", self.study)
        text = self.search("status", self.study)
        self.assertTrue(text.startswith("mul(1.01,swish(x)) beats relu(x), the best of the well-known functions "), text)
        self.assertTrue(self.answer("status", self.study)["verdict"]["beats_known"])


class Enqueue(Steer):
    def test_they_are_next(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "4")
        text, said = self.done("enqueue", self.study, "x*sigmoid(x)", "gelu(x)", "-tanh(x)")
        self.assertRegex(text, r"(?m)^ +4 +mul\(x,sigmoid\(x\)\) +next$")
        self.assertRegex(text, r"(?m)^ +5 +gelu\(x\) +next; not in the space, so it has no children$")
        self.assertIn("search resume", said)
        self.assertEqual(self.answer("status", self.study)["queued"], 3)
        self.assertEqual(self.answer("resume", self.study)["trials"], 7)  # the budget was used up
        self.assertEqual([t["origin"] for t in self.trials()][4:], ["enqueued"] * 3)
        again = self.answer("enqueue", self.study, "swish(x)", "elu(x)")
        self.assertEqual([(row["new"], row["trial"]) for row in again], [(False, 4), (True, 7)])
        self.assertEqual(again[0]["equals"]["expression"], "mul(x,sigmoid(x))")
        self.assertIn("not tried again: equals mul(x,sigmoid(x)), completed, accuracy ",
                      self.search("enqueue", self.study, "swish(x)"))

    def test_from_a_file_and_before_the_first_trial(self):
        self.search("new", "-o", str(self.folder / "study.toml"), *DISTANCE, "--trials", "6")
        (self.folder / "mine.txt").write_text("# candidates\nelu(x)\n\n  tanh(x)\r\n")
        rows = self.answer("enqueue", str(self.folder / "study.toml"), "sin(x)", "--from", str(self.folder / "mine.txt"))
        self.assertEqual([row["expression"] for row in rows], ["sin(x)", "elu(x)", "tanh(x)"])
        self.assertEqual(self.answer("run", str(self.folder / "study.toml"))["trials"], 6)
        self.assertEqual([t["expression"] for t in self.trials()][:3], ["sin(x)", "elu(x)", "tanh(x)"])

    def test_wrong_input_puts_nothing_in_front(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "3")
        self.refused(BAD_INPUT, "\n  relu(x\n        ^\n", "enqueue", self.study, "elu(x)", "relu(x")
        (self.folder / "mine.txt").write_text("elu(x)\nrelu(x\n")
        self.refused(BAD_INPUT, "mine.txt, line 2: missing ')'", "enqueue", self.study, "--from",
                     str(self.folder / "mine.txt"))
        self.refused(BAD_INPUT, "cannot read", "enqueue", self.study, "--from", str(self.folder / "none.txt"))
        self.refused(USAGE, "no function was given", "enqueue", self.study)
        self.assertEqual(self.answer("status", self.study)["trials"], 3)

    def test_while_the_study_runs_and_is_killed(self):
        run = subprocess.Popen([self.program, "search", "run", "--study", self.study, *DISTANCE, "--trials", "1000",
                                "--delay", "0.05", "--workers", "2"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        for _ in range(5):
            run.stderr.readline()
        first = self.answer("enqueue", self.study, "softsign(x)")[0]["trial"]
        end = time.monotonic() + 30
        while self.answer("show", self.study, str(first))["status"] != "completed":
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        second = self.answer("enqueue", self.study, "arctan(x)")[0]["trial"]
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.search("resume", self.study, "--trials", "1")  # no more than what is in front
        self.assertEqual(self.answer("show", self.study, str(second))["status"], "completed")


class Switch(Steer):
    def test_a_study_goes_on_with_another_strategy(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "12", "--strategy", "random")
        text, said = self.done("run", self.study, "--strategy", "pangaea", "--sample", "3", "--trials", "24")
        self.assertIn("strategy pangaea (population 4, sample 3, threshold 0.2), after random; the 12 trials so far are "
                      "its history", said)
        self.assertIn("from trial 12 on; before: random from trial 0\n", text)
        self.assertTrue(all(t["parents"] for t in self.trials()[12:]))
        strategy = self.answer("status", self.study)["strategy"]
        self.assertEqual((strategy["name"], strategy["first_trial"]), ("pangaea", 12))
        self.assertEqual(strategy["earlier"], [{"name": "random", "first_trial": 0}])
        # It stays: nobody has to say it again.
        self.assertEqual(self.answer("resume", self.study, "--trials", "26")["strategy"]["name"], "pangaea")

    def test_a_study_file_that_names_none_stays_with_the_new_one(self):
        file = self.folder / "study.toml"
        file.write_text('[evaluate]\nevaluator = "distance"\ntarget = "swish(x)"\n[budget]\ntrials = 20\n')
        self.search("run", str(file))
        self.search("run", str(file), "--strategy", "cafe", "--trials", "30")
        self.assertEqual(self.answer("run", str(file), "--trials", "40")["strategy"]["name"], "cafe")

    def test_what_cannot_work_is_refused(self):
        self.search("run", "--study", self.study, *DISTANCE, "--trials", "12", "--strategy", "random")
        before = self.answer("status", self.study)
        self.refused(USAGE, "none is left for the strategy 'pangaea'; --trials 24", "run", self.study, "--strategy",
                     "pangaea")
        self.refused(USAGE, "needs spectra", "run", self.study, "--strategy", "aquasurf", "--features", "both",
                     "--trials", "30")
        self.refused(USAGE, "nothing reads it", "run", self.study, "--strategy", "pangaea", "--elites", "3")
        self.refused(USAGE, "[study] seed", "run", self.study, "--strategy", "pangaea", "--seed", "9", "--trials", "30")
        self.assertEqual(self.answer("status", self.study), before)


if __name__ == "__main__":
    cli_runner.main()
