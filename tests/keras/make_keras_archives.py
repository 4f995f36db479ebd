#!/usr/bin/env python3
"""Writes a small archive as the Keras that runs this saves it: the seeds of fuzz_keras_archive and the files of
archive_test.cpp.

  scripts/python-environment frameworks   # or keras2
  PYTHON make_keras_archives.py ../fuzz/seeds/fuzz_keras_archive/keras3.keras
"""

import os
import sys

os.environ["KERAS_BACKEND"] = "jax"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras  # noqa: E402

L = keras.layers
inner = keras.Sequential([keras.Input((4,)), L.Dense(4, activation="relu", name="first"), L.Dense(4, name="second")], name="inner")
x = inputs = keras.Input((4, 4, 1))
x = L.Flatten()(L.Conv2D(1, 3, name="image")(x))
keras.Model(inputs, L.Dense(3, name="last")(inner(x)), name="small").save(sys.argv[1])
