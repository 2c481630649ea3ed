"""What the decisions of recorded games cost."""

from __future__ import annotations

import json
import shlex
from typing import Any, Dict, List, Optional, Union

from . import _native
from ._arguments import thread_count
from ._frames import arrow_to_polars, rows_to_arrow, rows_to_pandas
from ._html import table as html_table
from ._recorded import Path, Run, read_run
from ._tournament import Tournament


class Analysis:
    """The losses of bots in a run and the habits behind them, read from the document of `dicehill analyze`."""

    def __init__(self, document: Dict[str, Any]) -> None:
        #: The document `dicehill.analysis/1`.
        self.document = document

    @property
    def bots(self) -> List[Dict[str, Any]]:
        """A report on each bot that has games which count: `loss` per game with its 95 % interval, `kinds`, `habits`,
        `worst`, and more that depends on the game."""
        value: List[Dict[str, Any]] = self.document["bots"]
        return value

    def to_pandas(self) -> Any:
        """A row for each bot. Needs pandas."""
        return rows_to_pandas(self._rows())

    def to_arrow(self) -> Any:
        """The same as a pyarrow.Table. Needs pyarrow."""
        return rows_to_arrow(self._rows())

    def to_polars(self) -> Any:
        """The same as a polars.DataFrame. Needs polars and pyarrow."""
        return arrow_to_polars(self.to_arrow)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows for what reads Arrow's PyCapsule interface, such as `polars.DataFrame(analysis)`. Needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _rows(self) -> List[Dict[str, Any]]:
        rows = []
        for bot in self.bots:
            loss = bot["loss"]
            low, high = loss["ci95"] or (None, None)
            counts = {"bot": bot["bot"], "games": bot["games"], "decisions": bot["decisions"]}
            rows.append({**counts, "mistakes": loss["mistakes"], "loss": loss["mean"], "low": low, "high": high})
        return rows

    def __repr__(self) -> str:
        losses = ", ".join(f"{row['bot']} {row['loss']:.4f}" for row in self._rows())
        return f"<Analysis: loss per game {losses}>"

    def _repr_html_(self) -> str:
        head = ["bot", "games", "decisions", "mistakes", "loss/game", "95 % from", "to"]
        return html_table(head, [list(row.values()) for row in self._rows()], self.document["note"])


def analyze(run: Union[Run, Tournament, Path], *, bot: Optional[str] = None, jobs: Optional[int] = None) -> Analysis:
    """What the decisions in the games of a run cost: in Yahtzee expected points by the exact values, in Liar's Dice dice
    by the odds of the hidden ones.

    `run` is a `Run`, the path of one as `read_run` takes it, or a `Tournament` of this process. With `bot`, only its
    decisions are appraised. `jobs` threads appraise; all cores unless given. The document is the one of
    `dicehill analyze --format json`, and a function of the run alone."""
    if isinstance(run, Tournament):
        run = run.run
    if not isinstance(run, Run):
        run = read_run(run)
    return Analysis(json.loads(_native.analyze(run._native, shlex.quote(run.name), bot, thread_count(jobs))))
