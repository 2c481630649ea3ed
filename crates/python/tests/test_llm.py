"""The bot that asks a language model, against an endpoint on this machine."""

import contextlib
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

try:
    from dicehill import llm
except ImportError:  # The file alone, without the native part of the package.
    sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "dicehill"))
    import llm

KEY = "sk-test-1234567890"
TURN = {
    "type": "turn", "id": 901, "game": 7, "round": 13, "stage": 1, "dice": [1, 1, 4, 6, 6], "card": {"TWOS": 6},
    "legal": {"ACES": 2, "SIXES": 12}, "upper": 6, "upper_bonus": 0, "yahtzee_bonus": 0, "score": 6, "scores": [6, 8],
}
BID = {
    "type": "turn", "id": 12, "game": 3, "you": 1, "counts": [6, 4], "dice": [1, 2, 2, 3], "bids": ["3 6"],
    "names": ["A", "B"], "points": [1, 2],
}


def completion(text, **usage):
    return 200, {"choices": [{"message": {"content": text}}], "usage": usage or {"prompt_tokens": 300, "completion_tokens": 20}}


class Stub(contextlib.AbstractContextManager):
    """An endpoint that gives these replies in order, and then the last one again. A reply of status 1 never ends, and one of
    status 2 breaks off."""

    def __init__(self, *replies):
        self.replies, self.requests, self.headers = list(replies), [], []
        self.is_over = threading.Event()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.requests.append(body)
                stub.headers.append((self.path, self.headers.get("Authorization")))
                status, reply = stub.replies.pop(0) if len(stub.replies) > 1 else stub.replies[0]
                if status is None:
                    self.close_connection = True
                    return
                if status == 1:
                    self.wfile.write(reply)
                    while not stub.is_over.wait(0.05):
                        self.wfile.write(b" ")
                    return
                data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
                missing = 100 if status == 2 else 0
                self.close_connection = missing > 0
                self.send_response(200 if missing else status)
                if 300 <= status < 400:
                    self.send_header("Location", stub.url)
                self.send_header("Content-Length", str(len(data) + missing))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def __exit__(self, *_):
        self.is_over.set()
        self.server.shutdown()
        self.server.server_close()


class Bots(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.transcript = Path(folder.name) / "transcript.jsonl"

    def play(self, *options, turns=(TURN,), game="yahtzee", move_ms=20000, memory="game", environment=None):
        """Returns the answers by id, and what the bot wrote to stderr."""
        hello = {"type": "hello", "protocol": 1, "game": game, "rules": "official", "name": "Mine", "memory": memory, "limits": {"move_ms": move_ms}}
        command = [sys.executable, llm.__file__, "--model", "m", *options]
        bot = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment or {}
        )
        bot.stdin.write("".join(json.dumps(message) + "\n" for message in [hello, *turns]))
        bot.stdin.flush()
        lines = [bot.stdout.readline() for _ in range(1 + len(turns))]
        bot.stdin.write('{"type":"bye"}\n')
        bot.stdin.close()
        log = bot.stderr.read()
        bot.stdout.close(), bot.stderr.close()
        self.assertEqual(bot.wait(), 0, log)
        ready, *answers = map(json.loads, lines)
        self.assertEqual(ready["type"], "ready")
        self.ready = ready
        return {answer.pop("id"): answer for answer in answers}, log

    def exchanges(self):
        return [json.loads(line) for line in self.transcript.read_text().splitlines()]

    def test_a_turn_is_one_request_without_the_legal_moves(self):
        with Stub(completion('I keep the sixes: {"keep": [3, 4]}')) as stub:
            answers, log = self.play(
                "--endpoint", stub.url, "--key-env", "KEY", "--parameters", '{"temperature": 0}',
                "--transcript", str(self.transcript), environment={"KEY": KEY},
            )
        self.assertEqual(answers, {901: {"keep": [3, 4]}})
        [request] = stub.requests
        self.assertEqual((request["model"], request["temperature"]), ("m", 0))
        position = json.loads(request["messages"][1]["content"])
        self.assertEqual(position["dice"], [1, 1, 4, 6, 6])
        self.assertEqual(position["rules"], "official")
        self.assertFalse({"legal", "id", "game", "type"} & position.keys())
        self.assertIn("Yahtzee", request["messages"][0]["content"])
        self.assertEqual(stub.headers, [("/v1/chat/completions", f"Bearer {KEY}")])
        [exchange] = self.exchanges()
        self.assertEqual(exchange["request"], request)
        self.assertEqual([exchange[key] for key in ("bot", "game", "turn", "attempts")], ["Mine", 7, 901, 1])
        self.assertEqual((exchange["prompt_tokens"], exchange["completion_tokens"], exchange["cost"]), (300, 20, None))
        self.assertNotIn(KEY, log + self.transcript.read_text())

    def test_both_games_have_prompts_and_answers(self):
        with Stub(completion('```json\n{"bid": "4 3"}\n```')) as stub:
            answers, _ = self.play("--endpoint", stub.url, turns=[BID], game="liars-dice", memory="set")
        self.assertEqual((answers, self.ready["inflight"]), ({12: {"bid": "4 3"}}, 1))
        self.assertIn("Liar", stub.requests[0]["messages"][0]["content"])

    def test_prompts_are_files(self):
        folder = self.transcript.parent
        (folder / "yahtzee.md").write_text("Be brief.")
        with Stub(completion('{"category": "SIXES"}')) as stub:
            answers, _ = self.play("--endpoint", stub.url, "--prompts", str(folder))
        self.assertEqual(answers, {901: {"category": "SIXES"}})
        self.assertEqual(stub.requests[0]["messages"][0]["content"], "Be brief.")

    def test_illegal_answers_are_sent_on_and_unreadable_ones_fail_without_repetition(self):
        for text, expected in [
            ('{"category": "TWOS"}', {"category": "TWOS"}),
            ('{"keep": [0, 0, 9]}', {"keep": [0, 0, 9]}),
            ('{"keep": [0]} or {"category": "CHANCE"}', {"category": "CHANCE"}),
            ("I take the sixes.", {"error": "unreadable reply: I take the sixes."}),
            ("", {"error": "unreadable reply: it is empty"}),
            ('{"bid": "4 3"}', {"error": 'unreadable reply: {"bid": "4 3"}'}),
            ('{"keep": "all"}', {"error": 'unreadable reply: {"keep": "all"}'}),
            ("[" * 2000 + "{", {"error": "unreadable reply: " + "[" * 299 + "{"}),
        ]:
            with self.subTest(text[:40]), Stub(completion(text)) as stub:
                answers, _ = self.play("--endpoint", stub.url)
                self.assertEqual(answers, {901: expected})
                self.assertEqual(len(stub.requests), 1)

    def test_failures_of_the_transport_are_tried_again(self):
        reply = completion('{"keep": []}')
        for failures in [[(500, b"busy")], [(429, b"slow down"), (503, b"")], [(None, None)], [(2, b"{")]]:
            with self.subTest(failures), Stub(*failures, reply) as stub:
                answers, _ = self.play("--endpoint", stub.url, "--transcript", str(self.transcript))
                self.assertEqual(answers, {901: {"keep": []}})
                self.assertEqual(self.exchanges()[-1]["attempts"], 1 + len(failures))

    def test_what_is_not_of_the_transport_is_not_tried_again(self):
        for status, body, expected in [
            (401, f"wrong key {KEY}".encode(), "the endpoint refused the request: HTTP 401: wrong key [key]"),
            (307, b"", "the endpoint refused the request: HTTP 307"),
            (200, b"<html>", "the endpoint's reply is not a JSON object: <html>"),
            (200, {"error": "no"}, "the endpoint's reply is not a chat completion"),
        ]:
            with self.subTest(expected), Stub((status, body)) as stub:
                answers, log = self.play("--endpoint", stub.url, "--key-env", "KEY", environment={"KEY": KEY})
                self.assertTrue(answers[901]["error"].startswith(expected), answers)
                self.assertEqual(len(stub.requests), 1)
                self.assertNotIn(KEY, log)

    def test_no_part_of_a_repeated_key_is_shown(self):
        # What is quoted of the reply begins within the key.
        content = KEY + "b" * 295
        escaped = json.dumps(completion("?")[1]).replace("?", "".join(f"\\u{ord(one):04x}" for one in KEY) + "b" * 295)
        for reply in [completion(content), (200, escaped.encode())]:
            with self.subTest(reply), Stub(reply) as stub:
                options = ["--endpoint", stub.url, "--key-env", "KEY", "--transcript", str(self.transcript)]
                answers, log = self.play(*options, environment={"KEY": KEY})
                self.assertIn("unreadable reply: ", answers[901]["error"])
                for text in [answers[901]["error"], log, self.transcript.read_text()]:
                    self.assertNotIn(KEY[-5:], text)

    def test_repetitions_end_with_their_number_and_with_the_time_of_the_move(self):
        with Stub((500, b"busy")) as stub:
            answers, _ = self.play("--endpoint", stub.url, "--retries", "1")
            self.assertEqual(answers[901]["error"], "no reply after 2 of 2 attempts: HTTP 500: busy")
            self.assertEqual(len(stub.requests), 2)
        with Stub((500, b"busy")) as stub:
            answers, _ = self.play("--endpoint", stub.url, move_ms=400)
            self.assertEqual(answers[901]["error"], "no reply after 1 of 5 attempts: HTTP 500: busy")

    def test_a_reply_that_never_ends_fails_in_time(self):
        for begin in (b"HTTP/1.0 200 OK\r\n\r\n{", b"HTTP/1.0 200 O"):
            with self.subTest(begin), Stub((1, begin)) as stub:
                answers, _ = self.play("--endpoint", stub.url, move_ms=500)
                self.assertRegex(answers[901]["error"], "no reply after 1 of 5 attempts: (no whole reply within 0.[45] s|its reply was not complete in time)")

    def test_hostile_replies_are_unreadable(self):
        for reply, expected in (
            ((200, b"[" * 200_000), "the endpoint's reply is not a JSON object: [["),
            (completion('{"keep":' * 300_000), "unreadable reply: "),
        ):
            with self.subTest(expected), Stub(reply) as stub:
                answers, log = self.play("--endpoint", stub.url, "--transcript", str(self.transcript))
                self.assertTrue(answers[901]["error"].startswith(expected[:25]), answers)
                self.assertEqual(len(stub.requests), 1)
                self.assertIn("1 requests", log)

    def test_a_recording_replays_the_run_without_an_endpoint(self):
        turns = [{**TURN, "id": 1}, {**TURN, "id": 2}, {**TURN, "id": 3, "stage": 2}]
        replies = ['{"keep": [0]}', '{"keep": [1]}', '{"category": "SIXES"}']
        with Stub(*map(completion, replies)) as stub:
            options = ["--endpoint", stub.url, "--inflight", "1", "--transcript", str(self.transcript)]
            played, _ = self.play(*options, turns=turns)
        self.assertEqual([played[id] for id in (1, 2, 3)], list(map(json.loads, replies)))
        # Lines of an arena's log do no harm.
        self.transcript.write_text("dicehill.llm: hello\n{broken\n" + self.transcript.read_text())
        replayed, _ = self.play("--replay", str(self.transcript), turns=turns)
        self.assertEqual(replayed, played)
        # The qualification has turns with the same ids: of several replies the last one counts.
        [*others, last] = self.transcript.read_text().splitlines()
        earlier = json.loads(last)
        earlier["reply"] = '{"category": "ACES"}'
        self.transcript.write_text("\n".join([json.dumps(earlier), *others, last]))
        replayed, _ = self.play("--replay", str(self.transcript), turns=turns)
        self.assertEqual(replayed, played)
        another = {**TURN, "id": 4, "dice": [2, 2, 2, 2, 2]}
        answers, _ = self.play("--replay", str(self.transcript), turns=[another])
        self.assertIn('no reply to this request of m: {"rules": "official"', answers[4]["error"])
        self.assertIn('"dice": [2, 2, 2, 2, 2]', answers[4]["error"])

    def test_a_transcript_without_a_file_goes_to_the_log(self):
        with Stub(completion('{"keep": []}')) as stub:
            _, log = self.play("--endpoint", stub.url)
        self.transcript.write_text(log)
        answers, _ = self.play("--replay", str(self.transcript))
        self.assertEqual(answers, {901: {"keep": []}})

    def test_the_spending_cap_ends_requests_with_a_reason(self):
        turns = [{**TURN, "id": number} for number in range(1, 5)]
        prices = ["--prompt-price", "1000", "--completion-price", "5000", "--inflight", "1", "--transcript", str(self.transcript)]
        with Stub(completion('{"keep": []}')) as stub:
            answers, log = self.play("--endpoint", stub.url, *prices, "--max-cost", "0.8", turns=turns)
            self.assertEqual(len(stub.requests), 2)
        self.assertEqual([exchange["cost"] for exchange in self.exchanges()], [0.4, 0.4])
        reason = "the spending cap is reached: --max-cost 0.8, spent 0.800000 in 2 requests"
        self.assertEqual([answers[id] for id in (3, 4)], [{"error": reason}] * 2)
        self.assertIn("2 requests, 640 tokens, cost 0.800000", log)

    def test_unknown_costs_end_requests_under_a_cap(self):
        turns = [{**TURN, "id": number} for number in (1, 2)]
        prices = ["--prompt-price", "1", "--completion-price", "5", "--inflight", "1", "--max-cost", "9"]
        with Stub((1, b"HTTP/1.0 200 OK\r\n\r\n{")) as stub:
            answers, _ = self.play("--endpoint", stub.url, *prices, "--transcript", str(self.transcript), turns=turns, move_ms=500)
            self.assertEqual(len(stub.requests), 1)
            self.assertIn("--max-cost cannot be kept", answers[2]["error"])
            self.assertEqual(self.exchanges()[0]["attempts"], 1)
        for reply in (
            completion('{"keep": []}', total=1),
            completion('{"keep": []}', prompt_tokens=-300, completion_tokens=20),
            completion('{"keep": []}', prompt_tokens=10**400, completion_tokens=20),
            (200, b"[" * 200_000),
        ):
            with self.subTest(str(reply)[:100]), Stub(reply) as stub:
                answers, _ = self.play("--endpoint", stub.url, *prices, turns=turns)
                self.assertEqual(len(stub.requests), 1)
                self.assertIn("--max-cost cannot be kept", answers[2]["error"])

    def test_wrong_options_are_named(self):
        for options, message in [
            ([], "--endpoint None: must begin with http"),
            (["--endpoint", "ftp://x"], "--endpoint 'ftp://x': must begin with http"),
            (["--endpoint", "http://x", "--key-env", "NO_KEY"], "--key-env NO_KEY: no such environment variable"),
            (["--endpoint", "http://x", "--parameters", "[1]"], "--parameters '[1]': must be a JSON object"),
            (["--endpoint", "http://x", "--parameters", '{"model": "n"}'], "must be a JSON object without model"),
            (["--endpoint", "http://x", "--inflight", "65"], "--inflight 65: must be 1 to 64"),
            (["--endpoint", "http://x", "--max-cost", "1"], "--max-cost needs both"),
            (["--endpoint", "http://x", "--prompt-price", "-1"], "must be 0 or more"),
            (["--replay", "/no/such/file"], "--replay /no/such/file: "),
            (["--replay", "/dev/null"], "--replay /dev/null: holds no exchange"),
        ]:
            with self.subTest(options):
                command = [sys.executable, llm.__file__, "--model", "m", *options]
                bot = subprocess.run(command, input="", capture_output=True, text=True, env={})
                self.assertEqual(bot.returncode, 2, bot.stderr)
                self.assertIn(message, bot.stderr)

    def test_a_missing_prompt_is_named(self):
        command = [sys.executable, llm.__file__, "--model", "m", "--endpoint", "http://x"]
        bot = subprocess.run(command, input='{"type":"hello","game":"poker"}\n', capture_output=True, text=True, env={})
        self.assertEqual(bot.returncode, 2, bot.stderr)
        self.assertIn("llm_prompts/poker.md: ", bot.stderr)


if __name__ == "__main__":
    unittest.main()
