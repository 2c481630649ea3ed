"""The dicehill arena in Python: Yahtzee and Liar's Dice.

Bots are written as with the file `dicehill.py`, which an author copies beside a bot: everything in it is here too.
Beyond it the package has

- `YahtzeeState` and `LiarsDiceState`: games by the exact rules, whose dice are functions of a seed;
- `Solution`: the exact values of solitaire Yahtzee, and every choice in a position ranked by value;
- `tournament`: games between functions of this process and house bots, with standings and their intervals;
- `read_run` and `open_hill`: recorded runs with their games, as objects and as data frames;
- the command `dicehill` itself, which is installed with it.
"""

from ._native import (
    Choice,
    FileError,
    IllegalAction,
    SeatResult,
    Solution,
    house_bots,
)
from ._recorded import Game, Games, Hill, Run, open_hill, read_run
from ._sdk import *  # noqa: F403
from ._sdk import __all__ as _sdk_names
from ._sdk import __version__
from ._states import LiarsDiceState, YahtzeeState
from ._tournament import Tournament, tournament

__all__ = [
    *_sdk_names,
    "Choice",
    "FileError",
    "Game",
    "Games",
    "Hill",
    "IllegalAction",
    "LiarsDiceState",
    "Run",
    "SeatResult",
    "Solution",
    "Tournament",
    "YahtzeeState",
    "__version__",
    "house_bots",
    "open_hill",
    "read_run",
    "tournament",
]
