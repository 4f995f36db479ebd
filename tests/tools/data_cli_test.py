#!/usr/bin/env python3
"""Runs `actforge data` as a user would.

  data_cli_test.py path/to/actforge [unittest options]
"""

import gzip
import struct

import cli_runner
from cli_runner import BAD_INPUT, DONE, STORAGE, USAGE, environment

NAMES = ["digits", "fashion-mnist", "mnist", "cifar10", "cifar100"]


class DataTest(cli_runner.ProgramTest):
    group = "data"

    def refused(self, code, *arguments, **options):
        return self.refusal(code, "data", *arguments, **options)


class EveryVerb(cli_runner.EveryVerb, DataTest):
    verbs = {"list": [], "show": ["digits"]}

    def test_unknown_verb(self):
        self.assertIn("did you mean 'show'?", self.refused(USAGE, "shwo", "digits"))
        self.assertIn("DATA", self.refused(USAGE, "show"))


class List(DataTest):
    def test_rows(self):
        rows = self.json("list")
        self.assertEqual([row["name"] for row in rows], NAMES)
        self.assertEqual([row["train"] for row in rows], [1438, 60000, 60000, 50000, 50000])
        self.assertEqual((rows[0]["where"], rows[0]["get_with"]), ("the library itself", None))
        lines = self.text("list").splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]], NAMES)
        self.assertRegex(lines[1], r"^digits +1,438 +359  8 x 8 x 1 +10  here$")

    def test_missing(self):
        env = environment(ACTFORGE_DATA=str(self.folder), XDG_DATA_HOME=str(self.folder))
        text = self.text("list", env=env)
        self.assertIn("not here; to get it: scripts/fetch-data mnist", text)
        self.assertIn("not here; to get it: scripts/fetch-data cifar10", text)


class Show(DataTest):
    def test_digits(self):
        shown = self.json("show", "digits")
        self.assertEqual((shown["height"], shown["width"], shown["channels"], shown["max_value"]), (8, 8, 1, 16))
        self.assertEqual(shown["classes"], [str(digit) for digit in range(10)])
        self.assertEqual((shown["train"]["images"], shown["validation"]["images"]), (1138, 300))
        self.assertEqual(shown["validation"]["per_class"], [30] * 10)
        self.assertEqual(shown["test"], {"images": 359})
        self.assertNotIn("indices", shown["train"])
        self.assertAlmostEqual(shown["mean"][0], 0.305, delta=0.005)

    def test_text_says_the_same(self):
        text = self.text("show", "digits", "--subset", "500")
        for words in ("8 by 8, 1 channel, values from 0 to 16", "500 of 1,438", "300 of the same", "359, not loaded",
                      "the library itself"):
            self.assertIn(words, text)
        mean = self.json("show", "digits", "--subset", "500")["mean"][0]
        self.assertIn(f"mean {mean:.6f}", text)

    def split(self, *options):
        shown = self.json("show", "digits", "--indices", *options)
        return shown["train"]["indices"], shown["validation"]["indices"]

    def test_split(self):
        train, validation = self.split("--seed", "3")
        self.assertEqual(sorted(train + validation), list(range(1438)))
        few, same = self.split("--seed", "3", "--subset", "200")
        more, _ = self.split("--seed", "3", "--subset", "400")
        self.assertEqual(same, validation)
        self.assertTrue(set(few) < set(more) < set(train))
        self.assertNotEqual(self.split("--seed", "4")[1], validation)
        self.assertEqual(self.split("--validation", "0")[0], list(range(1438)))

    def test_wrong(self):
        self.assertIn("did you mean 'digits'?", self.refused(BAD_INPUT, "show", "digit"))
        self.assertIn("the largest has 1", self.refused(BAD_INPUT, "show", "digits", "--validation", "2000"))
        self.assertIn("the largest has", self.refused(BAD_INPUT, "show", "digits", "--subset", "1138"))
        self.assertIn("no images", self.refused(BAD_INPUT, "show", "digits", "--subset", "0"))
        self.assertIn("--subset", self.refused(USAGE, "show", "digits", "--subset", "-1"))
        self.assertIn("--seed", self.refused(USAGE, "show", "digits", "--seed", "x"))
        self.assertIn("--json", self.refused(USAGE, "show", "digits", "--indices"))

    def test_missing(self):
        env = environment(ACTFORGE_DATA=str(self.folder), XDG_DATA_HOME=str(self.folder))
        said = self.refused(BAD_INPUT, "show", "mnist", env=env)
        self.assertIn(f"looked in {self.folder}/mnist, {self.folder}/actforge/mnist, /usr/share/datasets/mnist", said)
        self.assertIn("scripts/fetch-data mnist", said)

    def test_broken(self):
        env = environment(ACTFORGE_DATA=str(self.folder))
        folder = self.folder / "mnist"
        folder.mkdir()
        images, labels = folder / "train-images-idx3-ubyte.gz", folder / "train-labels-idx1-ubyte"
        labels.write_bytes(struct.pack(">II", 0x801, 60000) + bytes(60000))
        for content, says in ((b"", "is truncated"), (b"nonsense" * 9, "not a valid gzip archive"),
                              (gzip.compress(bytes(100_000_000)), "unpacks to more than the 47040016 bytes"),
                              (gzip.compress(struct.pack(">IIII", 0x803, 60000, 28, 27)), "says 27 columns, not 28")):
            images.write_bytes(content)
            said = self.refused(BAD_INPUT, "show", "mnist", env=env)
            self.assertIn(f"{images}: ", said)
            self.assertIn(says, said)


class Sheet(DataTest):
    def png_size(self, name):
        content = (self.folder / name).read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", content[16:24])

    def test_png(self):
        done = self.run_program("data", "show", "digits", "-o", "sheet.png")
        self.assertEqual((done.returncode, done.stderr), (DONE, b"wrote sheet.png\n"))
        width, height = self.png_size("sheet.png")
        self.assertGreater(width, 16 * 64)
        self.assertGreater(height, 10 * 64)
        self.assertEqual(self.json("show", "digits", "-o", "again.png")["file"], "again.png")
        self.assertEqual((self.folder / "again.png").read_bytes(), (self.folder / "sheet.png").read_bytes())

    def test_wrong(self):
        self.assertIn("ends in .png", self.refused(USAGE, "show", "digits", "-o", "sheet.jpg"))
        self.assertIn("no folder", self.refused(STORAGE, "show", "digits", "-o", "no/such/sheet.png"))


if __name__ == "__main__":
    cli_runner.main()
