#!/usr/bin/env python3
"""`actforge train` as a user runs it.

  train_cli_test.py path/to/actforge [unittest options]
"""

import signal
import subprocess
import time

import cli_runner
from cli_runner import BAD_INPUT, USAGE, ProgramTest, environment

SHORT = ("--net", "mlp-1-16", "--data", "digits", "--epochs", "2", "--subset", "400", "--learning-rate", "0.1", "--threads", "1")


class Train(ProgramTest):
    group = "train"

    def test_answers_in_json(self):
        answer = self.json(*SHORT)
        for field in ("train_accuracy", "validation_accuracy", "validation_loss", "seconds", "images_per_second"):
            self.assertIsInstance(answer[field], float, field)
        self.assertEqual((answer["status"], answer["epochs"], len(answer["curve"])), ("completed", 2, 2))
        self.assertNotIn("test_accuracy", answer)
        self.assertEqual(answer["curve"][-1]["validation_accuracy"], answer["validation_accuracy"])
        self.assertGreater(answer["validation_accuracy"], 0.2)  # guessing gives 0.1
        self.assertEqual(answer["settings"]["epochs"], "2")

    def test_looks_at_test_images_only_when_told(self):
        self.assertGreater(self.json(*SHORT, "--test")["test_accuracy"], 0.2)

    def test_same_seed_same_numbers(self):
        def numbers(*more):
            answer = self.json(*SHORT, *more)
            return [(e["train_loss"], e["validation_loss"]) for e in answer["curve"]]
        first = numbers()
        self.assertEqual(first, numbers())
        self.assertNotEqual(first, numbers("--seed", "1"))
        self.assertNotEqual(first, numbers("--activation", "tanh(x)"))
        self.assertNotEqual(first, numbers("--init", "orthogonal"))

    def test_prints_a_table(self):
        text = self.text(*SHORT)
        self.assertRegex(text, r"(?m)^epoch +rate +train loss +accuracy +validation +accuracy +seconds$")
        self.assertRegex(text, r"(?m)^completed$")
        self.assertRegex(text, r"validation accuracy \d+\.\d\d%")

    def test_takes_networks_from_files(self):
        (self.folder / "own.net").write_text(
            "network own\nx = input(shape=1x8x8)\nf = flatten(x)\na = dense(f, units=20)\n"
            "b = activation(a, function=swish(x))\nc = dense(b, units=10)\nreturn c\n")
        answer = self.json("--net", "own.net", "--epochs", "3", "--recipe", "mini")
        self.assertEqual(answer["network"], "own")
        self.assertGreater(answer["validation_accuracy"], 0.8)

    def test_refuses_numbers_of_a_file(self):
        (self.folder / "fixed.net").write_text(
            "network fixed\nx = input(shape=1x8x8)\nc = constant(shape=1x8x8, mean=2)\nm = multiply(x, c)\n"
            "f = flatten(m)\nd = dense(f, units=10)\nreturn d\n")
        self.assertIn("layer 'c'", self.refusal(BAD_INPUT, "train", "--net", "fixed.net", "--data", "digits"))

    def test_lists_recipes_and_initialisers(self):
        answer = self.json("--list")
        self.assertIn("mini", [row["name"] for row in answer["recipes"]])
        self.assertIn("orthogonal", [row["name"] for row in answer["initialisers"]])
        self.assertIn("allcnn-c", self.text("--list"))

    def test_hopeless_runs_are_results(self):
        answer = self.json(*SHORT, "--activation", "0*x/(0*x)")
        self.assertEqual(answer["status"], "diverged")
        self.assertIsNone(answer["validation_accuracy"])
        self.assertIn("undefined", answer["reason"])
        answer = self.json(*SHORT, "--activation", "0*x", "--chance-epochs", "1")
        self.assertEqual(answer["status"], "chance")
        answer = self.json("--net", "mlp-1-16", "--threads", "1", "--epochs", "100000", "--time-limit", "0.3")
        self.assertEqual(answer["status"], "timeout")

    def test_stopped_and_resumed_it_ends_with_the_same_numbers(self):
        run = ("--net", "resnet-mini", "--data", "digits", "--epochs", "2", "--subset", "600", "--threads", "1")
        whole = self.json(*run)
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number):
                checkpoint = self.folder / f"run.{number}"
                process = subprocess.Popen([self.program, "train", *run, "--checkpoint", checkpoint,
                                            "--checkpoint-every", "0"], cwd=self.folder, env=environment(),
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                deadline = time.monotonic() + 60
                while not checkpoint.exists() and time.monotonic() < deadline and process.poll() is None:
                    time.sleep(0.01)
                process.send_signal(number)
                said = process.communicate(timeout=60)[1].decode()
                self.assertEqual(process.returncode, code, said)
                if code > 0:
                    self.assertIn("the same command with --resume continues", said)
                resumed = self.json(*run, "--checkpoint", checkpoint, "--resume")
                for mine, other in zip(resumed["curve"], whole["curve"], strict=True):
                    self.assertEqual({**mine, "seconds": 0}, {**other, "seconds": 0})

    def test_refuses_what_does_not_fit(self):
        for code, said, *arguments in (
                (BAD_INPUT, "did you mean 'allcnn-mini'?", "--net", "alcnn-mini"),
                (BAD_INPUT, "did you mean 'digits'?", "--data", "digit"),
                (USAGE, "did you mean 'mini'?", "--recipe", "minni"),
                (USAGE, "did you mean 'he-normal'?", "--init", "he-norml"),
                (USAGE, "--epochs takes a whole number", "--epochs", "-1"),
                (USAGE, "--optimizer takes one of", "--optimizer", "adamm"),
                (USAGE, "--drops", "--schedule", "step"),
                (USAGE, "--resume needs --checkpoint", "--resume"),
                (BAD_INPUT, "there is no checkpoint", "--resume", "--checkpoint", "none"),
                (BAD_INPUT, "unknown", "--activation", "relo(x)"),
                (BAD_INPUT, "matches 'b*'", "--activation-at", "b*=relu(x)"),
                (BAD_INPUT, "", "--subset", "100000"),
                (USAGE, "unknown device", "--device", "abacus"),
        ):
            with self.subTest(arguments):
                self.assertIn(said, self.refusal(code, "train", *arguments))

    def test_refuses_what_is_no_data(self):
        (self.folder / "pictures").mkdir()
        for name, says in (("./pictures", "the folder is empty"), ("pictures", "the folder is empty"),
                           ("/nowhere/at/all", "there is no file or folder")):
            self.assertIn(says, self.refusal(BAD_INPUT, "train", "--data", name))

    def test_refuses_files_that_are_no_checkpoints(self):
        for name, content in (("empty", b""), ("short", b"\x05\0\0\0\0\0\0\0{}"), ("huge", b"\xff" * 64),
                              ("json", b"\x02\0\0\0\0\0\0\0{}")):
            (self.folder / name).write_bytes(content)
            self.refusal(BAD_INPUT, "train", *SHORT, "--checkpoint", name, "--resume")


if __name__ == "__main__":
    cli_runner.main()
