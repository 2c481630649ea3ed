"""Plays both games without an SDK, and misbehaves as a test asks for.

usage: plain.py FOLDER [WORD]

FOLDER is outside of the bot's own files, so that its content does not change the bot's hash:
  inflight  the number of open requests that the bot says it can take; without the file it does not say
  delay     the milliseconds by which it delays every other answer
  trouble   the kind of misbehaviour:
    crash   in each 16th game, by the game's seed, the process ends
    twice   in the same games it sends its answer twice
    tired N the process ends in its Nth game
    slow    in the game of the bot's seed in the file `seed` it takes a minute to answer, once
"""

import json
import os
import sys
import time

# One in this many games goes wrong.
GAMES = 16


def setting(name):
    try:
        with open(os.path.join(sys.argv[1], name)) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def yahtzee(turn):
    face = max(turn["dice"], key=lambda die: (turn["dice"].count(die), die))
    if turn["stage"] < 2 and turn["dice"].count(face) < 5:
        return {"keep": [at for at, die in enumerate(turn["dice"]) if die == face]}
    return {"category": max(turn["legal"], key=lambda name: (turn["legal"][name], name))}


def liars_dice(turn):
    if not turn["bids"]:
        return {"bid": f"1 {turn['dice'][0]}"}
    count, face = map(int, turn["bids"][-1].split())
    hidden = sum(turn["counts"]) - len(turn["dice"])
    if count > turn["dice"].count(face) + hidden // 4:
        return {"bid": "Liar!"}
    return {"bid": f"{count + 1} {face}"}


def slow_once(seed):
    done = os.path.join(sys.argv[1], "was-slow")
    if seed == setting("seed") and not os.path.exists(done):
        open(done, "w").close()
        time.sleep(60)


def main():
    trouble = setting("trouble")
    delay = int(setting("delay") or 0) / 1000
    games = {}
    begun = 0
    turns = 0
    if setting("inflight"):
        print(json.dumps({"type": "ready", "inflight": int(setting("inflight"))}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            games[message["game"]] = message
            begun += 1
            print(f"I play for {message['seed']}", file=sys.stderr)
        elif message["type"] == "end":
            del games[message["game"]]
        elif message["type"] == "turn":
            game = games[message["game"]]
            guilty = "Guilty" in message.get("names", ()) and int(game["seed"], 16) % GAMES == 0
            if trouble == "crash" and guilty:
                os._exit(7)
            if trouble.startswith("tired ") and begun == int(trouble.split()[1]):
                os._exit(7)
            turns += 1
            # The first answer has a longer time limit.
            if trouble == "slow" and turns > 1:
                slow_once(game["seed"])
            time.sleep(delay * (turns % 2))
            answer = yahtzee(message) if "legal" in message else liars_dice(message)
            line = json.dumps({"id": message["id"], **answer}) + "\n"
            # A single write, so that both arrive together.
            sys.stdout.write(line * 2 if trouble == "twice" and guilty else line)
            sys.stdout.flush()


main()
