#!/usr/bin/env python3
"""Does AutoInit help? Small cousins of the dissertation's experiments "Stability in Deep ResNets" and "Hyperparameter
Variation in CNNs", on real images, with intervals.

    repro/autoinit.py [--jobs 2] [--data digits] [--subset 900] [--epochs 5] [--seeds 5] [--results FILE]

1. ResNet-mini without batch normalisation, over learning rates from 1e-4 to 1.
2. All-CNN-mini over activation functions.
3. All-CNN-mini over dropout rates (after the third and the sixth convolution, as All-CNN-C has it).
Each cell: mean validation accuracy in percent, and half the width of a 95% interval (Student's t) over seeds. A training
that diverged counts as guessing, 10%; if some trainings of a cell end below 15%, the cell says how many did not ("3/5"). The
last two columns are AutoInit's mean minus that of He and of Glorot, paired by seed, with the same interval; * marks those
whose interval excludes zero. Test images are never used.

Every training is recorded in FILE as it ends. Started again with the same settings, the program continues where it was
stopped; a finished one prints its tables again. Remove FILE after changing the program.
"""
import argparse
import concurrent.futures
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
# Half of a 95% interval in standard errors, for 2, 3, ... numbers.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
GUESSING, TRAINED = 0.1, 0.15


def interval(values):
    """The mean, and half the width of its interval; that is None for a single number."""
    mean = statistics.mean(values)
    if len(values) < 2:
        return mean, None
    factor = STUDENT[len(values) - 2] if len(values) - 2 < len(STUDENT) else 2.2
    return mean, factor * statistics.stdev(values) / math.sqrt(len(values))


class Runs:
    """Trains, and remembers in a file of one line per run."""

    def __init__(self, options):
        self.options = options
        self.known = {}
        if not os.path.exists(options.results):
            return
        with open(options.results, "r+b") as file:
            text = file.read()
            whole = text[:text.rfind(b"\n") + 1]  # the last line may have been cut off
            file.truncate(len(whole))
        for line in whole.splitlines():
            record = json.loads(line)
            self.known[record["run"]] = record["accuracy"]

    def key(self, row, method, seed):
        o = self.options
        return " ".join((o.data, f"subset={o.subset}", f"epochs={o.epochs}", row["id"], method, f"seed={seed}"))

    def train(self, row, method, seed):
        o = self.options
        run = subprocess.run([o.program, "train", "--net", row["net"], "--data", o.data, "--subset", str(o.subset),
                              "--epochs", str(o.epochs), "--seed", str(seed), "--init", method, "--recipe", "mini",
                              "--chance-epochs", "0", "--threads", "1", "--json", *row["more"]], capture_output=True,
                             check=False)
        if run.returncode != 0:
            raise SystemExit(run.stderr.decode())
        accuracy = json.loads(run.stdout)["validation_accuracy"]
        return GUESSING if accuracy is None else accuracy

    def complete(self, tables):
        wanted = [(row, method, seed) for _, rows in tables for row in rows for method in METHODS
                  for seed in range(self.options.seeds)]
        missing = [run for run in wanted if self.key(*run) not in self.known]
        print(f"{len(wanted)} trainings, {len(missing)} to do", file=sys.stderr)
        with (open(self.options.results, "a", encoding="utf-8") as file,
              concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool):
            futures = {pool.submit(self.train, *run): self.key(*run) for run in missing}
            try:
                for done in concurrent.futures.as_completed(futures):
                    key = futures[done]
                    self.known[key] = done.result()
                    file.write(json.dumps({"run": key, "accuracy": self.known[key]}) + "\n")
                    file.flush()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def accuracies(self, row, method):
        return [self.known[self.key(row, method, seed)] for seed in range(self.options.seeds)]


def cell(values):
    mean, half = interval(values)
    trained = sum(value >= TRAINED for value in values)
    text = f"{100 * mean:.1f}" + (f" ±{100 * half:4.1f}" if half is not None else "")
    return text + (f" {trained}/{len(values)}" if trained < len(values) else "    ")


def difference(values, others):
    mean, half = interval([a - b for a, b in zip(values, others)])
    if half is None:
        return f"{100 * mean:+.1f}"
    return f"{100 * mean:+.1f} ±{100 * half:4.1f}{'*' if abs(mean) > half else ' '}"


def print_table(title, rows, runs):
    o = runs.options
    print(f"\n{title}: {o.seeds} seeds, {o.epochs} epochs of {o.subset} images of {o.data}")
    print(f"{'':<26}" + "".join(f"{text:>17}" for text in (*METHODS, "AutoInit-He", "AutoInit-Glorot")))
    for row in rows:
        columns = {method: runs.accuracies(row, method) for method in METHODS}
        texts = [cell(values) for values in columns.values()]
        texts += [difference(columns["autoinit"], columns[other]) for other in METHODS[:2]]
        print(f"{row['label']:<26}" + "".join(f"{text:>17}" for text in texts))


def input_shape(options):
    rows = json.loads(subprocess.run([options.program, "data", "list", "--json"], capture_output=True,
                                     check=True).stdout)
    row = next(row for row in rows if row["name"] == options.data)
    return f"{row['channels']}x{row['height']}x{row['width']}"


def dropout_network(options, folder, rate):
    """All-CNN-mini with a dropout after its third and sixth activation."""
    text = subprocess.run([options.program, "net", "show", "allcnn-mini", "--text", "--input", input_shape(options)],
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


def row_of(label, net, *more, kind):
    return {"label": label, "id": f"{kind}={label}", "net": net, "more": more}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    build = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build")
    parser.add_argument("--program", default=os.path.join(build, "actforge"))
    parser.add_argument("--data", default="digits")
    parser.add_argument("--subset", type=int, default=900)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="trainings at a time, each on one thread")
    parser.add_argument("--results", default=os.path.join(build, "autoinit.jsonl"), help="where every training is recorded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables = [
            ("ResNet-mini without normalisation, by learning rate",
             [row_of(rate, "resnet-mini-nobn", "--learning-rate", rate, kind="rate") for rate in RATES]),
            ("All-CNN-mini, by activation function",
             [row_of(f, "allcnn-mini", "--activation", f, kind="function") for f in FUNCTIONS]),
            ("All-CNN-mini, by dropout rate",
             [row_of(str(rate), dropout_network(options, folder, rate), kind="dropout") for rate in DROPOUT]),
        ]
        runs = Runs(options)
        runs.complete(tables)
    for title, rows in tables:
        print_table(title, rows, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
