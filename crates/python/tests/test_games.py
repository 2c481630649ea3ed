"""Games, values and tournaments."""

import contextlib
import copy as copy_module
import io
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import dicehill


class States(unittest.TestCase):
    def test_the_dice_are_a_function_of_seed_and_table(self):
        dice = lambda table: dicehill.YahtzeeState(seed="spring", table=table).turn().dice  # noqa: E731
        self.assertEqual(dice(1), [2, 2, 3, 1, 2])
        self.assertEqual(dice(1), dice(1))
        self.assertNotEqual(dice(1), dice(2))

    def test_a_game_goes_on_to_its_end(self):
        state = dicehill.YahtzeeState(2, seed="s")
        seats = []
        while not state.ended:
            seats.append(state.seat)
            state.apply(state.turn().best())
        self.assertEqual(seats, [0, 1] * 13)
        self.assertIsNone(state.turn())
        scores = [result.figures["score"] for result in state.results()]
        self.assertEqual([result.won for result in state.results()], [score == max(scores) for score in scores])

    def test_answers_are_those_of_bots_and_of_logs(self):
        for answer in ([0, 2], "02"):
            state = dicehill.YahtzeeState(seed="s")
            before = state.turn().dice
            state.apply(answer)
            # The dice that are rolled come first.
            self.assertEqual(state.turn().dice[3:], [before[0], before[2]])
        state = dicehill.LiarsDiceState(3, seed="s")
        for answer in ((1, 2), "2 3", "Liar!"):
            state.apply(answer)
        self.assertEqual(state.turn().bids, [])

    def test_an_illegal_action_changes_nothing(self):
        state = dicehill.LiarsDiceState(2, seed="s")
        state.apply("2 3")
        before = state.copy()
        for answer in ("1 1", (2, 3), "nonsense", (0, 1)):
            with self.assertRaises(dicehill.IllegalAction):
                state.apply(answer)
            self.assertEqual(state, before)
        self.assertTrue(issubclass(dicehill.IllegalAction, ValueError))
        with self.assertRaisesRegex(dicehill.IllegalAction, "^keep index 7 is not 0-4$"):
            dicehill.YahtzeeState(seed="s").apply([7])

    def test_a_copy_goes_its_own_way_with_the_same_dice(self):
        state = dicehill.YahtzeeState(seed="s")
        copies = [state.copy(), state.copy()]
        copies.append(copy_module.deepcopy(state))
        self.assertEqual(hash(copies[0]), hash(state))
        for copy in copies:
            copy.apply("-")
        self.assertEqual(copies[0], copies[1])
        self.assertEqual(copies[0], copies[2])
        self.assertNotEqual(copies[0], state)

    def test_a_number_is_the_seed_with_its_digits(self):
        self.assertEqual(dicehill.YahtzeeState(seed=7), dicehill.YahtzeeState(seed="7"))
        play = lambda seed: dicehill.tournament("yahtzee", {"a": "greedy", "b": "dummy"}, games=2, seed=seed).document  # noqa: E731
        self.assertEqual(play(7), play("7"))
        for call in (lambda: dicehill.LiarsDiceState(seed=1.5), lambda: play(b"7")):
            with self.assertRaisesRegex(TypeError, "seed: .* is neither a text nor a whole number"):
                call()

    def test_the_position_is_shown(self):
        state = dicehill.YahtzeeState(seed="spring")
        self.assertEqual(repr(state), "<YahtzeeState: 1 player, round 1, seat 0 to act, rerolls 0, dice [2, 2, 3, 1, 2]>")
        while not state.ended:
            state.apply(state.turn().best())
        self.assertEqual(repr(state), f"<YahtzeeState: 1 player, ended, points [{state.results()[0].points}]>")
        state = dicehill.LiarsDiceState(3, seed="spring")
        state.apply((2, 5))
        self.assertEqual(repr(state), "<LiarsDiceState: 3 players, round 1, seat 1 to act, dice [5, 5, 5], bids: 2 5>")

    def test_what_is_wrong_is_named(self):
        for arguments, message in (
            ({"players": 0}, "players: 0 is not 1"),
            ({"players": -1}, "players: -1 is not 1"),
            ({"table": 0}, "table: 0 is not 1 or more"),
            ({"rules": "house"}, 'rules: "house" is not one of official'),
        ):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.YahtzeeState(**arguments)


class Package(unittest.TestCase):
    def test_modules_are_imported_at_their_first_use(self):
        program = "import sys, dicehill; a = 'dicehill.policy' in sys.modules; print(a, dicehill.policy.answer.__name__)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "False answer\n")
        with self.assertRaises(AttributeError):
            dicehill.chess


class Values(unittest.TestCase):
    def test_the_values_are_the_exact_ones(self):
        solution = dicehill.Solution()
        self.assertAlmostEqual(solution.start, 254.5877, 4)
        # One box left: the mean of the best of three rolls of five dice, each 4 + 2/3.
        self.assertAlmostEqual(solution.value(free=["CHANCE"]), 70 / 3, 12)

    def test_choices_are_ranked(self):
        choices = dicehill.Solution().advise([1, 2, 6, 6, 6], 0)
        self.assertEqual((choices[0].keep, choices[0].category, choices[0].loss), ([6, 6, 6], None, 0.0))
        self.assertEqual([choice.loss for choice in choices], sorted(choice.loss for choice in choices))

    def test_a_turn_is_a_position(self):
        solution, state = dicehill.Solution(), dicehill.YahtzeeState(seed="s")
        for answer in ([0], [1], "SIXES", []):
            state.apply(answer)
        turn = state.turn()
        free = [name for name in dicehill.CATEGORIES if name != "SIXES"]
        expected = solution.advise(turn.dice, turn.stage, free, turn.upper)
        self.assertEqual([repr(choice) for choice in solution.advise(turn)], [repr(choice) for choice in expected])
        for call, message in (
            (lambda: solution.advise([1, 2, 3, 4, 5]), "stage: how many rerolls were used"),
            (lambda: solution.advise(turn, 2), "a turn says its stage"),
            (lambda: solution.advise(turn, upper=3), "a turn says its stage"),
            (lambda: solution.advise("12345", 0), "dice: '12345' is neither a list of five whole numbers"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                call()

    def test_what_is_wrong_is_named(self):
        solution = dicehill.Solution()
        for call, message in (
            (lambda: solution.advise([1, 2, 3], 0), "dice: 3 are not five"),
            (lambda: solution.advise([1, 2, 3, 4, 7], 0), "dice: 7 is not 1 to 6"),
            (lambda: solution.advise([1, 2, 3, 4, -5], 0), "dice: -5 is not 1 to 6"),
            (lambda: solution.advise([1, 2, 3, 4, 5], -1), "stage: -1 is not 0 to 2"),
            (lambda: solution.value(upper=-1), "upper: -1 is not 0 to 105"),
            (lambda: solution.advise([1, 2, 3, 4, 5], 3), "stage: 3 is not 0 to 2"),
            (lambda: solution.value(free=["ELEVENS"]), "ELEVENS"),
            (lambda: solution.value(free=["ACES", "ACES"]), "free: a box is named twice"),
            (lambda: solution.advise([10**30, 1, 1, 1, 1], 0), "dice: .* are not all 1 to 6"),
            (lambda: solution.value(upper=64), "upper=64: "),
            (lambda: dicehill.Solution("house"), 'rules: "house"'),
        ):
            with self.assertRaisesRegex(ValueError, message):
                call()


def sixes(turn):
    return turn.best() if turn.stage == 2 else turn.keep_where(lambda die: die == 6)


class Tournaments(unittest.TestCase):
    def test_a_function_plays_against_house_bots(self):
        play = lambda: dicehill.tournament("yahtzee", {"mine": sixes, "greedy": "greedy"}, games=60, seed="s")  # noqa: E731
        result = play()
        self.assertEqual([row["bot"] for row in result.standings], ["greedy", "mine"])
        self.assertEqual(result.champion, "greedy")
        self.assertEqual(result.document, play().document)
        self.assertIn("greedy", result._repr_html_())

    def test_a_class_gets_an_object_a_game_and_all_events(self):
        seen = []

        class Watching:
            def start(self, start):
                seen.append("start")

            def act(self, turn):
                return turn.liar if turn.last else turn.lowest(6)

            def round(self, round):
                seen.append("round")

            def end(self, end):
                seen.append("end")

        dicehill.tournament("liars-dice", {"mine": Watching, "honest": "honest", "nobody": "nobody"}, games=3, seed="s")
        self.assertEqual((seen.count("start"), seen.count("end")), (3, 3))
        self.assertGreater(seen.count("round"), 10)

    def test_an_exception_is_the_fault_of_its_bot(self):
        def failing(turn):
            raise KeyError("as told")

        with contextlib.redirect_stderr(io.StringIO()):
            result = dicehill.tournament("yahtzee", {"mine": failing, "greedy": "greedy", "dummy": "dummy"}, games=4, seed="s")
        barred = next(row["barred"] for row in result.standings if row["bot"] == "mine")
        self.assertEqual((barred["reason"], barred["game"]), ("crash", 1))
        self.assertIn("KeyError: 'as told'", barred["detail"])
        for shown in (repr(result), result._repr_html_()):
            self.assertIn("mine was barred in game 1: crash, ", shown)

    def test_the_games_are_kept(self):
        result = dicehill.tournament("liars-dice", {"a": "honest", "b": "nobody", "c": "pirate"}, games=5, seed="s")
        self.assertEqual([game.number for game in result.run.games], [1, 2, 3, 4, 5])
        self.assertEqual(result.run.result, result.document)
        self.assertEqual(result.to_pandas()["bot"].tolist(), [row["bot"] for row in result.standings])
        self.assertEqual(result.to_polars()["bot"].to_list(), result.to_arrow()["bot"].to_pylist())
        self.assertEqual(result.to_arrow("games")["length"].to_pylist(), [len(list(game.moves())) for game in result.run.games])

    def test_a_log_says_that_functions_cannot_be_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "run.jsonl")
            play = lambda: dicehill.tournament("yahtzee", {"mine": sixes, "dummy": "dummy"}, games=5, seed="s", out=log)  # noqa: E731
            result = play()
            self.assertEqual([bot["hash"] for bot in dicehill.read_run(log).entrants], ["callable:mine", "house:dummy@1"])
            self.assertEqual(dicehill.read_run(log).result, result.document)
            for words in (["verify", log], ["replay", log, "1", "--rerun"]):
                command = subprocess.run([sys.executable, "-m", "dicehill", *words], capture_output=True, text=True)
                self.assertIn("mine is a Python function: ", command.stdout + command.stderr)
            with self.assertRaisesRegex(dicehill.FileError, "run.jsonl"):
                play()

    def test_an_interrupt_ends_it(self):
        def interrupted(turn):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            dicehill.tournament("yahtzee", {"mine": interrupted, "greedy": "greedy"}, games=1000, seed="s")

    def test_a_signal_ends_it_within_few_moves(self):
        for jobs in (1, 2):
            moves = []

            def slow(turn):
                moves.append(turn)
                if len(moves) == 5:
                    signal.raise_signal(signal.SIGINT)
                time.sleep(0.005)
                return sixes(turn)

            with self.assertRaises(KeyboardInterrupt):
                dicehill.tournament("yahtzee", {"mine": slow, "greedy": "greedy"}, games=1000, seed="s", jobs=jobs)
            # A game has 13 turns of up to 3 moves.
            self.assertLess(len(moves), 300)

    def test_what_is_wrong_is_named(self):
        for bots, message in (
            ({"a": "greedy", "b": "deep"}, "no house bot for yahtzee"),
            ({"a": "greedy"}, "only one bot"),
            ({"a\n": "greedy", "b": "dummy"}, "a"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.tournament("yahtzee", bots)
        house = {"a": "greedy", "b": "dummy"}
        for arguments, message in (
            ({"games": 0}, "games"),
            ({"games": -1}, "games"),
            ({"jobs": 0}, "jobs: 0 is not 1 or more"),
            ({"jobs": -2}, "jobs: -2 is not 1 or more"),
            ({"format": "cup"}, "format: .*challenge"),
            ({"rules": "house"}, "rules: .*official"),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                dicehill.tournament("yahtzee", house, **arguments)
        with self.assertRaisesRegex(TypeError, "bots: .* is no mapping"):
            dicehill.tournament("yahtzee", ["greedy", "dummy"])
        with self.assertRaisesRegex(ValueError, "game: .*yahtzee"):
            dicehill.tournament("chess", house)
        with self.assertRaisesRegex(TypeError, "mine: 7 is neither"):
            dicehill.tournament("yahtzee", {"mine": 7, "greedy": "greedy"})
        self.assertIn("greedy", dict(dicehill.house_bots("yahtzee")))
