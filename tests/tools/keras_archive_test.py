#!/usr/bin/env python3
"""Models that Keras 3 and Keras 2 save (.keras), given new weights by the program, and loaded again by Keras.

  keras_archive_test.py frameworks|keras2 ACTFORGE SOURCE_TREE

The first argument is a list of scripts/requirements: where the Keras is. Exit code 77: it is not installed; see
tests/expr/export_frameworks_test.py.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "tools"), str(TESTS / "expr"), str(TESTS / "keras")]
import keras_files_test  # noqa: E402
import nested_models  # noqa: E402
from export_frameworks_test import python_of, skip, variable_of  # noqa: E402

KERNELS = ("kernel", "depthwise_kernel", "pointwise_kernel", "recurrent_kernel", "embeddings")


def attention(keras, L):
    x = inputs = keras.Input((6, 8))
    x = L.Bidirectional(L.GRU(4, return_sequences=True))(L.LSTM(8, return_sequences=True)(x))
    x = L.Add()([x, L.MultiHeadAttention(2, 4)(x, x)])
    return keras.Model(inputs, L.TimeDistributed(L.Dense(5))(x))


def separable(keras, L):
    return keras.Sequential([keras.Input((16, 16, 3)), L.SeparableConv2D(8, 3, depth_multiplier=2), L.PReLU(),
                             L.DepthwiseConv2D(3), L.Conv2DTranspose(6, 3), L.BatchNormalization(), L.Flatten(), L.Dense(4)])


def plain(keras, L):
    """Compiled: an archive then has the state of the optimizer too."""
    model = keras.Sequential([keras.Input((8, 8, 3)), L.Conv2D(6, 3, name="b"), L.Conv2D(6, 3, groups=2, name="a"),
                              L.Flatten(), L.Dense(12), L.Dense(4)])
    model.compile("adam", "mse")
    return model


MODELS = {"frameworks": [plain, attention, separable, keras_files_test.nested, nested_models.shared, nested_models.mixed],
          "keras2": [plain, attention, separable, nested_models.shared, nested_models.mixed]}
# Their kernels are those of convolutions and of Dense layers, which are one matrix each.
MATRICES = ["plain", "nested", "shared"]


def values_of(model):
    import numpy as np
    return [(weight.name.split(":")[0].split("/")[-1], np.asarray(weight)) for weight in model.weights]


def is_orthogonal(matrix):
    import numpy as np
    product = matrix.T @ matrix if matrix.shape[0] >= matrix.shape[1] else matrix @ matrix.T
    return np.allclose(product, product[0, 0] * np.eye(len(product)), atol=1e-4 * product[0, 0])


def check(name, before, after):
    """Kernels are new, each other ones; biases are what Keras begins with; everything else is as it was."""
    import numpy as np
    seen, kernels = set(), 0
    for (kind, old), (_, new) in zip(values_of(before), values_of(after)):
        assert old.shape == new.shape
        if kind not in KERNELS:
            assert np.array_equal(old, new) or kind == "bias", (name, kind)
            continue
        assert not np.array_equal(old, new), (name, kind)
        assert new.size < 8 or new.tobytes() not in seen, (name, kind)
        seen.add(new.tobytes())
        kernels += 1
        # Rows of the network are columns here: only then are they orthogonal to each other.
        if name in MATRICES:
            assert is_orthogonal(new.reshape(-1, new.shape[-1])), (name, new.shape)
    assert kernels > 0, name


def run(actforge, environment):
    import keras
    import numpy as np

    for build in MODELS[environment]:
        model = build(keras, keras.layers)
        for weight in model.weights:  # biases that a training has left
            if "bias" in weight.name:
                weight.assign(np.full(weight.shape, 0.25))
        model.save("in.keras")
        command = [actforge, "init", "in.keras", "-o", "out.keras", "--distribution", "orthogonal"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, (build.__name__, done.stderr)
        assert "wrote out.keras (Keras archive)" in done.stderr, done.stderr
        again = keras.models.load_model("out.keras")
        check(build.__name__, keras.models.load_model("in.keras"), again)
        for kind, values in values_of(again):
            if kind == "bias" and build is not attention:
                assert not values.any(), build.__name__
        with zipfile.ZipFile("in.keras") as old, zipfile.ZipFile("out.keras") as new:
            assert new.testzip() is None
            for name in ("config.json", "metadata.json"):
                assert old.read(name) == new.read(name), name
        shown = subprocess.run([actforge, "net", "show", "in.keras"], capture_output=True, text=True)
        assert shown.returncode == 0, shown.stderr
        print(f"{build.__name__}: ok")


def forget_bias(actforge):
    """Keras gives ones to the bias of an LSTM's forget gate, unless it is told not to."""
    import keras
    import numpy as np

    for wanted in (True, False):
        model = keras.Sequential([keras.Input((6, 8)), keras.layers.LSTM(5, unit_forget_bias=wanted)])
        model.weights[2].assign(np.full((20,), 0.25))
        model.save("lstm.keras")
        subprocess.run([actforge, "init", "lstm.keras", "-o", "lstm.keras"], check=True, capture_output=True)
        bias = np.asarray(keras.models.load_model("lstm.keras").weights[2])
        assert bias.tolist() == [0] * 5 + [int(wanted)] * 5 + [0] * 10, bias


def main():
    environment, actforge, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    os.environ.update(KERAS_BACKEND="jax", TF_CPP_MIN_LOG_LEVEL="3")
    if "--here" not in sys.argv:
        python = python_of(environment, root)
        if python is None:
            skip(f"no Python for it; run scripts/python-environment {environment} or set {variable_of(environment)}")
        os.execv(python, [python, *sys.argv, "--here"])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            run(actforge, environment)
            forget_bias(actforge)
        finally:
            os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
