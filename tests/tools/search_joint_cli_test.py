#!/usr/bin/env python3
"""What a search draws: hyperparameters together with functions (`--with`), and no functions that it refuses (`--require`).

  search_joint_cli_test.py path/to/actforge [unittest options]
"""

import csv
import io
import json

import cli_runner
from cli_runner import USAGE, StudyTest

# The nearer to 0.1 the better; notes what it was told.
EVALUATE = r"""#!/bin/sh
printf '["%s","%s","%s","%s",%s]\n' "$ACTFORGE_STAGE" "$1" "$2" "$3" "$ACTFORGE_WITH" >> "$(dirname "$0")/calls.jsonl"
awk -v expr="$1" -v rate="$2" -v optimizer="$3" 'BEGIN {
  off = log(rate) / log(10) + 1
  if (off < 0) off = -off
  printf "{\"accuracy\": %.6f}\n", 1 - 0.1 * off - (optimizer == "sgd" ? 0.05 : 0) - 0.001 * length(expr)
}'
"""

WITH = ("--with", "rate=log:1e-4..1", "--with", "optimizer={adam,sgd}")
COMMAND = ("--evaluate", "./evaluate.sh {expr} {rate} {optimizer}", "--preset", "mini", "--space", "unary(unary(x))")


class Drawn(StudyTest):
    def setUp(self):
        super().setUp()
        script = self.folder / "evaluate.sh"
        script.write_text(EVALUATE)
        script.chmod(0o755)

    def answer(self, *arguments):
        return json.loads(self.search(*arguments, "--json"))

    def fails(self, words, *arguments):
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, USAGE, (done.stdout, done.stderr))
        self.assertIn(words, done.stderr.decode())

    def calls(self, stage):
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        return [call for call in map(json.loads, lines) if call[0] == stage]


class Joint(Drawn):
    def run_study(self, *flags):
        return self.search("run", "--study", self.study, *COMMAND, *WITH, "--strategy", "pangaea", "--repeats", "0", *flags)

    def test_hyperparameters_reach_the_command_and_the_tables(self):
        said = self.run_study("--trials", "30", "--workers", "2")
        head = next(line for line in said.splitlines() if line.startswith("trial ")).split()
        self.assertIn("rate", head)
        self.assertIn("optimizer", head)
        trials = json.loads(self.search("export", self.study, "--format", "json"))
        calls = {(call[1], call[2], call[3]) for call in self.calls("search")}
        self.assertEqual(len(trials), 30)
        for trial in trials:
            values = trial["hyperparameters"]
            self.assertEqual(set(values), {"rate", "optimizer"})
            self.assertTrue(1e-4 <= values["rate"] <= 1)
            self.assertTrue(any(call[0] == trial["expression"] and float(call[1]) == values["rate"] for call in calls))
        self.assertEqual(self.calls("search")[0][4].keys(), {"rate", "optimizer"})
        # Children have hyperparameters of their parents, functions come again with others.
        self.assertLess(len({trial["expression"] for trial in trials}), 30)
        self.assertIn("hyperparameters", {trial["origin"] for trial in trials})
        best = self.answer("top", self.study, "--count", "1")[0]
        self.assertEqual(best, {**best, "hyperparameters": max(trials, key=lambda t: t["score"])["hyperparameters"]})
        self.assertIn(f"rate {best['hyperparameters']['rate']}", self.search("show", self.study))
        self.assertIn("hyperparameters: optimizer=", self.search("show", self.study))
        self.assertEqual(self.answer("status", self.study)["best"]["hyperparameters"], best["hyperparameters"])
        rows = list(csv.DictReader(io.StringIO(self.search("export", self.study))))
        self.assertTrue(rows[0]["hyperparameters"].startswith("optimizer="))
        self.search("resume", self.study, "--trials", "32")
        self.fails("[space] with", "run", "--study", self.study, "--with", "rate=log:1e-5..1")

    def test_repeats_have_the_values_of_what_they_repeat(self):
        self.search("run", "--study", self.study, *COMMAND, *WITH, "--strategy", "random", "--repeats", "0.4", "--trials", "15")
        trials = json.loads(self.search("export", self.study, "--format", "json"))
        repeats = [trial for trial in trials if trial["repeat_of"] is not None]
        self.assertTrue(repeats)
        for trial in repeats:
            self.assertEqual(trial["hyperparameters"], trials[trial["repeat_of"]]["hyperparameters"])

    def test_after_the_search_functions_keep_their_values(self):
        self.run_study("--trials", "20")
        # The baseline of a search has the middle of each.
        self.assertEqual(self.calls("baseline")[0], ["baseline", "relu(x)", "0.01", "adam", {"optimizer": "adam", "rate": 0.01}])
        best = {trial["number"]: trial for trial in self.answer("top", self.study, "--count", "20")}
        winner = next(iter(best.values()))
        for verb, stage in (("final", "final"), ("rerank", "rerank"), ("final", "final")):
            table = self.answer(verb, self.study, "--top", "2", "--runs", "2", "--baseline", "elu(x)")
            own = [row for row in table["rows"] if not row["baseline"]]
            self.assertEqual(len(own), 2)
            for row in own:
                self.assertEqual(row["hyperparameters"], best[row["trial"]]["hyperparameters"])
                told = {(call[1], float(call[2]), call[3]) for call in self.calls(stage)}
                self.assertIn((row["expression"], row["hyperparameters"]["rate"], row["hyperparameters"]["optimizer"]), told)
            # What it is compared with gets those of the best trial.
            rival = next(row for row in table["rows"] if row["baseline"])
            self.assertEqual(rival["hyperparameters"], winner["hyperparameters"])
        text = self.search("final", self.study, "--top", "2", "--runs", "2", "--baseline", "elu(x)")
        head = next(line for line in text.splitlines() if line.startswith("function"))
        self.assertRegex(head, r"interval +optimizer +rate +better by")
        done = self.run_program("report", self.study, "-o", self.path("page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "page.html").read_text()
        self.assertIn(f"optimizer={winner['hyperparameters']['optimizer']},rate=", page)

    def test_every_strategy(self):
        for strategy in ("random", "cafe", "aquasurf", "exhaustive", "mutation"):
            place = self.path(f"{strategy}.db")
            summary = self.answer("run", "--study", place, *COMMAND, *WITH, "--strategy", strategy, "--trials", "12",
                                  "--repeats", "0", *(("--pool", "30") if strategy == "aquasurf" else ()))
            self.assertEqual(summary["completed"], 12, strategy)
            self.assertIn("rate", summary["best"]["hyperparameters"], strategy)

    def test_a_study_file_has_them(self):
        file = self.path("study.toml")
        self.search("new", "-o", file, *COMMAND, *WITH, "--trials", "3", "--repeats", "0")
        text = (self.folder / "study.toml").read_text()
        self.assertIn('with = "optimizer={adam,sgd}, rate=log:1e-04..1"', text)
        alone = self.run_program("search", "new", "--with", "learning-rate=log:1e-3..0.3").stdout
        self.assertIn(b'preset = "standard"', alone)  # not that of the example without any option
        self.search("run", file)
        (self.folder / "study.toml").write_text(text.replace('with = "optimizer={adam,sgd}, rate=log:1e-04..1"',
                                                             'with = ["rate=log:1e-4..1", "optimizer={adam,sgd}"]'))
        self.search("run", file, "--trials", "4")

    def test_wrong_input(self):
        run = ("run", "--study", self.study, "--space", "unary(x)", "--strategy", "random")
        self.fails("--with 'rate=log:0..1': a log scale begins above 0", *run, "--with", "rate=log:0..1")
        self.fails("it is not told the hyperparameter 'rate'; put {rate} in it", *run, "--evaluate", "echo {expr}", "--with",
                   "rate=lin:0..1")
        self.fails("nothing is known of {rat}; did you mean 'rate'?", *run, "--evaluate", "echo {expr} {rat}", "--with",
                   "rate=lin:0..1")
        self.fails("'seed' is what {seed} stands for already", *run, "--evaluate", "echo {expr} {seed}", "--with", "seed=int:0..9")
        self.fails("is not used: the evaluator is 'distance'", *run, "--evaluator", "distance", "--target", "x", "--with",
                   "rate=lin:0..1")
        self.fails("unknown training option 'learning-rat'; did you mean 'learning-rate'?", *run, "--with",
                   "learning-rat=log:1e-3..1")


class Refused(Drawn):
    QUICK = ("--evaluator", "distance", "--target", "swish(x)", "--preset", "mini", "--space", "pangaea")

    def constants(self, place):
        trials = json.loads(self.search("export", place, "--format", "json"))
        shown = [json.loads(self.run_program("fn", "show", trial["expression"], "--json").stdout) for trial in trials]
        return sum(function["properties"]["monotone"] == "constant" for function in shown)

    def test_no_constant_is_tried(self):
        said = self.search("run", "--study", self.study, *self.QUICK, "--trials", "40", "--strategy", "random")
        self.assertEqual(self.constants(self.study), 0)
        refused = self.answer("status", self.study)["refused"]
        self.assertGreater(refused, 0)
        self.assertIn(f"refused {refused}, drawn but not tried because of 'not-constant'", said)
        other = self.path("other.db")
        self.search("run", "--study", other, *self.QUICK, "--trials", "40", "--strategy", "random", "--require", "none")
        self.assertGreater(self.constants(other), 0)
        self.assertEqual(self.answer("status", other)["refused"], 0)

    def test_workers_and_resumed_studies_refuse_the_same(self):
        random = (*self.QUICK, "--strategy", "random", "--require", "not-constant,finite,cost<=12")
        one, two = self.path("one.db"), self.path("two.db")
        self.search("run", "--study", one, *random, "--trials", "40")
        self.search("run", "--study", two, *random, "--trials", "15")
        self.search("resume", two, "--trials", "40", "--workers", "3")
        told = [[(trial["expression"], trial["number"]) for trial in json.loads(self.search("export", place, "--format", "json"))]
                for place in (one, two)]
        self.assertEqual(told[0], told[1])
        self.assertEqual(self.answer("status", one)["refused"], self.answer("status", two)["refused"])
        self.fails("[space] require: 'not-constant,finite,cost<=12' there, 'none' here", "run", "--study", one, "--require", "none")

    def test_a_space_says_what_it_refuses(self):
        space = self.path("own.toml")
        (self.folder / "own.toml").write_text('max_nodes = 4\nrequire = "cost<=5"\n')
        self.search("run", "--study", self.study, *self.QUICK[:-1], space, "--trials", "20")
        settings = self.run_program("report", self.study, "-o", self.path("page.html"))
        self.assertEqual(settings.returncode, 0)
        self.assertIn("cost&lt;=5", (self.folder / "page.html").read_text())
        paper = self.path("paper.db")
        self.search("run", "--study", paper, *self.QUICK[:4], "--preset", "paper", "--trials", "40")
        self.assertEqual(self.answer("status", paper)["refused"], 0)
        self.fails("unknown requirement 'finit'; did you mean 'finite'?", "run", "--study", self.path("new.db"), *self.QUICK,
                   "--require", "finit")

    def test_space_verbs(self):
        def lines(*arguments):
            done = self.run_program("space", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.decode().splitlines()
        every = lines("sample", "pangaea", "--initial", "--count", "200", "--require", "none")
        some = lines("sample", "pangaea", "--initial", "--count", "200", "--require", "not-constant")
        self.assertEqual(len(some), 200)
        kept = [a for a, b in zip(every, some) if a == b]
        self.assertTrue(165 < len(kept) < 185, len(kept))
        self.assertEqual(lines("sample", "pangaea", "--initial", "--count", "200"), every)
        (self.folder / "own.toml").write_text('schemas = ["unary(x)"]\nrequire = "not-constant,finite"\n')
        self.assertIn('require = "not-constant,finite"', lines("show", "own.toml"))
        self.assertNotIn("zero(x)", lines("sample", "own.toml", "--count", "300"))
        self.assertEqual(lines("enumerate", "own.toml")[0].split(), ["0", "zero(x)"])
        self.assertRegex(lines("count", "own.toml")[-1], r"^\d+ of 1000 drawn from them meet 'not-constant,finite'$")
        self.refusal(cli_runner.BAD_INPUT, "search", "run", "--study", self.path("none.db"), *self.QUICK[:4], "--space", "zero(x)")
        done = self.run_program("space", "sample", "unary(x)", "--unary", "zero,one", "--require", "not-constant")
        self.assertEqual(done.returncode, cli_runner.BAD_INPUT)
        self.assertIn("1,000 draws in a row were refused, the last because it is constant", done.stderr.decode())


if __name__ == "__main__":
    cli_runner.main()
