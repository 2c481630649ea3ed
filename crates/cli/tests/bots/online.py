"""A Yahtzee bot that tries what its terms may allow, and logs what came of it.

`online.py PORT FOLDER HOW`: a port on this machine where a server listens, a folder with a file that is not the bot's, and how to play:
`best`, `random`, or `tell`, which gives its secret away.
"""

import json
import os
import random
import resource
import socket
import sys

# An argument that named the file itself would have it copied for the bot.
PORT, FOREIGN, HOW = int(sys.argv[1]), os.path.join(sys.argv[2], "foreign"), sys.argv[3]
KEY = os.environ.get("ONLINE_TEST_KEY", "none")


def attempt(what, action):
    try:
        result = action()
    except OSError as error:
        result = f"refused: {type(error).__name__}"
    print(f"{what}: {result}", file=sys.stderr, flush=True)


def connect():
    with socket.create_connection(("127.0.0.1", PORT), 60) as connection:
        connection.sendall(f"{KEY}\n".encode())
        return connection.makefile().readline().strip()


def listen():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
    return "it listens"


def unix_socket():
    with socket.socket(socket.AF_UNIX):
        return "there are unix sockets"


def rare_protocols():
    opened, refusal = [], None
    # MPTCP, UDP-Lite, SCTP and SMC.
    for kind, protocol in [(1, 262), (2, 136), (1, 132), (1, 256)]:
        try:
            socket.socket(socket.AF_INET, kind, protocol).close()
            opened.append(protocol)
        except OSError as error:
            refusal = error
    if not opened:
        raise refusal
    return f"there are {opened}"


def core_dumps():
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    return "it sets their limit"


def foreign():
    with open(FOREIGN) as file:
        return file.read()


attempt("connect", connect)
attempt("listen", listen)
attempt("unix socket", unix_socket)
attempt("rare protocols", rare_protocols)
attempt("core dumps", core_dumps)
attempt("foreign file", foreign)
print(json.dumps({"type": "ready", "inflight": 8}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(f"limits: {json.dumps(message['limits'], sort_keys=True)}", file=sys.stderr, flush=True)
    if message["type"] != "turn":
        continue
    legal = message["legal"]
    answer = {"category": max(sorted(legal), key=legal.get)}
    if HOW == "random":
        answer = {"category": random.SystemRandom().choice(sorted(legal))}
    if HOW == "tell":
        print(f"the key {KEY} is refused", file=sys.stderr, flush=True)
        answer = {"error": f"the key {KEY} is refused"}
    print(json.dumps({"id": message["id"], **answer}), flush=True)
