#!/usr/bin/env python3
"""Which files scripts/lint looks at, on a small repository with a stand-in for clang-tidy.

And that every source file of this build has flags, without which scripts/lint does not see it.

Usage: lint_test.py REPOSITORY COMPILE_COMMANDS
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(sys.argv.pop(1)).resolve()
COMMANDS = Path(sys.argv.pop(1))
SCRIPT = REPOSITORY / "scripts" / "lint"

FILES = {
    "src/actforge/base/a.h": "// a\n",
    "src/actforge/base/a.cpp": '#include "actforge/base/a.h"\n',
    "src/actforge/net/b.h": '#include "actforge/base/a.h"\n',
    "src/actforge/net/b.cpp": '#include "actforge/net/b.h"\n',
    "src/actforge/net/apart.cpp": "// includes nothing\n",
    ".clang-tidy": "Checks: '*'\n",
    "tests/.clang-tidy": "Checks: '-*'\n",
}
# Notes what it is asked to look at; a file that says BAD has a finding.
TIDY = """#!/bin/sh
[ "$1" = --version ] && exit 0
for file; do :; done
basename "$file" >>"$LOOKED_AT"
if grep -q BAD "$file"; then echo "$file: bad"; exit 1; fi
"""


class Flags(unittest.TestCase):
    def test_every_source_file_has_some(self):
        known = {Path(entry["file"]) for entry in json.loads(COMMANDS.read_text())}
        left_out = {"torch", "consumer"}  # not in every build; not built by ours
        for folder in ("src", "tools", "tests"):
            for file in (REPOSITORY / folder).rglob("*.cpp"):
                if not left_out & set(file.parts):
                    self.assertIn(file, known)


class Lint(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve() / "project"
        for name, text in FILES.items():
            self.write(name, text)
        self.write("scripts/lint", SCRIPT.read_text())
        self.tidy = self.write("../clang-tidy", TIDY)
        self.tidy.chmod(0o755)
        sources = [self.root / name for name in FILES if name.endswith(".cpp")]
        self.write("build-lint/compile_commands.json",
                   json.dumps([{"file": str(file), "command": "c++"} for file in sources]))
        self.write(".gitignore", "/build-lint/\n")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.root, check=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")

    def lint(self, *arguments):
        """(exit code, sorted names of what clang-tidy was asked to look at, output)"""
        log = self.root.parent / "looked_at"
        log.write_text("")
        environment = dict(os.environ, LOOKED_AT=str(log), XDG_CACHE_HOME=str(self.root.parent / "cache"),
                           CLANG_TIDY=str(self.tidy))
        answer = subprocess.run([sys.executable, str(self.root / "scripts/lint"), *arguments], env=environment,
                                cwd=self.root, capture_output=True, text=True)
        return answer.returncode, sorted(log.read_text().split()), answer.stdout + answer.stderr

    def test_every_file_once(self):
        self.assertEqual(self.lint()[:2], (0, ["a.cpp", "apart.cpp", "b.cpp"]))
        self.assertEqual(self.lint()[:2], (0, []))  # nothing has changed

    def test_a_changed_header_is_looked_at_again_through_what_includes_it(self):
        self.lint()
        self.write("src/actforge/base/a.h", "// another\n")
        self.assertEqual(self.lint()[:2], (0, ["a.cpp", "b.cpp"]))

    def test_other_checks_look_at_everything_again(self):
        self.lint()
        self.write("tests/.clang-tidy", "Checks: 'bugprone-*'\n")
        self.assertEqual(len(self.lint()[1]), 3)

    def test_findings_fail_and_are_found_again(self):
        self.write("src/actforge/net/apart.cpp", "BAD\n")
        for _ in range(2):
            code, looked_at, output = self.lint()
            self.assertEqual(code, 1)
            self.assertIn("apart.cpp", looked_at)
            self.assertIn("findings in src/actforge/net/apart.cpp", output)

    def test_on_main_the_last_commit_counts(self):
        self.write("src/actforge/net/b.h", "// no includes\n")
        self.commit()
        self.assertEqual(self.lint("--changed")[:2], (0, ["b.cpp"]))

    def test_on_a_branch_all_since_main_counts(self):
        self.git("checkout", "-q", "-b", "branch")
        self.write("src/actforge/net/apart.cpp", "// new\n")
        self.commit()
        self.write("src/actforge/net/b.cpp", "// new\n")
        self.commit()
        self.assertEqual(self.lint("--changed")[:2], (0, ["apart.cpp", "b.cpp"]))
        self.assertEqual(self.lint("--changed", "HEAD~1")[1], [])  # b.cpp has passed

    def test_on_main_all_that_was_not_pushed_counts(self):
        self.git("clone", "-q", "--bare", ".", "../origin")
        self.git("remote", "add", "origin", "../origin")
        self.git("fetch", "-q", "origin")
        self.write("src/actforge/net/apart.cpp", "// new\n")
        self.commit()
        self.write("src/actforge/net/b.cpp", "// new\n")
        self.commit()
        self.assertEqual(self.lint("--changed")[:2], (0, ["apart.cpp", "b.cpp"]))
        self.git("push", "-q", "origin", "main")
        output = self.lint("--changed")[2]  # the last commit, as without a remote
        self.assertIn("1 changed files", output)

    def test_what_the_time_does_not_suffice_for_is_said(self):
        self.write("src/actforge/base/a.h", "// another\n")
        code, looked_at, output = self.lint("--changed", "HEAD", "--minutes", "-1")
        self.assertEqual((code, looked_at), (0, []))
        self.assertIn("2 files were left out", output)
        # a.h is looked at through one of them; the other one has not changed.
        self.assertIn("changed, but left out: src/actforge/base/a.cpp\n", output)

    def test_a_clone_without_history_has_changed_everything(self):
        self.assertEqual(self.lint("--changed")[:2], (0, ["a.cpp", "apart.cpp", "b.cpp"]))

    def test_an_unknown_commit(self):
        self.assertIn("git knows no commit 'nonsense'", self.lint("--changed", "nonsense")[2])


if __name__ == "__main__":
    unittest.main()
