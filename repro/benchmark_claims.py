#!/usr/bin/env python3
"""What a benchmark says of the dissertation's chapter on AQuaSurF: the tables of docs/benchmark.md.

    repro/benchmark_claims.py data/benchmarks/mlp-digits.bench [--program build/actforge] [--repeats 100] [--trials 100]

First `actforge bench explain`: invalid spectra, negatives, how well features tell scores. Then strategies and variants of AQuaSurF, each
compared with one reference by many searches (`actforge bench compare`). Prints Markdown. Some minutes on two cores.
"""
import argparse
import json
import os
import subprocess

PAPER = "aquasurf:repeats=0:start=relu(x):start-random=7:growth=0:pool=0"  # as in the dissertation's benchmark experiments
CONTESTS = {
    "Strategies, with repeats as searches have them": ["random", "cafe", "pangaea", "aquasurf:pool=0", "forge:candidates=0"],
    "Features, without repeats": ["random:repeats=0", f"{PAPER}:features=outputs", f"{PAPER}:features=eigenvalues", f"{PAPER}:features=both"],
    "Regressors": [f"{PAPER}:features=both:regressor={name}" for name in ("knn", "forest", "svr", "gp", "gp-noise")],
    "The map": [f"{PAPER}:features=both", f"{PAPER}:features=both:dimensions=5", f"{PAPER}:features=both:evenly=true",
                f"{PAPER}:features=both:output-neighbours=30:spectrum-neighbours=15"],
}


def ask(options, *arguments):
    return json.loads(subprocess.run([options.program, "bench", *arguments, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def table(titles, rows):
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def explain(options):
    facts = ask(options, "explain", options.benchmark)
    spectra, negatives = facts["invalid_spectra"], facts["negatives"]
    invalid = spectra["invalid_failed"] + spectra["invalid_completed"]
    valid = spectra["valid_failed"] + spectra["valid_completed"]
    print(f"Without a valid spectrum: {invalid} functions, {spectra['invalid_failed']} failed with every seed; with one: {valid}, "
          f"{spectra['valid_failed']} failed (p = {spectra['p']:.1e}).\n")
    print(f"A function and its negative: {negatives['pairs']} pairs, scores differ by {100 * negatives['difference']:.2f} points (root mean "
          f"square; noise alone {100 * negatives['by_noise']:.2f}, any two functions {100 * negatives['typical_difference']:.2f}).\n")
    table(["features", "distance to the negative, median", "to any function", "share of functions that are nearer"],
          [[row["features"], f"{row['median']:.3g}", f"{row['typical']:.3g}", f"{100 * row['nearer']:.1f}%"] for row in negatives["distances"]])
    regressors = list(dict.fromkeys(row["regressor"] for row in facts["predictions"]))
    cells = {(row["features"], row["regressor"]): f"{row['correlation']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
             for row in facts["predictions"]}
    table(["features", *regressors], [[features, *(cells[features, name] for name in regressors)]
                                      for features in dict.fromkeys(row["features"] for row in facts["predictions"])])


def needed(row, within):
    entry = next(entry for entry in row["needed"] if entry["within"] == within)
    return f"{entry['median']:g}" if entry["median"] is not None else f"> {len(row['curve'])}"


def compare(options, title, strategies):
    answer = ask(options, "compare", options.benchmark, "--strategies", ",".join(strategies), "--trials", str(options.trials), "--repeats",
                 str(options.repeats))
    tests = {(test["a"], test["b"]): test for test in answer["tests"]}
    print(f"**{title}** (best function {100 * answer['best']:.2f}%; best known: {answer['known'][0]['name']}, "
          f"{100 * answer['known'][0]['score']:.2f}%)\n")
    rows = []
    for row in answer["strategies"]:
        test = tests.get((strategies[0], row["strategy"]))
        rows.append([f"`{row['strategy'].replace(PAPER, 'aquasurf')}`", f"{100 * row['end']['mean']:.2f}",
                     f"{100 * row['end']['low']:.2f} to {100 * row['end']['high']:.2f}", needed(row, 0.01), needed(row, 0.001),
                     f"{test['p']:.2g}" if test else ""])
    table(["strategy", "true score at the end, %", "95% interval", "evaluations to within 1%", "0.1%", "p against the first"], rows)


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark")
    parser.add_argument("--program", default=os.path.join(here, "build", "actforge"))
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=100)
    options = parser.parse_args()
    explain(options)
    for title, strategies in CONTESTS.items():
        compare(options, title, strategies)


if __name__ == "__main__":
    main()
