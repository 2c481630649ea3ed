"""Plays both games steadily: simple, legal, and the same in every language's SDK."""

import os
import sys

# The SDK lies one folder up; a bot that installed or copied it needs only `import dicehill`.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import dicehill
from dicehill import LiarsDiceTurn, YahtzeeTurn


def yahtzee(turn: YahtzeeTurn) -> dicehill.YahtzeeAnswer:
    """Keeps the most frequent face; fills the box that is worth most."""
    if turn.stage < 2 and len(set(turn.dice)) > 1:
        face = max(turn.dice, key=lambda die: (turn.dice.count(die), die))
        return turn.keep_where(lambda die: die == face)
    return turn.best()


def liars_dice(turn: LiarsDiceTurn) -> dicehill.LiarsDiceAnswer:
    """Stays with its best face; believes in a third of the hidden dice."""
    best = max(range(2, 7), key=lambda face: (turn.own(face), face))
    last = turn.last
    if last is None:
        return turn.bid(max(1, turn.own(best)), best)
    believed = turn.own(last.face) + turn.hidden_dice // (6 if last.face == 1 else 3)
    if last.count > believed:
        return turn.liar
    return turn.lowest(best)


if __name__ == "__main__":
    dicehill.run(yahtzee=yahtzee, liars_dice=liars_dice)
