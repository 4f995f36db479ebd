#!/usr/bin/env python3
"""ONNX files of other programs: read as networks, written again, and executed by onnxruntime.

  onnx_files_test.py --driver ONNX_DRIVER --root SOURCE_TREE

Where PyTorch is there (Debian's, for the Python that runs this), its exporter makes files too, and the networks are
executed and compared with onnxruntime. Exit code 77: there is no onnxruntime; see export_frameworks_test.py.
"""

import argparse
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

from frameworks import frameworks_python

HERE = pathlib.Path(__file__).parent
SKIP = 77

# What some of the networks must look like: lines of their text form.
EXPECTED = {
    "cnn_7": ["relu6 = activation(norm, function=min(relu(x),6))", "dense = dense(dense/flatten, units=5)"],
    "cnn_21": ["conv = conv(x, filters=4, kernel=3x3, stride=1x1, dilation=1x1, padding=1x1)",
               "relu6 = activation(norm, function=min(relu(x),6))"],
    "norm_17": ["x = input(shape=5x6, channels_last=true)", "norm = layer_norm(x)"],
    "torch_lstm": ["/cell/LSTM = lstm(x, units=7, sequence=true)"],
    "torch_transformer": ["x = input(shape=6, indices=true)", "/layer/norm1/Add_1 = layer_norm(/layer/Add)",
                          "/layer/self_attn/Softmax = softmax(/layer/self_attn/MatMul_1, axis=2)"],
    "torch_cnn_13": ["/2/Mul = activation(/0/Conv, function=mul(x,sigmoid(x)))"],
}

# Their only function makes their output.
LAST_FUNCTION = ["half_13", "norm_17", "gelu_20", "external_13"]


def rewrite(driver, folder, name):
    """The file written again in every way; the text of its network."""
    text = ""
    for how in ("same", "copied", "halved", "shifted"):
        done = subprocess.run([driver, folder / f"{name}.onnx", folder / f"{name}.{how}.onnx", how],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return None, f"{name}, {how}: {done.stderr.strip()}"
        text = done.stdout
    (folder / f"{name}.txt").write_text(text)
    subprocess.run([driver, folder / f"{name}.onnx", folder / f"{name}.safetensors", "dump"], check=True,
                   capture_output=True)
    return text, None


def compare(folder, names):
    """With onnxruntime; run by the Python that has it."""
    import numpy as np
    import onnx
    import onnxruntime

    problems, compared = [], 0

    def run(path, inputs):
        return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, inputs)[0]

    for name in names:
        inputs = dict(np.load(folder / f"{name}.npz"))
        answers = {how: run(folder / f"{name}.{how}.onnx", inputs) for how in ("same", "copied", "halved", "shifted")}
        original = run(folder / f"{name}.onnx", inputs)
        onnx.checker.check_model(str(folder / f"{name}.shifted.onnx"))
        if original.tobytes() != answers["same"].tobytes():
            problems.append(f"{name}: written with nothing replaced, it gives other numbers")
        close = 2e-3 if original.dtype == np.float16 else 2e-6
        if not np.allclose(original, answers["copied"], rtol=close, atol=close):
            problems.append(f"{name}: with its own numbers put in, it gives others")
        if np.allclose(original, answers["halved"], rtol=1e-4, atol=1e-6):
            problems.append(f"{name}: half of its weights make no difference")
        if name in LAST_FUNCTION and not np.allclose(original + 0.5, answers["shifted"], rtol=close, atol=close):
            problems.append(f"{name}: the shift of its function does not reach its output")
        network = folder / f"{name}.network.npy"
        if network.exists():
            wanted = np.load(network).reshape(original.shape)
            error = np.abs(wanted - original).max()
            compared += 1
            if not error < (3e-3 if original.dtype == np.float16 else 2e-5):
                problems.append(f"{name}: the network differs from onnxruntime by {error}")
    for problem in problems:
        print("PROBLEM:", problem)
    print(f"{len(names)} files, {compared} networks executed, {len(problems)} problems")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver")
    parser.add_argument("--root")
    parser.add_argument("--compare", nargs="+", help="FOLDER NAME...: the comparison alone")
    arguments = parser.parse_args()
    if arguments.compare:
        return compare(pathlib.Path(arguments.compare[0]), arguments.compare[1:])
    python = frameworks_python(arguments.root)
    if python is None:
        print("SKIPPED: no Python with onnxruntime; run scripts/python-environment frameworks or set ACTFORGE_FRAMEWORKS_PYTHON")
        return SKIP
    has_torch = importlib.util.find_spec("torch") is not None
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([python, "-B", HERE / "onnx_models.py", "onnx", folder], check=True)
        if has_torch:
            subprocess.run([sys.executable, "-B", HERE / "onnx_models.py", "torch", folder], check=True)
        names, problems = [], []
        for path in sorted(folder.glob("*.npz")):
            text, problem = rewrite(arguments.driver, folder, path.stem)
            if problem:
                problems.append(problem)
                continue
            names.append(path.stem)
            problems += [f"{path.stem}: no line '{line}' in\n{text}" for line in EXPECTED.get(path.stem, [])
                         if line not in text.splitlines()]
            problems += [f"{path.stem}: {line}" for line in text.splitlines() if "= opaque(" in line]
        for problem in problems:
            print("PROBLEM:", problem)
        if has_torch:
            subprocess.run([sys.executable, "-B", HERE / "onnx_network.py", folder, *names], check=True)
        done = subprocess.run([python, "-B", __file__, "--compare", folder, *names])
        if not names or len(names) < 14:
            problems.append("too few files")
        return 1 if problems or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
