"""The example in examples/ppo: its training, its bot, and the figures of a whole training.

`python crates/python/tests/ppo.py` trains with the defaults and prints its figures as JSON, as `notebooks.py` does.
"""

import contextlib
import importlib.util
import json
import os
import sys
import tempfile
import time
from pathlib import Path

# As in train.py, before the first import of numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import dicehill
import dicehill.policy

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "ppo"
#: What the luck-adjusted score must be.
LEAST_SCORE = 230
#: CPU seconds that the training may take.
MOST_SECONDS = 1500


def load(path):
    """A program of the example as a module."""
    spec = importlib.util.spec_from_file_location(f"ppo_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


train, bot = load(FOLDER / "train.py"), load(FOLDER / "bot" / "bot.py")


def player(weights):
    """The bot with these weights, for `dicehill.tournament`."""
    layers = bot.read_layers(weights)
    return lambda turn: answer_of(bot.act(layers, turn.message))


def answer_of(fields):
    return fields.get("category", fields.get("keep"))


def adjusted_score(weights, games):
    """The mean luck-adjusted score of the bot with these weights, and its 95 % interval."""
    result = dicehill.tournament("yahtzee", {"PPO": player(weights), "random": "random"}, games=games, seed="judge")
    start, loss = dicehill.Solution().start, dicehill.analyze(result, bot="PPO").bots[0]["loss"]
    return start - loss["mean"], start - loss["ci95"][1], start - loss["ci95"][0]


def main():
    before = time.process_time()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        path = Path(folder, "weights.bin")
        args = train.arguments(["--out", str(path)])
        policy, _ = train.train(args)
        train.save(policy, path)
        seconds = time.process_time() - before
        mean, low, high = adjusted_score(path, 500)
    name = f"PPO (examples/ppo), {args.games} games of solitaire Yahtzee"
    score = {"value": f"{mean:.2f}", "interval": f"{low:.2f} to {high:.2f}", "aim": f"at least {LEAST_SCORE}", "met": low >= LEAST_SCORE}
    time_taken = {"value": f"{seconds:.0f}", "interval": "one run", "aim": f"at most {MOST_SECONDS}", "met": seconds <= MOST_SECONDS}
    figures = [{"name": f"{name}: luck-adjusted score", **score}, {"name": f"{name}: CPU seconds", **time_taken}]
    print(json.dumps(figures, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
