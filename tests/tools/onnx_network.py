"""Executes the text form of a network with PyTorch, for one sample at a time: what the layers are said to compute,
written a second time and in another way than in the library.

  onnx_network.py FOLDER NAME...

reads NAME.txt, NAME.safetensors and the samples in NAME.npz, and writes NAME.network.npy.
"""

import json
import math
import pathlib
import re
import sys

import numpy as np
import torch
import torch.nn.functional as F


def read_tensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, info in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = info["data_offsets"]
            tensors[name] = torch.tensor(np.frombuffer(data[8 + size + begin:8 + size + end], np.float32).copy()).reshape(
                info["shape"])
    return tensors


def read_lines(text):
    """(name, kind, inputs, settings) of each layer, and the names of the outputs."""
    layers = []
    for line in text.splitlines()[1:]:
        if line.startswith("#"):
            continue
        if line.startswith("return "):
            return layers, [name.strip() for name in line[7:].split(",")]
        name, call = line.split(" = ", 1)
        kind, rest = call[:-1].split("(", 1)
        pieces, depth = [""], 0
        for c in rest:
            depth += (c in "([") - (c in ")]")
            if c == "," and depth == 0:
                pieces.append("")
            else:
                pieces[-1] += c
        pieces = [piece.strip() for piece in pieces if piece.strip()]
        settings = dict(piece.split("=", 1) for piece in pieces if "=" in piece)
        layers.append((name, kind, [piece for piece in pieces if "=" not in piece], settings))
    raise ValueError("no outputs")


FUNCTIONS = {
    "relu": torch.relu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "erf": torch.erf, "exp": torch.exp,
    "softplus": F.softplus, "square": torch.square, "add": lambda a, b: a + b, "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b, "div": lambda a, b: a / b, "cube": lambda a: a**3, "sqrt": torch.sqrt,
    "max": lambda a, b: torch.maximum(torch.as_tensor(float(a)) if not torch.is_tensor(a) else a,
                                      torch.as_tensor(float(b)) if not torch.is_tensor(b) else b),
    "min": lambda a, b: torch.minimum(torch.as_tensor(float(a)) if not torch.is_tensor(a) else a,
                                      torch.as_tensor(float(b)) if not torch.is_tensor(b) else b),
    "min0": lambda a: torch.clamp(a, max=0), "reciprocal": torch.reciprocal,
}


def numbers(text):
    return [int(part) for part in text.split("x")]


def padded(x, text, size, value=0.0):
    """Zeros around the spatial extents, as the setting `padding` says."""
    if text == "valid":
        return x
    parts = text.split("x")
    parts = parts * size if len(parts) == 1 else parts
    pads = []
    for part in reversed(parts):
        before, _, after = part.partition(":")
        pads += [int(before), int(after or before)]
    return F.pad(x, pads, value=value)


class Network:
    def __init__(self, text, tensors):
        self.layers, self.outputs = read_lines(text)
        self.tensors = tensors

    def run(self, sample):
        self.values, self.axes = {}, {}
        for name, kind, inputs, settings in self.layers:
            weights = {key[len(name) + 1:]: value for key, value in self.tensors.items()
                       if key.startswith(name + ":")}
            arguments = [self.values[i] for i in inputs]
            if kind == "input":
                self.values[name] = sample[name]
                continue
            self.values[name] = getattr(self, kind)(*arguments, w=weights, s=settings)
        return self.values[self.outputs[0]]

    def activation(self, x, w, s):
        text = re.sub(r"alpha\[[^]]*\]\(", "alpha(", s["function"])
        scale = w.get("alpha")

        def alpha(a):
            return a * (scale.reshape([-1] + [1] * (a.dim() - 1)) if scale.numel() > 1 else scale)

        return eval(text, {**FUNCTIONS, "x": x, "alpha": alpha})  # text of our own program

    def conv(self, x, w, s):
        size = x.dim() - 1
        x = padded(x, s.get("padding", "valid"), size)
        run = [F.conv1d, F.conv2d, F.conv3d][size - 1]
        return run(x[None], w["kernel"], w.get("bias"), stride=numbers(s.get("stride", "1")),
                   dilation=numbers(s.get("dilation", "1")), groups=int(s.get("groups", 1)))[0]

    def transposed_conv(self, x, w, s):
        run = [F.conv_transpose1d, F.conv_transpose2d][x.dim() - 2]
        return run(x[None], w["kernel"], w.get("bias"), stride=numbers(s.get("stride", "1")),
                   padding=numbers(s.get("margin", "0")), output_padding=numbers(s.get("extra", "0")),
                   groups=int(s.get("groups", 1)))[0]

    def dense(self, x, w, s):
        return F.linear(x, w["kernel"], w.get("bias"))

    def embedding(self, x, w, s):
        return w["table"][x.long()]

    def batch_norm(self, x, w, s):
        return F.batch_norm(x[None], w["running_mean"], w["running_variance"], w["gain"], w["offset"],
                            eps=float(s.get("epsilon", 1e-5)))[0]

    def layer_norm(self, x, w, s):
        return F.layer_norm(x, x.shape[-1:], w["gain"], w["offset"], eps=float(s.get("epsilon", 1e-5)))

    def group_norm(self, x, w, s):
        return F.group_norm(x[None], int(s["groups"]), w["gain"], w["offset"], eps=float(s.get("epsilon", 1e-5)))[0]

    def max_pool(self, x, w, s):
        x = padded(x, s.get("padding", "valid"), x.dim() - 1, -math.inf)
        return F.max_pool2d(x[None], numbers(s["size"]), numbers(s["stride"]))[0]

    def average_pool(self, x, w, s):
        assert "padding" not in s
        return F.avg_pool2d(x[None], numbers(s["size"]), numbers(s["stride"]))[0]

    def global_average_pool(self, x, w, s):
        return x.flatten(1).mean(1)

    def zero_padding(self, x, w, s):
        return padded(x, s["padding"], x.dim() - 1)

    def cropping(self, x, w, s):
        for axis, part in enumerate(s["margin"].split("x")):
            before, _, after = part.partition(":")
            x = x.narrow(axis + 1, int(before), x.shape[axis + 1] - int(before) - int(after or before))
        return x

    def up_sampling(self, x, w, s):
        return F.interpolate(x[None], scale_factor=int(s.get("factor", 2)), mode=s.get("mode", "nearest"))[0]

    def reduce_mean(self, x, w, s):
        return x.mean(numbers(s["axes"]), keepdim=s.get("keep") == "true")

    def softmax(self, x, w, s):
        return torch.softmax(x, int(s.get("axis", -1)))

    def dropout(self, x, w, s):
        return x

    def flatten(self, x, w, s):
        return x.reshape(-1)

    def reshape(self, x, w, s):
        return x.reshape(numbers(s["shape"]))

    def permute(self, x, w, s):
        return x.permute(numbers(s["order"]))

    def slice(self, x, w, s):
        return x.narrow(int(s["axis"]), int(s.get("begin", 0)), int(s["length"]))

    def concatenate(self, *x, w, s):
        return torch.cat(x, int(s["axis"]))

    def constant(self, w, s):
        return w["value"] if "value" in w else torch.full(numbers(s["shape"]), float(s.get("mean", 0)))

    def add(self, a, b, w, s):
        return a + b

    def multiply(self, a, b, w, s):
        return a * b

    def matmul(self, a, b, w, s):
        return a @ b * float(s.get("scale", 1))

    def lstm(self, x, w, s):
        units, steps = int(s["units"]), []
        h, c = torch.zeros(units), torch.zeros(units)
        for row in x:
            i, f, g, o = (w["kernel"] @ row + w["recurrent_kernel"] @ h + w["bias"]).split(units)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            steps.append(h)
        return torch.stack(steps) if s.get("sequence") == "true" else h

    def gru(self, x, w, s):
        units, steps = int(s["units"]), []
        h = torch.zeros(units)
        for row in x:
            a = (w["kernel"] @ row + w["bias"]).split(units)
            b = (w["recurrent_kernel"] @ h + w["recurrent_bias"]).split(units)
            r, z = torch.sigmoid(a[0] + b[0]), torch.sigmoid(a[1] + b[1])
            h = (1 - z) * torch.tanh(a[2] + r * b[2]) + z * h
            steps.append(h)
        return torch.stack(steps) if s.get("sequence") == "true" else h

    def simple_rnn(self, x, w, s):
        steps, h = [], torch.zeros(int(s["units"]))
        for row in x:
            h = torch.tanh(w["kernel"] @ row + w["recurrent_kernel"] @ h + w["bias"])
            steps.append(h)
        return torch.stack(steps) if s.get("sequence") == "true" else h


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        network = Network((folder / f"{name}.txt").read_text(), read_tensors(folder / f"{name}.safetensors"))
        axis = 1 if "time_first" in name else 0
        inputs = {key: torch.tensor(value).float() for key, value in np.load(folder / f"{name}.npz").items()}
        count = next(iter(inputs.values())).shape[axis]
        rows = [network.run({key: value.select(axis, i) for key, value in inputs.items()}) for i in range(count)]
        np.save(folder / f"{name}.network.npy", torch.stack(rows).numpy())


if __name__ == "__main__":
    with torch.no_grad():
        main()
