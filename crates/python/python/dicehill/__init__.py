"""The dicehill arena in Python: Yahtzee and Liar's Dice.

Bots are written as with the file `dicehill.py`, which an author copies next to a bot; this package includes it.
Beyond it the package has

- `YahtzeeState` and `LiarsDiceState`: games by the exact rules, whose dice are functions of a seed;
- `Solution`: the exact values of solitaire Yahtzee, and every choice in a position ranked by value;
- `advise_liars_dice`: the value of each action in a position of Liar's Dice; `solve_round` and `exploitability`: rounds
  between two, solved with exact bounds, and how much a best response gains against a policy;
- `tournament`: games between functions of this process and house bots, with standings and their intervals;
- a bot that asks a language model (`python -m dicehill.llm`);
- `read_run` and `open_hill`: recorded runs with their games, as objects and as data frames;
- `analyze`: what the decisions in a run cost;
- the command `dicehill` itself, which is installed with it.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._analysis import Analysis, analyze
from ._native import (
    Choice,
    FileError,
    IllegalAction,
    InformationSet,
    LastBidBelief,
    LiarsDiceAdvice,
    LiarsDiceChoice,
    RoundBounds,
    SeatResult,
    Solution,
    SolvedRound,
    house_bots,
)
from ._recorded import Game, Games, Hill, Run, open_hill, read_run
from ._rounds import advise_liars_dice, exploitability, solve_round
from ._sdk import *  # noqa: F403
from ._sdk import __all__ as _sdk_names
from ._sdk import __version__
from ._states import LiarsDiceState, YahtzeeState
from ._tournament import Tournament, tournament

__all__ = [
    *_sdk_names,
    "Analysis",
    "Choice",
    "FileError",
    "Game",
    "Games",
    "Hill",
    "IllegalAction",
    "InformationSet",
    "LastBidBelief",
    "LiarsDiceAdvice",
    "LiarsDiceChoice",
    "LiarsDiceState",
    "RoundBounds",
    "Run",
    "SeatResult",
    "Solution",
    "SolvedRound",
    "Tournament",
    "YahtzeeState",
    "__version__",
    "advise_liars_dice",
    "analyze",
    "exploitability",
    "house_bots",
    "open_hill",
    "read_run",
    "solve_round",
    "tournament",
]

if _TYPE_CHECKING:
    from . import envs as envs
    from . import llm as llm
    from . import openspiel as openspiel
    from . import policy as policy
    from . import vector as vector
else:

    def __getattr__(name: str) -> object:
        # These need other packages, and are imported at their first use.
        if name in ("envs", "llm", "openspiel", "policy", "vector"):
            return _import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
