"""Positions and rounds of Liar's Dice: advice, solved rounds, and the exploitability of policies."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Callable, Mapping, Optional, Tuple, Union

from . import _native, _sdk
from ._arguments import at_least, thread_count, whole_numbers

#: A pair of count and face, or `"Liar!"`.
Action = Union[Tuple[int, int], str]
#: From an information set to the probability of each action.
Policy = Callable[[_native.InformationSet], Mapping[Any, float]]

_LEFT_OUT: Tuple[()] = ()


def advise_liars_dice(
    turn: Optional[_sdk.LiarsDiceTurn] = None,
    *,
    counts: Sequence[int] = _LEFT_OUT,
    seat: int = 0,
    dice: Sequence[int] = _LEFT_OUT,
    bids: Sequence[Union[Tuple[int, int], str]] = _LEFT_OUT,
) -> _native.LiarsDiceAdvice:
    """What the call and each bid are worth in a position of Liar's Dice, and what the bids of the round tell: as the
    house bot `seer` evaluates it against unknown opponents.

    The position is a turn, as `LiarsDiceState.turn()` or a bot has it; or else the dice of each player still in by seat
    (`counts`), your `seat` and `dice`, and the `bids` of the round, oldest first, as pairs of count and face or texts such
    as "4 3". Raises ValueError for a position that no game can reach, and TypeError for what is no position."""
    if turn is not None:
        if not isinstance(turn, _sdk.LiarsDiceTurn):
            raise TypeError(f"turn: {turn!r} is no LiarsDiceTurn; counts, seat, dice and bids describe a position too")
        if seat != 0 or any(given is not _LEFT_OUT for given in (counts, dice, bids)):
            raise TypeError("a turn says its counts, seat, dice and bids itself: leave them out")
        counts, seat, dice, bids = turn.counts, turn.you, turn.dice, [(bid.count, bid.face) for bid in turn.bids]
    counts, seat, dice = whole_numbers("counts", counts), at_least(0, "seat", seat), whole_numbers("dice", dice)
    if isinstance(bids, str) or not isinstance(bids, Iterable):
        raise TypeError(f"bids: {bids!r} is not a sequence of bids")
    if seat < len(counts) and len(dice) != counts[seat]:
        raise ValueError(f"dice: there are {len(dice)}, but counts[{seat}] is {counts[seat]}")
    return _native.advise_liars_dice(counts, seat, dice, [_bid(bid) for bid in bids])


def _bid(bid: Union[Tuple[int, int], str]) -> Tuple[int, int]:
    try:
        count, face = map(int, bid.split()) if isinstance(bid, str) else map(operator.index, bid)
        return count, face
    except TypeError:
        raise TypeError(f"bids: {bid!r} is not a pair of whole numbers, count and face") from None
    except ValueError:
        raise ValueError(f'bids: {bid!r} is neither a pair of count and face nor a text such as "4 3"') from None


def solve_round(
    dice: Tuple[int, int] = (1, 1),
    *,
    iterations: int = 200,
    bids: Optional[int] = None,
    memory: int = 8 << 30,
    jobs: Optional[int] = None,
) -> _native.SolvedRound:
    """Solves a round of Liar's Dice between two, by counterfactual regret minimisation; its bounds are exact.

    `dice` are those of the player who begins and of the other, at most 10 together. Few dice are solved closely in
    seconds (1 against 1: exploitability below 0.002 after 200 iterations); more dice need more `iterations`, time and
    memory (`memory` bytes are allowed). With `bids`, both players call once so many bids were made. The result is a
    function of the arguments without `jobs`, the number of threads."""
    starter, responder = _pair(dice)
    return _native.solve_round(starter, responder, at_least(1, "iterations", iterations), bids, memory, thread_count(jobs))


def exploitability(policy: Policy, dice: Tuple[int, int] = (1, 1), *, max_bids: Optional[int] = None) -> _native.RoundBounds:
    """What best responses gain against a policy in a round of Liar's Dice between two, exactly.

    `policy` gets an `InformationSet` and returns the probability of each action: pairs of count and face, and `"Liar!"`.
    It plays both sides; `infoset.side` says which. It is asked at all information sets: 3 dice together take seconds, and
    for more dice `max_bids` makes the round smaller: the policy then calls once so many bids were made, or one more if it
    is not its turn. `dice` are those of the player who begins and of the other.

    Returns the bounds of the round's value that the policy keeps; their `exploitability` is half of what both best
    responses gain together, 0 in an equilibrium, in units of won minus lost rounds. Raises ValueError at the first
    information set whose answer is no distribution over actions of use, TypeError if the policy cannot be called, and what it
    raises."""
    if not callable(policy):
        raise TypeError(f"policy: {policy!r} is not a function of an information set")
    starter, responder = _pair(dice)
    return _native.exploitability(policy, starter, responder, max_bids)


def _pair(dice: Tuple[int, int]) -> Tuple[int, int]:
    try:
        starter, responder = dice
    except (TypeError, ValueError) as error:
        kind = type(error)
        raise kind(f"dice: {dice!r} is not a pair, the dice of the player who begins and of the other") from None
    return at_least(1, "dice", starter), at_least(1, "dice", responder)
