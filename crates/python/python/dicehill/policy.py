"""Policies of the environments as bots of the arena. Needs numpy.

    import dicehill
    import dicehill.policy

    def act(observation, mask):
        return int((network(observation) + np.log(mask)).argmax())

    dicehill.run(dicehill.policy.bot(act))

A policy is a function of an observation and a mask that returns the number of an action; docs/environments.md has their tables. Here both are
computed from the turn that a bot gets, so that a policy decides the same in an environment and as a bot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _native
from ._arguments import MAX, at_least
from ._extras import missing
from ._sdk import CATEGORIES, LIAR, LiarsDiceTurn, YahtzeeTurn

try:
    import numpy as np
except ImportError as error:
    raise missing(error, "dicehill.policy") from None

from ._scales import scales

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Policy", "answer", "bot", "observe"]

#: The number of an action from an observation and a mask.
Policy: TypeAlias = "Callable[[NDArray[Any], NDArray[np.int8]], int]"
Turn: TypeAlias = "YahtzeeTurn | LiarsDiceTurn"

_CALL = _native.action_count("liars-dice") - 1
#: The bids in an observation.
_BIDS = 150


def bot(policy: Policy, *, dtype: Any = np.uint8) -> Callable[[Turn], str | list[int]]:
    """A bot for `dicehill.run` and `dicehill.tournament` that acts by a policy. `dtype` is that of the observations that the policy takes:
    uint8, or float32 scaled to 0 to 1. Raises TypeError if the policy cannot be called, and ValueError for another dtype."""
    if not callable(policy):
        raise TypeError(f"policy: {policy!r} is not a function of an observation and a mask")
    dtype = _dtype(dtype)

    def act(turn: Turn) -> str | list[int]:
        return answer(turn, policy(*observe(turn, dtype=dtype)))

    return act


def observe(turn: Turn, *, dtype: Any = np.uint8) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The observation and the mask of the environments at a turn. Raises TypeError if it is no turn, and ValueError for another
    dtype than uint8 and float32."""
    dtype = _dtype(dtype)
    if isinstance(turn, YahtzeeTurn):
        game, players, (seen, mask) = "yahtzee", len(turn.scores), _yahtzee(turn)
    elif isinstance(turn, LiarsDiceTurn):
        game, players, (seen, mask) = "liars-dice", len(turn.counts), _liars_dice(turn)
    else:
        raise TypeError(f"turn: {turn!r} is not a turn")
    if dtype == np.uint8:
        return seen, mask
    factors, words = scales(game, players)
    numbers = seen.astype(np.float32)
    numbers[words] += 256 * numbers[words + 1]
    return np.minimum(numbers * factors, np.float32(1)), mask


def answer(turn: Turn, action: int) -> str | list[int]:
    """The answer of a bot that is the action with this number.

    Raises ValueError if the environments have no such action, and TypeError if it is no whole number."""
    action = at_least(-MAX, "action", action)
    if isinstance(turn, YahtzeeTurn):
        if 0 <= action < 32:
            return [place for place in range(5) if action >> place & 1]
        if 32 <= action < 45:
            return CATEGORIES[action - 32]
        raise ValueError(f"action: {action} is not 0 to 44")
    if not 0 <= action <= _CALL:
        raise ValueError(f"action: {action} is not 0 to {_CALL}")
    return LIAR if action == _CALL else f"{action // 6 + 1} {action % 6 + 1}"


def _dtype(dtype: Any) -> Any:
    """The dtype of observations."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise ValueError(f"dtype: {dtype!r} is neither uint8 nor float32") from None
    if found not in (np.uint8, np.float32):
        raise ValueError(f"dtype: {found} is neither uint8 nor float32")
    return found


def _yahtzee(turn: YahtzeeTurn) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    dice, scores = turn.dice, turn.scores
    numbers = [turn.round, turn.stage, *dice, *(dice.count(face) for face in range(1, 7))]
    for boxes in (turn.card, turn.legal):
        numbers += [boxes[category] + 1 if category in boxes else 0 for category in CATEGORIES]
    numbers += [turn.upper, turn.upper_bonus, *_word(turn.yahtzee_bonus), *_word(turn.score), len(scores)]
    for score in scores:
        numbers += _word(score)
    mask = [int(turn.stage < 2)] * 32 + [int(category in turn.legal) for category in CATEGORIES]
    return np.array(numbers, np.uint8), np.array(mask, np.int8)


def _liars_dice(turn: LiarsDiceTurn) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    counts, points, dice = turn.counts, turn.points, turn.dice
    you, players = turn.you, len(counts)
    places = [(you + place) % players for place in range(players)]
    bids = [6 * (count - 1) + face for count, face in turn.bids]
    last = turn.last or (0, 0)
    numbers = [you, players, *_padded([counts[place] for place in places], 5)]
    numbers += [dice.count(face) for face in range(1, 7)] + _padded(dice, 25)
    numbers += _padded([byte for place in places for byte in _word(points[place])], 10)
    numbers += [min(len(bids), 255), min(last[0], 255), last[1]]
    numbers += _padded([min(bid, 255) for bid in bids[: -_BIDS - 1 : -1]], _BIDS)
    mask = np.zeros(_CALL + 1, np.int8)
    mask[bids[-1] if bids else 0 : 6 * sum(counts)] = 1
    mask[_CALL] = bool(bids)
    return np.array(numbers, np.uint8), mask


def _word(number: int) -> tuple[int, int]:
    return number & 0xFF, number >> 8 & 0xFF


def _padded(numbers: list[int], length: int) -> list[int]:
    return numbers + [0] * (length - len(numbers))
