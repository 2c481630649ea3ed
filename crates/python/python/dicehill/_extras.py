"""Packages that only parts of this one need."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def missing(error: ImportError, part: str, extra: str = "environments") -> ImportError:
    """An error that says how to install what `part` needs."""
    if extra == "openspiel" and sys.version_info < (3, 11):
        return ImportError(f"{part} needs OpenSpiel, which needs Python 3.11 or later", name=error.name)
    return ImportError(f"{part} needs {error.name}: pip install 'dicehill[{extra}]'", name=error.name)


def needed(package: str, part: str, extra: str = "environments") -> Any:
    """The package, or an ImportError that says how to install it."""
    try:
        return import_module(package)
    except ImportError:
        raise ImportError(f"{part} needs {package}: pip install 'dicehill[{extra}]'") from None
