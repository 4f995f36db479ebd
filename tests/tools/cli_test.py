#!/usr/bin/env python3
"""Runs the program as a user would: every verb, in text and in JSON, and every way to get it wrong.

  cli_test.py path/to/actforge [unittest options]
"""

import ast
import math
import os
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree

import cli_runner
from cli_runner import BAD_INPUT, DONE, FAILED, STORAGE, USAGE, environment, strict_json

# A shortest complete command line for every verb.
VERBS = {
    "show": ["swish(x)"],
    "eval": ["swish(x)"],
    "moments": ["swish(x)"],
    "plot": ["swish(x)"],
    "export": ["swish(x)", "--to", "pytorch"],
    "bench": ["swish(x)", "--elements", "4096", "--rounds", "2"],
    "list": [],
}
TARGETS = ["pytorch", "keras", "keras2", "tensorflow", "jax", "onnx", "cpp", "latex"]


class ProgramTest(cli_runner.ProgramTest):
    group = "fn"

    def assert_close(self, got, wanted, what=""):
        self.assertEqual(len(got), len(wanted), what)
        for g, w in zip(got, wanted):
            self.assertLessEqual(abs(g - w), 1e-12 * max(1, abs(w)), (what, got, wanted))


class Help(ProgramTest):
    def test_help(self):
        for option in ("--help", "-h"):
            done = self.run_program(option)
            self.assertEqual((done.returncode, done.stderr), (DONE, b""))
            self.assertIn(b"Usage: actforge", done.stdout)

    def test_version(self):
        done = self.run_program("--version")
        self.assertEqual(done.returncode, DONE)
        self.assertRegex(done.stdout.decode(), r"^actforge \d+\.\d+\.\d+\n$")

    def test_no_command_shows_help_but_is_wrong(self):
        done = self.run_program()
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""))
        self.assertIn(b"Usage: actforge", done.stderr)


class WithoutLibTorch(ProgramTest):
    """The program alone, where the one with LibTorch is not: it knows all options, and says what it cannot do."""

    def setUp(self):
        super().setUp()
        self.program = shutil.copy(self.program, self.folder / "actforge")

    def test_help(self):
        for verb, option in (("train", b"--learning-rate"), ("fisher", b"--draws")):
            done = self.run_program(verb, "--help")
            self.assertEqual((done.returncode, done.stderr), (DONE, b""), verb)
            self.assertIn(option, done.stdout)

    def test_lists(self):
        self.assertIn("recipes", strict_json(self.run_program("train", "--list", "--json").stdout))

    def test_wrong_options(self):
        self.assertIn("--epochz", self.refusal(USAGE, "train", "--epochz", "3"))
        self.assertIn("--reprot", self.refusal(USAGE, "fisher", "--reprot", "x.svg"))

    def test_what_needs_it(self):
        for command in (["train"], ["fisher"], ["init", "allcnn-mini", "--check"],
                        ["init", "allcnn-mini", "--method", "lsuv", "-o", "x.safetensors"],
                        ["embed", "--space", "aquasurf-2", "--features", "fisher", "--net", "allcnn-mini", "--data", "digits", "--json"]):
            self.assertIn("needs LibTorch", self.refusal(FAILED, *command))

    def test_a_study_that_trains(self):
        done = self.run_program("search", "run", "--study", "s.db", "--preset", "mini", "--baseline", "", "--trials", "1")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn(b"needs LibTorch", done.stderr)


class EveryVerb(cli_runner.EveryVerb, ProgramTest):
    verbs = VERBS

    def test_missing_expression(self):
        for verb in VERBS:
            if verb != "list":
                options = ["--to", "cpp"] if verb == "export" else []
                self.assertIn("EXPR", self.refusal(USAGE, "fn", verb, *options))

    def test_bad_expression(self):
        for verb, arguments in VERBS.items():
            if verb != "list":
                said = self.refusal(BAD_INPUT, "fn", verb, "max(x,sofplus(x))", *arguments[1:])
                self.assertIn("'sofplus' at column 7; did you mean 'softplus'?\n  max(x,sofplus(x))\n        ^\n", said)

    def test_full_disk_elsewhere(self):
        for command in (["fn", "export", "x", "--to", "onnx"], ["--help"], ["--help-all"], ["--version"]):
            self.check_full_disk(*command)

    def test_closed_stdout(self):
        done = subprocess.run(["sh", "-c", '"$0" fn list >&-', self.program], stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, STORAGE, done.stderr)


class Usage(ProgramTest):
    def test_unknown_command(self):
        self.assertIn("unknown command 'fn polt'; did you mean 'plot'?", self.refusal(USAGE, "fn", "polt", "x"))
        self.assertIn("unknown command 'fm'; did you mean 'fn'?", self.refusal(USAGE, "fm"))
        self.assertNotIn("did you mean", self.refusal(USAGE, "fn", "zzzzzz"))
        self.refusal(USAGE, "fn")
        self.refusal(USAGE, "")

    def test_extra_argument(self):
        self.refusal(USAGE, "fn", "eval", "x", "x")
        self.refusal(USAGE, "fn", "list", "x")

    def test_option_without_value(self):
        for arguments in (["eval", "x", "--at"], ["plot", "x", "-o"], ["export", "x", "--to"],
                          ["moments", "x", "--mean"]):
            self.refusal(USAGE, "fn", *arguments)

    def test_not_a_number(self):
        for arguments in (["eval", "x", "--at", "one"], ["eval", "x", "--at", "1,,2"], ["eval", "x", "--at", ""],
                          ["eval", "x", "--at", "1,"], ["moments", "x", "--mean", "zero"], ["plot", "x", "--from", "a"],
                          ["bench", "x", "--elements", "many"], ["bench", "x", "--elements", "0"],
                          ["bench", "x", "--rounds", "-1"]):
            self.refusal(USAGE, "fn", *arguments)


class Expressions(ProgramTest):
    def test_mistakes_are_shown(self):
        for text, column, says in (("max(x,tahn(x))", 7, "did you mean 'tanh'?"), ("relu(x", 7, "missing ')'"),
                                   ("2x", 2, "write 2*x"), ("x)", 2, "unexpected ')'"), ("", 1, "ends too early"),
                                   ("   ", 4, "ends too early"), ("relu()", 6, "unexpected ')'"),
                                   ("max(x)", 1, "takes 2 arguments, not 1"), ("relu", 1, "needs arguments"),
                                   ("alpha[1,lawyer](x)", 9, "layer, channel or neuron"), ("1e999", 1, "out of range")):
            said = self.refusal(BAD_INPUT, "fn", "eval", text)
            self.assertIn(says, said)
            self.assertIn(f"at column {column}", said)
            self.assertTrue(said.endswith(f"\n  {text}\n  {' ' * (column - 1)}^\n"), said)

    def test_too_large(self):
        longest = 128 * 1024 - 1  # of one argument, on Linux
        for text in ("(" * longest, "-" + "(" * (longest - 1), "relu(" * (longest // 5), "x" + "+x" * (longest // 2),
                     "-x" * (longest // 2), "a" * longest, " " * longest, "sum_n(" + "x," * 60000 + "x)"):
            with self.subTest(text[:20]):
                self.refusal(BAD_INPUT, "fn", "eval", text)

    def test_large_but_allowed(self):
        at_2 = ["--at=2"]
        self.assert_close(self.json("eval", "relu(" * 199 + "x" + ")" * 199, *at_2)["values"], [2])
        self.assert_close(self.json("eval", "sum_n(" + "x," * 4000 + "x)", *at_2)["values"], [8002])
        self.assert_close(self.json("eval", " " * 100000 + "x", *at_2)["values"], [2])

    def test_garbage(self):
        for text in (b"\xff\xfe\x80", b"x\xff", b"x \x01", b"\x1b[31mx", "α*x".encode(), "x\u200b".encode(),
                     bytes(range(1, 256)), b"relu(x\xc3(", b"\xed\xa0\x80", b"%s%n", b"{}"):
            with self.subTest(text):
                self.assertIn("at column", self.refusal(BAD_INPUT, "fn", "show", text))
                first = self.run_program("fn", "show", text).stderr.split(b"\n")[0]
                self.assertTrue(first.isascii() and first.decode().isprintable(), first)

    def test_leading_minus(self):
        for text, wanted in (("-x", -2), ("-x^2", -4), ("-2", -2), ("-2*x", -4), ("-.5*x", -1), ("-(x)", -2),
                             ("-relu(x)", -2), ("-alpha*x", -2), ("-alpha", -1), ("-tanh(0)+x", 2),
                             ("-1e-3*x", -0.002)):
            with self.subTest(text):
                self.assert_close(self.json("eval", text, "--at=2")["values"], [wanted])
        self.assertIn("-2", self.text("eval", "--at=2", "--", "-alpha*x"))
        self.assertEqual(len(self.json("plot", "-x", "-swish(x)")["series"]), 2)

    def test_parameters(self):
        def value(*settings):
            return self.json("eval", "alpha*x + beta[3]*x^2", "--at=2", *settings)["values"][0]
        self.assertEqual(value(), 14)
        self.assertEqual(value("--param", "alpha=0.5"), 13)
        self.assertEqual(value("--param", "alpha=0.5", "--param", "beta=-1"), -3)
        self.assertEqual(value("--param=beta=-1e0"), -2)
        self.assert_close([self.json("moments", "alpha*x", "--param", "alpha=2")["variance"]], [4])
        self.assertEqual(self.json("plot", "alpha*x", "--param", "alpha=2")["series"][0]["y"][-1], 10)

    def test_wrong_parameters(self):
        for setting, says in (("gamma=1", "it has alpha, beta"), ("alhpa=1", "did you mean 'alpha'?"),
                              ("alpha=", "--param"), ("alpha=two", "two"), ("alpha", "NAME=VALUE"),
                              ("alpha=1,2", "1,2"), ("=1", "it has")):
            for verb in ("eval", "moments", "plot"):
                with self.subTest(setting):
                    self.assertIn(says, self.refusal(USAGE, "fn", verb, "alpha*x+beta*x", "--param", setting))
        self.assertIn("no learnable parameters", self.refusal(USAGE, "fn", "eval", "x", "--param", "alpha=1"))


class Show(ProgramTest):
    def test_json(self):
        shown = self.json("show", "log_sigmoid(alpha*x)*arcsinh(x)")
        self.assertEqual(shown["call"], "mul(log_sigmoid(alpha(x)),arcsinh(x))")
        self.assertEqual(shown["infix"], "log_sigmoid(alpha*x)*arcsinh(x)")
        self.assertRegex(shown["hash"], "^[0-9a-f]{32}$")
        self.assertEqual((shown["nodes"], shown["edges"]), (3, 5))
        self.assertEqual(shown["parameters"], [{"name": "alpha", "initial": 1, "scope": "channel"}])
        self.assertIn("\\alpha", shown["latex"])

    def test_equal_functions(self):
        hashes = {self.json("show", text)["hash"] for text in ("relu(x)", "max(0,x)", "max(zero(x),identity(x))")}
        self.assertEqual(len(hashes), 1)
        self.assertNotEqual(self.json("show", "swish(x)")["hash"], self.json("show", "tanh(x)")["hash"])

    def test_properties(self):
        tanh = self.json("show", "tanh(x)")["properties"]
        self.assertEqual((tanh["monotone"], tanh["odd"], tanh["even"], tanh["kinks"]), ("increasing", True, False, []))
        self.assert_close([tanh["infimum"], tanh["supremum"]], [-1, 1])
        relu = self.json("show", "relu(x)")["properties"]
        self.assertEqual([kink["x"] for kink in relu["kinks"]], [0])
        self.assertIsNone(relu["supremum"])

    def test_text(self):
        shown = dict(line.split(None, 1) for line in self.text("show", "prelu(x)").splitlines())
        self.assertEqual(shown["call"], "prelu(x)")
        self.assertIn("alpha from 0.25 per neuron", shown["parameters"])
        self.assertRegex(shown["cost"], r"^[\d.]+ times ReLU \(")

    def test_cost(self):
        tanh = self.json("show", "tanh(x)*erf(x)")["cost"]
        self.assertGreater(tanh["times_relu"], 1)
        self.assertAlmostEqual(tanh["times_relu"], tanh["ns"] / tanh["relu_ns"])
        self.assertIn(tanh["instruction_set"], self.text("show", "x"))

    def test_how_to_make_it_faster(self):
        self.assertRegex(self.text("show", "x*tanh(softplus(x))"),
                         r"\ncheaper +mish\(x\) has the same values\nfaster +torch\.compile[^\n]* its 3 operators; measure both\n")
        cost = self.json("show", "x*tanh(softplus(x))")["cost"]
        self.assertEqual((cost["cheaper"], cost["operators"]), ("mish(x)", 3))
        self.assertIsNone(self.json("show", "swish(x)")["cost"]["cheaper"])
        self.assertNotRegex(self.text("show", "swish(x)"), r"\n(cheaper|faster) ")


class Eval(ProgramTest):
    POINTS = [-200, -3, -1, -1e-9, 0, 0.5, 2, 30]

    def check(self, expression, value, slope, points=POINTS):
        got = self.json("eval", expression, "--at=" + ",".join(map(str, points)))
        self.assertEqual(list(got), ["derivatives", "values"])
        self.assert_close(got["values"], [value(x) for x in points], expression)
        self.assert_close(got["derivatives"], [slope(x) for x in points], expression)

    def test_formulas(self):
        def sigmoid(x):
            return 1 / (1 + math.exp(-x))
        self.check("tanh(x)", math.tanh, lambda x: 1 - math.tanh(x) ** 2)
        self.check("swish(x)", lambda x: x * sigmoid(x), lambda x: sigmoid(x) * (1 + x * sigmoid(-x)))
        self.check("log_sigmoid(x)", lambda x: min(x, 0) - math.log1p(math.exp(-abs(x))), lambda x: sigmoid(-x))
        self.check("erf(x)/2", lambda x: math.erf(x) / 2, lambda x: math.exp(-x * x) / math.sqrt(math.pi))
        self.check("x^3 - 2*x", lambda x: x ** 3 - 2 * x, lambda x: 3 * x * x - 2)
        self.check("elu(x)", lambda x: x if x > 0 else math.expm1(x), lambda x: 1 if x > 0 else math.exp(x))

    def test_far_out(self):
        self.assertEqual(self.json("eval", "log_sigmoid(x)", "--at=-200"), {"values": [-200], "derivatives": [1]})

    def test_no_number_is_null(self):
        self.assertEqual(self.json("eval", "sqrt(x)", "--at=-1,4")["values"], [None, 2])
        self.assertEqual(self.json("eval", "1/x", "--at=0"), {"values": [None], "derivatives": [None]})
        self.assertEqual(self.json("eval", "x", "--at=nan,inf,-inf,1")["values"], [None, None, None, 1])

    def test_text_has_the_same_numbers(self):
        rows = [line.split() for line in self.text("eval", "mish(x)", "--at=-1,0.5").splitlines()]
        self.assertEqual(rows[0], ["x", "value", "derivative"])
        got = self.json("eval", "mish(x)", "--at=-1,0.5")
        self.assertEqual([[float(n) for n in row] for row in rows[1:]],
                         [list(row) for row in zip([-1, 0.5], got["values"], got["derivatives"])])
        self.assertIn("nan", self.text("eval", "sqrt(x)", "--at=-1"))

    def test_default_points(self):
        self.assertEqual(self.json("eval", "x")["values"], [-3, -2, -1, 0, 1, 2, 3])


class Moments(ProgramTest):
    def test_relu(self):
        for mean, variance in ((0, 1), (0.7, 1), (-1.5, 4), (0.1, 0.01), (3, 0.5)):
            s = math.sqrt(variance)
            above = math.erfc(-mean / s / math.sqrt(2)) / 2  # the chance that x > 0
            density = math.exp(-mean * mean / variance / 2) / math.sqrt(2 * math.pi)
            first = mean * above + s * density
            second = (mean * mean + variance) * above + mean * s * density
            got = self.json("moments", "relu(x)", f"--mean={mean}", f"--variance={variance}")
            wanted = {"mean": first, "second_moment": second, "variance": second - first * first,
                      "derivative_mean": above, "derivative_second_moment": above,
                      "derivative_variance": above * (1 - above)}
            for key, value in wanted.items():
                self.assertAlmostEqual(got[key], value, delta=1e-10, msg=(key, mean, variance))
            self.assertTrue(0 <= got["error"] < 1e-6)
            self.assertEqual((got["integrable"], got["problems"]), (True, []))

    def test_exp(self):
        got = self.json("moments", "exp(x)")
        self.assert_close([got["mean"] / math.exp(0.5), got["second_moment"] / math.exp(2)], [1, 1])

    def test_text(self):
        text = self.text("moments", "relu(x)")
        self.assertRegex(text, r"(?m)^mean +0\.398942280401$")
        self.assertRegex(text, r"(?m)^second moment +0\.5$")

    def test_not_integrable(self):
        for expression, why in (("reciprocal(x)", "near x = 0"), ("exp(x^2)", "outgrows"), ("sqrt(x)", "undefined")):
            for options in ([], ["--json"]):
                done = self.run_program("fn", "moments", expression, *options)
                self.assertEqual(done.returncode, FAILED)
                self.assertIn(why, done.stderr.decode())
            got = strict_json(done.stdout)
            self.assertEqual({got[key] for key in ("mean", "variance", "second_moment")}, {None})
            self.assertFalse(got["integrable"])
            self.assertIn(why, got["problems"][0])

    def test_mean_without_variance(self):
        done = self.run_program("fn", "moments", "abs(x)^-0.75", "--json")
        got = strict_json(done.stdout)
        self.assertEqual(done.returncode, DONE)
        # E|x|^p = 2^(p/2) gamma((p+1)/2) / sqrt(pi)
        self.assertAlmostEqual(got["mean"], 2 ** -0.375 * math.gamma(0.125) / math.sqrt(math.pi), delta=1e-6)
        self.assertIsNone(got["variance"])
        self.assertIn(b"not integrable", done.stderr)

    def test_impossible_distribution(self):
        for option in ("--variance=-1", "--variance=nan", "--mean=inf", "--variance=inf"):
            self.assertIn("variance", self.refusal(BAD_INPUT, "fn", "moments", "x", option))


class Plot(ProgramTest):
    def test_ascii(self):
        for env in (environment(LANG="C"), environment(LANG="C.UTF-8", LC_ALL="C"), environment(LANG="")):
            self.assertTrue(self.text("plot", "swish(x)", "relu(x)", env=env).isascii())

    def test_unicode(self):
        text = self.text("plot", "swish(x)")
        self.assertFalse(text.isascii())
        self.assertIn("swish(x)", text)
        self.assertNotIn("\x1b", text)  # colours are for terminals

    def test_json(self):
        series = self.json("plot", "x^2", "--from=-1", "--to=3", "--derivative")["series"]
        self.assertEqual([s["label"] for s in series], ["x^2", "derivative of x^2"])
        self.assertEqual([series[0]["x"][0], series[0]["x"][-1]], [-1, 3])
        self.assert_close(series[0]["y"], [x * x for x in series[0]["x"]])
        self.assert_close(series[1]["y"], [2 * x for x in series[1]["x"]])
        self.assertIn(None, self.json("plot", "sqrt(x)")["series"][0]["y"])

    def save(self, name, *arguments):
        done = self.run_program("fn", "plot", *arguments, "-o", name)
        self.assertEqual((done.returncode, done.stdout), (DONE, b""), done.stderr)
        self.assertEqual(done.stderr.decode(), f"wrote {name}\n")
        self.assertEqual(sorted(os.listdir(self.folder)), [name])
        return (self.folder / name).read_bytes()

    def test_svg(self):
        title = "a < b & \"c\" 'é'"
        svg = self.save("p.svg", "swish(x)", "relu(x)", "1/x", "--title", title)
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        texts = ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")]
        for wanted in (title, "swish(x)", "relu(x)", "1/x"):
            self.assertIn(wanted, texts)
        self.assertEqual(svg, self.save("p.svg", "swish(x)", "relu(x)", "1/x", "--title", title))

    def test_title_that_is_not_utf8(self):
        xml.etree.ElementTree.fromstring(self.save("p.svg", "x", "--title", b"\xff\x01\x80"))

    def test_png(self):
        png = self.save("p.png", "swish(x)")
        self.assertEqual(png[:16], b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
        width, height = struct.unpack(">II", png[16:24])
        self.assertTrue(100 < width < 10000 and 100 < height < 10000)
        self.assertTrue(png.endswith(b"IEND\xaeB`\x82"))

    def test_json_with_file(self):
        self.assertEqual(self.json("plot", "x", "-o", "p.svg")["file"], "p.svg")
        self.assertTrue((self.folder / "p.svg").exists())

    def test_wrong_file(self):
        self.assertIn(".svg or .png", self.refusal(USAGE, "fn", "plot", "x", "-o", "p.gif"))
        self.assertIn(".svg or .png", self.refusal(USAGE, "fn", "plot", "x", "-o", "svg"))
        (self.folder / "file").touch()
        (self.folder / "folder.svg").mkdir()
        for name in ("nowhere/p.svg", "file/p.svg", "file/p.png", "folder.svg", "/proc/p.svg"):
            self.assertIn(f"cannot write '{name}'", self.refusal(STORAGE, "fn", "plot", "x", "-o", name))
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "folder.svg"])

    def test_file_name_right_after_the_option(self):
        self.run_program("fn", "plot", "x", "-ofox.svg")
        self.assertEqual(os.listdir(self.folder), ["fox.svg"])

    def test_wrong_range(self):
        for options in (["--from=1", "--to=1"], ["--from=2", "--to=1"], ["--from=nan"], ["--to=inf"]):
            self.refusal(USAGE, "fn", "plot", "x", *options)

    def test_nothing_to_draw(self):
        self.text("plot", "nan")
        self.save("p.svg", "nan")


class Export(ProgramTest):
    EXPRESSION = "log_sigmoid(alpha*x)*arcsinh(x)"

    def test_file_is_what_stdout_is(self):
        for target in TARGETS:
            printed = self.answer("export", self.EXPRESSION, "--to", target, "--no-cost")
            done = self.run_program("fn", "export", self.EXPRESSION, "--to", target, "--no-cost", "-o", "out")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, b"", b"wrote out\n"))
            self.assertEqual((self.folder / "out").read_bytes(), printed, target)
            self.assertGreater(len(printed), 20)

    def test_json(self):
        for target in TARGETS:
            if target != "onnx":
                got = self.json("export", self.EXPRESSION, "--to", target, "--no-cost")
                text = self.text("export", self.EXPRESSION, "--to", target, "--no-cost")
                self.assertEqual(got, {"target": target, "text": text})
        got = self.json("export", self.EXPRESSION, "--to", "onnx", "-o", "m.onnx")
        self.assertEqual(got, {"target": "onnx", "file": "m.onnx", "bytes": (self.folder / "m.onnx").stat().st_size})
        self.assertIn("-o", self.refusal(USAGE, "fn", "export", "x", "--to", "onnx", "--json"))
        for written, meant in (("torch", "pytorch"), ("tf", "tensorflow"), ("c++", "cpp"), ("pytroch", "pytorch")):
            self.assertIn(f"unknown export target '{written}'; did you mean '{meant}'?",
                          self.refusal(USAGE, "fn", "export", "x", "--to", written))

    def test_python_is_python(self):
        for target, kind in (("pytorch", ast.ClassDef), ("keras", ast.ClassDef), ("keras2", ast.ClassDef),
                             ("tensorflow", ast.ClassDef), ("jax", ast.FunctionDef)):
            module = ast.parse(self.text("export", self.EXPRESSION, "--to", target, "--name", "Found"))
            self.assertIn("Found", [node.name for node in module.body if isinstance(node, kind)], target)

    def test_head_says_what_it_costs(self):
        for target in TARGETS:
            head = self.answer("export", self.EXPRESSION, "--to", target).decode(errors="replace")
            self.assertRegex(head, r"Cost, measured by actforge: [\d.]+ times ReLU \([\d.]+ against [\d.]+ ns", target)
            self.assertNotIn("measured", self.answer("export", self.EXPRESSION, "--to", target, "--no-cost").decode(errors="replace"))

    def test_onnx(self):
        plain, inline = (self.answer("export", "swish(x)", "--to", "onnx", "--onnx-style", style)
                         for style in ("function", "inline"))
        self.assertNotEqual(plain, inline)
        self.assertIn(b"actforge", plain)

    def test_scope(self):
        texts = {scope: self.text("export", "alpha*x", "--to", "pytorch", "--per", scope)
                 for scope in ("layer", "channel", "neuron")}
        self.assertEqual(len(set(texts.values())), 3)
        self.assertIn("num_channels", texts["channel"])

    def test_wrong_names(self):
        for name in ("", "a b", "1a", "a-b", "class", "int", "é", "a;b", "../a", "a\nb", 'a"', "True"):
            for target in TARGETS:
                with self.subTest(name, target=target):
                    self.refusal(USAGE, "fn", "export", "x", "--to", target, "--name", name)

    def test_wrong_options(self):
        self.assertIn("did you mean 'pytorch'?", self.refusal(USAGE, "fn", "export", "x", "--to", "pytroch"))
        self.assertIn("--to", self.refusal(USAGE, "fn", "export", "x"))
        for options in (["--per", "network"], ["--onnx-style", "outline"], ["--param-shape", "0"],
                        ["--param-shape", "a"], ["--param-shape", "1.5"], ["--param-shape", "-1"]):
            with self.subTest(options):
                self.refusal(USAGE, "fn", "export", "alpha*x", "--to", "onnx", *options)
        self.assertIn("nowhere", self.refusal(STORAGE, "fn", "export", "x", "--to", "cpp", "-o", "nowhere/a.h"))


class Bench(ProgramTest):
    SHORT = ["--elements", "4096", "--rounds", "2"]

    def test_json(self):
        expressions = ["relu(x)", "log_sigmoid(alpha*x)*arcsinh(x)"]
        got = self.json("bench", *expressions, *self.SHORT)
        self.assertEqual([row["expression"] for row in got], expressions)
        for row in got:
            self.assertEqual(sorted(row), ["copy_ns", "expression", "forward_backward_ns", "forward_ns"])
            self.assertTrue(all(row[key] > 0 for key in row if key != "expression"), row)
            self.assertGreater(row["forward_backward_ns"], row["forward_ns"])

    def test_text(self):
        lines = self.text("bench", "relu(x)", "tanh(x)", *self.SHORT).splitlines()
        self.assertIn("4096 elements", lines[0])
        self.assertEqual([line.split()[0] for line in lines[1:]], ["expression", "relu(x)", "tanh(x)"])

    def test_instruction_sets(self):
        offered = re.search(r"--target ([\w|]+)", self.text("bench", "--help")).group(1).split("|")
        for target in offered:
            self.assertIn(target, self.text("bench", "relu(x)", *self.SHORT, "--target", target))
        done = self.run_program("fn", "bench", "relu(x)", "--target", "ABACUS")
        self.assertIn(done.returncode, (USAGE, BAD_INPUT))
        self.assertIn(offered[0], done.stderr.decode())


class List(ProgramTest):
    def test_every_name_can_be_used(self):
        listed = self.json("list")
        arguments = {"unary": "x", "binary": "x,x", "n-ary": "x,x,x"}
        calls = [f"{row['name']}({arguments[row['kind']]})" for row in listed]
        self.assertGreater(len(calls), 50)
        self.assertEqual(self.json("show", f"sum_n({','.join(calls)})")["call"], f"sum_n({','.join(calls)})")
        names = [line.split()[0] for line in self.text("list").splitlines() if line]
        self.assertEqual(names[1:len(listed) + 1], [row["name"] for row in listed])

    def test_aliases(self):
        aliases = {row["name"]: row["means"] for row in self.json("list", "--aliases")}
        self.assertEqual((aliases["silu"], aliases["relu6"]), ("swish", "min(relu(x),6)"))
        self.assertEqual([line.split()[0] for line in self.text("list", "--aliases").splitlines()[1:]], list(aliases))
        self.assertEqual(self.text("eval", "hardswish(x)", "--at=-4,1,4").splitlines()[1].split()[1], "0")
        self.assertIn("looks at all channels together", self.refusal(BAD_INPUT, "fn", "show", "softmax(x)"))

    def test_search_spaces(self):
        spaces = {row["name"]: row["spaces"] for row in self.json("list")}
        self.assertIn("CAFE", spaces["div_eps"])
        self.assertIn("PANGAEA", spaces["div_no_nan"])


if __name__ == "__main__":
    cli_runner.main()
