"""Games in progress."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _native, _sdk
from ._html import dice as html_dice
from ._html import table as html_table
from ._arguments import Seed, at_least, seed_text

if TYPE_CHECKING:
    from typing_extensions import Self

_Turn = TypeVar("_Turn", _sdk.YahtzeeTurn, _sdk.LiarsDiceTurn)


class _State(Generic[_Turn]):
    """What both games share. The class that the native part has follows in the order of bases."""

    _field: Callable[[object], dict[str, Any]]
    _turn: Callable[[dict[str, Any]], _Turn]

    if TYPE_CHECKING:
        # What the native classes have.
        @property
        def seat(self) -> int | None: ...
        @property
        def players(self) -> int: ...
        def _apply(self, action: str) -> None: ...
        def _request(self) -> str | None: ...
        @staticmethod
        def _action_of(answer: str) -> str: ...
        def _copy_to(self, other: Any) -> None: ...
        def _position(self) -> str: ...
        def _shown(self) -> str: ...
        def results(self) -> list[_native.SeatResult]: ...

    def turn(self) -> _Turn | None:
        """What the seat to act sees: the same object that a bot's `act` gets. None if the game has ended."""
        request = self._request()
        return None if request is None else type(self)._turn(json.loads(request))

    def apply(self, answer: object) -> None:
        """Performs an action of the seat to act: any answer that a bot may give, or the notation of logs.

        Raises `IllegalAction`, a `ValueError`, if the rules refuse it; the game is then as before."""
        self._apply(self._action(answer))

    def legal_actions(self, limit: int = 1000) -> list[str]:
        """The first `limit` legal actions in the notation of logs. In Liar's Dice there are millions of bids."""
        actions: list[str] = super().legal_actions(at_least(0, "limit", limit))  # type: ignore[misc]
        return actions

    @property
    def ended(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None

    def copy(self) -> Self:
        """A game in the same position, with the same dice to come."""
        other = type(self)(players=self.players)  # type: ignore[call-arg]
        self._copy_to(other)
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __repr__(self) -> str:
        state = self._shown() if self.seat is not None else f"ended, points {[seat.points for seat in self.results()]}"
        return f"<{type(self).__name__}: {self.players} player{'s'[: self.players != 1]}, {state}>"

    def _action(self, answer: object) -> str:
        if isinstance(answer, str) and self._is_notation(answer):
            return answer
        sent = json.dumps({"id": 0, **type(self)._field(answer)})
        try:
            return self._action_of(sent)
        except _native.IllegalAction as error:
            # What the arena quotes of a bot's message says nothing here.
            raise _native.IllegalAction(str(error).removesuffix(f": {sent}")) from None

    def _is_notation(self, answer: str) -> bool:
        return False


class YahtzeeState(_State[_sdk.YahtzeeTurn], _native.YahtzeeState):
    """A game of Yahtzee. Its dice are those of table `table` under the master seed `seed`, as in every run of the arena."""

    _field = staticmethod(_sdk._yahtzee_field)
    _turn = _sdk.YahtzeeTurn

    def __new__(cls, players: int = 1, *, seed: Seed = "", table: int = 1, rules: str | None = None) -> Self:
        return super().__new__(cls, at_least(1, "players", players), seed_text(seed), at_least(1, "table", table), rules)

    def _is_notation(self, answer: str) -> bool:
        return not answer or answer == "-" or answer.isdigit()

    def _shown(self) -> str:
        position = json.loads(self._position())
        return f"round {position['round']}, seat {self.seat} to act, rerolls {position['stage']}, dice {position['dice']}"

    def _repr_html_(self) -> str:
        position = json.loads(self._position())
        cards = position["cards"]
        boxes = zip(*(card["boxes"] for card in cards))
        rows = [[same[0][0], *(filled for _, filled in same)] for same in boxes]
        rows += [[name, *(card[name] for card in cards)] for name in ("upper bonus", "Yahtzee bonus", "score")]
        turn = "ended" if self.ended else f"round {position['round']}, seat {self.seat} to act, {html_dice(position['dice'])}"
        return html_table(["", *(f"seat {seat}" for seat in range(len(cards)))], rows, turn)


class LiarsDiceState(_State[_sdk.LiarsDiceTurn], _native.LiarsDiceState):
    """A game of Liar's Dice. Its dice are those of table `table` under the master seed `seed`, as in every run of the arena."""

    _field = staticmethod(_sdk._liars_dice_field)
    _turn = _sdk.LiarsDiceTurn

    def __new__(cls, players: int = 2, *, seed: Seed = "", table: int = 1, rules: str | None = None) -> Self:
        return super().__new__(cls, at_least(1, "players", players), seed_text(seed), at_least(1, "table", table), rules)

    def _shown(self) -> str:
        position = json.loads(self._position())
        bids = ", ".join(position["bids"]) or "none"
        return f"round {position['round']}, seat {self.seat} to act, dice {[len(hand['dice']) for hand in position['hands']]}, bids: {bids}"

    def _repr_html_(self) -> str:
        position = json.loads(self._position())
        rows = [[f"seat {hand['seat']}", html_dice(hand["dice"])] for hand in position["hands"]]
        bids = ", ".join(position["bids"]) or "none"
        turn = "ended" if self.ended else f"round {position['round']}, seat {self.seat} to act, bids: {bids}"
        return html_table(["", "dice"], rows, turn)
