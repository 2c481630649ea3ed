"""Tests of the Java SDK and of the bridge for the published Java interfaces.

    python3 -m unittest discover -s sdk/java/tests

Needs a JDK of 17 or later. Everything is compiled into a temporary folder.
"""

import collections
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

TESTS = os.path.dirname(os.path.abspath(__file__))
SDK = os.path.dirname(TESTS)
ROOT = os.path.dirname(os.path.dirname(SDK))
BRIDGE = os.path.join(ROOT, "crates", "link", "java")
TRANSCRIPTS = os.path.join(ROOT, "protocol", "transcripts")
PORTS = os.path.join(ROOT, "crates", "cli", "tests", "ports")
FLAGS = ["-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-XX:MetaspaceSize=8m",
         "-XX:-OmitStackTraceInFastThrow", "-Xmx64m"]
SECONDS = 300

CATEGORIES = ("ACES TWOS THREES FOURS FIVES SIXES THREE_OF_A_KIND FOUR_OF_A_KIND FULL_HOUSE "
              "SMALL_STRAIGHT LARGE_STRAIGHT YAHTZEE CHANCE").split()

TURN = {"type": "turn", "id": 901, "game": 7, "round": 11, "stage": 1, "dice": [1, 1, 4, 6, 6],
        "card": {"TWOS": 6, "THREES": 9, "FOURS": 12, "FIVES": 15, "THREE_OF_A_KIND": 22, "FOUR_OF_A_KIND": 0,
                 "FULL_HOUSE": 25, "SMALL_STRAIGHT": 30, "LARGE_STRAIGHT": 0, "YAHTZEE": 0},
        "legal": {"ACES": 2, "SIXES": 12, "CHANCE": 18}, "upper": 42, "upper_bonus": 0, "yahtzee_bonus": 0,
        "score": 119, "scores": [88, 119, 131]}
LIARS_TURN = {"type": "turn", "id": 12, "game": 3, "you": 1, "counts": [6, 4, 5], "dice": [1, 2, 2, 3],
              "bids": ["3 6", "4 2"], "names": ["A", "B", "C"], "points": [120, 1345, 88]}

out = None


def setUpModule():
    global out
    out = tempfile.mkdtemp(prefix="dicehill-java-")
    javac(java_files(BRIDGE), "bridge", release=11)
    for folder in os.listdir(os.path.join(TESTS, "players")):
        javac(java_files(os.path.join(TESTS, "players", folder)), folder, "bridge", release=11)
    javac([os.path.join(PORTS, "AcesAndEights.java")], "port", "bridge", release=11)
    programs = java_files(os.path.join(TESTS, "programs"))
    javac(java_files(os.path.join(SDK, "dicehill")) + java_files(os.path.join(SDK, "examples")), "sdk", release=17)
    javac([p for p in programs if not p.endswith("Categories.java")], "programs", "sdk", release=17)
    javac([p for p in programs if p.endswith("Categories.java")], "programs", "bridge", release=11)


def tearDownModule():
    shutil.rmtree(out)


def java_files(folder):
    return glob.glob(os.path.join(folder, "**", "*.java"), recursive=True)


def place(name):
    return os.path.join(out, name)


def javac(sources, to, class_path=None, release=17):
    path = ["-cp", place(class_path)] if class_path else []
    subprocess.run(["javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "--release", str(release), "-d", place(to),
                    *path, *sources], check=True)


def lines(*messages):
    """Messages as the arena writes them. Text stands for itself."""
    return "".join((m if isinstance(m, str) else json.dumps(m, separators=(",", ":"))) + "\n" for m in messages)


def hello(game, memory="game"):
    return {"type": "hello", "protocol": 1, "game": game, "rules": "official", "memory": memory, "name": "Mine",
            "limits": {"start_ms": 10000, "move_ms": 1000, "memory_mb": 512}}


def start(game, players=3):
    return {"type": "start", "game": game, "players": players, "seed": "9f3c00a1b2c3d4e5"}


def turn(like, **changes):
    return {**like, **changes}


def converse(command, text):
    return subprocess.run(command, input=text.encode(), capture_output=True, timeout=SECONDS)


def bridge_command(game, classes, *more):
    paths = os.pathsep.join(place(c) for c in classes.split(","))
    return ["java", *FLAGS, "-cp", place("bridge"), "dicehill.bridge.Main", "--game", game, "--classes", paths, *more]


def bridge(game, classes, text, *more):
    return converse(bridge_command(game, classes, *more), text)


def sdk_command(program, *more):
    return ["java", *FLAGS, "-cp", os.pathsep.join([place("sdk"), place("programs")]), program, *more]


def answers(result):
    """What was answered, by request; that everything else is a ready is the caller's to know."""
    found = [json.loads(line) for line in result.stdout.decode().splitlines()]
    return {a["id"]: {k: v for k, v in a.items() if k != "id"} for a in found if "id" in a}


def golden(game):
    """The requests of the golden games, and the recorded answers."""
    sent, recorded = [], {}
    with open(os.path.join(TRANSCRIPTS, game + ".txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("> "):
                sent.append(line[2:].rstrip("\n"))
            elif line.startswith("< "):
                answer = json.loads(line[2:])
                if "id" in answer:
                    recorded[answer.pop("id")] = answer
    return sent, recorded


class Conversation:
    """Tests that the bridge and the SDK share: both play `steady`."""

    def test_bye_ends_it_though_the_pipe_is_open(self):
        process = subprocess.Popen(self.steady("yahtzee"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with process:
            process.stdin.write(lines(TURN, {"type": "bye"}).encode())
            process.stdin.flush()
            self.assertEqual(process.wait(SECONDS), 0)
            self.assertEqual(process.stdout.read().count(b"\n"), 1)

    def test_what_lines_may_look_like(self):
        backwards = json.dumps(dict(reversed(list(turn(TURN, id=2).items()))))
        odd = turn(TURN, id=3, extra={"a": [1, {"b": "}\\\""}], "c": None, "d": -1.5e3, "e": True})
        escaped = lines(turn(TURN, id=4)).replace('"dice"', '"d\\u0069ce"').rstrip("\n")
        unknown = {"type": "news", "id": 5, "dice": "none", "game": ["x"], "scores": {}}
        text = "\r\n\n  \n" + lines(turn(TURN, id=1)).rstrip("\n") + "\r\n" + lines(backwards, odd, unknown, escaped)
        text += lines({"no": "type"}, turn(TURN, id=6)).rstrip("\n")
        result = converse(self.steady("yahtzee"), text)
        expected = {request: {"keep": [3, 4]} for request in (1, 2, 3, 4, 6)}
        self.assertEqual((answers(result), result.returncode), (expected, 0), result.stderr.decode())

    def test_a_line_that_is_no_json_fails(self):
        for bad in ("{", "[1]", "{} {}", '{"type":"turn"}', '{"type":"turn","id":1.5}', "[" * 5000, '{"type":"turn,'):
            result = converse(self.steady("yahtzee"), lines(bad))
            self.assertEqual((result.stdout, result.returncode), (b"", 1), bad)
            self.assertIn(b"dicehill: ", result.stderr)


class BridgeConversation(Conversation, unittest.TestCase):
    def steady(self, game):
        return bridge_command(game, {"yahtzee": "steady_yahtzee", "liars-dice": "steady_liars_dice"}[game])

    def test_golden_games(self):
        for game in ("yahtzee", "liars-dice"):
            sent, recorded = golden(game)
            result = converse(self.steady(game), lines(*sent))
            self.assertEqual((answers(result), result.returncode), (recorded, 0), result.stderr.decode())
            self.assertGreater(len(recorded), 50)

    def test_one_request_at_a_time_gets_its_answer_at_once(self):
        process = subprocess.Popen(self.steady("yahtzee"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with process:
            for request in (901, 902):
                process.stdin.write(lines(turn(TURN, id=request)).encode())
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline()), {"id": request, "keep": [3, 4]})
            process.stdin.close()
            self.assertEqual(process.wait(SECONDS), 0)

    def test_64_requests_in_one_write(self):
        requests = [turn(TURN, id=2**53 - 1 - i, game=2**52 + i) for i in range(64)]
        result = converse(self.steady("yahtzee"), lines(*requests))
        self.assertEqual(answers(result), {request["id"]: {"keep": [3, 4]} for request in requests})

    def test_ready_says_how_much_may_be_in_flight(self):
        for memory, inflight in (("game", 64), ("set", 1)):
            for game in ("yahtzee", "liars-dice"):
                result = converse(self.steady(game), lines(hello(game, memory)))
                self.assertEqual(json.loads(result.stdout), {"type": "ready", "inflight": inflight})

    def test_an_error_is_told(self):
        for more, request in (({"id": 901}, " (request 901)"), ({}, "")):
            result = converse(self.steady("yahtzee"),
                              lines({"type": "error", **more, "why": "keep index 5 is not 0-4"}))
            self.assertEqual(result.stderr.decode(), f"dicehill: the arena says: keep index 5 is not 0-4{request}\n")
            self.assertEqual(result.returncode, 0)

    def test_a_long_line(self):
        result = converse(self.steady("yahtzee"), lines(turn(TURN, extra="x" * 200_000), turn(TURN, id=902)))
        self.assertEqual(len(answers(result)), 2)


class SdkConversation(Conversation, unittest.TestCase):
    def steady(self, game):
        return sdk_command("Steady")


class BridgeFailures(unittest.TestCase):
    def play(self, player, text=None):
        return bridge("yahtzee", "bad_yahtzee", text or lines(hello("yahtzee"), start(7), TURN), "--class", player)

    def check(self, player, *said, code=1):
        """The process of this player ends with this exit code and without an answer, and its log says these things."""
        result = self.play(player)
        log = result.stderr.decode()
        self.assertEqual((result.returncode, answers(result)), (code, {}), log)
        for text in said:
            self.assertIn(text, log)
        return log

    def check_error(self, player, error, *said, text=None, others=None, code=0):
        """The player's game fails with this error, other requests have these answers, and the log says these things."""
        result = self.play(player, text)
        log = result.stderr.decode()
        failed = {902 if others else 901: {"error": error}}
        self.assertEqual((result.returncode, answers(result)), (code, {**failed, **(others or {})}), log)
        for text in said:
            self.assertIn(text, log)
        return log

    def test_an_exception_ends_its_game_alone(self):
        text = lines(TURN, turn(TURN, id=902, game=8, dice=[6] * 5), turn(TURN, id=903))
        error = ("java.lang.IllegalStateException: a six scares me at mego.yahtzee.Throws.act(Bots.java:34), "
                 "mego.yahtzee.Chance.turn(Bots.java:19)")
        chance = {"category": "CHANCE"}
        log = self.check_error("Throws", error, "at mego.yahtzee.Throws.act(Bots.java:", text=text,
                               others={901: chance, 903: chance})
        self.assertTrue(log.startswith("dicehill: game 8, request 902: java.lang.IllegalStateException"))

    def test_an_exception_of_the_constructor(self):
        error = "java.lang.IllegalStateException: not today at mego.yahtzee.ThrowsWhenMade.<init>(Bots.java:42)"
        self.check_error("ThrowsWhenMade", error, "dicehill: game 7, request 901: java.lang.IllegalStateException")

    def test_an_exception_of_a_class_ends_the_process_unless_games_share_classes(self):
        error = ("java.lang.ExceptionInInitializerError, caused by java.lang.ArithmeticException: / by zero "
                 "at mego.yahtzee.ThrowsWhenLoaded.<clinit>(Bots.java:")
        result = self.play("ThrowsWhenLoaded")
        self.assertEqual(result.returncode, 1)
        self.assertIn(error, answers(result)[901]["error"])
        text = lines(hello("yahtzee", "set"), start(7), TURN, turn(TURN, id=902))
        result = self.play("ThrowsWhenLoaded", text)
        self.assertEqual((result.returncode, list(answers(result))), (0, [901, 902]), result.stderr.decode())
        self.assertIn(error, answers(result)[901]["error"])

    def test_an_exception_that_throws_when_it_is_printed(self):
        result = self.play("ThrowsUnprintable")
        self.assertTrue(answers(result)[901]["error"].startswith("mego.yahtzee.ThrowsUnprintable$Unprintable at "))

    def test_choices_that_cannot_be_made(self):
        for player, what in (("KeepsTwice", "dice index 3 is repeated"), ("KeepsSixth", "dice index 5 is not 0-4")):
            error = answers(self.play(player))[901]["error"]
            self.assertTrue(error.startswith(f"java.lang.IllegalArgumentException: {what} at mego.yahtzee.TurnChoice.<init>("))

    def test_endless_recursion(self):
        log = self.check_error("Recurses", "java.lang.StackOverflowError in mego.yahtzee.Recurses.act",
                               "dicehill: game 7, request 901: java.lang.StackOverflowError", "at mego.yahtzee.Recurses.act")
        self.assertEqual(log.splitlines()[0], log.splitlines()[-1], "the end of a long log says what happened")

    def test_all_memory_taken(self):
        for player, code in (("Hoards", 3), ("HoardsOutsideTheHeap", 4)):
            self.check(player, "dicehill: game 7, request 901: java.lang.OutOfMemoryError", code=code)

    def test_the_end_of_the_jvm(self):
        error = "it ended the JVM at mego.yahtzee.Exits.act(Bots.java:116), mego.yahtzee.Chance.turn(Bots.java:19)"
        log = self.check_error("Exits", error, "dicehill: the bot ended the JVM, in the thread main",
                               "at mego.yahtzee.Exits.act(Bots.java:", code=1)
        self.assertNotIn("EndWatch", log)

    def test_no_player_to_begin_with(self):
        for game, classes, more, said in (
            ("liars-dice", "steady_yahtzee", [], "no class extends Player"),
            ("yahtzee", "bad_yahtzee", [], "several classes extend mego.yahtzee.Player: mego.yahtzee.AnswersNull, "),
            ("yahtzee", "bad_yahtzee", ["--class", "Nobody"], "no player class is called Nobody; there is mego.yahtzee.AnswersNull, "),
            ("yahtzee", "bad_yahtzee", ["--class", "Chance"], "no player class is called Chance"),
            ("yahtzee", "nothing_here", [], "nothing_here"),
            ("pig", "steady_yahtzee", [], "there is no game pig"),
            ("yahtzee", "steady_yahtzee", ["--what", "x"], "unknown argument --what"),
            ("yahtzee", "steady_yahtzee", ["--class"], "--class is unknown or lacks its value"),
        ):
            result = bridge(game, classes, "", *more)
            self.assertEqual(result.returncode, 2)
            self.assertIn(said, result.stderr.decode())
            self.assertEqual(result.stderr.count(b"\n"), 1)
        inspected = bridge("liars-dice", "steady_yahtzee", "", "--inspect")
        self.assertEqual((inspected.returncode, inspected.stderr), (0, b""))
        self.assertIn("no class extends Player", json.loads(inspected.stdout)["error"])

    def test_another_game_than_the_arenas(self):
        result = bridge("yahtzee", "steady_yahtzee", lines(hello("liars-dice")))
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn("the arena plays liars-dice, the bot yahtzee", result.stderr.decode())


class BridgePlayers(unittest.TestCase):
    def check(self, player, log):
        """The player answers as it should, and its log says this."""
        result = bridge("yahtzee", "bad_yahtzee", lines(start(7), TURN), "--class", player)
        self.assertEqual((answers(result), result.returncode), ({901: {"category": "CHANCE"}}, 0))
        self.assertEqual(result.stderr.decode(), log)

    def test_prints_go_to_the_log(self):
        self.check("Prints", '{"id":1,"keep":[]}\nwithout an end')

    def test_there_is_no_input(self):
        self.check("ReadsInput", "read -1\n")

    def test_threads_left_behind_end(self):
        self.check("LeavesThreads", "")

    def test_what_the_judge_says(self):
        self.check("Asks", "[88, 119, 131]119,0,0,42[ACES, SIXES, CHANCE]\n")

    def test_a_class_by_its_names(self):
        for name in ("Prints", "mego.yahtzee.Prints"):
            result = bridge("yahtzee", "bad_yahtzee", lines(TURN), "--class", name)
            self.assertEqual(answers(result), {901: {"category": "CHANCE"}})

    def null_turn(self, rules, stage):
        text = lines({**hello("yahtzee"), "rules": rules}, start(7), turn(TURN, stage=stage))
        return answers(bridge("yahtzee", "bad_yahtzee", text, "--class", "AnswersNull"))[901]

    def test_a_turn_without_a_choice_rerolls_under_the_original_rules_alone(self):
        for stage in (0, 1):
            self.assertEqual(self.null_turn("mego-2016", stage), {"keep": []})
        self.assertEqual(self.null_turn("mego-2016", 2), {"category": "null: the player returned no turn"})
        for stage in (0, 1, 2):
            self.assertEqual(self.null_turn("official", stage), {"category": "null: the player returned no turn"})

    def test_a_choice_of_no_category_keeps_nothing(self):
        result = bridge("yahtzee", "bad_yahtzee", lines(TURN), "--class", "ChoosesNothing")
        self.assertEqual(answers(result), {901: {"keep": []}}, result.stderr.decode())

    def test_a_card_to_simulate_with(self):
        """Five fours with the upper box taken are a joker; the bonus for them depends on the box of Yahtzee and the rules."""
        for rules, box, bonus in (("official", 50, 100), ("official", 0, 0), ("mego-2016", 0, 100)):
            card = {"FOURS": 12, "YAHTZEE": box}
            asked = turn(TURN, card=card, dice=[4] * 5, upper=12, yahtzee_bonus=0, score=12 + box)
            text = lines({**hello("yahtzee"), "rules": rules}, start(7), asked)
            result = bridge("yahtzee", "bad_yahtzee", text, "--class", "Simulates")
            self.assertEqual(answers(result), {901: {"category": "CHANCE"}}, result.stderr.decode())
            self.assertEqual(result.stderr.decode().splitlines(), [
                "SIXES refused", "FOURS refused", f"{12 + box + bonus + 25} {bonus} 0 12",
                "free 10", f"untouched {12 + box} 11", "63 35 98"])

    def test_bids_are_read_as_leniently_as_the_original_read_them(self):
        for said, bid in (("+1 2", "1 2"), ("1 2\n", "1 2"), ("\t3  4 of them", "3 4"), ("007 5", "7 5"), ("1,000 2", "1000 2"),
                          ("4 6", "4 6"), ("-1 2", "-1 2"), ("Liar!", "Liar!"), ("1", "1"), ("one 2", "one 2"),
                          ("1,00 2", "1,00 2"), ("", "")):
            text = lines(start(3), turn(LIARS_TURN, bids=[], names=[said, "B", "C"]))
            result = bridge("liars-dice", "says_first_name", text)
            self.assertEqual(answers(result), {12: {"bid": bid}}, result.stderr.decode())

    def test_the_score_of_another_player(self):
        for names, bid in ((["Rival", "Asker", "C"], "120 1345"), (["A", "Asker", "The Rival"], "88 1345"),
                           (["A", "Asker", "C"], "none 1345")):
            text = lines(start(3), turn(LIARS_TURN, names=names))
            result = bridge("liars-dice", "asks_scores", text, "--class", "Asker")
            self.assertEqual(answers(result), {12: {"bid": bid}}, result.stderr.decode())

    def test_a_slow_constructor_has_the_time_for_the_start(self):
        def readies(move_ms, start_ms=10000, memory="game"):
            greeting = hello("yahtzee", memory)
            greeting["limits"] = {"start_ms": start_ms, "move_ms": move_ms, "memory_mb": 512}
            result = bridge("yahtzee", "bad_yahtzee", lines(greeting, start(7), TURN), "--class", "SlowWhenMade")
            self.assertEqual(answers(result), {901: {"category": "CHANCE"}}, result.stderr.decode())
            return [json.loads(line) for line in result.stdout.decode().splitlines() if "ready" in line]
        # A game whose player takes long to make gets a process of its own.
        self.assertEqual(readies(1000), [])
        self.assertEqual(readies(1000, start_ms=500), [])
        self.assertEqual(readies(1000, memory="set"), [{"type": "ready", "inflight": 1}])
        self.assertEqual(readies(60000), [{"type": "ready", "inflight": 64}])

    def test_ready_comes_after_the_first_player_was_made(self):
        for text in (lines(hello("yahtzee"), start(7)), lines(hello("yahtzee"))):
            command = bridge_command("yahtzee", "bad_yahtzee", "--class", "PrintsWhenMade")
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            with process:
                process.stdin.write(text.encode())
                process.stdin.flush()
                self.assertEqual(process.stdout.readline(), b"made\n")
                self.assertEqual(process.stdout.readline(), b'{"type":"ready","inflight":64}\n')
                process.stdin.close()

    def test_what_the_controller_says(self):
        text = lines(start(3), LIARS_TURN, turn(LIARS_TURN, id=13, bids=[]))
        result = bridge("liars-dice", "liars_dice", text)
        last = '"\\\n\u00e9'
        self.assertEqual(answers(result), {
            12: {"bid": f"3,15|1345|15|3|[A, B, C]|26|false|{last}"},
            13: {"bid": f"3,15|1345|15|3|[A, B, C]|7|true|{last}"},
        }, result.stderr.decode())

    def test_a_jar_and_a_class_path_of_several(self):
        jar = place("steady.jar")
        subprocess.run(["jar", "cf", jar, "-C", place("steady_yahtzee"), "."], check=True)
        result = bridge("yahtzee", "memory,steady.jar", lines(TURN))
        self.assertEqual(answers(result), {901: {"keep": [3, 4]}})

    def test_interfaces_in_the_authors_own_jar_do_not_count(self):
        result = bridge("yahtzee", "steady_yahtzee,bridge", lines(TURN))
        self.assertEqual(answers(result), {901: {"keep": [3, 4]}})

    def test_aces_and_eights_plays(self):
        text = lines(TURN, turn(TURN, id=902, stage=2), turn(TURN, id=903, card={}, dice=[3, 4, 4, 5, 6]),
                     turn(TURN, id=904, card={}, dice=[4] * 5), turn(TURN, id=905, card={}, dice=[3, 3, 4, 4, 6]))
        self.assertEqual(answers(bridge("yahtzee", "port", text)), {
            901: {"keep": []}, 902: {"category": "CHANCE"}, 903: {"keep": [0, 1, 3, 4]},
            904: {"category": "YAHTZEE"}, 905: {"keep": [0, 1, 2, 3]}})


class BridgeMemory(unittest.TestCase):
    def inspect(self, game, classes, *more):
        result = bridge(game, classes, "", "--inspect", *more)
        self.assertEqual((result.returncode, result.stdout.count(b"\n")), (0, 1), result.stderr.decode())
        return json.loads(result.stdout)

    def test_inspection_names_mutable_static_fields(self):
        self.assertEqual(self.inspect("liars-dice", "memory"),
                         {"class": "Counter", "mutable_statics": [{"class": "Counter", "field": "games"}], "shared_state": [], "randomness": False})
        self.assertEqual(self.inspect("yahtzee", "port"),
                         {"class": "mego.yahtzee.AcesAndEights", "mutable_statics": [], "shared_state": [], "randomness": False})

    def test_which_static_fields_are_mutable(self):
        source = place("Fields.java")
        with open(source, "w", encoding="utf-8") as file:
            file.write("""
                public class Fields extends Player {
                    static final int A = 1; static final String B = "b"; static final Integer C = 3;
                    static final Plain D = Plain.ONE; static final Thread.State E = Thread.State.NEW;
                    static int f; static final int[] G = {1}; static final Object H = null; static String i;
                    int own; final int[] alsoOwn = {};
                    enum Plain { ONE { int k() { return 1; } }; int k() { return 0; } final int fixed = 1; }
                    enum Odd { TWO { int inner; }; int count; }
                    interface Named { Named[] ALL = {}; }
                    public String bid(int y, int[] c, int[] d, String[] b) {
                        assert y >= 0;
                        switch (D) { case ONE: return "1 1"; default: return "2 2"; }
                    }
                }""")
        subprocess.run(["javac", "-d", place("fields"), "-cp", place("bridge"), source], check=True)
        found = [(f["class"], f["field"]) for f in self.inspect("liars-dice", "fields")["mutable_statics"]]
        self.assertEqual(sorted(found), [("Fields", "H"), ("Fields", "f"), ("Fields", "i"),
                                         ("Fields$Named", "ALL"), ("Fields$Odd", "count"), ("Fields$Odd$1", "inner")])

    def test_tables_that_are_only_read_do_not_change(self):
        source = place("Tables.java")
        with open(source, "w", encoding="utf-8") as file:
            file.write("""
                import java.util.*;
                public class Tables extends Player {
                    static final int[] READ = {1, 2}; static final double[][] MATRIX = new double[3][3];
                    static { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) MATRIX[i][j] = i / (j + 1.0); }
                    static final long[] MADE = made(); static final String[] WORDS = {"a", "b"};
                    static final List<Integer> LIST = List.of(1, 2, 3);
                    static final List<Face> LONG = List.of(Face.A, Face.B, Face.A, Face.B, Face.A, Face.B, Face.A, Face.B,
                        Face.A, Face.B, Face.A, Face.B, Face.A);
                    static final Map<String, List<Integer>> MAP = Map.of("a", List.of(1), "b", List.of());
                    static final Comparator<Integer> ORDER = (one, other) -> other - one;
                    enum Face { A, B }
                    static class Base { static final int[] INHERITED = {1}; static final int[] SAFE = {1}; }
                    static class Derived extends Base { static void set() { Derived.INHERITED[0]++; } }
                    static final int[] WRITTEN = {1}; static final int[][] ROWS = {{1}}; static final int[] PASSED = {1};
                    static final int[] RETURNED = {1}; static final int[] KEPT = {1}; static final int[] SORTED = {2, 1};
                    static final int[] LATER = {1}; static final int[] MAYBE = {1}; static final int[] IN_LAMBDA = {1};
                    static final int[][] STREAMED = {{1}}; static final int[] LISTED = {1}; static final int[] CAPTURED = {1};
                    static final List<Integer> GROWS = new ArrayList<>(); static final List<int[]> ARRAYS = List.of(new int[1]);
                    static final List<Integer[]> BOXES = List.of(new Integer[] {1}, new Integer[] {2});
                    static final List<Integer> VIEW = Arrays.asList(1, 2); static final Object ALIAS = READ;
                    static final Comparator<int[]> CAPTURES = captures(new int[1]);
                    static Comparator<int[]> captures(int[] state) { return (a, b) -> state[0]++; }
                    static final int[][] ROW_KEPT = {{1}}; static final Integer[] OWN = {1};
                    static final List<Integer> SPOILED = spoiled();
                    static List<Integer> spoiled() { return new ArrayList<>(); }
                    int[] kept;
                    static long[] made() { long[] made = new long[9]; Arrays.fill(made, 7); return made; }
                    static int use(int[] table) { return table[0]++; }
                    static int[] give() { return RETURNED; }
                    static class Other { static { LATER[0] = 2; } }
                    public String bid(int y, int[] c, int[] d, String[] b) {
                        int sum = 0;
                        for (int one : READ) { sum += one; }
                        double[] row = MATRIX[y % 3];
                        for (int i = 0; i < row.length; i++) { sum += (int) (row[i] * MATRIX[i][y > 1 ? 0 : 1]); }
                        int[] own = new int[7]; own[d[0]]++; own[READ[0]] += READ.clone().length + Arrays.stream(READ).sum();
                        try { sum += (int) MADE[3] + LIST.get(0) + MAP.size() + LONG.size() + Base.SAFE[0]; }
                        catch (RuntimeException e) { sum = WORDS[0].length() + Arrays.toString(WORDS).length(); }
                        finally { sum += Arrays.copyOf(READ, 9)[0]; }
                        WRITTEN[0] = sum; int[] r = ROWS[0]; r[0]--; use(PASSED); kept = KEPT; Arrays.sort(SORTED);
                        int[] maybe = sum > 3 ? MAYBE : own; maybe[0] = 1;
                        Runnable run = () -> IN_LAMBDA[0]++; run.run();
                        Arrays.stream(STREAMED).forEach(one -> one[0]++); List.of(LISTED).get(0)[0] = 5;
                        int[] captured = CAPTURED; Runnable second = () -> captured[0]++; second.run();
                        kept = ROW_KEPT[0]; OWN[0] = 2;
                        return "1 1";
                    }
                }""")
        subprocess.run(["javac", "-d", place("tables"), "-cp", place("bridge"), source], check=True)
        found = {f["class"] + "." + f["field"] for f in self.inspect("liars-dice", "tables")["mutable_statics"]}
        names = ("WRITTEN ROWS PASSED RETURNED KEPT SORTED LATER MAYBE IN_LAMBDA STREAMED LISTED CAPTURED GROWS ARRAYS BOXES "
                 "VIEW ALIAS CAPTURES ROW_KEPT OWN SPOILED")
        self.assertEqual(found, {"Tables$Base.INHERITED"} | {"Tables." + name for name in names.split()})

    def test_a_class_with_a_table_is_loaded_once(self):
        text = lines(hello("liars-dice"), *(m for game in range(3) for m in (start(game), turn(LIARS_TURN, id=game, game=game))))
        result = bridge("liars-dice", "loads_once", text)
        self.assertEqual(len(answers(result)), 3, result.stderr.decode())
        self.assertEqual(result.stderr.decode(), "the table is made\n")

    def games(self, game):
        """Two games that take turns, then one more."""
        like = LIARS_TURN if game == "liars-dice" else TURN
        order = [5, 9, 5, 9]
        sent = [start(5), start(9)] + [turn(like, id=i, game=g) for i, g in enumerate(order)]
        sent += [{"type": "end", "game": 5}, {"type": "end", "game": 9}, start(11), turn(like, id=4, game=11)]
        return sent

    def check(self, game, classes, memory, expected):
        result = bridge(game, classes, lines(hello(game, memory), *self.games(game)))
        found = [list(answer.values())[0] for _, answer in sorted(answers(result).items())]
        self.assertEqual(found, expected, result.stderr.decode())

    def test_static_fields_live_on_in_a_set_alone(self):
        self.check("liars-dice", "memory", "set", ["2 1", "2 1", "2 2", "2 2", "3 1"])
        self.check("liars-dice", "memory", "game", ["1 1", "1 1", "1 2", "1 2", "1 1"])

    def test_a_yahtzee_player_lives_on_in_a_set_alone(self):
        self.check("yahtzee", "memory_yahtzee", "set", ["TWOS", "THREES", "FOURS", "FIVES", "SIXES"])
        self.check("yahtzee", "memory_yahtzee", "game", ["TWOS", "TWOS", "THREES", "THREES", "TWOS"])

    def test_a_thousand_games_of_a_class_with_static_fields(self):
        sent = [hello("liars-dice")]
        for game in range(1000):
            sent += [start(game), turn(LIARS_TURN, id=game, game=game), {"type": "end", "game": game}]
        result = bridge("liars-dice", "memory", lines(*sent))
        self.assertEqual(answers(result), {game: {"bid": "1 1"} for game in range(1000)}, result.stderr.decode())


class PublishedInterfaces(unittest.TestCase):
    def check(self, name, *expected):
        printed = subprocess.run(["javap", "-protected", "-cp", place("bridge"), name], check=True, capture_output=True)
        members = [line.strip() for line in printed.stdout.decode().splitlines()[2:-1]]
        self.assertEqual(sorted(members), sorted(expected))

    def test_signatures(self):
        self.check("mego.yahtzee.ScorecardInterface", "public abstract mego.yahtzee.Category[] getFreeCategories();",
                   *(f"public abstract int {name}();" for name in ("getScore", "getYahtzeeBonus", "getUpperBonus", "getUpperScore")))
        self.check("mego.yahtzee.ControllerInterface", "public abstract int[] getScores();",
                   "public abstract mego.yahtzee.ScorecardInterface getScoreCard(mego.yahtzee.Player);")
        self.check("mego.yahtzee.Player", "protected mego.yahtzee.ControllerInterface game;",
                   "public mego.yahtzee.Player(mego.yahtzee.ControllerInterface);", "public java.lang.String getName();",
                   "public abstract mego.yahtzee.TurnChoice turn(int[], int);")
        self.check("mego.yahtzee.TurnChoice", "public mego.yahtzee.TurnChoice(int[]);",
                   "public mego.yahtzee.TurnChoice(mego.yahtzee.Category);", "public int[] getDiceSaved();",
                   "public mego.yahtzee.Category getCategory();")
        self.check("mego.yahtzee.Scorecard", "public mego.yahtzee.Scorecard();",
                   "protected mego.yahtzee.Scorecard(int, int, int, int, int, int);",
                   "public mego.yahtzee.ScorecardInterface clone();",
                   "public java.lang.Object clone() throws java.lang.CloneNotSupportedException;",
                   "public mego.yahtzee.Category[] getFreeCategories();",
                   *(f"public int {name}();" for name in ("getScore", "getYahtzeeBonus", "getUpperBonus", "getUpperScore")),
                   "public void setScore(mego.yahtzee.Category, int[]);")
        self.check("mego.yahtzee.Category", *(f"public static final mego.yahtzee.Category {c};" for c in CATEGORIES),
                   "public static mego.yahtzee.Category[] values();",
                   "public static mego.yahtzee.Category valueOf(java.lang.String);", "public boolean isUpper();",
                   "public boolean isLower();", "public boolean matches(int[]);", "public int getScore(int[]);",
                   "public static mego.yahtzee.Category[] getMatchingCategories(int[]);")
        self.check("mego.yahtzee.Util", "public mego.yahtzee.Util();",
                   "public static <T> int count(java.util.Collection<T>, T);", "public static <T> int count(T[], T);",
                   "public static java.lang.Integer[] boxIntArray(int[]);",
                   "public static mego.yahtzee.Category intToUpperCategory(int);",
                   "public static int upperCategoryToInt(mego.yahtzee.Category);")
        self.check("Player", "public Player();", "public java.lang.String toString();",
                   "public abstract java.lang.String bid(int, int[], int[], java.lang.String[]);")
        self.check("Controller", "public static long getScore(Player);", "public static int diceInPlay();",
                   "public static int numPlayers();", "public static java.lang.String[] playerNames();",
                   "public static int valueOf(java.lang.String);",
                   "public static boolean isGreaterThan(java.lang.String, java.lang.String);")

    def test_categories_of_all_rolls(self):
        command = ["java", *FLAGS, "-cp", os.pathsep.join([place("bridge"), place("programs")]), "Categories"]
        printed = subprocess.run(command, check=True, capture_output=True).stdout.decode().splitlines()
        self.assertEqual(len(printed), 7776)
        for line in printed:
            dice, matching, scores, alike, face = line.split(";")
            dice = json.loads(dice)
            expected = worth(dice)
            self.assertEqual(dict(zip(CATEGORIES, json.loads(scores))), {c: expected.get(c, 0) for c in CATEGORIES}, line)
            self.assertEqual(matching, "[" + ", ".join(c for c in CATEGORIES if c in expected) + "]")
            self.assertEqual((int(alike), int(face)), (dice.count(dice[0]), dice[0]))


def worth(dice):
    """The categories that the dice fit, with their scores."""
    groups = sorted(collections.Counter(dice).values())
    faces = "".join(str(f) for f in sorted(set(dice)))
    fits = {CATEGORIES[f - 1]: f * dice.count(f) for f in range(1, 7)}
    fits.update({"CHANCE": sum(dice)})
    fits.update({"THREE_OF_A_KIND": sum(dice)} if groups[-1] >= 3 else {})
    fits.update({"FOUR_OF_A_KIND": sum(dice)} if groups[-1] >= 4 else {})
    fits.update({"FULL_HOUSE": 25} if groups == [2, 3] else {})
    fits.update({"SMALL_STRAIGHT": 30} if re.search("1234|2345|3456", faces) else {})
    fits.update({"LARGE_STRAIGHT": 40} if faces in ("12345", "23456") else {})
    fits.update({"YAHTZEE": 50} if groups == [5] else {})
    return fits


class Sdk(unittest.TestCase):
    def test_a_seed_gives_the_same_chance_again(self):
        first, again = (converse(sdk_command("Chance"), lines(hello("yahtzee"), start(7))) for _ in range(2))
        self.assertRegex(first.stderr.decode(), r"^\d+\n$")
        self.assertEqual(again.stderr, first.stderr)

    def check_failure(self, first_die, error, *said):
        text = lines(turn(TURN, id=900, dice=[5] * 5), turn(TURN, dice=[first_die, 1, 1, 1, 1]), turn(TURN, id=902, dice=[5] * 5))
        result = converse(sdk_command("Odd"), text)
        log = result.stderr.decode()
        found = answers(result)
        self.assertEqual((result.returncode, found[900], found[902]), (0, {"keep": []}, {"keep": []}), log)
        self.assertRegex(found[901]["error"], error)
        self.assertTrue(log.startswith("dicehill: game 7, request 901: "), log)
        for text in said:
            self.assertIn(text, log)

    def test_failures(self):
        self.check_failure(1, r"^java.lang.IllegalStateException: a one scares me at Odd.turn\(Odd.java:\d+\)", "at Odd.turn(Odd.java:")
        self.check_failure(2, "^java.lang.NullPointerException: turn returned null$", "turn returned null")
        self.check_failure(4, "^java.lang.StackOverflowError$", "at Odd.turn(Odd.java:")

    def transcript(self, text):
        path = place("transcript.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_transcript_without_answers_and_one_with_another(self):
        plain = lines(TURN).rstrip("\n")
        path = self.transcript(f"# a comment\n\n{plain}\n> {plain}\n< {{\"id\":901,\"category\":\"CHANCE\"}}\n")
        shown = converse(sdk_command("Steady", "--transcript", path), "").stdout.decode().splitlines()
        self.assertEqual(len(shown), 2)
        self.assertTrue(shown[1].endswith("dice [1, 1, 4, 6, 6] score 119 -> keep [3, 4] (recorded: CHANCE)"), shown)
        path = self.transcript(lines(TURN))
        shown = converse(sdk_command("Steady", "--transcript", path), "").stdout.decode()
        self.assertTrue(shown.endswith("score 119 -> keep [3, 4]\n"), shown)

    def test_arguments(self):
        self.assertEqual(converse(sdk_command("Steady", "--what"), "").returncode, 2)
        missing = converse(sdk_command("Steady", "--transcript", place("missing.txt")), "")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("missing.txt", missing.stderr.decode())

    def test_illegal_answers_are_found(self):
        path = self.transcript(lines(turn(TURN, dice=[3, 1, 1, 1, 1]), turn(TURN, id=902, dice=[5] * 5),
                                     turn(TURN, id=903, dice=[5] * 5, stage=2), LIARS_TURN,
                                     turn(LIARS_TURN, id=13, bids=[]), turn(LIARS_TURN, id=14, bids=["4 7"])))
        result = converse(sdk_command("OddCheck", path), "")
        self.assertEqual(result.stdout.decode().splitlines(), [
            "request 901: a keep index is repeated in [3, 3]",
            "request 903: nothing can be kept after the last roll", "request 12: 4 2 is not above 4 2",
            "request 13: there is no bid to call", "request 14: 4 7 is not a bid"], result.stderr.decode())


class Starters(unittest.TestCase):
    """The starters as `dicehill new` writes them: built by their own bot.toml, tested by their own test."""

    def check(self, game):
        folder = tempfile.mkdtemp(dir=out)
        template = os.path.join(SDK, "template", game)
        for name in os.listdir(template):
            with open(os.path.join(template, name), encoding="utf-8") as source:
                text = source.read().replace("__NAME__", "Mine")
            with open(os.path.join(folder, name.replace("__NAME__", "Mine")), "w", encoding="utf-8") as copy:
                copy.write(text)
        shutil.copytree(os.path.join(SDK, "dicehill"), os.path.join(folder, "dicehill"))
        shutil.copy(os.path.join(TRANSCRIPTS, game + ".txt"), os.path.join(folder, "transcript.txt"))
        with open(os.path.join(folder, "bot.toml"), encoding="utf-8") as file:
            # Arrays of strings look the same in TOML and JSON.
            bot = {key.strip(): json.loads(value) for key, value in (line.split("=", 1) for line in file if "=" in line)}
        self.assertEqual((set(bot), bot["name"]), ({"name", "game", "build", "command"}, "Mine"))
        subprocess.run(bot["build"], cwd=folder, check=True)
        sent, recorded = golden(game)
        played = subprocess.run(bot["command"], cwd=folder, input=lines(*sent).encode(), capture_output=True, check=True)
        self.assertEqual(set(answers(played)), set(recorded))
        subprocess.run(["javac", "-d", "classes", "MineTest.java"], cwd=folder, check=True)
        tested = subprocess.run(["java", "-cp", "classes", "MineTest"], cwd=folder, capture_output=True)
        self.assertEqual(tested.stdout.decode(), "every answer is legal\n", tested.stderr.decode())

    def test_yahtzee(self):
        self.check("yahtzee")

    def test_liars_dice(self):
        self.check("liars-dice")


if __name__ == "__main__":
    unittest.main()
