#!/usr/bin/env python3
"""The presets that the Makefile calls exist, and what a test preset leaves out is there to be left out.

  presets_test.py SOURCE_FOLDER
"""

import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()


class Presets(unittest.TestCase):
    def setUp(self):
        self.presets = json.loads((ROOT / "CMakePresets.json").read_text())
        self.makefile = (ROOT / "Makefile").read_text()

    def names(self, kind):
        return {preset["name"] for preset in self.presets[kind]}

    def test_what_the_makefile_calls_exists(self):
        built = set(re.findall(r"\$\(call build_preset,([\w-]+)", self.makefile))
        tested = set(re.findall(r"\$\(call test_preset,([\w-]+)", self.makefile))
        self.assertIn("release", built & tested)
        self.assertLessEqual(built, self.names("configurePresets") & self.names("buildPresets"))
        self.assertLessEqual(tested, self.names("testPresets"))

    def test_what_is_left_out_exists(self):
        sources = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*_test.cpp"))
        tests = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_P|_F)?\((\w+), (\w+)\)", sources)}
        for preset in self.presets["testPresets"]:
            pattern = preset.get("filter", {}).get("exclude", {}).get("name")
            if pattern is None:
                continue
            # Of each suite that is named, and of each name within brackets after it.
            for suite, names in re.findall(r"(\w+)\\\.(\([^)]*\)|\w*)", pattern):
                for name in names.strip("()").split("|"):
                    self.assertTrue(any(test.startswith(f"{suite}.{name}") for test in tests), f"{suite}.{name}")


if __name__ == "__main__":
    unittest.main()
