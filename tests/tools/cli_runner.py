"""What the tests of the program share: running it, and what holds for every answer, every refusal and every verb."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DONE, FAILED, USAGE, BAD_INPUT, STORAGE = 0, 1, 2, 3, 4


def environment(**changes):
    """The caller's, without what decides between ASCII and Unicode."""
    kept = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LC_CTYPE", "LANG")}
    return {**kept, "LANG": "C.UTF-8", **changes}


def strict_json(text):
    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")
    return json.loads(text, parse_constant=refuse)


class ProgramTest(unittest.TestCase):
    program = ""
    group = ""  # the command whose verbs are tested, such as fn

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def path(self, name):
        return str(self.folder / name)

    def run_program(self, *arguments, env=None, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, "cwd": self.folder, **options}
        return subprocess.run([self.program, *arguments], env=env or environment(), **options)

    def answer(self, *arguments, **options):
        """What a command that must succeed prints, as bytes. It has nothing to say on stderr."""
        done = self.run_program(self.group, *arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (DONE, b""), arguments)
        return done.stdout

    def text(self, *arguments, **options):
        return self.answer(*arguments, **options).decode()

    def json(self, *arguments):
        return strict_json(self.answer(*arguments, "--json"))

    def refusal(self, code, *arguments, **options):
        """What a command that must fail says. It prints no result."""
        done = self.run_program(*arguments, **options)
        said = done.stderr.decode(errors="backslashreplace")
        shown = [str(a)[:80] for a in arguments]
        self.assertEqual(done.returncode, code, (shown, said[:400]))
        self.assertEqual(done.stdout, b"", shown)
        self.assertTrue(said.startswith("actforge: "), (shown, said[:400]))
        self.assertLess(len(said), 2000, shown)
        return said


class EveryVerb:
    """Tests for a ProgramTest that has `verbs`: for every verb of its group a shortest complete command line."""

    def commands(self):
        return [[self.group, verb, *arguments] for verb, arguments in self.verbs.items()]

    def test_text_and_json(self):
        for verb, arguments in self.verbs.items():
            self.assertTrue(self.text(verb, *arguments).endswith("\n"), verb)
            self.assertTrue(self.json(verb, *arguments), verb)

    def test_help(self):
        for path in [[self.group], *([self.group, verb] for verb in self.verbs)]:
            for option in ("--help", "-h"):
                done = self.run_program(*path, option)
                self.assertEqual((done.returncode, done.stderr), (DONE, b""), path)
                self.assertIn(b"Usage: actforge", done.stdout, path)
            if len(path) == 2:
                self.assertIn(b"--json", done.stdout, path)

    def test_every_verb_is_named(self):
        for arguments in ([self.group, "--help"], ["--help-all"]):
            done = self.run_program(*arguments)
            self.assertEqual(done.returncode, DONE)
            for verb in self.verbs:
                self.assertRegex(done.stdout.decode(), rf"(?m)^\s*{verb}\b")

    def test_unknown_option(self):
        for command in self.commands():
            self.assertIn("--frobnicate", self.refusal(USAGE, *command, "--frobnicate"))

    def test_full_disk(self):
        for command in self.commands():
            for options in ([], ["--json"]):
                self.check_full_disk(*command, *options)

    def check_full_disk(self, *command):
        with self.subTest(command), open("/dev/full", "wb") as full:
            done = self.run_program(*command, stdout=full)
            self.assertEqual(done.returncode, STORAGE, done.stderr)
            self.assertIn(b"No space left", done.stderr)

    def test_reader_that_left(self):
        # As in `actforge fn list | head -1`: killed by the signal, or exit code 4 where the signal is ignored.
        for command in self.commands():
            for restore, code in ((True, -signal.SIGPIPE), (False, STORAGE)):
                reader, writer = os.pipe()
                os.close(reader)
                try:
                    done = self.run_program(*command, "--json", stdout=writer, restore_signals=restore)
                finally:
                    os.close(writer)
                with self.subTest(command):
                    self.assertEqual(done.returncode, code, done.stderr)


class StudyTest(ProgramTest):
    """Tests of `search`, with the place of a study in the scratch folder."""
    group = "search"

    def setUp(self):
        super().setUp()
        self.study = self.path("study.db")

    def search(self, *arguments):
        done = self.run_program(self.group, *arguments)
        self.assertEqual(done.returncode, DONE, done.stderr.decode())
        return done.stdout.decode()


def main():
    ProgramTest.program = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
