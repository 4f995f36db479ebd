#!/usr/bin/env python3
"""Every variant (a strategy, an evaluator, ...) is a file of its own and a row of one table: no variant is left out of its
table or of its page, and nothing else knows it by name.

  rows_test.py SOURCE_FOLDER
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
SRC = ROOT / "src" / "actforge"

# The type of a row, where variants are, and the file that has the table.
TABLES = {
    "StrategyRow": ("search/strategies", "strategies.cpp"),
    "EvaluatorRow": ("search/evaluators", "evaluators.cpp"),
    "RegressorRow": ("surrogate", "regressors.cpp"),
    "ExportTarget": ("expr/export", "export.cpp"),
    "StoreBackend": ("store", "backends.cpp"),
    "Dataset": ("data", "dataset.cpp"),
}
# The page that tells users of them.
PAGES = {
    "StrategyRow": "strategies.md",
    "EvaluatorRow": "searching.md",
    "RegressorRow": "strategies.md",
    "ExportTarget": "export.md",
    "StoreBackend": "studies.md",
    "Dataset": "data.md",
}


def source(path):
    """The text of a file without its comments."""
    return re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = [path for folder in (SRC, ROOT / "tools") for path in folder.rglob("*") if path.suffix in (".h", ".cpp")]
        cls.sources = {path: source(path) for path in paths}

    def variants(self, row):
        """{function that makes a row: its file}"""
        folder = SRC / TABLES[row][0]
        found = {}
        for path in folder.rglob("*.cpp"):
            for name in re.findall(rf"^{row} (\w+)\(\) \{{", self.sources[path], re.MULTILINE):
                found[name] = path
        return found

    def test_every_variant_is_in_its_table(self):
        for row, (folder, table) in TABLES.items():
            variants = self.variants(row)
            self.assertTrue(variants, row)
            text = self.sources[SRC / folder / table]
            for name in variants:
                with self.subTest(row=row, variant=name):
                    # Declared, and called for the table.
                    self.assertEqual(len(re.findall(rf"\b{name}\(\)", text)), 2)

    def test_a_variant_is_its_file_and_its_row(self):
        for row, (folder, table) in TABLES.items():
            for name, own in self.variants(row).items():
                users = {path for path, text in self.sources.items() if re.search(rf"\b{name}\(", text)}
                self.assertEqual(users, {own, SRC / folder / table}, f"{row} {name}")

    def test_every_variant_is_on_its_page(self):
        for row, page in PAGES.items():
            text = (ROOT / "docs" / page).read_text(encoding="utf-8")
            for name, path in self.variants(row).items():
                body = self.sources[path].split(f"{row} {name}() {{")[1].split("\n}\n")[0]
                called = re.search(r'\.name = "([^"]+)"', body)
                self.assertIsNotNone(called, name)
                self.assertRegex(text, rf"`[^`\n]*(?<![\w-]){called.group(1)}(?![\w-])[^`\n]*`", f"docs/{page}")

    def test_none_is_compared_by_name(self):
        what = r"\b(strategy|evaluator|regressor|target|scheme)(\.name)?"
        for path, text in self.sources.items():
            found = re.search(rf'{what} *[=!]= *"|"[\w-]+" *[=!]= *[\w.]*{what}', text)
            self.assertIsNone(found, f"{path}: {found and found.group()}")

    def test_every_kind_of_layer_is_in_the_table(self):
        names = {name for path in (SRC / "net/layers").glob("*.cpp")
                 for name in re.findall(r"^const LayerKind (k\w+) = \{", self.sources[path], re.MULTILINE)}
        self.assertTrue(names)
        table = re.search(r"kLayerKinds = \{([^;]*)\};", self.sources[SRC / "net/layers/layers.h"]).group(1)
        self.assertEqual(set(re.findall(r"&(k\w+)", table)), names)


if __name__ == "__main__":
    unittest.main()
