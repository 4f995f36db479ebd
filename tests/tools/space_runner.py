"""What the tests of `actforge space` share."""

import os
import re

import cli_runner
from cli_runner import DONE

SIZES = {"cafe-s1": 3456, "cafe-s2": 3456 ** 3, "pangaea": 10_339_202_744_514, "aquasurf-3": 5103,
         "aquasurf-4": 1_023_516}

GATED = """
name = "gated"
schemas = ["mul(unary(x),gate(unary(x)))", "max(0.5,unary(x))", "prelu(x)"]
unary = ["relu", "tanh"]
parameters = 1
[lists]
gate = ["sigmoid", "hard_sigmoid"]
"""


def operators(expression):
    """Their names in the order of the text, parameters aside."""
    return [name for name in re.findall(r"(\w+)\(", expression) if name not in ("alpha", "beta", "gamma")]


class SpaceTest(cli_runner.ProgramTest):
    group = "space"

    def refused(self, code, *arguments, **options):
        return self.refusal(code, "space", *arguments, **options)

    def assert_readable(self, said):
        """What a message says, apart from the text it quotes below, does nothing to a terminal."""
        first = said.split(b"\n")[0].decode(errors="surrogateescape")
        self.assertTrue(first.isprintable(), ascii(first))

    def lines(self, *arguments):
        return self.text(*arguments).splitlines()

    def functions(self, *arguments):
        """The expressions of an enumeration, whose indices follow each other."""
        rows = [line.split() for line in self.lines("enumerate", *arguments)]
        first = int(rows[0][0]) if rows else 0
        self.assertEqual([int(row[0]) for row in rows], list(range(first, first + len(rows))))
        return [row[1] for row in rows]

    def file(self, text, name="s.toml"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def written(self, name, *arguments):
        """The bytes of the file that an enumeration wrote, the only one it left."""
        before = set(os.listdir(self.folder)) - {name}
        done = self.run_program("space", "enumerate", *arguments, "-o", name)
        self.assertEqual((done.returncode, done.stdout), (DONE, b""), done.stderr)
        self.assertRegex(done.stderr.decode(), rf"^wrote [\d,]+ functions to {name}\n$")
        self.assertEqual(set(os.listdir(self.folder)), before | {name})
        return (self.folder / name).read_bytes()
