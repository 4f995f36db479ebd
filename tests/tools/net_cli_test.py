#!/usr/bin/env python3
"""Runs `actforge net` as a user would: the zoo, files of both forms, activations, pictures, and every wrong use.

  net_cli_test.py path/to/actforge [unittest options]
"""

import os
import re
import xml.etree.ElementTree as xml

import cli_runner
from cli_runner import BAD_INPUT, DONE, STORAGE, USAGE

# A shortest complete command line for every verb.
VERBS = {"list": [], "show": ["mlp-1-4"]}
EXAMPLES = ["mlp-3-128", "allcnn-mini", "resnet-mini", "resnet-mini-nobn", "vit-mini", "allcnn-c", "wrn-10-4", "resnet-v1-56",
            "resnet-v2-56", "resnet-v2-56-nobn", "resnet-50", "densenet-121", "vgg-16", "vgg-16-bn", "mobilevitv2-0.5", "coatnet",
            "coatnet-nonorm", "coatnet-0", "lstm-text", "cnn-text"]


class NetTest(cli_runner.ProgramTest):
    group = "net"

    def refused(self, code, *arguments, **options):
        return self.refusal(code, "net", *arguments, **options)

    def file(self, text, name="a.net"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def picture(self, name, *arguments):
        done = self.run_program("net", "show", *arguments, "-o", name)
        self.assertEqual((done.returncode, done.stdout), (DONE, b""), done.stderr)
        self.assertEqual(done.stderr.decode(), f"wrote {name}\n")
        return (self.folder / name).read_bytes()


class EveryVerb(cli_runner.EveryVerb, NetTest):
    verbs = VERBS

    def test_missing_argument(self):
        self.assertIn("NET", self.refused(USAGE, "show"))
        self.refused(USAGE)
        self.assertIn("did you mean 'show'?", self.refused(USAGE, "shwo"))


class List(NetTest):
    def test_networks(self):
        rows = self.json("list")
        self.assertEqual([row["example"] for row in rows], EXAMPLES)
        weights = {row["example"]: row["weights"] for row in rows}
        self.assertEqual((weights["allcnn-c"], weights["resnet-v2-56"]), (1_369_738, 1_652_938))
        for line, row in zip(self.text("list").splitlines()[1:], rows):
            self.assertEqual(line.split()[:5], [row["name"], row["example"], "x".join(map(str, row["input"])),
                                                f"{row['weights']:,}", row["recipe"]])
            self.assertTrue(line.endswith(row["summary"]))

    def test_layers(self):
        rows = self.json("list", "--layers")
        text = self.text("list", "--layers")
        for row in rows:
            self.assertRegex(text, rf"(?m)^{row['name']} +{row['family']} +{row['least_inputs']}.* {row['summary']}$")
            for setting in row["settings"]:
                default = "..." if setting["default"] is None else setting["default"]
                self.assertIn(f"    {setting['name']}={default}", text)
        self.assertEqual(len(rows), 43)

    def test_every_kind_is_documented_by_the_list_alone(self):
        """Whoever follows the list can write every kind: what must be given has no default."""
        conv, = (row for row in self.json("list", "--layers") if row["name"] == "conv")
        self.assertEqual([s["name"] for s in conv["settings"] if s["default"] is None], ["filters", "kernel"])


class Show(NetTest):
    def test_json_is_complete(self):
        for name in EXAMPLES:
            network = self.json("show", name)
            self.assertEqual(network["name"], name)
            self.assertEqual(sum(layer["weights"] for layer in network["layers"]), network["weights"])
            self.assertEqual(sum(layer["parameters"] for layer in network["layers"]), network["parameters"])
            for layer in network["layers"]:
                self.assertTrue({"name", "kind", "weights", "output_shape"} <= set(layer))

    def test_table(self):
        lines = self.text("show", "allcnn-c").splitlines()
        self.assertEqual(lines[0].split(), ["name", "kind", "settings", "output", "weights"])
        self.assertEqual(lines[2].split(), ["conv_1", "conv", "filters=96,", "kernel=3,", "padding=same", "96x32x32",
                                            "2,688"])
        self.assertEqual(lines[-1], "allcnn-c: 23 layers, 1,369,738 weights")
        self.assertEqual(len(lines), 1 + 23 + 2)
        self.assertFalse([line for line in lines if line != line.rstrip()])

    def test_columns_that_are_needed(self):
        """Where inputs are not simply the layer above, and where parameters are not simply the weights."""
        head, *rows = self.text("show", "resnet-mini").splitlines()
        self.assertEqual(head.split(), ["name", "kind", "settings", "from", "output", "weights", "parameters"])
        self.assertTrue([row for row in rows if re.search(r"^add_1 +add +conv_1, conv_3 +16x28x28$", row)])
        self.assertTrue([row for row in rows if re.search(r"^batch_norm_1 +batch_norm +16x28x28 +32$", row)])
        self.assertIn("173,946 weights, 174,874 learned parameters", rows[-1])

    def test_both_forms_are_read_again(self):
        options = ["--activation", "swish(alpha(x))", "--activation-at", "activation_1=max(x,beta[0.25,layer](x))"]
        for name in EXAMPLES:
            text, json = self.answer("show", name, *options, "--text"), self.answer("show", name, *options, "--json")
            for given, file in ((text, "a.net"), (json, "b.json"), (b"\n\n" + json, "c.net"), (text, "d.json")):
                self.file(given, file)
                self.assertEqual(self.answer("show", file, "--text"), text)
                self.assertEqual(self.answer("show", file, "--json"), json)

    def test_input_and_classes(self):
        network = self.json("show", "allcnn-c", "--input", "1x28x28", "--classes", "100")
        self.assertEqual(network["layers"][0]["output_shape"], [1, 28, 28])
        self.assertEqual(network["layers"][-1]["output_shape"], [100])
        self.file(self.answer("show", "mlp-1-4", "--text"))
        self.answer("show", "a.net", "--classes", "10", "--input", "1x28x28")
        self.assertIn("a.net: its answer has 10 numbers, not 7", self.refused(BAD_INPUT, "show", "a.net", "--classes", "7"))
        self.assertIn("its input is 1x28x28, not 3x8x8", self.refused(BAD_INPUT, "show", "a.net", "--input", "3x8x8"))

    def functions(self, *arguments):
        return [layer["attributes"]["function"] for layer in self.json("show", "mlp-4-8", *arguments)["layers"]
                if layer["kind"] == "activation"]

    def test_activations(self):
        relu, tanh, erf = "relu(x)", "tanh(x)", "erf(x)"
        self.assertEqual(self.functions(), [relu] * 4)
        self.assertEqual(self.functions("--activation", tanh), [tanh] * 4)
        self.assertEqual(self.functions("--activation-at", "*_2=tanh(x)"), [relu, tanh, relu, relu])
        self.assertEqual(self.functions("--activation", tanh, "--activation-at", "*_?=erf(x)",
                                        "--activation-at", "activation_4=relu(x)"), [erf] * 3 + [relu])
        self.assertEqual(self.functions("--activation", "-x"), ["negative(x)"] * 4)
        self.assertEqual(self.functions("--activation-at=*=-x"), ["negative(x)"] * 4)
        with_parameters = self.json("show", "mlp-4-8", "--activation", "alpha*x")
        self.assertEqual(with_parameters["parameters"], with_parameters["weights"] + 4 * 8)


class Picture(NetTest):
    def test_svg(self):
        for name in EXAMPLES:
            layers = self.json("show", name)["layers"]
            root = xml.fromstring(self.picture("a.svg", name))
            texts = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
            self.assertTrue({layer["name"] for layer in layers} <= texts, name)
            ratio = float(root.get("width")) / float(root.get("height"))
            self.assertTrue(0.3 < ratio < 3, (name, ratio))

    def test_png(self):
        self.assertTrue(self.picture("a.PNG", "resnet-mini").startswith(b"\x89PNG"))

    def test_with_json(self):
        json = self.answer("show", "mlp-1-4", "--json", "-o", "a.svg")
        self.assertEqual(json, self.answer("show", "mlp-1-4", "--json"))
        self.assertTrue((self.folder / "a.svg").exists())

    def test_wrong_names(self):
        for name in ("a.pdf", "a", "svg"):
            self.assertIn(".svg or .png", self.refused(USAGE, "show", "mlp-1-4", "-o", name))
        self.assertIn("cannot write", self.refused(STORAGE, "show", "mlp-1-4", "-o", "no/a.svg"))
        self.assertIn("at most 5000 boxes", self.refused(USAGE, "show", "mlp-3000-4", "-o", "a.svg"))
        self.assertEqual(os.listdir(self.folder), [])


class Wrong(NetTest):
    def test_names(self):
        for name, says in (("allcnnc", "did you mean 'allcnn-c'?"), ("frobnicate", "there are: mlp-D-W"),
                           ("resnet-v2-57", "9n+2"), ("missing.net", "'missing.net' is not a file"),
                           (".", "is not a file"), ("", "unknown network ''"), ("no/such", "is not a file")):
            self.assertIn(says, self.refused(BAD_INPUT, "show", name))

    def test_options(self):
        for options, says in ((["--classes", "1"], "2 to 1000000"), (["--classes", "-3"], "whole number"),
                              (["--classes", "many"], "whole number"), (["--input", "3x"], "--input"),
                              (["--input", "0x3"], "--input"), (["--activation-at", "tanh(x)"], "PATTERN=EXPR"),
                              (["--activation-at", "=tanh(x)"], "PATTERN=EXPR"), (["--text", "--json"], "--text")):
            self.assertIn(says, self.refused(USAGE, "show", "mlp-1-4", *options))
        for options, says in ((["--activation", "tahn(x)"], "did you mean 'tanh'?"),
                              (["--activation-at", "nothing*=tanh(x)"], "there are: activation_1"),
                              (["--activation-at", "activaton_1=tanh(x)"], "did you mean 'activation_1'?"),
                              (["--activation-at", "*=tahn(x)"], "did you mean 'tanh'?")):
            self.assertIn(says, self.refused(BAD_INPUT, "show", "mlp-1-4", *options))

    def test_files(self):
        head = "network a\nx = input(shape=3x8x8)\n"
        for text, says in (("", "it is empty"), ("{", "not valid JSON"), ("{}", "'name' is missing"),
                           (head, "return NAME"), (head + "y = cnov(x)\n", "line 3: layer 'y': unknown kind of layer"),
                           (head + "y = conv(x, filters=3, kernel=9)\n", "does not fit into 8"),
                           (head + "y = conv(x, filters=99999999, kernel=1)\n", "filters must be from 1"),
                           (b"\x7fELF\x02\0\0", "first line"), (bytes(range(256)), "first line"),
                           ("[" * 100_000, "first line"), ("{\"a\":" * 100_000, "deeply nested")):
            said = self.refused(BAD_INPUT, "show", self.file(text))
            self.assertTrue(said.startswith("actforge: a.net: "), said)
            self.assertIn(says, said)

    def test_messages_do_nothing_to_a_terminal(self):
        for text in ("network \x1b[31m", "network a\n\x1b[31m = input(shape=3)", '{"\\u001b[31m": 0, "name": "a"}'):
            done = self.run_program("net", "show", self.file(text))
            self.assertEqual(done.returncode, BAD_INPUT)
            self.assertTrue(done.stderr.decode().rstrip("\n").isprintable(), done.stderr)

    def test_hostile_files_take_no_time(self):
        """The largest that is read at all."""
        for text in ("{\"name\": \"a\", \"layers\": [" + "{}," * 20_000_000, "[" + "0," * 30_000_000,
                     "network a\nx = input(shape=3)\n" + "y = flatten(x)\n" * 4_000_000,
                     "network a\nx = input(shape=3)\nreturn x\n" + "\n" * 60_000_000):
            self.run_program("net", "show", self.file(text), timeout=60)


if __name__ == "__main__":
    cli_runner.main()
