#!/usr/bin/env python3
"""Builds the benchmarks in data/benchmarks: all functions of aquasurf-3, three networks on Fashion-MNIST, three seeds each.

    repro/benchmarks.py [--program build/actforge] [--folder benchmark-runs] [--only allcnn-mini] [--seeds 3] [--workers 2]

A seed of one network takes about 40 minutes on two cores. It can be stopped at any moment and goes on where it was. Every function is
trained once before any is trained again, so a benchmark with fewer seeds can be written at any time; each is written when it has
all of them. `actforge bench check data/benchmarks/NAME.bench` trains a random sample of the rows again.
"""
import argparse
import os
import subprocess

# Chosen on a pilot of 40 functions, three seeds, before any benchmark was begun: the shortest training at which functions differ by
# more than seeds do, also among the better half.
TRAINING = {
    "allcnn-mini": ["--subset", "1000", "--validation", "1000", "--epochs", "4", "--batch", "16", "--warmup", "0.5", "--learning-rate",
                    "0.02"],
}


def build(options, network):
    place = os.path.join(options.folder, f"{network}.db")
    subprocess.run([options.program, "bench", "build", "--study", place, "--space", "aquasurf-3", "--net", network, "--data",
                    "fashion-mnist", "--init", "autoinit", *TRAINING[network], "--runs", str(options.seeds), "--workers",
                    str(options.workers)], check=True)
    return place


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(here, "build", "actforge"))
    parser.add_argument("--folder", default="benchmark-runs")
    parser.add_argument("--output", default=os.path.join(here, "data", "benchmarks"))
    parser.add_argument("--only", choices=TRAINING, action="append")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    os.makedirs(options.output, exist_ok=True)
    for network in options.only or TRAINING:
        place = build(options, network)
        subprocess.run([options.program, "bench", "write", place, "-o", os.path.join(options.output, f"{network}.bench")], check=True)


if __name__ == "__main__":
    main()
