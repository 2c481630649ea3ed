"""Saved games: the golden ones, the starters' own, and what --transcript prints."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import wire

sys.path[:0] = [str(wire.SDK), str(wire.SDK / "examples")]

import dicehill
import steady

STEADY = str(wire.SDK / "examples" / "steady.py")
BOTS = {"yahtzee": steady.yahtzee, "liars_dice": steady.liars_dice}


def golden(game):
    return (wire.TRANSCRIPTS / f"{game}.txt").read_text(encoding="utf-8").splitlines()


class Golden(unittest.TestCase):
    def test_steady_answers_as_recorded_and_legally(self):
        for game in wire.GAMES:
            with self.subTest(game=game):
                steps = list(dicehill.replay(lines=golden(game), **BOTS))
                self.assertGreater(len(steps), 5)
                for step in steps:
                    self.assertEqual(step.answer, step.recorded)
                self.assertEqual(dicehill.check(lines=golden(game), **BOTS), [])

    def test_bots_without_the_sdk_answer_legally(self):
        examples = wire.SDK / "examples"
        for game, command in (
            ("yahtzee", [sys.executable, str(examples / "no_sdk.py")]),
            ("liars-dice", [sys.executable, str(examples / "no_sdk.py")]),
            ("liars-dice", ["sh", str(examples / "no_sdk.sh")]),
        ):
            with self.subTest(game=game, command=command):
                requests = [line[2:] for line in golden(game) if line.startswith("> ")]
                done = wire.talk(command, "\n".join(requests) + "\n")
                self.assertEqual(done.stderr, b"")
                given = {answer["id"]: answer for answer in wire.answers(done)}

                def say(turn):
                    answer = given[turn.id]
                    return answer.get("category") or answer["bid"]

                self.assertEqual(dicehill.check(say, golden(game)), [])


class Check(unittest.TestCase):
    def check(self, answer, message, expected):
        problems = dicehill.check(lambda turn: answer, wire.lines(message).splitlines())
        self.assertEqual(problems, expected)

    def test_every_way_to_break_the_rules_is_found(self):
        turn, last = wire.yahtzee(), wire.yahtzee(stage=2)
        self.check([3, 4], turn, [])
        self.check([0, 0], turn, ["request 901: keep [0, 0] repeats an index"])
        self.check([5], turn, ["request 901: keep index 5 is not 0-4"])
        self.check([0], last, ["request 901: no dice can be kept at stage 2: name a category"])
        self.check("SIXES", last, [])
        self.check("ONE", turn, ["request 901: 'ONE' is not a category"])
        self.check("TWOS", turn, ["request 901: TWOS may not be named now; legal are ACES, SIXES, CHANCE"])
        bid, first = wire.liars_dice(), wire.liars_dice(bids=[])
        self.check("4 3", bid, [])
        self.check(" 4  3 ", bid, [])
        self.check("Liar!", bid, [])
        self.check("Liar!", first, ["request 12: there is no bid to call"])
        self.check("4 2", bid, ["request 12: 4 2 is not above 4 2"])
        self.check("5 7", bid, ["request 12: face 7 is not 1-6"])
        self.check("0 3", first, ["request 12: count 0 is not 1-1000000"])
        self.check("1000000 6", first, [])
        self.check("1000001 6", first, ["request 12: count 1000001 is not 1-1000000"])
        self.check("+5 5", bid, ["request 12: '+5 5' is neither COUNT FACE nor Liar!"])

    def test_an_empty_transcript_proves_nothing(self):
        self.assertEqual(dicehill.check(steady.yahtzee, ["# nothing", ""]), ["there is no turn in it"])


class Shown(unittest.TestCase):
    def show(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.txt"
            path.write_text(text, encoding="utf-8")
            return wire.talk([sys.executable, STEADY, "--transcript", str(path), *options], "")

    def test_each_turn_and_answer_have_a_line(self):
        text = (
            "# a comment\n\n> " + wire.lines(wire.hello("yahtzee")) + wire.lines(wire.yahtzee()) +
            '< {"keep":[3,4],"id":901}\n> ' + wire.lines(wire.yahtzee(902, stage=2)) +
            '< {"id":902,"category":"SIXES"}\n' + wire.lines(wire.yahtzee(903, dice=[1, 1, 1, 4, 6]))
        )
        done = self.show(text)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(
            done.stdout.decode().splitlines(),
            [
                "game 7, request 901, round 11, stage 1: dice 1 1 4 6 6; ACES 2, SIXES 12, CHANCE 18",
                "  keep [3, 4]: 6 6 - as recorded",
                "game 7, request 902, round 11, stage 2: dice 1 1 4 6 6; ACES 2, SIXES 12, CHANCE 18",
                "  CHANCE - recorded: SIXES",
                "game 7, request 903, round 11, stage 1: dice 1 1 1 4 6; ACES 2, SIXES 12, CHANCE 18",
                "  keep [0, 1, 2]: 1 1 1",
            ],
        )

    def test_liars_dice_needs_no_hello(self):
        done = self.show(wire.lines(wire.liars_dice()))
        self.assertEqual(
            done.stdout.decode().splitlines(),
            ["game 3, request 12, seat 1 of 6 4 5: dice 1 2 2 3; bids: 3 6, 4 2", "  5 2"],
        )

    def test_a_file_that_is_not_there_is_named(self):
        done = wire.talk([sys.executable, STEADY, "--transcript=nowhere.txt"], "")
        self.assertEqual((done.returncode, done.stderr), (1, b"dicehill: nowhere.txt: No such file or directory\n"))
        done = wire.talk([sys.executable, STEADY, "--transcript"], "")
        self.assertEqual((done.returncode, done.stderr), (2, b"dicehill: --transcript needs a file\n"))


class Starters(unittest.TestCase):
    def starter(self, game, folder):
        made = Path(folder) / game
        shutil.copytree(wire.SDK / "template" / game, made)
        shutil.copy(wire.SDK / "dicehill.py", made)
        for file in made.iterdir():
            file.write_text(file.read_text(encoding="utf-8").replace("__NAME__", "Mine"), encoding="utf-8")
        return made

    def test_starters_pass_their_own_tests(self):
        for game in wire.GAMES:
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, "-B", "-m", "unittest"]
                done = subprocess.run(command, cwd=self.starter(game, folder), capture_output=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(b"Ran 2 tests", done.stderr)

    def test_starters_play_the_golden_games_legally(self):
        for game in wire.GAMES:
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                requests = [line[2:] for line in golden(game) if line.startswith("> ")]
                command = [sys.executable, "-B", str(self.starter(game, folder) / "bot.py")]
                done = wire.talk(command, "\n".join(requests) + "\n")
                given = {answer.get("id"): answer for answer in wire.answers(done)}

                def say(turn):
                    answer = given[turn.id]
                    return answer.get("keep", answer.get("category", answer.get("bid")))

                self.assertEqual(dicehill.check(say, golden(game)), [])


if __name__ == "__main__":
    unittest.main()
