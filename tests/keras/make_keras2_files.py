#!/usr/bin/env python3
"""Writes the files in keras2/: models as Keras 2 writes them, and beside each what Keras says of it.

  make_keras2_files.py                      write them
  make_keras2_files.py --check KERAS_DRIVER  let the library write each model back, and load that in Keras 2

Needs Keras 2: the Python that scripts/python-environment keras2 names.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras  # noqa: E402

import nested_models  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def own_nodes(model, layer):
    """The calls of a layer that belong to the model, in the order of the file."""
    return [node for i, node in enumerate(layer._inbound_nodes) if f"{layer.name}_ib-{i}" in model._network_nodes]


def first_shape(node):
    shapes = node.output_shapes
    return list(shapes[0] if isinstance(shapes, list) else shapes)[1:]


def calls(model, prefix=""):
    """All calls of layers that the model makes, in all models within it, with the shape of the first output."""
    for layer in model.layers:
        for number, node in enumerate(own_nodes(model, layer), 1):
            name = prefix + layer.name + (f"/call_{number}" if number > 1 else "")
            if isinstance(layer, keras.Model):
                yield from calls(layer, name + "/")
            elif not isinstance(layer, keras.layers.InputLayer):
                yield name, first_shape(node)


def facts(model):
    return {
        "calls": dict(calls(model)),
        "outputs": [list(tensor.shape)[1:] for tensor in model.outputs],
        "trainable": sum(int(weight.shape.num_elements()) for weight in model.trainable_weights),
    }


def build(make):
    keras.backend.clear_session()
    return make(keras, keras.layers)


def compact(value):
    return json.dumps(value, separators=(",", ":")) + "\n"


def write():
    for make in nested_models.MODELS:
        model = build(make)
        (HERE / "keras2" / f"{make.__name__}.json").write_text(compact(json.loads(model.to_json())))
        (HERE / "keras2" / f"{make.__name__}.facts.json").write_text(compact(facts(model)))


def check(driver):
    with tempfile.TemporaryDirectory() as folder:
        for make in nested_models.MODELS:
            model, out = build(make), pathlib.Path(folder, "out.json")
            source = HERE / "keras2" / f"{make.__name__}.json"
            subprocess.run([driver, source, out, "normal", "0.07", "0.25"], check=True, stdout=subprocess.DEVNULL)
            keras.backend.clear_session()
            again = keras.models.model_from_json(out.read_text())
            assert facts(again)["trainable"] == facts(model)["trainable"], make.__name__
            assert facts(again)["outputs"] == facts(model)["outputs"], make.__name__
            added = set(facts(again)["calls"]) - set(facts(model)["calls"])
            kernels = [w for w in again.trainable_weights if "/kernel" in w.name and w.shape.num_elements() > 20]
            for kernel in kernels:
                assert abs(kernel.numpy().std() / 0.07 - 1) < 0.5, (make.__name__, kernel.name)
            print(f"{make.__name__}: ok, {len(kernels)} kernels, added {sorted(added)}")


if __name__ == "__main__":
    check(sys.argv[2]) if sys.argv[1:2] == ["--check"] else write()
