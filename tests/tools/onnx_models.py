"""Makes ONNX files the way other programs do, with inputs to try them on.

  onnx_models.py onnx|torch FOLDER

`onnx`: node by node with the onnx package, in several operator sets. `torch`: by PyTorch's exporter. Next to each
NAME.onnx there is NAME.npz with its inputs.
"""

import pathlib
import sys
import warnings

import numpy as np


def save_inputs(folder, name, inputs):
    np.savez(folder / f"{name}.npz", **inputs)


# ---- with the onnx package


def make_with_onnx(folder):
    from onnx import TensorProto, helper, numpy_helper, save

    random = np.random.default_rng(1)

    def array(*shape):
        return (random.standard_normal(shape) * 0.5).astype(np.float32)

    def store(name, opset, nodes, weights, inputs, output_shape, half=False):
        kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
        graph = helper.make_graph(
            nodes,
            name,
            [helper.make_tensor_value_info(k, kind, v.shape) for k, v in inputs.items()],
            [helper.make_tensor_value_info("y", kind, output_shape)],
            [numpy_helper.from_array(v.astype(np.float16) if half and v.dtype == np.float32 else v, k)
             for k, v in weights.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
        save(model, folder / f"{name}.onnx")
        save_inputs(folder, name, {k: v.astype(np.float16) if half else v for k, v in inputs.items()})
        return model

    node = helper.make_node
    for opset in (7, 9, 11, 13, 17, 21):
        clip = (
            [node("Clip", ["c"], ["a"], name="relu6", min=0.0, max=6.0)]
            if opset < 11
            else [node("Clip", ["c", "low", "high"], ["a"], name="relu6")]
        )
        weights = {
            "w": array(4, 3, 3, 3), "b": array(4), "fw": array(4 * 4 * 4, 5), "fb": array(5),
            "gain": array(4) + 2, "offset": array(4), "mean": array(4), "variance": np.abs(array(4)) + 1,
        }
        if opset >= 11:
            weights |= {"low": np.float32(0), "high": np.float32(6)}
        store(f"cnn_{opset}", opset, [
            node("Conv", ["x", "w", "b"], ["c0"], name="conv", pads=[1, 1, 1, 1]),
            node("BatchNormalization", ["c0", "gain", "offset", "mean", "variance"], ["c"], name="norm"),
            *clip,
            node("MaxPool", ["a"], ["p"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
            node("Flatten", ["p"], ["f"], name="flat"),
            node("Gemm", ["f", "fw", "fb"], ["g"], name="dense", alpha=0.5),
            node("Softmax", ["g"], ["y"], name="soft", axis=1),
        ], weights, {"x": array(2, 3, 8, 8)}, [2, 5])
    store("half_13", 13, [node("MatMul", ["x", "w"], ["m"]), node("Tanh", ["m"], ["y"], name="tanh")],
          {"w": array(3, 4)}, {"x": array(2, 3)}, [2, 4], half=True)
    store("norm_17", 17, [node("LayerNormalization", ["x", "g", "b"], ["n"], name="norm"),
                          node("HardSwish", ["n"], ["y"], name="swish")],
          {"g": array(6), "b": array(6)}, {"x": array(2, 5, 6)}, [2, 5, 6])
    store("gelu_20", 20, [node("MatMul", ["x", "w"], ["m"]), node("Gelu", ["m"], ["y"], name="gelu")],
          {"w": array(3, 4)}, {"x": array(2, 3)}, [2, 4])
    store("mixed_13", 13, [
        node("Split", ["x", "sizes"], ["p", "q"], name="split", axis=1),
        node("Pad", ["p", "pads"], ["padded"], name="pad"),
        node("ConvTranspose", ["q", "w"], ["t"], name="up", strides=[2, 2], pads=[1, 0, 0, 1]),
        node("Resize", ["padded", "", "scales"], ["r"], name="resize", mode="nearest",
             coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
        node("Concat", ["r", "t"], ["c"], name="concat", axis=1),
        node("Mul", ["c", "factor"], ["m"], name="scale"),
        node("ReduceMean", ["m"], ["y"], name="mean", axes=[2], keepdims=0),
    ], {"sizes": np.array([2, 3], np.int64), "pads": np.array([0, 0, 0, 0, 0, 0, 1, 1], np.int64),
        "w": array(3, 2, 5, 5), "scales": np.array([1, 1, 2, 2], np.float32), "factor": array(4, 1, 1)},
        {"x": array(2, 5, 3, 3)}, [2, 4, 8])
    # Large numbers in a file of their own.
    weights = {"w": array(40, 30), "b": array(30)}
    model = store("external_13", 13, [node("Gemm", ["x", "w", "b"], ["g"]), node("Relu", ["g"], ["y"], name="relu")],
                  weights, {"x": array(2, 40)}, [2, 30])
    save(model, folder / "external_13.onnx", save_as_external_data=True, location="external_13.bin", size_threshold=64)


# ---- with PyTorch's exporter


def make_with_torch(folder):
    import torch
    from torch import nn

    warnings.filterwarnings("ignore")
    torch.manual_seed(1)

    class Residual(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Conv2d(8, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)
            self.c, self.d = nn.Linear(8, 4), nn.Linear(4, 8)
            self.norm = nn.GroupNorm(2, 8)

        def forward(self, x):
            y = self.b(torch.relu(self.a(x)))
            gate = torch.sigmoid(self.d(nn.functional.gelu(self.c(y.mean((2, 3))))))
            return nn.functional.hardswish(x + self.norm(y) * gate[:, :, None, None])

    class Recurrent(nn.Module):
        def __init__(self, cell, first):
            super().__init__()
            self.cell, self.out, self.first = cell(5, 7, batch_first=first), nn.Linear(7, 3), first

        def forward(self, x):
            y, _ = self.cell(x)
            return self.out(y[:, -1] if self.first else y[-1])

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.place = nn.Embedding(50, 16), nn.Parameter(torch.randn(6, 16))
            self.layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu")
            self.out = nn.Linear(16, 5)

        def forward(self, x):
            return self.out(self.layer(self.table(x) + self.place).mean(1))

    class Generator(nn.Module):
        def __init__(self):
            super().__init__()
            self.start, self.up = nn.Linear(10, 8 * 4 * 4), nn.ConvTranspose2d(8, 4, 4, 2, 1)
            self.larger, self.slope = nn.Upsample(scale_factor=2), nn.PReLU(4)

        def forward(self, x):
            return torch.tanh(self.larger(self.slope(self.up(self.start(x).view(-1, 8, 4, 4)))))

    cnn = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, groups=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(3, 2, ceil_mode=True),
        nn.Conv2d(8, 16, 3, padding=1, groups=2, stride=2), nn.Mish(), nn.AvgPool2d(3, 2, padding=1),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(), nn.Linear(16, 10), nn.Softmax(-1))
    image, sequence = torch.randn(2, 3, 16, 16), torch.randn(2, 4, 5)
    tokens = torch.randint(0, 50, (2, 6))
    cases = [(f"torch_cnn_{opset}", cnn, image, opset) for opset in (9, 11, 13, 16)]
    cases += [
        ("torch_residual", Residual(), torch.randn(2, 8, 6, 6), 13),
        ("torch_lstm", Recurrent(nn.LSTM, True), sequence, 13),
        ("torch_lstm_time_first", Recurrent(nn.LSTM, False), torch.randn(4, 2, 5), 11),
        ("torch_gru", Recurrent(nn.GRU, True), sequence, 13),
        ("torch_rnn", Recurrent(nn.RNN, True), sequence, 9),
        ("torch_transformer", Transformer(), tokens, 13),
        ("torch_generator", Generator(), torch.randn(2, 10), 13),
    ]
    for name, module, value, opset in cases:
        with torch.no_grad():
            for parameter in module.parameters():  # no two alike, so that none is written once for two
                parameter.add_(torch.randn_like(parameter) * 0.1)
        for form, axes in (("", None), ("_open", {"x": {0 if "time_first" not in name else 1: "N"}})):
            torch.onnx.export(module.eval(), value, folder / f"{name}{form}.onnx", opset_version=opset,
                              input_names=["x"], output_names=["y"], dynamic_axes=axes)
            save_inputs(folder, f"{name}{form}", {"x": value.numpy()})


if __name__ == "__main__":
    {"onnx": make_with_onnx, "torch": make_with_torch}[sys.argv[1]](pathlib.Path(sys.argv[2]))
