"""A weekend of a hill in minutes: authors who upload and connect bots of all kinds while its server is restarted and killed, its disk
gets full and its program is upgraded. Afterwards nothing may be lost, no honest bot barred, and every entry answered.

    weekend.py PROGRAM [--authors 60] [--uploads 300] [--restarts 3] [--seconds 240] [--seed 1]

Prints one JSON document. Everything but the speed of the machine follows from the seed.
"""

import argparse
import errno
import http.client
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Uploads are accepted and answered in the time that a busy machine needs.
PATIENCE = 3600
HONEST = """\
import json, sys
print(json.dumps({"type": "ready", "inflight": 16}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "turn":
        PAUSE
        best = RULE(turn["legal"], key=lambda box: (turn["legal"][box], box))
        print(json.dumps({"id": turn["id"], "category": best}), flush=True)
"""
BROKEN = [
    "raise SystemExit('a bug')\n",
    "import sys\nfor line in sys.stdin:\n    print('hello', flush=True)\n",
    HONEST.replace("PAUSE", "").replace("RULE(turn[\"legal\"], key=lambda box: (turn[\"legal\"][box], box))", "'NO_SUCH_BOX'"),
    "def broken(:\n",
]
# A file that only a bot outside the sandbox can write.
ESCAPED = Path(f"/tmp/weekend-escaped-{os.getpid()}")
# Signals go out only where the bot does not see the processes of the machine: a sandbox that fails must be found, and end nothing.
KILLER = """\
import os, pathlib, signal
if os.getpid() > 300:
    pathlib.Path('ESCAPED').write_text('x')
    raise SystemExit(1)
for pid in range(2, 40000):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
"""
HOSTILE = [
    "import os\nwhile True:\n    os.fork()\n",
    "import sys\nwhile True:\n    sys.stdout.write('x' * 65536)\n",
    "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 24))\n",
    KILLER,
    "import pathlib\npathlib.Path('ESCAPED').write_text('x')\nraise SystemExit(1)\n",
]
KINDS = ["honest"] * 36 + ["broken"] * 8 + ["hostile"] * 6 + ["slow"] * 6 + ["remote"] * 4


def source(kind, rng):
    if kind == "broken":
        return rng.choice(BROKEN)
    if kind == "hostile":
        return rng.choice(HOSTILE).replace("ESCAPED", str(ESCAPED))
    pause = "import time; time.sleep(0.004)" if kind == "slow" else "pass"
    text = HONEST.replace("PAUSE", pause).replace("RULE", rng.choice(["max", "min"]))
    # Each upload is another version.
    return f"# {rng.random()}\n{text}"


class Network(threading.Thread):
    """A network that delays what goes through, and cuts each connection after a few seconds."""

    def __init__(self, server, rng):
        super().__init__(daemon=True)
        self.server, self.rng, self.cuts = server, rng, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def run(self):
        while True:
            client, _ = self.listener.accept()
            try:
                upstream = socket.create_connection(("127.0.0.1", self.server.port), 5)
            except OSError:
                client.close()
                continue
            for start, end in ((client, upstream), (upstream, client)):
                threading.Thread(target=self.pump, args=(start, end), daemon=True).start()
            life = threading.Timer(2 + 6 * self.rng.random(), self.cut, (client, upstream))
            life.daemon = True
            life.start()

    def pump(self, start, end):
        try:
            while data := start.recv(65536):
                time.sleep(0.001 + 0.004 * self.rng.random())
                end.sendall(data)
        except OSError:
            pass
        for one in (start, end):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self, *both):
        self.cuts += 1
        for one in both:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Server:
    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.peak_kib, self.cpu = 0, 0.0

    def start(self):
        log = open(self.folder.parent / "server.log", "ab")
        words = ["serve", "hill.db", "--accept", "--listen", f"127.0.0.1:{self.port}", "--min-free-disk", "16"]
        self.process = subprocess.Popen([self.program, *words], cwd=self.folder, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if self.get("/healthz")[0] == 200:
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server does not start: see server.log")

    def stop(self, how):
        self.measure()
        self.process.send_signal(how)
        self.process.wait(60)

    def measure(self):
        """Adds up what the server has used, without the commands that it started."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            stat = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return
        peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        self.peak_kib = max(self.peak_kib, int(peak.split()[1]))
        self.cpu += (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def get(self, path):
        return self.request("GET", path, None, {})

    def request(self, method, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.read()

    def upload(self, token, name, text):
        edge = "weekend-edge"
        body = (
            f'--{edge}\r\nContent-Disposition: form-data; name="name"\r\n\r\n{name}\r\n'
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="main.py"\r\n\r\n{text}\r\n--{edge}--\r\n'
        )
        headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={edge}"}
        return self.request("POST", "/api/v1/hills/hill/entries", body.encode(), headers)


class Author(threading.Thread):
    def __init__(self, weekend, number, kind, token, times):
        super().__init__(daemon=True)
        self.weekend, self.kind, self.token, self.times = weekend, kind, token, sorted(times)
        self.name_of_bot = f"{kind}-{number}"
        self.rng = random.Random(f"{weekend.seed} {number}")
        self.accepted, self.refused, self.full, self.connected = [], [], 0, 0

    def run(self):
        for at in self.times:
            time.sleep(max(0, self.weekend.begun + at - time.monotonic()))
            self.upload(source(self.kind, self.rng))

    def upload(self, text):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                status, body = self.weekend.server.upload(self.token, self.name_of_bot, text)
            except (OSError, http.client.HTTPException):
                time.sleep(0.5)
                continue
            if status == 201:
                self.accepted.append(json.loads(body)["id"])
                return
            if status in (500, 503, 507):
                self.full += status == 507
                time.sleep(0.5)
                continue
            self.refused.append((status, body.decode()))
            return
        raise SystemExit(f"{self.name_of_bot}: an upload is not answered")


class RemoteAuthor(Author):
    """Connects its program over a bad network, as a new version each time."""

    def run(self):
        self.network = Network(self.weekend.server, self.rng)
        self.network.start()
        program = self.weekend.folder.parent / f"{self.name_of_bot}.py"
        process = None
        for number, at in enumerate(self.times):
            time.sleep(max(0, self.weekend.begun + at - time.monotonic()))
            if process:
                process.send_signal(signal.SIGINT)
                process.wait(30)
            program.write_text(source("remote", self.rng))
            url = f"http://127.0.0.1:{self.network.port}/hills/hill"
            words = ["connect", url, "--name", self.name_of_bot, *(["--new-version"] if number else [])]
            environment = {**os.environ, "DICEHILL_TOKEN": self.token}
            log = open(self.weekend.folder.parent / f"{self.name_of_bot}.log", "ab")
            words = [self.weekend.programs[0], *words, "--", sys.executable, program]
            process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.connected += 1
        self.process = process


class Weekend:
    def __init__(self, arguments):
        self.arguments, self.seed = arguments, arguments.seed
        self.rng = random.Random(arguments.seed)
        self.top = Path(tempfile.mkdtemp(prefix="weekend-"))
        self.folder = self.top / "hill"
        self.folder.mkdir()
        program = str(Path(arguments.program).resolve())
        self.programs = [program, self.upgraded(program)]
        self.server = Server(program, self.folder)
        self.mounted = self.mount()
        self.notes = []

    def upgraded(self, program):
        """The same program as of a later version, which resumes no run of this one."""
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        later = version[:-1] + str((int(version[-1]) + 1) % 10)
        text = Path(program).read_bytes()
        assert version.encode() in text, "the program names its version"
        path = self.top / "upgraded"
        path.write_bytes(text.replace(version.encode(), later.encode()))
        path.chmod(0o755)
        return str(path)

    def mount(self):
        """A small disk of its own for the hill, which only root can make."""
        if os.geteuid() != 0:
            return False
        size = f"size={self.arguments.disk}m,mode=700"
        return subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", self.folder]).returncode == 0

    def command(self, *words):
        done = subprocess.run([self.programs[0], *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{words}: {done.stderr}")
        return done.stdout

    def prepare(self):
        hill = 'game = "yahtzee"\ngames = 20\n[limits]\nstart_ms = 60000\nmove_ms = 10000\n'
        (self.top / "hill.toml").write_text(hill)
        self.command("hill", "init", "hill.db", str(self.top / "hill.toml"))
        self.command("hill", "add", "hill.db", "dummy", "greedy")
        self.command("hill", "set", "hill.db", "remote=yes", "reports=public")
        count = self.arguments.authors
        kinds = [KINDS[index * (len(KINDS) - 1) // max(count - 1, 1)] for index in range(count)]
        times = [[] for _ in kinds]
        for index in range(self.arguments.uploads):
            times[index % count].append(self.arguments.seconds * self.rng.random())
        self.authors = []
        for number, (kind, of) in enumerate(zip(kinds, times)):
            token = self.command("token", "new", "hill.db", "--name", f"author-{number}").strip()
            maker = RemoteAuthor if kind == "remote" else Author
            self.authors.append(maker(self, number, kind, token, of))

    def play(self):
        self.server.start()
        self.begun = time.monotonic()
        for author in self.authors:
            author.start()
        events = [(index + 1, "restart") for index in range(self.arguments.restarts)]
        slots = len(events) + 3
        events = [(at / slots, what) for at, what in events]
        events += [((slots - 2) / slots, "disk"), ((slots - 1) / slots, "upgrade")]
        for at, what in sorted(events):
            time.sleep(max(0, self.begun + at * self.arguments.seconds - time.monotonic()))
            getattr(self, what)()
        for author in self.authors:
            author.join(PATIENCE)
            assert not author.is_alive(), f"{author.name_of_bot} waits for an answer"

    def restart(self):
        how = signal.SIGKILL if self.rng.random() < 0.5 else signal.SIGTERM
        self.notes.append(f"restart by {how.name}")
        self.server.stop(how)
        self.server.start()

    def upgrade(self):
        self.notes.append("upgrade")
        self.server.stop(signal.SIGTERM)
        self.server.program = self.programs[1]
        self.server.start()

    def disk(self):
        if not self.mounted:
            return
        self.notes.append("full disk")
        ballast = self.folder / "ballast"
        with open(ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * (1 << 16))
            except OSError as error:
                assert error.errno == errno.ENOSPC, error
        time.sleep(max(5, self.arguments.seconds / 12))
        ballast.unlink()

    def rows(self, sql):
        with sqlite3.connect(f"file:{self.folder / 'hill.db'}?mode=ro", uri=True, timeout=60) as database:
            return database.execute(sql).fetchall()

    def wait(self):
        """Waits until no entry is open and no run is played."""
        deadline = time.monotonic() + PATIENCE
        open_entries = "SELECT count(*) FROM entry WHERE state IN ('waiting', 'checking', 'ready', 'playing')"
        open_runs = "SELECT count(*) FROM run WHERE ended IS NULL AND queued = 1"
        while time.monotonic() < deadline:
            if self.rows(open_entries) == [(0,)] and self.rows(open_runs) == [(0,)]:
                return
            time.sleep(1)
        raise SystemExit(f"still open: {self.rows('SELECT id, bot, state FROM entry')}")

    def result(self):
        entries = {row[0]: row[1:] for row in self.rows("SELECT id, bot, state, report FROM entry")}
        kind_of = {author.name_of_bot: author.kind for author in self.authors}
        lost = [id for author in self.authors for id in author.accepted if id not in entries]
        fair = ("honest", "slow", "remote")
        wrong = []
        for id, (bot, state, report) in entries.items():
            absent = kind_of[bot] == "remote" and ("absent" in report or "not connected" in report)
            if kind_of[bot] in fair and state in ("refused", "failed") and not absent:
                wrong.append([id, bot, state, report.splitlines()[-3:]])
            if kind_of[bot] in ("broken", "hostile") and state == "done":
                wrong.append([id, bot, state, report.splitlines()[-3:]])
        barred = []
        for run, text in self.rows("SELECT id, result FROM run WHERE result IS NOT NULL"):
            for row in json.loads(text)["standings"]:
                if row["barred"] and row["barred"]["reason"] != "absent" and kind_of.get(row["bot"], "house") in (*fair, "house"):
                    barred.append([run, row["bot"], row["barred"]])
        states = {}
        for _, state, _ in entries.values():
            states[state] = states.get(state, 0) + 1
        integrity = self.rows("PRAGMA integrity_check")
        log = subprocess.run([self.programs[1], "hill", "log", "hill.db"], cwd=self.folder, capture_output=True, text=True)
        remote = [author for author in self.authors if author.kind == "remote"]
        return {
            "seed": self.seed,
            "authors": len(self.authors),
            "uploads": sum(len(author.accepted) + len(author.refused) for author in self.authors),
            "connected": sum(author.connected for author in self.authors),
            "refused": [list(one) for author in self.authors for one in author.refused],
            "refused_for_disk": sum(author.full for author in self.authors),
            "events": self.notes,
            "entries": len(entries),
            "states": states,
            "lost": lost,
            "wrong": wrong,
            "barred": barred,
            "runs": self.rows("SELECT count(*), count(ended) FROM run")[0],
            "integrity": [row[0] for row in integrity],
            "altered": log.stdout.count("altered"),
            "escaped": ESCAPED.exists(),
            "cuts": sum(author.network.cuts for author in remote if hasattr(author, "network")),
            "peak_mib": round(self.server.peak_kib / 1024, 1),
            "server_cpu_s": round(self.server.cpu, 1),
            "seconds": round(time.monotonic() - self.begun, 1),
        }

    def close(self):
        for author in self.authors:
            process = getattr(author, "process", None)
            if process:
                process.send_signal(signal.SIGINT)
        if self.server.process and self.server.process.poll() is None:
            self.server.stop(signal.SIGTERM)

    def remove(self):
        ESCAPED.unlink(missing_ok=True)
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder])
        if not self.arguments.keep:
            shutil.rmtree(self.top, ignore_errors=True)


def main():
    # A shell that started this in the background has programs ignore it, by which they are ended here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--authors", type=int, default=60)
    parser.add_argument("--uploads", type=int, default=300)
    parser.add_argument("--restarts", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--disk", type=int, default=256, help="MiB of the disk of the hill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    weekend = Weekend(parser.parse_args())
    try:
        weekend.prepare()
        weekend.play()
        weekend.wait()
        weekend.close()
        result = weekend.result()
        print(json.dumps(result))
        return 0 if not (result["lost"] or result["wrong"] or result["barred"]) else 1
    finally:
        weekend.close()
        weekend.remove()


if __name__ == "__main__":
    sys.exit(main())
