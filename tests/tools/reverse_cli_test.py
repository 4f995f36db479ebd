#!/usr/bin/env python3
"""`actforge reverse` as a user runs it.

  reverse_cli_test.py path/to/actforge [unittest options]
"""

import signal
import subprocess
import time
import xml.etree.ElementTree

import cli_runner
from cli_runner import BAD_INPUT, DONE, STORAGE, USAGE, ProgramTest

SMALL = ("--space", "unary(unary(x))", "--count", "200")


class Reverse(ProgramTest):
    group = "reverse"

    def test_a_place_becomes_a_function(self):
        text = self.text(*SMALL, "--at", "1.5,-2")
        self.assertRegex(text, r"\A\d+ functions of .* by their outputs at 80 evenly spaced inputs on a map of ")
        for line in ("place 1 (1.5, -2)", "  function ", "  error ", "  on the map ", "  near place ", "  near outputs "):
            self.assertIn("\n" + line, text)
        answer = self.json(*SMALL, "--at", "1.5,-2", "--at", "0,0")
        self.assertEqual(len(answer["places"]), 2)
        first = answer["places"][0]
        self.assertEqual(first["place"], [1.5, -2])
        self.assertEqual(len(first["near_place"]), 3)
        self.assertLessEqual(first["near_place"][0]["distance"], first["near_place"][1]["distance"])
        self.assertGreaterEqual(first["missed_by"], 0)
        # It is a function like any other.
        done = self.run_program("fn", "moments", first["function"])
        self.assertEqual(done.returncode, DONE, done.stderr)

    def test_same_seed_same_answer(self):
        ask = (*SMALL, "--at", "1,1")
        first = self.text(*ask)
        self.assertEqual(first, self.text(*ask, "--threads", "1"))
        self.assertNotEqual(first, self.text(*ask, "--seed", "1"))
        self.assertNotEqual(first, self.text(*ask, "--normal"))
        self.assertIn("softplus", self.text(*ask, "--smooth"))

    def test_the_way_from_one_function_to_another(self):
        answer = self.json(*SMALL, "--between", "relu(x),swish(x)", "--steps", "4", "--knots", "24")
        self.assertEqual(len(answer["places"]), 4)
        self.assertEqual(answer["places"][0]["function"], "relu(x)")
        self.assertLess(answer["places"][0]["missed_by"], 1e-5)
        self.assertEqual(answer["places"][0]["near_place"][0]["distance"], 0)
        self.assertLess(answer["places"][3]["rms_error"], 0.0011)
        self.assertEqual(answer["places"][3]["near_place"][0]["distance"], 0)

    def test_functions_that_are_not_in_the_space_are_welcome(self):
        answer = self.json(*SMALL, "--between", "sin(2*x)+x,relu(x)", "--steps", "2")
        self.assertEqual(answer["places"][0]["near_place"][0]["function"], "add(sin(mul(2,x)),x)")

    def test_functions_equal_but_for_rounding_share_a_place(self):
        twin = "(exp(2*x)-1)/(exp(2*x)+1)"
        answer = self.json(*SMALL, "--between", f"tanh(x),{twin}", "--steps", "2")
        first, last = (place["near_place"][0] for place in answer["places"])
        self.assertEqual((first["distance"], last["distance"]), (0, 0))
        self.assertEqual(first["function"], last["function"])
        self.assertEqual(answer["places"][0]["place"], answer["places"][1]["place"])
        self.assertGreater(answer["twins"], 0)

    def test_the_field_between_four_is_drawn(self):
        self.answer(*SMALL, "--between", "relu(x),tanh(x),abs(x),-elu(x)", "--steps", "3", "--plot", "field.svg")
        root = xml.etree.ElementTree.parse(self.folder / "field.svg").getroot()
        words = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        for word in ("1", "9", "ReLU", "tanh"):
            self.assertIn(word, words)

    def test_the_emptiest_places(self):
        answer = self.json(*SMALL, "--empty", "--places", "3")
        clearances = [place["clearance"] for place in answer["places"]]
        self.assertEqual(clearances, sorted(clearances, reverse=True))
        for place in answer["places"]:
            self.assertAlmostEqual(place["clearance"], place["near_place"][0]["distance"], delta=1e-4)

    def test_the_best_expected_score(self):
        done = self.run_program("search", "run", "--study", "study.db", "--evaluator", "distance", "--target", "swish(x)",
                                "--space", "unary(unary(x))", "--strategy", "random", "--trials", "40", "--seed", "3")
        self.assertEqual(done.returncode, DONE, done.stderr)
        answer = self.json("--study", "study.db", "--empty", "--count", "200")
        place = answer["places"][0]
        self.assertIn("accuracy", place["expected"])
        self.assertGreater(place["clearance"], 0)
        far = self.json("--study", "study.db", "--empty", "--count", "200", "--clearance", "1", "--regressor", "gp")
        self.assertGreaterEqual(far["places"][0]["clearance"], 0.999)
        self.assertIn("expected accuracy", self.text("--study", "study.db", "--empty", "--count", "200"))
        self.assertIn("smaller distance", self.refusal(BAD_INPUT, "reverse", "--study", "study.db", "--empty", "--count",
                                                       "200", "--clearance", "1000"))

    def test_wrong_usage(self):
        for arguments, says in ((["--space", "aquasurf-3"], "--between"),
                                (["--at", "1,1"], "--space"),
                                ([*SMALL, "--at", "1,1", "--empty"], "give one of"),
                                ([*SMALL, "--at", "nonsense"], "--at"), ([*SMALL, "--at", "1"], "--at"),
                                ([*SMALL, "--at", "1,2,3"], "--at"), ([*SMALL, "--at", "nan,1"], "--at"),
                                ([*SMALL, "--between", "relu(x)"], "two functions"),
                                ([*SMALL, "--between", "relu(x),x,tanh(x)"], "not 3"),
                                ([*SMALL, "--between", "relu(x),x", "--steps", "1"], "--steps"),
                                ([*SMALL, "--at", "1,1", "--knots", "0"], "--knots"),
                                (["--space", "unary(x)", "--count", "2", "--empty"], "--count"),
                                ([*SMALL, "--empty", "--inputs", "1"], "--inputs"),
                                ([*SMALL, "--empty", "--regressor", "knnn"], "did you mean 'knn'?"),
                                ([*SMALL, "--empty", "--clearance", "-1"], "--clearance"),
                                ([*SMALL, "--empty", "--plot", "map.gif"], "map.gif"),
                                ([*SMALL, "--empty", "--min-dist", "1.5"], "--min-dist goes from 0 to 1"),
                                ([*SMALL, "--empty", "--frobnicate"], "--frobnicate")):
            with self.subTest(arguments):
                self.assertIn(says, self.refusal(USAGE, "reverse", *arguments))

    def test_wrong_input(self):
        said = self.refusal(BAD_INPUT, "reverse", *SMALL, "--between", "relu(x),sofplus(x)")
        self.assertIn("did you mean 'softplus'?\n  sofplus(x)\n  ^\n", said)
        self.assertIn("cannot be put on the map", self.refusal(BAD_INPUT, "reverse", *SMALL, "--between", "relu(x),sqrt(x)"))
        self.refusal(BAD_INPUT, "reverse", "--space", "aquasurf-33", "--empty")
        self.refusal(STORAGE, "reverse", "--study", "missing.db", "--empty")

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = self.run_program("reverse", *SMALL, "--at", "1,1", stdout=full)
            self.assertEqual(done.returncode, STORAGE)

    def test_help(self):
        done = self.run_program("reverse", "--help")
        self.assertEqual((done.returncode, done.stderr), (DONE, b""))
        for option in (b"--between", b"--json", b"--knots"):
            self.assertIn(option, done.stdout)

    def test_can_be_stopped(self):
        process = subprocess.Popen([self.program, "reverse", "--space", "aquasurf-4", "--empty", "--threads", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, b""), said)
        self.assertIn(b"stopped", said)


if __name__ == "__main__":
    cli_runner.main()
