"""Tables for notebooks. Every cell is escaped."""

from __future__ import annotations

from html import escape
from typing import Iterable, Sequence


def table(head: Sequence[object], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table; None is an empty cell."""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}{_row('th', head)}{''.join(_row('td', row) for row in rows)}</table>"


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_cell(cell)}</{tag}>' for cell in cells)}</tr>"


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    return escape(f"{cell:,.4f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell))


#: The faces of dice, as one character each.
_DICE = "⚀⚁⚂⚃⚄⚅"


def dice(pips: Iterable[int]) -> str:
    """Dice as pictures."""
    return " ".join(_DICE[pip - 1] for pip in pips)
