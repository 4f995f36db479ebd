#!/usr/bin/env python3
"""Executes the commands and snippets of the documents, so that they cannot go stale.

  ```sh      run by `bash -e` in a scratch folder that all blocks of one document share
  ```cpp     with `// compile` as its first line: built against the installed library and run
  ```python  with `# run` as its first line: run in the scratch folder
  ```text    directly after one of these: what it must print on stdout; a line `...` stands for any lines,
             `…` within a line for any characters

Other blocks are left alone. A block that would run is left out only by `<!-- not run: reason -->` on the line before.
"""

import argparse
import collections
import contextlib
import difflib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

OPT_OUT = re.compile(r"^\s*<!--\s*not run\b:?\s*(.*?)\s*-->\s*$")
# Commands that would start this very test again, change the machine, or need the network.
NEVER_RUN = re.compile(r"(?:^|[;&|(])\s*(?:\w+=\S*\s+)*(make|sudo|apt|apt-get|git\s+clone)(?=\s|$)", re.M)
# Tells which command of a block failed; on the block's first line, so that line numbers stay right.
REPORT_FAILURE = """trap 'echo "line $LINENO of the block failed: $BASH_COMMAND" >&2' ERR; """
RUNNABLE = {"sh", "cpp", "python"}
OTHER_SPELLINGS = {"bash": "sh", "shell": "sh", "console": "sh", "c++": "cpp", "py": "python"}


class DocumentError(Exception):
    """The document itself is malformed."""


@dataclass
class Block:
    document: Path
    line: int  # of the opening fence
    language: str
    code: str
    opt_out: str = ""  # the reason not to run it
    expected: str | None = None

    @property
    def place(self):
        return f"{self.document}:{self.line}"

    @property
    def runs(self):
        first = self.code.split("\n", 1)[0].strip()
        return (self.language == "sh" or (self.language == "cpp" and first == "// compile")
                or (self.language == "python" and first == "# run"))


def read_blocks(document):
    """The fenced blocks of a document; a text block directly after another is its expected output."""
    blocks, lines = [], document.read_text(encoding="utf-8").splitlines()
    previous_end, opt_out, i = None, None, 0
    while i < len(lines):
        fence = re.match(r"^(\s*)(`{3,}|~{3,})\s*(\S*)", lines[i])
        comment = OPT_OUT.match(lines[i])
        if opt_out is not None and not fence:
            raise DocumentError(f"{document}:{i}: 'not run' must stand on the line before a block")
        if comment:
            if not comment.group(1):
                raise DocumentError(f"{document}:{i + 1}: 'not run' needs a reason")
            opt_out = comment.group(1)
        if not fence:
            i += 1
            continue
        indent, marker, language = fence.groups()
        end = i + 1
        while end < len(lines) and not re.match(rf"^\s*{marker[0]}{{{len(marker)},}}\s*$", lines[end]):
            end += 1
        if end == len(lines):
            raise DocumentError(f"{document}:{i + 1}: this block never ends")
        if language in OTHER_SPELLINGS:
            raise DocumentError(f"{document}:{i + 1}: write '{OTHER_SPELLINGS[language]}' for '{language}'")
        code = "\n".join(line.removeprefix(indent) for line in lines[i + 1:end])
        follows = previous_end is not None and not any(line.strip() for line in lines[previous_end + 1:i])
        if language == "text" and follows and blocks[-1].expected is None and blocks[-1].language in RUNNABLE:
            blocks[-1].expected = code
        else:
            blocks.append(Block(document, i + 1, language, code, opt_out or ""))
        previous_end, opt_out, i = end, None, end + 1
    if opt_out is not None:
        raise DocumentError(f"{document}:{len(lines)}: 'not run' must stand on the line before a block")
    return blocks


def tidy(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


def matches(expected, actual):
    """Whether the output is the expected one; see the top of this file for `...` and `…`."""
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line.strip() == "..." else re.escape(line).replace("…", r"[^\n]*") + "\n"
        for line in tidy(expected))
    return re.fullmatch(pattern, "".join(line + "\n" for line in tidy(actual))) is not None


class Snippets:
    """The C++ blocks, as one CMake project that is configured when the first of them is wanted."""

    def __init__(self, blocks, prefix):
        self.folder = Path(tempfile.mkdtemp(prefix="actforge-snippets-"))
        self.targets = {block.place: f"snippet_{number}" for number, block in enumerate(blocks)}
        self.prefix = prefix
        self.configured = False
        project = ["cmake_minimum_required(VERSION 3.25)", "project(snippets LANGUAGES CXX)",
                   "find_package(actforge CONFIG REQUIRED)"]
        for block in blocks:
            target = self.targets[block.place]
            # The compiler then names the line in the document.
            (self.folder / f"{target}.cpp").write_text(f'#line {block.line + 1} "{block.document}"\n{block.code}\n',
                                                       encoding="utf-8")
            project += [f"add_executable({target} {target}.cpp)", f"target_link_libraries({target} actforge::core)"]
        (self.folder / "CMakeLists.txt").write_text("\n".join(project) + "\n", encoding="utf-8")

    def commands(self, block):
        """What builds and runs a block, each as an argument list."""
        if self.prefix is None:
            raise DocumentError(f"{block.place}: a C++ block needs --cmake-prefix")
        build = self.folder / "build"
        target = self.targets[block.place]
        if not self.configured:
            self.configured = True
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            yield ["cmake", "-S", self.folder, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release",
                   f"-DCMAKE_PREFIX_PATH={self.prefix}"]
        yield ["cmake", "--build", build, "--target", target]
        yield [build / target]

    def remove(self):
        shutil.rmtree(self.folder)


class Runner:
    def __init__(self, options):
        self.options = options
        self.ran, self.failed = 0, 0
        self.skipped = collections.Counter()
        self.environment = dict(os.environ)
        folders = [options.bin, str(Path(options.python).parent), os.environ["PATH"]]
        self.environment["PATH"] = os.pathsep.join(folder for folder in folders if folder and folder != ".")

    def run_all(self, documents):
        try:
            blocks = [block for document in documents for block in read_blocks(document)]
            self.snippets = Snippets([b for b in blocks if b.language == "cpp" and b.runs], self.options.cmake_prefix)
        except DocumentError as error:
            print(error)
            self.failed += 1
            return
        try:
            for document in documents:
                with tempfile.TemporaryDirectory(prefix="actforge-docs-") as scratch:
                    for block in (b for b in blocks if b.document == document):
                        self.run_block(block, scratch)
        finally:
            self.snippets.remove()

    def run_block(self, block, scratch):
        if block.opt_out:
            self.skipped[f"not run: {block.opt_out}"] += 1
            return
        if not block.runs:
            if block.expected is not None:
                self.fail(block, "its output follows, but nothing marks the block to be run")
            self.skipped[f"{block.language or 'plain'} block"] += 1
            return
        forbidden = block.language == "sh" and NEVER_RUN.search(block.code)
        if forbidden:
            self.fail(block, f"'{forbidden.group(1)}' must not run in a test; put <!-- not run: reason --> before it")
            return
        self.ran += 1
        try:
            result = self.execute(block, scratch)
        except DocumentError as error:
            self.fail(block, str(error))
        except subprocess.TimeoutExpired:
            self.fail(block, f"took more than {self.options.timeout} s")
        else:
            self.judge(block, result)

    def execute(self, block, scratch):
        """Runs the block's commands up to the first that fails; the result of the last one."""
        if block.language == "sh":
            commands = [["bash", "-e", "-c", REPORT_FAILURE + block.code]]
        elif block.language == "python":
            commands = [[self.options.python, "-c", block.code]]
        else:
            commands = self.snippets.commands(block)
        for command in commands:
            result = subprocess.run(command, cwd=scratch, env=self.environment, stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True, errors="replace", timeout=self.options.timeout)
            if result.returncode != 0:
                break
        return result

    def judge(self, block, result):
        if result.returncode != 0:
            self.fail(block, f"exit code {result.returncode}", result.stdout + result.stderr)
        elif block.expected is not None and not matches(block.expected, result.stdout):
            difference = difflib.unified_diff(tidy(block.expected), tidy(result.stdout), "expected", "actual",
                                              lineterm="")
            self.fail(block, "printed something else", "\n".join(difference) + "\n" + result.stderr)

    def fail(self, block, why, details=""):
        self.failed += 1
        print(f"{block.place}: {why}")
        for line in block.code.splitlines():
            print(f"    {line}")
        if details.strip():
            print("\n".join(tidy(details)))
        print()

    def summary(self):
        print(f"{self.ran} blocks ran, {self.failed} failed, {sum(self.skipped.values())} were not run")
        for reason, count in sorted(self.skipped.items()):
            print(f"  {count} {reason}")


def documents_of(root):
    found = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]
    return [path for path in found if path.exists()]


class RunnerTest(unittest.TestCase):
    def run_document(self, text, **options):
        """(runner, what it printed) after running a document with this text."""
        settings = {"bin": None, "python": sys.executable, "cmake_prefix": None, "timeout": 20} | options
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            document = Path(folder) / "a.md"
            document.write_text(text, encoding="utf-8")
            runner = Runner(argparse.Namespace(**settings))
            runner.run_all([document])
            runner.summary()
        return runner, printed.getvalue()

    def assert_passes(self, text, ran=1):
        runner, printed = self.run_document(text)
        self.assertEqual((runner.ran, runner.failed), (ran, 0), printed)

    def assert_fails(self, text, message):
        runner, printed = self.run_document(text)
        self.assertEqual(runner.failed, 1, printed)
        self.assertIn(message, printed)

    def test_right_and_wrong_output(self):
        self.assert_passes("```sh\necho hello; echo noise >&2\n```\n\n```text\nhello\n```\n")
        self.assert_fails("\n```sh\necho hello\n```\n```text\nhullo\n```\n", "a.md:2: printed something else")
        self.assert_fails("```sh\necho hello\n```\n```text\n```\n", "+hello")
        self.assert_fails("```sh\ntrue\n```\n```text\nhello\n```\n", "-hello")

    def test_failing_command(self):
        self.assert_fails("```sh\ntrue\nfalse\necho on\n```\n", "line 2 of the block failed: false")

    def test_wildcards(self):
        self.assert_passes("```sh\nseq 9\n```\n```text\n1\n...\n8\n9\n```\n")
        self.assert_passes("```sh\nseq 2\n```\n```text\n1\n...\n2\n```\n")
        self.assert_passes("```sh\necho took 31 ms\n```\n```text\ntook … ms\n```\n")
        self.assert_fails("```sh\nseq 9\n```\n```text\n1\n...\n8\n```\n", "printed something else")
        self.assert_fails("```sh\necho took; echo ms\n```\n```text\ntook … ms\n```\n", "printed something else")

    def test_text_apart_is_not_an_expectation(self):
        self.assert_passes("```sh\necho hello\n```\nThe file is:\n```text\nother\n```\n")

    def test_blocks_share_a_folder(self):
        self.assert_passes("```sh\necho hello > file\n```\n```sh\ncat file\n```\n```text\nhello\n```\n", ran=2)

    def test_indented_block(self):
        self.assert_passes("1. first\n\n   ```sh\n   cat <<END\n   hello\n   END\n   ```\n   ```text\n   hello\n   ```\n")

    def test_program_comes_from_bin(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "actforge"
            program.write_text("#!/bin/sh\necho mine\n")
            program.chmod(0o755)
            runner, printed = self.run_document("```sh\nactforge\n```\n```text\nmine\n```\n", bin=folder)
        self.assertEqual(runner.failed, 0, printed)

    def test_opt_out(self):
        runner, printed = self.run_document("<!-- not run: no network -->\n```sh\nfalse\n```\n")
        self.assertEqual((runner.ran, runner.failed), (0, 0))
        self.assertIn("1 not run: no network", printed)
        self.assert_fails("<!-- not run: -->\n```sh\nfalse\n```\n", "needs a reason")
        self.assert_fails("<!-- not run: far away -->\n\n```sh\ntrue\n```\n", "on the line before")

    def test_commands_that_must_not_run(self):
        for command in ("make test", "make demo", "git clone x", "sudo true", "true && sudo true", "A=1 make"):
            self.assert_fails(f"```sh\n{command}\n```\n", "must not run in a test")
        self.assert_passes("```sh\necho make test\n```\n")

    def test_python(self):
        self.assert_passes("```python\n# run\nprint(1 + 1)\n```\n```text\n2\n```\n")
        self.assert_fails("```python\n# run\nprint(1 + 1)\n```\n```text\n3\n```\n", "printed something else")
        self.assert_passes("```python\nraise ValueError\n```\n", ran=0)

    def test_other_languages_are_left_alone(self):
        self.assert_passes("```json\n{\n```\n```cpp\nint\n```\n```\nplain\n```\n", ran=0)
        self.assert_passes("```json\n{\n```\n```text\nhello\n```\n", ran=0)
        self.assert_fails("```python\nprint(1)\n```\n```text\n1\n```\n", "nothing marks the block")
        self.assert_fails("```bash\ntrue\n```\n", "write 'sh' for 'bash'")

    def test_cpp(self):
        code = '```cpp\n// compile\n#include <cstdio>\n#include <answer.h>\nint main() { std::printf("%d", kAnswer); }\n```\n'
        self.assert_fails(code, "needs --cmake-prefix")
        with tempfile.TemporaryDirectory() as prefix:
            (Path(prefix) / "lib/cmake/actforge").mkdir(parents=True)
            (Path(prefix) / "answer.h").write_text("inline constexpr int kAnswer = 42;\n")
            (Path(prefix) / "lib/cmake/actforge/actforge-config.cmake").write_text(
                "add_library(actforge::core INTERFACE IMPORTED)\n"
                f'target_include_directories(actforge::core INTERFACE "{prefix}")\n')
            for expected, failed in (("42", 0), ("43", 1)):
                runner, printed = self.run_document(f"{code}```text\n{expected}\n```\n", cmake_prefix=prefix)
                self.assertEqual((runner.ran, runner.failed), (1, failed), printed)
            runner, printed = self.run_document("\n```cpp\n// compile\nint main() { return x; }\n```\n", cmake_prefix=prefix)
            self.assertIn("a.md:4", printed)

    def test_unended_block(self):
        self.assert_fails("```sh\ntrue\n", "never ends")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository")
    parser.add_argument("--bin", type=os.path.abspath, help="folder of the program, first on PATH")
    parser.add_argument("--cmake-prefix", type=os.path.abspath, help="where the library is installed")
    parser.add_argument("--python", default=sys.executable, help="runs the Python blocks")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one command")
    parser.add_argument("--self-test", action="store_true", help="check this script on small documents")
    parser.add_argument("documents", nargs="*", type=Path, help="default: README, CONTRIBUTING and docs/*.md")
    options = parser.parse_args()
    if options.self_test:
        unittest.main(argv=[sys.argv[0]])
    runner = Runner(options)
    runner.run_all(options.documents or documents_of(options.root))
    runner.summary()
    sys.exit(1 if runner.failed else 0)


if __name__ == "__main__":
    main()
