#!/usr/bin/env python3
"""Ends `actforge space` in the middle of its work: Ctrl-C, SIGTERM, a reader that is slow or leaves.

  space_cli_stop_test.py path/to/actforge [unittest options]
"""

import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import time

import cli_runner
from cli_runner import environment
from space_runner import SpaceTest


class Stopped(SpaceTest):
    SIGNALS = ((signal.SIGINT, 130), (signal.SIGTERM, 143))

    def start(self, *arguments):
        process = subprocess.Popen([self.program, "space", *arguments], cwd=self.folder, env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def wait_until(self, process, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertIsNone(process.poll(), "it ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def stop(self, process, number):
        process.send_signal(number)
        out, said = process.communicate(timeout=60)
        return process.returncode, out, said.decode()

    def bytes_on_disk(self):
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def is_ready(self, process, number):
        """Whether the program handles the signal by now."""
        with open(f"/proc/{process.pid}/status") as status:
            caught = next(line.split()[1] for line in status if line.startswith("SigCgt"))
        return int(caught, 16) >> (number - 1) & 1

    def is_stuck(self, process):
        """Whether the pipe is full and the program waits for its reader."""
        size = fcntl.fcntl(process.stdout, fcntl.F_GETPIPE_SZ)
        waiting, = struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, b"\0" * 4))
        with open(f"/proc/{process.pid}/stat") as stat:
            state = stat.read().rsplit(")", 1)[1].split()[0]
        return waiting > size - 4096 and state == "S"

    def place(self, said):
        """The index that a message says to continue with."""
        found = re.search(r"continue(?:, into another file,)? with --count \d+ --from (\d+)\n$", said)
        self.assertTrue(found, said)
        return int(found.group(1))

    def test_file_can_be_continued(self):
        for (number, code), name, head in zip(self.SIGNALS, ("big.csv", "big.jsonl"), (b"index,expression\n", b"")):
            process = self.start("enumerate", "cafe-s2", "--count", "100000000", "-o", name)
            self.wait_until(process, lambda: self.bytes_on_disk() > 0)
            returned, out, said = self.stop(process, number)
            self.assertEqual((returned, out), (code, b""), said)
            place = self.place(said)
            self.assertEqual(os.listdir(self.folder), [name + ".part"])
            self.assertIn(f"--count {100_000_000 - place} --from", said)
            part = (self.folder / (name + ".part")).read_bytes()
            self.assertEqual(part.count(b"\n"), place + head.count(b"\n"))
            rest = self.written("rest" + name, "cafe-s2", "--from", str(place), "--count", "1000")
            whole = self.written("whole" + name, "cafe-s2", "--count", str(place + 1000))
            self.assertTrue(rest.startswith(head))
            self.assertTrue(part + rest[len(head):] == whole)  # too long to be shown
            for path in self.folder.iterdir():
                path.unlink()

    def test_old_file_stays(self):
        (self.folder / "old.csv").write_text("old")
        process = self.start("enumerate", "cafe-s2", "--count", "100000000", "-o", "old.csv")
        self.wait_until(process, lambda: self.bytes_on_disk() > 3)
        returned, _, said = self.stop(process, signal.SIGINT)
        self.assertEqual(returned, 130, said)
        self.assertEqual((self.folder / "old.csv").read_text(), "old")
        self.assertTrue((self.folder / "old.csv.part").read_bytes().startswith(b"index,expression\n0,"))

    def test_second_signal_ends_at_once(self):
        process = self.start("enumerate", "cafe-s2", "--count", "100000000")
        self.wait_until(process, lambda: self.is_stuck(process))
        process.send_signal(signal.SIGINT)
        self.wait_until(process, lambda: not self.is_ready(process, signal.SIGTERM))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), -signal.SIGTERM)

    def test_unique_leaves_nothing(self):
        for (number, code), options in zip(self.SIGNALS, (["cafe-s2", "-o", "big.csv"],
                                                          ["pangaea", "--from", "1" + "0" * 12, "--count-only"])):
            process = self.start("enumerate", "--unique", "--count", "100000000", *options)
            self.wait_until(process, lambda: self.is_ready(process, number))
            returned, out, said = self.stop(process, number)
            self.assertEqual((returned, out), (code, b""), said)
            self.assertIn("nothing was written", said)
            self.assertEqual(os.listdir(self.folder), [])

    def test_slow_reader(self):
        """The program waits in the middle of writing; what it printed and what it says agree."""
        for number, code in self.SIGNALS:
            process = self.start("enumerate", "cafe-s2", "--count", "100000000")
            self.wait_until(process, lambda: self.is_stuck(process))
            process.send_signal(number)
            time.sleep(0.3)  # so that the signal comes before the reader
            out, said = process.communicate(timeout=60)
            with self.subTest(number):
                self.assertEqual(process.returncode, code, said)
                self.assertTrue(out.endswith(b")\n"), out[-100:])
                self.assertEqual(int(out.splitlines()[-1].split()[0]) + 1, self.place(said.decode()))

    def test_slow_reader_of_classes(self):
        process = self.start("enumerate", "aquasurf-3", "--unique")
        self.wait_until(process, lambda: self.is_stuck(process))
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        out, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertNotIn(b"nothing was written", said)  # something was
        self.assertTrue(out.startswith(b"0  add(zero(x),zero(x))"))

    def test_reader_that_leaves(self):
        """As in `actforge space enumerate cafe-s2 --count 100000000 | head -1`."""
        process = self.start("enumerate", "cafe-s2", "--count", "100000000")
        self.assertTrue(process.stdout.readline().startswith(b"0  add("))
        process.stdout.close()
        self.assertEqual(process.wait(60), -signal.SIGPIPE)


if __name__ == "__main__":
    cli_runner.main()
