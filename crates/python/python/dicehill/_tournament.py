"""Tournaments between functions of this process and house bots."""

from __future__ import annotations

import json
import os
import secrets
from html import escape
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _native, _sdk

#: The name of a house bot, or what `dicehill.run` takes: a function or a class.
Bot = Union[str, Callable[..., Any]]


class Tournament:
    """The result of a tournament, read from its result document (protocol/formats.md)."""

    def __init__(self, document: Dict[str, Any]) -> None:
        #: The result document.
        self.document = document

    @property
    def standings(self) -> List[Dict[str, Any]]:
        """The rows of the board, the best bot first."""
        return self.document["standings"]

    @property
    def champion(self) -> Optional[str]:
        """The bot that is first alone; None after a tie."""
        return self.document["champion"]

    def to_pandas(self) -> Any:
        """The standings as a data frame. Needs pandas."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas: pip install pandas") from None
        return pandas.json_normalize(self.standings)

    def __repr__(self) -> str:
        rows = [f"{row['rank'] or '-':>3} {row['bot']:<24} {row['points']:>9} {row['wins']:>7}" for row in self.standings]
        return "\n".join([f"  # {'bot':<24} {'points':>9} {'wins':>7}", *rows])

    def _repr_html_(self) -> str:
        rows = [[row["rank"] or "-", row["bot"], row["points"], row["wins"], row["games"]] for row in self.standings]
        head = _html_row("th", ["#", "bot", "points", "wins", "games"])
        return f"<table>{head}{''.join(_html_row('td', row) for row in rows)}</table>"


def _html_row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"


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
    seed: Optional[str] = None,
    format: str = "challenge",
    rules: Optional[str] = None,
    jobs: Optional[int] = None,
) -> Tournament:
    """Plays a tournament of `game` ("yahtzee" or "liars-dice") between `bots`, by their names on the board.

    A bot is the name of a house bot (`house_bots(game)` lists them), or what `dicehill.run` takes: a function, or a
    class of which every game gets an object of its own. An exception in it is its fault and ends its game. `games` are
    those of the format; without a `seed` one is drawn. `jobs` threads play; while only Python plays, more than one gains
    nothing, because one thread at a time runs Python code. The result is a function of the arguments if the bots are
    deterministic. It cannot be verified by others, because nothing identifies the code of a function; for that, make the
    bot a program (`dicehill new python`) and play by the command `dicehill run`.
    """
    connected = [(name, bot if isinstance(bot, str) else _connect(name, bot, game)) for name, bot in bots.items()]
    document = _native.tournament(
        game,
        connected,
        games=games,
        seed=seed if seed is not None else secrets.token_hex(8),
        format=format,
        rules=rules,
        jobs=jobs if jobs is not None else _jobs(connected),
    )
    return Tournament(json.loads(document))


def _connect(name: str, bot: Bot, game: str) -> Callable[[], _Session]:
    try:
        _sdk._named(bot, None, None)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    return lambda: _Session(bot, game)


def _jobs(connected: List[Any]) -> int:
    only_house = all(isinstance(bot, str) for _, bot in connected)
    return (os.cpu_count() or 1) if only_house else 1
