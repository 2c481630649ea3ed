"""A bot that asks a language model: `python -m dicehill.llm --endpoint URL --model NAME`.

It speaks the bot protocol, and plays by any endpoint with OpenAI's chat completions. Each turn is one request: the
prompt of the game, a file, as the system's message, and the position as JSON as the user's. The legal moves are not in it.
What the model answers goes to the arena as it is; a reply without a readable answer fails its game. Only failures of the
transport are tried again. Every request and its reply is a line of a transcript, by which `--replay` plays the run again
without a network.

It needs nothing but Python, and no other file of the package but the prompts.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

#: The prompts that are used where `--prompts` names no others.
PROMPTS = Path(__file__).with_name("llm_prompts")
#: Fields of a turn that the model does not see: ids, and the legal moves with their scores.
HIDDEN = ("type", "id", "game", "legal")
#: The fields of an answer and the games they belong to.
ANSWERS = {"keep": "yahtzee", "category": "yahtzee", "bid": "liars-dice"}
#: The share of a move's time that is left for the way to the arena and back.
MARGIN = 0.1
#: Seconds before the first repetition of a request; each further one waits twice as long, up to the longest.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
#: Characters of a move, or dice to keep.
LONGEST_ANSWER = 100
#: Characters of a JSON object with an answer, and of the end of a reply in which it is looked for.
LONGEST_OBJECT, SEARCHED = 1_000, 65_536
#: Characters of a reply or an error that a failed game shows.
SHOWN = 300
# In place of the key.
HIDDEN_KEY = "[key]"
#: Bytes of a reply.
LONGEST_REPLY = 16 << 20
#: Tokens of a request or a reply: larger counts are no counts.
MOST_TOKENS = 10**9
#: Prices are for so many tokens.
PRICED_TOKENS = 1_000_000


class Failed(Exception):
    """No answer can be given. The text is for the board."""

    def __init__(self, text: str, may_cost: bool = False, **took: int) -> None:
        super().__init__(text)
        #: Whether the endpoint may charge for what it did until then, and what the attempts took.
        self.may_cost, self.took = may_cost, took


# The endpoint.


class Reply(NamedTuple):
    """What an endpoint replied, and what it took."""

    text: bytes
    attempts: int
    latency_ms: int

    def body(self) -> dict[str, Any] | None:
        """The JSON object that it is, if it is one."""
        return _object(self.text.decode("utf-8", "replace"))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another place."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Endpoint:
    """An endpoint for chat completions."""

    def __init__(self, url: str, key: str | None, retries: int) -> None:
        self._url = url if url.endswith("/chat/completions") else url.rstrip("/") + "/chat/completions"
        self._key, self._retries = key, retries
        self._open = urllib.request.build_opener(_NoRedirects).open

    def complete(self, request: dict[str, Any], seconds: float) -> Reply:
        """Sends a request, again after a failure of the transport, and gives up when the time is over.

        Raises Failed.
        """
        began = time.monotonic()
        pause, attempts, may_cost = FIRST_PAUSE, 0, False
        while True:
            attempts += 1
            left = began + seconds - time.monotonic()
            try:
                text = self._send(request, max(left, 0.001))
                if self._key:
                    # An endpoint may repeat it, and what is quoted of a reply may begin within it.
                    text = text.replace(self._key.encode(), HIDDEN_KEY.encode())
                return Reply(text, attempts, round(1000 * (time.monotonic() - began)))
            except _Transport as error:
                wait = max(pause, error.retry_after)
                left = began + seconds - time.monotonic()
                may_cost = may_cost or error.may_cost
                if attempts > self._retries or wait >= left:
                    why = f"no reply after {attempts} of {1 + self._retries} attempts: {error}"
                    took = round(1000 * (time.monotonic() - began))
                    raise Failed(why, may_cost, attempts=attempts, latency_ms=took) from None
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _send(self, request: dict[str, Any], seconds: float) -> bytes:
        # In a thread of its own, because the time limit of a connection is for each piece of a reply.
        outcome: list[bytes | Exception] = []
        end = time.monotonic() + seconds

        def exchange() -> None:
            try:
                outcome.append(self._exchange(request, end))
            except Exception as error:
                outcome.append(error)

        thread = threading.Thread(target=exchange, daemon=True)
        thread.start()
        thread.join(seconds)
        if not outcome:
            raise _Transport(f"no whole reply within {seconds:.1f} s", may_cost=True)
        if isinstance(outcome[0], Exception):
            raise outcome[0]
        return outcome[0]

    def _exchange(self, request: dict[str, Any], end: float) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": "dicehill-llm"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = json.dumps(request).encode()
        try:
            seconds = max(end - time.monotonic(), 0.001)
            with self._open(urllib.request.Request(self._url, data, headers), timeout=seconds) as response:
                return self._read(response, end)
        except urllib.error.HTTPError as error:
            raise self._refused(error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            text = self._without_key(f"{type(error).__name__}: {reason}")
            raise _Transport(text, may_cost=isinstance(reason, TimeoutError)) from None

    def _read(self, response: Any, end: float) -> bytes:
        text = b""
        while piece := response.read1(1 << 16):
            text += piece
            if len(text) > LONGEST_REPLY:
                raise Failed(f"the endpoint's reply is longer than {LONGEST_REPLY >> 20} MiB", may_cost=True)
            if time.monotonic() > end:
                raise _Transport("its reply was not complete in time", may_cost=True)
        if getattr(response, "length", None):
            raise _Transport("the connection ended before its reply did", may_cost=True)
        return text

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        try:
            text = error.read1(1 << 16)
        except (OSError, http.client.HTTPException):
            text = b""
        what = f"HTTP {error.code}: {self.excerpt(text)}"
        if error.code == 429 or error.code >= 500:
            return _Transport(what, _seconds(error.headers.get("Retry-After")))
        return Failed(f"the endpoint refused the request: {what}")

    def excerpt(self, text: bytes) -> str:
        """The begin of a reply, for people."""
        return self._without_key(" ".join(text.decode("utf-8", "replace").split()))[:SHOWN]

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, HIDDEN_KEY) if self._key else text

    def clean(self, value: Any) -> Any:
        """A JSON value in whose texts the key is hidden, which escapes may have covered in the reply."""
        if isinstance(value, str):
            return self._without_key(value)
        if isinstance(value, list):
            return [self.clean(one) for one in value]
        if isinstance(value, dict):
            return {self.clean(key): self.clean(one) for key, one in value.items()}
        return value


class _Transport(Exception):
    """A failure that has nothing to do with the request, which may succeed next time."""

    def __init__(self, what: str, retry_after: float = 0.0, may_cost: bool = False) -> None:
        super().__init__(what)
        self.retry_after, self.may_cost = retry_after, may_cost


def _seconds(text: str | None) -> float:
    """The seconds of a `Retry-After`; dates are not read."""
    try:
        return max(float(text or 0), 0.0)
    except ValueError:
        return 0.0


# What is recorded.


class Prices(NamedTuple):
    """Prices of a million tokens."""

    prompt: float
    completion: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What these tokens cost."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / PRICED_TOKENS


class Ledger:
    """The transcript, and what was spent so far."""

    def __init__(self, file: Any, prices: Prices | None, cap: float | None) -> None:
        self._file, self._prices, self._cap = file, prices, cap
        self._lock = threading.Lock()
        self.bot = ""
        self.requests, self.tokens, self.spent = 0, 0, 0.0
        self._has_unknown_costs = False

    def check_cap(self) -> None:
        """Raises Failed if no more may be spent."""
        with self._lock:
            if self._cap is not None and self._has_unknown_costs:
                raise Failed("--max-cost cannot be kept: the endpoint does not say how many tokens its replies took")
            if self._cap is not None and self.spent >= self._cap:
                raise Failed(
                    f"the spending cap is reached: --max-cost {self._cap:g}, spent {self.spent:.6f} in {self.requests} requests"
                )

    def record(self, turn: dict[str, Any], request: dict[str, Any], may_cost: bool, **what: Any) -> None:
        """Writes a request and its outcome; `usage` is what the endpoint counted, if it replied. Without credible counts, what may
        cost something has unknown costs."""
        usage = what.pop("usage", {})
        counts: list[Any] = [usage.get(key) if isinstance(usage, dict) else None for key in ("prompt_tokens", "completion_tokens")]
        tokens: list[Any] = [count if type(count) is int and 0 <= count <= MOST_TOKENS else None for count in counts]
        with self._lock:
            self.requests += 1
            cost = None
            if None not in tokens:
                self.tokens += sum(tokens)
                if self._prices:
                    cost = self._prices.cost(*tokens)
                    self.spent += cost
            elif may_cost:
                self._has_unknown_costs = True
            line = {"type": "exchange", "bot": self.bot, "game": turn.get("game"), "turn": turn.get("id")}
            line.update(request=request, **what)
            line.update(prompt_tokens=tokens[0], completion_tokens=tokens[1], cost=cost)
            # One write, in ASCII, so that no other process and no escape divides the line.
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def summary(self) -> str:
        """What was used, for the log."""
        cost = f", cost {self.spent:.6f}" if self._prices else ""
        return f"{self.requests} requests, {self.tokens} tokens{cost}"


class Recording:
    """The replies of a transcript, in place of an endpoint."""

    def __init__(self, path: str) -> None:
        self._exchanges: dict[str, list[dict[str, Any]]] = {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                # A log of the arena has other lines too.
                exchange = _object(line) if line.startswith("{") else None
                if exchange and exchange.get("type") == "exchange" and "request" in exchange:
                    self._exchanges.setdefault(_key(exchange["request"]), []).append(exchange)

    def __len__(self) -> int:
        return sum(map(len, self._exchanges.values()))

    def exchange(self, turn: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
        """What was recorded last for the same request: in the same turn, or else in any. Raises Failed if there is none.

        The qualification before a run has turns with the same ids.
        """
        recorded = self._exchanges.get(_key(request))
        if not recorded:
            position = request["messages"][-1]["content"]
            raise Failed(f"the recording has no reply to this request of {request['model']}: {position}")
        same = [one for one in recorded if one.get("turn") == turn.get("id")]
        return (same or recorded)[-1]


def _key(request: Any) -> str:
    return json.dumps(request, sort_keys=True)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# Requests and answers.


def read_answer(text: str, game: str) -> dict[str, Any]:
    """The last JSON object of a reply that has the form of an answer. Whether it is legal is for the arena to say.

    Raises Failed if there is none.
    """
    end = text[-SEARCHED:]
    decoder, place = json.JSONDecoder(), end.rfind("{")
    while place >= 0:
        try:
            value, _ = decoder.raw_decode(end[place : place + LONGEST_OBJECT])
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and _is_answer(value, game):
            return value
        place = end.rfind("{", 0, place)
    raise Failed(f"unreadable reply: {' '.join(text.split())[-SHOWN:] or 'it is empty'}")


def _is_answer(value: dict[str, Any], game: str) -> bool:
    if len(value) != 1:
        return False
    field, content = next(iter(value.items()))
    if ANSWERS.get(field) != game:
        return False
    if field == "keep":
        is_answer = isinstance(content, list) and all(type(index) is int for index in content)
    else:
        is_answer = isinstance(content, str)
    # A longer one is no move, and the arena would take it for a flood.
    return is_answer and len(content) <= LONGEST_ANSWER


def content_of(body: dict[str, Any]) -> str:
    """The text of a completion. Raises Failed if the body is none."""
    try:
        content = body["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise Failed(f"the endpoint's reply is not a chat completion: {json.dumps(body)[:SHOWN]}") from None
    # A model that refuses, or only thinks, has no content.
    return content if isinstance(content, str) else ""


class Model:
    """Answers turns by a model, or by its recorded replies."""

    def __init__(self, options: argparse.Namespace, source: Endpoint | Recording, ledger: Ledger) -> None:
        self._options, self._source, self._ledger = options, source, ledger
        self._game, self._rules, self._prompt, self._seconds = "", "", "", 1.0

    def hello(self, message: dict[str, Any]) -> None:
        """Takes the terms of the run. Exits if there is no prompt for its game."""
        self._game, self._rules = message["game"], message.get("rules", "official")
        self._ledger.bot = message.get("name", "")
        self._seconds = (1 - MARGIN) * message.get("limits", {}).get("move_ms", 1000) / 1000
        path = Path(self._options.prompts) / f"{self._game}.md"
        try:
            self._prompt = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            _exit(f"the prompt {path}: {error}")

    def request(self, turn: dict[str, Any]) -> dict[str, Any]:
        """The body of the request for a turn. Equal positions have equal requests."""
        position = {"rules": self._rules, **{key: turn[key] for key in turn if key not in HIDDEN}}
        messages = [{"role": "system", "content": self._prompt}, {"role": "user", "content": json.dumps(position)}]
        return {"model": self._options.model, "messages": messages, **self._options.parameters}

    def answer(self, turn: dict[str, Any]) -> dict[str, Any]:
        """The answer to a turn, without its id; `error` if there is none."""
        try:
            return read_answer(self._reply(turn, self.request(turn)), self._game)
        except Failed as error:
            _say(f"game {turn.get('game')}, request {turn.get('id')}: {error}")
            return {"error": str(error)}

    def _reply(self, turn: dict[str, Any], request: dict[str, Any]) -> str:
        if isinstance(self._source, Recording):
            recorded = self._source.exchange(turn, request)
            if recorded.get("reply") is None:
                raise Failed(str(recorded.get("error")))
            return str(recorded["reply"])
        self._ledger.check_cap()
        took: dict[str, Any] = {}
        try:
            reply = self._source.complete(request, self._seconds)
            body = self._source.clean(reply.body())
            took = {"attempts": reply.attempts, "latency_ms": reply.latency_ms, "usage": (body or {}).get("usage")}
            if body is None:
                raise Failed(f"the endpoint's reply is not a JSON object: {self._source.excerpt(reply.text)}")
            content = content_of(body)
        except Failed as error:
            may_cost = error.may_cost or bool(took)
            self._ledger.record(turn, request, may_cost, reply=None, error=str(error), **{**error.took, **took})
            raise
        self._ledger.record(turn, request, True, reply=content, **took)
        return content


# The protocol.


def serve(model: Model, inflight: int, ledger: Ledger) -> None:
    """Answers the arena until it says goodbye, up to `inflight` turns at a time."""
    lock, answers = threading.Lock(), os.dup(1)
    # What is printed by accident belongs into the log.
    os.dup2(2, 1)

    def send(message: dict[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        with lock:
            while data:
                data = data[os.write(answers, data) :]

    def act(turn: dict[str, Any]) -> None:
        try:
            answer = model.answer(turn)
        except Exception as error:  # A fault of this program fails one game, too.
            answer = {"error": f"{type(error).__name__}: {error}"}
        send({"id": turn["id"], **answer})

    workers = ThreadPoolExecutor(inflight)
    for line in sys.stdin.buffer:
        message = _object(line.decode("utf-8", "replace")) or {}
        kind = message.get("type")
        if kind == "hello":
            model.hello(message)
            send({"type": "ready", "inflight": 1 if message.get("memory") == "set" else inflight})
        elif kind == "turn":
            workers.submit(act, message)
        elif kind == "error":
            _say(f"the arena refused the answer to request {message.get('id')}: {message.get('why')}")
        elif kind == "bye":
            break
    _say(ledger.summary())
    sys.stderr.flush()
    # A request that is under way would keep the process.
    os._exit(0)


def _say(text: str) -> None:
    sys.stderr.write(f"dicehill.llm: {text}\n")
    sys.stderr.flush()


def _exit(text: str) -> None:
    _say(text)
    raise SystemExit(2)


# The command line.


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dicehill.llm", description=__doc__.split("\n\n")[0])
    add = parser.add_argument
    add("--model", required=True, metavar="NAME", help="the model, as the endpoint names it")
    add("--endpoint", metavar="URL", help="where chat completions are: http://localhost:11434/v1")
    add("--key-env", metavar="NAME", help="the environment variable with the key; without it, none is sent")
    add("--prompts", metavar="DIR", default=str(PROMPTS), help="a folder with yahtzee.md and liars-dice.md, in place of those of the package")
    add("--parameters", metavar="JSON", default="{}", help='further fields of each request: \'{"temperature": 0}\'')
    add("--inflight", metavar="N", type=int, default=8, help="requests at a time, 1 to 64 (8)")
    add("--retries", metavar="N", type=int, default=4, help="repetitions after a lost connection, 429 or 5xx, within the time of the move (4)")
    add("--transcript", metavar="FILE", help="append requests and replies to a file; without it, they go to stderr, the bot's log")
    add("--replay", metavar="FILE", help="answer by the replies in a transcript, without an endpoint")
    add("--prompt-price", metavar="P", type=float, help="the price of a million prompt tokens")
    add("--completion-price", metavar="P", type=float, help="the price of a million completion tokens")
    add("--max-cost", metavar="C", type=float, help="send no more requests once so much is spent, in each process; needs both prices")
    return parser


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.replay and not (options.endpoint or "").startswith(("http://", "https://")):
        parser.error(f"--endpoint {options.endpoint!r}: must begin with http:// or https:// (or name a recording with --replay)")
    parameters = _object(options.parameters)
    if parameters is None or {"model", "messages", "stream"} & parameters.keys():
        parser.error(f"--parameters {options.parameters!r}: must be a JSON object without model, messages and stream")
    options.parameters = parameters
    if not 1 <= options.inflight <= 64:
        parser.error(f"--inflight {options.inflight}: must be 1 to 64")
    if options.retries < 0:
        parser.error(f"--retries {options.retries}: must be 0 or more")
    prices = [options.prompt_price, options.completion_price]
    if any(price is not None and not price >= 0 for price in [*prices, options.max_cost]):
        parser.error("--prompt-price, --completion-price and --max-cost must be 0 or more")
    if (prices[0] is None) != (prices[1] is None) or (options.max_cost is not None and prices[0] is None):
        parser.error("--prompt-price and --completion-price belong together, and --max-cost needs both")
    return options


def _source(options: argparse.Namespace) -> Endpoint | Recording:
    if options.replay:
        try:
            recording = Recording(options.replay)
        except (OSError, ValueError) as error:
            _exit(f"--replay {options.replay}: {error}")
        if not len(recording):
            _exit(f"--replay {options.replay}: holds no exchange")
        return recording
    key = os.environ.get(options.key_env) if options.key_env else None
    if options.key_env and not key:
        _exit(f"--key-env {options.key_env}: no such environment variable; a hill file passes it on by secrets = [{options.key_env!r}]")
    return Endpoint(options.endpoint, key, options.retries)


def main(arguments: list[str] | None = None) -> None:
    """Plays until the arena says goodbye."""
    options = _options(sys.argv[1:] if arguments is None else arguments)
    source = _source(options)
    try:
        transcript = open(options.transcript, "a", encoding="ascii") if options.transcript else sys.stderr
    except OSError as error:
        _exit(f"--transcript {options.transcript}: {error}")
    prices = None if options.prompt_price is None else Prices(options.prompt_price, options.completion_price)
    ledger = Ledger(transcript, prices, options.max_cost)
    serve(Model(options, source, ledger), options.inflight, ledger)


if __name__ == "__main__":
    main()
