"""Packages that only parts of this one need."""

from __future__ import annotations


def missing(error: ImportError, part: str, extra: str = "environments") -> ImportError:
    """An error that says how to install what `part` needs."""
    return ImportError(f"{part} needs {error.name}: pip install 'dicehill[{extra}]'", name=error.name)
