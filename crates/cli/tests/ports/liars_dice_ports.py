"""Ports of four house bots of Liar's Dice to Python, to test that both make the same decisions.

The first argument names the bot. Each decision follows from the turn message, in integers like those
of the house bots, so that it does not depend on rounding.
"""

import functools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, *[os.pardir] * 4, "sdk", "python"))

import dicehill

PLAIN = range(2, 7)


class Own:
    """The number of own dice by face."""

    def __init__(self, dice):
        self.showing = [0] + [dice.count(face) for face in range(1, 7)]
        self.ones = self.showing[1]

    def counting(self, face):
        return self.ones if face == 1 else self.showing[face] + self.ones


@functools.lru_cache(maxsize=None)
def at_least(dice, needed):
    """In how many of the 3 ** dice outcomes at least `needed` dice count, each with chance 1/3."""
    row = [1]
    for _ in range(dice):
        row = [2 * stay + rise for stay, rise in zip(row + [0], [0] + row)]
    return sum(row[max(0, needed) :])


def badnomial(turn):
    if turn.last is None:
        return (2, 2)
    count, face = turn.last
    own = Own(turn.dice)
    best = max(PLAIN, key=lambda each: (own.counting(each), each))
    above = (own.counting(best), best) > (count, face)
    if not above and doubts(turn, count, face, own, best):
        return dicehill.LIAR
    return (count + 1, best)


def doubts(turn, count, face, own, best):
    everything, hidden = sum(turn.counts), sum(turn.counts) - len(turn.dice)
    bidder = turn.counts[(turn.you - 1) % len(turn.counts)]
    following = turn.counts[(turn.you + 1) % len(turn.counts)]
    need = count - own.counting(best) + (best <= face)
    need_bidder = count - own.counting(face) - (bidder // 3 + 1)
    need_following = need - (following // 3 + 1)
    mine = at_least(hidden, need)
    theirs = at_least(everything - following, need_following)
    held = at_least(hidden - bidder, need_bidder)
    unlikely = 2 * mine < 3**hidden and 2 * theirs < 3 ** (everything - following)
    return unlikely or 5 * held < 3 ** (hidden - bidder)


def straight_shooter(turn):
    own = Own(turn.dice)
    everything = sum(turn.counts)
    hidden = everything - len(turn.dice)
    count, lowest = 2, 2
    if turn.last is not None:
        count, lowest = turn.last.count, turn.last.face + 1
        impossible = sum(own.showing[face] for face in PLAIN if face != lowest)
        if count > everything - impossible:
            return dicehill.LIAR
        if lowest > 6:
            count, lowest = count + 1, 2
    if count > everything:
        return (count, lowest)
    looked_at = [(count, face) for face in PLAIN if face >= lowest]
    looked_at += [(more, face) for more in range(count + 1, everything + 1) for face in PLAIN]
    # Three times the distance of the expected number from the count; the first of equally near bids.
    return min(looked_at, key=lambda bid: abs(3 * own.showing[bid[1]] + hidden - 3 * count))


def nobody(turn):
    if turn.last is None:
        return (1, 2)
    count, face = turn.last
    own = Own(turn.dice)
    everything = sum(turn.counts)
    bonus = everything // len(turn.dice) + own.ones
    best = max((own.showing[each] + bonus, each) for each in PLAIN)
    if best > (count, face):
        return best
    before = turn.counts[(turn.you - 1) % len(turn.counts)]
    if 5 * before > 2 * everything and face != 1 and own.showing[face] + bonus + 2 >= count:
        return (count + 1, face)
    return dicehill.LIAR


def pirate(turn):
    own = Own(turn.dice)
    most = max(own.counting(face) for face in range(1, 7))
    best = next(face for face in range(1, 7) if own.counting(face) == most)
    if turn.last is None:
        return (most + 1, best)
    last = turn.last
    held = own.counting(last.face)
    hidden = sum(turn.counts) - len(turn.dice)
    if held > last.count:
        return (held + 2, last.face)
    if last.count > hidden + held:
        return dicehill.LIAR
    raises = [(most + extra, best) for extra in range(1, hidden // 4 + 1)]
    return next((bid for bid in raises if bid > last), dicehill.LIAR)


BOTS = {
    "badnomial": badnomial,
    "straight-shooter": straight_shooter,
    "nobody": nobody,
    "pirate": pirate,
}

if __name__ == "__main__":
    dicehill.run(liars_dice=BOTS[sys.argv[1]])
