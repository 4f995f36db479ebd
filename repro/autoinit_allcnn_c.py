#!/usr/bin/env python3
"""Is the prediction right? All-CNN-C as it is, random weights and random input: the variance that AutoInit predicts at
every convolution beside the one measured, for ReLU, tanh, Swish, SELU and random functions of PANGAEA's space with finite
moments, with dropout 0, 0.3 and 0.7.

    repro/autoinit_allcnn_c.py [--program build/actforge] [--draws 40] [--functions 20]

The largest deviation over the convolutions is printed for each; what exceeds 5% is marked. One draw's variance varies by
some tens of percent at the last convolution, which has ten channels: its mean over the draws is known to about
45%/sqrt(draws), so it is shown apart.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

FIXED = ("relu(x)", "tanh(x)", "swish(x)", "selu(x)")


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def random_functions(program, count):
    """Whose mean and variance exist; drawn, not chosen."""
    found, seed = [], 0
    while len(found) < count:
        answer = run(program, "space", "sample", "pangaea", "--count", "1", "--seed", str(seed), "--json")
        seed += 1
        function = answer["functions"][0]["expression"]
        moments = run(program, "fn", "moments", function, "--json")
        if moments is None or not moments.get("variance"):
            continue
        found.append(function)
    return found


def network(program, folder, rate):
    text = subprocess.run([program, "net", "show", "allcnn-c", "--text"], capture_output=True, check=True).stdout.decode()
    path = os.path.join(folder, f"allcnn-c-{rate}.net")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("rate=0.5", f"rate={rate}"))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--program", default=os.path.join(here, "..", "build", "actforge"))
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--functions", type=int, default=20)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    failed = total = 0
    print(f"{'function':<60} {'dropout':>7} {'worst of 1 to 8':>16} {'the ninth':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for function in [*FIXED, *random_functions(options.program, options.functions)]:
            for rate in (0, 0.3, 0.7):
                answer = run(options.program, "init", network(options.program, folder, rate), "--activation", function,
                             "--check", "--draws", str(options.draws), "--samples", "1", "--threads",
                             str(options.threads), "--json")
                if answer is None:
                    raise SystemExit(f"actforge init failed with {function}")
                ratios = [n["empirical_variance"] / n["variance"] if n["empirical_variance"] else float("inf")
                          for n in answer["nodes"] if n["kind"] == "conv"]
                worst = max(ratios[:-1], key=lambda r: abs(r - 1))
                total += 1
                failed += abs(worst - 1) > 0.05
                print(f"{function[:60]:<60} {rate:>7} {100 * (worst - 1):>+15.1f}% {100 * (ratios[-1] - 1):>+9.1f}%"
                      f"{'  more than 5%' if abs(worst - 1) > 0.05 else ''}", flush=True)
    print(f"{total - failed} of {total} within 5%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
