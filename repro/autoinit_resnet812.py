#!/usr/bin/env python3
"""Does AutoInit keep a very deep network's signal? The dissertation's section "Stability in Deep ResNets" says of ResNet-812
without normalisation that with the default initialisation, "He Normal", signals "explode so severely that they exceed
machine precision", that it cannot be trained, and that AutoInit avoids both. Keras' own default is Glorot's; it is shown too.

    repro/autoinit_resnet812.py [--input 3x8x8] [--draws 64] [--singles 8] [--samples 8] [--steps 28]

1. The variance of the signal after some of the 270 residual sums, predicted and measured (random input, some images for each
   draw of the weights).
2. Measured over predicted variance at all sums and all convolutions: of the mean over draws, of single draws, and of
   single draws that LSUV corrected by random input.
3. A few steps of training on digits (8x8), at several learning rates. --steps 0 leaves them out.
It takes a minute on one core without the training, and three more with it.
"""
import argparse
import json
import math
import os
import subprocess
import sys

NET = "resnet-v2-812-nobn"
METHODS = ("he-normal", "glorot-uniform", "autoinit")
SHOWN_SUMS = (1, 30, 60, 90, 120, 150, 180, 210, 240, 270)
RATES = ("1e-8", "1e-4", "1e-3", "1e-2", "0.1")
LARGEST_FLOAT = 3.4028e38
BATCH = 32


def answer_of(options, *arguments):
    run = subprocess.run([options.program, *arguments, "--threads", str(options.threads), "--json"], capture_output=True,
                         check=False)
    if run.returncode != 0:
        raise SystemExit(run.stderr.decode())
    return json.loads(run.stdout)


def checked_nodes(options, method, draws, seed):
    """Sums and convolutions, with what was predicted and measured."""
    answer = answer_of(options, "init", NET, "--input", options.input, "--method", method, "--check", "--draws", str(draws),
                       "--samples", str(options.samples), "--seed", str(seed))
    return [node for node in answer["nodes"] if node["kind"] in ("add", "conv")]


def measured(node):
    """What is no longer a number in JSON has exceeded what the program computes with."""
    return math.inf if node["empirical_variance"] is None else node["empirical_variance"]


def print_growth(options, nodes):
    print(f"{NET}, {options.input}: variance after residual sums, mean of {options.draws} draws")
    print(f"{'sum':>8}" + "".join(f"{method + ' predicted':>26}{'measured':>12}" for method in METHODS))
    sums = {method: [node for node in nodes[method] if node["kind"] == "add"] for method in METHODS}
    for number in SHOWN_SUMS:
        rows = [sums[method][number - 1] for method in METHODS]
        print(f"{number:>8}" + "".join(f"{row['variance']:>26.3g}{measured(row):>12.3g}" for row in rows))
    for method in METHODS:
        beyond = [i for i, row in enumerate(sums[method], 1) if measured(row) > LARGEST_FLOAT]
        print(f"{method}: " + (f"from sum {beyond[0]} on the variance is beyond the largest float, {LARGEST_FLOAT:.1e}"
                               if beyond else "the variance stays within floats"))


def ratios(nodes, kind):
    return [measured(node) / node["variance"] for node in nodes if node["kind"] == kind]


def print_ratios(title, nodes):
    sums, kernels = ratios(nodes, "add"), ratios(nodes, "conv")
    beyond = sum(not 0.5 <= ratio <= 2 for ratio in sums), sum(not 0.5 <= ratio <= 2 for ratio in kernels)
    print(f"{title:<20}{min(sums):>9.2f} to {max(sums):.2f}{beyond[0]:>8} of {len(sums)}"
          f"{min(kernels):>10.2f} to {max(kernels):.2f}{beyond[1]:>6} of {len(kernels)}")


def print_prediction(options, mean_nodes):
    print(f"\nmeasured/predicted variance\n{'':<20}{'residual sums':>16}{'beyond 2x':>16}"
          f"{'convolutions':>18}{'beyond 2x':>13}")
    print_ratios(f"autoinit, {options.draws} draws", mean_nodes)
    for method in ("autoinit", "lsuv"):
        for seed in range(1, options.singles + 1):
            print_ratios(f"{method}, draw {seed}", checked_nodes(options, method, 1, seed))


def training(options, method, rate):
    answer = answer_of(options, "train", "--net", NET, "--data", "digits", "--subset", str(BATCH * options.steps), "--batch",
                       str(BATCH), "--epochs", "1", "--init", method, "--learning-rate", rate)
    if answer["train_loss"] is None:
        return answer["reason"]
    return f"loss {answer['train_loss']:.3g}, validation {100 * answer['validation_accuracy']:.0f}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--program", default=os.path.join(here, "..", "build", "actforge"))
    parser.add_argument("--input", default="3x8x8")
    parser.add_argument("--draws", type=int, default=64)
    parser.add_argument("--singles", type=int, default=8)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--steps", type=int, default=28)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    nodes = {method: checked_nodes(options, method, options.draws, 0) for method in METHODS}
    print_growth(options, nodes)
    print_prediction(options, nodes["autoinit"])
    if options.steps > 0:
        print(f"\n{options.steps} steps of {BATCH} images: mean loss of the steps, and accuracy after them")
        for method in METHODS:
            for rate in RATES:
                print(f"{method:<16}rate {rate:<6}{training(options, method, rate)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
