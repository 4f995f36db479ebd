#!/usr/bin/env python3
"""Builds the benchmarks in data/benchmarks: a network trained with all functions of aquasurf-3, several seeds each.

    repro/benchmarks.py [--program build/actforge] [--folder benchmark-runs] [--only mlp-digits] [--workers 2]

`mlp-digits` takes some minutes on two cores, a seed of `allcnn-fashion` about 40. It can be stopped at any moment and goes on where it
was. Every function is trained once before any is trained again, so a benchmark with fewer seeds can be written at any time; each is
written when it has all of them. `actforge bench check data/benchmarks/NAME.bench` trains a random sample of the rows again.
"""
import argparse
import os
import subprocess

COMMON = ["--space", "aquasurf-3", "--init", "autoinit", "--batch", "16", "--warmup", "0.5", "--learning-rate", "0.02"]
# Of allcnn-fashion, chosen on a pilot of 40 functions, three seeds, before it was begun: the shortest of three trainings at which functions
# differ by more than seeds do, also among the better half.
BENCHMARKS = {
    "mlp-digits": ["--net", "mlp-3-32", "--data", "digits", "--subset", "700", "--validation", "500", "--epochs", "3", "--runs", "5"],
    "allcnn-fashion": ["--net", "allcnn-mini", "--data", "fashion-mnist", "--subset", "1000", "--validation", "1000", "--epochs", "4",
                       "--runs", "3"],
}


def build(options, name):
    place = os.path.join(options.folder, f"{name}.db")
    subprocess.run([options.program, "bench", "build", "--study", place, *COMMON, *BENCHMARKS[name], "--workers", str(options.workers)],
                   check=True)
    return place


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(here, "build", "actforge"))
    parser.add_argument("--folder", default="benchmark-runs")
    parser.add_argument("--output", default=os.path.join(here, "data", "benchmarks"))
    parser.add_argument("--only", choices=BENCHMARKS, action="append")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    os.makedirs(options.output, exist_ok=True)
    for name in options.only or BENCHMARKS:
        place = build(options, name)
        subprocess.run([options.program, "bench", "write", place, "-o", os.path.join(options.output, f"{name}.bench")], check=True)


if __name__ == "__main__":
    main()
