#!/usr/bin/env python3
"""`actforge embed` as a user runs it; with `Torch` as the first unittest option, what needs LibTorch.

  embed_cli_test.py path/to/actforge [unittest options]
"""

import csv
import io
import re
import signal
import sqlite3
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import cli_runner
from cli_runner import BAD_INPUT, STORAGE, USAGE, ProgramTest, environment

SMALL = ("--space", "unary(unary(x))", "--inputs", "50", "--epochs", "20")
KNOWN = {"ELU", "ReLU", "SELU", "sigmoid", "Softplus", "Softsign", "Swish", "tanh", "-ELU", "-tanh", "|x|", "-|x|"}


class EmbedTest(ProgramTest):
    group = "embed"

    def rows(self, *arguments, name="map.csv"):
        self.text(*arguments, "-o", name)
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))

    def make_study(self, *arguments, space="unary(unary(x))", trials=30):
        done = self.run_program("search", "run", "--study", "s.db", "--space", space, "--strategy", "random", "--trials", str(trials),
                                "--baseline", "", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def near_study(self, **more):
        self.make_study("--evaluator", "distance", "--target", "swish(x)", **more)


class Embed(EmbedTest):
    def test_table(self):
        rows = self.rows(*SMALL)
        self.assertEqual(list(rows[0]), ["function", "x", "y", "label", "trial", "score"])
        self.assertEqual({row["label"] for row in rows} - {""}, KNOWN)
        self.assertEqual(len({row["function"] for row in rows}), len(rows))
        for row in rows:
            float(row["x"]), float(row["y"])
            self.assertEqual((row["trial"], row["score"]), ("", ""))

    def test_near_functions_are_near(self):
        # elu is as selu but for factors, and reaches -1 where -abs goes down for good.
        place = {row["label"]: (float(row["x"]), float(row["y"])) for row in self.rows("--space", "aquasurf-3", "--count", "1500")}
        distance = lambda a, b: sum((p - q) ** 2 for p, q in zip(place[a], place[b]))
        self.assertLess(distance("ELU", "SELU"), distance("ELU", "-|x|"))
        self.assertLess(distance("tanh", "Softsign"), distance("tanh", "-tanh"))

    def test_every_function_is_placed_or_left_out(self):
        space = "div(unary(x),unary(x))"
        answer = self.json("--space", space, "--inputs", "50", "--epochs", "20")
        self.assertEqual(answer["functions"], answer["placed"] + answer["left_out"]["outputs"])
        self.assertEqual(answer["left_out"]["spectra"], 0)
        self.assertEqual((answer["space"], answer["features"], answer["total"]), (space, "outputs", 27 * 27))
        self.assertEqual(len(answer["points"]), answer["placed"])
        self.assertEqual({p["label"] for p in answer["points"] if "label" in p}, KNOWN)
        self.assertEqual({len(p["place"]) for p in answer["points"]}, {2})
        self.assertLessEqual(sum(answer["steps"].values()), answer["seconds"])
        self.assertEqual(set(answer["steps"]), {"functions", "outputs", "neighbours", "layout", "files"})
        unique = self.run_program("space", "enumerate", space, "--unique", "--json").stdout
        listed = {f["expression"] for f in cli_runner.strict_json(unique)["functions"]}
        self.assertEqual(answer["unique"], len(listed))
        missing = listed - {p["function"] for p in answer["points"]}
        self.assertEqual(len(missing), answer["left_out"]["outputs"])
        # Who divides by zero at some negative number.
        self.assertEqual({re.search(r",(\w+)", function)[1] for function in missing}, {"zero", "relu", "hard_sigmoid"})

    def test_functions_that_differ_by_rounding_share_a_place(self):
        answer = self.json(*SMALL)
        places = {tuple(p["place"]) for p in answer["points"]}
        self.assertEqual(len(places), answer["placed"] - answer["twins"])
        self.assertGreater(answer["twins"], 5)

    def test_words(self):
        self.assertRegex(self.text(*SMALL, "-o", "m.csv"), r"^unary\(unary\(x\)\): 729 functions, \d+ unique\n"
                         r"\d+ placed by outputs, \d+ of them equal to others but for rounding; left out: \d+ with infinite or undefined outputs\nwritten: m.csv\n$")
        self.assertRegex(self.text(*SMALL, "--count", "40", "-o", "m.csv", "-o", "m.svg"),
                         r"unique, 40 taken, \d+ others added\n.*\nwritten: m.csv\nwritten: m.svg\n$")

    def test_pictures(self):
        self.text(*SMALL, "-o", "m.svg", "-o", "m.PNG")
        self.assertEqual((self.folder / "m.PNG").read_bytes()[:4], b"\x89PNG")
        words = "".join(ElementTree.fromstring((self.folder / "m.svg").read_text()).itertext())
        for name in KNOWN:
            self.assertIn(name.replace("-", "−"), words)
        self.assertIn("unary(unary(x)) by outputs", words)

    def test_the_same_seed_gives_the_same_map(self):
        maps = {}
        for name, more in (("one", ("--threads", "1")), ("two", ("--threads", "2")), ("five", ("--threads", "5")), ("other", ("--seed", "1"))):
            self.text(*SMALL, "--count", "300", *more, "-o", f"{name}.csv", "-o", f"{name}.svg")
            maps[name] = [(self.folder / f"{name}{end}").read_bytes() for end in (".csv", ".svg")]
        self.assertEqual(maps["one"], maps["two"])
        self.assertEqual(maps["one"], maps["five"])
        self.assertNotEqual(maps["one"], maps["other"])

    def test_a_large_space_is_drawn_from(self):
        rows = self.rows("--space", "pangaea", "--count", "60", "--inputs", "50", "--epochs", "20")
        self.assertGreater(len(rows), 30)
        said = self.refusal(USAGE, "embed", "--space", "pangaea", "-o", "m.svg")
        self.assertIn("pangaea has 10,339,202,744,514 functions", said)
        self.assertIn("--count", said)

    def test_dimensions(self):
        for dimensions, columns in ((1, ["x"]), (3, ["x", "y", "z"]), (5, ["x1", "x2", "x3", "x4", "x5"])):
            rows = self.rows(*SMALL, "--count", "50", "--dimensions", str(dimensions))
            self.assertEqual(list(rows[0])[1:-3], columns)
        self.assertIn("--dimensions 2", self.refusal(USAGE, "embed", *SMALL, "--dimensions", "1", "-o", "m.svg"))

    def test_evenly_spaced_inputs(self):
        one, other = (self.json(*SMALL, "--count", "50", *more)["points"] for more in ((), ("--evenly",)))
        self.assertNotEqual([p["place"] for p in one], [p["place"] for p in other])

    def test_help(self):
        done = self.run_program("embed", "--help-all")
        for word in (b"--min-dist", b"--neighbours", b"--evenly", b"--measure", b"--batch", b"Examples:"):
            self.assertIn(word, done.stdout)

    def test_wrong_input(self):
        self.near_study(trials=5)
        for code, words, arguments in (
                (BAD_INPUT, "did you mean 'aquasurf-3'?", ("--space", "aquasurf3", "-o", "m.svg")),
                (USAGE, "sounds", (*SMALL, "--features", "sounds", "-o", "m.svg")),
                (USAGE, ".svg, .png or .csv", (*SMALL, "-o", "map.txt")),
                (USAGE, "-o map.svg", SMALL),
                (USAGE, "--space", ("-o", "m.svg")),
                (STORAGE, "nobody.db", ("--study", "nobody.db", "-o", "m.svg")),
                (USAGE, "no trial of 's.db' is a function of mul(softplus(unary(x)),cosh(unary(x))): it searched unary(unary(x))",
                 ("--space", "mul(softplus(unary(x)),cosh(unary(x)))", "--study", "s.db", "-o", "m.svg")),
                (USAGE, "--count", (*SMALL, "--count", "0", "-o", "m.svg")),
                (USAGE, "--count", (*SMALL, "--count", "-3", "-o", "m.svg")),
                (USAGE, "--inputs goes from 1", ("--space", "aquasurf-3", "--inputs", "0", "-o", "m.svg")),
                (USAGE, "--neighbours goes from 2", (*SMALL, "--neighbours", "1", "-o", "m.svg")),
                (USAGE, "min-dist", (*SMALL, "--min-dist", "far", "-o", "m.svg")),
                (USAGE, "--min-dist is at most --spread", (*SMALL, "--min-dist", "1.5", "-o", "m.svg")),
                (STORAGE, "there is no folder", (*SMALL, "-o", "good.csv", "-o", "nowhere/m.svg")),
                (USAGE, "--net and --data, or taken from --study", (*SMALL, "--features", "fisher", "-o", "m.svg")),
                (USAGE, "--net and --data belong together", (*SMALL, "--features", "both", "--net", "allcnn-mini", "-o", "m.svg")),
                (USAGE, "--features fisher or both", (*SMALL, "--net", "allcnn-mini", "--data", "digits", "-o", "m.svg")),
                (USAGE, "no spectra yet", ("--study", "s.db", "--features", "fisher", "-o", "m.svg")),
                (USAGE, "has spectra of functions of unary(unary(x)), not of aquasurf-3",
                 ("--study", "s.db", "--space", "aquasurf-3", "--features", "fisher", "-o", "m.svg")),
                (USAGE, "--measure takes", (*SMALL, "--features", "fisher", "--measure", "-o", "m.svg")),
                (USAGE, "do not fit into memory", ("--space", "pangaea", "--inputs", "100000", "--count", "25000", "-o", "m.svg")),
                (STORAGE, "no/map.csv", (*SMALL, "-o", "no/map.csv"))):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refusal(code, "embed", *arguments))
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"s.db"})

    def test_ctrl_c(self):
        command = [self.program, "embed", "--space", "aquasurf-3", "--epochs", "1000000", "-o", "m.svg"]
        process = subprocess.Popen(command, cwd=self.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, *said), (130, b"", b"actforge: stopped; no map was written\n"))
        self.assertEqual(list(self.folder.iterdir()), [])


class OfAStudy(EmbedTest):
    def trials(self):
        done = self.run_program("search", "export", "s.db", "--json")
        return cli_runner.strict_json(done.stdout)

    def test_trials_have_their_scores(self):
        self.near_study()
        rows = {row["trial"]: row for row in self.rows("--study", "s.db", "--inputs", "50", "--epochs", "20") if row["trial"]}
        expected = {str(trial["number"]): trial["score"] for trial in self.trials()}
        placed = {number: float(row["score"]) for number, row in rows.items() if row["score"]}
        self.assertGreater(len(placed), 10)
        for number, score in placed.items():
            self.assertAlmostEqual(score, expected[number])
        self.assertRegex(self.text("--study", "s.db", "--epochs", "20", "-o", "m.svg"), r"(?m)^\d+ trials of s.db are on the map$")
        picture = (self.folder / "m.svg").read_text()
        self.assertIn(">accuracy<", picture)
        self.assertIn("#fde725", picture)
        self.assertRegex(picture, r"<title>trial \d+: ")

    def test_a_study_does_not_move_the_functions_of_its_space(self):
        self.near_study()
        without = {row["function"]: (row["x"], row["y"]) for row in self.rows(*SMALL)}
        with_study = {row["function"]: (row["x"], row["y"]) for row in self.rows(*SMALL, "--study", "s.db")}
        self.assertEqual(without, with_study)

    def test_a_loss_is_shown_as_people_read_it(self):
        self.make_study("--evaluate", "printf '{\"loss\": 0.%d}' {trial} # {expr}", "--objective", "loss", trials=6)
        rows = [row for row in self.rows("--study", "s.db", "--epochs", "20", "--count", "100") if row["score"]]
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual(float(row["score"]), float("0." + row["trial"]))
        self.text("--study", "s.db", "--epochs", "20", "--count", "100", "-o", "m.svg")
        self.assertIn("loss (less is better)", (self.folder / "m.svg").read_text())

    def test_trials_from_outside_are_added(self):
        self.near_study()
        rows = self.rows("--space", "unary(unary(x))|unary(x)", "--count", "20", "--study", "s.db", "--inputs", "50", "--epochs", "20")
        self.assertGreater(sum(row["trial"] != "" for row in rows), 10)

    def test_the_report_has_a_map(self):
        self.near_study(trials=60)
        done = self.run_program("report", "s.db", "-o", "page.html", "--svg", "pictures")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "page.html").read_text()
        self.assertIn('<h2 id="map">Map</h2>', page)
        picture = (self.folder / "pictures" / "map.svg").read_text()
        self.assertIn("#fde725", picture)
        self.assertGreater(len(re.findall(r"M[\d.]+ [\d.]+h0", picture)), 300)


class Torch(EmbedTest):
    FEW = ("--count", "12", "--inputs", "50", "--epochs", "20")
    SHORT = ("--net", "allcnn-mini", "--data", "digits", "--batch", "16")

    def train_study(self):
        self.make_study("--net", "allcnn-mini", "--data", "digits", "--epochs", "1", "--subset", "200", trials=3)

    def kept(self):
        with sqlite3.connect(self.folder / "s.db") as database:
            return database.execute("SELECT count(*) FROM features").fetchone()[0]

    def test_by_spectra_of_a_network(self):
        answer = self.json("--space", "unary(x)", *self.SHORT, *self.FEW, "--features", "fisher")
        self.assertEqual(answer["functions"], answer["placed"] + answer["left_out"]["spectra"])
        self.assertGreaterEqual(answer["left_out"]["spectra"], 0)
        self.assertIn("spectra", answer["steps"])
        both = self.json("--space", "unary(x)", *self.SHORT, *self.FEW, "--features", "both")
        self.assertEqual(both["functions"], both["placed"] + sum(both["left_out"].values()))
        self.assertNotEqual([p["place"] for p in both["points"]], [p["place"] for p in answer["points"]])
        self.assertIn("placed by outputs and spectra of allcnn-mini on digits",
                      self.text("--space", "unary(x)", *self.SHORT, *self.FEW, "--features", "both", "-o", "m.svg"))

    def test_too_many_to_measure(self):
        said = self.refusal(USAGE, "embed", "--space", "aquasurf-4", *self.SHORT, "--features", "fisher", "-o", "m.svg")
        self.assertRegex(said, r"spectra of \d+,\d+ functions would take hours; .*--count")

    def test_spectra_are_kept_in_the_study(self):
        self.train_study()
        command = ("--study", "s.db", "--features", "both", "--batch", "16", *self.FEW)
        first = self.json(*command, "--measure")
        kept = self.kept()
        self.assertEqual(kept, first["functions"])
        # Nothing is measured again, neither with the same words nor with the study's network by name.
        again = self.json(*command, "--measure")
        named = self.json(*command, "--net", "allcnn-mini", "--data", "digits")
        self.assertEqual(self.kept(), kept)
        self.assertEqual(first["points"], again["points"])
        self.assertEqual(first["points"], named["points"])
        # And they are enough for a map without measuring.
        read = self.json("--study", "s.db", "--features", "fisher", "--epochs", "20")
        self.assertEqual(read["placed"], first["functions"] - first["left_out"]["spectra"])
        self.assertIn("fisher 2: allcnn-mini on digits, batch 16", read["conditions"])

    def test_ctrl_c_keeps_spectra(self):
        self.train_study()
        command = [self.program, "embed", "--study", "s.db", "--features", "fisher", "--measure", "--draws", "3", "--count", "300", "-o", "m.svg"]
        process = subprocess.Popen(command, cwd=self.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        limit = time.time() + 60
        kept = 0
        while kept < 3 and time.time() < limit:
            time.sleep(0.1)
            with sqlite3.connect(self.folder / "s.db", timeout=30) as database:
                if database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'features'").fetchone()[0]:
                    kept = self.kept()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(said, (b"", b"actforge: stopped; no map was written, but spectra are kept: the same command continues\n"))
        self.assertGreaterEqual(self.kept(), kept)
        self.assertFalse((self.folder / "m.svg").exists())

    def test_other_networks_are_not_kept(self):
        self.train_study()
        self.json("--study", "s.db", "--features", "fisher", "--net", "mlp-2-32", "--data", "digits", "--batch", "16", *self.FEW)
        with sqlite3.connect(self.folder / "s.db") as database:
            tables = database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'features'").fetchone()[0]
        self.assertEqual(self.kept() if tables else 0, 0)


if __name__ == "__main__":
    cli_runner.main()
