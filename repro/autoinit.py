#!/usr/bin/env python3
"""Does AutoInit help? Small cousins of the dissertation's experiments "Stability in Deep ResNets" and "Hyperparameter
Variation in CNNs", on real images, with intervals.

    repro/autoinit.py [--program build/actforge] [--data fashion-mnist] [--subset 2000] [--epochs 3] [--seeds 3]

1. ResNet-mini without batch normalisation, over learning rates from 1e-4 to 1.
2. All-CNN-mini over activation functions.
3. All-CNN-mini over dropout rates (after the third and the sixth convolution, as All-CNN-C has it).
Each cell: mean validation accuracy, and half the width of a 95% interval (Student's t) over seeds; a run that diverged
counts as guessing, 10%. Test images are never looked at.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

METHODS = ("he-normal", "glorot-uniform", "autoinit", "autoinit++")
RATES = ("1e-4", "1e-3", "1e-2", "0.03", "0.1", "0.3", "1")
FUNCTIONS = ("relu(x)", "elu(x)", "selu(x)", "tanh(x)", "swish(x)", "gelu(x)", "sigmoid(x)",
             "log_sigmoid(x)*arcsinh(x)")
DROPOUT = (0, 0.3, 0.5, 0.7)
STUDENT = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}


class Runner:
    def __init__(self, options):
        self.options = options
        self.results = []

    def accuracy(self, net, method, seed, *more):
        o = self.options
        run = subprocess.run([o.program, "train", "--net", net, "--data", o.data, "--subset", str(o.subset), "--epochs",
                              str(o.epochs), "--seed", str(seed), "--init", method, "--recipe", "mini", "--chance-epochs",
                              "0", "--threads", str(o.threads), "--json", *more], capture_output=True, check=False)
        if run.returncode != 0:
            raise SystemExit(run.stderr.decode())
        answer = json.loads(run.stdout)
        value = answer["validation_accuracy"]
        return 0.1 if value is None else value

    def cell(self, table, row, net, method, *more):
        values = [self.accuracy(net, method, seed, *more) for seed in range(self.options.seeds)]
        self.results.append({"table": table, "row": row, "method": method, "accuracies": values})
        half = (STUDENT.get(len(values), 2.2) * statistics.stdev(values) / math.sqrt(len(values))
                if len(values) > 1 else float("nan"))
        return f"{100 * statistics.mean(values):5.1f} ±{100 * half:5.1f}"

    def table(self, title, rows):
        """rows: (label, network, more arguments)"""
        print(f"\n{title}: validation accuracy in percent, {self.options.seeds} seeds, {self.options.epochs} epochs of "
              f"{self.options.subset} images of {self.options.data}")
        print(f"{'':<28}" + "".join(f"{method:>16}" for method in METHODS))
        for label, net, more in rows:
            print(f"{label:<28}", end="", flush=True)
            for method in METHODS:
                print(f"{self.cell(title, label, net, method, *more):>16}", end="", flush=True)
            print()

    def dropout_network(self, folder, rate):
        """All-CNN-mini with a dropout after its third and sixth activation."""
        text = subprocess.run([self.options.program, "net", "show", "allcnn-mini", "--text", "--input", self.input_shape()],
                              capture_output=True, check=True).stdout.decode()
        for number in (3, 6):
            name = f"activation_{number}"
            begin = text.index("\n", text.index(f"\n{name} = ") + 1) + 1
            text = (text[:begin] + f"drop_{number} = dropout({name}, rate={rate})\n" +
                    text[begin:].replace(f"({name},", f"(drop_{number},"))
        path = os.path.join(folder, f"dropout-{rate}.net")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def input_shape(self):
        rows = json.loads(subprocess.run([self.options.program, "data", "list", "--json"], capture_output=True,
                                         check=True).stdout)
        row = next(row for row in rows if row["name"] == self.options.data)
        return f"{row['channels']}x{row['height']}x{row['width']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--program", default=os.path.join(here, "..", "build", "actforge"))
    parser.add_argument("--data", default="fashion-mnist")
    parser.add_argument("--subset", type=int, default=2000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", help="keep every accuracy in this file")
    options = parser.parse_args()
    runner = Runner(options)
    runner.table("ResNet-mini without normalisation, by learning rate",
                 [(rate, "resnet-mini-nobn", ("--learning-rate", rate)) for rate in RATES])
    runner.table("All-CNN-mini, by activation function",
                 [(f, "allcnn-mini", ("--activation", f)) for f in FUNCTIONS])
    with tempfile.TemporaryDirectory() as folder:
        runner.table("All-CNN-mini, by dropout rate",
                     [(str(rate), runner.dropout_network(folder, rate), ()) for rate in DROPOUT])
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(runner.results, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
