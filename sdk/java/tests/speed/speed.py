"""Measures the bridge through a pipe: python3 sdk/java/tests/speed/speed.py [SECONDS].

Decisions a second with 64 requests in each write and with one, beside a bare loop that reads the same lines;
the time from the start of the JVM to its first answer; and how fast four JVMs answer in turn.
"""

import glob
import os
import statistics
import subprocess
import sys
import tempfile
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(TESTS)))
BRIDGE = os.path.join(ROOT, "crates", "link", "java")
TRANSCRIPTS = os.path.join(ROOT, "protocol", "transcripts")
FLAGS = ["-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-XX:MetaspaceSize=8m", "-Xmx256m"]
PLAYERS = {"yahtzee": "steady_yahtzee", "liars-dice": "steady_liars_dice"}


def compile_java(sources, out, class_path=None):
    """Compiles the Java files under the folders."""
    files = [f for s in sources for f in glob.glob(os.path.join(s, "**", "*.java"), recursive=True)]
    path = ["-cp", class_path] if class_path else []
    subprocess.run(["javac", "--release", "11", "-d", out, *path, *files], check=True)


def turns(game):
    """The requests of the golden games, as lines of bytes."""
    with open(os.path.join(TRANSCRIPTS, game + ".txt"), "rb") as lines:
        return [line[2:] for line in lines if line.startswith(b'> {"type":"turn"')]


def start(command):
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def read_lines(process, count):
    while count > 0:
        count -= os.read(process.stdout.fileno(), 1 << 16).count(b"\n")


def rate(command, requests, in_flight, seconds):
    """Answers a second once warm, with so many requests in each write."""
    many = requests * (in_flight // len(requests) + 2)
    blocks = [b"".join(many[at:at + in_flight]) for at in range(len(requests))]
    process = start(command)
    began, answers, index = None, 0, 0
    warm_until = time.perf_counter() + seconds / 2
    while began is None or time.perf_counter() < began + seconds:
        process.stdin.write(blocks[index % len(blocks)])
        read_lines(process, in_flight)
        index += 1
        if began is not None:
            answers += in_flight
        elif time.perf_counter() >= warm_until:
            began = time.perf_counter()
    took = time.perf_counter() - began
    process.stdin.close()
    process.wait()
    return answers / took


def first_answer(command, request):
    """Seconds from the start of the process to its first answer."""
    began = time.perf_counter()
    process = start(command)
    process.stdin.write(request)
    read_lines(process, 1)
    took = time.perf_counter() - began
    process.stdin.close()
    process.wait()
    return took


def lockstep(command, requests, rounds):
    """Seconds for four processes that answer so many requests one after the other."""
    processes = [start(command) for _ in range(4)]
    began = time.perf_counter()
    for index in range(rounds):
        process = processes[index % 4]
        process.stdin.write(requests[index // 4 % len(requests)])
        read_lines(process, 1)
    took = time.perf_counter() - began
    for process in processes:
        process.stdin.close()
        process.wait()
    return took


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    with tempfile.TemporaryDirectory() as out:
        compile_java([BRIDGE], out)
        compile_java([os.path.join(TESTS, "speed")], out, out)
        for game, folder in PLAYERS.items():
            classes = os.path.join(out, folder)
            compile_java([os.path.join(TESTS, "players", folder)], classes, out)
            java = ["java", *FLAGS, "-cp", out]
            bridge = [*java, "dicehill.bridge.Main", "--game", game, "--classes", classes]
            requests = turns(game)
            for in_flight in (64, 1):
                bare = rate([*java, "BareLoop"], requests, in_flight, seconds)
                ours = rate(bridge, requests, in_flight, seconds)
                print(f"{game}, {in_flight} in flight: bridge {ours:,.0f}/s, bare loop {bare:,.0f}/s, {ours / bare:.2f}")
            first = statistics.median(first_answer(bridge, requests[0]) for _ in range(15))
            print(f"{game}, first answer after {first * 1000:.0f} ms (median of 15)")
            took = lockstep(bridge, requests, 240_000)
            print(f"{game}, 240,000 round trips among four JVMs: {took:.1f} s")


main()
