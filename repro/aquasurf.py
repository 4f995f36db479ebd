#!/usr/bin/env python3
"""Does AQuaSurF find a function better than those it starts from? Ten small searches on Fashion-MNIST.

    repro/aquasurf.py [--program build/actforge] [--folder aquasurf-runs] [--seeds 10] [--trials 50] [--pool 600]
                      [--subset 5000] [--epochs 3] [--validation 2000] [--top 10] [--repeats 3] [--rivals 4] [--runs 5]

Each search starts from eight known functions, measures spectra of a random part of the three-node space, and evaluates 50
functions in all. Its result is judged twice. First by the score in the search itself, which favours whatever was tried most
often. Then on the test images: the ten best are trained again (`--top`, `--repeats`), and the winner of that is tested
beside the best of the eight by the scores of the search (`--rivals`, `--runs` trainings each). Both means and medians are
compared, because a single training that diverges decides a mean. A search that was stopped continues where it was. It takes
one to two hours on two cores.
"""
import argparse
import json
import os
import subprocess


def call(program, *arguments):
    done = subprocess.run([program, "search", *arguments], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise SystemExit(f"actforge search {' '.join(arguments)} ended with {done.returncode}")
    return done.stdout


def search(options, seed):
    place = os.path.join(options.folder, f"seed{seed}.db")
    call(options.program, "run", "--study", place, "--strategy", "aquasurf", "--space", options.space, "--preset", "mini",
         "--trials", str(options.trials), "--pool", str(options.pool), "--workers", "2", "--seed", str(seed), "--baseline", "", "--repeats", "0",
         "--net", "allcnn-mini", "--data", "fashion-mnist", "--subset", str(options.subset), "--validation",
         str(options.validation), "--epochs", str(options.epochs), "--learning-rate", "0.02", "--full-epochs", str(options.epochs),
         "--full-subset", str(options.subset))
    return place


def of_search(options, place):
    trials = json.loads(call(options.program, "export", place, "--format", "json"))
    start = [t for t in trials if t["origin"] == "start" and t["status"] == "completed"]
    found = [t for t in trials if t["origin"] != "start" and t["status"] == "completed"]
    best_start, best = max(start, key=lambda t: t["score"]), max(found, key=lambda t: t["score"])
    better_at = next((t["number"] + 1 for t in found if t["score"] > best_start["score"]), None)
    return {"study": place, "best_start": best_start["expression"], "best_start_score": best_start["score"], "best": best["expression"],
            "known": [t["expression"] for t in sorted(start, key=lambda t: -t["score"])],
            "best_score": best["score"], "better_after": better_at, "failed": sum(t["status"] == "failed" for t in trials)}


def of_test(options, place, known):
    call(options.program, "rerank", place, "--top", str(options.top), "--runs", str(options.repeats), "--workers", "2")
    baselines = [word for function in known[:options.rivals] for word in ("--baseline", function)]
    final = json.loads(call(options.program, "final", place, "--top", "1", "--runs", str(options.runs), "--workers", "2", *baselines,
                            "--json"))
    winner = next(row for row in final["rows"] if not row["baseline"])
    rivals = [row for row in final["rows"] if row["baseline"]]
    return {"winner": winner, "rivals": rivals, "rival": max(rivals, key=lambda row: row["mean"]),
            "better": {how: winner[how] > max(row[how] for row in rivals) for how in ("mean", "median")}}


def test_text(row):
    return f"{100 * row['mean']:.2f}% (median {100 * row['median']:.2f}%, {row['failed']} of {row['runs']} failed) {row['expression']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/actforge")
    parser.add_argument("--folder", default="aquasurf-runs")
    parser.add_argument("--space", default="aquasurf-3")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--pool", type=int, default=600)
    parser.add_argument("--subset", type=int, default=5000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--validation", type=int, default=2000)
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rivals", type=int, default=4)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    rows = []
    for seed in range(options.seeds):
        rows.append(of_search(options, search(options, seed)))
        row = rows[-1]
        print(f"seed {seed}: in the search {row['best_score']:.3f} {row['best']} against {row['best_start_score']:.3f} {row['best_start']}; better after "
              f"{row['better_after']} evaluations, {row['failed']} failed", flush=True)
    print(f"better in the search: {sum(r['best_score'] > r['best_start_score'] for r in rows)} of {len(rows)}", flush=True)
    for seed, row in enumerate(rows):
        row.update(of_test(options, row["study"], row["known"]))
        print(f"seed {seed}: on test images {test_text(row['winner'])} against {test_text(row['rival'])}", flush=True)
    for how in ("mean", "median"):
        print(f"better on test images by the {how}: {sum(row['better'][how] for row in rows)} of {len(rows)}")
    with open(os.path.join(options.folder, "results.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
