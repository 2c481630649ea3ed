"""Tournaments between functions of this process and house bots."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from typing import Any, Callable, Dict, List, Optional, Union

from . import _native, _sdk
from ._recorded import Path, Run, board_html, board_text
from ._arguments import Seed, at_least, drawn_seed, seed_text, thread_count

#: The name of a house bot, or what `dicehill.run` takes: a function or a class.
Bot = Union[str, Callable[..., Any]]


class Tournament:
    """The result of a tournament, read from its result document (protocol/formats.md)."""

    def __init__(self, document: Dict[str, Any], run: Run) -> None:
        #: The result document.
        self.document = document
        #: The recorded run with its games. The name is that of its log, or `RUN` if none was written.
        self.run = run

    @property
    def standings(self) -> List[Dict[str, Any]]:
        """The rows of the board, the best bot first."""
        return self.document["standings"]

    @property
    def champion(self) -> Optional[str]:
        """The bot that is first alone; None after a tie."""
        return self.document["champion"]

    def to_pandas(self, table: str = "standings") -> Any:
        """A pandas.DataFrame of `standings`, `games`, `seats`, `moves` or `pairs` (protocol/export.md). Needs pandas."""
        return self.run.to_pandas(table)

    def to_arrow(self, table: str = "standings") -> Any:
        """The same as a pyarrow.Table. Needs pyarrow."""
        return self.run.to_arrow(table)

    def to_polars(self, table: str = "standings") -> Any:
        """The same as a polars.DataFrame. Needs polars and pyarrow."""
        return self.run.to_polars(table)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The standings for what reads Arrow's PyCapsule interface, such as `polars.DataFrame(result)`. Needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return board_text(self.standings)

    def _repr_html_(self) -> str:
        return board_html(self.standings)


class _Session:
    """A game of a bot of this process, by the messages of the bot protocol."""

    def __init__(self, bot: Bot, game: str) -> None:
        self._bots = _sdk._Bots({"": bot})
        self._bots.hello({"game": game, "memory": "game"})

    def message(self, line: str) -> Optional[str]:
        message = json.loads(line)
        if message["type"] != "turn":
            self._bots.tell(message)
            return None
        try:
            return self._bots.answer(message)
        except Exception as error:
            return self._bots.failed(message, error)


def tournament(
    game: str,
    bots: Mapping[str, Bot],
    *,
    games: int = 1000,
    seed: Optional[Seed] = None,
    format: str = "challenge",
    rules: Optional[str] = None,
    jobs: Optional[int] = None,
    out: Optional[Path] = None,
) -> Tournament:
    """Plays a tournament of `game` ("yahtzee" or "liars-dice") between `bots`, by their names on the board.

    A bot is the name of a house bot (`house_bots(game)` lists them), or what `dicehill.run` takes: a function, or a
    class of which every game gets an object of its own. An exception in it is its fault and ends its game, except
    `SystemExit` and `KeyboardInterrupt`, which end the tournament. It has no time limit. `games` are those of the
    format; without a `seed` one is drawn. `jobs` threads play; while only Python plays, more than one gains nothing,
    because one thread at a time runs Python code. The result is a function of the arguments if the bots are
    deterministic.

    `out` is a file for the run log, where there must be none yet. Its games can be replayed, analysed and recomputed, but
    not that the bots play them: nothing identifies the code of a function, whose hash in the log is `callable:NAME`. For
    that, make the bot a program (`dicehill new python`) and play by the command `dicehill run`.
    """
    if not isinstance(bots, Mapping):
        raise TypeError(f"bots: {bots!r} is no mapping from names on the board to bots")
    connected = [(name, bot if isinstance(bot, str) else _connect(name, bot, game)) for name, bot in bots.items()]

    def play(log: str, name: str) -> Tournament:
        document = _native.tournament(
            game,
            connected,
            games=at_least(1, "games", games),
            seed=drawn_seed() if seed is None else seed_text(seed),
            format=format,
            rules=rules,
            jobs=_jobs(connected) if jobs is None else thread_count(jobs),
            log=log,
        )
        return Tournament(json.loads(document), Run(_native.RecordedRun(log), name))

    if out is not None:
        return play(os.fspath(out), os.fspath(out))
    # The log stays open, and is gone when nothing uses the tournament any more.
    with tempfile.TemporaryDirectory(prefix="dicehill-") as folder:
        return play(os.path.join(folder, "run.jsonl"), "RUN")


def _connect(name: str, bot: Bot, game: str) -> Callable[[], _Session]:
    try:
        _sdk._named(bot, None, None)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    return lambda: _Session(bot, game)


def _jobs(connected: List[Any]) -> int:
    only_house = all(isinstance(bot, str) for _, bot in connected)
    return thread_count(None) if only_house else 1
