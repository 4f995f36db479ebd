#!/usr/bin/env python3
"""Runs `actforge` on data in files that other programs wrote.

  own_data_cli_test.py path/to/actforge [unittest options]
"""

import csv
import gzip
import io
import json
import sqlite3
import struct
import sys

import cli_runner
from cli_runner import BAD_INPUT, USAGE, ProgramTest, environment, strict_json

try:
    import numpy
    from PIL import Image
except ImportError:
    print("NumPy or Pillow is missing (Debian: python3-numpy, python3-pil)", file=sys.stderr)
    sys.exit(77)


class OwnData(ProgramTest):
    def setUp(self):
        super().setUp()
        self.env = environment(XDG_CACHE_HOME=self.path("cache"))

    def do(self, *arguments):
        done = self.run_program(*arguments, env=self.env)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout.decode()

    def show(self, name, *options):
        return strict_json(self.do("data", "show", name, "--json", *options))

    def refused(self, name, *says, code=BAD_INPUT):
        said = self.refusal(code, "data", "show", name, env=self.env)
        for words in says:
            self.assertIn(words, said)

    # Pictures that can be told apart: the class is the brighter half.
    def picture(self, label, number, size=(20, 16), mode="RGB"):
        noise = numpy.random.default_rng(1000 * label + number)
        pixels = noise.integers(0, 100, (size[1], size[0], 3), dtype=numpy.uint8)
        half = slice(0, size[0] // 2) if label == 0 else slice(size[0] // 2, size[0])
        pixels[:, half] += 120
        return Image.fromarray(pixels).convert(mode)

    def pictures(self, folder, count=40, ending="png", **options):
        for label, name in enumerate(("left", "right")):
            (self.folder / folder / name).mkdir(parents=True, exist_ok=True)
            for number in range(count):
                self.picture(label, number, **options).save(self.folder / folder / name / f"{number:03}.{ending}")


class Pictures(OwnData):
    def test_folder(self):
        self.pictures("p")
        shown = self.show("p")
        self.assertEqual((shown["height"], shown["width"], shown["channels"]), (16, 20, 3))
        self.assertEqual(shown["classes"], ["left", "right"])
        self.assertEqual((shown["train"]["per_class"], shown["validation"]["per_class"]), ([29, 29], [3, 3]))
        self.assertEqual(shown["test"]["images"], 16)
        whole = numpy.stack([numpy.asarray(self.picture(label, n)) for label in (0, 1) for n in range(40)]) / 255
        everything = self.show("p?test=0", "--validation", "0")
        numpy.testing.assert_allclose(everything["mean"], whole.mean(axis=(0, 1, 2)), atol=1e-9)
        numpy.testing.assert_allclose(everything["deviation"], whole.std(axis=(0, 1, 2)), atol=1e-9)
        self.assertIn("test part    0.2 of each class, drawn with seed 0", self.do("data", "show", "p"))

    def test_the_cache_answers_and_notices_changes(self):
        self.pictures("p", 10)
        first = self.show("p")
        files = list((self.folder / "cache" / "actforge" / "data").iterdir())
        self.assertEqual(len(files), 1)
        stamp = files[0].stat().st_mtime_ns
        self.assertEqual(self.show("p"), first)
        self.assertEqual(files[0].stat().st_mtime_ns, stamp)
        self.picture(1, 99).save(self.folder / "p" / "left" / "003.png")
        self.assertNotEqual(self.show("p")["identity"], first["identity"])

    def test_parts_that_exist_are_kept(self):
        for part, count in (("train", 12), ("val", 3), ("test", 5)):
            self.pictures(f"p/{part}", count)
        shown = self.show("p", "--indices")
        self.assertEqual((shown["train"]["images"], shown["test"]["images"]), (24, 10))
        self.assertEqual(shown["validation"]["indices"], list(range(24, 30)))
        (self.folder / "p" / "test" / "middle").mkdir()
        self.picture(0, 1).save(self.folder / "p" / "test" / "middle" / "1.png")
        self.refused("p", "p/test/middle/1.png: the training part has no class 'middle'")

    def test_sizes_modes_and_kinds(self):
        self.pictures("p", 4, mode="L")
        self.assertEqual(self.show("p")["channels"], 1)
        self.assertEqual(self.show("p?color=rgb&size=8x6")["channels"], 3)
        self.picture(0, 7, size=(31, 23)).save(self.folder / "p" / "left" / "color.jpg")
        self.refused("p", "different sizes (p/left/000.png: 16 by 20, p/left/color.jpg: 23 by 31)", "p?size=32", code=USAGE)
        shown = self.show("p?size=8")
        self.assertEqual((shown["height"], shown["width"], shown["channels"]), (8, 8, 3))
        self.assertEqual(self.show("p?size=8&color=grey")["channels"], 1)
        self.picture(0, 8).save(self.folder / "p" / "left" / "wrong.png", format="JPEG")
        self.assertIn("misnamed     1 file named PNG or JPEG", self.do("data", "show", "p?size=8"))
        (self.folder / "p" / "left" / "notes.txt").write_text("x")
        self.assertIn("not read     1 other file, such as p/left/notes.txt", self.do("data", "show", "p?size=8"))
        self.assertIn("size is a number of pixels", self.refusal(USAGE, "data", "show", "p?size=x", env=self.env))
        self.assertIn("did you mean 'size'?", self.refusal(USAGE, "data", "show", "p?sise=8", env=self.env))

    def test_damaged(self):
        self.pictures("p", 4)
        file = self.folder / "p" / "right" / "002.png"
        whole = file.read_bytes()
        for content, says in ((whole[:len(whole) // 2], "damaged PNG: the file is truncated"), (b"", "neither PNG nor JPEG"),
                              (b"GIF89a", "neither PNG nor JPEG")):
            file.write_bytes(content)
            self.refused("p", f"p/right/002.png: {says}" if "PNG:" in says else "p/right/002.png: its content is " + says)
        file.unlink()
        for name in range(10):
            (self.folder / "p" / "left" / f"bad{name}.jpg").write_bytes(b"\xff\xd8\xff\xe0")
        self.refused("p", "p/left/bad0.jpg: damaged JPEG", "p/left/bad4.jpg", "and 5 more")
        self.pictures("q", 2)
        (self.folder / "q" / "empty").mkdir()
        self.refused("q", "q/empty: the class has no images")
        (self.folder / "q" / "empty" / "x.webp").write_bytes(b"RIFF")
        self.refused("q", "q/empty/x.webp: images are read from PNG and JPEG files alone")
        (self.folder / "flat").mkdir()
        self.picture(0, 1).save(self.folder / "flat" / "1.png")
        self.refused("flat", "the images have no classes")

    def test_sheet(self):
        self.pictures("p", 4)
        self.do("data", "show", "p", "-o", "sheet.png")
        with Image.open(self.folder / "sheet.png") as sheet:
            self.assertGreater(sheet.width, 3 * 4 * 20)


class Arrays(OwnData):
    def arrays(self, count=60, kind="uint8"):
        x = numpy.stack([numpy.asarray(self.picture(n % 2, n)) for n in range(count)]).astype(kind)
        return x, numpy.array([n % 2 for n in range(count)])

    def test_npz(self):
        x, y = self.arrays()
        numpy.savez(self.path("whole.npz"), x=x, y=y)
        numpy.savez_compressed(self.path("parts.npz"), x_train=x[:40], y_train=y[:40], x_test=x[40:], y_test=y[40:])
        shown = self.show("whole.npz", "--validation", "0")
        self.assertEqual((shown["height"], shown["width"], shown["channels"], shown["max_value"]), (16, 20, 3, 255))
        self.assertEqual((shown["train"]["images"], shown["test"]["images"]), (48, 12))
        shown = self.show("parts.npz", "--validation", "0")
        self.assertEqual((shown["train"]["images"], shown["test"]["images"]), (40, 20))
        numpy.testing.assert_allclose(shown["mean"], x[:40].mean(axis=(0, 1, 2)) / 255, atol=1e-9)

    def test_types_and_orders(self):
        x, y = self.arrays()
        want = x.mean(axis=(0, 1, 2))
        for kind in ("float16", "float32", "float64", ">i2", "int64", "uint16"):
            numpy.savez(self.path("a.npz"), x_train=numpy.asfortranarray(x.astype(kind)), y_train=y.astype("float32"),
                        x_test=x[:2].astype(kind), y_test=y[:2])
            shown = self.show("a.npz", "--validation", "0")
            numpy.testing.assert_allclose(shown["mean"], want, rtol=1e-6, err_msg=kind)
        numpy.savez(self.path("a.npz"), X=x.transpose(0, 3, 1, 2), labels=numpy.array(["é" if v else "b" for v in y]))
        shown = self.show("a.npz?test=0", "--validation", "0")
        self.assertEqual((shown["height"], shown["channels"], shown["classes"]), (16, 3, ["b", "é"]))
        numpy.testing.assert_allclose(shown["mean"], want / 255, rtol=1e-9)

    def test_npy_folder_and_safetensors(self):
        x, y = self.arrays()
        (self.folder / "n").mkdir()
        numpy.save(self.path("n/x.npy"), x)
        numpy.save(self.path("n/y.npy"), y)
        arrays = {"x": ("U8", x), "y": ("I64", y)}
        header, at = {"__metadata__": {"format": "np"}}, 0
        for name, (kind, values) in arrays.items():
            header[name] = {"dtype": kind, "shape": values.shape, "data_offsets": [at, at + values.nbytes]}
            at += values.nbytes
        text = json.dumps(header).encode()
        (self.folder / "s.safetensors").write_bytes(
            struct.pack("<Q", len(text)) + text + b"".join(values.tobytes() for _, values in arrays.values()))
        first, second = self.show("n"), self.show("s.safetensors")
        self.assertEqual(first["mean"], second["mean"])
        self.assertEqual(first["train"], second["train"])
        self.refused("n/x.npy", "give the folder")

    def test_wrong(self):
        x, y = self.arrays(10)
        numpy.savez(self.path("a.npz"), x=x, y=y.astype(object))
        self.refused("a.npz", "a.npz: array 'y': Python objects are not read")
        numpy.savez(self.path("b.npz"), x=x, y=y + 0.5)
        self.refused("b.npz", "row 0 (counted from 0): the label 0.5 is not a whole number")
        whole = (self.folder / "a.npz").read_bytes()
        (self.folder / "c.npz").write_bytes(whole[:1000])
        self.refused("c.npz", "c.npz: ")

    def test_sheet(self):
        x, y = self.arrays(20, "float32")
        numpy.savez(self.path("a.npz"), x=x, y=y)
        self.do("data", "show", "a.npz", "-o", "sheet.png")
        numpy.savez(self.path("b.npz"), x=x.reshape(20, -1), y=y)
        self.do("data", "show", "b.npz", "-o", "sheet.png")


# Rows of the form of UCI's Adult, whose class follows from the columns.
def adult(count, seed):
    noise = numpy.random.default_rng(seed)
    rows = []
    for _ in range(count):
        age, hours = int(noise.integers(17, 80)), int(noise.integers(5, 80))
        job = str(noise.choice(["Private", "State-gov", "?"]))
        rich = age + hours + (20 if job == "State-gov" else 0) > 100
        rows.append([age, job, int(noise.integers(1e4, 1e6)), hours, ">50K" if rich else "<=50K"])
    return rows


class Tables(OwnData):
    def write(self, name, rows, header=None, **options):
        text = io.StringIO()
        writer = csv.writer(text, **options)
        writer.writerows(([header] if header else []) + rows)
        content = text.getvalue().encode()
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)

    def test_csv_tsv_and_gz(self):
        rows, header = adult(200, 1), ["age", "job", "weight", "hours", "income"]
        self.write("a.csv", rows, header)
        self.write("a.tsv", rows, header, delimiter="\t")
        self.write("a.csv.gz", rows, header)
        self.write("none.csv", rows)
        shown = [self.show(name) for name in ("a.csv", "a.tsv", "a.csv.gz", "none.csv")]
        for other in shown[1:]:
            self.assertEqual((other["mean"], other["train"], other["classes"]),
                             (shown[0]["mean"], shown[0]["train"], shown[0]["classes"]))
        self.assertEqual(shown[0]["classes"], ["<=50K", ">50K"])
        self.assertEqual(shown[0]["channels"], 3 + 3)
        text = self.do("data", "show", "a.csv")
        self.assertIn("3 of numbers, 1 of categories (3 indicators); the target is 'income'", text)
        self.assertRegex(text, r"missing +\d+ values in \d+ rows: the mean of the column, or a category of its own")
        self.do("data", "show", "a.csv", "-o", "sheet.png")

    def test_folder_of_uci(self):
        blanks = [[f" {cell}" if i else cell for i, cell in enumerate(row)] for row in adult(300, 1)]
        self.write("adult/adult.data.gz", blanks)
        test = "|1x3 Cross validator\n" + "\n".join(", ".join(map(str, row)) + "." for row in adult(50, 2)) + "\n\n"
        (self.folder / "adult" / "adult.test").write_text(test)
        shown = self.show("adult")
        self.assertEqual((shown["train"]["images"] + shown["validation"]["images"], shown["test"]["images"]), (300, 50))
        self.assertEqual(shown["classes"], ["<=50K", ">50K"])

    def test_wrong(self):
        rows = adult(20, 1)
        self.write("a.csv", [*rows[:5], rows[5][:3], *rows[6:]])
        self.refused("a.csv", "a.csv, line 6: 3 fields, not 5")
        self.write("d/train.csv", rows, ["a", "b", "c", "d", "y"])
        self.write("d/test.csv", [[1, "Private", 2, 3, "rich"]], ["a", "b", "c", "d", "y"])
        self.refused("d", "d/test.csv, line 2: the training part has no class 'rich'")
        (self.folder / "e.csv.gz").write_bytes(b"\x1f\x8bnonsense")
        self.refused("e.csv.gz", "e.csv.gz: ")


class Training(OwnData):
    """Needs LibTorch."""

    TRAIN = ("--net", "mlp-1-16", "--epochs", "8", "--threads", "1")

    def test_pictures_train_and_test(self):
        self.pictures("p")
        trained = strict_json(self.do("train", "--data", "p?size=8", *self.TRAIN, "--test", "--json"))
        self.assertGreater(trained["validation_accuracy"], 0.8)
        self.assertGreater(trained["test_accuracy"], 0.8)
        again = strict_json(self.do("train", "--data", "p?size=8", *self.TRAIN, "--test", "--json"))
        self.assertEqual(again["curve"][-1]["train_loss"], trained["curve"][-1]["train_loss"])

    def test_a_table_is_learned(self):
        with open(self.path("a.csv"), "w", newline="") as file:
            csv.writer(file).writerows(adult(1500, 3))
        trained = strict_json(self.do("train", "--data", "a.csv", "--net", "mlp-2-32", "--epochs", "20", "--threads", "1",
                                      "--test", "--json"))
        self.assertGreater(trained["test_accuracy"], 0.9)

    def test_fisher(self):
        self.pictures("p")
        self.assertTrue(strict_json(self.do("fisher", "--data", "p?size=4", "--net", "mlp-1-4", "--batch", "8", "--json"))["valid"])

    def test_without_a_test_part(self):
        self.pictures("p", 10)
        self.assertIn("has no test part", self.refusal(BAD_INPUT, "train", "--data", "p?size=4&test=0", *self.TRAIN, "--test",
                                                       env=self.env))

    def test_checkpoints_know_the_data(self):
        self.pictures("p", 10)
        self.do("train", "--data", "p?size=4", *self.TRAIN, "--checkpoint", "c", "--time-limit", "0.0001")
        self.picture(1, 99).save(self.folder / "p" / "left" / "003.png")
        said = self.refusal(BAD_INPUT, "train", "--data", "p?size=4", *self.TRAIN, "--checkpoint", "c", "--resume", env=self.env)
        self.assertIn("data", said)

    def test_a_study(self):
        self.pictures("p")
        new = ("--data", "./p?size=8", "--net", "mlp-1-16", "--epochs", "2", "--preset", "mini", "--strategy", "random",
               "--space", "elu(x)|tanh(x)|swish(x)|sigmoid(x)")
        self.do("search", "run", "--study", "s.db", *new, "--trials", "2")
        with sqlite3.connect(self.path("s.db")) as store:
            settings = store.execute("select settings from study").fetchone()[0]
        self.assertIn(f'data = "{self.folder.resolve()}/p?size=8"', settings.replace(str(self.folder), str(self.folder.resolve())))
        self.do("search", "rerank", "s.db", "--top", "1", "--runs", "1", "--full-epochs", "1")
        final = ("search", "final", "s.db", "--top", "1", "--runs", "2", "--full-epochs", "2", "--baseline", "relu(x)")
        first = self.do(*final)
        self.assertIn("test images", first)
        self.do("report", "s.db", "-o", "report.html")
        # What changed since then is noticed, by the search and after it.
        self.picture(1, 99).save(self.folder / "p" / "left" / "003.png")
        for command in (("search", "run", "--study", "s.db", *new, "--trials", "3"),
                        (*final[:4], "2", *final[5:])):
            said = self.refusal(BAD_INPUT, *command, env=self.env)
            self.assertIn("has changed since the study began", said)
        # What is known is told without the data.
        (self.folder / "p").rename(self.folder / "elsewhere")
        self.assertEqual(self.do(*final), first)
        self.do("report", "s.db", "-o", "report.html")


if __name__ == "__main__":
    cli_runner.main()
