"""A Yahtzee bot that fills the first free category each turn, except for one wrong answer.

Its first argument names the wrong answer. Further arguments only identify its processes.
"""

import json
import sys
import time

# The turn of the wrong answer, and the last turn, as it never rerolls.
MIDDLE = 5
LAST = 13


def answers(how, turn):
    """The line that replaces the answer in the middle of the game."""
    number = turn["id"]
    legal = json.dumps({"id": number, "category": next(iter(turn["legal"]))}).encode()
    used = next(iter(turn["card"]))
    return {
        "garbage": b"\x00\x01\x02 what? \x1b[2J",
        "words": b"I keep the sixes",
        "bad-utf-8": b'{"id":%d,"category":"\xff\xfe"}' % number,
        "half-a-surrogate": b'{"id":%d,"category":"\\ud800"}' % number,
        "deep": b"[" * 60_000,
        "deep-in-an-answer": b'{"id":%d,"more":%s%s}' % (number, b"[" * 30_000, b"]" * 30_000),
        "huge-exponent": b'{"id":%d,"keep":[1e999]}' % number,
        "huge-integer": b'{"id":%d,"keep":[%s]}' % (number, b"9" * 60_000),
        "huge-id": b'{"id":%s,"category":"ACES"}' % (b"9" * 40),
        "negative-id": b'{"id":-1,"category":"ACES"}',
        "foreign-id": b'{"id":%d,"category":"ACES"}' % (number + 1_000_000),
        "old-id": b'{"id":%d,"category":"ACES"}' % (number - 1),
        "twice": legal + b"\n" + legal,
        "twice-at-the-end": legal + b"\n" + legal,
        "nothing": b'{"id":%d}' % number,
        "array": b"[%d]" % number,
        "second-ready": b'{"type":"ready","inflight":64}',
        "used-category": b'{"id":%d,"category":"%s"}' % (number, used.encode()),
        "sixth-die": b'{"id":%d,"keep":[5]}' % number,
        "die-twice": b'{"id":%d,"keep":[1,1]}' % number,
        "error": b'{"id":%d,"error":" ValueError: lost at bot.py:3 "}' % number,
        "empty-error": b'{"id":%d,"error":""}' % number,
        "error-and-action": legal[:-1] + b',"error":"lost"}',
        "unknown-category": b'{"id":%d,"category":"SEVENS"}' % number,
        "blank-lines": b"\n\r\n   \n\t\r\n" + legal,
        "unknown-fields": legal[:-1] + b',"why":{"deep":[[[]]]},"score":1e99}',
    }.get(how, legal)


def main():
    turns = 0
    if sys.argv[1] == "leaves":
        raise SystemExit("no game for me")
    for line in sys.stdin:
        turn = json.loads(line)
        if turn["type"] != "turn":
            continue
        turns += 1
        if sys.argv[1] == "spins":
            until = time.monotonic() + 2
            while time.monotonic() < until:
                pass
            raise SystemExit(f"{time.process_time():.3f}")
        if sys.argv[1] == "dawdles":
            # Each answer is in time, all of a game together are not.
            time.sleep(0.1)
        if sys.argv[1] == "buffers":
            # Stdout is a pipe, so Python holds this back until its buffer is full.
            print(json.dumps({"id": turn["id"], "category": next(iter(turn["legal"]))}))
            continue
        answer = {"id": turn["id"], "category": next(iter(turn["legal"]))}
        answer = json.dumps(answer).encode()
        if turns == (LAST if sys.argv[1].endswith("at-the-end") else MIDDLE):
            answer = answers(sys.argv[1], turn)
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()


main()
