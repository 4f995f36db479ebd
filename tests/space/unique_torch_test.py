#!/usr/bin/env python3
"""Checks the unique functions of the space aquasurf-3 against a plain PyTorch implementation of its operators.

  unique_torch_test.py path/to/actforge

Two functions are the same if they have the same float32 outputs for 1,000 inputs from N(0,1), truncated to [-5,5];
-0 equals +0, and NaN equals NaN. The inputs here are not the program's: its classes must not depend on the draw.
Exit code 77: PyTorch is not installed.
"""

import collections
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIP = 77

try:
    import torch
    import torch.nn.functional as F
except ImportError as problem:
    print(f"SKIPPED: PyTorch is not installed: {problem}")
    sys.exit(SKIP)

PROGRAM = ""
SIZE, DISSERTATION = 5103, 2913  # functions of the space, and how many of them the dissertation counts as unique

# ---- the space, in the order of its functions


def divide_no_nan(a, b):
    return torch.where(b == 0, torch.zeros_like(a), a / b)


UNARY = {
    "zero": torch.zeros_like,
    "one": torch.ones_like,
    "identity": lambda x: x,
    "negative": torch.neg,
    "abs": torch.abs,
    "reciprocal": torch.reciprocal,
    "square": torch.square,
    "exp": torch.exp,
    "erf": torch.erf,
    "erfc": torch.erfc,
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "tanh": torch.tanh,
    "expm1": torch.expm1,
    "sigmoid": torch.sigmoid,
    "log_sigmoid": F.logsigmoid,
    "arcsinh": torch.asinh,
    "arctan": torch.atan,
    "bessel_i0e": torch.special.i0e,
    "bessel_i1e": torch.special.i1e,
    "relu": F.relu,
    "elu": F.elu,
    "selu": F.selu,
    "swish": F.silu,
    "softplus": lambda x: F.softplus(x, threshold=40),  # beyond the default, 20, it is inexact in float64
    "softsign": F.softsign,
    "hard_sigmoid": lambda x: torch.clamp(0.2 * x + 0.5, 0, 1),
}
BINARY = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div_no_nan": divide_no_nan,
    "pow": torch.pow,
    "max": torch.maximum,
    "min": torch.minimum,
}
# The dissertation does not say which division it counted with. This one makes a few functions more unique, because
# a/zero(x) is not 0 for every a, but NaN, or infinite with the sign of a.
IEEE_BINARY = {("div" if name == "div_no_nan" else name): (torch.div if name == "div_no_nan" else call)
               for name, call in BINARY.items()}


def normal_inputs():
    drawn = torch.randn(2000, generator=torch.Generator().manual_seed(0))
    return drawn[drawn.abs() <= 5][:1000]


def uniform_inputs():
    """Random rather than evenly spaced: (-2)^-2 is a number, and (-1.99)^-1.99 is none, so that powers which agree
    nearly everywhere differ at integers."""
    return 10 * torch.rand(1000, generator=torch.Generator().manual_seed(0)) - 5


def outputs_of_space(x, binary):
    """{expression: outputs}, in the order of the space."""
    arguments = {f"{name}(x)": call(x) for name, call in UNARY.items()}
    return {f"{name}({a},{b})": call(arguments[a], arguments[b])
            for name, call in binary.items() for a in arguments for b in arguments}


# ---- partitions into classes of equal functions: lists of lists of expressions


def bits(outputs):
    """Equal for outputs that count as the same."""
    without_minus_zero = outputs + 0.0
    return torch.where(outputs.isnan(), torch.full_like(outputs, torch.nan), without_minus_zero).numpy().tobytes()


def classes_in_torch(x, binary):
    classes = collections.defaultdict(list)
    for expression, outputs in outputs_of_space(x, binary).items():
        classes[bits(outputs)].append(expression)
    return list(classes.values())


def torn(classes, others):
    """The classes whose members are in several classes of the other partition, each as lists of these members."""
    home = {expression: number for number, members in enumerate(others) for expression in members}
    result = []
    for members in classes:
        divided = collections.defaultdict(list)
        for expression in members:
            divided[home[expression]].append(expression)
        if len(divided) > 1:
            result.append(list(divided.values()))
    return result


def show(title, classes):
    print(f"{title}: {len(classes)}")
    for divided in classes:
        print("  " + " | ".join(f"{members[0]} and {len(members) - 1} more" for members in divided))


def relative_differences(a, b):
    """0 for equal infinities and for two NaN; NaN or infinite for what cannot be compared."""
    same = (a == b) | (a.isnan() & b.isnan())
    return torch.where(same, torch.zeros_like(a), (a - b).abs() / torch.maximum(a.abs(), b.abs()))


# ---- what the program gives


def enumerate_space(*options):
    """The lines of JSON that the program writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "functions.jsonl"
        done = subprocess.run([PROGRAM, "space", "enumerate", "aquasurf-3", *options, "-o", path],
                              capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise AssertionError(done.stderr)
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def classes_in_program(binary):
    lines = enumerate_space("--unique", "--binary", ",".join(binary))
    return [[function["expression"] for function in [line, *line["equivalents"]]] for line in lines]


class UniqueFunctions(unittest.TestCase):
    def test_order(self):
        expected = list(outputs_of_space(normal_inputs(), BINARY))
        self.assertEqual(len(expected), SIZE)
        lines = enumerate_space()
        self.assertEqual([line["expression"] for line in lines], expected)
        self.assertEqual([line["index"] for line in lines], list(range(SIZE)))

    def test_every_function_has_one_class(self):
        members = [expression for members in classes_in_program(BINARY) for expression in members]
        self.assertEqual(sorted(members), sorted(outputs_of_space(normal_inputs(), BINARY)))

    def test_counts(self):
        # Depends a little on the draw of the inputs and on the vector instructions that PyTorch uses.
        for binary, expected in ((BINARY, 2902), (IEEE_BINARY, 2914)):
            in_program, in_torch = len(classes_in_program(binary)), len(classes_in_torch(normal_inputs(), binary))
            print(f"unique with {list(binary)[3]}: {in_program}, PyTorch {in_torch}, dissertation {DISSERTATION}")
            self.assertAlmostEqual(in_torch, expected, delta=5)
            self.assertAlmostEqual(in_program, in_torch, delta=0.01 * in_torch)
            self.assertAlmostEqual(in_program, DISSERTATION, delta=0.01 * DISSERTATION)

    def test_members_are_the_same_function(self):
        # In float64, where only truly equal functions agree to the last bits. No exceptions are needed: with one unary
        # operator on each side nothing overflows in float32 or cancels differently in the members of a class.
        for x in (normal_inputs(), uniform_inputs()):
            outputs = outputs_of_space(x.double(), BINARY)
            for first, *others in classes_in_program(BINARY):
                for other in others:
                    largest = relative_differences(outputs[first], outputs[other]).max().item()
                    self.assertLess(largest, 1e-14, (first, other))  # NaN is not less either

    def test_classes_agree_with_torch(self):
        # PyTorch tears the classes that hold both swish(x) and x*sigmoid(x), because it rounds these two differently;
        # and, if an input is beyond 3.8, those that hold pow(log_sigmoid(x),erf(x)), which is NaN until erf(x) rounds
        # to 1. The other way round, functions that only PyTorch's rounding makes equal may differ in the program.
        in_program, in_torch = classes_in_program(BINARY), classes_in_torch(normal_inputs(), BINARY)
        torn_by_torch, torn_by_program = torn(in_program, in_torch), torn(in_torch, in_program)
        show("classes that PyTorch's last bits tear", torn_by_torch)
        show("classes of PyTorch that the program tears", torn_by_program)
        self.assertLessEqual(len(torn_by_torch), 10)
        self.assertLessEqual(len(torn_by_program), 5)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop(1)
    torch.set_num_threads(1)
    unittest.main(verbosity=2)
