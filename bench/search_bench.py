#!/usr/bin/env python3
"""Do workers work side by side? An evaluator that takes 50 ms, whatever the function: two workers beside one, taking turns.
First the answer is checked: the same functions with the same scores, whoever evaluated them.

    bench/search_bench.py [--program build/actforge] [--trials 200] [--turns 3]
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def run(program, folder, workers, trials, name):
    place = os.path.join(folder, name)
    begin = time.monotonic()
    subprocess.run([program, "search", "run", "--study", place, "--evaluator", "distance", "--target", "swish(x)", "--strategy",
                    "random", "--trials", str(trials), "--delay", "0.05", "--workers", str(workers)],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    exported = subprocess.run([program, "search", "export", place, "--format", "json"], check=True, capture_output=True).stdout
    return seconds, [(trial["expression"], trial["score"]) for trial in json.loads(exported)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--program", default=os.path.join(here, "..", "build", "actforge"))
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    seconds = {1: [], 2: []}
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(options.turns):
            for workers in seconds:
                took, answer = run(options.program, folder, workers, options.trials, f"{turn}-{workers}.db")
                seconds[workers].append(took)
                answers.append(answer)
    if any(answer != answers[0] for answer in answers):
        raise SystemExit("the number of workers changed the answer")
    one, two = (statistics.median(seconds[workers]) for workers in (1, 2))
    ideal = options.trials * 0.05
    print(f"{options.trials} trials of 50 ms, medians of {options.turns}: one worker {one:.2f} s ({one / ideal:.3f} of the ideal), "
          f"two workers {two:.2f} s: {one / two:.2f} times as fast")
    return 0


if __name__ == "__main__":
    sys.exit(main())
