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
TORCH_ROOM = "torch"  # keeps the core free of LibTorch; see docs/design.md
TORCH_HEADER = re.compile(r"(torch|ATen|c10|caffe2)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CMAKE_ROOM = re.compile(r"actforge_room\((\w+)(?:\s+LIGHT)?(?:\s+USES((?:\s+[a-z_]+)+))?")


def read_map(path):
    """The rows of the Markdown table as {room: set of rooms named in its last column}, in the order of the table."""
    rooms = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip(" `") for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] == "room" or set(cells[0]) <= set("-: "):
            continue
        rooms[cells[0]] = set(re.findall(r"[\w/]+", cells[2]))
    return rooms


def rows_of(name, rooms):
    """The rows that a name of the last column stands for: itself, and all below it."""
    return [room for room in rooms if room == name or room.startswith(name + "/")]


def close(rooms):
    """Adds to each room what it may use through others. Returns (closure, problems of the table)."""
    closed, problems = {}, []
    for room, uses in rooms.items():
        closed[room] = {room}
        for used in sorted(uses):
            rows = rows_of(used, closed)
            if not rows or used == room:
                problems.append(f"source map: '{room}' may use '{used}', which has no row above it")
            for row in rows:
                closed[room] |= closed[row]
    return closed, problems


def room_of(folder, rooms):
    """The row of a folder, given relative to src/actforge: the longest that it lies in, or None."""
    names = folder.split("/")
    for length in range(len(names), 0, -1):
        if "/".join(names[:length]) in rooms:
            return "/".join(names[:length])
    return None


def includes(folder):
    """(file, line number, included path) of every include line below the folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in SOURCES:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    yield path, number, match.group(1)


def problem_with(room, included, allowed):
    """What is wrong with this include in a file of this room, or None."""
    if TORCH_HEADER.match(included):
        return None if room.split("/")[0] == TORCH_ROOM else "LibTorch is for the room torch alone"
    if not included.startswith("actforge/"):
        return None
    folder = included.removeprefix("actforge/").rpartition("/")[0]
    target = room_of(folder, allowed)
    if target is None:
        return f"'{folder}' is not a room of the source map"
    if target not in allowed[room]:
        return f"'{room}' may not use '{target}'"
    return None


def map_problems(source, rooms):
    """Folders with sources but without a row, and rows without a folder."""
    folders = {str(path.parent.relative_to(source)) for path in source.rglob("*") if path.suffix in SOURCES}
    problems = [f"src/actforge/{name} has no row in the source map"
                for name in sorted(folders) if room_of(name, rooms) is None]
    return problems + [f"source map: '{name}' has a row but no folder"
                       for name in rooms if not any(room_of(folder, rooms) == name for folder in folders)]


def cmake_problems(source, rooms, closed):
    """Targets of CMakeLists.txt that link other rooms than the map lets them use."""
    listing = source / "CMakeLists.txt"
    if not listing.exists():
        return []
    text, top, linked, problems = listing.read_text(encoding="utf-8"), {}, {}, []
    for room in closed:
        top.setdefault(room.split("/")[0], set()).update(used.split("/")[0] for used in closed[room])
    for name, uses in CMAKE_ROOM.findall(text):
        linked[name] = {name}.union(*[linked.get(used, {used}) for used in uses.split()])
        if name not in top:
            problems.append(f"CMakeLists.txt: the room '{name}' is not in the source map")
        elif linked[name] != top[name]:
            problems.append(f"CMakeLists.txt: '{name}' links {sorted(linked[name])}, the map lets it use {sorted(top[name])}")
    return problems + [f"CMakeLists.txt: no target for the room '{name}'" for name in sorted(set(top) - set(linked))]


def design_problems(root, rooms):
    """Rooms that the table of docs/design.md leaves out, and those that only it has."""
    page = root / "docs" / "design.md"
    if not page.exists():
        return []
    cells = [line.split("|")[1] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    named = {name for cell in cells for name in re.findall(r"`([\w/]+)`", cell)}
    known = {room.split("/")[0] for room in rooms}
    return ([f"docs/design.md: its table has no room '{name}'" for name in sorted(known - named)]
            + [f"docs/design.md: there is no room '{name}'" for name in sorted(named - known)])


def check(root):
    """All violations below the root of a repository, as lines of text."""
    source = root / "src" / "actforge"
    rooms = read_map(source / "README.md")
    allowed, problems = close(rooms)
    problems += map_problems(source, rooms) + cmake_problems(source, rooms, allowed) + design_problems(root, rooms)
    for top in ("src", "tools", "tests", "bench"):
        for path, number, included in includes(root / top):
            problem = None
            if ".." in included.split("/"):
                problem = "a path with '..'; write it as \"actforge/<room>/<file>.h\""
            elif top == "src":
                room = room_of(str(path.parent.relative_to(source)), rooms)
                problem = room and problem_with(room, included, allowed)
            if problem:
                problems.append(f"{path.relative_to(root)}:{number}: {included}: {problem}")
    return problems


class CheckerTest(unittest.TestCase):
    """Each planted violation is caught, and nothing else is."""

    MAP = "| room | what | may use |\n|---|---|---|\n| `base` | b | – |\n| `expr` | e | base |\n| `net` | n | expr |\n"
    TORCH_MAP = MAP + "| `torch/run` | t | net |\n"

    def check(self, files, source_map=MAP):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            rooms = re.findall(r"^\| `([\w/]+)`", source_map, re.M)
            tree = {f"src/actforge/{room}/a.h": "" for room in rooms}
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

    def test_unknown_room(self):
        self.assert_one(self.check({"src/actforge/net/b.h": '#include "actforge/ner/a.h"\n'}), "'ner' is not a room")

    def test_torch(self):
        for header in ("torch/torch.h", "ATen/ATen.h", "c10/core/Device.h"):
            line = f"#include <{header}>\n"
            self.assert_one(self.check({"src/actforge/net/b.h": line}, self.TORCH_MAP), "LibTorch")
            self.assertEqual(self.check({"src/actforge/torch/run/b.h": line}, self.TORCH_MAP), [])

    def test_relative(self):
        for place in ("src/actforge/net", "tools/actforge", "tests/net", "bench"):
            self.assert_one(self.check({f"{place}/b.cpp": '#include "../expr/a.h"\n'}), "'..'")

    def test_folder_without_row(self):
        self.assert_one(self.check({"src/actforge/data/a.h": ""}), "src/actforge/data has no row")

    def test_row_without_folder(self):
        self.assert_one(self.check({"src/actforge/net/a.h": None}), "'net' has a row but no folder")

    SUB_MAP = MAP + "| `init/maps` | m | net |\n| `init` | i | init/maps |\n| `data` | d | init |\n"

    def test_sub_folder(self):
        self.assertEqual(self.check({"src/actforge/data/b.h": '#include "actforge/init/maps/a.h"\n'}, self.SUB_MAP), [])
        self.assert_one(self.check({"src/actforge/init/maps/b.h": '#include "actforge/init/a.h"\n'}, self.SUB_MAP),
                        "'init/maps' may not use 'init'")

    def test_folder_below_a_row(self):
        self.assertEqual(self.check({"src/actforge/net/deep/b.h": '#include "actforge/expr/a.h"\n'}), [])
        self.assert_one(self.check({"src/actforge/expr/deep/b.h": '#include "actforge/net/a.h"\n'}), "may not use 'net'")

    def test_linked_rooms(self):
        lists = "actforge_room(base)\nactforge_room(expr USES base)\nactforge_room(net LIGHT USES {} PUBLIC json)\n"
        name = "src/actforge/CMakeLists.txt"
        self.assertEqual(self.check({name: lists.format("expr")}), [])
        self.assert_one(self.check({name: lists.format("base")}), "'net' links ['base', 'net']")
        self.assert_one(self.check({name: "actforge_room(base)\nactforge_room(expr USES base)\n"}),
                        "no target for the room 'net'")

    def test_page_about_the_design(self):
        page = "| room | what |\n|---|---|\n| `base`, `expr` | b |\n| `{}` | n |\n"
        self.assertEqual(self.check({"docs/design.md": page.format("net")}), [])
        problems = self.check({"docs/design.md": page.format("nets")})
        self.assertEqual([problem.split(": ")[1] for problem in problems],
                         ["its table has no room 'net'", "there is no room 'nets'"])

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
