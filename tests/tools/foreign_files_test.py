#!/usr/bin/env python3
"""Files that other programs write of networks: the program says what they are, and the Python that it answers with makes
a file that it reads.

  foreign_files_test.py pytorch|keras|tensorflow ACTFORGE SOURCE_TREE

Exit code 77: the framework is not installed; see tests/expr/export_frameworks_test.py.
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "expr"))
from export_frameworks_test import python_of, skip, variable_of  # noqa: E402

ENVIRONMENTS = {"keras": "frameworks", "tensorflow": "keras2"}
OLD_EXPORTER = "do_constant_folding=False)"


def answer(actforge, name, kind):
    """The recipe for a file."""
    done = subprocess.run([actforge, "init", name], capture_output=True, text=True)
    assert done.returncode == 3, (name, done)
    assert kind in done.stderr, (name, done.stderr)
    for verb in (["net", "show", name], ["init", name, "-o", "never.onnx"]):
        assert subprocess.run([actforge, *verb], capture_output=True, text=True).stderr == done.stderr, verb
    return done.stderr.split("\n\n", 1)[1]


def check_reads(actforge, name):
    done = subprocess.run([actforge, "init", name], capture_output=True, text=True)
    assert done.returncode == 0 and "8" in done.stdout, (name, done)


def pytorch(actforge):
    import torch

    def make():
        return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                                   torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 5))

    def follow(recipe, names):
        version = [int(part) for part in re.findall(r"\d+", torch.__version__)[:2]]
        if version >= [2, 9]:
            recipe = recipe.replace(OLD_EXPORTER, OLD_EXPORTER[:-1] + ", dynamo=False)")
        exec(compile(recipe, "recipe", "exec"), {"MyModel": make, **names})
        check_reads(actforge, "model.onnx")
        os.remove("model.onnx")

    torch.save(make().state_dict(), "zip.pt")
    torch.save(make().state_dict(), "old.pth", _use_new_zipfile_serialization=False)
    for name in ("zip.pt", "old.pth"):
        follow(answer(actforge, name, "a checkpoint of PyTorch"), {})
    torch.jit.save(torch.jit.script(make()), "script.pt")
    follow(answer(actforge, "script.pt", "a TorchScript module"), {})


def keras(actforge):
    import keras

    model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Conv2D(8, 3), keras.layers.Flatten(), keras.layers.Dense(5)])
    model.save("model.h5")
    exec(compile(answer(actforge, "model.h5", "an HDF5 file"), "recipe", "exec"), {})
    check_reads(actforge, "model.json")
    model.save_weights("only.weights.h5")
    assert "load_weights" in answer(actforge, "only.weights.h5", "an HDF5 file")


def tensorflow(actforge):
    import tensorflow

    layers = tensorflow.keras.layers
    model = tensorflow.keras.Sequential([tensorflow.keras.Input((8,)), layers.Dense(5)])
    pathlib.Path("model.tflite").write_bytes(tensorflow.lite.TFLiteConverter.from_keras_model(model).convert())
    assert "from_tflite(\"model.tflite\"" in answer(actforge, "model.tflite", "TensorFlow Lite")


def main():
    framework, actforge, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    os.environ.update(KERAS_BACKEND="jax", TF_CPP_MIN_LOG_LEVEL="3")
    environment = ENVIRONMENTS.get(framework)
    if environment and "--here" not in sys.argv:
        python = python_of(environment, root)
        if python is None:
            skip(f"{framework}: no Python with it; run scripts/python-environment {environment} or set {variable_of(environment)}")
        os.execv(python, [python, *sys.argv, "--here"])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                globals()[framework](actforge)
        except ImportError as error:
            skip(f"{framework}: {error}")
        finally:
            os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
