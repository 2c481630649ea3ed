"""Packages that only parts of this one need."""

from importlib import import_module
from typing import Any


def needed(package: str, part: str, extra: str = "environments") -> Any:
    """The package, or an ImportError that says how to install it."""
    try:
        return import_module(package)
    except ImportError:
        raise ImportError(f"{part} needs {package}: pip install 'dicehill[{extra}]'") from None
