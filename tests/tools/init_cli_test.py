#!/usr/bin/env python3
"""`actforge init` as a user runs it.

  init_cli_test.py path/to/actforge [unittest options]
"""

import json
import math
import pathlib
import struct

import cli_runner
from cli_runner import BAD_INPUT, USAGE, ProgramTest

KERAS2 = pathlib.Path(__file__).resolve().parent.parent / "keras" / "keras2"
SEEDS = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "seeds"

KERAS = {
    "class_name": "Sequential",
    "config": {"name": "tiny", "layers": [
        {"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [None, 8, 8, 3]}},
        {"class_name": "Conv2D", "config": {"name": "conv", "filters": 4, "kernel_size": [3, 3], "strides": [1, 1],
                                            "padding": "same", "activation": "relu", "use_bias": True}},
        {"class_name": "Flatten", "config": {"name": "flat"}},
        {"class_name": "Dense", "config": {"name": "out", "units": 5, "activation": "softmax", "use_bias": True}}]},
    "keras_version": "2.11.0", "backend": "tensorflow"}


def field(number, value):
    """One field of a protobuf message: a small whole number, or bytes."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    return bytes([number << 3 | 2, len(value)]) + value


def scaled_weights():
    """An ONNX file with y = x (w g): its weights are a product."""
    def tensor(name, extents):
        raw = struct.pack("<f", 0.5) * math.prod(extents)
        return field(5, b"".join(field(1, n) for n in extents) + field(2, 1) + field(8, name) + field(9, raw))

    def node(kind, inputs, output):
        return field(1, b"".join(field(1, name) for name in inputs) + field(2, output) + field(3, output) + field(4, kind))

    def signal(number, name, width):
        shape = field(1, field(2, b"N")) + field(1, field(1, width))
        return field(number, field(1, name) + field(2, field(1, field(1, 1) + field(2, shape))))

    graph = (node(b"Mul", (b"w", b"g"), b"s") + node(b"MatMul", (b"x", b"s"), b"y") + field(2, b"scaled") +
             tensor(b"w", (3, 2)) + tensor(b"g", (1, 2)) + signal(11, b"x", 3) + signal(12, b"y", 2))
    return field(1, 7) + bytes([7 << 3 | 2, len(graph) & 127 | 128, len(graph) >> 7]) + graph + field(8, field(2, 13))


class Init(ProgramTest):
    group = "init"

    def wrote(self, *arguments):
        """A command that says on stderr what it wrote."""
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"wrote ", done.stderr)
        return done.stdout

    def fails(self, code, words, *arguments):
        self.assertIn(words, self.refusal(code, self.group, *arguments))

    def test_answers_in_json(self):
        answer = self.json("allcnn-c")
        self.assertEqual(answer["coverage"], {"exact": 23, "simulated": 0, "pass_through": 0})
        self.assertGreater(answer["seconds"], 0)
        nodes = {node["name"]: node for node in answer["nodes"]}
        conv = nodes["conv_2"]
        self.assertEqual(set(conv), {"name", "kind", "mean_in", "variance_in", "mean", "variance", "correlation", "spread",
                                     "weight_std", "how"})
        self.assertAlmostEqual(conv["variance"], 1)
        # ReLU of a normal number, less 1%: it is normal of a variance that varies over places and images.
        self.assertAlmostEqual(conv["mean_in"][0] * math.sqrt(2 * math.pi), 0.989, delta=0.002)
        self.assertIsNone(nodes["activation_1"]["weight_std"])
        # A wide image has few places at its edge: nearly 1/sqrt(fan_in · second moment).
        self.assertAlmostEqual(conv["weight_std"] * math.sqrt(9 * 96 * 0.5), 1, delta=0.06)

    def test_names_of_outputs(self):
        for name in ("x.onnx", "x.json"):
            self.fails(USAGE, "would write safetensors", "mlp-1-16", "-o", name)
            self.assertFalse((self.folder / name).exists())

    def test_prints_a_table(self):
        text = self.text("mlp-1-16")
        self.assertRegex(text, r"(?m)^name +kind +mean in +variance in +mean +variance +weight std +how$")
        self.assertRegex(text, r"autoinit, \d+ layers: \d+ exact, 0 simulated, 0 passed through; \d+\.\d ms")

    def test_options_change_what_they_say(self):
        def std(*more):
            return next(n["weight_std"] for n in self.json("mlp-2-16", *more)["nodes"] if n["name"] == "dense_2")
        usual = std()
        self.assertAlmostEqual(std("--signal-variance", "4"), usual, 6)  # twice the weights, half of them for the input
        self.assertNotAlmostEqual(std("--activation", "tanh(x)"), usual, 3)
        self.assertNotAlmostEqual(std("--method", "glorot-uniform"), usual, 3)
        first = next(n for n in self.json("mlp-2-16", "--input-mean", "1", "--input-variance", "3")["nodes"])
        self.assertEqual((first["mean"], first["variance"]), (1, 3))

    def test_lists_methods(self):
        answer = self.json("--list")
        names = [row["name"] for row in answer["methods"]]
        for name in ("autoinit", "autoinit++", "glorot-uniform", "glorot-normal", "he-uniform", "he-normal",
                     "lecun-uniform", "lecun-normal", "orthogonal", "keras", "pytorch", "lsuv"):
            self.assertIn(name, names)
        self.assertEqual([row["name"] for row in answer["distributions"]],
                         ["truncated-normal", "normal", "uniform", "orthogonal"])

    def test_writes_weights(self):
        for method in ("autoinit", "autoinit++"):
            self.wrote("mlp-1-16", "-o", "weights.safetensors", "--method", method, "--seed", "3")
            data = (self.folder / "weights.safetensors").read_bytes()
            header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
            self.assertEqual(header["dense_1.kernel"]["shape"], [16, 784])
            self.assertEqual("shift.activation_1" in header["__metadata__"], method == "autoinit++")

    def test_draws_pictures_and_pages(self):
        self.wrote("allcnn-mini", "--plot", "s.svg", "--report", "r.html", "--compare", "he-normal")
        self.assertIn("he-normal", (self.folder / "s.svg").read_text())
        page = (self.folder / "r.html").read_text()
        self.assertIn("<svg", page)
        self.assertIn("conv_1", page)

    def test_takes_and_gives_keras(self):
        (self.folder / "model.json").write_text(json.dumps(KERAS))
        answer = json.loads(self.wrote("model.json", "-o", "ready.json", "--strict", "--json"))
        stds = {n["name"]: n["weight_std"] for n in answer["nodes"] if n["weight_std"]}
        ready = json.loads((self.folder / "ready.json").read_text())
        conv = ready["config"]["layers"][1]["config"]
        self.assertEqual(conv["kernel_initializer"]["class_name"], "TruncatedNormal")
        self.assertAlmostEqual(conv["kernel_initializer"]["config"]["stddev"] * 0.87962566, stds["conv"], 6)
        self.assertEqual(conv["filters"], 4)
        self.assertEqual(self.run_program("net", "show", "model.json").returncode, 0)
        self.wrote("model.json", "-o", "torch.json", "--method", "pytorch")
        conv = json.loads((self.folder / "torch.json").read_text())["config"]["layers"][1]["config"]
        self.assertEqual(conv["bias_initializer"]["class_name"], "RandomUniform")

    def test_takes_and_gives_keras_2_models_within_models(self):
        model = json.loads((KERAS2 / "shared.json").read_text())
        (self.folder / "model.json").write_text(json.dumps(model))
        answer = json.loads(self.wrote("model.json", "-o", "ready.json", "--strict", "--json"))
        stds = {n["name"]: n["weight_std"] for n in answer["nodes"] if n["weight_std"]}
        ready = json.loads((self.folder / "ready.json").read_text())
        self.assertEqual(ready["config"]["output_layers"], model["config"]["output_layers"])
        twin = next(layer for layer in ready["config"]["layers"] if layer["config"]["name"] == "twin")
        kernels = {layer["config"]["name"]: layer["config"].get("kernel_initializer")
                   for layer in twin["config"]["layers"]}
        for name in ("a", "b"):
            self.assertAlmostEqual(kernels[name]["config"]["stddev"] * 0.87962566, stds["twin/" + name], 6)

    def test_sets_the_kernels_of_keras_recurrent_layers(self):
        layers = [{"class_name": "InputLayer", "config": {"batch_shape": [None, 5, 8], "name": "x"}},
                  {"class_name": "LSTM", "config": {"name": "lstm", "units": 16, "kernel_initializer": "ones"}},
                  {"class_name": "Dense", "config": {"name": "y", "units": 3}}]
        model = {"class_name": "Sequential", "config": {"name": "words", "layers": layers}}
        (self.folder / "words.json").write_text(json.dumps(model))
        answer = json.loads(self.wrote("words.json", "-o", "ready.json", "--json"))
        ready = json.loads((self.folder / "ready.json").read_text())["config"]["layers"][1]["config"]
        deviation = ready["kernel_initializer"]["config"]["maxval"] / 3 ** 0.5
        self.assertAlmostEqual(deviation, answer["nodes"][1]["weight_std"], 6)
        self.assertEqual(ready["recurrent_initializer"]["class_name"], "Orthogonal")
        self.assertAlmostEqual(ready["recurrent_initializer"]["config"]["gain"], 1, 6)

    def test_takes_and_gives_onnx(self):
        source = SEEDS / "fuzz_onnx" / "cnn_7"
        (self.folder / "model.onnx").write_bytes(source.read_bytes())
        first = json.loads(self.wrote("model.onnx", "-o", "ready.onnx", "--json"))
        self.assertTrue(any(n["weight_std"] for n in first["nodes"]))
        again = self.json("ready.onnx")
        self.assertEqual([n["name"] for n in again["nodes"]], [n["name"] for n in first["nodes"]])
        self.assertNotEqual((self.folder / "ready.onnx").read_bytes(), source.read_bytes())

    def test_takes_and_gives_keras_archives(self):
        for version in ("keras2", "keras3"):
            source = SEEDS / "fuzz_keras_archive" / f"{version}.keras"
            (self.folder / "model.keras").write_bytes(source.read_bytes())
            self.wrote("model.keras", "-o", "ready.keras")
            ready = (self.folder / "ready.keras").read_bytes()
            self.assertEqual(len(ready), source.stat().st_size)
            self.assertNotEqual(ready, source.read_bytes())
            self.wrote("model.keras", "-o", "again.keras")
            self.assertEqual((self.folder / "again.keras").read_bytes(), ready)
            self.fails(USAGE, "would write Keras archive", "model.keras", "-o", "ready.onnx")
            self.fails(BAD_INPUT, "-o model.json", "model.keras", "-o", "never.keras", "--method", "autoinit++")
            self.wrote("model.keras", "-o", "ready.json", "--method", "autoinit++")
            self.assertEqual(json.loads((self.folder / "ready.json").read_text())["config"]["name"], "small")
            (self.folder / "broken.keras").write_bytes(ready[:-30])
            self.fails(BAD_INPUT, "broken.keras: the zip archive is truncated", "broken.keras", "-o", "never.keras")
        (self.folder / "model.json").write_text(json.dumps(KERAS))
        self.fails(USAGE, "would write Keras JSON", "model.json", "-o", "never.keras")
        self.assertFalse((self.folder / "never.keras").exists())

    def test_recognises_files_of_others(self):
        (self.folder / "net.onnx").write_bytes(b"PK\x03\x04 net/data.pkl")
        self.fails(BAD_INPUT, "'net.onnx' is a checkpoint of PyTorch", "net.onnx", "-o", "never.onnx")
        self.fails(BAD_INPUT, 'torch.load("net.onnx")', "net.onnx")

    def test_gives_the_weights_of_onnx_alone_by_their_names(self):
        source = SEEDS / "fuzz_onnx" / "cnn_7"
        (self.folder / "model.onnx").write_bytes(source.read_bytes())
        self.wrote("model.onnx", "-o", "weights.safetensors", "--activation", "tanh(x)")
        data = (self.folder / "weights.safetensors").read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + length])
        names = set(header) - {"__metadata__"}
        self.assertTrue(names)
        for name in names:
            self.assertIn(name.encode(), source.read_bytes())
            self.assertEqual(header[name]["dtype"], "F32")
        self.fails(USAGE, "would write ONNX", "model.onnx", "-o", "weights.json")
        self.fails(USAGE, "weights.safetensors", "model.onnx", "-o", "never.onnx", "--activation", "tanh(x)")
        (self.folder / "model.json").write_text(json.dumps(KERAS))
        self.fails(USAGE, "would write Keras JSON", "model.json", "-o", "weights.safetensors")

    def test_weights_that_an_onnx_file_computes_are_named(self):
        (self.folder / "scaled.onnx").write_bytes(scaled_weights())
        run = self.run_program("init", "scaled.onnx", "-o", "ready.onnx")
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"node 'y' (MatMul): its weights are no floats of the file", run.stderr)
        self.fails(BAD_INPUT, "layer 'y': the file computes its 'kernel'", "scaled.onnx", "--strict", "-o", "never.onnx")
        self.assertFalse((self.folder / "never.onnx").exists())

    def test_rules_and_strictness(self):
        (self.folder / "odd.net").write_text(
            "network odd\nx = input(shape=4)\ny = opaque(x, type=MyScale, shape=4)\nz = dense(y, units=3)\nreturn z\n")
        run = self.run_program("init", "odd.net", "--json")
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"MyScale", run.stderr)
        self.assertEqual(json.loads(run.stdout)["coverage"]["pass_through"], 1)
        self.fails(BAD_INPUT, "layer 'y' (opaque)", "odd.net", "--strict")
        (self.folder / "rules.toml").write_text('[MyScale]\nmean = "2*m"\nvariance = "4*v"\n')
        answer = self.json("odd.net", "--strict", "--rules", "rules.toml")
        self.assertEqual(answer["nodes"][1]["variance"], 4)

    def test_says_what_is_wrong(self):
        self.fails(USAGE, "did you mean 'autoinit'", "mlp-1-16", "--method", "autoinitt")
        self.fails(USAGE, "unknown distribution", "mlp-1-16", "--distribution", "gaussian")
        self.fails(USAGE, "must be positive", "mlp-1-16", "--signal-variance", "0")
        self.fails(USAGE, "give a network")
        self.fails(USAGE, "at least 1", "mlp-1-16", "--check", "--samples", "0")
        self.fails(USAGE, "unknown initialiser 'nonsense'", "mlp-1-16", "--compare", "nonsense")
        (self.folder / "broken.onnx").write_bytes(b"\x08\x07\xff\xff")
        self.fails(BAD_INPUT, "broken.onnx", "broken.onnx", "-o", "never.onnx")
        self.assertFalse((self.folder / "never.onnx").exists())
        (self.folder / "broken.json").write_text('{"class_name": "Sequential", "config": 3}')
        self.fails(BAD_INPUT, "broken.json", "broken.json")
        for text in ("[1, 2]", "3", '{"version": "1.0"}', "{"):
            (self.folder / "other.json").write_text(text)
            self.fails(BAD_INPUT, "other.json: it is neither a Keras model", "other.json")
        self.fails(BAD_INPUT, "floats end at", "mlp-1-16", "--signal-variance", "1e300", "-o", "never.safetensors")
        self.assertFalse((self.folder / "never.safetensors").exists())
        (self.folder / "rules.toml").write_text('[A]\nmean = "q"\nvariance = "v"\n')
        self.fails(BAD_INPUT, "unknown name 'q'", "mlp-1-16", "--rules", "rules.toml")
        self.fails(BAD_INPUT, "", "nothing.onnx")


class Check(ProgramTest):
    """What needs LibTorch."""
    group = "init"

    def test_measures_beside_what_is_predicted(self):
        answer = self.json("allcnn-mini", "--check", "--draws", "20", "--threads", "1")
        for node in answer["nodes"]:
            if node["kind"] == "conv" and node["name"] != "conv_7":
                self.assertAlmostEqual(node["empirical_variance"], 1, delta=0.25, msg=node["name"])
                self.assertLess(abs(node["empirical_mean"]), 0.3)

    def test_measures_lsuv(self):
        done = self.run_program("init", "allcnn-mini", "--method", "lsuv", "--check", "--draws", "1", "--threads", "1", "-o",
                                "w.safetensors", "--json")
        answer = json.loads(done.stdout)
        for node in answer["nodes"]:
            if node["kind"] == "conv":
                self.assertAlmostEqual(node["empirical_variance"], 1, delta=0.01, msg=node["name"])
                self.assertAlmostEqual(node["variance"], 1, delta=1e-6, msg=node["name"])
        self.assertTrue((self.folder / "w.safetensors").exists())

    def test_lsuv_knows_no_files_of_keras(self):
        (self.folder / "model.keras").write_bytes((SEEDS / "fuzz_keras_archive" / "keras3.keras").read_bytes())
        said = self.refusal(USAGE, self.group, "model.keras", "-o", "never.keras", "--method", "lsuv")
        self.assertIn("lsuv has no rule", said)
        self.assertFalse((self.folder / "never.keras").exists())


if __name__ == "__main__":
    cli_runner.main()
