"""Observations as float32."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from . import _native

if TYPE_CHECKING:
    from numpy.typing import NDArray


@lru_cache(maxsize=None)
def scales(game: str, players: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The factors of all numbers, and the places of those of two bytes."""
    fields = _native.observation_fields(game, players)
    _, offset, count, width, _ = fields[-1]
    # The second byte of a number has the factor 0.
    factors = np.zeros(offset + count * width, np.float32)
    words: list[int] = []
    for _, offset, count, width, most in fields:
        places = range(offset, offset + count * width, width)
        factors[places] = np.float32(1) / np.float32(most)
        words += places if width == 2 else []
    return factors, np.array(words, np.int64)
