"""Plays both games without an SDK.

Named Guilty, it breaks the rules in some games of a run, chosen by the game's seed, but not during qualification;
named Fickle, it randomizes some of its answers in a run.
"""

import json
import random
import sys


def yahtzee(turn, guilty, fickle):
    if guilty:
        return {"keep": [7]}
    best = sorted(turn["legal"], key=lambda name: (turn["legal"][name], name))
    return {"category": best[0] if fickle else best[-1]}


def liars_dice(turn, guilty, fickle):
    if not turn["bids"]:
        return {"bid": f"1 {turn['dice'][0]}"}
    if guilty:
        return {"bid": "1 1"}
    count, face = map(int, turn["bids"][-1].split())
    hidden = sum(turn["counts"]) - len(turn["dice"])
    if fickle or count > turn["dice"].count(face) + hidden // 4:
        return {"bid": "Liar!"}
    return {"bid": f"{count + 1} {face}"}


def main():
    games = {}
    name = ""
    print(json.dumps({"type": "ready", "inflight": 8}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            name = message["name"]
        elif message["type"] == "start":
            games[message["game"]] = [int(message["seed"], 16), 0]
        elif message["type"] == "end":
            del games[message["game"]]
        elif message["type"] == "turn":
            game = games[message["game"]]
            game[1] += 1
            # Each rare position is asked only once.
            guilty = name == "Guilty" and game[0] % 16 == 3 and game[1] > 1
            # Only a run of Liar's Dice shows names.
            fickle = "Fickle" in message.get("names", ()) and random.random() < 0.3
            play = yahtzee if "legal" in message else liars_dice
            answer = play(message, guilty, fickle)
            print(json.dumps({"id": message["id"], **answer}), flush=True)


main()
