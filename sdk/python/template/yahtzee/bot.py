"""__NAME__ plays Yahtzee."""

from collections import Counter

import dicehill
from dicehill import YahtzeeTurn


def act(turn: YahtzeeTurn) -> dicehill.YahtzeeAnswer:
    """Collects one face, unless the dice already make something good."""
    # These are taken as soon as they are there.
    for category in ("YAHTZEE", "LARGE_STRAIGHT", "SMALL_STRAIGHT", "FULL_HOUSE"):
        if turn.legal.get(category):
            return turn.name(category)
    if turn.stage == 2:
        return best(turn)
    # Otherwise the most frequent face is kept, the higher one of two, and the rest rolled again.
    counts = Counter(turn.dice)
    face = max(counts, key=lambda die: (counts[die], die))
    return turn.keep_where(lambda die: die == face)


def best(turn: YahtzeeTurn) -> str:
    """The box that gains most over what it holds on average, so that Chance is not spent early."""
    average = dict(zip(dicehill.CATEGORIES, (2, 5, 8, 12, 15, 19, 22, 13, 23, 29, 33, 17, 22)))
    category = max(turn.legal, key=lambda name: turn.legal[name] - average[name])
    return turn.name(category)


if __name__ == "__main__":
    dicehill.run(act)
