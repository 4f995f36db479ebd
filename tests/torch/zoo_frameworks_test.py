#!/usr/bin/env python3
"""Networks of the zoo beside those of torchvision and timm: the same weights, the same images, the same logits.

  zoo_frameworks_test.py --driver ZOO_DRIVER --root SOURCE_TREE

The layers of both come in the same order, that of execution, so the third convolution there is conv_3 here. Exit code
77: torchvision or timm is missing; `scripts/python-environment timm` installs them.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "expr"))
from export_frameworks_test import python_of, skip, variable_of  # noqa: E402

ENVIRONMENT = "timm"
# Of the largest logit. The double precision of both sides ends in a file of floats.
CLOSE = {"float": 2e-5, "double": 3e-7}

try:
    import timm
    import torch
    import torchvision
    from timm.models.maxxvit import Attention2d, MaxxVit, MaxxVitCfg, MaxxVitConvCfg, MaxxVitTransformerCfg
    from torch import nn
except ImportError:
    torch = None


# ---- their networks


def vision(name, **settings):
    return getattr(torchvision.models, name)(weights=None, num_classes=10, **settings)


def small_resnet(name):
    model = vision(name)
    model.conv1, model.maxpool = nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.Identity()
    return model


def small_densenet():
    model = vision("densenet121")
    model.features.conv0 = nn.Conv2d(3, 64, 3, padding=1, bias=False)
    for name in ("norm0", "relu0", "pool0"):
        setattr(model.features, name, nn.Identity())
    return model


def small_vgg(name):
    return nn.Sequential(vision(name).features, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))


def mobilevit(width, small=False):
    model = timm.create_model(f"mobilevitv2_{width}", num_classes=10)
    if small:
        model.stem.conv.stride = model.stages[1][0].conv2_kxk.conv.stride = (1, 1)
    return model


def coatnet(size):
    """timm's building blocks, put together as those of keras_cv_attention_models."""
    conv = MaxxVitConvCfg(expand_output=False, output_bias=False, pool_type="max2", attn_act_layer="gelu", attn_ratio=1 / 16)
    transformer = MaxxVitTransformerCfg(expand_first=False, shortcut_bias=False, attn_bias=False, pool_type="max2", norm_eps=1e-5)
    model = MaxxVit(MaxxVitCfg(embed_dim=(64, 128, 256, 512), depths=(3, 4, 6, 3), conv_cfg=conv, transformer_cfg=transformer),
                    img_size=size, num_classes=10)
    model.norm = nn.Identity()
    model.stages[0].blocks[0].shortcut.expand = nn.Conv2d(64, 64, 1, bias=False)
    for module in model.modules():
        if isinstance(module, Attention2d):
            module.head_first = module.fused_attn = False
        if type(module).__name__ == "ConvMlp":
            module.fc1.bias = module.fc2.bias = None
    return model


# Our name, their network, images.
CASES = [
    ("resnet-18", lambda: vision("resnet18"), (2, 3, 64, 80)),
    ("resnet-18", lambda: small_resnet("resnet18"), (2, 3, 28, 28)),
    ("resnet-34", lambda: vision("resnet34"), (1, 3, 64, 64)),
    ("resnet-50", lambda: vision("resnet50"), (1, 3, 97, 64)),
    ("resnet-50", lambda: small_resnet("resnet50"), (1, 3, 32, 32)),
    ("densenet-121", lambda: vision("densenet121"), (2, 3, 64, 64)),
    ("densenet-121", small_densenet, (2, 3, 32, 32)),
    ("vgg-11-bn", lambda: vision("vgg11_bn"), (1, 3, 224, 224)),
    ("vgg-13-bn", lambda: small_vgg("vgg13_bn"), (2, 3, 32, 32)),
    ("vgg-16", lambda: small_vgg("vgg16"), (2, 3, 32, 32)),
    ("mobilevitv2-0.5", lambda: mobilevit("050"), (2, 3, 160, 160)),
    ("mobilevitv2-0.75", lambda: mobilevit("075"), (2, 3, 64, 96)),
    ("mobilevitv2-0.5", lambda: mobilevit("050", small=True), (2, 3, 28, 28)),
    ("mobilevitv2-1", lambda: mobilevit("100", small=True), (2, 3, 32, 32)),
    ("coatnet", lambda: coatnet(160), (2, 3, 160, 160)),
]

# What timm counts with 1000 classes, for tests/net/zoo_test.cpp.
COUNTED = {"mobilevitv2_050": 1_370_593, "mobilevitv2_075": 2_866_009, "mobilevitv2_100": 4_901_841, "mobilevitv2_200": 18_449_329}


def randomise(model):
    """Weights and statistics that differ from layer to layer, and keep the signal at about its size."""
    with torch.no_grad():
        for module in model.modules():
            if getattr(module, "running_var", None) is not None:
                module.running_mean.normal_(std=0.2)
                module.running_var.uniform_(0.5, 1.5)
            if isinstance(module, (nn.BatchNorm2d, nn.GroupNorm, nn.LayerNorm)):
                module.weight.uniform_(0.5, 1.5)
                module.bias.normal_(std=0.2)
            elif isinstance(module, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(module.weight)
                if module.bias is not None:
                    module.bias.normal_(std=0.2)
            elif hasattr(module, "relative_position_bias_table"):
                module.relative_position_bias_table.normal_()


def weights_of(module):
    """The kind that a module is here, and its weights by our names; None where it has none of its own."""
    if isinstance(module, (nn.Conv2d, nn.Linear)):
        weights = {"kernel": module.weight} | ({} if module.bias is None else {"bias": module.bias})
        if isinstance(module, nn.Linear):
            return "dense", weights
        return "conv" if module.groups == 1 else "depthwise_conv", weights
    if isinstance(module, nn.BatchNorm2d):
        return "batch_norm", {"gain": module.weight, "offset": module.bias, "running_mean": module.running_mean,
                              "running_variance": module.running_var}
    for kind, name in ((nn.GroupNorm, "group_norm"), (nn.LayerNorm, "layer_norm")):
        if isinstance(module, kind):
            return name, {"gain": module.weight, "offset": module.bias}
    if hasattr(module, "relative_position_bias_table"):
        return "relative_position", {"table": module.relative_position_bias_table.T}
    return None


def collect(model, x):
    """The weights of the modules in the order in which they are executed, by our names; and the logits."""
    tensors, counts = {"input": x.float()}, collections.Counter()

    def seen(module, *_):
        kind, weights = weights_of(module)
        counts[kind] += 1
        for name, weight in weights.items():
            tensors[f"{kind}_{counts[kind]}.{name}"] = weight.detach().float().contiguous()

    hooks = [module.register_forward_hook(seen) for module in model.modules() if weights_of(module)]
    with torch.no_grad():
        y = model(x)
    for hook in hooks:
        hook.remove()
    return tensors, y


def compare(driver, folder, case):
    from safetensors.torch import load_file, save_file

    name, make, shape = case
    torch.manual_seed(1)
    model = make().eval()
    randomise(model)
    x = torch.randn(shape)
    tensors, single = collect(model, x)
    with torch.no_grad():
        double = model.double()(x.double())
    save_file(tensors, folder / "in.safetensors")
    images = "x".join(str(extent) for extent in shape)
    done = subprocess.run([driver, "logits", name, "10", folder / "in.safetensors", folder / "out.safetensors"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        return [f"{name} on {images}: {done.stderr.strip()}"]
    ours = load_file(folder / "out.safetensors")
    differences = {precision: ((ours[precision] - theirs).abs().max() / theirs.abs().max()).item()
                   for precision, theirs in (("float", single), ("double", double))}
    print(f"{name:<17} {images:<13} {differences['float']:.1e} float, {differences['double']:.1e} double", flush=True)
    return [f"{name} on {images}: the logits differ by {difference:.1e} of the largest, {precision}"
            for precision, difference in differences.items() if not difference < CLOSE[precision]]


def count(name, wanted):
    found = sum(parameter.numel() for parameter in timm.create_model(name).parameters())
    return [] if found == wanted else [f"{name} has {found} parameters, not {wanted}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--here", action="store_true", help="with the Python that runs this")
    arguments = parser.parse_args()
    if not arguments.here:
        python = python_of(ENVIRONMENT, arguments.root)
        if python is None:
            skip(f"no Python with torchvision and timm; run scripts/python-environment {ENVIRONMENT} or set {variable_of(ENVIRONMENT)}")
        return subprocess.run([python, "-B", __file__, "--here", "--driver", arguments.driver, "--root", arguments.root]).returncode
    if torch is None:
        skip(f"{sys.executable} has no torchvision or timm")
    torch.set_num_threads(2)
    with tempfile.TemporaryDirectory() as name:
        problems = [problem for case in CASES for problem in compare(arguments.driver, pathlib.Path(name), case)]
    problems += [problem for model, parameters in COUNTED.items() for problem in count(model, parameters)]
    for problem in problems:
        print("PROBLEM:", problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
