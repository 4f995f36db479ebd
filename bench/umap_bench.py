#!/usr/bin/env python3
"""Times umap-learn on the points of umap_bench.cpp, beside our program in the same run.

  umap_bench.py path/to/bench_umap

bench_umap checks its own answers; here both embeddings' trustworthiness for the outputs is printed too.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.setdefault("NUMBA_CACHE_DIR", tempfile.gettempdir())
warnings.filterwarnings("ignore")

import numpy  # noqa: E402
import umap  # noqa: E402
from sklearn.manifold import trustworthiness  # noqa: E402


def features(count, samples, bins):
    """The same families of functions and histograms, from NumPy's random numbers."""
    random = numpy.random.default_rng(1)
    x, p = random.normal(size=samples)[None], random.normal(size=(count, 5, 1))
    outputs = p[:, 0] * numpy.tanh(p[:, 1] * x) + p[:, 2] * numpy.maximum(x, 0) + p[:, 3] / (1 + x * x) + p[:, 4] * x
    centre, width = 0.5 + 0.3 * numpy.tanh(p[:, 0] + p[:, 2]), 0.02 + 0.01 * numpy.tanh(p[:, 4])
    histograms = numpy.exp(-(((numpy.arange(bins)[None] / bins - centre) / width) ** 2) / 2)
    return outputs.astype(numpy.float32), histograms.astype(numpy.float32)


def main():
    subprocess.run([sys.argv[1]], check=True)
    umap.UMAP(n_epochs=2).fit(numpy.random.default_rng(1).normal(size=(100, 3)))  # compiles
    outputs, histograms = features(2900, 1000, 13692)
    start = time.time()
    # Only the union's layout counts, so the two models get as short ones as umap-learn allows.
    one = umap.UMAP(metric="manhattan", n_neighbors=3, n_epochs=1, init="random").fit(histograms)
    other = umap.UMAP(n_epochs=1, init="random").fit(outputs)
    one.n_epochs = other.n_epochs = 500
    both = one + other
    print(f"umap-learn: union of 2,900 points {time.time() - start:33.3f} s")
    print(f"  trustworthiness for the outputs {trustworthiness(outputs, both.embedding_, n_neighbors=15):39.4f}")


if __name__ == "__main__":
    main()
