#!/usr/bin/env python3
"""Every way to use `actforge space` wrongly: files, names, schemas, options, places to write to.

  space_cli_wrong_test.py path/to/actforge [unittest options]
"""

import os
import resource

import cli_runner
from cli_runner import BAD_INPUT, STORAGE, USAGE, strict_json
from space_runner import SpaceTest


class WrongFiles(SpaceTest):
    ONE = 'schemas = ["unary(x)"]\n'

    def check(self, text, line, *says):
        with self.subTest(text[:60]):
            said = self.refused(BAD_INPUT, "count", self.file(text))
            self.assertTrue(said.startswith(f"actforge: s.toml, line {line}: "), said)
            for words in says:
                self.assertIn(words, said)
            self.assertEqual(said, self.refused(BAD_INPUT, "mutate", "relu(x)", "--space", "s.toml"))

    def test_syntax(self):
        self.check(self.ONE + "parameters = = 1\n", 2)
        self.check(self.ONE + "\n\nname = 'gated\n", 4)
        self.check(self.ONE + "unary = ['relu' 'tanh']\n", 2)
        self.check(self.ONE + "parameters = 1\nparameters = 2\n", 3, "parameters")
        self.check("", 1, "no schema")

    def test_keys(self):
        self.check(self.ONE + "\nparamters = 1\n", 3, "'paramters'", "did you mean 'parameters'?")
        self.check(self.ONE + "[list]\ngate = ['relu']\n", 2, "'list'", "did you mean 'lists'?")
        self.check(self.ONE + "frobnicate = 1\n", 2, "'frobnicate'", "there are: name, schemas")

    def test_types(self):
        for value, says in (("name = 3", "the name is a text"), ("parameters = '1'", "whole number from 0 to 8"),
                            ("parameters = 1.0", "whole number"), ("parameters = 9", "whole number"),
                            ("parameters = -1", "whole number"), ("unary = 3", "list of operators"),
                            ("unary = [3]", "operator"), ("unary = [['relu']]", "operator"),
                            ("unary = 'cafee'", "'cafee'"), ("lists = ['relu']", "[lists]"),
                            ("lists.gate = 'cafe'", "'gate'"), ("lists.gate = 1979-05-27", "'gate'")):
            self.check(self.ONE + value, 2, says)
        self.check("\nschemas = 'unary(x)'", 2, "'schemas' is a list")
        self.check("\nschemas = [\n'unary(x)',\n1]", 4, "schema")
        for value in ("0", "13", "'7'", "7.5", "true", "99999999999999999999"):
            self.check(f"name = 'a'\nmax_nodes = {value}", 2)

    def test_operators(self):
        for name in ("unary", "lists.gate"):
            self.check(self.ONE + f"{name} = [\n'relu',\n'tahn']", 4, "'tahn'", "did you mean 'tanh'?")
            self.check(self.ONE + f"{name} = [\n'relu',\n'add']", 4, "'add' is binary", "holds unary operators")
            self.check(self.ONE + f"{name} = [\n'relu',\n'tanh', 'relu']", 4, "'relu' is twice in the list")
            self.check(self.ONE + f"\n{name} = []", 3, "is empty")
        self.check(self.ONE + "binary = [\n'relu']", 3, "'relu' is unary", "holds binary operators")
        self.check(self.ONE + "nary = ['sum_n',\n'add']", 3, "'add' is binary", "holds n-ary operators")

    def test_names_of_lists(self):
        for name in ("unary", "nary", "relu", "x"):
            self.check(self.ONE + f"[lists]\n\n{name} = ['relu']", 4, f"'{name}'", "taken")
        for name in ("'a b'", "1a", "a-b", "''"):
            self.check(self.ONE + f"[lists]\n{name} = ['relu']", 3, "letters, digits and _")
        self.check(self.ONE + "[lists]\ngate = ['relu']\ngate = ['tanh']", 4, "gate")

    def test_schemas(self):
        def check(schema, *says):
            self.check(f"name = 'a'\nschemas = [\n'unary(x)',\n'{schema}',\n'x']\n", 4, *says)
        self.check("name = 'a'\n\nschemas = []", 3, "one schema at least")
        check("add(1,2)", "names no input")
        check("unary()", "names no input")
        check("", "empty")
        check("unari(x)", "did you mean 'unary'?")
        check("binary(x)", "takes 2 inputs, not 1")
        check("unary(x", "')'")
        check("unary( x )", "twice")
        check("gate(x)", "'gate'")
        check("relu(" * 300 + "x" + ")" * 300, "too deeply")
        self.check("schemas = [" + "'x'," * 10_001 + "]", 1, "10000")

    def test_shape(self):
        self.check(self.ONE + "\nmax_nodes = 3", 3, "not both")
        self.check("max_nodes = 3\n" + self.ONE, 1, "not both")
        self.check("name = 'a'\nunary = ['relu']\n", 1, "no schema")

    def test_not_text(self):
        self.check(bytes(range(256)) * 10, 1)
        self.check(b"\x7fELF\x02\x01\x01" + b"\0" * 100, 1)
        self.check(b"# fine\nname = '\xff'\n" + self.ONE.encode(), 2)

    def test_hostile(self):
        self.check("a = " + "[" * 100_000, 1)
        self.check("a." * 50_000 + "b = 1", 1)
        self.check("[" + "a." * 50_000 + "b]", 1)
        for text in ('"{}" = 1', 'unary = ["{}"]', 'unary = "{}"', 'schemas = ["{}(x)"]', 'lists."{}" = ["relu"]'):
            self.check(text.format("a" * 100_000), 1)
            self.check(text.format("\\u001b[31m\\u202e"), 1)
            with self.subTest(text):
                self.assert_readable(self.run_program("space", "count", "s.toml").stderr)

    def test_not_a_file(self):
        self.assertIn("1 MB", self.refused(BAD_INPUT, "count", self.file(b"# comment\n" * 200_000)))
        (self.folder / "folder.toml").mkdir()
        (self.folder / "folder").mkdir()
        for name in ("folder.toml", "missing.toml", "missing/a.toml", "s.toml/a.toml"):
            self.assertIn(f"cannot read the space file '{name}'", self.refused(BAD_INPUT, "count", name))
        self.assertIn("'folder'", self.refused(BAD_INPUT, "count", "folder"))


class WrongSpaces(SpaceTest):
    def test_names(self):
        for name, says in (("pangea", "did you mean 'pangaea'?"), ("aquasurf3", "did you mean 'aquasurf-3'?"),
                           ("zzzzzz", "there are: cafe-s1"), ("", "there are: cafe-s1"), ("cafe-s0", "cafe-s1 to"),
                           ("cafe-s", "did you mean 'cafe-s")):
            self.assertIn(says, self.refused(BAD_INPUT, "count", name))
        self.assertNotIn("did you mean", self.refused(BAD_INPUT, "count", "zzzzzz"))

    def test_schemas(self):
        for text, column, says in (("binary(unari(x),unary(x))", 7, "did you mean 'unary'?"),
                                   ("unary(x) | binary(unary(x),unari(x))", 27, "did you mean 'unary'?"),
                                   ("tahn(x)", 0, "did you mean 'tanh'?"), ("unary(x)|", 9, "empty"),
                                   ("unary()", 0, "names no input"), ("add(1,2)", 0, "names no input"),
                                   ("x|add(1,2)", 2, "names no input"), ("binary(x)", 0, "takes 2 inputs, not 1"),
                                   ("unary(x))", 8, "unexpected ')'"), ("unary(x", 7, "')'"), ("unary(y)", 6, "'y'"),
                                   ("unary(x)|unary( x )", 9, "twice"), ("add(x,1e999)", 6, "not a number"),
                                   ("unary(x,)", 8, "unexpected ')'")):
            said = self.refused(BAD_INPUT, "count", text)
            self.assertIn(says, said)
            self.assertTrue(said.endswith(f"\n  {text}\n  {' ' * column}^\n"), said)

    def test_lists(self):
        for option, text, column, says in (("--unary", "relu,tahn", 5, "did you mean 'tanh'?"),
                                           ("--unary", "relu,,tanh", 5, "missing"), ("--binary", "add,", 4, "missing"),
                                           ("--nary", " frobnicate", 1, "'frobnicate'")):
            said = self.refused(BAD_INPUT, "count", "aquasurf-3", option, text)
            self.assertIn(says, said)
            self.assertTrue(said.endswith(f"\n  {text}\n  {' ' * column}^\n"), said)
        self.assertIn("twice", self.refused(BAD_INPUT, "count", "aquasurf-3", "--unary", "relu,relu"))
        self.assertIn("'add' is binary", self.refused(BAD_INPUT, "count", "aquasurf-3", "--unary", "relu,add"))

    def test_empty_is_not_missing(self):
        for option in ("--unary", "--binary", "--nary"):
            with self.subTest(option):
                self.refused(BAD_INPUT, "count", "aquasurf-3", option, "")
        for option in ("--count", "--from", "-o"):
            with self.subTest(option):
                self.refused(USAGE, "enumerate", "aquasurf-3", option, "")

    def test_garbage(self):
        for text in (b"\xff\xfe\x80", b"\x1b[31mx", b"unary(\x1b[31mx)", b"unary(x\xc3(", "é(x)".encode(), b"%s%n(x)",
                     b"{}"):
            mutate = ["mutate", "relu(x)", "--space"]
            for command in (["count", text], ["count", "pangaea", "--unary", text], [*mutate, text],
                            [*mutate, "pangaea", "--kind", text]):
                with self.subTest(command):
                    done = self.run_program("space", *command)
                    self.assertIn(done.returncode, (USAGE, BAD_INPUT))
                    self.assert_readable(done.stderr)

    def test_too_long(self):
        longest = 128 * 1024 - 1  # of one argument, on Linux
        for text in ("a" * longest, "(" * longest, "unary(" * (longest // 6), "x|" * (longest // 2), " " * longest,
                     "a" * (longest - 3) + "(x)", "sum_n(" + "x," * 60_000 + "x)"):
            for command in (["count", text], ["count", "pangaea", "--unary", text],
                            ["mutate", "relu(x)", "--space", text]):
                with self.subTest([word[:20] for word in command]):
                    self.refused(BAD_INPUT, *command)
        with self.subTest("--from"):
            self.refused(BAD_INPUT, "enumerate", "pangaea", "--from", "9" * 9_999)
        with self.subTest("--kind"):
            self.refused(USAGE, "mutate", "relu(x)", "--space", "pangaea", "--kind", "a" * longest)

    def test_largest_functions(self):
        """What is counted can also be reached, parameters included; or the space is refused."""
        for schema in ("relu(" * 199 + "x" + ")" * 199, "sum_n(" + "x," * 4094 + "x)"):
            space = [schema, "--parameters", "8"]
            done = self.run_program("space", "count", *space, "--json")
            with self.subTest(schema[:20]):
                if done.returncode != BAD_INPUT:
                    last = int(strict_json(done.stdout)["total"]) - 1
                    self.assertEqual(len(self.functions(*space, "--from", str(last))), 1)


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


class WrongOptions(SpaceTest):
    def check_number(self, verb, *arguments):
        """Refused at once: what prints for ever instead is ended by the limit."""
        with self.subTest([verb, *arguments]), open(self.folder / "out", "wb") as out:
            done = self.run_program("space", verb, *arguments, stdout=out, preexec_fn=limit_file_size)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertEqual((self.folder / "out").stat().st_size, 0)
            self.assertTrue(done.stderr.startswith(b"actforge: "))

    def test_numbers(self):
        mutate = ["mutate", "relu(x)", "--space", "pangaea"]
        for wrong in ("-5", "many", "1.5", "1e3", "0x10", "18446744073709551616"):
            for command in (["sample", "pangaea"], mutate):
                self.check_number(*command, "--count", wrong)
                self.check_number(*command, f"--count={wrong}")
                self.check_number(*command, "--seed", wrong)
        for wrong in ("-5", "many", "1.5", "1e3", " 1", "+1"):
            self.check_number("enumerate", "aquasurf-3", "--from", wrong)
            self.check_number("enumerate", "aquasurf-3", f"--count={wrong}")
        for wrong in ("-1", "1025", "many"):
            self.check_number("enumerate", "aquasurf-3", "--unique", "--threads", wrong)
        for wrong in ("-1", "0", "1000001", "many"):
            self.check_number("enumerate", "aquasurf-3", "--unique", "--inputs", wrong)
        for wrong in ("-1", "9", "1.5", "many"):
            self.check_number("count", "aquasurf-3", "--parameters", wrong)

    def test_output_of_another_kind(self):
        for name in ("a.txt", "csv", "a.CSV.gz", "/dev/full"):
            for options in ([], ["--unique"], ["--json"]):
                said = self.refused(USAGE, "enumerate", "aquasurf-3", "-o", name, *options)
                self.assertIn(".csv or .jsonl", said)
        self.assertEqual(os.listdir(self.folder), [])

    def test_output_that_cannot_be(self):
        self.file("", "file")
        (self.folder / "folder.csv").mkdir()
        os.symlink("/dev/full", self.folder / "full.csv")
        before = sorted(os.listdir(self.folder))
        for name in ("nowhere/a.csv", "file/a.jsonl", "folder.csv", "full.csv", "/proc/a.csv"):
            for options in ([], ["--unique"], ["--json"]):
                said = self.refused(STORAGE, "enumerate", "aquasurf-3", "-o", name, *options)
                self.assertIn(f"cannot write '{name}'", said)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_output_is_checked_before_the_work(self):
        unique = ["enumerate", "pangaea", "--unique", "--from", "1000000000000", "--count", "100000000", "-o"]
        self.refused(USAGE, *unique, "a.txt", timeout=20)
        self.refused(STORAGE, *unique, "nowhere/a.csv", timeout=20)

    def test_full_disk(self):
        """A file that may not grow stands for a disk that is full; the file that was there stays."""
        self.file("old", "a.csv")
        for options in (["cafe-s2", "--count", "100000"], ["cafe-s2", "--count", "100000", "--json"]):
            said = self.refused(STORAGE, "enumerate", *options, "-o", "a.csv", preexec_fn=limit_file_size,
                                restore_signals=False)
            self.assertIn("cannot write 'a.csv'", said)
            self.assertEqual(os.listdir(self.folder), ["a.csv"])
            self.assertEqual((self.folder / "a.csv").read_text(), "old")


if __name__ == "__main__":
    cli_runner.main()
