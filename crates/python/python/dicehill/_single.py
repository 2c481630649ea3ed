"""One game at a time in the vector environment, with the arrays that it writes."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from . import _native
from ._arguments import at_least, drawn_seed, seed_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The modes in which environments can be shown.
RENDER_MODES = ["ansi", "human"]
#: Why an action is refused after the end of a game and before the first.
NO_GAME = "no game is in progress: call reset()"


class Single:
    """One game at a time."""

    def __init__(
        self, game: str, players: int, *, rules: str | None, reward: str | None, on_illegal: str, render_mode: str | None
    ) -> None:
        if on_illegal not in ("raise", "forfeit"):
            raise ValueError(f"on_illegal: {on_illegal!r} is neither 'raise' nor 'forfeit'")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode: {render_mode!r} is not None, 'ansi' or 'human'")
        self._native = _native.VectorEnvironment(
            game,
            1,
            at_least(1, "players", players),
            drawn_seed(),
            rules=rules,
            opponents=[],
            seat=None,
            reward=reward,
            forfeit=on_illegal == "forfeit",
            threads=1,
        )
        self._render_mode = render_mode
        width = self._native.observation_len
        #: What each seat sees; after the end of a game, of the end.
        self.seen: NDArray[np.uint8] = np.zeros((players, width), np.uint8)
        mask = np.zeros((1, _native.action_count(game)), np.uint8)
        #: The legal actions of the seat to act, in the type of masks that Gymnasium's spaces take.
        self.legal: NDArray[np.int8] = mask[0].view(np.int8)
        #: What the last action gained, by seat.
        self.rewards: NDArray[np.float32] = np.zeros(players, np.float32)
        #: Whether no game is in progress: the last one is over, or none has begun.
        self.is_over = True
        #: The seat to act; after the end of a game, the one that acted last.
        self.seat = 0
        self._observation = np.zeros((1, width), np.uint8)
        self._done, self._seat = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
        self._written = (self._observation, mask, self.rewards.reshape(1, -1), self._done, self._seat)
        self._seen = self.seen.reshape(1, players, width)

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.legal)

    def reset(self, seed: Any = None) -> None:
        """Begins the next game; with a `seed`, the first one of that seed."""
        if seed is not None:
            self._native.reseed(seed_text(seed))
        self._native.reset(*self._written, seat_observations=self._seen)
        self.is_over, self.seat = False, int(self._seat[0])
        self._show()

    def step(self, action: SupportsIndex) -> None:
        """Performs an action of the seat to act."""
        if self.is_over:
            raise RuntimeError(NO_GAME)
        try:
            number = index(action)
        except TypeError:
            raise TypeError(f"an action is an integer, not {action!r}") from None
        # Whether there is such an action, and what follows if it is illegal, is decided with the others.
        number = max(-(2**63), min(number, 2**63 - 1))
        self._native.step(np.array([number], np.int64), *self._written, seat_observations=self._seen)
        self.is_over = bool(self._done[0])
        if self.is_over:
            # What was written is the start of the next game.
            self.legal.fill(0)
        else:
            self.seat = int(self._seat[0])
        self._show()

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """What a seat sees."""
        seen: NDArray[np.uint8] = self.seen[seat]
        return seen.copy()

    def mask(self, seat: int) -> NDArray[np.int8]:
        """The legal actions of a seat: none, unless it is to act."""
        return self.legal.copy() if seat == self.seat else np.zeros_like(self.legal)

    def render(self) -> str | None:
        """What the seat to act sees, as a text, in the mode "ansi"."""
        return self._text() if self._render_mode == "ansi" else None

    def _show(self) -> None:
        if self._render_mode == "human":
            print(self._text(), end="\n\n", flush=True)

    def _text(self) -> str:
        lines = [f"seat {self.seat}"]
        for name, offset, count, width, _ in self._native.fields():
            numbers = self.seen[self.seat, offset : offset + count * width]
            values = numbers if width == 1 else numbers.view("<u2")
            lines.append(f"{name} {' '.join(map(str, values))}")
        return "\n".join(lines)
