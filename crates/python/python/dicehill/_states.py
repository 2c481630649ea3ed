"""Games in progress."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Optional, TypeVar

from . import _native, _sdk
from ._html import dice as html_dice
from ._html import table as html_table

_Self = TypeVar("_Self", bound="_State")


class _State:
    """What both games share. The class that the native part has follows in the order of bases."""

    _field: Callable[[object], Dict[str, Any]]
    _turn: Callable[[Dict[str, Any]], Any]

    def turn(self) -> Any:
        """What the seat to act sees: the same object that a bot's `act` gets. None if the game has ended."""
        request = self._request()  # type: ignore[attr-defined]
        return None if request is None else type(self)._turn(json.loads(request))

    def apply(self, answer: object) -> None:
        """Performs an action of the seat to act: any answer that a bot may give, or the notation of logs.

        Raises `IllegalAction`, a `ValueError`, if the rules refuse it; the game is then as before."""
        self._apply(self._action(answer))  # type: ignore[attr-defined]

    def legal_actions(self, limit: int = 1000) -> List[str]:
        """The first `limit` legal actions in the notation of logs. In Liar's Dice there are millions of bids."""
        return super().legal_actions(limit)  # type: ignore[misc]

    @property
    def ended(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None  # type: ignore[attr-defined]

    def copy(self: _Self) -> _Self:
        """A game in the same position, with the same dice to come."""
        other = type(self)(players=self.players)  # type: ignore[attr-defined, call-arg]
        self._copy_to(other)  # type: ignore[attr-defined]
        return other

    def __repr__(self) -> str:
        name, players = type(self).__name__, self.players  # type: ignore[attr-defined]
        seat = self.seat  # type: ignore[attr-defined]
        return f"<{name}: {players} players, {'ended' if seat is None else f'seat {seat} to act'}>"

    def _action(self, answer: object) -> str:
        if isinstance(answer, str) and self._is_notation(answer):
            return answer
        fields = {"id": 0, **type(self)._field(answer)}
        return self._action_of(json.dumps(fields))  # type: ignore[attr-defined]

    def _is_notation(self, answer: str) -> bool:
        return False


class YahtzeeState(_State, _native.YahtzeeState):
    """A game of Yahtzee. Its dice are those of table `table` under the master seed `seed`, as in every run of the arena."""

    _field = staticmethod(_sdk._yahtzee_field)
    _turn = _sdk.YahtzeeTurn

    def __new__(cls, players: int = 1, *, seed: str = "", table: int = 1, rules: Optional[str] = None) -> "YahtzeeState":
        return super().__new__(cls, players, seed, table, rules)

    def _is_notation(self, answer: str) -> bool:
        return not answer or answer == "-" or answer.isdigit()

    def _repr_html_(self) -> str:
        position = json.loads(self._position())
        cards = position["cards"]
        boxes = zip(*(card["boxes"] for card in cards))
        rows = [[same[0][0], *(filled for _, filled in same)] for same in boxes]
        rows += [[name, *(card[name] for card in cards)] for name in ("upper bonus", "Yahtzee bonus", "score")]
        turn = "ended" if self.ended else f"round {position['round']}, seat {self.seat} to act, {html_dice(position['dice'])}"
        return html_table(["", *(f"seat {seat}" for seat in range(len(cards)))], rows, turn)


class LiarsDiceState(_State, _native.LiarsDiceState):
    """A game of Liar's Dice. Its dice are those of table `table` under the master seed `seed`, as in every run of the arena."""

    _field = staticmethod(_sdk._liars_dice_field)
    _turn = _sdk.LiarsDiceTurn

    def __new__(cls, players: int = 2, *, seed: str = "", table: int = 1, rules: Optional[str] = None) -> "LiarsDiceState":
        return super().__new__(cls, players, seed, table, rules)

    def _repr_html_(self) -> str:
        position = json.loads(self._position())
        rows = [[f"seat {hand['seat']}", html_dice(hand["dice"])] for hand in position["hands"]]
        bids = ", ".join(position["bids"]) or "none"
        turn = "ended" if self.ended else f"round {position['round']}, seat {self.seat} to act, bids: {bids}"
        return html_table(["", "dice"], rows, turn)
