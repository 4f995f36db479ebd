#!/usr/bin/env python3
"""Compares UMAP and the regressors with umap-learn and scikit-learn.

  umap_learn_test.py path/to/umap_tool

Graphs must agree edge by edge, predictions number by number; embeddings and random forests, which depend on random
numbers, on average over seeds. Exit code 77: umap-learn or scikit-learn is not installed.
"""

import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

SKIP = 77
SEEDS = 10
SCRATCH = tempfile.TemporaryDirectory()
os.environ.setdefault("NUMBA_CACHE_DIR", SCRATCH.name)  # the installed package's own folder may be read-only

try:
    warnings.filterwarnings("ignore")
    import numpy
    import umap
    from sklearn.datasets import load_digits, make_swiss_roll
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.manifold import trustworthiness
    from sklearn.metrics import pairwise_distances, r2_score
    from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors
    from sklearn.svm import SVR
    from umap.umap_ import general_simplicial_set_intersection, general_simplicial_set_union, reset_local_connectivity
except ImportError as problem:
    print(f"SKIPPED: umap-learn or scikit-learn is not installed: {problem}")
    sys.exit(SKIP)

TOOL = ""


def write(name, rows):
    """The path of a file with these rows."""
    rows = numpy.ascontiguousarray(rows, numpy.float32)
    path = Path(SCRATCH.name) / name
    path.write_bytes(numpy.array(rows.shape, numpy.uint64).tobytes() + rows.tobytes())
    return path


def read(path):
    data = path.read_bytes()
    shape = numpy.frombuffer(data, numpy.uint64, 2).astype(int)
    return numpy.frombuffer(data, numpy.float32, offset=16).reshape(shape)


def tool(*words):
    """The rows that umap_tool writes."""
    out = Path(SCRATCH.name) / "out"
    subprocess.run([TOOL, *map(str, words), str(out)], check=True)
    return read(out)


def digits():
    """Images of digits, with noise: whole numbers would give equal distances, which have no order."""
    pixels = load_digits().data[:500]
    return (pixels + 0.1 * numpy.random.default_rng(1).normal(size=pixels.shape)).astype(numpy.float32)


def swiss_roll():
    return make_swiss_roll(500, random_state=1)[0].astype(numpy.float32)


def kept_neighbours(features, embedding, size=15):
    def nearest(points):
        return NearestNeighbors(n_neighbors=size).fit(points).kneighbors(return_distance=False)

    pairs = zip(nearest(features), nearest(embedding))
    return numpy.mean([len(set(a) & set(b)) / size for a, b in pairs])


def fitted_graph(features, metric, size):
    """umap-learn's graph alone: one epoch, from a random start."""
    return umap.UMAP(n_neighbors=size, metric=metric, n_epochs=1, init="random").fit(features).graph_.copy()


def double_graph(features, metric, size):
    """The same, from each point's own view in single precision, united in double."""
    distances = pairwise_distances(features, metric=metric)
    view = umap.umap_.fuzzy_simplicial_set(distances, size, numpy.random.RandomState(1), "precomputed",
                                           apply_set_operations=False)[0].astype(float).tocsr()
    return (view + view.T - view.multiply(view.T)).tocsr()


class Graphs(unittest.TestCase):
    def expect_same(self, ours, theirs, tolerated=0):
        theirs = theirs.tocoo()
        expected = {(i, j): value for i, j, value in zip(theirs.row, theirs.col, theirs.data) if value > 0}
        actual = {(int(i), int(j)): value for i, j, value in ours if value > 0}
        # The scale of a point is found to five digits; distances have seven.
        wrong = [(edge, actual.get(edge, 0), expected.get(edge, 0)) for edge in set(expected) | set(actual)
                 if abs(actual.get(edge, 0) - expected.get(edge, 0)) > 5e-4]
        self.assertLessEqual(len(wrong), tolerated * len(expected), wrong[:10])
        self.assertGreater(len(actual), 1000)

    def test_graphs_of_one_kind_of_features(self):
        path = write("features", digits())
        for metric in ("euclidean", "manhattan", "cosine"):
            for size in (3, 15):
                with self.subTest(metric=metric, size=size):
                    self.expect_same(tool("graph", metric, size, path), fitted_graph(digits(), metric, size))

    def test_combined_graphs(self):
        one, other = swiss_roll(), digits()
        # In double: single precision makes some strengths of 1 a little less, and rows with more ones than a row may
        # add up to are raised to the power 2^32. For the same reason we may differ where 1 - 1e-9 is a float's 1.
        a, b = double_graph(one, "euclidean", 15), double_graph(other, "manhattan", 3)
        files = ("euclidean", 15, write("one", one), "manhattan", 3, write("other", other))
        union = reset_local_connectivity(general_simplicial_set_union(a, b), True)
        self.expect_same(tool("combine", "union", *files), union, 0.002)
        intersection = reset_local_connectivity(general_simplicial_set_intersection(a, b, 0.5), True)
        self.expect_same(tool("combine", "intersection", *files), intersection, 0.002)


class Embeddings(unittest.TestCase):
    def expect_no_worse(self, name, ours, theirs):
        """The means over the seeds, but for what chance explains: two standard errors of the difference."""
        error = numpy.sqrt((numpy.var(ours, ddof=1) + numpy.var(theirs, ddof=1)) / SEEDS)
        print(f"{name}: {numpy.mean(ours):.5f}, umap-learn {numpy.mean(theirs):.5f}, standard error {error:.5f}")
        self.assertGreater(numpy.mean(ours), numpy.mean(theirs) - 2 * error - 0.0005, name)

    def test_quality(self):
        for name, features, dimensions in (
            ("digits", digits(), 2),
            ("Swiss roll", swiss_roll(), 2),
            ("digits in 5 dimensions", digits(), 5),
        ):
            path = write("features", features)
            trust, kept = ([], []), ([], [])
            for seed in range(SEEDS):
                ours = tool("embed", dimensions, seed, "euclidean", 15, path)
                theirs = umap.UMAP(n_components=dimensions, random_state=seed).fit_transform(features)
                for side, embedding in enumerate((ours, theirs)):
                    trust[side].append(trustworthiness(features, embedding, n_neighbors=15))
                    kept[side].append(kept_neighbours(features, embedding))
            self.expect_no_worse(f"{name}: trustworthiness", *trust)
            self.expect_no_worse(f"{name}: neighbours kept", *kept)

    def test_new_points(self):
        old, new = digits()[:400], digits()[400:]
        trust, kept = ([], []), ([], [])
        for seed in range(SEEDS):
            model = umap.UMAP(random_state=seed, transform_seed=seed).fit(old)
            places = tool("transform", seed, "euclidean", 15, write("old", old), write("embedding", model.embedding_),
                          write("new", new))
            for side, rows in enumerate((places, model.transform(new))):
                embedding = numpy.vstack([model.embedding_, rows])
                trust[side].append(trustworthiness(numpy.vstack([old, new]), embedding, n_neighbors=15))
                kept[side].append(kept_neighbours(numpy.vstack([old, new]), embedding))
        self.expect_no_worse("new points: trustworthiness", *trust)
        self.expect_no_worse("new points: neighbours kept", *kept)


class Regressors(unittest.TestCase):
    def setUp(self):
        random = numpy.random.default_rng(3)
        self.points = random.normal(size=(150, 2)).astype(numpy.float32)
        self.others = numpy.vstack([random.normal(size=(80, 2)), self.points[:20]]).astype(numpy.float32)
        self.values = self.truth(self.points) + 0.1 * random.normal(size=150).astype(numpy.float32)

    @staticmethod
    def truth(points):
        return numpy.sin(2 * points[:, 0]) + points[:, 1] ** 2 / 2

    def predicted(self, *words):
        return tool(*words, write("points", self.points), write("values", self.values[:, None]),
                    write("others", self.others))

    def test_nearest_neighbours(self):
        model = KNeighborsRegressor(3, weights="distance").fit(self.points.astype(float), self.values)
        expected = model.predict(self.others.astype(float))
        numpy.testing.assert_allclose(self.predicted("predict", "knn", 0)[:, 0], expected, rtol=1e-5, atol=1e-6)

    def test_support_vectors(self):
        expected = SVR().fit(self.points.astype(float), self.values).predict(self.others.astype(float))
        numpy.testing.assert_allclose(self.predicted("predict", "svr", 0)[:, 0], expected, atol=5e-3)

    def test_gaussian_process(self):
        # Fewer points, so that rounding does not decide.
        self.points, self.values = self.points[:25], self.values[:25]
        model = GaussianProcessRegressor().fit(self.points.astype(float), self.values)
        mean, deviation = model.predict(self.others.astype(float), return_std=True)
        ours = self.predicted("beliefs")
        numpy.testing.assert_allclose(ours[:, 0], mean, rtol=1e-3, atol=1e-3)
        numpy.testing.assert_allclose(ours[:, 1], deviation, atol=1e-4)
        numpy.testing.assert_allclose(self.predicted("predict", "gp", 0)[:, 0], mean, rtol=1e-3, atol=1e-3)

    def test_random_forest(self):
        truth = self.truth(self.others)
        ours, theirs = [], []
        for seed in range(SEEDS):
            ours.append(self.predicted("predict", "forest", seed)[:, 0])
            model = RandomForestRegressor(random_state=seed).fit(self.points, self.values)
            theirs.append(model.predict(self.others))
        # The means over the seeds are forests of a thousand trees: nearly without chance.
        difference = numpy.mean(ours, 0) - numpy.mean(theirs, 0)
        spread = numpy.std(theirs, 0, ddof=1) * numpy.sqrt(2 / SEEDS)
        self.assertLess(numpy.mean((difference / spread) ** 2), 1.6)
        scores = [[r2_score(truth, one) for one in side] for side in (ours, theirs)]
        error = numpy.sqrt((numpy.var(scores[0], ddof=1) + numpy.var(scores[1], ddof=1)) / SEEDS)
        self.assertLess(abs(numpy.mean(scores[0]) - numpy.mean(scores[1])), 4 * error + 0.001)


if __name__ == "__main__":
    TOOL = sys.argv.pop(1)
    unittest.main(verbosity=2)
