"""Compiles bots in C and talks to them as the arena does."""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SDK = Path(__file__).resolve().parents[1]
# The Python SDK's tests know how to talk to a bot; the Python SDK knows the rules.
sys.path[:0] = [str(SDK.parent / "python" / "tests"), str(SDK.parent / "python")]

import dicehill
import wire
from wire import hello, lines, liars_dice, start, talk, yahtzee

COMPILE = ["gcc" if shutil.which("gcc") else "cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"]
SANITIZE = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
HEADER = '#define DICEHILL_IMPLEMENTATION\n#include "dicehill.h"\n'
FOLDER = tempfile.TemporaryDirectory()
compiled = {}


def tearDownModule():
    FOLDER.cleanup()


def build(source, *options):
    """The program made of a source text; each is compiled once."""
    key = (source, options)
    if key not in compiled:
        made = Path(FOLDER.name) / f"bot{len(compiled)}"
        made.with_suffix(".c").write_text(source, encoding="utf-8")
        command = [*COMPILE, *options, "-I", str(SDK), "-I", str(SDK / "examples")]
        subprocess.run([*command, "-o", str(made), f"{made}.c"], check=True, timeout=300)
        compiled[key] = str(made)
    return compiled[key]


def sanitized():
    """The sanitizers' options, if this machine has their libraries."""
    probe = [*COMPILE, *SANITIZE, "-x", "c", "-o", str(Path(FOLDER.name) / "probe"), "-"]
    found = subprocess.run(probe, input=b"int main(void) { return 0; }", capture_output=True, timeout=300)
    return SANITIZE if found.returncode == 0 else []


def steady(*options):
    return build((SDK / "examples" / "steady.c").read_text(encoding="utf-8").replace("../", ""), *options)


def bot(act, before=""):
    """A bot for Yahtzee whose function has the given body."""
    return build(
        HEADER
        + "#include <string.h>\n"
        + before
        + "static dh_answer act(const dh_yahtzee_turn *turn, void *mine) {(void)mine; (void)turn;\n"
        + act
        + "\n}\nint main(int argc, char **argv) {\n"
        + "  return dh_run(argc, argv, &(dh_bot){.yahtzee = act});\n}\n"
    )


def keep_sixes():
    return bot("return dh_answer_keep_face(turn, 6);")


def golden(game):
    return (wire.TRANSCRIPTS / f"{game}.txt").read_text(encoding="utf-8").splitlines()


def requests(game):
    return [line[2:] for line in golden(game) if line.startswith("> ")]


def check_legal(case, game, done):
    given = {answer.get("id"): answer for answer in wire.answers(done)}

    def say(turn):
        answer = given[turn.id]
        return answer.get("keep", answer.get("category", answer.get("bid")))

    case.assertEqual(dicehill.check(say, golden(game)), [])


class Golden(unittest.TestCase):
    def test_the_check_in_c_finds_the_golden_games_legal(self):
        source = (SDK / "examples" / "steady.c").read_text(encoding="utf-8").replace("../", "")
        source = source[: source.index("int main")] + (
            "int main(int argc, char **argv) {\n  (void)argc;\n"
            "  return dh_check(&(dh_bot){.yahtzee = yahtzee, .liars_dice = liars_dice}, argv[1], stdout);\n}\n"
        )
        for game in wire.GAMES:
            done = talk([build(source, *sanitized()), str(wire.TRANSCRIPTS / f"{game}.txt")], "")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))


class Lines(unittest.TestCase):
    def check(self, text, expected, said=b""):
        done = talk([keep_sixes()], text)
        self.assertEqual([answer.get("keep") for answer in wire.answers(done)], expected)
        self.assertEqual(done.returncode, 0)
        self.assertIn(said, done.stderr)

    def test_json_that_is_no_message_is_ignored(self):
        self.check(lines({"type": 7}, [1, 2], 7, "text", None, yahtzee()), [[3, 4]])

    def test_what_cannot_be_read_is_ignored_and_named(self):
        broken = [{"type": "turn"}, yahtzee(stage=3), yahtzee(dice=[1, 2]), yahtzee(dice=[0, 1, 2, 3, 4])]
        for message in broken:
            self.check(lines(hello("yahtzee"), message, yahtzee()), [None, [3, 4]], b"ignored a line that cannot be read")
        deep = "{{{\n" + "[" * 100_000 + "\n" + '{"a":' * 1000 + "\n"
        self.check(deep + lines(yahtzee()), [[3, 4]], b"ignored a line that cannot be read: {{{")

    def test_a_long_array_is_read(self):
        self.check(lines(yahtzee(scores=list(range(50_000)))), [[3, 4]])


class Pipelining(unittest.TestCase):
    def test_a_slow_bot_does_not_hold_its_answers_back(self):
        slow = bot(
            "(void)nanosleep(&(struct timespec){turn->id == 903 ? 300 : 0, 10000000}, NULL);\n"
            "return dh_answer_keep_face(turn, 6);"
        )
        with subprocess.Popen([slow], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(lines(*[yahtzee(id) for id in (901, 902, 903)]).encode())
            process.stdin.flush()
            began = time.monotonic()
            for id in (901, 902):
                self.assertEqual(json.loads(process.stdout.readline())["id"], id)
            self.assertLess(time.monotonic() - began, 250)
            process.kill()


class Hooks(unittest.TestCase):
    SOURCE = HEADER + """
static void start(const dh_start *start, void *mine) {
    *(int64_t *)mine = start->game;
    printf("start %" PRId64 " %d %016" PRIx64 " %s %d\\n", start->game, start->players, start->seed,
           start->hello->name, (int)start->hello->limits_move);
}
static dh_answer act(const dh_liars_dice_turn *turn, void *mine) {
    printf("act %" PRId64 " %s %" PRId64 " %d %d %d %d %d\\n", *(int64_t *)mine, turn->names[0], turn->points[1],
           dh_bidder(turn, 0), dh_bidder(turn, 1), dh_before(turn), dh_after(turn), dh_own(turn, 2));
    dh_bid same = dh_lowest(turn, 2), higher = dh_lowest(turn, 3);
    printf("above %d %d %d, %d %d\\n", same.count, higher.count, higher.face, dh_is_higher(turn, (dh_bid){4, 2}),
           dh_is_higher(turn, (dh_bid){4, 3}));
    return dh_answer_liar();
}
static void told(const dh_round *round, void *mine) {
    (void)mine;
    printf("round %d %d %d %d %d %d\\n", round->bids[round->made - 1].count, round->players, round->hands[1].dice[1],
           round->caller, round->bidder, round->held);
}
static void end(const dh_end *end, void *mine) {
    printf("end %" PRId64 " %s %" PRId64 " %s\\n", *(int64_t *)mine, end->winner ? end->winner : "nobody", end->points[1],
           end->names[0]);
}
int main(int argc, char **argv) {
    dh_bot bot = {.liars_dice = act, .size = sizeof(int64_t), .start = start, .round = told, .end = end};
    return dh_run(argc, argv, &bot);
}
""".replace("limits_move", "move_ms")

    def test_hooks_are_told_what_the_arena_says(self):
        revealed = {"bids": ["3 6", "4 2"], "hands": [[1], [2, 5]], "caller": 1, "bidder": 0, "held": True}
        names = ["Sağ 🎲 \u0001\"\\", "B", "C"]
        text = lines(
            hello("liars-dice"),
            start(3),
            liars_dice(names=names),
            {"type": "round", "game": 3, **revealed},
            {"type": "round", "game": 99, **revealed},
            {"type": "end", "game": 3, "winner": "B", "points": [1, 2, 3], "names": names},
            start(4),
            {"type": "end", "game": 4, "winner": None, "points": [1, 2, 3], "names": names},
        )
        for written in (text, json.dumps(text, ensure_ascii=False)):
            self.assertIn("\\u", written)
        done = talk([build(self.SOURCE, *sanitized())], text)
        ready, answer = wire.answers(done)
        self.assertEqual(ready, {"type": "ready", "inflight": 64, "events": ["round"]})
        self.assertEqual(answer, {"id": 12, "bid": "Liar!"})
        self.assertEqual(
            done.stderr.decode().splitlines(),
            [
                "start 3 3 9f3c00a1b2c3d4e5 Mine 1000",
                f"act 3 {names[0]} 1345 2 0 0 2 3",
                "above 5 4 3, 0 1",
                "round 4 2 5 1 0 1",
                f"end 3 B 2 {names[0]}",
                "start 4 3 9f3c00a1b2c3d4e5 Mine 1000",
                f"end 4 nobody 2 {names[0]}",
            ],
        )


class StrayOutput(unittest.TestCase):
    def check(self, statement, printed=2):
        made = bot(f"{statement}\nreturn dh_answer_category(dh_best(turn));", before="#include <unistd.h>\n#include <stdlib.h>\n")
        done = talk([made], lines(hello("yahtzee"), yahtzee(), yahtzee(902), {"type": "bye"}))
        self.assertEqual(wire.answers(done)[1:], [{"id": id, "category": "CHANCE"} for id in (901, 902)])
        self.assertEqual((done.returncode, done.stderr.count(b"stray")), (0, printed))

    def test_what_the_bot_prints_goes_to_standard_error(self):
        self.check('printf("stray");')
        self.check('if (write(1, "stray", 5) < 0) abort();')
        self.check('if (system("echo stray") != 0) abort();')

    def test_what_the_bot_reads_are_not_the_requests(self):
        self.check('if (getchar() != EOF || system("cat") != 0) abort();', 0)


class Failures(unittest.TestCase):
    def check(self, act, expected):
        """The process ends."""
        done = talk([bot(act)], lines(yahtzee(901), yahtzee(902)))
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"dicehill: game 7, request 901: " + expected, done.stderr)
        return done.stderr

    def check_game(self, act, expected):
        """The game alone ends."""
        done = talk([bot(act)], lines(yahtzee(901), yahtzee(902)))
        self.assertEqual(done.returncode, 0)
        self.assertEqual([answer["error"] for answer in wire.answers(done)], [expected] * 2)
        self.assertIn(f"dicehill: game 7, request 901: {expected}\n".encode(), done.stderr)

    def test_whatever_ends_it_names_the_request(self):
        self.check_game('dh_fail("there is \\"%s\\"", "no way");', 'there is "no way"')
        self.check_game("dh_answer_category((dh_category)13);\nreturn dh_answer_liar();", "there is no category 13")
        self.check("abort();", b"aborted\n")
        self.check("volatile int none = 0;\nreturn dh_answer_keep(5 / none, NULL);", b"arithmetic error")
        self.check("int *volatile none = NULL;\nreturn dh_answer_keep(*none, NULL);", b"segmentation fault\n")

    def test_a_stack_that_overflows_is_reported(self):
        endless = (
            "static int deeper(volatile int *from) { volatile int here[4096]; here[0] = *from + 1;"
            " return here[0] < 0 ? 0 : deeper(here) + here[0]; }\n"
        )
        made = build(
            HEADER + endless + "static dh_answer act(const dh_yahtzee_turn *turn, void *mine) {\n"
            "  (void)mine; volatile int zero = turn->stage; return dh_answer_keep(deeper(&zero), NULL);\n}\n"
            "int main(int argc, char **argv) { return dh_run(argc, argv, &(dh_bot){.yahtzee = act}); }\n",
            "-O0",
        )
        done = talk([made], lines(yahtzee()))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"dicehill: game 7, request 901: segmentation fault", done.stderr)

    def test_the_order_of_includes_is_explained(self):
        path = Path(FOLDER.name) / "order.c"
        path.write_text("#include <stdio.h>\n" + HEADER, encoding="utf-8")
        done = subprocess.run([*COMPILE, "-I", str(SDK), "-fsyntax-only", str(path)], capture_output=True, timeout=300)
        self.assertIn(b"include dicehill.h before the headers of the system", done.stderr)


class Damaged(unittest.TestCase):
    """Lines that are cut or changed anywhere overrun nothing and stop nothing."""

    def check(self, damaged):
        program = steady(*sanitized())
        text = b"\n".join(damaged) + b"\n" + lines(yahtzee(1)).encode()
        for game in wire.GAMES:
            sane = requests(game)
            turn = next(line for line in sane if '"turn"' in line)
            done = talk([program], sane[0].encode() + b"\n" + text + turn.encode() + b"\n")
            self.assertNotIn(b"Sanitizer", done.stderr)
            self.assertNotIn(b"runtime error", done.stderr)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertIn(json.loads(turn)["id"], [json.loads(line).get("id") for line in done.stdout.splitlines()])

    def samples(self):
        """One line of each type but those that end the process."""
        found = {}
        for game in wire.GAMES:
            for line in requests(game):
                found[game, json.loads(line)["type"]] = line.encode()
        return [line for (_, kind), line in found.items() if kind not in ("hello", "bye")]

    def test_every_beginning_of_a_line(self):
        self.check([line[:end] for line in self.samples() for end in range(len(line))])

    def test_random_changes(self):
        draw = random.Random(1)
        damaged = []
        samples = self.samples()
        for _ in range(4000):
            line = bytearray(draw.choice(samples))
            for _ in range(draw.randint(1, 4)):
                place = draw.randrange(len(line))
                line[place : place + draw.choice((0, 1, 1, 3))] = bytes(
                    draw.choice(b'{}[]",:\\u0123456789-eE.tfn \x00\xff') for _ in range(draw.choice((0, 1, 1, 2)))
                )
            damaged.append(bytes(line).replace(b"\n", b" "))
        self.check(damaged)


class Shown(unittest.TestCase):
    def test_each_turn_and_answer_are_shown_as_the_python_sdk_shows_them(self):
        python = SDK.parent / "python" / "examples" / "steady.py"
        for game in wire.GAMES:
            option = ["--transcript", str(wire.TRANSCRIPTS / f"{game}.txt")]
            ours, theirs = talk([steady(), *option], ""), talk([sys.executable, str(python), *option], "")
            self.assertIn(b"as recorded", ours.stdout)
            self.assertEqual(ours.stdout, theirs.stdout)

    def test_plain_lines_other_answers_and_illegal_ones(self):
        path = Path(FOLDER.name) / "shown.txt"
        path.write_text("# no hello\n" + lines(yahtzee(stage=2)) + '< {"id":901,"category":"ACES"}\n', encoding="utf-8")
        done = talk([keep_sixes(), "--transcript", str(path)], "")
        self.assertEqual(
            done.stdout.decode().splitlines(),
            [
                "game 7, request 901, round 11, stage 2: dice 1 1 4 6 6; ACES 2, SIXES 12, CHANCE 18",
                "  keep [3, 4]: 6 6 - illegal: no dice can be kept at stage 2: name a category - recorded: ACES",
            ],
        )

    def test_a_file_that_is_not_there_is_named(self):
        done = talk([keep_sixes(), "--transcript", "nowhere.txt"], "")
        self.assertEqual((done.returncode, done.stderr), (1, b"dicehill: nowhere.txt: No such file or directory\n"))


class Check(unittest.TestCase):
    MAIN = "int main(void) {{\n  return dh_check(&(dh_bot){{.yahtzee = y, .liars_dice = l}}, \"{path}\", stdout) & 255;\n}}\n"
    ACTS = """
static dh_answer y(const dh_yahtzee_turn *turn, void *mine) { (void)turn; (void)mine; return YAHTZEE; }
static dh_answer l(const dh_liars_dice_turn *turn, void *mine) { (void)turn; (void)mine; return LIARS; }
"""

    def check(self, answer, message, expected):
        path = Path(FOLDER.name) / "check.txt"
        path.write_text(lines(message), encoding="utf-8")
        own = answer if "stage" in message else "dh_answer_liar()"
        other = answer if "stage" not in message else "dh_answer_liar()"
        acts = self.ACTS.replace("YAHTZEE", own).replace("LIARS", other)
        done = talk([build(HEADER + acts + self.MAIN.format(path=path))], "")
        self.assertEqual((done.returncode, done.stdout.decode()), (1, expected + "\n") if expected else (0, ""))

    def test_every_way_to_break_the_rules_is_found(self):
        keep = "dh_answer_keep({}, (int[]){{{}}})".format
        self.check(keep(2, "3, 4"), yahtzee(), None)
        self.check(keep(2, "0, 0"), yahtzee(), "request 901: keep index 0 is repeated")
        self.check(keep(1, "5"), yahtzee(), "request 901: keep index 5 is not 0-4")
        self.check(keep(1, "0"), yahtzee(stage=2), "request 901: no dice can be kept at stage 2: name a category")
        self.check("dh_answer_category(DH_TWOS)", yahtzee(), "request 901: TWOS may not be named now")
        self.check("dh_answer_liar()", yahtzee(), "request 901: a bid is no answer in Yahtzee")
        self.check("dh_answer_bid(4, 3)", liars_dice(), None)
        self.check("dh_answer_bid(4, 2)", liars_dice(), "request 12: 4 2 is not above 4 2")
        self.check("dh_answer_bid(5, 7)", liars_dice(), "request 12: face 7 is not 1-6")
        self.check("dh_answer_bid(0, 3)", liars_dice(bids=[]), "request 12: count 0 is not 1-1000000")
        self.check("dh_answer_liar()", liars_dice(bids=[]), "request 12: there is no bid to call")


class Starters(unittest.TestCase):
    def test_starters_build_pass_their_own_tests_and_play_legally(self):
        for game in wire.GAMES:
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                made = Path(folder) / game
                shutil.copytree(SDK / "template" / game, made)
                shutil.copy(SDK / "dicehill.h", made)
                for file in made.iterdir():
                    file.write_text(file.read_text(encoding="utf-8").replace("__NAME__", "Mine"), encoding="utf-8")
                done = subprocess.run(["make", "bot", "test"], cwd=made, capture_output=True, timeout=300)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertIn(b"all tests passed", done.stdout)
                done = talk([str(made / "bot")], "\n".join(requests(game)) + "\n")
                check_legal(self, game, done)


if __name__ == "__main__":
    unittest.main()
