"""Bots as the arena runs them: child processes that are written to and read from."""

import json
import os
import subprocess
import sys
from pathlib import Path

SDK = Path(__file__).resolve().parents[1]
TRANSCRIPTS = SDK.parents[1] / "protocol" / "transcripts"
GAMES = ("yahtzee", "liars-dice")


def environment():
    """In which `import dicehill` finds the SDK under test, and output is buffered as usual."""
    rest = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**rest, "PYTHONPATH": str(SDK), "PYTHONDONTWRITEBYTECODE": "1"}


def talk(command, text):
    """Gives the process all of the text in one write, then ends its input; returns what it did."""
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(command, input=data, capture_output=True, timeout=300, env=environment())


def python(source):
    """The command that runs a bot whose source is given."""
    return [sys.executable, "-c", source]


def lines(*messages):
    return "".join(json.dumps(message) + "\n" for message in messages)


def answers(done):
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def hello(game):
    limits = {"start_ms": 10000, "move_ms": 1000, "memory_mb": 512}
    return {
        "type": "hello",
        "protocol": 1,
        "game": game,
        "rules": "official",
        "memory": "game",
        "name": "Mine",
        "limits": limits,
    }


def start(game):
    return {"type": "start", "game": game, "players": 3, "seed": "9f3c00a1b2c3d4e5"}


def yahtzee(id=901, game=7, **changes):
    turn = {
        "type": "turn",
        "id": id,
        "game": game,
        "round": 11,
        "stage": 1,
        "dice": [1, 1, 4, 6, 6],
        "card": {"TWOS": 6, "THREES": 9, "FOURS": 12, "FIVES": 15, "YAHTZEE": 0},
        "legal": {"ACES": 2, "SIXES": 12, "CHANCE": 18},
        "upper": 42,
        "upper_bonus": 0,
        "yahtzee_bonus": 0,
        "score": 119,
        "scores": [88, 119, 131],
    }
    return {**turn, **changes}


def liars_dice(id=12, game=3, **changes):
    turn = {
        "type": "turn",
        "id": id,
        "game": game,
        "you": 1,
        "counts": [6, 4, 5],
        "dice": [1, 2, 2, 3],
        "bids": ["3 6", "4 2"],
        "names": ["A", "B", "C"],
        "points": [120, 1345, 88],
    }
    return {**turn, **changes}
