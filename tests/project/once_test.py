#!/usr/bin/env python3
"""What there is to be one way of doing: only the files named here do it themselves, all others call them.

  once_test.py SOURCE_FOLDER
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()

# What is done; how it shows; where it may.
ONCE = [
    ("starting a process", r"\b(v?fork|exec[vl][pe]*|posix_spawnp?|popen|system)\(",
     {"src/actforge/base/child_process.cpp", "src/actforge/base/keeper.cpp", "tools/actforge/common/libtorch.cpp"}),
    ("taking over orphaned processes", r"PR_SET_CHILD_SUBREAPER", {"src/actforge/base/keeper.cpp"}),
    ("ending long work that is told to stop", r"Error\(ErrorCode::kCancelled",
     {"src/actforge/base/run_context.cpp", "src/actforge/search/evaluators/command_evaluator.cpp"}),
    ("finding the nearest name", r"\bedit_distance\(", {"src/actforge/base/suggest.cpp", "src/actforge/base/suggest.h"}),
    ("telling functions apart by their values", r"\bFingerprinter\b",
     {"src/actforge/space/fingerprint.cpp", "src/actforge/space/fingerprint.h", "src/actforge/space/function_key.h",
      "src/actforge/space/plain_source.cpp"}),
    ("seeding LibTorch's global generator", r"\bmanual_seed\(", set()),
]


class Once(unittest.TestCase):
    def test_each_is_done_where_it_belongs(self):
        sources = {path.relative_to(ROOT).as_posix(): re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
                   for folder in ("src", "tools") for path in (ROOT / folder).rglob("*") if path.suffix in (".h", ".cpp")}
        self.assertTrue(sources)
        for what, pattern, allowed in ONCE:
            with self.subTest(what=what):
                # The command line may say in its own words that something was stopped.
                looked_at = {name for name in sources if "kCancelled" not in pattern or name.startswith("src/")}
                found = {name for name in looked_at if re.search(pattern, sources[name])}
                self.assertLessEqual(found, allowed)


if __name__ == "__main__":
    unittest.main()
