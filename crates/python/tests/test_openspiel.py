"""Games of OpenSpiel."""

import itertools
import sys
import unittest

if sys.version_info < (3, 11):
    raise unittest.SkipTest("open_spiel needs Python 3.11")

import dicehill
import dicehill.openspiel
import dicehill.vector
import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough

GAMES = (
    "python_dicehill_yahtzee",
    "python_dicehill_yahtzee(players=3,rules=mego-2016)",
    "python_dicehill_liars_dice",
    "python_dicehill_liars_dice(players=3,dice=2)",
    "python_dicehill_liars_dice(players=5,rules=superjedi-2015,single_round=True)",
    "python_dicehill_liars_dice(players=2,dice=1,faces=3)",
)

#: Of CFR+ with one die each.
ITERATIONS = 30


class Conformance(unittest.TestCase):
    """The tests that OpenSpiel has for games."""

    def test_random_games(self):
        for name in GAMES:
            pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=False, verbose=False)

    def test_saved_states(self):
        for name in (GAMES[0], GAMES[-1]):
            pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)

    def test_playthroughs(self):
        for name in GAMES:
            one, other = (generate_playthrough.playthrough(name, None, seed=1) for _ in range(2))
            self.assertEqual(one, other)
            self.assertIn("IsTerminal() = True", one)


def rolled(state, dice):
    """The state after a roll."""
    name = state.action_to_string(pyspiel.PlayerId.CHANCE, state.chance_outcomes()[0][0])
    prefix = name.rpartition("rolls ")[0]
    wanted = f"{prefix}rolls {' '.join(map(str, sorted(dice)))}"
    outcome = next(o for o, _ in state.chance_outcomes() if state.action_to_string(pyspiel.PlayerId.CHANCE, o) == wanted)
    state.apply_action(outcome)


class Rules(unittest.TestCase):
    def test_rolls_have_the_probabilities_of_dice(self):
        state = pyspiel.load_game("python_dicehill_yahtzee").new_initial_state()
        outcomes = state.chance_outcomes()
        self.assertEqual(len(outcomes), 252)
        self.assertAlmostEqual(sum(p for _, p in outcomes), 1, 12)
        yahtzees = [p for o, p in outcomes if len(set(state.action_to_string(-1, o)[-9:].split())) == 1]
        self.assertAlmostEqual(sum(yahtzees), 6 / 6**5, 15)

    def test_a_game_of_yahtzee_has_the_score_of_the_rules(self):
        """Fills the boxes in order with the first roll."""
        for rules in ("official", "mego-2016"):
            for table in range(1, 6):
                state = pyspiel.load_game("python_dicehill_yahtzee", {"rules": rules}).new_initial_state()
                game = dicehill.YahtzeeState(seed="s", table=table, rules=rules)
                while not game.ended:
                    turn = game.turn()
                    rolled(state, turn.dice)
                    category = next(category for category in dicehill.CATEGORIES if category in turn.legal)
                    self.assertIn(f"round {turn.round}; stage 0", state.information_state_string(0))
                    state.apply_action(32 + dicehill.CATEGORIES.index(category))
                    game.apply(category)
                self.assertTrue(state.is_terminal())
                self.assertEqual(state.returns(), [game.results()[0].figures["score"]])

    def test_kept_dice_stay(self):
        state = pyspiel.load_game("python_dicehill_yahtzee").new_initial_state()
        rolled(state, [1, 2, 3, 6, 6])
        state.apply_action(0b11000)
        self.assertEqual(len(state.chance_outcomes()), 56)
        rolled(state, [5, 4, 6])
        self.assertIn("stage 1; dice 4 5 6 6 6;", state.information_state_string(0))
        # All dice kept: no roll.
        state.apply_action(0b11111)
        self.assertEqual((state.current_player(), state.legal_actions()), (0, list(range(32, 45))))

    def test_a_round_of_liars_dice_is_won_by_the_rules(self):
        for hands, bid, returns in (([[4, 1], [4, 6]], 6 * 2 + 3, [1, -1]), ([[4, 2], [4, 6]], 6 * 2 + 3, [-1, 1])):
            state = pyspiel.load_game("python_dicehill_liars_dice(dice=2,single_round=True)").new_initial_state()
            for hand in hands:
                rolled(state, hand)
            self.assertEqual(state.legal_actions(), list(range(24)))
            state.apply_action(bid)
            self.assertEqual(state.legal_actions(), [*range(bid + 1, 24), 150])
            self.assertEqual(state.information_state_string(1), "player 1; place 1; dice 4 6; counts 2 2; bids 3x4")
            state.apply_action(150)
            self.assertTrue(state.is_terminal())
            self.assertEqual(state.returns(), returns)

    def test_a_whole_game_goes_on_until_one_player_has_dice(self):
        state = pyspiel.load_game("python_dicehill_liars_dice(players=3,dice=1)").new_initial_state()
        for hand in ([2], [3], [4]):
            rolled(state, hand)
        # A bid that does not hold: its bidder is out, and the caller, who has two dice now, begins.
        state.apply_action(6 * 2)
        state.apply_action(150)
        rolled(state, [5, 5])
        rolled(state, [6])
        self.assertEqual(state.current_player(), 1)
        state.apply_action(6 * 1 + 4)
        self.assertEqual(state.current_player(), 2)
        state.apply_action(150)
        self.assertEqual(state.returns(), [-0.5, 1, -0.5])

    def test_the_tensor_is_the_scaled_observation(self):
        game = pyspiel.load_game("python_dicehill_liars_dice(players=2,dice=2)")
        state = game.new_initial_state()
        rolled(state, [1, 6])
        rolled(state, [3, 3])
        tensor = np.array(state.information_state_tensor(0))
        self.assertEqual(tensor.shape, (201,))
        np.testing.assert_allclose(tensor[13:15], [1 / 6, 1], rtol=1e-6)
        np.testing.assert_allclose(tensor[2:4], [2 / 25, 2 / 25], rtol=1e-6)

    def test_what_is_wrong_is_named(self):
        for parameters, message in (
            ({"players": 6}, "players: 6 is not 2 to 5"),
            ({"dice": 6}, "dice: 6 is not 1 to 5"),
            ({"faces": 1}, "faces: 1 is not 2 to 6"),
            ({"rules": "house"}, 'rules: "house" is not one of official'),
        ):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.openspiel.LiarsDiceGame(parameters)


def as_tree(game):
    """The same game as an explicit tree, in which the algorithms of OpenSpiel are fast, through Gambit's file format."""
    lines, ids = ['EFG 2 R "" { "0" "1" }'], itertools.count(1)
    infosets = [{}, {}]

    def visit(state):
        actions = state.legal_actions()
        if state.is_terminal():
            lines.append(f't "" {next(ids)} "" {{ {" ".join(map(str, state.returns()))} }}')
        elif state.is_chance_node():
            outcomes = " ".join(f'"{outcome}" {probability:.16f}' for outcome, probability in state.chance_outcomes())
            lines.append(f'c "" {next(ids)} "" {{ {outcomes} }} 0')
        else:
            player = state.current_player()
            known = infosets[player]
            infoset = known.setdefault(state.information_state_string(), len(known) + 1)
            lines.append(f'p "" {player + 1} {infoset} "" {{ {" ".join(f"{chr(34)}{action}{chr(34)}" for action in actions)} }} 0')
        for action in actions:
            visit(state.child(action))

    visit(game.new_initial_state())
    return pyspiel.load_efg_game("\n".join(lines) + "\n")


class Solutions(unittest.TestCase):
    def test_cfr_agrees_with_the_exact_value(self):
        """One die each: `dicehill solve liars-dice --dice 1,1` certifies these bounds of the starter's value."""
        certified = (-0.021465, -0.021267)
        game = as_tree(pyspiel.load_game("python_dicehill_liars_dice(players=2,dice=1)"))
        solver = pyspiel.CFRPlusSolver(game)
        for _ in range(ITERATIONS):
            solver.evaluate_and_update_policy()
        policy, start = solver.average_policy(), game.new_initial_state()
        first, second = (pyspiel.TabularBestResponse(game, player, policy).value_from_state(start) for player in range(2))
        # What the strategy of the starter guarantees, and what that of the other concedes.
        lower, upper = -second, first
        self.assertLess(lower, certified[1])
        self.assertGreater(upper, certified[0])
        self.assertLess(upper - lower, 0.05)

    def test_cfr_gets_closer_to_an_equilibrium(self):
        game = pyspiel.load_game("python_dicehill_liars_dice(players=2,dice=1,faces=2)")
        solver, found = cfr.CFRPlusSolver(game), []
        for iterations in (1, 9, 90):
            for _ in range(iterations):
                solver.evaluate_and_update_policy()
            found.append(exploitability.exploitability(game, solver.average_policy()))
        self.assertGreater(found[0], 3 * found[1])
        self.assertGreater(found[1], 3 * found[2])
        self.assertLess(found[2], 0.01)
