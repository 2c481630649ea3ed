"""Recorded runs and hills."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Sequence, Union, overload

from . import _native
from ._arguments import MAX, at_least
from ._frames import arrow_to_polars, columns_to_arrow, columns_to_pandas, rows_to_arrow, rows_to_pandas
from ._html import table as html_table

Path = Union[str, "os.PathLike[str]"]


class Game:
    """A recorded game, read from its record (protocol/formats.md)."""

    def __init__(self, run: _native.RecordedRun, index: int) -> None:
        self._run = run
        self._index = index
        #: The whole record.
        self.record: Dict[str, Any] = json.loads(run.game(index))

    @property
    def number(self) -> int:
        """The number of the game in its run, from 1."""
        value: int = self.record["game"]
        return value

    @property
    def table(self) -> int:
        """The number of the table, on which the dice depend."""
        value: int = self.record["table"]
        return value

    @property
    def seats(self) -> List[str]:
        """The players' names by seat."""
        value: List[str] = self.record["seats"]
        return value

    @property
    def results(self) -> List[Dict[str, Any]]:
        """By seat: `points`, `won`, and the figures of the game, such as `score`."""
        value: List[Dict[str, Any]] = self.record["results"]
        return value

    @property
    def failures(self) -> List[Dict[str, Any]]:
        """The failures in order: `seat`, `reason` and `detail`."""
        value: List[Dict[str, Any]] = self.record.get("failures", [])
        return value

    @property
    def void(self) -> bool:
        """Whether a failure ended the game, so that it counts for no player."""
        value: bool = self.record.get("void", False)
        return value

    def moves(self) -> List[Dict[str, Any]]:
        """The moves in order, replayed by the rules: the columns of the table `moves` (protocol/export.md)."""
        return self._run.moves(self._index)

    def __repr__(self) -> str:
        points = ", ".join(f"{bot} {result['points']}" for bot, result in zip(self.seats, self.results))
        return f"<Game {self.number}{', void' if self.void else ''}: {points}>"

    def _repr_html_(self) -> str:
        figures = [name for name in self.results[0] if name != "won"] if self.results else []
        rows = [
            [seat, bot, *(result.get(name) for name in figures), "won" if result.get("won") else None]
            for seat, (bot, result) in enumerate(zip(self.seats, self.results))
        ]
        return html_table(["seat", "bot", *figures, ""], rows, f"game {self.number}, table {self.table}")


class Games(Sequence[Game]):
    """The games of a run that count, in order. Each is read when it is asked for."""

    def __init__(self, run: _native.RecordedRun) -> None:
        self._run = run

    def __len__(self) -> int:
        return self._run.count()

    @overload
    def __getitem__(self, index: int) -> Game: ...

    @overload
    def __getitem__(self, index: slice) -> List[Game]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Game, List[Game]]:
        if isinstance(index, slice):
            return [Game(self._run, one) for one in range(*index.indices(len(self)))]
        index = at_least(-MAX, "index", index)
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"game index {index}: the run holds {len(self)} games")
        return Game(self._run, index)

    def __repr__(self) -> str:
        return f"<Games: {len(self)}>"


class Run:
    """A recorded run: a run log, or a run in the store of a hill. `read_run` opens one."""

    def __init__(self, native: _native.RecordedRun, name: str) -> None:
        self._native = native
        #: The run as commands name it: a path, or `HILL.db#N`.
        self.name = name
        #: The header (protocol/formats.md), without a secret of an unfinished run.
        self.header: Dict[str, Any] = json.loads(native.header())
        result = native.result()
        #: The result document; None of an unfinished run.
        self.result: Optional[Dict[str, Any]] = None if result is None else json.loads(result)

    @property
    def number(self) -> Optional[int]:
        """The number of the run in its hill; None of a log."""
        return self._native.number()

    @property
    def entrants(self) -> List[Dict[str, Any]]:
        """The entrants in the order of the hill: `name`, `hash` and what else the header has of them."""
        value: List[Dict[str, Any]] = self.header["bots"]
        return value

    @property
    def bars(self) -> List[Dict[str, Any]]:
        """The entrants that were barred, in order."""
        value: List[Dict[str, Any]] = json.loads(self._native.bars())
        return value

    @property
    def standings(self) -> List[Dict[str, Any]]:
        """The rows of the board, the best bot first; empty for an unfinished run."""
        return [] if self.result is None else self.result["standings"]

    @property
    def champion(self) -> Optional[str]:
        """The bot that is first alone; None after a tie and of an unfinished run."""
        return None if self.result is None else self.result["champion"]

    @property
    def games(self) -> Games:
        """The games that count, in order."""
        return Games(self._native)

    def game(self, number: int) -> Game:
        """The game with this number, from 1, as `dicehill replay` names it. Raises IndexError if the run does not have it."""
        number = at_least(-MAX, "number", number)
        games = self.games
        # A log of a single game has it under any number.
        for index in {number - 1, 0} & set(range(len(games))):
            if (game := games[index]).number == number:
                return game
        known = f"game {games[0].number} alone" if len(games) == 1 else f"games 1 to {len(games)}" if games else "no games"
        raise IndexError(f"game {number}: the run has {known}")

    def to_arrow(self, table: str = "games") -> Any:
        """A pyarrow.Table of `games`, `seats`, `moves` or `pairs`, with the columns of `dicehill export`
        (protocol/export.md), or of `standings`. Needs pyarrow."""
        return rows_to_arrow(self.standings) if table == "standings" else columns_to_arrow(self._native.columns(table))

    def to_pandas(self, table: str = "games") -> Any:
        """The same as a pandas.DataFrame. Needs pandas."""
        return rows_to_pandas(self.standings) if table == "standings" else columns_to_pandas(self._native.columns(table))

    def to_polars(self, table: str = "games") -> Any:
        """The same as a polars.DataFrame. Needs polars and pyarrow."""
        return arrow_to_polars(lambda: self.to_arrow(table))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table `games` for what reads Arrow's PyCapsule interface, such as `polars.DataFrame(run)`. Needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        end = "" if self.result is not None else ", unfinished"
        return f"<Run {self.name}: {self.header['game']}, {len(self.entrants)} entrants, {len(self.games)} games{end}>"

    def _repr_html_(self) -> str:
        if self.result is None:
            return html_table(["bot", "hash"], [[bot["name"], bot["hash"]] for bot in self.entrants], repr(self))
        return board_html(self.standings, self.name)


def board_text(standings: List[Dict[str, Any]]) -> str:
    """The board as lines, and why bots were barred."""
    head = f"{'#':>3} {'bot':<24} {'points':>9} {'wins':>7}"
    rows = [f"{row['rank'] or '-':>3} {row['bot']:<24} {row['points']:>9} {row['wins']:>7}" for row in standings]
    return "\n".join([head, *rows, *_bars(standings)])


def board_html(standings: List[Dict[str, Any]], caption: str = "") -> str:
    """The board for a notebook."""
    head = ["#", "bot", "points", "wins", "games"]
    rows = [[row["rank"] or "-", *(row[name] for name in head[1:])] for row in standings]
    return html_table(head, rows, "; ".join(filter(None, [caption, *_bars(standings)])))


def _bars(standings: List[Dict[str, Any]]) -> List[str]:
    barred = [(row["bot"], row["barred"]) for row in standings if row.get("barred")]
    return [f"{bot} was barred in game {bar['game']}: {bar['reason']}, {bar['detail']}" for bot, bar in barred]


class Hill:
    """The store of a hill as it was when it was opened. `open_hill` opens one."""

    def __init__(self, path: str) -> None:
        document = json.loads(_native.read_hill(path))
        #: The path of the store.
        self.path = path
        #: The terms of its runs, such as `game`, `rules` and `format`.
        self.terms: Dict[str, Any] = document["terms"]
        #: The entrants in their latest versions, oldest entrant first.
        self.entrants: List[Dict[str, Any]] = document["entrants"]
        #: The runs, oldest first: `run`, `begun` and `ended` (seconds since 1970), `games` and `bots`.
        self.runs: List[Dict[str, Any]] = document["runs"]

    def run(self, number: Optional[int] = None) -> Run:
        """The run with this number, or the last one. Its hashes are checked."""
        return read_run(self.path if number is None else f"{self.path}#{number}")

    def __repr__(self) -> str:
        return f"<Hill {self.path}: {self.terms['game']}, {len(self.entrants)} entrants, {len(self.runs)} runs>"

    def _repr_html_(self) -> str:
        rows = [[bot["bot"], bot["version"], bot["hash"], bot["author"]] for bot in self.entrants]
        return html_table(["bot", "version", "hash", "author"], rows, repr(self))


def read_run(path: Path) -> Run:
    """Opens a recorded run: a run log, `HILL.db#N` for a run of a hill, or `HILL.db` for its last run.

    Altered records are refused as the commands refuse them. Raises `FileNotFoundError` if there is no file, and else `FileError` with the file, the
    line and the value."""
    name = os.fspath(path)
    return Run(_native.RecordedRun(name), name)


def open_hill(path: Path) -> Hill:
    """Opens the store of a hill to read. Raises `FileNotFoundError` if there is none, and `FileError` if it cannot be read."""
    return Hill(os.fspath(path))
