"""What turns tell and which answers they refuse."""

import importlib
import unittest

import wire

import sys

sys.path.insert(0, str(wire.SDK))

import dicehill
from dicehill import Bid, LiarsDiceTurn, YahtzeeTurn


class Yahtzee(unittest.TestCase):
    def setUp(self):
        self.turn = YahtzeeTurn(wire.yahtzee())

    def check_refused(self, changes, indexes, why):
        with self.assertRaisesRegex(ValueError, why):
            YahtzeeTurn(wire.yahtzee(**changes)).keep(indexes)

    def test_keeps_that_the_arena_would_refuse(self):
        self.check_refused({}, [5], "keep index 5 is not 0-4")
        self.check_refused({}, [-1], "keep index -1 is not 0-4")
        self.check_refused({}, [1, 1], "repeats")
        self.check_refused({"stage": 2}, [1], "stage 2")

    def test_categories(self):
        self.assertEqual(self.turn.name("SIXES"), "SIXES")
        self.assertEqual(self.turn.best(), "CHANCE")
        self.assertEqual(YahtzeeTurn(wire.yahtzee(legal={"SIXES": 3, "ACES": 3})).best(), "ACES")
        with self.assertRaisesRegex(ValueError, "YAHTZEE may not be named now; legal are ACES, SIXES"):
            self.turn.name("YAHTZEE")
        with self.assertRaisesRegex(ValueError, "not a category"):
            self.turn.name("SEVENS")


class LiarsDice(unittest.TestCase):
    def setUp(self):
        self.turn = LiarsDiceTurn(wire.liars_dice())
        self.first = LiarsDiceTurn(wire.liars_dice(bids=[]))

    def test_a_turn_has_its_message(self):
        self.assertEqual(self.turn.message, wire.liars_dice())

    def test_the_table(self):
        self.assertEqual(self.turn.last, Bid(4, 2))
        self.assertIsNone(self.first.last)
        self.assertEqual((self.turn.dice_in_play, self.turn.hidden_dice), (15, 11))
        self.assertEqual((self.turn.before, self.turn.after), (0, 2))
        self.assertEqual([self.turn.own(face) for face in range(1, 7)], [1, 3, 2, 1, 1, 1])

    def test_who_bid_what(self):
        self.assertEqual([self.turn.bidder(place) for place in (0, 1, -1, -2)], [2, 0, 0, 2])
        many = LiarsDiceTurn(wire.liars_dice(bids=[f"{count} 2" for count in range(1, 8)]))
        self.assertEqual([many.bidder(place) for place in range(7)], [0, 1, 2, 0, 1, 2, 0])
        with self.assertRaises(IndexError):
            self.turn.bidder(2)

    def test_what_is_higher(self):
        higher = [bid for bid in ((4, 1), (4, 2), (4, 3), (5, 1), (3, 6)) if self.turn.is_higher(*bid)]
        self.assertEqual(higher, [(4, 3), (5, 1)])
        self.assertTrue(self.first.is_higher(1, 1))
        self.assertEqual([self.turn.lowest(face) for face in (1, 2, 3)], [(5, 1), (5, 2), (4, 3)])
        self.assertEqual(self.first.lowest(6), (1, 6))

    def test_bids(self):
        self.assertEqual(self.turn.bid(4, 3), "4 3")
        self.assertEqual(self.turn.liar, "Liar!")
        for count, face in ((4, 2), (3, 6), (4, 7), (5, 0), (1_000_001, 2)):
            with self.assertRaises(ValueError, msg=(count, face)):
                self.turn.bid(count, face)
        with self.assertRaises(ValueError):
            self.first.bid(0, 2)


class OneFile(unittest.TestCase):
    def test_what_is_in_the_package_alone_is_named(self):
        advice = r"dicehill.envs is in the package dicehill, but .*dicehill.py is the file for bots"
        with self.assertRaisesRegex(ModuleNotFoundError, advice):
            importlib.import_module("dicehill.envs")
        with self.assertRaisesRegex(ModuleNotFoundError, advice.replace("envs", "tournament")):
            exec("from dicehill import tournament")
        with self.assertRaisesRegex(ImportError, "cannot import name 'nothing'"):
            exec("from dicehill import nothing")
        with self.assertRaisesRegex(AttributeError, advice):
            dicehill.envs
        with self.assertRaisesRegex(ModuleNotFoundError, "No module named 'dicehill.other'"):
            importlib.import_module("dicehill.other")


if __name__ == "__main__":
    unittest.main()
