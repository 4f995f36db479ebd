#!/usr/bin/env python3
"""Executes exported functions in the framework they were written for, and compares values and derivatives with the
double-precision reference of the library.

  export_frameworks_test.py pytorch|keras|jax|onnx --driver EXPORT_DRIVER --list EXPRESSIONS --root SOURCE_TREE

Exit code 77: the framework is not installed. The Python that has Keras, JAX and onnxruntime is the one named by
ACTFORGE_FRAMEWORKS_PYTHON, or else the one that scripts/python-environment made.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

SKIP = 77


def skip(message):
    print(f"SKIPPED: {message}")
    sys.exit(SKIP)


# ---- what the frameworks give


class Answer:
    """Values and slopes at all points of the grid; for each parameter its slopes, or their sum over the grid where all
    points share its value."""

    def __init__(self, value, slope=None, parameter_slopes=None):
        self.value, self.slope, self.parameter_slopes = value, slope, parameter_slopes or {}


def load_module(path):
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scopes_of(case):
    return {parameter["scope"] for parameter in case["parameters"]}


class PyTorch:
    """Double precision, eager and scripted. The grid is one batch of as many channels, or neurons."""

    rtol, atol, slope_atol, largest = 1e-6, 1e-9, 1e-9, 1e150

    def __init__(self):
        import torch

        torch.set_default_dtype(torch.float64)
        self.torch = torch

    def run(self, folder, case, x):
        torch = self.torch
        make = getattr(load_module(folder / "pytorch" / (case["name"] + ".py")), case["name"])
        arguments = {}
        if "channel" in scopes_of(case):
            arguments["num_channels"] = len(x)
        if "neuron" in scopes_of(case):
            arguments["neuron_shape"] = (len(x),)
        module = make(**arguments)
        scripted = torch.jit.script(module)
        point = torch.tensor([x], requires_grad=True)
        y = module(point)
        assert y.shape == point.shape, f"shape {tuple(y.shape)}"
        assert y.dtype == torch.float64, f"type {y.dtype}"
        assert torch.allclose(scripted(point), y, rtol=1e-12, atol=0, equal_nan=True), "scripted module differs"
        parameters = dict(module.named_parameters())
        inputs = [point, *parameters.values()]
        if y.requires_grad:
            slopes = torch.autograd.grad(y, inputs, torch.ones_like(y), allow_unused=True)
        else:
            slopes = [None] * len(inputs)
        slopes = [torch.zeros_like(i) if s is None else s for i, s in zip(inputs, slopes)]
        lists = [slope.detach().flatten().tolist() for slope in slopes]
        return Answer(y.detach().flatten().tolist(), lists[0], dict(zip(parameters, lists[1:])))

    def extra(self, folder, cases):
        """Images: each channel, each neuron has its own value."""
        torch = self.torch
        case = next(c for c in cases if scopes_of(c) == {"layer", "channel", "neuron"})
        make = getattr(load_module(folder / "pytorch" / (case["name"] + ".py")), case["name"])
        image = torch.randn(2, 3, 4, 5)
        module = make(num_channels=3, neuron_shape=(3, 4, 5))
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter)
        y = module(image)
        for channel in range(3):
            single = make(num_channels=1, neuron_shape=(1, 4, 5))
            with torch.no_grad():
                for own, all_of_them in zip(single.parameters(), module.parameters()):
                    own.copy_(all_of_them if own.shape == all_of_them.shape else all_of_them[channel : channel + 1])
            assert torch.equal(single(image[:, channel : channel + 1]), y[:, channel : channel + 1]), "channel mixed up"
        assert make()(image).shape == image.shape, "shared parameters"
        assert make().float()(image.float()).dtype == torch.float32, "float32"


class Jax:
    """Double precision, with and without jit. Channels are last: the grid is one row of them."""

    rtol, atol, slope_atol, largest = 1e-6, 1e-9, 1e-9, 1e150

    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.jax = jax
        import jax.numpy as jnp

        self.jnp = jnp

    def run(self, folder, case, x):
        jax, jnp = self.jax, self.jnp
        module = load_module(folder / "jax" / (case["name"] + ".py"))
        f = getattr(module, case["name"])
        arguments = {}
        if "channel" in scopes_of(case):
            arguments["channels"] = len(x)
        if "neuron" in scopes_of(case):
            arguments["neuron_shape"] = (len(x),)
        point = jnp.asarray([x])
        if not case["parameters"]:
            y, pull_back = jax.vjp(f, point)
            slope, parameter_slopes = pull_back(jnp.ones_like(y))[0], {}
        else:
            params = module.init_params(**arguments)
            y, pull_back = jax.vjp(f, point, params)
            slope, parameter_slopes = pull_back(jnp.ones_like(y))
        assert y.shape == point.shape, f"shape {y.shape}"
        assert y.dtype == point.dtype, f"type {y.dtype}"
        return Answer(
            y.ravel().tolist(), slope.ravel().tolist(), {k: v.ravel().tolist() for k, v in parameter_slopes.items()}
        )

    def extra(self, folder, cases):
        jax, jnp = self.jax, self.jnp
        case = next(c for c in cases if scopes_of(c) == {"layer", "channel", "neuron"})
        module = load_module(folder / "jax" / (case["name"] + ".py"))
        f = getattr(module, case["name"])
        image = jax.random.normal(jax.random.key(0), (2, 4, 5, 3))
        params = module.init_params(channels=3, neuron_shape=(4, 5, 3))
        assert params["beta"].shape == (3,) and params["gamma"].shape == (4, 5, 3), "shapes of parameters"
        eager = f(image, params)
        assert eager.shape == image.shape
        assert jnp.allclose(jax.jit(f)(image, params), eager, rtol=1e-12), "jit differs"
        assert f(image, module.init_params()).shape == image.shape, "shared parameters"


class Keras:
    """Float32 on JAX (Keras turns float64 into float32 in many of its operations). Slopes lose more digits than values:
    that of the sigmoid, s(1 - s), all of them for large x, and that of a quotient is a difference of large numbers near
    its pole."""

    rtol, atol, slope_atol, largest = 2e-5, 2e-6, 2e-5, 1e12

    def __init__(self):
        os.environ["KERAS_BACKEND"] = "jax"
        import jax
        import jax.numpy as jnp
        import keras

        self.jax, self.jnp, self.keras = jax, jnp, keras

    def run(self, folder, case, x):
        jax, jnp = self.jax, self.jnp
        layer = getattr(load_module(folder / "keras" / (case["name"] + ".py")), case["name"])()
        point = jnp.asarray([x])
        layer.build(point.shape)

        def f(at, weights):
            return layer.stateless_call(weights, [], at)[0]

        y, pull_back = jax.vjp(f, point, [weight.value for weight in layer.trainable_variables])
        assert y.shape == point.shape, f"shape {y.shape}"
        assert y.dtype == point.dtype, f"type {y.dtype}"
        slope, weight_slopes = pull_back(jnp.ones_like(y))
        names = [weight.name for weight in layer.trainable_variables]
        return Answer(
            y.ravel().tolist(), slope.ravel().tolist(), {n: s.ravel().tolist() for n, s in zip(names, weight_slopes)}
        )

    def extra(self, folder, cases):
        """A model with the layer survives being saved."""
        keras, jnp = self.keras, self.jnp
        case = next(c for c in cases if scopes_of(c) == {"layer", "channel", "neuron"})
        layer = getattr(load_module(folder / "keras" / (case["name"] + ".py")), case["name"])()
        model = keras.Sequential([keras.Input((4, 5, 3)), layer])
        image = self.jax.random.normal(self.jax.random.key(0), (2, 4, 5, 3))
        y = model(image)
        assert y.shape == image.shape
        path = folder / "saved.keras"
        model.save(path)
        assert jnp.array_equal(keras.saving.load_model(path)(image), y), "differs after saving"
        try:
            type(layer)().build((None, None, 3))
        except ValueError:
            return
        raise AssertionError("took an unknown shape for parameters per neuron")


class Onnx:
    """onnxruntime, float32. Each operation may be off by some units of 6e-8, and later ones may magnify that."""

    rtol, atol, slope_atol, largest = 1e-5, 1e-6, None, 1e12

    def __init__(self):
        import numpy
        import onnx
        import onnxruntime

        onnxruntime.set_default_logger_severity(3)
        self.numpy, self.onnx, self.runtime = numpy, onnx, onnxruntime

    def run(self, folder, case, x):
        point = self.numpy.asarray([x], dtype=self.numpy.float32)
        answers = []
        for form in ("", "_inlined"):
            path = folder / "onnx" / (case["name"] + form + ".onnx")
            model = self.onnx.load(path)
            self.onnx.checker.check_model(model, full_check=True)
            assert case["call"] in model.doc_string, "call form missing"
            assert len(model.functions) == (form == ""), "local function"
            session = self.runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
            (y,) = session.run(None, {"x": point})
            assert y.shape == point.shape, f"shape {y.shape}"
            answers.append(y)
        assert self.numpy.array_equal(*answers, equal_nan=True), "the two forms differ"
        return Answer(answers[0].ravel().tolist())

    def extra(self, folder, cases):
        """One parameter per channel of an image, and x of any rank."""
        points = self.numpy.linspace(-3, 3, 120, dtype=self.numpy.float32)
        answers = []
        for name, shape in (("image", (2, 3, 4, 5)), ("any_rank", (2, 3, 4, 5)), ("any_rank", (120,))):
            session = self.runtime.InferenceSession(str(folder / "onnx" / (name + ".onnx")))
            (y,) = session.run(None, {"x": points.reshape(shape)})
            assert y.shape == shape, f"{name}: shape {y.shape}"
            answers.append(y.ravel())
        assert all(self.numpy.array_equal(answers[0], y) for y in answers), "shape changes the values"


FRAMEWORKS = {"pytorch": PyTorch, "jax": Jax, "keras": Keras, "onnx": Onnx}


# ---- comparison with the reference


def is_finite(value):
    return value is not None and abs(value) < 1e30  # JSON has null where the reference is infinite or NaN


class Comparison:
    def __init__(self, framework):
        self.framework = framework
        self.compared = 0
        self.problems = []

    def close(self, got, wanted, atol, inside, terms=0):
        """What cancels leaves the rounding errors of the largest value inside."""
        return abs(got - wanted) <= self.framework.rtol * max(abs(wanted), terms) + atol * max(1, inside)

    def overflows(self, case, i):
        inside = case["largest"][i]
        return inside is None or inside > self.framework.largest

    def has_conventions(self, case):
        """Operators follow the table also at their kinks, but for these, which are the frameworks' own functions."""
        return case["is_operator"] and case["call"] not in ("selu(x)", "leaky_relu(x)")

    def report(self, case, what):
        self.problems.append(f"{case['name']} = {case['call']}: {what}")

    def values(self, case, x, got):
        for i, (at, g, wanted) in enumerate(zip(x, got, case["value"])):
            if is_finite(wanted) and not self.overflows(case, i):
                self.compared += 1
                if not self.close(g, wanted, self.framework.atol, case["largest"][i]):
                    self.report(case, f"value at {at} is {g}, not {wanted}")

    def slopes(self, case, x, got, wanted, smooth, name):
        atol = self.framework.slope_atol
        for i, (at, g, w, is_smooth) in enumerate(zip(x, got, wanted, smooth)):
            if not is_finite(w) or self.overflows(case, i):
                continue
            self.compared += 1
            if (is_smooth or self.has_conventions(case)) and not self.close(g, w, atol, case["largest"][i]):
                self.report(case, f"slope along {name} at {at} is {g}, not {w}")
            elif g != g or abs(g) == float("inf"):
                self.report(case, f"slope along {name} at {at} is {g}; the reference has {w}")

    def parameters(self, case, x, answer):
        names = [parameter["name"] for parameter in case["parameters"]]
        if sorted(names) != sorted(answer.parameter_slopes):
            self.report(case, f"parameters {sorted(answer.parameter_slopes)}, not {sorted(names)}")
            return
        for parameter in case["parameters"]:
            got, wanted = answer.parameter_slopes[parameter["name"]], parameter["slope"]
            if len(got) == len(x):
                self.slopes(case, x, got, wanted, parameter["smooth"], parameter["name"])
            elif all(parameter["smooth"]) and not any(self.overflows(case, i) for i in range(len(x))):
                self.compared += 1
                largest, terms = max(case["largest"]), max(map(abs, wanted))
                if not self.close(got[0], sum(wanted), self.framework.slope_atol, largest, terms):
                    self.report(case, f"slope along {parameter['name']} is {got[0]}, not {sum(wanted)}")

    def case(self, case, x, answer):
        self.values(case, x, answer.value)
        if answer.slope is not None:
            self.slopes(case, x, answer.slope, case["slope"], case["smooth"], "x")
            self.parameters(case, x, answer)


def run(name, driver, list_file):
    try:
        framework = FRAMEWORKS[name]()
    except ImportError as error:
        skip(f"{name}: {error}")
    comparison = Comparison(framework)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        subprocess.run([driver, str(folder), list_file], check=True)
        data = json.loads((folder / "cases.json").read_text())
        for case in data["cases"]:
            try:
                comparison.case(case, data["x"], framework.run(folder, case, data["x"]))
            except Exception as error:  # the other cases are worth seeing too
                comparison.report(case, f"{type(error).__name__}: {error}")
        framework.extra(folder, data["cases"])
    for problem in comparison.problems[:40]:
        print(problem)
    print(f"{len(data['cases'])} functions, {comparison.compared} numbers, {len(comparison.problems)} problems")
    return 1 if comparison.problems or comparison.compared < 1000 else 0


def frameworks_python(root):
    named = os.environ.get("ACTFORGE_FRAMEWORKS_PYTHON")
    if named:
        if not os.access(named, os.X_OK):
            sys.exit(f"ACTFORGE_FRAMEWORKS_PYTHON names {named}, which is no program")
        return named
    found = subprocess.run([str(pathlib.Path(root, "scripts/python-environment")), "--find", "frameworks"], capture_output=True, text=True)
    lines = found.stdout.split()
    return lines[-1] if found.returncode == 0 and lines else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("framework", choices=FRAMEWORKS)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--list", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--here", action="store_true", help="with the Python that runs this, whichever it is")
    arguments = parser.parse_args()
    if arguments.framework != "pytorch" and not arguments.here:
        python = frameworks_python(arguments.root)
        if python is None:
            skip(f"{arguments.framework}: no Python with it; run scripts/python-environment frameworks or set ACTFORGE_FRAMEWORKS_PYTHON")
        os.execv(python, [python, *sys.argv, "--here"])
    warnings.simplefilter("ignore", DeprecationWarning)
    return run(arguments.framework, arguments.driver, arguments.list)


if __name__ == "__main__":
    sys.exit(main())
