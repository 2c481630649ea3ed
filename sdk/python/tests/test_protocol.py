"""What a bot made with the SDK says on its pipes."""

import json
import subprocess
import time
import unittest

from wire import answers, environment, hello, lines, liars_dice, python, start, talk, yahtzee

KEEP_SIXES = "import dicehill\ndicehill.run(lambda turn: turn.keep_where(lambda die: die == 6))"
COUNTING = """
import dicehill
class Counting:
    def __init__(self):
        self.turns = 0
    def act(self, turn):
        self.turns += 1
        return [] if self.turns == 1 else [self.turns - 2]
dicehill.run(Counting)
"""


class Ready(unittest.TestCase):
    def check(self, source, memory, expected):
        done = talk(python(source), lines(hello("liars-dice", memory)))
        self.assertEqual(answers(done), [expected])
        self.assertEqual(done.returncode, 0)

    def test_many_games_at_once_unless_it_remembers(self):
        self.check(KEEP_SIXES, "game", {"type": "ready", "inflight": 64})
        self.check(KEEP_SIXES, "set", {"type": "ready", "inflight": 1})

    def test_rounds_are_asked_for_by_who_has_the_hook(self):
        source = (
            "import dicehill\nclass Mine:\n  def act(self, turn): return turn.liar\n"
            "  def round(self, round): pass\ndicehill.run(Mine)"
        )
        self.check(source, "game", {"type": "ready", "inflight": 64, "events": ["round"]})

    def test_ready_is_said_before_anything_else_is_read(self):
        with subprocess.Popen(
            python(KEEP_SIXES), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
        ) as bot:
            bot.stdin.write(lines(hello("yahtzee")).encode())
            bot.stdin.flush()
            self.assertEqual(json.loads(bot.stdout.readline())["type"], "ready")
            bot.stdin.close()

    def test_a_game_that_it_does_not_play_is_refused(self):
        source = "import dicehill\ndicehill.run(yahtzee=lambda turn: [])"
        done = talk(python(source), lines(hello("liars-dice")))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"this bot does not play liars-dice", done.stderr)


class Lines(unittest.TestCase):
    def check(self, text, expected):
        done = talk(python(KEEP_SIXES), text)
        self.assertEqual([answer.get("keep") for answer in answers(done)], expected)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_bye_ends_it_and_nothing_after_is_read(self):
        self.check(lines(yahtzee(), {"type": "bye"}, yahtzee(902)), [[3, 4]])

    def test_the_end_of_input_ends_it(self):
        self.check("", [])
        self.check(lines(yahtzee()), [[3, 4]])

    def test_a_last_line_without_newline_is_answered(self):
        self.check(lines(yahtzee()).rstrip("\n"), [[3, 4]])

    def test_carriage_returns_and_blank_lines_are_forgiven(self):
        self.check(lines(yahtzee(), yahtzee(902)).replace("\n", "\r\n\r\n\n  \n"), [[3, 4], [3, 4]])

    def test_unknown_types_and_fields_are_ignored(self):
        odd = [{"type": "weather", "rain": True}, {"no": "type"}, [1, 2], 7, "text", None]
        self.check(lines(*odd, yahtzee(mood={"deep": [1, [2]]})), [[3, 4]])

    def test_what_is_not_json_is_ignored_and_named(self):
        done = self.check("{{{\n" + lines(yahtzee()) + "[" * 100_000 + "\n", [[3, 4]])
        self.assertIn(b"ignored a line that is not JSON", done.stderr)

    def test_lines_may_come_in_pieces(self):
        data = lines(hello("yahtzee"), start(7), yahtzee()).encode()
        with subprocess.Popen(
            python(KEEP_SIXES), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
        ) as bot:
            for place in range(0, len(data), 50):
                bot.stdin.write(data[place : place + 50])
                bot.stdin.flush()
            self.assertEqual(json.loads(bot.stdout.readline())["type"], "ready")
            self.assertEqual(json.loads(bot.stdout.readline()), {"id": 901, "keep": [3, 4]})
            bot.stdin.close()

    def test_a_long_line_is_read_whole(self):
        self.check(lines(yahtzee(padding="x" * 300_000)), [[3, 4]])

    def test_letters_of_every_language_pass(self):
        source = "import dicehill\ndicehill.run(lambda turn: turn.names[0])"
        done = talk(python(source), lines(liars_dice(names=["Sağ 🎲"])))
        self.assertEqual(answers(done), [{"id": 12, "bid": "Sağ 🎲"}])


class Pipelining(unittest.TestCase):
    def test_many_requests_in_one_write_are_all_answered(self):
        games = [2**53 - 1 - 1000 * number for number in range(16)]
        requests = [
            yahtzee(2**52 + 17 * turn + game % 17000, game, stage=turn % 2)
            for turn in range(4)
            for game in games
        ]
        done = talk(python(COUNTING), lines(hello("yahtzee"), *map(start, games), *requests))
        ready, *given = answers(done)
        self.assertEqual(ready["type"], "ready")
        self.assertEqual({answer["id"] for answer in given}, {request["id"] for request in requests})
        # Every game has counted its own turns.
        keeps = {answer["id"]: answer["keep"] for answer in given}
        for place, request in enumerate(requests):
            turn = place // len(games)
            self.assertEqual(keeps[request["id"]], [] if turn == 0 else [turn - 1])

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
    HOOKS = """
import dicehill, sys
class Told:
    def start(self, start):
        self.told = [start.game, start.players, start.seed, start.hello.name, start.hello.limits["move_ms"]]
    def act(self, turn):
        print("act", self.told)
        return turn.liar
    def round(self, round):
        print("round", round.bids[-1].count, round.hands[0], round.caller, round.bidder, round.held)
    def end(self, end):
        print("end", end.winner, end.points, end.names)
dicehill.run(Told)
"""

    def test_hooks_are_told_what_the_arena_says(self):
        revealed = {"bids": ["3 6", "4 2"], "hands": [[1], [2]], "caller": 1, "bidder": 0, "held": True}
        text = lines(
            hello("liars-dice"),
            start(3),
            liars_dice(),
            {"type": "round", "game": 3, **revealed},
            {"type": "end", "game": 3, "winner": "B", "points": [1, 2], "names": ["A", "B"]},
        )
        done = talk(python(self.HOOKS), text)
        self.assertEqual(answers(done)[1:], [{"id": 12, "bid": "Liar!"}])
        self.assertEqual(
            done.stderr.decode().splitlines(),
            [
                "act [3, 3, '9f3c00a1b2c3d4e5', 'Mine', 1000]",
                "round 4 [1] 1 0 True",
                "end B [1, 2] ['A', 'B']",
            ],
        )

    def test_a_turn_needs_no_start(self):
        done = talk(python(COUNTING), lines(yahtzee(1, 7), yahtzee(2, 8), yahtzee(3, 7)))
        self.assertEqual([answer["keep"] for answer in answers(done)], [[], [], [0]])

    def test_a_game_is_forgotten_at_its_end(self):
        end = {"type": "end", "game": 7, "scores": [1, 2, 3], "score": 3, "won": True}
        done = talk(python(COUNTING), lines(yahtzee(1), yahtzee(2), end, start(7), yahtzee(3)))
        self.assertEqual([answer["keep"] for answer in answers(done)], [[], [0], []])

    def test_events_of_games_that_it_does_not_know_are_ignored(self):
        done = talk(python(self.HOOKS), lines(hello("liars-dice"), {"type": "round", "game": 99}))
        self.assertEqual((done.returncode, done.stderr), (0, b""))


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
        self.assertEqual(done.returncode, 1)
        self.assertEqual([answer["id"] for answer in answers(done)], [901])
        self.assertTrue(said.startswith("dicehill: game 7, request 902: ZeroDivisionError\nTraceback"), said)
        self.assertIn("in divide", said)
        self.assertNotIn("_serve", said)
        self.assertTrue(said.rstrip().endswith("ZeroDivisionError: integer division or modulo by zero"))

    def test_an_exception_in_a_hook_names_the_hook(self):
        source = (
            "import dicehill\nclass Mine:\n  def start(self, start): raise KeyError('x')\n"
            "  def act(self, turn): return []\ndicehill.run(Mine)"
        )
        done = talk(python(source), lines(hello("yahtzee"), start(7)))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"dicehill: game 7, start: KeyError", done.stderr)

    def check_answer(self, answer, message, expected):
        source = f"import dicehill\nprint({answer})\ndicehill.run(lambda turn: {answer})"
        done = talk(python(source), lines(message))
        self.assertEqual(done.returncode, 1)
        self.assertIn(expected, done.stderr.decode())

    def test_answers_of_no_use_are_explained(self):
        useless = "a Yahtzee answer is a category or a list of indexes"
        self.check_answer("None", yahtzee(), f"the bot answered None; {useless}")
        self.check_answer("[[1]]", yahtzee(), useless)
        self.check_answer("[1.5]", yahtzee(), useless)
        useless = "a Liar's Dice answer is (count, face)"
        self.check_answer("None", liars_dice(), useless)
        self.check_answer("(1, 2, 3)", liars_dice(), useless)

    def test_what_the_arena_says_is_shown(self):
        error = {"type": "error", "id": 901, "why": "keep index 5 is not 0-4"}
        done = talk(python(KEEP_SIXES), lines(error))
        self.assertEqual(
            done.stderr.decode(), "dicehill: the arena says: keep index 5 is not 0-4 (request 901)\n"
        )

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
