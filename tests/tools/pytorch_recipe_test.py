#!/usr/bin/env python3
"""Runs what the pages say about PyTorch: the recipe of docs/init.md that gives a model its initial weights, looking at what
the model then has, and the scripts of docs/searching.md.

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


def blocks_of_searching(source):
    return re.findall(r"```python\n(.*?)```", (source / "docs" / "searching.md").read_text(), re.S)


def put_into_a_model(actforge, source):
    """The end of a training script, with a model whose ReLUs are at several depths."""
    code = next(block for block in blocks_of_searching(source) if "put_in(model)" in block)
    subprocess.run([actforge, "fn", "export", "alpha*tanh(x)", "--to", "pytorch", "-o", "found.py", "--quiet"], check=True)
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(3, 2)))
    before, sys.argv = sys.argv, ["train.py", "found.py"]
    answer = io.StringIO()
    with contextlib.redirect_stdout(answer):
        exec(compile(code, "docs/searching.md", "exec"), {"model": model, "train": lambda trained: 0.5})
    sys.argv = before
    assert json.loads(answer.getvalue()) == {"accuracy": 0.5}
    assert [type(layer).__name__ for layer in model.modules()].count("activation") == 2, model
    assert model(torch.randn(4, 2)).shape == (4, 2)


def search_with_a_script_that_stays(actforge, source):
    code = next(block for block in blocks_of_searching(source) if "spirals" in block)
    pathlib.Path("spirals.py").write_text(code)
    subprocess.run([actforge, "search", "run", "--study", "spirals.db", "--evaluate", f"'{sys.executable}' spirals.py", "--persistent",
                    "--with", "lr=log:0.01..0.1", "--trials", "4", "--repeats", "0", "--quiet"], check=True, timeout=200)
    shown = subprocess.run([actforge, "search", "show", "spirals.db", "--json"], check=True, capture_output=True)
    best = json.loads(shown.stdout)
    assert best["objectives"]["accuracy"] > 0.5 and len(best["curve"]) == 10 and "lr" in best["hyperparameters"], best


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
        put_into_a_model(actforge, source)
        search_with_a_script_that_stays(actforge, source)
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
