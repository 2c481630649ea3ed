"""Arguments as callers give them."""

from __future__ import annotations

import operator
import os
import secrets
from collections.abc import Iterable
from typing import Optional, SupportsIndex, Union

#: A text, or a whole number, which means its decimal digits: 7 and "7" are one seed, as for `dicehill run --seed 7`.
Seed = Union[str, SupportsIndex]

#: The largest number that the native part takes.
MAX = 2**63 - 1


def seed_text(seed: Seed) -> str:
    """The text of a seed. Raises TypeError if it is neither a text nor a whole number."""
    if isinstance(seed, str):
        return seed
    try:
        return str(operator.index(seed))
    except TypeError:
        raise TypeError(f"seed: {seed!r} is neither a text nor a whole number") from None


def drawn_seed() -> str:
    """A seed for a caller that gives none."""
    return secrets.token_hex(8)


def at_least(least: int, name: str, value: SupportsIndex) -> int:
    """The whole number of an argument. Raises ValueError if it is below `least`, TypeError if it is no whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None
    if least <= number <= MAX:
        return number
    raise ValueError(f"{name}: {number} is not {least} or more" if number < least else f"{name}: {number} is above {MAX}")


def whole_numbers(name: str, values: Iterable[SupportsIndex]) -> list[int]:
    """The whole numbers of an argument. Raises TypeError if it has none, or anything else."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: {values!r} is not a sequence of whole numbers")
    return [at_least(-MAX, name, value) for value in values]


def thread_count(jobs: Optional[SupportsIndex]) -> int:
    """The threads of an argument `jobs`; one for each core unless it is given."""
    return (os.cpu_count() or 1) if jobs is None else at_least(1, "jobs", jobs)
