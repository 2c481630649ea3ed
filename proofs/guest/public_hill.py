"""Tries examples/public-hill on the machine that public_hill.sh boots: what runs there, twice, as root.

Each check prints `ok NAME` or `WRONG NAME: what was seen`. Until the README's first command has installed Python, only the modules of
Debian's python3-minimal are available.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

SETTINGS = Path("/srv/public-hill")
HOME = Path("/var/lib/dicehill")
URL = "https://hill.example.org"
HILL = URL + "/hills/hill"
API = URL + "/api/v1/hills/hill"
AUTHORITY = "/etc/ssl/trial/authority.pem"
STATE = Path("/srv/state.json")
# Addresses of the proxy and of clients, which are the machine's own.
PROXY, CLIENTS = "192.0.2.1", [f"192.0.2.{number}" for number in range(11, 20)]


def check(name, holds, seen=""):
    text = " ".join(str(seen).split())
    print(f"ok {name}" if holds else f"WRONG {name}: {text[-1500:] or 'nothing'}", flush=True)
    return holds


def note(text):
    print(f"# {text}", flush=True)


class Result:
    """The exit code and the output of a command."""

    def __init__(self, code, out):
        self.code, self.out = code, out

    def __str__(self):
        return f"exit code {self.code}: {self.out}"


def sh(command, user=None, folder=SETTINGS, **variables):
    """Runs a command as a user, in a shell that ends at the first failure."""
    words = ["sh", "-ec", command]
    if user:
        words = ["runuser", "-u", user, "--", *words]
    done = subprocess.run(words, cwd=folder, env={**os.environ, **variables}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=1800)
    return Result(done.returncode, done.stdout)


def in_hill(command):
    """Runs a command in the folder of the hill, as the user of the server."""
    return sh(command, "dicehill", HOME)


def curl(address, *options, client=None):
    """The status and the body of a response."""
    words = ["curl", "--silent", "--show-error", "--max-time", "60", "--cacert", AUTHORITY, "--write-out", "\n%{http_code}"]
    words += ["--interface", client] if client else []
    done = subprocess.run([*words, *options, address], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    body, _, status = done.stdout.rpartition("\n")
    return Result(int(status) if status.isdigit() else -1, body or done.stdout)


def document(address, *options):
    import json
    answer = curl(address, *options)
    try:
        return json.loads(answer.out)
    except ValueError:
        raise AssertionError(f"{address}: {answer}") from None


def wait(what, condition, seconds=900):
    """Waits for a value that is true, and returns it."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > until:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.5)
    return found


class Readme:
    """The commands of a text, each of which a step takes: what none has taken is wrong."""

    COMMAND = re.compile(r"(apt|certbot|cp|curl|dicehill|install|journalctl|runuser|sudo|systemctl|systemd-run) \S")

    def __init__(self, name):
        self.name = name
        text = (SETTINGS / name).read_text()
        fence = re.compile(r"^( *)```\n(.*?)^ *```$", re.M | re.S)
        self.blocks = [re.sub(f"^{indent}", "", block, flags=re.M) for indent, block in fence.findall(text)]
        self.inline = [code for code in re.findall(r"`([^`]+)`", fence.sub("", text)) if self.COMMAND.match(code)]
        self.taken = set()

    def take(self, start):
        """The only command, a block or inline code, that is this one or begins like this."""
        every = {*self.blocks, *self.inline}
        found = {start} & every or {code for code in every if code.startswith(start)}
        assert len(found) == 1, f"{self.name} has {len(found)} commands that begin with `{start}`"
        self.taken |= found
        return found.pop()

    def left(self):
        return sorted({*self.blocks, *self.inline} - self.taken)


readme = Readme("README.md")


def readiness():
    return curl("http://127.0.0.1:8017/readyz")


def wait_ready():
    wait("`ready`", lambda: readiness().out.strip() == "ready", 120)


def entries():
    """All uploads by number."""
    return {entry["id"]: entry for entry in document(API + "/entries")["entries"]}


def state_of(bot):
    """The state of the last upload of a bot."""
    return max((number, entry["state"]) for number, entry in entries().items() if entry["bot"] == bot)[1]


def standings(run=None):
    board = document(API + (f"/runs/{run}" if run else ""))
    board = board if run else board["board"]
    return {row["bot"]: row for row in board["rows"]}


def runs():
    """The lines of `hill log`, one a run."""
    return [line for line in in_hill("dicehill hill log hill.db").out.splitlines() if re.match(r"run \d+ ", line)]


def new_bot(user, language, name):
    made = sh(f"dicehill new {language} yahtzee {name}", user, f"/home/{user}")
    assert made.code == 0, made


def submit(user, token, name, *options):
    command = f"dicehill submit ./{name} {HILL} --ca {AUTHORITY} {' '.join(options)}"
    return sh(command, user, f"/home/{user}", DICEHILL_TOKEN=token)


class Background:
    """A command that runs meanwhile, with its output in a file."""

    def __init__(self, name, command, user, **variables):
        self.path = Path(f"/home/{user}/{name}.out")
        with self.path.open("w") as out:
            self.process = subprocess.Popen(["runuser", "-u", user, "--", *command], cwd=f"/home/{user}", env={**os.environ, **variables},
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def text(self):
        return self.path.read_text(errors="replace")

    def result(self):
        return Result(self.process.wait(1800), self.text())


def connect(token):
    words = ["dicehill", "connect", HILL, "--name", "Remote", "--ca", AUTHORITY, "--", "python3", "Remote/bot.py"]
    return Background("remote", words, "ada", DICEHILL_TOKEN=token)


# The steps of the README.


def prepare():
    """What the trial needs besides the README."""
    for address in [PROXY, *CLIENTS]:
        sh(f"ip address replace {address}/32 dev lo")
    hosts = Path("/etc/hosts")
    if "hill.example.org" not in (hosts.read_text() if hosts.exists() else ""):
        with hosts.open("a") as out:
            out.write(f"127.0.0.1 localhost\n{PROXY} hill.example.org\n")
    Path("/etc/apt/apt.conf.d/90trial").write_text('APT::Get::Assume-Yes "true";\n')


def install():
    done = sh(readme.take("apt install ./dicehill_*.deb"))
    check("install: the package and the languages", done.code == 0, done)
    done = sh("id dicehill && dpkg --verify dicehill && python3 --version && node --version && java --version && javac --version")
    check("install: the user dicehill, the files, Python, Node.js and the JDK are there", done.code == 0, done)
    done = sh("systemctl is-enabled dicehill dicehill-backup.timer || :; systemctl is-active dicehill || :")
    check("install: the units are there and not enabled", done.out.split() == ["disabled", "disabled", "inactive"], done)
    done = sh("apt-get install --yes curl ca-certificates openssl sudo")
    assert done.code == 0, done


def doctor():
    done = sh(readme.take("systemd-run --wait --pipe -p User=dicehill"))
    check("doctor: every attack is contained and every promise guaranteed", done.code == 0, done)
    note(done.out.strip().splitlines()[-1])


def make_hill():
    done = sh(readme.take("install -d -o dicehill"))
    check("hill: the commands end well", done.code == 0, done)
    done = in_hill("dicehill hill list hill.db && dicehill hill set hill.db && stat -c %a:%U . hill.db")
    holds = all(word in done.out for word in ["Greedy", "AcesAndEights", "Dummy", "daily 20:00 Europe/Berlin", "700:dicehill"])
    check("hill: it has the bots and terms of hill.toml, and belongs to dicehill", holds, done)


def service():
    done = sh(readme.take("install -D -m 644 override.conf"))
    check("service: the block ends with `ready`", done.code == 0 and done.out.strip().endswith("ready"), done)
    wait_ready()
    done = sh("systemctl is-enabled dicehill && systemctl is-active dicehill")
    check("service: it is enabled and active", done.code == 0, done)
    done = sh(readme.take("journalctl -u dicehill"))
    check("journal: it has the server's address", "127.0.0.1:8017" in done.out, done)
    assert "-p warning" in (SETTINGS / "README.md").read_text()
    done = sh("journalctl -u dicehill -p warning --quiet")
    check("journal: a new server has no warnings", not done.out.strip(), done)
    done = sh("cd /sys/fs/cgroup/system.slice/dicehill.service && cat memory.max pids.max")
    check("limits: MemoryMax and TasksMax are in force", done.out.split() == [str(4 << 30), "2000"], done)
    done = curl("http://127.0.0.1:9017/metrics")
    check("metrics: they are on port 9017", done.code == 200 and "dicehill_entries" in done.out, done)
    done = sh("curl --silent --max-time 5 http://192.0.2.1:8017/ || curl --silent --max-time 5 http://192.0.2.1:9017/metrics")
    check("service: it listens on no other address", done.code == 7, done)


def certificate():
    """An authority, and a certificate of it where Let's Encrypt's would be."""
    live = "/etc/letsencrypt/live/hill.example.org"
    done = sh(f"""
        mkdir -p {live} {os.path.dirname(AUTHORITY)}
        cd {os.path.dirname(AUTHORITY)}
        openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=An authority of the trial' -keyout key.pem -out {AUTHORITY}
        openssl req -newkey rsa:2048 -nodes -subj '/CN=hill.example.org' -keyout {live}/privkey.pem -out request.pem
        printf 'subjectAltName=DNS:hill.example.org\\nbasicConstraints=critical,CA:FALSE\\n' > extensions
        openssl x509 -req -days 30 -in request.pem -CA {AUTHORITY} -CAkey key.pem -CAcreateserial -extfile extensions -out {live}/fullchain.pem
        chmod 644 {AUTHORITY}""")
    assert done.code == 0, done


def pages(proxy):
    """What the proxy hands on."""
    done = curl("http://hill.example.org/hills/hill?page=1", "--head")
    to = re.search(r"(?i)^location: (\S+)", done.out, re.M)
    holds = done.code in (301, 308) and to and to[1] == HILL + "?page=1"
    check(f"{proxy}: http is redirected to the same address with https", holds, done)
    done = curl(HILL)
    check(f"{proxy}: the board's page has the bots", done.code == 200 and "AcesAndEights" in done.out, done)
    check(f"{proxy}: the board as JSON has the bots", "AcesAndEights" in standings(), standings())
    done = curl(HILL + "/feed.atom")
    holds = done.code == 200 and "<feed" in done.out and HILL in done.out
    check(f"{proxy}: the Atom feed has addresses of {URL}", holds, done)
    done = curl(URL + "/readyz")
    check(f"{proxy}: `readyz` answers ready", (done.code, done.out.strip()) == (200, "ready"), done)
    done = curl(URL + "/metrics")
    check(f"{proxy}: it hands on no metrics", done.code == 404, done)
    done = sh(f"curl --silent --no-buffer --max-time 4 --cacert {AUTHORITY} {HILL}/live | head -c 5")
    check(f"{proxy}: a stream arrives while it is open", done.out == "data:", done)
    Path("/srv/large").write_bytes(b"#" * (15 << 20))
    done = curl(API + "/entries", "-F", "file=@/srv/large;filename=Large.py", "-H", "Authorization: Bearer dh_wrong")
    check(f"{proxy}: an upload of 15 MiB reaches the server", done.code in (401, 403) and '"error"' in done.out, done)


def nginx():
    done = sh("apt-get install --yes nginx")
    assert done.code == 0, done
    # Let's Encrypt cannot be reached.
    readme.taken.add(readme.take("certbot"))
    certificate()
    done = sh(readme.take("cp nginx.conf"))
    check("nginx: it takes the configuration", done.code == 0, done)
    # The processes that nginx had before answer for a moment.
    wait("nginx", lambda: curl("http://hill.example.org/").code != 404 and curl(URL + "/healthz").code == 200, 60)
    pages("nginx")


def caddy():
    """Caddy takes the place of nginx while a remote bot is connected."""
    sh("systemctl stop nginx")
    done = sh("apt-get install --yes caddy")
    assert done.code == 0, done
    # The certificate of the trial in place of one that Caddy gets from Let's Encrypt.
    live = Path("/etc/letsencrypt/live/hill.example.org")
    sh(f"install -d /etc/caddy/trial && install -m 644 {live}/* /etc/caddy/trial/")
    name = SETTINGS / "Caddyfile"
    original = name.read_text()
    assert original.count("hill.example.org {\n") == 1, original
    name.write_text(original.replace("hill.example.org {\n", "hill.example.org {\n\ttls /etc/caddy/trial/fullchain.pem /etc/caddy/trial/privkey.pem\n"))
    done = sh(readme.take("cp Caddyfile"))
    check("caddy: it takes the configuration", done.code == 0, done)
    wait("Caddy", lambda: curl(URL + "/healthz").code == 200, 60)
    pages("caddy")
    wrong_tokens("caddy", CLIENTS[2:4])
    wait("the remote bot", lambda: "dicehill_remote_bots{hill=\"hill\"} 1" in curl("http://127.0.0.1:9017/metrics").out, 90)
    check("caddy: a remote bot comes back over it", True)
    name.write_text(original)
    sh("systemctl disable --now caddy; systemctl start nginx")
    wait("nginx", lambda: curl(URL + "/healthz").code == 200, 60)


def backups():
    return sorted(path.name for path in (HOME / "backups").glob("hill-*.db"))


def backup():
    done = sh(readme.take("systemctl enable --now dicehill-backup.timer"))
    check("backup: the timer is enabled", done.code == 0, done)
    done = sh("systemctl show -p NextElapseUSecRealtime dicehill-backup.timer")
    check("backup: the timer runs next in the night", " 04:" in done.out, done)
    sh("mkdir -p backups && for n in $(seq 10 29); do : > backups/hill-2000-01-01T0000$n.db; done", "dicehill", HOME)
    done = sh(readme.take("systemctl start dicehill-backup"))
    check("backup: one is made at once", done.code == 0, f"{done} {sh('journalctl -u dicehill-backup --no-pager').out}")
    found = backups()
    holds = len(found) == 14 and not found[-1].startswith("hill-2000")
    check("backup: the last fourteen are kept, with the new one", holds, found)
    sh("rm -f backups/hill-2000-*", "dicehill", HOME)
    done = in_hill(f"dicehill hill show backups/{found[-1]} && dicehill verify backups/{found[-1]}")
    check("backup: it is an intact hill", done.code == 0 and "AcesAndEights" in done.out, done)


def token_in(result):
    found = re.search("^dh_[0-9a-f]{64}$", result.out, re.M)
    return found[0] if found else ""


def tokens(state):
    command = readme.take("dicehill token new hill.db --name Ada")
    for name in ["Ada", "Bob", "Cyd", "Eve"]:
        done = in_hill(command.replace("Ada", name))
        state[name] = token_in(done)
        check(f"tokens: {name} gets one", done.code == 0 and state[name], done)
    done = in_hill("dicehill token new hill.db --name Host --host")
    state["Host"] = token_in(done)
    done = curl(API + "/account", "-H", f"Authorization: Bearer {state['Host']}")
    check("tokens: --host makes the token of a host", done.code == 200, done)
    done = curl(HILL + "/account", "--data", f"token={state['Ada']}", "-H", f"Origin: {URL}", "--include")
    cookie = re.search(r"(?i)^set-cookie: (.*)$", done.out, re.M)
    check("tokens: the account page takes one, with a Secure cookie", done.code in (200, 303) and cookie and "Secure" in cookie[1], done)
    done = curl(HILL + "/account", "--data", f"token={state['Ada']}", "-H", "Origin: https://other.example.org", "--include")
    check("tokens: a form of another site is refused", done.code == 403, done)


def wrong_tokens(proxy, clients):
    def tried(client, *options):
        return curl(API + "/account", "-H", "Authorization: Bearer dh_" + "0" * 64, *options, client=client)

    answers = [tried(clients[0]).code for _ in range(12)]
    check(f"{proxy}: after ten wrong tokens an address is refused", answers[:10].count(429) == 0 and answers[-1] == 429, answers)
    # One wrong token is looked up again every twelve seconds, which a slow machine may need for the first ones.
    answers = [tried(clients[0], "-H", "X-Forwarded-For: 198.51.100.7").code for _ in range(4)]
    check(f"{proxy}: it is still refused when it names another address", 429 in answers, answers)
    done = tried(clients[1])
    check(f"{proxy}: another address is not", done.code in (401, 403), done)


# The life of the hill.


def uploads(state):
    sh("useradd --create-home bob")
    new_bot("ada", "java", "Javan")
    new_bot("bob", "javascript", "Jason")
    for user, name in [("ada", "Pythia"), ("ada", "Third"), ("ada", "Fourth"), ("ada", "Remote"), ("bob", "AdminBot"), ("bob", "Later")]:
        new_bot(user, "python", name)
    following = [
        (name, Background(name, ["dicehill", "submit", f"./{name}", HILL, "--ca", AUTHORITY], user, DICEHILL_TOKEN=state[author]))
        for user, author, name in [("ada", "Ada", "Pythia"), ("ada", "Ada", "Javan"), ("bob", "Bob", "Jason")]]
    begun = time.monotonic()
    for name, command in following:
        done = command.result()
        check(f"uploads: {name} qualifies, and its author reads the report", done.code == 0 and f"{name}: qualified" in done.out, done)
    note(f"three qualifications took {time.monotonic() - begun:.0f} s")
    check("uploads: they are ready for the run at 20:00", all(state_of(name) == "ready" for name, _ in following), entries())
    done = submit("ada", state["Ada"], "Third")
    check("uploads: a third bot of an author is accepted", done.code == 0, done)
    done = submit("ada", state["Ada"], "Fourth")
    check("uploads: a fourth is refused, as hill.toml says", done.code == 1 and "3" in done.out, done)
    done = submit("bob", state["Eve"], "AdminBot")
    check("approval: a name with `admin` is held", done.code == 0 and "held" in {entry["state"] for entry in entries().values()}, done)


def restore():
    before = {number: entry["state"] for number, entry in entries().items()}
    check("restore: uploads wait", {"ready", "held"} <= set(before.values()), before)
    done = sh("systemctl start dicehill-backup")
    assert done.code == 0, done
    in_hill("dicehill hill message hill.db 'After the backup.'")
    command = readme.take("dicehill hill restore").replace("hill-....db", backups()[-1])
    done = sh(readme.take("systemctl stop dicehill"))
    check("restore: the server stops", done.code == 0, done)
    done = in_hill(command)
    check("restore: the command ends well", done.code == 0, done)
    done = sh(readme.take("systemctl start dicehill"))
    check("restore: the server starts", done.code == 0, done)
    wait_ready()
    after = {number: entry["state"] for number, entry in entries().items()}
    check("restore: the same uploads wait", after == before, f"{before}, then {after}")
    done = in_hill("dicehill hill message hill.db")
    check("restore: what came after the backup is gone", "After the backup" not in done.out, done)


def approval():
    held = [number for number, entry in entries().items() if entry["state"] == "held"]
    assert len(held) == 1, held
    done = curl(HILL + "/entries")
    check("approval: visitors do not see the held name", "AdminBot" not in done.out, "AdminBot")
    moderation = Readme("moderation.md")
    done = sh(moderation.take("sudo -u dicehill sh -c").replace("\n", " "))
    check("approval: the command of moderation.md shows the queue", done.code == 0 and "AdminBot" in done.out, done)
    done = in_hill(f"dicehill hill approve hill.db {held[0]}")
    check("approval: the host approves it", done.code == 0, done)
    wait("its qualification", lambda: entries()[held[0]]["state"] == "ready")
    done = in_hill("dicehill hill actions hill.db")
    check("approval: the log of actions has it", "approve" in done.out, done)


def remote(state):
    done = in_hill("dicehill hill set hill.db remote=yes")
    assert done.code == 0, done
    state["connection"] = connection = connect(state["Cyd"])
    wait("the remote bot's qualification", lambda: "qualified" in connection.text() or connection.process.poll() is not None)
    check("remote: a bot qualifies over wss", "Remote: qualified" in connection.text(), connection.text())


def begin_run():
    """Has the server play its run in the minute after the next one: the commands may take a while."""
    count = len(runs())
    at = time.gmtime(time.time() + 120)
    done = in_hill(f"dicehill hill set hill.db 'schedule=daily {time.strftime('%H:%M', at)} UTC'")
    assert done.code == 0, done
    wait("a run", lambda: len(runs()) > count, 900)
    in_hill("dicehill hill set hill.db 'schedule=daily 20:00 Europe/Berlin'")
    return count + 1


def wait_for_end(run):
    wait(f"the end of run {run}", lambda: len(runs()) >= run and "not finished" not in runs()[run - 1], 3600)


def limit_in(path):
    """The limit in a file of a control group, which may be gone."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def run_and_restart(state):
    run = begin_run()
    wait("games of it", lambda: re.search(r" [1-9][\d,]* games?\b", runs()[run - 1]), 1800)
    unit, limits, until = Path("/sys/fs/cgroup/system.slice/dicehill.service"), [], time.monotonic() + 120
    # The memory of hill.toml, and what the kernel may use for a bot.
    wanted = str((512 + 16) << 20)
    while limits.count(wanted) < 3 and time.monotonic() < until:
        limits = [limit_in(path) for path in unit.rglob("memory.max")]
    check("run: bots have groups with the memory of hill.toml", limits.count(wanted) >= 3, limits)
    restart = readme.take("systemctl restart dicehill")
    begun = time.monotonic()
    done = sh(restart)
    check("restart: it ends well in the middle of a run", done.code == 0 and "not finished" in runs()[run - 1], f"{done} {runs()}")
    note(f"the restart took {time.monotonic() - begun:.1f} s")
    wait_ready()
    wait_for_end(run)
    check("restart: no other run was begun", len(runs()) == run, runs())
    rows = standings(run)
    names = {"Greedy", "AcesAndEights", "Dummy", "Pythia", "Javan", "Third", "Jason", "AdminBot", "Remote"}
    holds = set(rows) == names and all(row.get("barred") is None and row["games"] > 0 for row in rows.values())
    check("restart: the run has ended, and all bots have played in it", holds, {name: (row["games"], row.get("barred")) for name, row in rows.items()})
    waiting = {number: entry["state"] for number, entry in entries().items() if entry["state"] != "done"}
    check("restart: all uploads are done", not waiting, waiting)
    check("remote: the bot has come back after the restart", state["connection"].process.poll() is None, state["connection"].text())
    page = curl(HILL)
    check("board: the page and JSON have all bots", all(name in page.out for name in names), page)
    feed = curl(HILL + "/feed.atom").out
    check("feed: it has the run and a new entrant", f"/runs/{run}" in feed and "Javan" in feed, feed)
    done = in_hill(f"dicehill verify hill.db#{run}")
    check("verify: the run that was restarted", done.code == 0, done)
    done = sh("journalctl -u dicehill -p err --quiet")
    check("journal: it has no errors", not done.out.strip(), done)


def run_of_host():
    run = len(runs()) + 1
    done = in_hill("dicehill hill run hill.db --queued")
    check("run: the host begins one now", done.code == 0 and len(runs()) == run, done)
    check("run: it has the uploaded bots", {"Pythia", "Javan", "Jason", "AdminBot"} <= set(standings(run)), standings(run).keys())
    done = in_hill("dicehill verify hill.db")
    check("verify: the last run", done.code == 0, done)


def upgrade(state):
    """With an upload that waits."""
    sh("systemctl start dicehill-backup")
    done = submit("bob", state["Bob"], "Later")
    check("upgrade: an upload waits", done.code == 0 and state_of("Later") == "ready", done)
    sh("cp dicehill_*.deb /tmp/dicehill_NEW.deb && mv /tmp/dicehill_NEW.deb .")
    # The new package is the old one.
    done = sh(readme.take("apt install ./dicehill_NEW.deb").replace("install", "install --reinstall"))
    check("upgrade: the package is installed again", done.code == 0, done)
    done = sh("systemctl is-active dicehill && systemctl is-enabled dicehill dicehill-backup.timer && cat /etc/systemd/system/dicehill.service.d/override.conf")
    check("upgrade: the service goes on meanwhile, with its settings", done.code == 0 and "--trusted-proxy" in done.out, done)
    before = curl("http://127.0.0.1:8017/healthz")
    done = sh(readme.take("systemctl restart dicehill"))
    check("upgrade: the server restarts", before.code == 200 and done.code == 0, f"{before} {done}")
    wait_ready()
    check("upgrade: the upload still waits", state_of("Later") == "ready", entries())


def low_disk(state):
    least = int(re.search(r"--min-free-disk (\d+)", (SETTINGS / "override.conf").read_text())[1])
    free = os.statvfs("/var/lib/dicehill")
    free = free.f_bavail * free.f_frsize
    done = sh(f"fallocate -l {free - (least << 20) + (300 << 20)} /var/filled")
    assert done.code == 0, done
    time.sleep(3)
    done = readiness()
    check("disk: `readyz` says what is missing", done.code == 503 and "MiB left" in done.out and str(least) in done.out, done)
    new_bot("bob", "python", "Full")
    done = submit("bob", state["Bob"], "Full")
    check("disk: an upload is refused in words", done.code == 1 and re.search("disk|room|full", done.out), done)
    note(done.out.strip().splitlines()[-1])
    done = curl(HILL)
    check("disk: pages are still shown", done.code == 200, done)
    Path("/var/filled").unlink()
    time.sleep(3)
    done = readiness()
    check("disk: with room, `readyz` answers ready", (done.code, done.out.strip()) == (200, "ready"), done)
    done = submit("bob", state["Bob"], "Full")
    check("disk: with room, the upload is accepted", done.code == 0 and state_of("Full") == "ready", done)


def prune():
    sh("systemctl stop dicehill")
    command = readme.take("dicehill hill prune")
    done = in_hill(command)
    check("prune: the README's command", done.code == 0, done)
    size = (HOME / "hill.db").stat().st_size
    done = in_hill(re.sub(r"--keep-moves \d+", "--keep-moves 1", command))
    smaller = (HOME / "hill.db").stat().st_size
    check("prune: without moves of old runs the file is smaller", done.code == 0 and smaller < size, f"{done} {size} {smaller}")
    last = len(runs())
    done = in_hill(f"dicehill verify hill.db#{last} && dicehill verify hill.db#{last - 1}")
    check("prune: the runs are still valid", done.code == 0, done)
    sh("systemctl start dicehill")
    wait_ready()


def before_reboot(state):
    import json
    connection = state.pop("connection")
    check("remote: the connection has stayed until now", connection.process.poll() is None, connection.text())
    connection.process.terminate()
    kept = {"tokens": state, "entries": {number: entry["state"] for number, entry in entries().items()}, "runs": runs(), "backups": backups()}
    STATE.write_text(json.dumps(kept))


def after_reboot(state):
    import json
    kept = json.loads(STATE.read_text())
    state.update(kept["tokens"])
    wait_ready()
    done = sh("systemctl is-active dicehill dicehill-backup.timer nginx")
    check("reboot: service, timer and proxy have come back", done.code == 0, done)
    done = sh("cd /sys/fs/cgroup/system.slice/dicehill.service && cat memory.max pids.max")
    check("reboot: the limits are in force", done.out.split() == [str(4 << 30), "2000"], done)
    # The daily run may have begun.
    found = {str(number): entry["state"].replace("playing", "ready") for number, entry in entries().items()}
    check("reboot: the same uploads wait", found == kept["entries"], f"{kept['entries']}, then {found}")
    state["run"] = len(kept["runs"]) + 1
    holds = runs()[:len(kept["runs"])] == kept["runs"] and backups() == kept["backups"]
    check("reboot: the same runs and backups are there", holds, f"{runs()} {backups()}")
    done = submit("ada", state["Ada"], "Pythia")
    check("reboot: an unchanged bot is refused as one that is on the hill", done.code == 1 and "already on the hill" in done.out, done)


def daily_run(state):
    """public_hill.sh has set the clock to 19:58."""
    run = state["run"]
    wait("the daily run", lambda: len(runs()) >= run, 900)
    wait_for_end(run)
    begun = document(API + f"/runs/{run}")["begun"]
    # Its games begin when its bots have qualified.
    check("schedule: the run begins at 20:00 in Berlin", re.search("T1[89]:0", begun), begun)
    check("schedule: it begins by itself, and has the bots that waited", {"Later", "Full"} <= set(standings(run)), standings(run).keys())
    done = in_hill("dicehill verify hill.db")
    check("verify: the daily run", done.code == 0, done)
    done = sh("journalctl -u dicehill -p warning --quiet -b")
    check("journal: the last boot has no warnings", not done.out.strip(), done)


def step(function, *arguments):
    """Does a step; one that cannot be finished is wrong, and the next one is tried."""
    begun = time.monotonic()
    try:
        function(*arguments)
    except Exception as error:  # noqa: BLE001
        check(f"the step {function.__name__}", False, f"{type(error).__name__}: {error}")
    note(f"{function.__name__}: {time.monotonic() - begun:.0f} s")


def first_boot():
    state = {}
    for function in [prepare, install, doctor, make_hill, service, nginx, backup]:
        step(function)
    step(tokens, state)
    step(wrong_tokens, "nginx", CLIENTS[:2])
    step(uploads, state)
    step(restore)
    step(approval)
    step(remote, state)
    step(run_and_restart, state)
    step(caddy)
    step(run_of_host)
    step(upgrade, state)
    step(low_disk, state)
    step(prune)
    check("every command of the README was run", not readme.left(), readme.left())
    step(before_reboot, state)
    print("REBOOT", flush=True)


def second_boot():
    step(prepare)
    state = {}
    step(after_reboot, state)
    step(daily_run, state)
    print("END", flush=True)


if __name__ == "__main__":
    second_boot() if STATE.exists() else first_boot()
    sys.exit(0)
