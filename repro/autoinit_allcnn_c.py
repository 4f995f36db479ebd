#!/usr/bin/env python3
"""Is the prediction right? All-CNN-C as it is, random weights and random input: the variance that AutoInit predicts at
every convolution beside the one measured, for ReLU, tanh, Swish, SELU and random functions of PANGAEA's space with finite
moments, with dropout 0, 0.3 and 0.7.

    repro/autoinit_allcnn_c.py [--program build/actforge] [--draws 40] [--functions 20]

The largest deviation over the nine convolutions is printed for each, with its standard error, which comes from the
differences between draws; for most functions it is that of the ninth, which has ten channels. A row is marked where a
deviation exceeds 5% by more than two of its standard errors.

Functions that amplify differences without limit, x^2 for one, are drawn again: after some layers a few images or draws
hold nearly all of the signal, so that no average over draws converges. `actforge init` warns of them. The number of functions
that were skipped is printed.
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
    found, passed_over, seed = [], [], 0
    while len(found) < count:
        answer = run(program, "space", "sample", "pangaea", "--count", "1", "--seed", str(seed), "--json")
        seed += 1
        function = answer["functions"][0]["expression"]
        moments = run(program, "fn", "moments", function, "--json")
        if moments is None or not moments.get("variance"):
            continue
        answer = run(program, "init", "allcnn-c", "--activation", function, "--json")
        runaway = any("amplify differences" in warning for warning in answer["warnings"])
        (passed_over if runaway else found).append(function)
    return found, passed_over


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
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--functions", type=int, default=20)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    functions, passed_over = random_functions(options.program, options.functions)
    print(f"{len(passed_over)} functions amplify differences and were skipped:", *passed_over, sep="\n  ", flush=True)
    failed = total = 0
    print(f"\n{'function':<60} {'dropout':>7} {'worst of nine':>14} {'error':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for function in [*FIXED, *functions]:
            for rate in (0, 0.3, 0.7):
                answer = run(options.program, "init", network(options.program, folder, rate), "--activation", function,
                             "--check", "--draws", str(options.draws), "--samples", "1", "--threads",
                             str(options.threads), "--json")
                if answer is None:
                    raise SystemExit(f"actforge init failed with {function}")
                deviations = [(n["empirical_variance"] / n["variance"] - 1, n["empirical_variance_error"] / n["variance"])
                              for n in answer["nodes"] if n["kind"] == "conv"]
                worst, error = max(deviations, key=lambda d: abs(d[0]))
                wrong = any(abs(deviation) - 2 * e > 0.05 for deviation, e in deviations)
                total += 1
                failed += wrong
                print(f"{function[:60]:<60} {rate:>7} {100 * worst:>+13.1f}% {100 * error:>6.1f}%"
                      f"{'  more than 5%' if wrong else ''}", flush=True)
    print(f"{total - failed} of {total} within 5%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
