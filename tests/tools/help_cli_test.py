#!/usr/bin/env python3
"""What the program says of itself: help, suggestions, completions, the manual page, messages.

  help_cli_test.py path/to/actforge [unittest options]
"""

import os
import pty
import re
import shlex
import shutil
import subprocess
import unittest

import cli_runner
from cli_runner import BAD_INPUT, DONE, STORAGE, USAGE, environment

MOST_OPTIONS = 15  # of a short help: ten or so, --json and --help-all


SEARCH = ["search", "run", "--evaluator", "distance", "--target", "swish(x)", "--space", "unary(x)", "--strategy", "random",
          "--trials", "3", "--baseline", ""]


class ProgramTest(cli_runner.ProgramTest):
    answers = {}  # to the same question always the same

    def said(self, *arguments):
        if arguments not in self.answers:
            done = self.run_program(*arguments)
            self.assertEqual((done.returncode, done.stderr), (DONE, b""), arguments)
            self.answers[arguments] = done.stdout.decode()
        return self.answers[arguments]

    def commands(self):
        """Words of every command: (), ("fn",), ("fn", "show"), ..."""
        return list(self.walk(()))

    def walk(self, words):
        yield words
        section = re.search(r"\nCommands:\n(.*?)\n\n", self.said(*words, "--help"), re.S)
        for name in re.findall(r"(?m)^  ([a-z]\S*)", section.group(1)) if section else ():
            yield from self.walk((*words, name))


def shown_options(text):
    return re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", text)


class Help(ProgramTest):
    def test_every_command_is_there(self):
        self.assertGreater(len(self.commands()), 50)
        for words in ("fn", "show"), ("search", "run"), ("completion",):
            self.assertIn(words, self.commands())
        self.assertNotIn(("search", "worker"), self.commands())

    def test_short_and_full(self):
        for words in self.commands():
            short, full = (self.said(*words, option) for option in ("--help", "--help-all"))
            with self.subTest(words):
                self.assertIn(f"Usage: {' '.join(('actforge', *words))}", short)
                self.assertLessEqual(len(shown_options(short)), MOST_OPTIONS)
                self.assertLessEqual(set(shown_options(short)), set(shown_options(full)))
                self.assertLessEqual({"--help", "--help-all", "--log", "--quiet", "--verbose"}, set(shown_options(full)))
                self.assertLessEqual(max(map(len, short.splitlines())), 140)
                self.assertEqual(self.said("help", *words), short)

    def test_what_matters_is_in_the_short_one(self):
        for words, options in ((("train",), ("--net", "--data", "--learning-rate", "--device")),
                               (("search", "run"), ("--evaluate", "--trials", "--net", "--workers", "--strategy")),
                               (("search", "resume"), ("--trials", "--retry")),
                               (("init",), ("--output", "--method", "--check")),
                               (("embed",), ("--space", "--output", "--study"))):
            self.assertLessEqual(set(options), set(shown_options(self.said(*words, "--help"))))
        self.assertIn("[allcnn-mini]", self.said("train", "--help"))
        self.assertRegex(self.said("search", "run", "--help"), r"--workers VALUE +[^\n]*\[1\]")
        self.assertRegex(self.said("search", "resume", "--help"), r"--workers VALUE +[^\n]*\[the study's\]")

    def test_every_command_has_an_example_that_fits(self):
        for words in self.commands():
            text = self.said(*words, "--help")
            lines = [line.strip() for line in text.splitlines() if line.startswith("  actforge ")]
            with self.subTest(words):
                self.assertRegex(text, "Examples?:")
                self.assertTrue(lines)
                self.assertEqual([line for line in lines if not line.startswith(" ".join(("actforge", *words)))], [])
                for line in lines:
                    self.check_options(line)

    def test_examples_that_need_no_file_work(self):
        ran = 0
        for group in ("fn", "space", "net", "data"):
            for line in re.findall(rf"(?m)^  (actforge {group} .*)$", self.said(group, "--help-all")):
                if not re.search(r"\.(onnx|csv)\b", line):
                    self.assertEqual(self.run_program(*shlex.split(line)[1:]).returncode, DONE, line)
                    ran += 1
        self.assertGreater(ran, 20)

    def check_options(self, line):
        words = shlex.split(line.split("   ")[0])[1:]
        path = max((p for p in self.commands() if tuple(words[:len(p)]) == p), key=len)
        given = {word.split("=")[0] for word in words if word.startswith("--")}
        self.assertLessEqual(given, set(shown_options(self.said(*path, "--help-all"))), line)

    def test_help_of_nothing(self):
        self.assertIn("unknown command 'fn polt'; did you mean 'plot'?", self.refusal(USAGE, "help", "fn", "polt"))
        self.assertIn("has no commands", self.refusal(USAGE, "help", "train", "x"))

    def test_version(self):
        self.assertEqual(self.said("-V"), self.said("--version"))


class Suggestions(ProgramTest):
    def test_options(self):
        for command, meant in (("train --lr 0.1", "--learning-rate"), ("train --LR=0.1", "--learning-rate"),
                               ("train --gpu 0", "--device"), ("train --cuda", "--device"),
                               ("train --learning_rate 0.1", "--learning-rate"), ("train --epoch 3", "--epochs"),
                               ("train --learn 1", "--learning-rate"), ("train --model x", "--net"),
                               ("search run --n-trials 3", "--trials"), ("search top s.db --cuont 3", "--count"),
                               ("search new --n_jobs 2", "--workers"), ("init --chekc", "--check"),
                               ("fn export x --format jax", "--to"), ("fn plot x --out y.svg", "--output")):
            said = self.refusal(USAGE, *command.split())
            self.assertRegex(said, rf"unknown option '--\w+[^']*' of 'actforge [a-z ]+'; did you mean '{meant}'\?\n")

    def test_an_option_of_another_command(self):
        self.assertIn("it is an option of 'search", self.refusal(USAGE, "fn", "eval", "x", "--halving", "3"))
        self.assertNotIn("it is", self.refusal(USAGE, "fn", "eval", "x", "--zzzzzz"))

    def test_commands(self):
        for words, meant in ((["fn", "polt", "x"], "'plot'"), (["plot", "x"], "'fn plot'"), (["fm"], "'fn'"),
                             (["export"], "'fn export' or 'search export'"), (["run", "study.toml"], "'search run'"),
                             (["--quiet", "trian"], "'train'")):
            self.assertIn(f"did you mean {meant}?", self.refusal(USAGE, *words))
        self.assertIn("needs a command: build, show", self.refusal(USAGE, "bench"))

    def test_usage_is_shown(self):
        self.assertIn("Usage: actforge fn eval EXPR [OPTIONS]\n", self.refusal(USAGE, "fn", "eval"))
        self.assertIn("takes no argument 'y'", self.refusal(USAGE, "fn", "eval", "x", "y"))

    def test_negative_values_stay_as_they_are(self):
        for command in (["fn", "bench", "x", "--rounds", "-5"], ["data", "show", "digits", "--seed", "-5"],
                        ["fn", "fit", "relu(x)", "--knots", "-5"], ["space", "enumerate", "aquasurf-3", "--count", "-5"],
                        ["search", "run", "--study", "s.db", "--trials", "-5"]):
            said = self.refusal(USAGE, *command)
            self.assertIn("-5", said)
            self.assertNotIn("' -5", said)
            self.assertNotIn("Value  -5", said)
        self.assertIn("'-json' of", self.refusal(USAGE, "data", "show", "digits", "-json"))

    def test_a_folder_that_is_no_data(self):
        (self.folder / "pictures" / "cats").mkdir(parents=True)
        said = self.refusal(BAD_INPUT, "data", "show", "pictures")
        self.assertIn("pictures/cats: the class has no images", said)
        self.assertIn("there is no file or folder '/a/mnist'", self.refusal(BAD_INPUT, "data", "show", "/a/mnist/"))
        self.assertIn("--data FOLDER", self.refusal(BAD_INPUT, "data", "show", "imagenet"))
        (self.folder / "notes.txt").write_text("nothing")
        said = self.refusal(BAD_INPUT, "data", "show", "notes.txt")
        for word in ("folders of images", ".csv", ".npz", ".safetensors"):
            self.assertIn(word, said)


class Messages(ProgramTest):
    def export(self, *options):
        return self.run_program("fn", "export", "swish(x)", "--to", "pytorch", "-o", "f.py", *options)

    def test_quiet_and_verbose(self):
        self.assertEqual(self.export().stderr, b"wrote f.py\n")
        self.assertEqual(self.export("--quiet").stderr, b"")
        self.assertRegex(self.export("--verbose").stderr.decode(),
                         r"^actforge \d\S*: \S+ fn export .*\nwrote f.py\n\d+\.\d+ s\n$")
        self.assertIn("--quiet or --verbose", self.refusal(USAGE, "fn", "list", "--quiet", "--verbose"))
        self.assertIn(b"unknown operator", self.run_program("--quiet", "fn", "show", "y").stderr)

    def test_log(self):
        self.export("--log", "a.log", "--quiet")
        self.run_program("--log", "a.log", "fn", "show", "y")
        lines = (self.folder / "a.log").read_text().splitlines()
        for line in lines:
            self.assertRegex(line, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ")
        texts = [line.split(" ", 1)[1] for line in lines]
        self.assertIn("wrote f.py", texts)
        self.assertTrue([text for text in texts if "unknown operator 'y'" in text], texts)
        self.assertIn("no/such.log", self.refusal(STORAGE, "fn", "list", "--log", "no/such.log"))

    def test_log_of_a_search(self):
        done = self.run_program(*SEARCH, "--study", "s.db", "--quiet", "--log", "s.log")
        self.assertEqual((done.returncode, done.stderr), (DONE, b""), done.stderr)
        self.assertEqual((self.folder / "s.log").read_text().count(" completed "), 3)

    def test_progress(self):
        for options, is_drawn in (([], True), (["--quiet"], False)):
            master, slave = pty.openpty()
            done = self.run_program(*SEARCH, "--study", f"{is_drawn}.db", "--log", f"{is_drawn}.log", *options, stderr=slave)
            os.write(slave, b"end")
            os.close(slave)
            self.assertEqual(done.returncode, DONE)
            self.assertEqual(os.read(master, 1 << 16) != b"end", is_drawn)
            os.close(master)
            self.assertEqual((self.folder / f"{is_drawn}.log").read_text().count(" completed "), 3)

    def on_terminal(self, **changes):
        master, slave = pty.openpty()
        done = self.run_program("fn", "plot", "swish(x)", stdout=slave, env=environment(**{"TERM": "xterm", **changes}))
        os.close(slave)
        self.assertEqual(done.returncode, DONE)
        answer = os.read(master, 1 << 16)
        os.close(master)
        return answer

    def test_colours(self):
        self.assertIn(b"\033[", self.on_terminal())
        self.assertIn(b"\033[", self.on_terminal(NO_COLOR=""))
        self.assertNotIn(b"\033[", self.on_terminal(NO_COLOR="1"))
        self.assertNotIn(b"\033[", self.on_terminal(TERM="dumb"))


class Completion(ProgramTest):
    def script(self, shell):
        return self.said("completion", shell)

    def bash(self, line):
        """What bash offers at the end of the line."""
        words = line.split(" ")
        program = (self.script("bash") + f"\nCOMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}\n"
                   '_actforge\nprintf "%s\\n" "${COMPREPLY[@]}"\n')
        done = subprocess.run(["bash", "--norc"], input=program, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.bash("actforge tr"), ["train"])
        self.assertLessEqual({"fn", "search", "help", "completion"}, set(self.bash("actforge ")))
        self.assertEqual(self.bash("actforge fn pl"), ["plot"])
        self.assertEqual(self.bash("actforge fn show swish --js"), ["--json"])
        self.assertIn("--learning-rate", self.bash("actforge train --net allcnn-mini --le"))
        self.assertEqual(self.bash("actforge search final s.db --format "), ["text", "csv", "json", "latex"])
        self.assertEqual(self.bash("actforge search final s.db --format = js"), ["json"])
        self.assertEqual(self.bash("actforge fn plot x --output "), [])  # bash then completes files
        self.assertEqual(self.bash("actforge help se"), ["search"])
        self.assertEqual(self.bash("actforge help search ru"), ["run"])
        self.assertNotIn("worker", self.bash("actforge search "))

    def test_bash_knows_all_options(self):
        for words in self.commands():
            if words[-1:] in ((), ("train",), ("final",), ("export",)):  # of all of them it takes long
                offered = self.bash(" ".join(("actforge", *words, "--")))
                self.assertLessEqual(set(offered), set(shown_options(self.said(*words, "--help-all"))))
                self.assertIn("--help", offered, words)
        self.assertEqual(set(self.bash("actforge train --")), set(shown_options(self.said("train", "--help-all"))))

    def test_other_shells_read_theirs(self):
        for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            path = self.folder / f"script.{shell}"
            path.write_text(self.script(shell))
            # Without the shell: this much of zsh's syntax is bash's, and quotes of fish are those of the others.
            if shutil.which(shell):
                subprocess.run([*check, path], check=True, timeout=60)
            elif shell == "zsh":
                subprocess.run(["bash", "-n", path], check=True, timeout=60)
            for line in path.read_text().splitlines() if shell == "fish" else ():
                shlex.split(line)
            for word in ("fn plot", "learning-rate", "latex", "search resume"):
                self.assertIn(word, path.read_text(), shell)
            self.assertNotIn("search worker", path.read_text())

    def test_unknown_shell(self):
        self.assertIn("did you mean 'fish'?", self.refusal(USAGE, "completion", "fihs"))


class ManualPage(ProgramTest):
    def test_every_option_is_there(self):
        page = self.said("man").replace("\\-", "-").replace("\\(aq", "'")
        for words in self.commands():
            self.assertIn(f".SS {' '.join(('actforge', *words))}" if words else ".SH NAME", page)
            for option in shown_options(self.said(*words, "--help-all")):
                self.assertIn(option, page)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_has_nothing_to_say(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=self.said("man").encode(),
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr[:2000]), (0, b""))


if __name__ == "__main__":
    cli_runner.main()
