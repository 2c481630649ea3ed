"""What a bot made with the SDK says on its pipes."""

import json
import subprocess
import time
import unittest

from wire import answers, environment, hello, lines, liars_dice, python, start, talk, yahtzee

KEEP_SIXES = "import dicehill\ndicehill.run(lambda turn: turn.keep_where(lambda die: die == 6))"


class Lines(unittest.TestCase):
    def check(self, text, expected):
        done = talk(python(KEEP_SIXES), text)
        self.assertEqual([answer.get("keep") for answer in answers(done)], expected)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_json_that_is_no_object_is_ignored(self):
        self.check(lines([1, 2], 7, "text", None, yahtzee()), [[3, 4]])

    def test_what_is_not_json_is_ignored_and_named(self):
        done = self.check("{{{\n" + lines(yahtzee()) + "[" * 100_000 + "\n", [[3, 4]])
        self.assertIn(b"ignored a line that is not JSON", done.stderr)

    def test_letters_of_every_language_pass(self):
        source = "import dicehill\ndicehill.run(lambda turn: turn.names[0])"
        done = talk(python(source), lines(liars_dice(names=["Sağ 🎲"])))
        self.assertEqual(answers(done), [{"id": 12, "bid": "Sağ 🎲"}])


class Pipelining(unittest.TestCase):
    def test_a_slow_bot_does_not_hold_its_answers_back(self):
        source = (
            "import dicehill, time\n"
            "def act(turn):\n  time.sleep(300 if turn.id == 903 else 0.01)\n  return []\ndicehill.run(act)"
        )
        with subprocess.Popen(
            python(source), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
        ) as bot:
            bot.stdin.write(lines(*[yahtzee(id) for id in (901, 902, 903)]).encode())
            bot.stdin.flush()
            began = time.monotonic()
            self.assertEqual(json.loads(bot.stdout.readline())["id"], 901)
            self.assertEqual(json.loads(bot.stdout.readline())["id"], 902)
            self.assertLess(time.monotonic() - began, 250)
            bot.kill()


class Lives(unittest.TestCase):
    def test_a_start_has_the_hello(self):
        source = (
            "import dicehill\nclass Mine:\n"
            "  def start(self, start): print(start.hello.name, start.hello.limits['move_ms'])\n"
            "  def act(self, turn): return []\ndicehill.run(Mine)"
        )
        done = talk(python(source), lines(hello("yahtzee"), start(7)))
        self.assertEqual((done.returncode, done.stderr), (0, b"Mine 1000\n"))


class StrayOutput(unittest.TestCase):
    def check(self, statement, printed=b"stray"):
        source = (
            "import dicehill, os, subprocess, sys\nfrom sys import stdout\n"
            f"def act(turn):\n  {statement}\n  return turn.best()\nprint('stray')\ndicehill.run(act)\n"
        )
        done = talk(python(source), lines(hello("yahtzee"), yahtzee(), yahtzee(902), {"type": "bye"}))
        expected = [{"id": id, "category": "CHANCE"} for id in (901, 902)]
        self.assertEqual(answers(done)[1:], expected, done.stderr)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count(printed), 3)

    def test_what_the_bot_prints_goes_to_standard_error(self):
        self.check("print('stray')")
        self.check("sys.stdout.write('stray')")
        self.check("stdout.write('stray')")
        self.check("sys.__stdout__.write('stray')")
        self.check("os.write(1, b'stray')")
        self.check("subprocess.run(['echo', 'stray'])")

    def test_what_the_bot_reads_are_not_the_requests(self):
        self.check("print('stray', repr(sys.stdin.read()))")
        self.check("subprocess.run(['cat']); print('stray')")

    def test_without_standard_error_it_plays_on(self):
        source = "import dicehill\ndef act(turn):\n  print('stray')\n  return turn.best()\ndicehill.run(act)"
        done = talk(["sh", "-c", 'exec "$@" 2>&-', "sh", *python(source)], lines(yahtzee()))
        self.assertEqual(answers(done), [{"id": 901, "category": "CHANCE"}])


class Failures(unittest.TestCase):
    def test_an_exception_names_the_request_and_shows_the_authors_frames(self):
        source = (
            "import dicehill\ndef divide(turn):\n  return 1 // (turn.id - 902)\n"
            "def act(turn):\n  divide(turn)\n  return []\ndicehill.run(act)"
        )
        done = talk(python(source), lines(yahtzee(901), yahtzee(902), yahtzee(903)))
        said = done.stderr.decode()
        self.assertEqual(done.returncode, 0)
        error = "ZeroDivisionError: integer division or modulo by zero at divide (<string>:3), act (<string>:5)"
        self.assertEqual(answers(done), [{"id": 901, "keep": []}, {"id": 902, "error": error}, {"id": 903, "keep": []}])
        self.assertTrue(said.startswith("dicehill: game 7, request 902: ZeroDivisionError\nTraceback"), said)
        self.assertIn("in divide", said)
        self.assertNotIn("_serve", said)
        self.assertTrue(said.rstrip().endswith("ZeroDivisionError: integer division or modulo by zero"))

    def check_answer(self, answer, message, expected):
        source = f"import dicehill\nprint({answer})\ndicehill.run(lambda turn: {answer})"
        done = talk(python(source), lines(message))
        self.assertEqual(done.returncode, 0)
        self.assertIn(expected, answers(done)[0]["error"])
        self.assertIn(expected, done.stderr.decode())

    def test_a_lack_of_memory_ends_the_bot(self):
        source = "import dicehill\ndef act(turn): raise MemoryError\ndicehill.run(act)"
        done = talk(python(source), lines(yahtzee()))
        self.assertEqual((done.returncode, answers(done)), (1, []))

    def test_answers_of_no_use_are_explained(self):
        useless = "a Yahtzee answer is a category or a list of indexes"
        self.check_answer("None", yahtzee(), f"the bot answered None; {useless}")
        self.check_answer("[[1]]", yahtzee(), useless)
        self.check_answer("[1.5]", yahtzee(), useless)
        named = '{"category": "SIXES"}'
        self.check_answer(named, yahtzee(), "the bot answered {'category': 'SIXES'}; a Yahtzee")
        useless = "a Liar's Dice answer is (count, face)"
        self.check_answer("None", liars_dice(), useless)
        self.check_answer("(1, 2, 3)", liars_dice(), useless)

    def test_it_ends_quietly_when_the_arena_has_gone(self):
        bot = subprocess.Popen(
            python(KEEP_SIXES),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        bot.stdout.close()
        _, said = bot.communicate(lines(yahtzee()).encode(), timeout=300)
        self.assertEqual((bot.returncode, said), (0, b""))


class Answers(unittest.TestCase):
    def check(self, answer, message, expected):
        done = talk(python(f"import dicehill\ndicehill.run(lambda turn: {answer})"), lines(message))
        self.assertEqual(answers(done), [{"id": message["id"], **expected}], done.stderr)

    def test_plain_values_are_answers(self):
        self.check("'SIXES'", yahtzee(), {"category": "SIXES"})
        self.check("(4, 3)", yahtzee(), {"keep": [4, 3]})
        self.check("(place for place in range(2))", yahtzee(), {"keep": [0, 1]})
        self.check("{True}", yahtzee(), {"keep": [1]})
        self.check("(4, 3)", liars_dice(), {"bid": "4 3"})
        self.check("[4, 3]", liars_dice(), {"bid": "4 3"})
        self.check("turn.lowest(3)", liars_dice(), {"bid": "4 3"})
        self.check("turn.liar", liars_dice(), {"bid": "Liar!"})
        self.check("dicehill.LIAR", liars_dice(), {"bid": "Liar!"})

    def test_illegal_answers_are_left_to_the_arena(self):
        self.check("[9]", yahtzee(), {"keep": [9]})
        self.check("'\"\\\\'", liars_dice(), {"bid": '"\\'})


if __name__ == "__main__":
    unittest.main()
