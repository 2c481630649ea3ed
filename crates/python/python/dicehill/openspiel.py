"""Yahtzee and Liar's Dice as games of OpenSpiel. Needs open_spiel, which needs Python 3.11 or later.

    import dicehill.openspiel
    import pyspiel

    game = pyspiel.load_game("python_dicehill_liars_dice(players=2,dice=1)")
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes())
            state.apply_action(random.choices(outcomes, probabilities)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))

The import registers the games:

- `python_dicehill_yahtzee`, with the parameters `players` (1 to 105; 1) and `rules` ("official" or "mego-2016"). It pays the score to a
  player alone, else 1 to each with the highest score.
- `python_dicehill_liars_dice`, with the parameters `players` (2 to 5; 2), `dice` that each player begins with (1 to 5; 5), `faces` of a die
  (2 to 6; 6), `single_round` (False) and `rules` ("official" or "superjedi-2015"). It pays 1 to the winner, and takes as much from the others
  in equal parts; nothing if the turn limit ends it. A single round ends with the first call, and pays 1 to the player that won a die from the
  one that lost it.

Dice are rolled by chance: an outcome is a roll of up to five dice without order, with the probability of all its orders, and is shown
ascending. A larger hand takes several rolls. Actions have the numbers of the environments (docs/environments.md).

The information state is what a bot may see at its turn. That is all that a player knows about the rest of the game, except for what the
others' decisions in earlier rounds tell about how they play.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any, ClassVar

from . import _native
from ._extras import missing

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise missing(error, "dicehill.openspiel", "openspiel") from None

from ._scales import scales

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["LiarsDiceGame", "LiarsDiceState", "YahtzeeGame", "YahtzeeState"]

#: The most outcomes of a roll: those of five dice.
_MOST_ROLLS = 252


@lru_cache(maxsize=None)
def _rolls(count: int, faces: int) -> list[tuple[int, ...]]:
    """The rolls of some dice, by the number of the outcome."""
    return list(combinations_with_replacement(range(1, faces + 1), count))


@lru_cache(maxsize=None)
def _outcomes(count: int, faces: int) -> list[tuple[int, float]]:
    """The rolls of some dice with their probabilities."""
    orders = (factorial(count) // prod(factorial(roll.count(die)) for die in set(roll)) for roll in _rolls(count, faces))
    return [(outcome, number / faces**count) for outcome, number in enumerate(orders)]


class _State(pyspiel.State):  # type: ignore[misc]
    """What both games share."""

    _name: ClassVar[str]

    def __init__(self, game: Any) -> None:
        """Only for `new_initial_state` of a game."""
        super().__init__(game)
        self.position: _native.Position = game.initial_position()

    def current_player(self) -> int:
        """The seat to act, chance, or none at the end."""
        seat = self.position.seat
        if seat is not None:
            return seat
        end, chance = pyspiel.PlayerId.TERMINAL, pyspiel.PlayerId.CHANCE
        return int(end if self.position.ended else chance)

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.position.ended

    def returns(self) -> list[float]:
        """What each player gets; all 0 before the end."""
        return self.position.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The rolls that may come next."""
        return _outcomes(self._to_roll()[1], self._faces())

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self.position.seat is not None:
            self.position.apply(action)
        else:
            self.position.roll(_rolls(self._to_roll()[1], self._faces())[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            seat, count = self._to_roll()
            return f"seat {seat} rolls {' '.join(map(str, _rolls(count, self._faces())[action]))}"
        return _native.decode_action(self._name, action)

    def _to_roll(self) -> tuple[int, int]:
        roll = self.position.to_roll()
        if roll is None:
            raise ValueError("no dice are to be rolled")
        return roll

    def _faces(self) -> int:
        return 6

    def __str__(self) -> str:
        seats = range(self.num_players())
        return "\n".join(f"{self.information(seat)}" for seat in seats)

    def information(self, player: int) -> str:
        """What a player knows, as a text."""
        raise NotImplementedError


class YahtzeeState(_State):
    """A state of Yahtzee."""

    _name = "yahtzee"

    def information(self, player: int) -> str:
        seen = self.position.observation(player)
        dice = " ".join(str(die) for die in seen[2:7] if die)
        card = " ".join("-" if box == 0 else str(box - 1) for box in seen[13:26])
        bonus = int.from_bytes(seen[41:43], "little")
        scores = " ".join(str(int.from_bytes(seen[at : at + 2], "little")) for at in range(46, len(seen), 2))
        return f"player {player}; round {seen[0]}; stage {seen[1]}; dice {dice}; card {card}; bonus {bonus}; scores {scores}"


class LiarsDiceState(_State):
    """A state of Liar's Dice."""

    _name = "liars-dice"

    def _faces(self) -> int:
        faces: int = self.get_game().faces
        return faces

    def information(self, player: int) -> str:
        seen = self.position.observation(player)
        dice = " ".join(str(face) for face, count in enumerate(seen[7:13], 1) for _ in range(count))
        counts = " ".join(map(str, seen[2 : 2 + seen[1]]))
        bids = " ".join(f"{(bid - 1) // 6 + 1}x{(bid - 1) % 6 + 1}" for bid in reversed(seen[51 : 51 + seen[48]]))
        return f"player {player}; place {seen[0]}; dice {dice}; counts {counts}; bids {bids}"


class _Observer:
    """What a player knows, as a text and as a tensor: the observation of the environments as float32."""

    def __init__(self, factors: NDArray[np.float32], words: NDArray[np.int64]) -> None:
        self._factors, self._words = factors, words
        self.tensor: NDArray[np.float32] = np.zeros(len(factors), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        """Writes the tensor."""
        seen = np.frombuffer(state.position.observation(player), np.uint8).astype(np.float32)
        seen[self._words] += 256 * seen[self._words + 1]
        np.minimum(seen * self._factors, 1, out=self.tensor)

    def string_from(self, state: _State, player: int) -> str:
        """The text."""
        return state.information(player)


class _Game(pyspiel.Game):  # type: ignore[misc]
    """What both games share."""

    _name: ClassVar[str]
    _state: ClassVar[type[_State]]

    def initial_position(self) -> _native.Position:
        """The position before the first roll."""
        raise NotImplementedError

    def new_initial_state(self) -> _State:
        """The state before the first roll."""
        return self._state(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> _Observer | None:
        """An observer of what a player knows; None for public and for private information alone."""
        if params:
            raise ValueError(f"observers have no parameters, not {dict(params)}")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and not (iig_obs_type.public_info and iig_obs_type.private_info == single):
            return None
        return _Observer(*scales(self._name, self.num_players()))


def _type(name: str, title: str, players: range, utility: Any, parameters: dict[str, Any]) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[-1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


_YAHTZEE = _type(
    "python_dicehill_yahtzee",
    "Yahtzee (dicehill)",
    range(1, 106),
    pyspiel.GameType.Utility.GENERAL_SUM,
    {"players": 1, "rules": "official"},
)
_LIARS_DICE = _type(
    "python_dicehill_liars_dice",
    "Liar's Dice (dicehill)",
    range(2, 6),
    pyspiel.GameType.Utility.ZERO_SUM,
    {"players": 2, "dice": 5, "faces": 6, "single_round": False, "rules": "official"},
)
#: No game of Liar's Dice has more turns: the turn limit, and what may follow it by the rules of 2015.
_MOST_TURNS = 5006


class YahtzeeGame(_Game):
    """Yahtzee in OpenSpiel."""

    _name, _state = "yahtzee", YahtzeeState

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_YAHTZEE.parameter_specification, **(params or {})}
        self._players, self._rules = int(given["players"]), str(given["rules"])
        self.initial_position()
        info = pyspiel.GameInfo(
            num_distinct_actions=_native.action_count("yahtzee"),
            max_chance_outcomes=_MOST_ROLLS,
            num_players=self._players,
            min_utility=0.0,
            max_utility=1575.0 if self._players == 1 else 1.0,
            utility_sum=None,
            max_game_length=39 * self._players,
        )
        super().__init__(_YAHTZEE, info, dict(params or {}))

    def initial_position(self) -> _native.Position:
        return _native.Position.yahtzee(self._players, self._rules)

    def max_chance_nodes_in_history(self) -> int:
        """The most rolls of a game."""
        return 39 * self._players


class LiarsDiceGame(_Game):
    """Liar's Dice in OpenSpiel."""

    _name, _state = "liars-dice", LiarsDiceState

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_LIARS_DICE.parameter_specification, **(params or {})}
        self._players, self._dice, self._rules = int(given["players"]), int(given["dice"]), str(given["rules"])
        #: The faces of a die.
        self.faces = int(given["faces"])
        self._is_single_round = bool(given["single_round"])
        self.initial_position()
        # The bids of a round ascend.
        most_bids = self.faces * self._dice * self._players
        is_single = self._is_single_round or (self._players == 2 and self._dice == 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=_native.action_count("liars-dice"),
            max_chance_outcomes=_MOST_ROLLS,
            num_players=self._players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_bids + 1 if is_single else _MOST_TURNS,
        )
        super().__init__(_LIARS_DICE, info, dict(params or {}))

    def initial_position(self) -> _native.Position:
        return _native.Position.liars_dice(self._players, self._dice, self.faces, self._is_single_round, self._rules)

    def max_chance_nodes_in_history(self) -> int:
        """The most rolls of a game, each of up to five dice."""
        if self._is_single_round:
            return self._players
        # A round has two turns or more, and no more hands and rolls of five dice than the dice on the table.
        return (1 + _MOST_TURNS // 2) * self._dice * self._players


pyspiel.register_game(_YAHTZEE, YahtzeeGame)
pyspiel.register_game(_LIARS_DICE, LiarsDiceGame)
