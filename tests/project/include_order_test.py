#!/usr/bin/env python3
"""Fails on an include that the source map, src/actforge/README.md, does not allow.

Usage: include_order_test.py REPOSITORY

The checker first proves itself on small trees with planted violations, then looks at the repository.
"""

import re
import sys
import tempfile
import unittest
from pathlib import Path

SOURCES = {".h", ".hpp", ".cpp", ".cc", ".inc", ".inl"}
TORCH_PARTS = {"train", "fisher"}  # keeps the core free of LibTorch; see docs/design.md
TORCH_HEADER = re.compile(r"(torch|ATen|c10|caffe2)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def read_map(path):
    """The rows of the Markdown table as {part: set of parts named in its last column}, in the order of the table."""
    parts = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip(" `") for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] == "part" or set(cells[0]) <= set("-: "):
            continue
        parts[cells[0]] = set(re.findall(r"\w+", cells[2]))
    return parts


def close(parts):
    """Adds to each part what it may use through others. Returns (closure, problems of the table)."""
    closed, problems = {}, []
    for part, uses in parts.items():
        closed[part] = {part}
        for used in sorted(uses):
            if used in closed:
                closed[part] |= closed[used]
            else:
                problems.append(f"source map: '{part}' may use '{used}', which has no row above it")
    return closed, problems


def includes(folder):
    """(file, line number, included path) of every include line below the folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in SOURCES:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    yield path, number, match.group(1)


def problem_with(part, included, allowed):
    """What is wrong with this include in a file of this part, or None."""
    if TORCH_HEADER.match(included):
        return None if part in TORCH_PARTS else "LibTorch is for the parts train and fisher alone"
    if not included.startswith("actforge/"):
        return None
    target = included.split("/")[1]
    if target not in allowed:
        return f"'{target}' is not a part of the source map"
    if target not in allowed.get(part, {target}):
        return f"'{part}' may not use '{target}'"
    return None


def check(root):
    """All violations below the root of a repository, as lines of text."""
    source = root / "src" / "actforge"
    allowed, problems = close(read_map(source / "README.md"))
    folders = {path.name for path in source.iterdir() if path.is_dir()}
    problems += [f"src/actforge/{name} has no row in the source map" for name in sorted(folders - set(allowed))]
    problems += [f"source map: '{name}' has a row but no folder" for name in sorted(set(allowed) - folders)]
    for top in ("src", "tools", "tests", "bench"):
        for path, number, included in includes(root / top):
            problem = None
            if ".." in included.split("/"):
                problem = "a path with '..'; write it as \"actforge/<part>/<file>.h\""
            elif top == "src":
                problem = problem_with(path.relative_to(source).parts[0], included, allowed)
            if problem:
                problems.append(f"{path.relative_to(root)}:{number}: {included}: {problem}")
    return problems


class CheckerTest(unittest.TestCase):
    """Each planted violation is caught, and nothing else is."""

    MAP = "| part | what | may use |\n|---|---|---|\n| `base` | b | – |\n| `expr` | e | base |\n| `net` | n | expr |\n"
    TORCH_MAP = MAP + "| `train` | t | net |\n"

    def check(self, files, source_map=MAP):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            parts = re.findall(r"^\| `(\w+)`", source_map, re.M)
            tree = {f"src/actforge/{part}/a.h": "" for part in parts}
            tree |= {"src/actforge/README.md": source_map} | files
            for name, text in tree.items():
                if text is None:
                    continue
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check(root)

    def assert_one(self, problems, expected):
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(expected, problems[0])

    def test_allowed(self):
        self.assertEqual(self.check({
            "src/actforge/net/b.cpp": '#include "actforge/net/a.h"\n#include "actforge/expr/a.h"\n'
                                      '#include "actforge/base/a.h"\n#include <vector>\n// #include <torch/torch.h>\n',
            "tools/actforge/main.cpp": '#include "actforge/net/a.h"\n',
            "tests/base/a_test.cpp": '#include "actforge/net/a.h"\n#include <torch/torch.h>\n'}), [])

    def test_upward(self):
        self.assert_one(self.check({"src/actforge/base/b.cpp": '\n#include "actforge/expr/a.h"\n'}),
                        "src/actforge/base/b.cpp:2: actforge/expr/a.h: 'base' may not use 'expr'")

    def test_upward_with_angle_brackets(self):
        self.assert_one(self.check({"src/actforge/expr/b.h": "# include <actforge/net/a.h>\n"}), "may not use 'net'")

    def test_sideways(self):
        side = self.MAP + "| `data` | d | base |\n"
        self.assert_one(self.check({"src/actforge/data/b.h": '#include "actforge/expr/a.h"\n'}, side),
                        "'data' may not use 'expr'")

    def test_unknown_part(self):
        self.assert_one(self.check({"src/actforge/net/b.h": '#include "actforge/ner/a.h"\n'}), "'ner' is not a part")

    def test_torch(self):
        for header in ("torch/torch.h", "ATen/ATen.h", "c10/core/Device.h"):
            line = f"#include <{header}>\n"
            self.assert_one(self.check({"src/actforge/net/b.h": line}, self.TORCH_MAP), "LibTorch")
            self.assertEqual(self.check({"src/actforge/train/b.h": line}, self.TORCH_MAP), [])

    def test_relative(self):
        for place in ("src/actforge/net", "tools/actforge", "tests/net", "bench"):
            self.assert_one(self.check({f"{place}/b.cpp": '#include "../expr/a.h"\n'}), "'..'")

    def test_folder_without_row(self):
        self.assert_one(self.check({"src/actforge/data/a.h": ""}), "src/actforge/data has no row")

    def test_row_without_folder(self):
        self.assert_one(self.check({"src/actforge/net/a.h": None}), "'net' has a row but no folder")

    def test_row_that_points_upward(self):
        upward = self.MAP.replace("| b | – |", "| b | net |")
        self.assert_one(self.check({}, upward), "'base' may use 'net', which has no row above it")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    proof = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(CheckerTest))
    if not proof.wasSuccessful():
        sys.exit("the checker itself is broken")
    problems = check(Path(sys.argv[1]).resolve())
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
