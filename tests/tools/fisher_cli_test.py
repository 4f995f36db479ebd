#!/usr/bin/env python3
"""`actforge fisher` as a user runs it.

  fisher_cli_test.py path/to/actforge [unittest options]
"""

import signal
import sqlite3
import subprocess
import time

import cli_runner
from cli_runner import BAD_INPUT, STORAGE, USAGE, ProgramTest, environment

SHORT = ("--net", "allcnn-mini", "--data", "digits", "--batch", "32")


class Fisher(ProgramTest):
    group = "fisher"

    def test_answers_in_json(self):
        answer = self.json(*SHORT, "--activation", "swish(x)")
        self.assertEqual((answer["valid"], answer["activation"], answer["repeats"]), (True, "swish(x)", 1))
        self.assertIsInstance(answer["seconds"], float)
        self.assertGreater(len(answer["layers"]), 4)
        for layer in answer["layers"]:
            self.assertEqual(layer["omega"] * layer["gamma"], layer["weights"])
            self.assertEqual(len(layer["cdf"]), layer["weights"] // 100)
            self.assertEqual(layer["cdf"][-1], 1)
            self.assertEqual(layer["cdf"], sorted(layer["cdf"]))
            self.assertLess(layer["min_log"], layer["max_log"])

    def test_a_function_that_cannot_train_is_an_answer(self):
        answer = self.json(*SHORT, "--activation", "zero(x)", "--init", "he-normal")
        self.assertEqual((answer["valid"], answer["layers"]), (False, []))
        self.assertRegex(answer["reason"], r"no gradient reaches 'conv_\d'")
        self.assertRegex(self.text(*SHORT, "--activation", "arctanh(x)", "--init", "he-normal"),
                         r"^arctanh\(x\): no valid spectrum: the input of 'conv_\d' is undefined")

    def test_compares_functions(self):
        answer = self.json(*SHORT, "--activation", "elu(x), max(x,0)", "--activation", "-elu(x)", "--draws", "3")
        self.assertEqual([f["activation"] for f in answer["functions"]], ["elu(x)", "max(x,0)", "negative(elu(x))"])
        distances = answer["distances"]
        self.assertEqual([distances[i][i] for i in range(3)], [0, 0, 0])
        self.assertLess(distances[0][2], distances[0][1])
        self.assertGreater(answer["functions"][0]["noise"], 0)
        # The same function alone gives the same numbers.
        alone = self.json(*SHORT, "--activation", "elu(x)", "--draws", "3")
        for one, other in zip(alone["layers"], answer["functions"][0]["layers"]):
            self.assertAlmostEqual(one["max_log"], other["max_log"], 5)

    def test_prints_tables(self):
        text = self.text(*SHORT, "--activation", "elu(x),tanh(x)", "--batches", "2")
        self.assertRegex(text, r"(?m)^layer +weights +rank of omega +rank of gamma +least +median +most +spread$")
        self.assertRegex(text, r"(?m)^2 repeats, \d+\.\d\d from their mean on average, ")
        self.assertRegex(text, r"(?m)^2 tanh\(x\) +\d+\.\d\d +\d+\.\d\d$")

    def test_names_what_is_left_out(self):
        answer = self.json("--net", "resnet-mini", "--data", "digits", "--batch", "16")
        self.assertIn({"name": "batch_norm_1", "why": "no factors for layers of kind 'batch_norm'"}, answer["skipped"])

    def test_labels(self):
        # Without the noise of drawn labels, another batch still differs; the label rules differ from each other.
        most = {labels: self.json(*SHORT, "--labels", labels)["layers"][-1]["max_log"] for labels in ("model", "data", "every")}
        self.assertEqual(len(set(most.values())), 3, most)

    def test_draws(self):
        for name, start in (("spectrum.svg", b"<svg"), ("spectrum.png", b"\x89PNG")):
            self.text(*SHORT, "--activation", "elu(x),tanh(x),zero(x)", "--report", name)
            self.assertEqual((self.folder / name).read_bytes()[:len(start)], start)

    def test_wrong_input(self):
        for code, words, arguments in (
                (BAD_INPUT, "unknown operator 'swoosh'", (*SHORT, "--activation", "swoosh(x)")),
                (USAGE, "--activation", (*SHORT, "--activation")),
                (BAD_INPUT, "unknown data set", ("--data", "digitz")),
                (USAGE, "labels", (*SHORT, "--labels", "mine")),
                (USAGE, "batch", ("--batch", "0")),
                (USAGE, "take more of them, or a smaller batch", ("--batch", "100000")),
                (USAGE, "initialiser", (*SHORT, "--init", "nobody")),
                (BAD_INPUT, "its input is 3x32x32, not 1x8x8", ("--net", self.file_network(), "--data", "digits")),
                (USAGE, "--study", ("--study", "s.db", "--net", "allcnn-mini")),
                (STORAGE, "s.db", ("--study", "s.db"))):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refusal(code, "fisher", *arguments))

    def file_network(self):
        path = self.folder / "wide.net"
        path.write_text("network wide\nx = input(shape=3x32x32)\nf = flatten(x)\na = activation(f)\ny = dense(a, units=10)\nreturn y\n")
        return str(path)


class InAStudy(ProgramTest):
    group = "fisher"

    def make_study(self, *more):
        done = self.run_program("search", "run", "--study", "s.db", "--net", "allcnn-mini", "--data", "digits", "--strategy", "random",
                                "--trials", "3", "--epochs", "1", "--subset", "300", "--baseline", "", *more)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_features_are_kept(self):
        self.make_study()
        first = self.json("--study", "s.db", "--batch", "32")
        self.assertEqual((first["functions"], first["measured"], first["left"]), (3, 3, 0))
        self.assertEqual(self.json("--study", "s.db", "--batch", "32")["measured"], 0)
        # Equal functions are one; other conditions are another group.
        more = self.json("--study", "s.db", "--batch", "32", "--activation", "max(x,0), relu(x), zero(x)")
        self.assertEqual((more["measured"], more["invalid"]), (2, 1))
        self.assertEqual(self.json("--study", "s.db", "--batch", "16")["measured"], 3)
        with sqlite3.connect(self.folder / "s.db") as database:
            rows = database.execute("SELECT count, valid, length(packed) FROM features WHERE conditions = ?", (first["group"],)).fetchall()
        self.assertEqual(len(rows), 5)
        for count, valid, size in rows:
            self.assertEqual(count > 0, bool(valid))
            self.assertLess(size, 4 * max(count, 10))

    def test_what_another_process_measures_is_left_out(self):
        self.make_study()
        first = self.json("--study", "s.db", "--activation", "tanh(x), relu(x)")
        self.assertEqual((first["measured"], first["elsewhere"], first["left"]), (2, 0, 0))
        with sqlite3.connect(self.folder / "s.db") as database:
            key, = database.execute("SELECT key FROM features WHERE expression = 'tanh(x)'").fetchone()
            database.execute("DELETE FROM features WHERE expression = 'tanh(x)'")
            database.execute("INSERT OR REPLACE INTO measurements (conditions, key, expression, attempt, worker, lease) VALUES (?, ?, ?, 1, ?, ?)",
                             (first["group"], key, "tanh(x)", "another machine:1:1", time.time() + 600))
        again = self.json("--study", "s.db", "--activation", "tanh(x), relu(x)")
        self.assertEqual((again["measured"], again["elsewhere"], again["left"]), (0, 1, 1))
        text = self.run_program("fisher", "--study", "s.db", "--activation", "tanh(x)").stdout.decode()
        self.assertIn("0 were there, 1 are being measured by another process", text)

    def test_a_killed_process_loses_nothing_that_was_done(self):
        self.make_study()
        functions = ",".join(f"swish({i}*x)" for i in range(2, 60))
        command = [self.program, "fisher", "--study", "s.db", "--activation", functions, "--batch", "128"]
        process = subprocess.Popen(command, cwd=self.folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        count = 0
        limit = time.time() + 60
        while count < 4 and time.time() < limit:
            time.sleep(0.02)
            with sqlite3.connect(self.folder / "s.db", timeout=30) as database:
                if database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'features'").fetchone()[0]:
                    count = database.execute("SELECT count(*) FROM features").fetchone()[0]
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertGreaterEqual(count, 4)
        rest = self.json("--study", "s.db", "--activation", functions, "--batch", "128")
        self.assertEqual(rest["functions"], 58)
        self.assertLessEqual(rest["measured"], 58 - count)
        self.assertGreater(rest["measured"], 0)

    def test_a_study_that_does_not_train(self):
        done = self.run_program("search", "run", "--study", "s.db", "--evaluator", "distance", "--target", "relu(x)", "--trials", "2",
                                "--strategy", "random", "--baseline", "")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("does not train a network", self.refusal(USAGE, "fisher", "--study", "s.db"))


if __name__ == "__main__":
    cli_runner.main()
