#!/usr/bin/env python3
"""`actforge fn fit` as a user runs it, and what its functions are good for afterwards.

  fit_cli_test.py path/to/actforge Fit|Train [unittest options]
"""

import math
import subprocess
import sys

import cli_runner
from cli_runner import BAD_INPUT, DONE, STORAGE, USAGE, ProgramTest, strict_json


def csv(function, count=201, head="x,y\n"):
    xs = [-5 + 10 * i / (count - 1) for i in range(count)]
    return head + "".join(f"{x},{function(x)}\n" for x in xs)


class Fit(ProgramTest):
    group = "fn"

    def write(self, text, name="curve.csv"):
        (self.folder / name).write_text(text)
        return name

    def fit(self, *arguments):
        """The function, and what is said about it."""
        done = self.run_program("fn", "fit", *arguments)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def test_a_curve_becomes_a_function(self):
        function, said = self.fit(self.write(csv(math.tanh)))
        self.assertRegex(function, r"\Asum_n\(.*\)\n\Z")
        self.assertRegex(said, r"\A\d+ knots; error over 201 samples: 0\.\d+ \(root mean square\), 0\.\d+ at most\n\Z")
        self.assertIn("hash", self.text("show", function.strip()))

    def test_straight_pieces_come_back(self):
        self.assertEqual(self.fit(self.write(csv(lambda x: max(x, 0))))[0], "relu(x)\n")
        self.assertEqual(self.fit("--from", "max(min(x,2),-1)")[0], "max(min(x,2),-1)\n")

    def test_json(self):
        done = self.run_program("fn", "fit", self.write(csv(math.sin)), "--json", "--smooth", "--knots", "9")
        self.assertEqual((done.returncode, done.stderr), (DONE, b""))
        answer = strict_json(done.stdout)
        self.assertLessEqual(answer["knots"], 9)
        self.assertGreater(answer["sharpness"], 0)
        self.assertEqual(answer["samples"], 201)
        self.assertLess(answer["rms_error"], answer["max_error"])
        self.assertIn("softplus", answer["function"])

    def test_files_of_all_kinds(self):
        wanted = self.fit(self.write(csv(math.tanh)))[0]
        rows = csv(math.tanh, head="").splitlines()
        kinds = {
            "no names": "\n".join(rows),
            "another order": "name, y ,x\n" + "".join(f"a,{y},{x}\n" for x, y in (row.split(",") for row in rows)),
            "mixed": "x,y\n" + "\n".join(sorted(rows)),
            "windows": "\ufeffx,y\r\n" + "\r\n".join(rows) + "\r\n\r\n",
            "quoted": "x,y\n" + "".join(f'"{x}"," {y} "\n' for x, y in (row.split(",") for row in rows)),
        }
        for kind, text in kinds.items():
            with self.subTest(kind):
                self.assertEqual(self.fit(self.write(text))[0], wanted)

    def test_options(self):
        knots = lambda *more: strict_json(
            self.run_program("fn", "fit", "--from", "tanh(x)", "--json", *more).stdout)["knots"]
        self.assertEqual(knots("--knots", "4", "--tolerance", "0"), 4)
        self.assertLess(knots("--tolerance", "0.05"), knots("--tolerance", "0.005"))
        self.assertLess(knots("--smooth"), knots())
        self.assertIn("softplus(mul(3.5,", self.fit("--from", "swish(x)", "--smooth", "--sharpness", "3.5")[0])
        narrow = self.fit("--from", "tanh(x)", "--range", "-0.01,0.01", "--samples", "11")[0]
        self.assertRegex(narrow, r"^mul\(0\.9999\d*,x\)|^x\n")

    def test_draws(self):
        self.fit("--from", "tanh(x)", "--plot", "fit.svg")
        self.assertIn("samples", (self.folder / "fit.svg").read_text())
        self.fit("--from", "tanh(x)", "--plot", "fit.png")
        self.assertTrue((self.folder / "fit.png").read_bytes().startswith(b"\x89PNG"))

    def test_wrong_files(self):
        for name, text, says in (("one point", "x,y\n1,2\n", "all samples are at x = 1"),
                                 ("no points", "x,y\n", "without samples"),
                                 ("empty", "", "is empty"),
                                 ("equal x", "x,y\n1,2\n1,3\n1,4\n", "all samples are at x = 1"),
                                 ("nan", "x,y\n0,0\n1,nan\n2,2\n", "sample 2 has y = nan"),
                                 ("infinite", "x,y\n0,0\n1,1\ninf,2\n", "sample 3 has x = inf"),
                                 ("words", "x,y\n0,0\none,1\n", "row 3: 'one' is not a number"),
                                 ("commas", "x,y\n0,5,0,1\n", "row 2: it has 4 fields"),
                                 ("nothing", "x,y\n0,0\n1,\n", "row 3: '' is not a number"),
                                 ("other names", "a,b\n0,0\n1,1\n", "no column 'x'; its first row is: a, b"),
                                 ("short row", "x,y\n0,0\n1\n", "row 3"),
                                 ("open quotes", 'x,y\n"0,0\n', "a quote is not closed")):
            with self.subTest(name):
                self.assertIn(says, self.refusal(BAD_INPUT, "fn", "fit", self.write(text)))
        self.assertIn("'missing.csv'", self.refusal(BAD_INPUT, "fn", "fit", "missing.csv"))
        self.assertIn("'.'", self.refusal(BAD_INPUT, "fn", "fit", "."))

    def test_wrong_usage(self):
        for arguments, says in (([], "--from"), (["curve.csv", "--from", "x"], "--from"),
                                (["--from", "x", "--knots", "0"], "--knots goes from 1 to 64, not 0"),
                                (["--from", "x", "--knots", "65"], "--knots"),
                                (["--from", "x", "--knots", "few"], "whole number"),
                                (["--from", "x", "--tolerance", "-1"], "--tolerance"),
                                (["--from", "x", "--tolerance", "nan"], "--tolerance"),
                                (["--from", "x", "--sharpness", "3"], "--smooth"),
                                (["--from", "x", "--smooth", "--sharpness", "-3"], "--sharpness"),
                                (["--from", "x", "--range", "5,-5"], "--range"),
                                (["--from", "x", "--range", "5"], "--range"),
                                (["--from", "x", "--samples", "1"], "--samples"),
                                (["--from", "x", "--plot", "fit.pdf"], "fit.pdf")):
            with self.subTest(arguments):
                self.assertIn(says, self.refusal(USAGE, "fn", "fit", *arguments))
        self.assertIn("choose a --range", self.refusal(BAD_INPUT, "fn", "fit", "--from", "1/x"))
        self.assertIn("did you mean 'softplus'?", self.refusal(BAD_INPUT, "fn", "fit", "--from", "sofplus(x)"))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.run_program("fn", "fit", "--from", "tanh(x)", stdout=full).returncode, STORAGE)

    def test_exports_to_everything(self):
        for smooth in ([], ["--smooth"]):
            function = self.fit("--from", "swish(x)-sin(x)/2", *smooth)[0].strip()
            for target in ("pytorch", "keras", "jax", "cpp", "latex"):
                self.assertGreater(len(self.text("export", function, "--to", target)), 200, target)
            self.answer("export", function, "--to", "cpp")

    def test_the_pytorch_module_computes_the_same(self):
        function = self.fit("--from", "swish(x)-sin(x)/2")[0].strip()
        (self.folder / "module.py").write_text(self.text("export", function, "--to", "pytorch", "--name", "Made"))
        script = ("import torch, module\n"
                  "x = torch.linspace(-7, 7, 29, requires_grad=True)\n"
                  "y = module.Made()(x)\n"
                  "y.sum().backward()\n"
                  "print(*[f'{v:.7g}' for v in y.tolist()])\n")
        done = subprocess.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, timeout=120)
        if b"No module named 'torch'" in done.stderr:
            self.skipTest("PyTorch is missing")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        got = [float(v) for v in done.stdout.split()]
        at = ",".join(str(-7 + 0.5 * i) for i in range(29))
        wanted = self.json("eval", function, "--at", at)["values"]
        for g, w in zip(got, wanted, strict=True):
            self.assertAlmostEqual(g, w, delta=1e-5)


class Train(ProgramTest):
    """A fitted function in a network: initial weights that fit it, and training."""

    group = "train"

    def test_trains_from_autoinit_weights(self):
        run = ("--net", "mlp-1-16", "--data", "digits", "--epochs", "3", "--learning-rate", "0.1", "--threads", "1", "--init",
               "autoinit")
        for smooth in ([], ["--smooth"]):
            done = self.run_program("fn", "fit", "--from", "swish(x)", *smooth)
            function = done.stdout.decode().strip()
            made = self.json(*run, "--activation", function)
            known = self.json(*run, "--activation", "swish(x)")
            self.assertEqual(made["status"], "completed")
            self.assertGreater(made["validation_accuracy"], 0.5)  # guessing gives 0.1
            # It is swish to a thousandth, and so is its training.
            self.assertAlmostEqual(made["validation_accuracy"], known["validation_accuracy"], delta=0.08)


if __name__ == "__main__":
    cli_runner.main()
