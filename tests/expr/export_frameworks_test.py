#!/usr/bin/env python3
"""Executes exported functions in the framework they were written for, and compares values and derivatives with the
double-precision reference of the library.

  export_frameworks_test.py pytorch|keras|keras2|tensorflow|jax|onnx --driver EXPORT_DRIVER --list EXPRESSIONS --root SOURCE_TREE

Exit code 77: the framework is not installed. The Python that has Keras 3, JAX and onnxruntime is the one named by
ACTFORGE_FRAMEWORKS_PYTHON, that with Keras 2 and TensorFlow by ACTFORGE_KERAS2_PYTHON, or else those that
scripts/python-environment made.
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
        self.one_constructor(folder, cases)
        self.channels_of_tokens(folder, cases)
        self.short_types(folder, cases)

    def one_constructor(self, folder, cases):
        """The same call makes every module, with parameters or without."""
        for case in cases:
            make = getattr(load_module(folder / "pytorch" / (case["name"] + ".py")), case["name"])
            module = make(num_channels=3, neuron_shape=(3, 4), channel_dim=1, inplace=True)
            assert "num_channels" in make.__doc__ and "channel_dim" in make.__doc__, "not documented"
            assert {p.numel() for p in module.parameters()} <= {1, 3, 12}, case["call"]

    def channels_of_tokens(self, folder, cases):
        """(batch, tokens, channels): the last dimension if that is asked for, never a guess, and errors that say so."""
        torch = self.torch
        case = next(c for c in cases if scopes_of(c) == {"channel"})
        make = getattr(load_module(folder / "pytorch" / (case["name"] + ".py")), case["name"])
        for tokens in (5, 3):  # as many tokens as channels too
            x = torch.randn(2, tokens, 3)
            module = make(num_channels=3, channel_dim=-1)
            for parameter in module.parameters():
                torch.nn.init.normal_(parameter)
            other = make(num_channels=3, channel_dim=1)
            other.load_state_dict(module.state_dict())
            wanted = other(x.transpose(1, 2)).transpose(1, 2)
            assert torch.equal(module(x), wanted), "channels are not the last dimension"
            assert torch.equal(torch.jit.script(module)(x), wanted), "scripted"
            assert not torch.equal(make(num_channels=3, channel_dim=2)(x), wanted), "weights are not used"
        for wrong, x in ((make(num_channels=3), torch.randn(2, 3, 3)), (make(num_channels=3), torch.randn(2, 4, 5, 5)),
                         (make(num_channels=3, channel_dim=4), torch.randn(2, 3))):
            try:
                wrong(x)
            except ValueError as error:
                assert "channel_dim" in str(error), error
                continue
            raise AssertionError(f"took {tuple(x.shape)}")

    def short_types(self, folder, cases):
        """bfloat16 stays bfloat16: as it comes, and out of autocast, whose layers give it while parameters are float32."""
        torch = self.torch
        for case in cases:
            if "mish" in case["call"] and torch.__version__.startswith("1."):
                continue  # has no short types there
            make = getattr(load_module(folder / "pytorch" / (case["name"] + ".py")), case["name"])
            module = make().float()
            assert module(torch.randn(2, 3, dtype=torch.float32).to(torch.bfloat16)).dtype == torch.bfloat16, case["call"]
            layer = torch.nn.Linear(4, 3).float()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = module(layer(torch.randn(2, 4, dtype=torch.float32)))
            assert y.dtype == torch.bfloat16, f"autocast makes {y.dtype} of {case['call']}"


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
        single = {name: value.astype(jnp.float32) for name, value in params.items()}
        assert f(image.astype(jnp.bfloat16), single).dtype == jnp.bfloat16, "bfloat16"


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
        assert type(layer)(dtype="mixed_bfloat16")(image).dtype == jnp.bfloat16, "mixed precision"
        try:
            type(layer)().build((None, None, 3))
        except ValueError:
            return
        raise AssertionError("took an unknown shape for parameters per neuron")


class TensorFlow:
    """Double precision, as operators run one by one and as tf.function compiles them. At a tie one side has the whole
    slope, where others give both a half."""

    one_side_of_ties = True
    rtol, atol, slope_atol, largest = 1e-6, 1e-9, 1e-9, 1e150

    def __init__(self):
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow

        self.tf = tensorflow

    def make(self, folder, case, size):
        make = getattr(load_module(folder / "tensorflow" / (case["name"] + ".py")), case["name"])
        return make(channels=size, neuron_shape=(size,), dtype=self.tf.float64)

    def run(self, folder, case, x):
        tf = self.tf
        module = self.make(folder, case, len(x))
        point = tf.constant([x], dtype=tf.float64)
        variables = list(module.trainable_variables)
        with tf.GradientTape() as tape:
            tape.watch(point)
            y = module(point)
        slopes = tape.gradient(y, [point, *variables], unconnected_gradients="zero")
        assert y.shape == point.shape, f"shape {y.shape}"
        assert y.dtype == tf.float64, f"type {y.dtype}"
        lists = [slope.numpy().ravel().tolist() for slope in slopes]
        return Answer(y.numpy().ravel().tolist(), lists[0], dict(zip([v.name.split(":")[0] for v in variables], lists[1:])))

    def extra(self, folder, cases):
        tf = self.tf
        case = next(c for c in cases if scopes_of(c) == {"layer", "channel", "neuron"})
        make = getattr(load_module(folder / "tensorflow" / (case["name"] + ".py")), case["name"])
        image = tf.random.stateless_normal((2, 4, 5, 3), seed=(1, 2))
        module = make(channels=3, neuron_shape=(4, 5, 3))
        assert {tuple(v.shape) for v in module.trainable_variables} == {(1,), (3,), (4, 5, 3)}, "shapes"
        eager = module(image)
        compiled = tf.function(module, jit_compile=True)(image)
        assert float(tf.reduce_max(tf.abs(compiled - eager))) < 1e-5, "tf.function differs"
        assert make()(image).shape == image.shape, "shared parameters"
        assert make()(tf.cast(image, tf.bfloat16)).dtype == tf.bfloat16, "bfloat16"


class Keras2:
    """Float32, Keras' default, on TensorFlow."""

    one_side_of_ties = True
    rtol, atol, slope_atol, largest = 2e-5, 2e-6, 2e-5, 1e12

    def __init__(self):
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import keras
        import tensorflow

        self.tf = tensorflow
        if not keras.__version__.startswith("2."):
            raise ImportError("Keras 2 is wanted")

    def run(self, folder, case, x):
        tf = self.tf
        layer = getattr(load_module(folder / "keras2" / (case["name"] + ".py")), case["name"])()
        point = tf.constant([x], dtype=tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(point)
            y = layer(point)
        weights = layer.trainable_variables
        slopes = tape.gradient(y, [point, *weights], unconnected_gradients="zero")
        assert y.shape == point.shape, f"shape {y.shape}"
        lists = [slope.numpy().ravel().tolist() for slope in slopes]
        names = [weight.name.split("/")[-1].split(":")[0] for weight in weights]
        return Answer(y.numpy().ravel().tolist(), lists[0], dict(zip(names, lists[1:])))

    def extra(self, folder, cases):
        """A model with the layer survives being saved, and mixed precision."""
        tf = self.tf
        case = next(c for c in cases if scopes_of(c) == {"layer", "channel", "neuron"})
        make = getattr(load_module(folder / "keras2" / (case["name"] + ".py")), case["name"])
        image = tf.random.stateless_normal((2, 4, 5, 3), seed=(1, 2))
        model = tf.keras.Sequential([tf.keras.Input((4, 5, 3)), make()])
        y = model(image)
        for name in ("saved.keras", "saved.h5"):
            model.save(folder / name)
            again = tf.keras.models.load_model(folder / name)
            assert bool(tf.reduce_all(again(image) == y)), f"differs after saving as {name}"
        model.compile(loss="mse", optimizer="sgd", jit_compile=True)
        assert model.predict(image, verbose=0).shape == image.shape
        mixed = make(dtype="mixed_bfloat16")
        assert mixed(image).dtype == tf.bfloat16 and mixed.beta.dtype == tf.float32, "mixed precision"


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


FRAMEWORKS = {"pytorch": PyTorch, "jax": Jax, "keras": Keras, "onnx": Onnx, "keras2": Keras2, "tensorflow": TensorFlow}
# Where each is found, if not in the Python that runs this: a list of scripts/requirements.
ENVIRONMENTS = {"jax": "frameworks", "keras": "frameworks", "onnx": "frameworks", "keras2": "keras2", "tensorflow": "keras2"}


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
            if getattr(self.framework, "one_side_of_ties", False) and ("max" in case["call"] or "min" in case["call"]):
                is_smooth = is_smooth and not any(self.close(g, other, atol, case["largest"][i]) for other in (0, 2 * w))
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


def variable_of(environment):
    return f"ACTFORGE_{environment.upper()}_PYTHON"


def python_of(environment, root):
    variable = variable_of(environment)
    named = os.environ.get(variable)
    if named:
        if not os.access(named, os.X_OK):
            sys.exit(f"{variable} names {named}, which is no program")
        return named
    command = [str(pathlib.Path(root, "scripts/python-environment")), "--find", environment]
    found = subprocess.run(command, capture_output=True, text=True)
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
    environment = ENVIRONMENTS.get(arguments.framework)
    if environment and not arguments.here:
        python = python_of(environment, arguments.root)
        if python is None:
            skip(f"{arguments.framework}: no Python with it; run scripts/python-environment {environment} or set {variable_of(environment)}")
        os.execv(python, [python, *sys.argv, "--here"])
    warnings.simplefilter("ignore", DeprecationWarning)
    return run(arguments.framework, arguments.driver, arguments.list)


if __name__ == "__main__":
    sys.exit(main())
