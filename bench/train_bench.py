#!/usr/bin/env python3
"""Training beside PyTorch: the same network, images, batch, schedule, initial weights and threads, in one run.

First the answer: allcnn-mini on 5,000 images of Fashion-MNIST, five epochs, several seeds; a difference
beyond the spread of the seeds is a failure (and the interval says how small a difference would have shown). Then the
speed, in images per second, the two taking turns.

    bench/train_bench.py [--program build/actforge] [--seeds 5] [--threads 1,2]
"""
import argparse
import gzip
import json
import math
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
import torch.nn.functional as F

FOLDER = "/usr/share/datasets/fashion-mnist"
SUBSET, EPOCHS, BATCH, RATE, MOMENTUM, DECAY, WARMUP = 5000, 5, 64, 0.02, 0.9, 5e-4, 1.0
RECIPE = ["--batch", str(BATCH), "--optimizer", "nesterov", "--momentum", str(MOMENTUM), "--weight-decay", str(DECAY),
          "--warmup", str(WARMUP), "--schedule", "cosine", "--label-smoothing", "0"]
# Speed is measured at a rate and from weights with which no function diverges: a diverged run ends early, and times little but its start.
SPEED_RATE, SPEED_SUBSET, TURNS = 1e-4, 3000, 3


class PerChannel(torch.nn.Module):
    """A function with learnable factors, one per channel."""

    def __init__(self, channels, count, function):
        super().__init__()
        self.factors = torch.nn.ParameterList(torch.nn.Parameter(torch.ones(channels, 1, 1)) for _ in range(count))
        self.function = function

    def forward(self, x):
        return self.function(x, *self.factors)


# What a user would write; the first two have fewer than three operators.
FUNCTIONS = {
    "relu(x)": (0, torch.relu),
    "swish(x)": (0, F.silu),
    "log_sigmoid(x)*arcsinh(x)": (0, lambda x: F.logsigmoid(x) * torch.asinh(x)),
    "sigmoid(softsign(x))*elu(x)": (0, lambda x: torch.sigmoid(F.softsign(x)) * F.elu(x)),
    "tanh(x)*min0(x)": (0, lambda x: torch.tanh(x) * torch.clamp_max(x, 0)),
    "log_sigmoid(alpha*x)*(beta*arcsinh(x))": (2, lambda x, a, b: F.logsigmoid(a * x) * (b * torch.asinh(x))),
    "max(swish(x),alpha*log_sigmoid(relu(x)))":
        (1, lambda x, a: torch.maximum(F.silu(x), a * F.logsigmoid(torch.relu(x)))),
}


class AllCnnMini(torch.nn.Module):
    def __init__(self, expression):
        super().__init__()
        count, function = FUNCTIONS[expression]
        self.convs, self.functions = torch.nn.ModuleList(), []
        channels = 1
        for filters in (16, 32):
            for stride in (1, 1, 2):
                self.convs.append(torch.nn.Conv2d(channels, filters, 3, stride, 1))
                self.functions.append(PerChannel(filters, count, function) if count else function)
                channels = filters
        self.last = torch.nn.Conv2d(channels, 10, 1)
        self.learned = torch.nn.ModuleList(f for f in self.functions if isinstance(f, torch.nn.Module))

    def forward(self, x):
        for conv, function in zip(self.convs, self.functions):
            x = function(conv(x))
        return self.last(x).mean((2, 3))


def load_fashion_mnist():
    with gzip.open(FOLDER + "/train-images-idx3-ubyte.gz") as file:
        images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 1, 28, 28)
    with gzip.open(FOLDER + "/train-labels-idx1-ubyte.gz") as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8)
    return images, labels


def read_safetensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            tensors[name] = torch.from_numpy(np.frombuffer(data[begin:end], np.float32).reshape(entry["shape"]).copy())
    return tensors


def rate_at(rate, epoch, epochs):
    if epoch < WARMUP:
        return rate * epoch / WARMUP
    return rate * 0.5 * (1 + math.cos(math.pi * (epoch - WARMUP) / (epochs - WARMUP)))


class Programs:
    def __init__(self, path):
        self.path = path
        self.images, self.labels = load_fashion_mnist()

    def run(self, *arguments):
        return json.loads(subprocess.run([self.path, *arguments, "--json"], check=True, capture_output=True).stdout)

    def ours(self, expression, seed, threads, *more, epochs=EPOCHS, rate=RATE, subset=SUBSET, init="he-normal"):
        return self.run("train", "--net", "allcnn-mini", "--data", "fashion-mnist", "--subset", str(subset), "--epochs",
                        str(epochs), "--activation", expression, "--seed", str(seed), "--threads", str(threads),
                        "--learning-rate", str(rate), "--init", init, *RECIPE, *more)

    def initial_weights(self, expression, seed, init):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights")
            self.ours(expression, seed, 1, "--save", path, epochs=0, init=init)
            return read_safetensors(path)

    def theirs(self, expression, seed, threads, channels_last, epochs=EPOCHS, rate=RATE, subset=SUBSET,
               init="he-normal"):
        """Accuracy on the validation images and images per second of training, data ready in memory as floats."""
        torch.set_num_threads(threads)
        torch.manual_seed(seed)
        split = self.run("data", "show", "fashion-mnist", "--subset", str(subset), "--seed", str(seed), "--indices")
        train, validation = split["train"]["indices"], split["validation"]["indices"]
        pixels = torch.from_numpy(self.images.astype(np.float32) / 255)
        mean, deviation = pixels[train].mean(), pixels[train].std(unbiased=False)
        x, y = (pixels[train] - mean) / deviation, torch.from_numpy(self.labels[train].astype(np.int64))
        layout = torch.channels_last if channels_last else torch.contiguous_format
        model = AllCnnMini(expression)
        weights = self.initial_weights(expression, seed, init)
        with torch.no_grad():
            for i, conv in enumerate([*model.convs, model.last]):
                conv.weight.copy_(weights[f"conv_{i + 1}.kernel"])
                conv.bias.copy_(weights[f"conv_{i + 1}.bias"])
        model = model.to(memory_format=layout)
        kernels = [p for p in model.parameters() if p.dim() == 4]
        others = [p for p in model.parameters() if p.dim() != 4]
        optimizer = torch.optim.SGD([{"params": kernels, "weight_decay": DECAY}, {"params": others}], lr=rate,
                                    momentum=MOMENTUM, nesterov=True)
        steps, seconds = math.ceil(len(train) / BATCH), 0.0
        for epoch in range(epochs):
            order = torch.randperm(len(train))
            begin = time.perf_counter()
            for step in range(steps):
                chosen = order[step * BATCH:(step + 1) * BATCH]
                images, labels = x[chosen].contiguous(memory_format=layout), y[chosen]
                for group in optimizer.param_groups:
                    group["lr"] = rate_at(rate, epoch + step / steps, epochs)
                optimizer.zero_grad(set_to_none=True)
                logits = model(images)
                loss = F.cross_entropy(logits, labels)
                loss.item()
                loss.backward()
                optimizer.step()
                (logits.argmax(1) == labels).sum().item()
            seconds += time.perf_counter() - begin
        with torch.no_grad():
            images = (pixels[validation] - mean) / deviation
            guesses = torch.cat([model(part).argmax(1) for part in images.split(256)]).numpy()
        return float((guesses == self.labels[validation]).mean()), epochs * len(train) / seconds


def check_answers(programs, seeds):
    print(f"allcnn-mini, {SUBSET} images of Fashion-MNIST, {EPOCHS} epochs, {seeds} seeds: validation accuracy")
    print(f"{'function':<44} {'actforge':>16} {'PyTorch':>16}   difference, 95% interval")
    good = True
    for expression in ("relu(x)", "swish(x)"):
        ours = [programs.ours(expression, s, 2)["validation_accuracy"] for s in range(seeds)]
        theirs = [programs.theirs(expression, s, 2, True)[0] for s in range(seeds)]
        difference = [a - b for a, b in zip(ours, theirs)]
        # Student's t for small samples; pairs share split and initial weights.
        t = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}.get(seeds, 2.1)
        middle, half = statistics.mean(difference), t * statistics.stdev(difference) / math.sqrt(seeds)
        same = abs(middle) <= max(half, 0.005)
        good = good and same
        print(f"{expression:<44} {statistics.mean(ours):>8.4f} ±{statistics.stdev(ours):.4f} "
              f"{statistics.mean(theirs):>8.4f} ±{statistics.stdev(theirs):.4f}   {middle:+.4f} ± {half:.4f}  "
              f"{'no difference found' if same else 'DIFFERENT'}")
    return good


def compare_speed(programs, threads, wanted):
    """The median over turns, of speeds and of ratios within a turn: a machine that others use is now fast, now slow."""
    print(f"\nimages per second of training, batch {BATCH}, {threads} thread(s); medians of {TURNS} turns")
    print(f"{'function':<44} {'actforge':>9} {'PyTorch':>9} {'channels-last':>13}   {'ratio':>5} {'to the faster':>13}")
    settings = {"epochs": 2, "rate": SPEED_RATE, "subset": SPEED_SUBSET, "init": "autoinit"}
    for expression in wanted:
        turns = []
        for seed in range(TURNS):
            run = programs.ours(expression, seed, threads, **settings)
            assert run["status"] == "completed", run["reason"]
            turns.append((run["images_per_second"], programs.theirs(expression, seed, threads, False, **settings)[1],
                          programs.theirs(expression, seed, threads, True, **settings)[1]))
        a, b, c = (statistics.median(column) for column in zip(*turns))
        plain = statistics.median(t[0] / t[1] for t in turns)
        fastest = statistics.median(t[0] / max(t[1:]) for t in turns)
        print(f"{expression:<44} {a:>9.0f} {b:>9.0f} {c:>13.0f}   {plain:>4.2f}x {fastest:>12.2f}x", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--program", default=os.path.join(here, "..", "build", "actforge"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--function", action="append", choices=FUNCTIONS, help="compare the speed of this one only")
    options = parser.parse_args()
    programs = Programs(options.program)
    good = check_answers(programs, options.seeds) if options.seeds else True
    for threads in options.threads.split(","):
        compare_speed(programs, int(threads), options.function or FUNCTIONS)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
