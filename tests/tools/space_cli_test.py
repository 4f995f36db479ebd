#!/usr/bin/env python3
"""Runs `actforge space` as a user would: every verb, in text and in JSON, on every kind of space.

  space_cli_test.py path/to/actforge [unittest options]
"""

import csv
import itertools
import json
import math
import tomllib

import cli_runner
from cli_runner import BAD_INPUT, DONE, USAGE, strict_json
from space_runner import GATED, SIZES, SpaceTest, operators

# A shortest complete command line for every verb.
VERBS = {
    "list": [],
    "show": ["aquasurf-3"],
    "count": ["pangaea"],
    "enumerate": ["aquasurf-3"],
    "sample": ["pangaea"],
    "mutate": ["relu(x)", "--space", "pangaea"],
    "cross": ["add(relu(x),abs(x))", "mul(sin(x),cos(x))", "--space", "cafe-s1"],
}


class EveryVerb(cli_runner.EveryVerb, SpaceTest):
    verbs = VERBS

    def test_missing_argument(self):
        for verb, says in (("show", "SPACE"), ("count", "SPACE"), ("enumerate", "SPACE"), ("sample", "SPACE"),
                           ("mutate", "EXPR"), ("cross", "FIRST")):
            options = ["--space", "pangaea"] if verb in ("mutate", "cross") else []
            self.assertIn(says, self.refused(USAGE, verb, *options))
        self.assertIn("SECOND", self.refused(USAGE, "cross", "relu(x)", "--space", "cafe-s1"))
        self.assertIn("--space", self.refused(USAGE, "mutate", "relu(x)"))

    def test_unknown_verb(self):
        self.assertIn("did you mean 'enumerate'?", self.refused(USAGE, "enumrate", "pangaea"))
        self.assertIn("did you mean 'space'?", self.refusal(USAGE, "spase"))
        self.refused(USAGE)

    def test_unknown_space(self):
        for command in self.commands():
            command = ["pangea" if word in SIZES else word for word in command]
            if "pangea" in command:
                self.assertIn("unknown space 'pangea'; did you mean 'pangaea'?", self.refusal(BAD_INPUT, *command))


class Aliases(SpaceTest):
    def test_operators_by_the_names_of_frameworks(self):
        ours, theirs = (self.text("enumerate", f"{name}(unary(x))", "--unary", more)
                        for name, more in (("swish", "swish,arctan"), ("silu", "silu,atan")))
        self.assertEqual(ours, theirs)
        self.assertIn("swish(arctan(x))", ours)
        self.assertEqual(self.json("show", "binary(silu(x),swish(x))")["schemas"], ["binary(swish(x),swish(x))"])


class Sizes(SpaceTest):
    def test_list(self):
        rows = self.json("list")
        self.assertEqual({row["name"]: row["total"] for row in rows}, SIZES)
        self.assertTrue(all(row["summary"] for row in rows))
        for line, row in zip(self.lines("list")[1:], rows, strict=True):
            self.assertEqual(line.split()[:2], [row["name"], f"{row['total']:,}"])

    def test_count(self):
        for name, size in SIZES.items():
            answer = self.json("count", name)
            self.assertEqual(sorted(answer), ["rows", "total"])
            self.assertEqual((answer["total"], sum(row["functions"] for row in answer["rows"])), (size, size))
            self.assertEqual(self.lines("count", name)[-1].split(), ["total", f"{size:,}"])

    def test_rows_of_schemas(self):
        rows = self.json("count", "aquasurf-4")["rows"]
        self.assertEqual({row["schema"]: row["functions"] for row in rows},
                         {"binary(unary(unary(x)),unary(x))": 7 * 27 ** 3,
                          "binary(unary(x),unary(unary(x)))": 7 * 27 ** 3,
                          "nary(unary(x),unary(x),unary(x))": 4 * 27 ** 3,
                          "unary(binary(unary(x),unary(x)))": 7 * 27 ** 3,
                          "unary(unary(unary(unary(x))))": 27 ** 4})
        self.assertEqual([(row["nodes"], row["unary"], row["binary"], row["nary"]) for row in rows],
                         [(4, 3, 1, 0), (4, 3, 1, 0), (4, 3, 0, 1), (4, 3, 1, 0), (4, 4, 0, 0)])

    def test_rows_of_graphs(self):
        for row in self.json("count", "pangaea")["rows"]:
            self.assertEqual(row["edges"], row["unary"] + 2 * row["binary"] + 1)
            placements = sum(math.comb(row["edges"], k) for k in range(4))
            self.assertEqual(row["functions"],
                             row["arrangements"] * 27 ** row["unary"] * 7 ** row["binary"] * placements)

    def test_as_published(self):
        answer = self.json("count", "pangaea", "--as-published")
        self.assertEqual(answer["total"], 10_170_042_948_450)
        self.assertEqual(answer["rows"][-1]["arrangements"], 1)
        self.assertIn("--as-published", self.refused(USAGE, "count", "aquasurf-3", "--as-published"))
        self.assertIn("--as-published", self.refused(USAGE, "count", "pangaea", "--as-published", "--unary", "relu"))

    def test_more_than_64_bits(self):
        self.assertEqual(self.json("count", "cafe-s4")["total"], str(3456 ** 15))
        last = self.json("enumerate", "cafe-s4", "--from", str(3456 ** 15 - 1))["functions"]
        self.assertEqual([row["index"] for row in last], [str(3456 ** 15 - 1)])
        self.assertIn("cafe-s10", self.refused(BAD_INPUT, "count", "cafe-s11"))

    def test_changed_lists(self):
        self.assertEqual(self.json("count", "aquasurf-3", "--unary", "relu, tanh")["total"], 7 * 4)
        self.assertEqual(self.json("count", "aquasurf-3", "--unary", "cafe", "--binary", "cafe")["total"], 3456)
        self.assertEqual(self.json("count", "aquasurf-4", "--nary", "sum_n")["rows"][2]["functions"], 27 ** 3)
        self.assertEqual(self.json("count", "aquasurf-3", "--parameters", "2")["total"], 5103 * (1 + 5 + 10))


class Enumerate(SpaceTest):
    def test_everything_in_order(self):
        lists = self.json("show", "aquasurf-3")["lists"]
        choices = itertools.product(lists["binary"], lists["unary"], lists["unary"])
        wanted = [f"{binary}({left}(x),{right}(x))" for binary, left, right in choices]
        self.assertEqual(self.functions("aquasurf-3"), wanted)
        for index in (0, 1, 2551, 5102):
            self.assertEqual(self.lines("enumerate", "aquasurf-3", "--from", str(index), "--count", "1"),
                             [f"{index}  {wanted[index]}"])

    def test_across_schemas(self):
        space = ["unary(x) | binary(x,unary(x)) | swish(prelu(x))|max(x,0.5)", "--unary", "relu,tanh",
                 "--binary", "add,mul", "--parameters", "1"]
        everything = self.functions(*space)
        self.assertEqual(len(everything), 2 * 3 + 4 * 5 + 1 * 4 + 1 * 4)
        self.assertEqual(len(set(everything)), len(everything))
        for index, function in enumerate(everything):
            self.assertEqual(self.functions(*space, "--from", str(index), "--count", "1"), [function])

    def test_far_away(self):
        """Operators are digits in the order of the text."""
        lists = self.json("show", "cafe-s2")["lists"]
        for index in (0, 1, 41_278_242_815, 12_345_678_901):
            digits, rest = [], index
            for name in reversed(["binary", *["unary", "binary", "unary", "unary"] * 2]):
                rest, digit = divmod(rest, len(lists[name]))
                digits.insert(0, lists[name][digit])
            self.assertEqual(rest, 0)
            row, = self.json("enumerate", "cafe-s2", "--from", str(index), "--count", "1")["functions"]
            self.assertEqual((row["index"], operators(row["expression"])), (index, digits))

    def test_json(self):
        answer = self.json("enumerate", "aquasurf-3", "--from", "7", "--count", "2")
        self.assertEqual(answer, {"space": "aquasurf-3", "total": 5103, "from": 7, "count": 2, "functions": [
            {"index": 7, "expression": "add(zero(x),exp(x))"}, {"index": 8, "expression": "add(zero(x),erf(x))"}]})

    def test_files(self):
        plain = [(index, text) for index, text in enumerate(self.functions("aquasurf-3", "--count", "300"))]
        header, *rows = csv.reader(self.written("a.csv", "aquasurf-3", "--count", "300").decode().splitlines())
        self.assertEqual(header, ["index", "expression"])
        self.assertEqual([(int(index), text) for index, text in rows], plain)
        rows = [strict_json(line) for line in self.written("a.jsonl", "aquasurf-3", "--count", "300").splitlines()]
        self.assertEqual([(row["index"], row["expression"]) for row in rows], plain)
        answer = self.json("enumerate", "aquasurf-3", "--count", "300", "-o", "b.csv")
        self.assertEqual((answer["file"], answer["count"]), ("b.csv", 300))
        self.assertEqual((self.folder / "b.csv").read_bytes(), (self.folder / "a.csv").read_bytes())

    def test_ends(self):
        self.assertEqual(self.functions("aquasurf-3", "--from", "5100", "--count", "100"),
                         self.functions("aquasurf-3")[5100:])
        self.assertEqual(self.text("enumerate", "aquasurf-3", "--from", "5103"), "")
        self.assertEqual(self.json("enumerate", "aquasurf-3", "--count", "0")["functions"], [])
        self.assertEqual(self.written("a.csv", "aquasurf-3", "--count", "0"), b"index,expression\n")
        self.assertEqual(self.functions("aquasurf-3", "--from", "007", "--count", "1"), ["add(zero(x),exp(x))"])
        for index in ("5104", "9" * 40):
            self.assertIn("the space has 5,103", self.refused(BAD_INPUT, "enumerate", "aquasurf-3", "--from", index))

    def test_count_only(self):
        self.assertEqual(self.json("enumerate", "pangaea", "--count-only")["total"], SIZES["pangaea"])
        self.assertEqual(self.json("enumerate", "aquasurf-3", "--count-only", "--from", "5000")["total"], 103)
        self.assertIn("5,103", self.text("enumerate", "aquasurf-3", "--count-only"))
        self.assertIn("--count-only", self.refused(USAGE, "enumerate", "aquasurf-3", "--count-only", "-o", "a.csv"))

    def test_too_many(self):
        self.assertIn("--count", self.refused(USAGE, "enumerate", "pangaea"))
        self.assertIn("-o", self.refused(USAGE, "enumerate", "pangaea", "--json", "--count", "2000000"))
        self.refused(BAD_INPUT, "enumerate", "pangaea", "--unique", "--count-only")


class Unique(SpaceTest):
    def read_csv(self, name):
        """Classes as lists of (index, expression), the first one first; and their fingerprints."""
        header, *rows = csv.reader((self.folder / name).read_text().splitlines())
        self.assertEqual(header, ["index", "expression", "fingerprint", "equivalent_indices", "equivalents"])
        classes = []
        for index, text, _, indices, texts in rows:
            others = zip(map(int, filter(None, indices.split(";"))), filter(None, texts.split(";")), strict=True)
            classes.append([(int(index), text), *others])
        return classes, [row[2] for row in rows]

    def read_jsonl(self, name):
        rows = [strict_json(line) for line in (self.folder / name).read_text().splitlines()]
        return ([[(each["index"], each["expression"]) for each in (row, *row["equivalents"])] for row in rows],
                [row["fingerprint"] for row in rows])

    def test_every_function_is_in_one_class(self):
        self.written("u.csv", "aquasurf-3", "--unique")
        classes, fingerprints = self.read_csv("u.csv")
        everything = list(enumerate(self.functions("aquasurf-3")))
        self.assertEqual(sorted(itertools.chain(*classes)), everything)
        self.assertTrue(all(group == sorted(group) for group in classes))
        self.assertEqual(classes, sorted(classes))
        self.assertEqual(len(set(fingerprints)), len(classes))
        self.check_classes({text: number for number, group in enumerate(classes) for _, text in group})
        answer = self.json("enumerate", "aquasurf-3", "--unique", "--count-only")
        self.assertEqual(sorted(answer), ["seconds", "total", "unique"])
        self.assertEqual((answer["total"], answer["unique"]), (5103, len(classes)))
        self.assertGreaterEqual(answer["seconds"], 0)

    def check_classes(self, class_of):
        for text, number in class_of.items():
            binary, left, right = operators(text)
            if binary in ("add", "mul", "max", "min"):
                self.assertEqual(class_of[f"{binary}({right}(x),{left}(x))"], number, text)
        relu = class_of["add(zero(x),relu(x))"]
        for equal in ("max(zero(x),identity(x))", "mul(one(x),relu(x))", "max(relu(x),relu(x))", "pow(relu(x),one(x))"):
            self.assertEqual(class_of[equal], relu, equal)
        for different in ("add(zero(x),elu(x))", "add(zero(x),swish(x))", "add(zero(x),identity(x))"):
            self.assertNotEqual(class_of[different], relu, different)

    def test_formats_agree(self):
        self.written("u.csv", "aquasurf-3", "--unique")
        self.written("u.jsonl", "aquasurf-3", "--unique")
        classes = self.read_csv("u.csv")
        self.assertEqual(self.read_jsonl("u.jsonl"), classes)
        answer = self.json("enumerate", "aquasurf-3", "--unique")
        self.assertEqual(answer["count"], len(classes[0]))
        self.assertEqual([row["index"] for row in answer["functions"]], [group[0][0] for group in classes[0]])
        for line, group in zip(self.lines("enumerate", "aquasurf-3", "--unique"), classes[0], strict=True):
            self.assertEqual(line.split()[:2], [str(group[0][0]), group[0][1]])
            self.assertIn(f"(and {len(group) - 1} equal" if len(group) > 1 else group[0][1], line)

    def test_threads(self):
        space = ["unary(unary(unary(x)))|binary(unary(x),unary(x))", "--unique"]
        one, three = (self.written("u.csv", *space, "--threads", threads) for threads in ("1", "3"))
        self.assertEqual(one, three)
        counts = [self.json("enumerate", *space, "--count-only", "--threads", threads) for threads in ("1", "3")]
        self.assertEqual(counts[0]["unique"], counts[1]["unique"])

    def test_parameters(self):
        """With a parameter, a function is another one."""
        space = ["unary(x)", "--unary", "relu,negative", "--parameters", "1", "--unique"]
        answers = [self.json("enumerate", *space, "--threads", threads) for threads in ("1", "3")]
        self.assertEqual(answers[0], answers[1])
        classes = [[row["expression"], *(each["expression"] for each in row["equivalents"])]
                   for row in answers[0]["functions"]]
        self.assertIn(["alpha(negative(x))", "negative(alpha(x))"], classes)
        self.assertIn(["alpha(relu(x))"], classes)
        self.assertIn(["relu(alpha(x))"], classes)

    def test_range(self):
        self.written("u.csv", "aquasurf-3", "--unique", "--from", "730", "--count", "100")
        classes, _ = self.read_csv("u.csv")
        self.assertEqual(sorted(index for group in classes for index, _ in group), list(range(730, 830)))
        answer = self.json("enumerate", "aquasurf-3", "--unique", "--count-only", "--from", "730", "--count", "100")
        self.assertEqual((answer["total"], answer["unique"]), (100, len(classes)))
        answer = self.json("enumerate", "aquasurf-3", "--unique", "--count-only", "--from", "5103")
        self.assertEqual((answer["total"], answer["unique"]), (0, 0))


class Sample(SpaceTest):
    def test_seed(self):
        for options in (["pangaea"], ["aquasurf-3"], ["cafe-s4"], ["pangaea", "--initial"]):
            lines = self.lines("sample", *options, "--count", "20", "--seed", "7")
            self.assertEqual(len(lines), 20)
            self.assertEqual(self.lines("sample", *options, "--count", "20", "--seed", "7"), lines)
            self.assertEqual(self.lines("sample", *options, "--count", "5", "--seed", "7"), lines[:5])
            self.assertNotEqual(self.lines("sample", *options, "--count", "20", "--seed", "8"), lines)

    def test_json(self):
        answer = self.json("sample", "pangaea", "--count", "5", "--seed", "3")
        self.assertEqual((answer["space"], answer["seed"], len(answer["functions"])), ("pangaea", 3, 5))
        for row in answer["functions"]:
            there = self.functions("pangaea", "--from", str(row["index"]), "--count", "1")
            self.assertEqual(there, [row["expression"]])
        self.assertEqual(self.lines("sample", "pangaea", "--count", "5", "--seed", "3"),
                         [row["expression"] for row in answer["functions"]])

    def test_initial(self):
        shapes = {len(operators(line)) for line in self.lines("sample", "pangaea", "--initial", "--count", "30")}
        self.assertEqual(shapes, {2, 3})
        self.assertIn("union of schemas", self.refused(USAGE, "sample", "aquasurf-3", "--initial"))

    def test_leading_zeros(self):
        self.assertEqual(self.lines("sample", "pangaea", "--count", "010", "--seed", "010"),
                         self.lines("sample", "pangaea", "--count", "10", "--seed", "10"))

    def test_none(self):
        self.assertEqual(self.text("sample", "pangaea", "--count", "0"), "")
        self.assertEqual(self.json("sample", "pangaea", "--count", "0")["functions"], [])


class Mutate(SpaceTest):
    PARENT = "add(relu(x),tanh(sinh(x)))"

    def children(self, *options, parent=PARENT, space="pangaea"):
        answer = self.json("mutate", parent, "--space", space, "--count", "40", *options)
        self.assertEqual(sorted(answer), ["children", "parents", "seed", "space"])
        self.assertEqual((answer["parents"], len(answer["children"])), ([parent], 40))
        for child in answer["children"]:
            self.assertEqual(sorted(child), ["expression", "kind", "story"])
            self.assertTrue(any(line.startswith(child["kind"] + ":") for line in child["story"]), child)
        return answer["children"]

    def values(self, expression):
        done = self.run_program("fn", "eval", expression, "--json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        return strict_json(done.stdout)["values"]

    def test_insert(self):
        kept = 0
        for child in self.children("--kind", "insert", "--parameters", "0"):
            self.assertEqual(child["kind"], "insert")
            names = operators(child["expression"])
            self.assertGreater(len(names), 4)
            if "stays the same" in child["story"][0]:
                kept += 1
                self.assertEqual(self.values(child["expression"]), self.values(self.PARENT), child)
            else:
                self.assertEqual(len(names), 5)
        self.assertGreater(kept, 0)

    def test_remove(self):
        for child in self.children("--kind", "remove"):
            self.assertEqual(child["kind"], "remove")
            self.assertIn(len(operators(child["expression"])), (1, 2, 3), child)

    def test_change_and_regenerate(self):
        parent = operators(self.PARENT)
        for kind, changes in (("change", 1), ("regenerate", 4)):
            for child in self.children("--kind", kind):
                self.assertEqual(child["kind"], kind)
                pairs = zip(operators(child["expression"]), parent, strict=True)
                self.assertEqual(sum(a != b for a, b in pairs), changes, child)

    def test_any(self):
        self.assertEqual({child["kind"] for child in self.children()}, {"insert", "remove", "change", "regenerate"})

    def test_one_node_and_too_many(self):
        for child in self.children("--kind", "remove", parent="relu(x)"):
            self.assertEqual((child["kind"], len(operators(child["expression"]))), ("change", 1))
            self.assertIn("becomes", child["story"][0])
        for child in self.children(parent="relu(" * 8 + "x" + ")" * 8):
            self.assertEqual((child["kind"], len(operators(child["expression"]))), ("remove", 7))

    def test_union_of_schemas(self):
        inside = set(self.functions("cafe-s1"))
        for options, changes in (([], 1), (["--kind", "change"], 1), (["--kind", "regenerate"], 3)):
            for child in self.children(*options, parent="add(relu(x),abs(x))", space="cafe-s1"):
                self.assertIn(child["expression"], inside)
                pairs = zip(operators(child["expression"]), ["add", "relu", "abs"], strict=True)
                self.assertEqual(sum(a != b for a, b in pairs), changes)
        parent = "add(relu(add(relu(x),abs(x))),relu(add(relu(x),abs(x))))"
        for kind in ("insert", "remove"):
            said = self.refused(USAGE, "mutate", parent, "--space", "cafe-s2", "--kind", kind)
            self.assertIn(f"{kind} would leave the schemas of 'cafe-s2'", said)

    def test_parameters(self):
        counts = {child["expression"].count("alpha") + child["expression"].count("beta") +
                  child["expression"].count("gamma") for child in self.children()}
        self.assertEqual(counts, {0, 1, 2, 3})
        for child in self.children("--parameters", "0", parent=self.PARENT):
            self.assertNotIn("alpha", child["expression"])
        for child in self.children("--kind", "change", parent="alpha(relu(beta(x)))"):
            self.assertEqual(len(operators(child["expression"])), 1)

    def test_seed(self):
        mutate = ["mutate", self.PARENT, "--space", "pangaea", "--count"]
        lines = self.lines(*mutate, "9", "--seed", "5")
        self.assertEqual(self.lines(*mutate, "9", "--seed", "5"), lines)
        self.assertEqual(self.lines(*mutate, "3", "--seed", "5"), lines[:3])
        self.assertNotEqual(self.lines(*mutate, "9", "--seed", "6"), lines)

    def test_explain(self):
        children = self.children("--seed", "2")
        wanted = [line for child in children
                  for line in (child["expression"], *("    " + line for line in child["story"]))]
        self.assertEqual(self.lines("mutate", self.PARENT, "--space", "pangaea", "--count", "40", "--seed", "2",
                                    "--explain"), wanted)

    def test_wrong_parent(self):
        for parent, space, says in (("gelu(x)", "pangaea", "'gelu' is not among its operators"),
                                    ("x", "pangaea", "identity(x)"), ("relu(2)", "pangaea", "constant"),
                                    ("relu(x)", "cafe-s1", "does not fit the schema binary(unary(x),unary(x))"),
                                    ("add(elu(x),abs(x))", "cafe-s1", "does not fit"),
                                    ("alpha(add(relu(x),abs(x)))", "cafe-s1", "the space allows 0"),
                                    ("alpha(beta(relu(x)))", "pangaea", "two parameters on one edge"),
                                    ("alpha[0.5](relu(x))", "pangaea", "does not start at 1"),
                                    ("relu(x)", "aquasurf-4", "none of its schemas")):
            said = self.refused(BAD_INPUT, "mutate", parent, "--space", space)
            self.assertIn(f"is not in the space '{space}'", said)
            self.assertIn(says, said)
        self.assertIn("\n  relu(x\n        ^\n", self.refused(BAD_INPUT, "mutate", "relu(x", "--space", "pangaea"))
        self.assertIn("alternative", self.refused(BAD_INPUT, "mutate", "relu(x)", "--space", "relu(x)"))
        self.refused(BAD_INPUT, "mutate", "sum_n(" + "x," * 4000 + "x)", "--space", "pangaea")

    def test_wrong_kind(self):
        said = self.refused(USAGE, "mutate", "relu(x)", "--space", "pangaea", "--kind", "insrt")
        self.assertIn("did you mean 'insert'?", said)


class Cross(SpaceTest):
    FIRST = "add(sin(mul(relu(x),abs(x))),cos(max(exp(x),erf(x))))"
    SECOND = "sub(tanh(min(one(x),zero(x))),sinh(add(cube(x),sinc(x))))"

    def test_child_is_in_the_space(self):
        lists = self.json("show", "cafe-s2")["lists"]
        unary, binary = (f"(?:{'|'.join(lists[name])})" for name in ("unary", "binary"))
        unit = rf"{binary}\({unary}\(x\),{unary}\(x\)\)"
        answer = self.json("cross", self.FIRST, self.SECOND, "--space", "cafe-s2", "--count", "40")
        self.assertEqual((answer["parents"], answer["seed"]), ([self.FIRST, self.SECOND], 0))
        genes = set(operators(self.FIRST) + operators(self.SECOND))
        for child in answer["children"]:
            self.assertRegex(child["expression"], rf"^{binary}\({unary}\({unit}\),{unary}\({unit}\)\)$")
            self.assertLessEqual(set(operators(child["expression"])), genes)
            self.assertEqual(operators(child["expression"])[0], "add")  # never the whole tree
            self.assertEqual((child["kind"], len(child["story"])), ("cross", 1))
        self.assertGreater(len({child["expression"] for child in answer["children"]}), 5)

    def test_seed_and_explain(self):
        cross = ["cross", self.FIRST, self.SECOND, "--space", "cafe-s2", "--count"]
        lines = self.lines(*cross, "9", "--seed", "5")
        self.assertEqual(self.lines(*cross, "9", "--seed", "5"), lines)
        self.assertEqual(self.lines(*cross, "3", "--seed", "5"), lines[:3])
        self.assertNotEqual(self.lines(*cross, "9", "--seed", "6"), lines)
        explained = self.lines(*cross, "9", "--seed", "5", "--explain")
        self.assertEqual(explained[::2], lines)
        self.assertTrue(all("of the first is replaced by" in line for line in explained[1::2]))

    def test_wrong_parents(self):
        said = self.refused(USAGE, "cross", "relu(x)", "tanh(x)", "--space", "pangaea")
        self.assertIn("'pangaea' is a space of graphs", said)
        for first, second in (("relu(x)", self.SECOND), (self.FIRST, "relu(x)")):
            said = self.refused(BAD_INPUT, "cross", first, second, "--space", "cafe-s2")
            self.assertIn("'relu(x)' is not in the space 'cafe-s2'", said)
        said = self.refused(BAD_INPUT, "cross", "relu(x)", "add(x,tanh(x))", "--space", "unary(x)|add(x,unary(x))")
        self.assertIn("no subtrees of the same schema", said)


class Files(SpaceTest):
    def test_show_reads_back(self):
        self.file(GATED, "gated.toml")
        for space in (*(name.split() for name in SIZES), ["cafe-s3"], ["gated.toml"], ["gated.toml", "--unary", "cafe"],
                      ["unary(x) | mul(x,unary(x))", "--unary", "relu,tanh", "--parameters", "2"],
                      ["nary(x,-0.5,1e-30,unary( x ))"], ["unary(\tx)"], ["unary(\n  x)\n| add(x,unary(x))"]):
            with self.subTest(space):
                text = self.text("show", *space)
                tomllib.loads(text)
                self.file(text, "again.toml")
                self.assertEqual(self.json("count", "again.toml"), self.json("count", *space))
                self.assertEqual(self.functions("again.toml", "--count", "20"), self.functions(*space, "--count", "20"))
                self.assertEqual(self.text("show", "again.toml"), text)

    def test_name_reads_back(self):
        for name in ("it's", 'a "b"', "a\\b", "tab\t", "line\nbreak", "é", "'''", '"""', "\u007f", "\\u0041"):
            with self.subTest(name):
                self.file(f"name = {json.dumps(name)}\nmax_nodes = 1")
                shown = self.text("show", "s.toml")
                self.assertEqual(tomllib.loads(shown)["name"], name)
                self.file(shown, "again.toml")
                self.assertEqual(self.json("show", "again.toml")["name"], name)

    def test_show_json(self):
        shown = self.json("show", self.file(GATED))
        self.assertEqual((shown["name"], shown["parameters"], shown["total"]), ("gated", 1, 69))
        self.assertIsNone(shown["max_nodes"])
        self.assertEqual(shown["schemas"], ["mul(unary(x),gate(unary(x)))", "max(0.5,unary(x))", "prelu(x)"])
        self.assertEqual(shown["lists"]["gate"], ["sigmoid", "hard_sigmoid"])
        self.assertEqual(self.json("show", "pangaea")["max_nodes"], 7)
        self.assertEqual(len(self.json("show", "pangaea")["lists"]["unary"]), 27)

    def test_lists_operators_constants_parameters(self):
        rows = self.json("count", self.file(GATED))["rows"]
        self.assertEqual([row["functions"] for row in rows], [8 * (1 + 6), 2 * (1 + 4), 1 * (1 + 2)])
        functions = self.functions("s.toml")
        self.assertEqual(len(set(functions)), 69)
        self.assertEqual(functions[:3] + functions[56:58] + functions[-2:],
                         ["mul(relu(x),sigmoid(relu(x)))", "mul(relu(x),sigmoid(tanh(x)))",
                          "mul(relu(x),hard_sigmoid(relu(x)))", "max(0.5,relu(x))", "max(0.5,tanh(x))",
                          "alpha(prelu(x))", "prelu(alpha(x))"])

    def test_graphs(self):
        self.file('max_nodes = 3\nunary = ["relu", "tanh"]\nbinary = ["add"]\n')
        self.assertEqual(self.json("count", "s.toml")["total"], 2 + 4 + 8 + 4)
        functions = self.functions("s.toml")
        self.assertEqual((functions[0], functions[-1], len(set(functions))), ("relu(x)", "add(tanh(x),tanh(x))", 18))
        self.assertTrue(self.lines("mutate", "relu(x)", "--space", "s.toml", "--count", "5"))

    def test_sets_by_name(self):
        self.file('schemas = ["binary(unary(x),unary(x))"]\nunary = "cafe"\nbinary = "cafe"')
        self.assertEqual(self.functions("s.toml"), self.functions("cafe-s1"))
        self.assertEqual(self.json("show", "s.toml")["name"], "s.toml")

    def test_any_file_name(self):
        (self.folder / "sub").mkdir()
        for name in ("mine", "sub/mine.toml", "my space (1).toml", "é.toml"):
            self.assertEqual(self.json("count", self.file(GATED, name))["total"], 69)

    def test_windows_text(self):
        self.assertEqual(self.json("count", self.file("\ufeff" + GATED.replace("\n", "\r\n")))["total"], 69)

    def test_changed(self):
        self.file(GATED)
        self.assertEqual(self.json("count", "s.toml", "--unary", "abs", "--parameters", "0")["total"], 2 + 1 + 1)
        self.assertEqual(self.json("show", "s.toml", "--unary", "abs")["name"], "gated (changed)")


if __name__ == "__main__":
    cli_runner.main()
