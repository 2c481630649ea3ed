"""Advice, analyses, solved rounds, and the exploitability of policies."""

import json
import pickle
import subprocess
import sys
import unittest

import dicehill
from test_recorded import FIXTURES, LOGS


class Advice(unittest.TestCase):
    def test_a_turn_is_a_position(self):
        state = dicehill.LiarsDiceState(3, seed="s")
        for bid in ((1, 2), (6, 6)):
            state.apply(bid)
        turn = state.turn()
        advice = dicehill.advise_liars_dice(turn)
        same = dicehill.advise_liars_dice(counts=turn.counts, seat=turn.you, dice=turn.dice, bids=turn.bids)
        self.assertEqual([repr(choice) for choice in advice.choices], [repr(choice) for choice in same.choices])
        self.assertEqual((advice.last.bid, advice.last.held), ((6, 6), sum(die in (1, 6) for die in turn.dice)))
        for more in ({"dice": [1]}, {"seat": 1}, {"bids": []}):
            with self.assertRaisesRegex(TypeError, "a turn says its counts, seat, dice and bids itself"):
                dicehill.advise_liars_dice(turn, **more)
        self.assertEqual(len(advice.last.hands), 2)
        for _, chances in advice.last.hands:
            self.assertAlmostEqual(sum(chances), 1)
        wins = [choice.wins for choice in advice.choices]
        self.assertEqual(wins, sorted(wins, reverse=True))
        state.apply(advice.choices[0].action)

    def test_an_impossible_bid_is_called(self):
        advice = dicehill.advise_liars_dice(counts=[1, 1], seat=0, dice=[3], bids=[(2, 6)])
        best = advice.choices[0]
        self.assertEqual((best.action, best.bid, best.holds), (dicehill.LIAR, None, 0.0))
        self.assertIsNone(dicehill.advise_liars_dice(counts=[1, 1], dice=[3]).last)

    def test_what_is_wrong_is_named(self):
        for position, message in (
            ({"counts": [1], "dice": [1]}, "1 players"),
            ({"counts": [1, 0], "dice": [1]}, "counts: the player at seat 1 has no dice"),
            ({"counts": [1, 1], "dice": [1], "seat": 2}, "seat: 2 is not 0 to 1"),
            ({"counts": [1, 300], "dice": [1]}, "counts: 300"),
            ({"counts": [2, 1], "dice": [1]}, r"there are 1, but counts\[0\] is 2"),
            ({"counts": [1, 1], "dice": [7]}, "dice: 7 is not 1 to 6"),
            ({"counts": [1, -1], "dice": [1]}, "counts: -1 is not"),
            ({"counts": [1, 1], "dice": [1], "seat": -1}, "seat: -1 is not"),
            ({"counts": [1, 1], "dice": [2], "bids": [(-1, 2)]}, "bids: -1 is not"),
            ({"counts": [1, 1], "dice": [2], "bids": [(0, 2)]}, r"bids: \(0, 2\)"),
            ({"counts": [1, 1], "dice": [2], "bids": [(1, 3), (1, 2)]}, "not higher"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.advise_liars_dice(**position)


class Analyses(unittest.TestCase):
    def test_the_document_is_that_of_the_command(self):
        for game in ("yahtzee", "liars-dice"):
            log = LOGS / f"{game}.jsonl"
            command = [sys.executable, "-m", "dicehill", "analyze", "--format", "json", log]
            expected = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            self.assertEqual(dicehill.analyze(dicehill.read_run(log)).document, expected)

    def test_a_bot_of_a_hill(self):
        run = dicehill.open_hill(FIXTURES / "stores" / "summer.db").run(1)
        name = run.entrants[0]["name"]
        [bot] = dicehill.analyze(run, bot=name).bots
        self.assertEqual(bot["bot"], name)
        whole = {bot["bot"]: bot for bot in dicehill.analyze(run, jobs=1).bots}
        self.assertEqual(whole[name], bot)

    def test_a_tournament_of_this_process(self):
        result = dicehill.tournament("yahtzee", {"best": "optimal", "worst": "dummy"}, games=20, seed="s")
        analysis = dicehill.analyze(result)
        losses = {bot["bot"]: bot["loss"]["mean"] for bot in analysis.bots}
        self.assertEqual(losses["best"], 0)
        self.assertGreater(losses["worst"], 50)
        self.assertEqual(analysis.to_pandas()["loss"].tolist(), list(losses.values()))
        self.assertEqual(analysis.to_arrow()["bot"].to_pylist(), list(losses))
        self.assertIn("worst", analysis._repr_html_())

    def test_what_is_wrong_is_named(self):
        with self.assertRaisesRegex(ValueError, 'bot: "nobody" is not one of'):
            dicehill.analyze(LOGS / "yahtzee.jsonl", bot="nobody")
        with self.assertRaisesRegex(dicehill.FileError, "not kept"):
            dicehill.analyze(f"{FIXTURES / 'stores' / 'summer.db'}#3")


def uniform(infoset):
    return {action: 1 / len(infoset.legal) for action in infoset.legal}


class Rounds(unittest.TestCase):
    def test_the_bounds_are_those_of_the_command(self):
        expected = json.loads((FIXTURES / "documents" / "round.json").read_text())
        solved = dicehill.solve_round(tuple(expected["dice"]), iterations=expected["iterations"])
        bounds = expected["value"]
        self.assertEqual((solved.bounds.lower, solved.bounds.upper), (bounds["lower"], bounds["upper"]))
        self.assertEqual(solved.bounds.exploitability, bounds["exploitability"])
        for line in expected["first_bids"]:
            policy = solved.policy(dicehill.InformationSet([int(die) for die in line["hand"].split()], 1))
            self.assertEqual({f"{count} {face}": chance for (count, face), chance in policy.items()}, dict(line["choices"]))

    def test_a_strategy_has_the_exploitability_of_its_bounds(self):
        for dice, iterations in (((1, 1), 200), ((1, 2), 12)):
            solved = dicehill.solve_round(dice, iterations=iterations)
            found = dicehill.exploitability(solved.policy, dice)
            self.assertAlmostEqual(found.lower, solved.bounds.lower, 9)
            self.assertAlmostEqual(found.upper, solved.bounds.upper, 9)
        self.assertLess(dicehill.solve_round(iterations=200).bounds.exploitability, 0.01)

    def test_a_policy_is_a_function(self):
        with self.assertRaisesRegex(TypeError, "policy: None is not a function of an information set"):
            dicehill.exploitability(None)

    def test_other_policies_are_more_exploitable(self):
        solved = dicehill.solve_round(iterations=200).bounds
        found = dicehill.exploitability(uniform)
        self.assertLess(found.lower, solved.lower)
        self.assertGreater(found.upper, solved.upper)
        self.assertGreater(found.exploitability, 0.2)

    def test_information_sets_are_pickled(self):
        infoset = dicehill.InformationSet([6, 1], 2, [(1, 3)])
        self.assertEqual(pickle.loads(pickle.dumps(infoset)), infoset)

    def test_what_dice_are_accepted_is_named(self):
        for dice, error in ((3, TypeError), (None, TypeError), ((1,), ValueError), ((1, 2, 3), ValueError)):
            with self.assertRaisesRegex(error, "dice: .* is not a pair"):
                dicehill.solve_round(dice)
        with self.assertRaisesRegex(ValueError, "dice: -1 is not 1 or more"):
            dicehill.exploitability(uniform, (-1, 1))

    def test_what_is_no_position_is_named(self):
        for arguments, message in (
            ({"turn": 5}, "turn: 5 is no LiarsDiceTurn"),
            ({"counts": "x"}, "counts: 'x' is not a sequence of whole numbers"),
            ({"counts": 5}, "counts: 5 is not a sequence"),
            ({"counts": [1.5, 1]}, "counts: 1.5 is not a whole number"),
            ({"counts": [1, 1], "seat": "a"}, "seat: 'a' is not a whole number"),
            ({"counts": [1, 1], "dice": [None]}, "dice: None is not a whole number"),
            ({"counts": [1, 1], "dice": [1], "bids": 3}, "bids: 3 is not a sequence"),
            ({"counts": [1, 1], "dice": [1], "bids": [(2.9, 3.9)]}, r"bids: \(2.9, 3.9\) is not a pair of whole numbers"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                dicehill.advise_liars_dice(**arguments)

    def test_a_player_that_always_calls_loses_every_round(self):
        def calling(infoset):
            return {dicehill.LIAR: 1.0} if infoset.bids else {(1, infoset.dice[0]): 1.0}

        # The starter bids what it holds. As the starter itself, the policy shows its die and gets a higher bid that holds.
        found = dicehill.exploitability(calling)
        self.assertAlmostEqual(found.upper, 1.0, 12)

    def test_a_limit_of_bids_makes_larger_rounds_tractable(self):
        with self.assertRaisesRegex(ValueError, "max_bids makes them fewer"):
            dicehill.exploitability(uniform, (3, 3))
        found = dicehill.exploitability(uniform, (2, 2), max_bids=2)
        self.assertLess(found.lower, found.upper)

    def test_information_sets_are_values(self):
        infoset = dicehill.InformationSet([5, 2], 1, [(1, 3)])
        self.assertEqual((infoset.side, infoset.dice, infoset.last), ("responder", [2, 5], (1, 3)))
        self.assertEqual(infoset.legal[0], (1, 4))
        self.assertEqual(infoset.legal[-2:], [(3, 6), dicehill.LIAR])
        self.assertEqual({infoset: 1}[dicehill.InformationSet([2, 5], 1, [(1, 3)])], 1)
        for arguments, message in ((([], 1), "0 dice"), (([1], 10), "11 dice"), (([1], 1, [(3, 1)]), "3 1"), (([7], 1), "7 is")):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.InformationSet(*arguments)

    def test_what_is_wrong_is_named(self):
        def failing(infoset):
            raise KeyError("as told")

        def bluffing(infoset):
            return {(1, 1): 1.0}

        for policy, error, message in (
            (failing, KeyError, "as told"),
            (bluffing, ValueError, r"policy at InformationSet\(dice=\[1\], hidden_dice=1, bids=\[.*1 1 is not legal"),
            (lambda infoset: {(1, 1): 0.5}, ValueError, "probabilities of 0.5 together, not 1"),
            (lambda infoset: {(1, 1): -1.0, (1, 2): 2.0}, ValueError, "-1 is no probability"),
            (lambda infoset: {"maybe": 1.0}, ValueError, '"maybe"'),
            (lambda infoset: {(1, 1): 0.5, "1 1": 0.5}, ValueError, "1 1 is there twice"),
            (lambda infoset: [(1, 1)], TypeError, "is no mapping of probabilities"),
        ):
            with self.assertRaisesRegex(error, message):
                dicehill.exploitability(policy)
        for arguments, message in (
            ({"dice": (0, 1)}, "dice: 0 is not 1 or more"),
            ({"iterations": 0}, "iterations: 0"),
            ({"bids": 1}, "limit of 1 bids"),
            ({"dice": (3, 3), "memory": 1000}, "1000 are allowed"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.solve_round(**arguments)
