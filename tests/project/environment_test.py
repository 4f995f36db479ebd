#!/usr/bin/env python3
"""Every environment variable that the source reads or sets is in docs/environment.md and in the manual page, with every
exit code.

  environment_test.py SOURCE_TREE path/to/actforge
"""

import pathlib
import re
import subprocess
import sys
import unittest

READS = re.compile(r'(?:getenv|environment|variable)\("([A-Z][A-Z0-9_]+)"\)')
SETS = re.compile(r'\{"([A-Z][A-Z0-9_]+)",')


def variables_of(text):
    """What a file reads of the environment and sets in that of processes that it starts, and our own names."""
    names = set(READS.findall(text)) | set(re.findall(r'"(ACTFORGE_[A-Z0-9_]+)', text))
    names |= set(SETS.findall(text)) if ".environment" in text else set()
    names |= {"CUDA_VISIBLE_DEVICES"} if '"CUDA_VISIBLE_DEVICES' in text else set()
    return names | ({"TMPDIR"} if "temp_directory_path" in text else set())


class Environment(unittest.TestCase):
    def setUp(self):
        self.page = (self.root / "docs/environment.md").read_text()
        self.manual = subprocess.run([self.program, "man"], capture_output=True, text=True, timeout=60).stdout
        files = [file for folder in ("src", "tools") for file in (self.root / folder).rglob("*.*")
                 if file.suffix in (".cpp", ".h") and file.parent.name != "help"]
        self.variables = set().union(*(variables_of(file.read_text()) for file in files))

    def test_variables(self):
        self.assertLessEqual({"ACTFORGE_DATA", "ACTFORGE_EXPR", "NO_COLOR", "TMPDIR", "XDG_DATA_HOME"}, self.variables)
        for name in self.variables:
            self.assertIn(f"`{name}`", self.page)
            self.assertIn(f".B {name}\n", self.manual)

    def test_no_others(self):
        listed = self.manual.split(".SH ENVIRONMENT\n")[1].split(".SH EXIT")[0]
        named = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", self.page)) | set(re.findall(r"(?m)^\.B (.*)$", listed))
        self.assertEqual(named - self.variables, set())

    def test_exit_codes(self):
        header = (self.root / "src/actforge/base/error.h").read_text()
        codes = re.findall(r"k\w+ = (\d+)", re.search(r"enum class ErrorCode.*?\};", header, re.S).group(0))
        self.assertGreater(len(codes), 3)
        for code in {"0", "130", "143", *(c for c in codes if int(c) < 5)}:
            self.assertRegex(self.page, rf"(?m)^\| .*\b{code}\b.* \|")
            self.assertIn(f".B {code}\n", self.manual)


if __name__ == "__main__":
    Environment.root, Environment.program = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
    unittest.main()
