#!/usr/bin/env python3
"""Compares the names of PyTorch, Keras and JAX in the language of functions with those frameworks' own functions, and
says which of their activation functions the language does not know.

  alias_frameworks_test.py pytorch|keras|keras2|jax --program ACTFORGE --root SOURCE_TREE

Exit code 77: the framework is not installed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

SKIP = 77
POINTS = [i / 8 for i in range(-60, 61)]
# Whose arguments are no single number, or whose use is another.
NO_ACTIVATIONS = {
    "keras": {"deserialize", "get", "serialize"},
    "keras2": {"deserialize", "get", "serialize"},
    "jax": {"dot_product_attention", "get_scaled_dot_general_config", "initializers", "one_hot", "scaled_dot_general",
            "scaled_matmul"},
}
# PyTorch's module has much else.
PYTORCH = {"celu", "elu", "gelu", "glu", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
           "leaky_relu", "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6", "rrelu", "selu", "sigmoid",
           "silu", "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh", "tanhshrink", "threshold"}
# Operators whose definition is another one here, or that have parameters: what to write instead.
OTHERWISE = {
    ("pytorch", "gelu"): "gelu_exact(x)",
    ("keras", "gelu"): "gelu_exact(x)",
    ("keras2", "gelu"): "gelu_exact(x)",
    ("keras", "hard_sigmoid"): "hardsigmoid(x)",
    ("jax", "hard_sigmoid"): "hardsigmoid(x)",
    ("keras", "leaky_relu"): "max(x,0.2*x)",
    ("keras2", "leaky_relu"): "max(x,0.2*x)",
    ("pytorch", "prelu"): None,
}


class PyTorch:
    def __init__(self):
        import torch
        self.torch, self.places = torch, [torch.nn.functional, torch, torch.special]
        self.names = PYTORCH

    def values(self, function, *arguments):
        return function(*(self.torch.tensor(a, dtype=self.torch.float64) for a in arguments)).tolist()


class Keras:
    def __init__(self):
        os.environ["KERAS_BACKEND"] = "jax"
        import jax
        jax.config.update("jax_enable_x64", True)
        import keras
        keras.config.set_floatx("float64")
        self.keras, self.places = keras, [keras.activations, keras.ops]
        self.names = public_names(keras.activations)

    def values(self, function, *arguments):
        tensors = (self.keras.ops.convert_to_tensor(a, "float64") for a in arguments)
        return self.keras.ops.convert_to_numpy(function(*tensors)).tolist()


class Keras2:
    def __init__(self):
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow
        self.tensorflow, activations = tensorflow, tensorflow.keras.activations
        self.places, self.names = [activations], public_names(activations)

    def values(self, function, *arguments):
        return function(*(self.tensorflow.constant(a, "float64") for a in arguments)).numpy().tolist()


class Jax:
    def __init__(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        import jax.numpy
        self.jax, self.places = jax, [jax.nn, jax.numpy, jax.lax, jax.scipy.special]
        self.names = public_names(jax.nn)

    def values(self, function, *arguments):
        return function(*(self.jax.numpy.array(a) for a in arguments)).tolist()


def public_names(module):
    return {name for name in dir(module) if not name.startswith("_")}


FRAMEWORKS = {"pytorch": PyTorch, "keras": Keras, "keras2": Keras2, "jax": Jax}
LABEL = {"pytorch": "PyTorch", "keras": "Keras", "keras2": "Keras 2", "jax": "JAX"}


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments):
        return subprocess.run([self.path, "fn", *arguments], capture_output=True, text=True, timeout=60)

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json").stdout)

    def values(self, text):
        at = ",".join(map(str, POINTS))
        return self.json("eval", text, f"--at={at}")["values"]


def is_near(a, b):
    if a is None or a != a or b != b:
        return a is None or a != a or b != b
    return abs(a - b) <= 3e-7 * max(1, abs(b))


def differences(framework, function, ours, *more):
    theirs = framework.values(function, POINTS, *more)
    return [(x, a, b) for x, a, b in zip(POINTS, ours, theirs) if not is_near(a, b)]


def find(framework, name):
    return next((getattr(place, name) for place in framework.places if callable(getattr(place, name, None))), None)


def check_aliases(name, framework, program, wrong):
    compared = 0
    for alias in program.json("list", "--aliases"):
        function = find(framework, alias["name"])
        if LABEL[name].removesuffix(" 2") not in alias["from"] or (name == "keras2" and function is None):
            continue
        if "(" in alias["from"]:  # the name is ours: one of the framework's two forms
            continue
        if function is None:
            wrong.append(f"{name} has no {alias['name']}")
            continue
        is_binary = alias["means"] in ("sub", "mul", "div", "div_no_nan", "pow", "max", "min")
        more = [[2.0] * len(POINTS)] if is_binary else []
        found = differences(framework, function, program.values(f"{alias['name']}(x{',2' if is_binary else ''})"), *more)
        compared += 1
        if found:
            wrong.append(f"{alias['name']}: {found[:3]}")
    return compared


def check_own_names(name, framework, program, wrong):
    """Every activation function of the framework is here, or refused with a reason."""
    compared = 0
    for own in sorted(framework.names - NO_ACTIVATIONS.get(name, set())):
        text = OTHERWISE.get((name, own), f"{own}(x)")
        if text is None:
            continue
        done = program.run("show", text)
        if done.returncode != 0:
            if "cannot be used here" not in done.stderr:
                wrong.append(f"{own}: {done.stderr.strip()}")
            continue
        function = getattr(framework.places[0], own)
        found = differences(framework, function, program.values(text))
        compared += 1
        if found:
            wrong.append(f"{own} as {text}: {found[:3]}")
    return compared


def right_python(name, root):
    """The Python that has the framework: this one, or one that scripts/python-environment made."""
    if name == "pytorch" or os.environ.get("ALIAS_TEST_INSIDE"):
        return None
    environment = "keras2" if name == "keras2" else "frameworks"
    given = os.environ.get("ACTFORGE_FRAMEWORKS_PYTHON") if environment == "frameworks" else None
    find_python = [root / "scripts/python-environment", "--find", environment]
    return given or subprocess.run(find_python, capture_output=True, text=True).stdout.strip() or None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("framework", choices=FRAMEWORKS)
    parser.add_argument("--program", required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    python = right_python(arguments.framework, arguments.root)
    if python:
        os.execve(python, [python, "-B", *sys.argv], {**os.environ, "ALIAS_TEST_INSIDE": "1"})
    try:
        framework = FRAMEWORKS[arguments.framework]()
    except ImportError as error:
        print(f"SKIPPED: {error}")
        sys.exit(SKIP)
    wrong = []
    program = Program(arguments.program)
    compared = [check(arguments.framework, framework, program, wrong) for check in (check_aliases, check_own_names)]
    print(f"{compared[0]} aliases and {compared[1]} of the framework's own names compared")
    if wrong or sum(compared) < 10:
        sys.exit("\n".join(wrong) or "hardly anything was compared")


if __name__ == "__main__":
    main()
