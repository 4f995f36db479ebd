#!/usr/bin/env python3
"""Models that Keras writes, read by the library: shapes and weights are those that Keras finds, and the models that are
written back load in Keras and draw their kernels as they were told to.

  keras_files_test.py --driver KERAS_DRIVER --root SOURCE_TREE

Exit code 77: Keras is not installed. The Python that has it is the one named by ACTFORGE_FRAMEWORKS_PYTHON, or else the
one that scripts/python-environment made.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "keras"))
import nested_models  # noqa: E402
from frameworks import frameworks_python  # noqa: E402

SKIP = 77


# ---- the models


def cnn(keras, L):
    return keras.Sequential([
        keras.Input((32, 32, 3)), L.Rescaling(2.0, -1.0), L.Conv2D(8, 3, padding="same", activation="relu"),
        L.BatchNormalization(), L.MaxPooling2D(), L.SeparableConv2D(16, 3, depth_multiplier=2, activation="elu"),
        L.DepthwiseConv2D((3, 5), strides=2, padding="same"), L.LeakyReLU(), L.SpatialDropout2D(0.2),
        L.ZeroPadding2D(((1, 0), (2, 1))), L.Cropping2D((1, 2)), L.Conv2D(8, 3, padding="same", groups=2, dilation_rate=2),
        L.GroupNormalization(4), L.UpSampling2D(2), L.AveragePooling2D(3, strides=2, padding="same"),
        L.PReLU(shared_axes=[1, 2]), L.Flatten(), L.Dense(32, activation="gelu"), L.Dropout(0.5),
        L.Dense(10, activation="softmax")])


def resnet(keras, L):
    image = keras.Input((16, 16, 4))
    shared = L.Conv2D(4, 3, padding="same")
    x = L.Activation("relu")(L.BatchNormalization()(shared(image)))
    x = L.Add()([image, shared(x)])
    gate = L.Reshape((1, 1, 4))(L.Dense(4, activation="sigmoid")(L.GlobalAveragePooling2D()(x)))
    x = L.Multiply()([x, gate])
    x = L.Concatenate()([x, L.Conv2D(3, 1)(x)])
    x = L.Maximum()([x, x * 0.5 + 1.0])
    return keras.Model(image, L.Dense(5)(L.GlobalMaxPooling2D()(x)))


def text(keras, L):
    tokens = keras.Input((None,), dtype="int32")
    x = L.Embedding(50, 16)(tokens)
    x = L.Bidirectional(L.LSTM(8, return_sequences=True))(x)
    x = L.Conv1D(12, 3, padding="causal", activation="tanh")(x)
    x = L.MaxPooling1D(2)(x)
    x = L.GRU(8, return_sequences=True)(x)
    x = L.SimpleRNN(6)(x)
    x = L.RepeatVector(3)(x)
    return keras.Model(tokens, L.Dense(2)(L.GlobalAveragePooling1D()(x)))


def transformer(keras, L):
    from keras import ops
    x = inputs = keras.Input((10, 16))
    for _ in range(2):
        y = L.LayerNormalization()(x)
        x = x + L.MultiHeadAttention(4, 4, dropout=0.1)(y, y)
        y = L.Dense(32, activation="gelu")(L.LayerNormalization()(x))
        x = L.Add()([x, L.Dense(16)(y)])
    return keras.Model(inputs, L.Dense(3)(ops.mean(x, axis=1)))


def nested(keras, L):
    part = keras.Sequential([L.Dense(8, activation="relu"), L.Dense(8)], name="part")
    a, b = keras.Input((6,), name="a"), keras.Input((6,), name="b")
    inner_in = [keras.Input((8,)), keras.Input((8,))]
    inner = keras.Model(inner_in, [L.Subtract()(inner_in), L.Dense(4, activation="relu")(L.Average()(inner_in))],
                        name="inner")
    difference, half = inner([part(a), part(b)])
    return keras.Model([a, b], [L.Dense(2, name="one")(difference), L.Dense(3, name="two", activation="swish")(half)])


def decoder(keras, L):
    x = inputs = keras.Input((7,))
    x = L.Reshape((4, 4, 8))(L.Dense(128, activation="selu")(x))
    x = L.Conv2DTranspose(8, 4, strides=2, padding="same", activation="relu")(x)
    x = L.Conv2DTranspose(4, 3, strides=2, padding="valid")(x)
    x = L.Conv2DTranspose(4, 4, strides=1, padding="same")(x)
    x = L.Conv2DTranspose(4, 2, strides=3)(x)
    x = L.Permute((3, 1, 2))(x)
    x = L.Dense(5)(x)
    return keras.Model(inputs, L.Softmax(axis=1)(x))


def volumes(keras, L):
    x = inputs = keras.Input((8, 9, 10, 2))
    x = L.Conv3D(4, 3, strides=(1, 2, 1), padding="same")(x)
    x = L.MaxPooling3D((2, 1, 2))(x)
    x = L.Conv3DTranspose(3, 2, strides=2)(x)
    x = L.ZeroPadding3D(1)(L.SpatialDropout3D(0.1)(x))
    return keras.Model(inputs, L.GlobalAveragePooling3D(keepdims=True)(x))


def first(keras, L):
    form = {"data_format": "channels_first"}
    x = inputs = keras.Input((3, 12, 12))
    x = L.Conv2D(6, 3, padding="same", **form)(x)
    x = L.BatchNormalization(axis=1)(x)
    x = L.AveragePooling2D(2, **form)(x)
    x = L.Concatenate(axis=1)([x, L.ReLU(6.0)(x)])
    return keras.Model(inputs, L.Dense(4)(L.Flatten(**form)(x)))


def operations(keras, L):
    from keras import ops
    x = inputs = keras.Input((6, 8))
    x = ops.relu(L.Dense(8)(x)) * 2.0 - 1.0
    y = ops.transpose(x, (0, 2, 1))
    z = ops.matmul(x, y)
    z = ops.softmax(z, axis=-1)
    z = ops.sum(ops.expand_dims(z, -1), axis=[1, 3])
    w = L.Dot(axes=(1, 1))([x, x])
    w = ops.reshape(w, (-1, 64))
    return keras.Model(inputs, L.Concatenate()([z, w, x[:, 2], L.Flatten()(x[:, 1:4, :2])]))


MODELS = [cnn, resnet, text, transformer, nested, decoder, volumes, first, operations, *nested_models.MODELS]

DISTRIBUTIONS = ["truncated-normal", "normal", "uniform", "orthogonal"]

# ---- what is compared


def check(holds, message):
    if not holds:
        sys.exit(f"FAILED: {message}")


def run_driver(driver, *arguments):
    done = subprocess.run([driver, *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def keras_layers(keras, model, prefix=""):
    """Layers with the names that the network has for them."""
    for layer in model.layers:
        if isinstance(layer, (keras.Sequential, keras.Model)):
            yield from keras_layers(keras, layer, prefix + layer.name + "/")
        else:
            yield prefix + layer.name, layer


def count_trainable(keras, model):
    return sum(int(weight.value.size) for weight in model.trainable_weights)


def check_shapes(keras, model, answer):
    known = {layer["name"]: layer for layer in answer["network"]["layers"]}
    compared = 0
    for name, layer in keras_layers(keras, model):
        found = next((known[n] for n in (name + "/extents", name, name + "/attention_output") if n in known), None)
        if found is None:
            continue
        output = layer.output if not isinstance(layer.output, list) else layer.output[0]
        if None in output.shape[1:]:  # what was assumed instead is not Keras' to say
            continue
        shape = sorted(output.shape[1:])
        check(shape == sorted(found["output_shape"]), f"{model.name}/{name}: {shape} and {found['output_shape']}")
        compared += 1
    check(compared >= len(model.layers) // 3, f"{model.name}: only {compared} layers were compared")


def kernels(keras, model):
    import numpy as np
    for weight in model.weights:
        if weight.path.split("/")[-1] in ("kernel", "depthwise_kernel", "pointwise_kernel", "embeddings"):
            yield weight.path, np.asarray(weight.value)
        if weight.path.split("/")[-1] == "bias" and "gru" not in weight.path and "lstm" not in weight.path:
            check(not np.asarray(weight.value).any(), f"{weight.path} is not zero")


def check_written(keras, driver, folder, model, distribution, deviation):
    import numpy as np
    out = folder / "out.json"
    answer = run_driver(driver, folder / "in.json", out, distribution, deviation, 0)
    loaded = keras.models.model_from_json(out.read_text())
    check(loaded.count_params() == model.count_params(), f"{model.name}: other weights after writing")
    seen = {}
    for path, values in kernels(keras, loaded):
        expected, spread = deviation, values.std()
        n = values.size
        if distribution == "orthogonal" and "attention" in path:
            continue
        if n >= 64:
            error = abs(np.sqrt((values**2).mean()) / expected - 1)
            # A square orthogonal matrix has it exactly; of others the numbers are not independent either.
            check(error < max(0.02, 5 / np.sqrt(2 * n)), f"{model.name} {path} {distribution}: {spread} not {expected}")
        key = values.tobytes()
        check(key not in seen, f"{model.name}: {path} and {seen.get(key)} are equal")
        seen[key] = path
    check(len(seen) > 0, f"{model.name}: no kernels")
    return answer


def check_shifts(keras, driver, folder, model):
    import numpy as np
    plain, shifted = folder / "plain.json", folder / "shifted.json"
    run_driver(driver, folder / "in.json", plain, "normal", 0.1, 0)
    answer = run_driver(driver, folder / "in.json", shifted, "normal", 0.1, 0.25)
    a = keras.models.model_from_json(plain.read_text())
    b = keras.models.model_from_json(shifted.read_text())
    def rescalings(m):
        return sum(isinstance(layer, keras.layers.Rescaling) for _, layer in keras_layers(keras, m))
    check(rescalings(b) > rescalings(a), f"{model.name}: nothing was shifted")
    check(a.count_params() == b.count_params(), f"{model.name}: other weights after shifting")
    # With all kernels zero, each output is what its last activation and the shift make of zero.
    for m in (a, b):
        for weight in m.weights:
            weight.assign(np.zeros(weight.shape))
    samples = [np.zeros((2, *[extent or 16 for extent in tensor.shape[1:]])) for tensor in model.inputs]
    outputs = [m(samples if len(samples) > 1 else samples[0]) for m in (a, b)]
    return [[np.asarray(o) for o in (out if isinstance(out, list) else [out])] for out in outputs], answer


def run(driver):
    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for build in MODELS:
            keras.utils.clear_session()
            model = build(keras, keras.layers)
            (folder / "in.json").write_text(model.to_json())
            answer = run_driver(driver, folder / "in.json")
            notes = [note for note in answer["notes"] if "may have any size" not in note]
            check(not notes, f"{build.__name__}: {notes}")
            check(build is text or answer["notes"] == [], f"{build.__name__}: {answer['notes']}")
            check_shapes(keras, model, answer)
            if build is nested_models.ends:
                check(answer["text"].endswith("return pair/call_2/s, pair/call_2/e, pair/s\n"), answer["text"])
            check(answer["network"]["parameters"] == count_trainable(keras, model),
                  f"{build.__name__}: {answer['network']['parameters']} parameters, not {count_trainable(keras, model)}")
            # Keras compiles each draw: all distributions for one model, one for each of the others.
            some = DISTRIBUTIONS if build is cnn else [DISTRIBUTIONS[MODELS.index(build) % len(DISTRIBUTIONS)]]
            for distribution in some:
                check_written(keras, driver, folder, model, distribution, 0.07)
            if build in (nested, cnn, resnet):
                outputs, _ = check_shifts(keras, driver, folder, model)
                if build is nested:
                    # `two` ends with an activation, `one` does not.
                    check(np.allclose(outputs[1][0], outputs[0][0]), "an output without activation was shifted")
                    check(np.allclose(outputs[1][1], outputs[0][1] + 0.25), f"the shift is missing: {outputs}")
            print(f"{build.__name__}: ok")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--here", action="store_true", help="this Python has Keras")
    arguments = parser.parse_args()
    if not arguments.here and importlib.util.find_spec("keras") is None:
        python = frameworks_python(arguments.root)
        if python is None:
            print("SKIPPED: no Python with Keras; run scripts/python-environment frameworks or set ACTFORGE_FRAMEWORKS_PYTHON")
            return SKIP
        os.execv(python, [python, "-B", *sys.argv, "--here"])
    return run(arguments.driver)


if __name__ == "__main__":
    sys.exit(main())
