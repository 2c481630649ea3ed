"""Tests that every SDK passes. README.md describes them.

    python3 sdk/conformance/conformance.py python c      # these languages of sdk/languages.json
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SDKS = HERE.parent
TRANSCRIPTS = SDKS.parent / "protocol" / "transcripts"
VECTORS = json.loads((HERE / "answers.json").read_text(encoding="utf-8"))
GAMES = tuple(VECTORS)
READY = {"type": "ready", "inflight": 64}
SECONDS = 300

# The reference for random turns is the example in Python.
sys.path[:0] = [str(SDKS / "python"), str(SDKS / "python" / "examples")]
sys.dont_write_bytecode = True
import dicehill  # noqa: E402
import steady  # noqa: E402


def turn(of_game, **changes):
    return {**VECTORS[of_game]["turn"], **changes}


def yahtzee(id, game=7, **changes):
    return turn("yahtzee", id=id, game=game, **changes)


def hello(game, memory="game"):
    limits = {"start_ms": 10000, "move_ms": 1000, "memory_mb": 512}
    return {"type": "hello", "protocol": 1, "game": game, "rules": "official", "memory": memory, "name": "Mine",
            "limits": limits}


def start(game):
    return {"type": "start", "game": game, "players": 3, "seed": "0f3c00a1b2c3d4e5"}


def end(game):
    return {"type": "end", "game": game, "scores": [198, 210, 245], "score": 210, "won": False}


def lines(*messages):
    """As the arena writes them. A text stands for itself."""
    one = (m if isinstance(m, str) else json.dumps(m, separators=(",", ":"), ensure_ascii=False) for m in messages)
    return "".join(line + "\n" for line in one)


def golden(game):
    return (TRANSCRIPTS / f"{game}.txt").read_text(encoding="utf-8").splitlines()


def given(done):
    """All lines of an ended bot, as values."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_id(answers):
    return {answer["id"]: answer for answer in answers if "id" in answer}


def random_turns(game, count):
    """Turns of many kinds; no run of the arena need ever have them."""
    draw = random.Random(f"conformance {game}")
    for id in range(count):
        if game == "yahtzee":
            legal = draw.sample(dicehill.CATEGORIES, draw.randint(1, 13))
            yield turn(game, id=id, game=id % 7, stage=draw.randrange(3), dice=draw.choices(range(1, 7), k=5),
                       card={}, legal={name: draw.randrange(0, 51) for name in legal})
        else:
            counts = draw.choices(range(1, 8), k=draw.randint(2, 6))
            you = draw.randrange(len(counts))
            bids = sorted(draw.sample([(c, f) for c in range(1, 12) for f in range(1, 7)], draw.randrange(0, 9)))
            yield turn(game, id=id, game=id % 7, you=you, counts=counts, dice=draw.choices(range(1, 7), k=counts[you]),
                       bids=[f"{count} {face}" for count, face in bids], names=["A"] * len(counts),
                       points=[0] * len(counts))


class Sdk:
    """The programs of one language."""

    def __init__(self, row, built):
        self.row, self.folder = row, SDKS / row["name"]
        # Prints are buffered as usual, and files of other runs are not read.
        rest = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
        self.environment = {**rest, "OUT": built, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
        if "build" in row:
            subprocess.run(["sh", "-c", row["build"]], cwd=self.folder, env=self.environment, check=True, timeout=900)

    def command(self, program, *arguments):
        return ["sh", "-c", f'exec {self.row[program]} "$@"', "sh", *arguments]

    def start(self, program, *arguments):
        pipe = subprocess.PIPE
        return subprocess.Popen(self.command(program, *arguments), stdin=pipe, stdout=pipe, stderr=pipe,
                                cwd=self.folder, env=self.environment, encoding="utf-8")

    def talk(self, program, *arguments, said=""):
        """Gives the bot all of the text in one write, then ends its input."""
        return subprocess.run(self.command(program, *arguments), input=said, capture_output=True, timeout=SECONDS,
                              cwd=self.folder, env=self.environment, encoding="utf-8")


class Conformance(unittest.TestCase):
    """The tests; a subclass for each language has `sdk`."""

    sdk = None

    def talk(self, arguments, *messages, program="conformance", code=0):
        done = self.sdk.talk(program, *arguments, said=lines(*messages))
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def transcript(self, arguments, *messages, program="conformance"):
        """Lets the bot step through a saved game."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.txt"
            path.write_text(lines(*messages), encoding="utf-8")
            return self.sdk.talk(program, *arguments, "--transcript", str(path))

    # The example bot.

    def test_steady_answers_the_golden_games_as_recorded(self):
        for game in GAMES:
            requests = [line[2:] for line in golden(game) if line.startswith("> ")]
            recorded = by_id(json.loads(line[2:]) for line in golden(game) if line.startswith("< "))
            done = self.talk([], *requests, program="steady")
            self.assertGreater(len(recorded), 20)
            self.assertEqual((by_id(given(done)), done.stderr), (recorded, ""))

    def test_steady_decides_alike_in_all_languages(self):
        for game, reference in (("yahtzee", steady.yahtzee), ("liars-dice", steady.liars_dice)):
            turns = list(random_turns(game, 1000))
            expected = dicehill.replay(reference, lines(*turns).splitlines())
            done = self.talk([], hello(game), *turns, program="steady")
            self.assertEqual(by_id(given(done)), {step.answer["id"]: step.answer for step in expected})

    def test_a_saved_game_is_shown_with_what_was_recorded(self):
        for game in GAMES:
            done = self.transcript([], *golden(game), program="steady")
            recorded = sum('"id"' in line for line in golden(game) if line.startswith("< "))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("as recorded)") + done.stdout.count("- as recorded\n"), recorded)

    # Answers and refusals.

    def test_legal_answers_are_sent(self):
        for game in GAMES:
            legal = [one for one in VECTORS[game]["answers"] if "answer" in one]
            turns = [turn(game, id=id, **one.get("changes", {})) for id, one in enumerate(legal)]
            done = self.talk([one["action"] for one in legal], hello(game), *turns)
            expected = {id: {"id": id, **one["answer"]} for id, one in enumerate(legal)}
            self.assertEqual((by_id(given(done)), done.stderr), (expected, ""))
            shown = self.transcript([one["action"] for one in legal], *turns)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertNotRegex(shown.stdout, "illegal: |ILLEGAL: ")

    def test_illegal_answers_are_refused_or_reported(self):
        for game in GAMES:
            left_to_the_arena = []
            for one in VECTORS[game]["answers"]:
                if "refused" not in one:
                    continue
                with self.subTest(game=game, **one):
                    request = turn(game, **one.get("changes", {}))
                    done = self.talk([one["action"]], request)
                    if "error" not in given(done)[0]:
                        left_to_the_arena.append((one["action"], request))
                        continue
                    where = f"dicehill: game {request['game']}, request {request['id']}: "
                    self.assertIn(where, done.stderr)
            if left_to_the_arena:
                actions, requests = zip(*left_to_the_arena)
                done = self.transcript(actions, *requests)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                found = len(re.findall("illegal: |ILLEGAL: ", done.stdout))
                self.assertEqual(found, len(actions), done.stdout)

    def test_ones_is_another_name_of_aces(self):
        answer = {"id": 901, "category": "ONES"}
        done = self.transcript(["category ACES"], yahtzee(901), "< " + json.dumps(answer))
        self.assertRegex(done.stdout, r"as recorded\)?\n")

    # What the bot sees.

    def test_the_bot_sees_all_of_a_yahtzee_game(self):
        later = yahtzee(902, upper_bonus=35, yahtzee_bonus=200)
        done = self.talk(["tell"], hello("yahtzee"), start(7), yahtzee(901), later, end(7))
        card = ("TWOS 6 THREES 9 FOURS 12 FIVES 15 THREE_OF_A_KIND 22 FOUR_OF_A_KIND 0 FULL_HOUSE 25 "
                "SMALL_STRAIGHT 30 LARGE_STRAIGHT 0 YAHTZEE 0")
        seen = f"7 11 1 | 1 1 4 6 6 | {card} | ACES 2 SIXES 12 CHANCE 18 | 42"
        self.assertEqual(done.stderr.splitlines(), [
            "start 7 3 0f3c00a1b2c3d4e5",
            f"turn 901 {seen} 0 0 119 | 88 119 131",
            f"turn 902 {seen} 35 200 119 | 88 119 131",
            "end 7 | 198 210 245 | 210 false"])

    def test_the_bot_sees_all_of_a_game_of_liars_dice(self):
        revealed = {"bids": ["3 6", "4 2"], "hands": [[1], [2, 5]], "caller": 1, "bidder": 0, "held": True}
        last = {"type": "end", "game": 3, "winner": "B", "points": [1180, 2410, 230], "names": ["A", "B", "Çelik"]}
        done = self.talk(
            ["tell"], hello("liars-dice"), start(3), turn("liars-dice"), {"type": "round", "game": 3, **revealed},
            {"type": "round", "game": 99, **revealed}, last, start(4), {**last, "game": 4, "winner": None})
        self.assertEqual(given(done), [{**READY, "events": ["round"]}, {"id": 12, "bid": "Liar!"}])
        self.assertEqual(done.stderr.splitlines(), [
            "start 3 3 0f3c00a1b2c3d4e5",
            "turn 12 3 1 | 6 4 5 | 1 2 2 3 | 3 6, 4 2 | A B Çelik | 120 1345 88",
            "table 15 11 | 2 0 | 5 1, 5 2, 4 3, 4 4, 4 5, 4 6 | false true",
            "round 3 | 3 6, 4 2 | 1; 2 5 | 1 0 true",
            "end 3 | B | 1180 2410 230 | A B Çelik",
            "start 4 3 0f3c00a1b2c3d4e5",
            "end 4 | - | 1180 2410 230 | A B Çelik"])

    def test_each_game_has_its_own_object_until_its_end(self):
        # A turn needs no start, and a game that has ended starts again.
        done = self.talk(["turns"], yahtzee(1), yahtzee(2, 8), yahtzee(3), end(7), start(7), yahtzee(4), yahtzee(5, 8),
                         end(8), yahtzee(6, 8))
        self.assertEqual([len(answer["keep"]) for answer in given(done)], [0, 0, 1, 0, 1, 0])

    # The pipe.

    def test_ready_says_how_many_requests_may_be_open(self):
        for game in GAMES:
            for memory, inflight in (("game", 64), ("set", 1)):
                done = self.talk([], hello(game, memory), program="steady")
                self.assertEqual((given(done), done.stderr), ([{"type": "ready", "inflight": inflight}], ""))

    def test_bye_and_the_end_of_input_end_it(self):
        self.assertEqual(given(self.talk(["keep"])), [])
        self.assertEqual(given(self.talk(["keep"], {"type": "bye"}, yahtzee(901))), [])

    def test_the_form_of_lines_is_forgiven(self):
        unknown = [{"type": "weather", "id": 5, "rain": [{"deep": "}\\\""}]}, {"no": "type"}]
        backwards = json.dumps(dict(reversed(list(yahtzee(3, mood=[None, -1.5e3, True]).items()))))
        text = lines(hello("yahtzee"), "", "  ", *unknown, yahtzee(2), backwards).replace("\n", "\r\n")
        done = self.sdk.talk("steady", said=text + lines(yahtzee(4)).rstrip("\n"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(given(done)[1:], [{"id": id, "keep": [3, 4]} for id in (2, 3, 4)])

    def test_a_long_line_is_read_whole(self):
        done = self.talk(["keep"], yahtzee(1, padding="é" * 500_000), yahtzee(2))
        self.assertEqual([answer["id"] for answer in given(done)], [1, 2])

    def test_many_games_in_one_write_are_all_answered(self):
        games = [2**53 - 1 - 1000 * number for number in range(64)]
        turns = [yahtzee(2**52 + 100 * place + number, game) for place in range(3) for number, game in enumerate(games)]
        done = self.talk(["turns"], hello("yahtzee"), *map(start, games), *turns)
        keeps = {id: len(answer["keep"]) for id, answer in by_id(given(done)).items()}
        self.assertEqual(keeps, {one["id"]: place // 64 for place, one in enumerate(turns)})

    def test_answers_go_out_while_the_pipe_is_open(self):
        with self.sdk.start("steady") as bot:
            turns = lines(yahtzee(901), yahtzee(902))
            # The last line comes in two pieces; what came before is answered without it.
            answers = []
            for piece in (lines(hello("yahtzee")), turns[:-20], turns[-20:]):
                bot.stdin.write(piece)
                bot.stdin.flush()
                answers.append(json.loads(bot.stdout.readline()))
            bot.stdin.close()
            self.assertEqual((bot.wait(SECONDS), bot.stderr.read()), (0, ""))
        self.assertEqual(answers, [READY, {"id": 901, "keep": [3, 4]}, {"id": 902, "keep": [3, 4]}])

    def test_prints_go_to_standard_error(self):
        done = self.talk(["print"], hello("yahtzee"), yahtzee(901), yahtzee(902))
        self.assertEqual(given(done)[1:], [{"id": id, "category": "CHANCE"} for id in (901, 902)])
        self.assertEqual(done.stderr, "stray\nstray\n")

    # Failures.

    def check_failure(self, actions, *messages, where, answered=()):
        done = self.talk(actions, *messages, code=1)
        self.assertEqual(list(by_id(given(done))), list(answered))
        self.assertRegex(done.stderr, f"(?m)^dicehill: {where}: ")
        self.assertIn("as told", done.stderr)

    def test_a_failure_in_a_turn_ends_its_game_alone(self):
        """The arena gets the text, the log names game and request, and the other games continue with their objects."""
        turns = [yahtzee(901, 8), yahtzee(902, 7), yahtzee(903, 8)]
        done = self.talk(["turns", "fail", "turns"], hello("yahtzee"), start(8), start(7), *turns, end(7), start(7), yahtzee(904))
        answers = by_id(given(done))
        self.assertIn("as told", answers[902]["error"])
        self.assertEqual(list(answers[902]), ["id", "error"])
        self.assertRegex(done.stderr, "(?m)^dicehill: game 7, request 902: ")
        self.assertEqual({id: len(answers[id]["keep"]) for id in (901, 903, 904)}, {901: 0, 903: 1, 904: 0})

    def test_a_failure_in_a_hook_names_the_hook(self):
        self.check_failure(["fail-start"], hello("yahtzee"), start(7), where="game 7, start")
        self.check_failure(["fail-end"], hello("yahtzee"), start(7), end(7), where="game 7, end")
        revealed = {"bids": ["3 6"], "hands": [[1], [2]], "caller": 1, "bidder": 0, "held": True}
        round = {"type": "round", "game": 3, **revealed}
        self.check_failure(["fail-round"], hello("liars-dice"), start(3), round, where="game 3, round")

    def test_a_game_that_the_bot_does_not_play_is_named(self):
        done = self.talk(["one-game"], hello("liars-dice"), code=1)
        self.assertEqual(given(done), [])
        self.assertRegex(done.stderr, "(?s)^dicehill: .*liars-dice")

    def test_what_the_arena_says_is_shown(self):
        error = {"type": "error", "why": "keep index 5 is not 0-4"}
        done = self.talk(["keep"], {**error, "id": 901}, error)
        said = "dicehill: the arena says: keep index 5 is not 0-4"
        self.assertEqual(done.stderr, f"{said} (request 901)\n{said}\n")


def suite(names):
    table = json.loads((SDKS / "languages.json").read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in table["languages"]}
    tests = unittest.TestSuite()
    for name in names:
        if name not in rows:
            sys.exit(f"sdk/languages.json has no language {name}; it has {', '.join(rows)}")
        with_folder = tempfile.TemporaryDirectory(prefix="dicehill-")
        unittest.addModuleCleanup(with_folder.cleanup)
        case = type(name, (Conformance,), {"sdk": Sdk(rows[name], with_folder.name)})
        tests.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    return tests


if __name__ == "__main__":
    languages = [word for word in sys.argv[1:] if word != "--verbose"]
    if not languages:
        sys.exit(__doc__)
    verbosity = 2 if "--verbose" in sys.argv else 1
    passed = unittest.TextTestRunner(verbosity=verbosity).run(suite(languages)).wasSuccessful()
    sys.exit(not passed)
