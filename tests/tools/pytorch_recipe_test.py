#!/usr/bin/env python3
"""Runs the recipe of docs/init.md that gives a PyTorch model its initial weights, and looks at what the model then has.

  pytorch_recipe_test.py ACTFORGE SOURCE_TREE

Exit code 77: there is no PyTorch. Debian has no package of safetensors; without one a reader of a few lines stands in.
"""

import contextlib
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import types

SKIP = 77

try:
    import torch
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(SKIP)


def load_file(path):
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = (8 + length + at for at in entry["data_offsets"])
            tensors[name] = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32).reshape(entry["shape"])
    return tensors


def stand_in_for_safetensors():
    try:
        import safetensors.torch  # noqa: F401
    except ImportError:
        module = types.ModuleType("safetensors.torch")
        module.load_file = load_file
        sys.modules["safetensors"] = types.ModuleType("safetensors")
        sys.modules["safetensors.torch"] = module


def recipe(source):
    text = (source / "docs" / "init.md").read_text()
    section = text[text.index("## From PyTorch and back"):]
    return re.search(r"```python\n(.*?)```", section, re.S).group(1)


def older_exporter():
    """An argument that PyTorch's newer versions need, and older ones do not know."""
    version = tuple(int(part) for part in re.findall(r"\d+", torch.__version__)[:2])
    return {"dynamo": False} if version >= (2, 9) else {}


def check(model, loaded):
    """Deviations that keep the signal, biases of zero, and a signal that keeps its size."""
    convolutions = [layer for layer in model if isinstance(layer, torch.nn.Conv2d)]
    first = convolutions[0].weight.std().item()
    assert abs(first / (3 * 9) ** -0.5 - 1) < 0.15, first
    assert convolutions[1].bias.abs().max() == 0 and model[-1].bias.abs().max() == 0, "biases"
    assert model.training
    assert all(key.startswith("1.") for key in loaded.missing_keys), loaded.missing_keys
    with torch.no_grad():
        y = model(torch.randn(256, 3, 8, 8))
    assert 0.5 < y.var().item() < 2, y.var()


def folding_is_noticed(actforge, model):
    torch.onnx.export(model.eval(), torch.randn(1, 3, 8, 8), "folded.onnx", **older_exporter())
    done = subprocess.run([actforge, "init", "folded.onnx"], check=True, capture_output=True)
    assert b"normalisation seems to be folded" in done.stderr, done.stderr


def main():
    actforge, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    code = recipe(source)
    if older_exporter():
        code = code.replace("TrainingMode.PRESERVE)", "TrainingMode.PRESERVE, dynamo=False)")
    os.environ["PATH"] = f"{actforge.parent}:{os.environ['PATH']}"
    stand_in_for_safetensors()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        torch.manual_seed(1)
        names = {}
        exec(compile(code, "docs/init.md", "exec"), names)
        check(names["model"], names["loaded"])
        folding_is_noticed(actforge, torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
            torch.nn.Conv2d(8, 8, 3, bias=False), torch.nn.BatchNorm2d(8)))
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
