"""Plays both games without a kit, and offends as a test wishes it to.

usage: plain.py FOLDER [WORD]

FOLDER is outside the bot's own files, so that what it holds does not change what the bot is:
  inflight  says how many requests the bot is ready for; without the file it says nothing
  delay     is how many milliseconds it takes to think, in turn with not thinking at all
  trouble   is what goes wrong:
    crash   in each 16th game, by the game's seed, the process ends
    twice   there it says its answer a second time
    tired   the process ends in its third game
    slow    the first time that seven sit at a table it takes a minute to answer
"""

import json
import os
import sys
import time

# One of so many games is one in which something goes wrong.
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


def slow_once(players):
    done = os.path.join(sys.argv[1], "was-slow")
    if players == 7 and not os.path.exists(done):
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
            # The names tell a run from the qualification before it.
            guilty = "Guilty" in message.get("names", ()) and int(game["seed"], 16) % GAMES == 0
            if trouble == "crash" and guilty:
                os._exit(7)
            if trouble == "tired" and begun == 3:
                os._exit(7)
            turns += 1
            # The first answer has more time than the others.
            if trouble == "slow" and turns > 1:
                slow_once(game["players"])
            time.sleep(delay * (turns % 2))
            answer = yahtzee(message) if "legal" in message else liars_dice(message)
            line = json.dumps({"id": message["id"], **answer}) + "\n"
            # A single write, so that both are there at once.
            sys.stdout.write(line * 2 if trouble == "twice" and guilty else line)
            sys.stdout.flush()


main()
