"""Bots for the dicehill arena: Yahtzee and Liar's Dice.

A bot is a function that takes a turn and returns its answer, or a class with such a method `act`.
Of a class, each game gets its own object::

    import dicehill

    def act(turn):
        if turn.stage < 2:
            return turn.keep_where(lambda die: die == 6)
        return turn.best()

    dicehill.run(act)

A Yahtzee answer is the name of a category, or a list of the indexes of the dice to keep. A Liar's
Dice answer is `(count, face)`, `"COUNT FACE"` or `"Liar!"`.

A class may also have any of the methods `start(self, start)`, `round(self, round)` and
`end(self, end)`; they are called at the start of the game, after each call (Liar's Dice) and
at the end of the game.

The module is one file without dependencies: copy it next to your bot. The package `dicehill` includes it.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from operator import index
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

__version__ = "0.1.0"
__all__ = [
    "Bid",
    "CATEGORIES",
    "End",
    "Hello",
    "LIAR",
    "LiarsDiceTurn",
    "Round",
    "Start",
    "Step",
    "YahtzeeTurn",
    "check",
    "replay",
    "run",
]

#: Names in the package that this file does not have.
_IN_PACKAGE = (
    "LiarsDiceState",
    "Solution",
    "YahtzeeState",
    "advise_liars_dice",
    "analyze",
    "envs",
    "exploitability",
    "house_bots",
    "llm",
    "open_hill",
    "openspiel",
    "policy",
    "read_run",
    "solve_round",
    "tournament",
    "vector",
)


def _advice(name: str) -> str:
    return (
        f"{name} is in the package dicehill, but {__file__} is the file for bots: "
        "remove it from the path and install the wheel of the package (pip install dicehill-*.whl)"
    )


def __getattr__(name: str) -> NoReturn:
    if name in _IN_PACKAGE:
        raise AttributeError(_advice(f"dicehill.{name}"))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Submodules:
    """Says of `import dicehill.envs` and `from dicehill import tournament` what to install."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        package, _, member = name.partition(".")
        if package == "dicehill" and member in _IN_PACKAGE:
            raise ModuleNotFoundError(_advice(name))


if __name__ == "dicehill":
    # Python looks for submodules of what has a path.
    __path__: List[str] = []
    sys.meta_path.append(_Submodules)


#: The thirteen categories, in the order of the scorecard.
CATEGORIES: Tuple[str, ...] = (
    "ACES",
    "TWOS",
    "THREES",
    "FOURS",
    "FIVES",
    "SIXES",
    "THREE_OF_A_KIND",
    "FOUR_OF_A_KIND",
    "FULL_HOUSE",
    "SMALL_STRAIGHT",
    "LARGE_STRAIGHT",
    "YAHTZEE",
    "CHANCE",
)

#: The answer that calls the bidder before you a liar.
LIAR = "Liar!"

#: A category, or the indexes of the dice to keep.
YahtzeeAnswer = Union[str, Sequence[int]]
#: `"COUNT FACE"` or `"Liar!"`, or a count and a face.
LiarsDiceAnswer = Union[str, Tuple[int, int]]


class Bid(NamedTuple):
    """A count and a face. Bids compare as the rules rank them: by count, then by face."""

    count: int  # type: ignore[assignment]
    face: int


class _Message:
    """One message of the arena; `message` is the complete message."""

    # A turn is made for every request, so it copies nothing: its properties look into the message.
    __slots__ = ("message",)

    def __init__(self, message: Dict[str, Any]) -> None:
        self.message = message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r})"


class Hello(_Message):
    """The first message, sent once per process."""

    __slots__ = ()

    @property
    def game(self) -> str:
        """`"yahtzee"` or `"liars-dice"`."""
        return self.message["game"]

    @property
    def rules(self) -> str:
        """`"official"`, or the name of the original controller whose rules apply."""
        return self.message.get("rules", "official")

    @property
    def memory(self) -> str:
        """`"game"`: no game may know of another; `"set"`: this process plays all of them."""
        return self.message.get("memory", "game")

    @property
    def name(self) -> str:
        """The bot's name in the hill file."""
        return self.message.get("name", "")

    @property
    def limits(self) -> Dict[str, int]:
        """`start_ms`, `move_ms` and `memory_mb`."""
        return self.message.get("limits", {})


class Start(_Message):
    """The start of a game."""

    __slots__ = ("hello",)

    #: What the arena said first.
    hello: Hello

    @property
    def game(self) -> int:
        return self.message["game"]

    @property
    def players(self) -> int:
        return self.message["players"]

    @property
    def seed(self) -> str:
        """Sixteen hexadecimal digits, a seed for the bot's own random numbers. It reveals no die."""
        return self.message["seed"]


class Round(_Message):
    """What a call of Liar's Dice revealed."""

    __slots__ = ()

    @property
    def game(self) -> int:
        return self.message["game"]

    @property
    def bids(self) -> List[Bid]:
        """All bids of the round, oldest first; the last one was called."""
        return [_parsed(bid) for bid in self.message["bids"]]

    @property
    def hands(self) -> List[List[int]]:
        """The dice of every seat, by the seats of the round."""
        return self.message["hands"]

    @property
    def caller(self) -> int:
        """The seat that called."""
        return self.message["caller"]

    @property
    def bidder(self) -> int:
        """The seat that was called."""
        return self.message["bidder"]

    @property
    def held(self) -> bool:
        """Whether the bid was right."""
        return self.message["held"]


class End(_Message):
    """The end of a game. Properties of the other game are missing."""

    __slots__ = ()

    @property
    def game(self) -> int:
        return self.message["game"]

    @property
    def scores(self) -> List[int]:
        """Yahtzee: the final scores of all players, ascending."""
        return self.message["scores"]

    @property
    def score(self) -> int:
        """Yahtzee: your own final score."""
        return self.message["score"]

    @property
    def won(self) -> bool:
        """Yahtzee: whether no player has more than you."""
        return self.message["won"]

    @property
    def winner(self) -> Optional[str]:
        """Liar's Dice: the winner's name; None if the game ended without one."""
        return self.message.get("winner")

    @property
    def points(self) -> List[int]:
        """Liar's Dice: the points of `names`."""
        return self.message["points"]

    @property
    def names(self) -> List[str]:
        """Liar's Dice: the players' names."""
        return self.message["names"]


class YahtzeeTurn(_Message):
    """Everything that you may know at your turn. Answer with a list of indexes to keep, or a category."""

    __slots__ = ()

    @property
    def id(self) -> int:
        return self.message["id"]

    @property
    def game(self) -> int:
        return self.message["game"]

    @property
    def round(self) -> int:
        """1 to 13."""
        return self.message["round"]

    @property
    def stage(self) -> int:
        """The number of rerolls so far: 0, 1 or 2. At stage 2 only a category is legal."""
        return self.message["stage"]

    @property
    def dice(self) -> List[int]:
        """The five dice, unsorted: newly rolled dice first, then the kept ones."""
        return self.message["dice"]

    @property
    def card(self) -> Dict[str, int]:
        """The filled boxes of your scorecard and their scores."""
        return self.message["card"]

    @property
    def legal(self) -> Dict[str, int]:
        """The categories that you may fill now, with the score that each box would get."""
        return self.message["legal"]

    @property
    def upper(self) -> int:
        """The sum of your upper boxes; from 63 on there is a bonus of 35."""
        return self.message["upper"]

    @property
    def upper_bonus(self) -> int:
        return self.message["upper_bonus"]

    @property
    def yahtzee_bonus(self) -> int:
        return self.message["yahtzee_bonus"]

    @property
    def score(self) -> int:
        """Your score so far, with all bonuses."""
        return self.message["score"]

    @property
    def scores(self) -> List[int]:
        """The current scores of all players, ascending."""
        return self.message["scores"]

    def keep(self, indexes: Iterable[int]) -> List[int]:
        """The answer that keeps the dice at these indexes and rerolls the others.

        Raises ValueError where the arena would refuse it.
        """
        answer = [index(place) for place in indexes]
        fault = _keep_fault(self.message, answer)
        if fault:
            raise ValueError(fault)
        return answer

    def keep_where(self, wanted: Callable[[int], object]) -> List[int]:
        """The answer that keeps every die for which `wanted(die)` is true."""
        return self.keep([place for place, die in enumerate(self.dice) if wanted(die)])

    def name(self, category: str) -> str:
        """The answer that fills a category; ONES is read as ACES.

        Raises ValueError where the arena would refuse it.
        """
        fault = _category_fault(self.message, category)
        if fault:
            raise ValueError(fault)
        return _category(category)

    def best(self) -> str:
        """The category with the highest score now; on ties, the first of `CATEGORIES`."""
        legal = self.message["legal"]
        return max([category for category in CATEGORIES if category in legal], key=legal.get)


class LiarsDiceTurn(_Message):
    """Everything that you may know at your turn. Answer with `bid(count, face)` or `liar`."""

    __slots__ = ("_bids",)

    #: The answer that calls the last bidder a liar.
    liar = LIAR

    @property
    def id(self) -> int:
        return self.message["id"]

    @property
    def game(self) -> int:
        return self.message["game"]

    @property
    def you(self) -> int:
        """Your seat now, among the players still in."""
        return self.message["you"]

    @property
    def counts(self) -> List[int]:
        """The number of dice of each seat."""
        return self.message["counts"]

    @property
    def dice(self) -> List[int]:
        """Your own dice."""
        return self.message["dice"]

    @property
    def names(self) -> List[str]:
        """The players' names by seat."""
        return self.message["names"]

    @property
    def points(self) -> List[int]:
        """The players' points so far by seat."""
        return self.message["points"]

    @property
    def bids(self) -> List[Bid]:
        """This round's bids, oldest first."""
        try:
            return self._bids
        except AttributeError:
            self._bids: List[Bid] = [_parsed(bid) for bid in self.message["bids"]]
            return self._bids

    @property
    def last(self) -> Optional[Bid]:
        """The bid on the table; None if you are the first to bid."""
        bids = self.message["bids"]
        return _parsed(bids[-1]) if bids else None

    @property
    def dice_in_play(self) -> int:
        return sum(self.message["counts"])

    @property
    def hidden_dice(self) -> int:
        """All dice but your own."""
        return sum(self.message["counts"]) - len(self.message["dice"])

    @property
    def before(self) -> int:
        """The seat before yours, which made the last bid, if there is one."""
        return (self.message["you"] - 1) % len(self.message["counts"])

    @property
    def after(self) -> int:
        """The seat that acts after you."""
        return (self.message["you"] + 1) % len(self.message["counts"])

    def bidder(self, place: int) -> int:
        """The seat that made `bids[place]`; -1 is the last bid, as in a list."""
        made = len(self.message["bids"])
        if not -made <= place < made:
            raise IndexError(f"there are {made} bids, and none at {place}")
        back = -place if place < 0 else made - place
        return (self.message["you"] - back) % len(self.message["counts"])

    def own(self, face: int) -> int:
        """The number of your dice that count for a bid on the face: those that show it, and the ones."""
        dice = self.message["dice"]
        return dice.count(1) if face == 1 else dice.count(face) + dice.count(1)

    def is_higher(self, count: int, face: int) -> bool:
        """Whether the bid is above the one on the table."""
        last = self.last
        return last is None or (count, face) > last

    def lowest(self, face: int) -> Bid:
        """The lowest bid on the face that is above the one on the table. It is an answer."""
        last = self.last
        if last is None:
            return Bid(1, face)
        return Bid(last.count + (face <= last.face), face)

    def bid(self, count: int, face: int) -> str:
        """The answer that bids. Raises ValueError if the arena would refuse it."""
        answer = f"{index(count)} {index(face)}"
        fault = _bid_fault(self.message, answer)
        if fault:
            raise ValueError(fault)
        return answer


def _parsed(bid: str) -> Bid:
    count, face = bid.split()
    return Bid(int(count), int(face))


# What the arena refuses.

_MOST_COUNT = 1_000_000


def _keep_fault(turn: Dict[str, Any], keep: Sequence[int]) -> Optional[str]:
    if turn["stage"] > 1:
        return "no dice can be kept at stage 2: name a category"
    for place in keep:
        if not isinstance(place, int) or not 0 <= place <= 4:
            return f"keep index {place!r} is not 0-4"
    if len(set(keep)) < len(keep):
        return f"keep {list(keep)} repeats an index"
    return None


def _category(name: str) -> str:
    """The name that the scorecard uses."""
    return "ACES" if name == "ONES" else name


def _category_fault(turn: Dict[str, Any], category: str) -> Optional[str]:
    category = _category(category)
    if category in turn["legal"]:
        return None
    if category not in CATEGORIES:
        return f"{category!r} is not a category"
    return f"{category} may not be named now; legal are {', '.join(turn['legal'])}"


def _bid_fault(turn: Dict[str, Any], bid: str) -> Optional[str]:
    if bid.strip() == LIAR:
        return None if turn["bids"] else "there is no bid to call"
    parts = bid.split()
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        return f"{bid!r} is neither COUNT FACE nor Liar!"
    count, face = (int(part) for part in parts)
    if not 1 <= face <= 6:
        return f"face {face} is not 1-6"
    if not 1 <= count <= _MOST_COUNT:
        return f"count {count} is not 1-{_MOST_COUNT}"
    if turn["bids"] and (count, face) <= _parsed(turn["bids"][-1]):
        return f"{bid} is not above {turn['bids'][-1]}"
    return None


def _fault(turn: Dict[str, Any], answer: Dict[str, Any]) -> Optional[str]:
    """Why the arena would refuse the answer; None if it would not."""
    if "keep" in answer:
        return _keep_fault(turn, answer["keep"])
    if "category" in answer:
        return _category_fault(turn, answer["category"])
    return _bid_fault(turn, answer["bid"])


# How answers are written.


def _yahtzee_field(answer: object) -> Dict[str, Any]:
    if isinstance(answer, str):
        return {"category": _category(str(answer))}
    try:
        return {"keep": [index(place) for place in answer]}  # type: ignore[attr-defined]
    except TypeError:
        raise TypeError(
            f"the bot answered {answer!r}; a Yahtzee answer is a category or a list of indexes"
        ) from None


def _liars_dice_field(answer: object) -> Dict[str, Any]:
    if isinstance(answer, str):
        return {"bid": str(answer)}
    pair: Any = answer
    try:
        count, face = pair
        return {"bid": f"{index(count)} {index(face)}"}
    except (TypeError, ValueError):
        raise TypeError(
            f"the bot answered {answer!r}; a Liar's Dice answer is (count, face), "
            '"COUNT FACE" or "Liar!"'
        ) from None


class _Game(NamedTuple):
    """How one of the games looks on the wire."""

    name: str
    turn: Callable[[Dict[str, Any]], _Message]
    field: Callable[[object], Dict[str, Any]]


_GAMES = {
    "yahtzee": _Game("yahtzee", YahtzeeTurn, _yahtzee_field),
    "liars-dice": _Game("liars-dice", LiarsDiceTurn, _liars_dice_field),
}


class _Bots:
    """The author's objects, one a game, and what they answer to messages."""

    def __init__(self, bots: Dict[str, Any]) -> None:
        self._bots = bots
        self._hello = Hello({})
        self._objects: Dict[Any, Any] = {}
        self._acts: Dict[Any, Callable[[Any], Any]] = {}
        # Few answers are possible in practice, so each is put into JSON once.
        self._written: Dict[Any, str] = {}
        self._game: Optional[_Game] = None
        self._bot: Any = None

    def hello(self, message: Dict[str, Any]) -> str:
        """Takes the hello; returns the line that answers it."""
        self._hello = Hello(message)
        self._choose(self._hello.game)
        ready: Dict[str, Any] = {"type": "ready", "inflight": 1 if self._hello.memory == "set" else 64}
        if isinstance(self._bot, type) and callable(getattr(self._bot, "round", None)):
            ready["events"] = ["round"]
        return json.dumps(ready, separators=(",", ":")) + "\n"

    def tell(self, message: Dict[str, Any]) -> None:
        """Hands on what needs no answer."""
        kind = message["type"]
        if kind == "start":
            self._start(message)
        elif kind == "round":
            self._call(message["game"], "round", Round(message))
        elif kind == "end":
            self._call(message["game"], "end", End(message))
            self._objects.pop(message["game"], None)
            self._acts.pop(message["game"], None)
        elif kind == "error":
            request = f" (request {message['id']})" if "id" in message else ""
            _say(f"the arena says: {message.get('why')}{request}")

    def answer(self, message: Dict[str, Any]) -> str:
        """The line that answers a turn."""
        try:
            act = self._acts[message["game"]]
        except KeyError:
            act = self._act_without_start(message)
        answer = act(self._turn(message))
        if answer.__class__ is not str:
            answer = self._as_key(answer)
        try:
            return f'{{"id":{message["id"]},{self._written[answer]}'
        except KeyError:
            return f'{{"id":{message["id"]},{self._write(answer)}'

    def failed(self, message: Dict[str, Any], error: Exception) -> str:
        """The line that reports an exception of the author's code: its game fails, and the others go on."""
        _report(error, message)
        game = message.get("game")
        self._acts.pop(game, None)
        self._objects.pop(game, None)
        return json.dumps({"id": message["id"], "error": _error_text(error)}, separators=(",", ":")) + "\n"

    def answer_fields(self, message: Dict[str, Any]) -> Dict[str, Any]:
        """What a turn is answered with, as a JSON object."""
        return json.loads(self.answer(message))

    def _choose(self, game: str) -> None:
        bot = self._bots.get(game, self._bots.get(""))
        if game not in _GAMES or bot is None:
            _say(f"this bot does not play {game}")
            raise SystemExit(1)
        self._game, self._bot = _GAMES[game], bot
        self._turn, self._field = self._game.turn, self._game.field

    def guess(self, turn: Dict[str, Any]) -> None:
        """Tells the game from a turn, where there was no hello."""
        if self._game is None:
            self._choose("yahtzee" if "stage" in turn else "liars-dice")

    def _start(self, message: Dict[str, Any]) -> None:
        if self._game is None:
            return
        self._open(message["game"])
        start = Start(message)
        start.hello = self._hello
        self._call(message["game"], "start", start)

    def _open(self, game: Any) -> Callable[[Any], Any]:
        if isinstance(self._bot, type):
            self._objects[game] = made = self._bot()
            act = made.act
        else:
            act = self._bot
        self._acts[game] = act
        return act

    def _act_without_start(self, message: Dict[str, Any]) -> Callable[[Any], Any]:
        self.guess(message)
        return self._open(message["game"])

    def _call(self, game: Any, hook: str, told: _Message) -> None:
        method = getattr(self._objects.get(game), hook, None)
        if method is not None:
            method(told)

    def _as_key(self, answer: Any) -> Any:
        if isinstance(answer, dict):
            # An error names it, and not its keys alone.
            self._field(answer)
        try:
            key = tuple(answer)
            hash(key)
            return key
        except TypeError:
            self._field(answer)
            raise

    def _write(self, answer: Any) -> str:
        written = json.dumps(self._field(answer), separators=(",", ":"))[1:] + "\n"
        if len(self._written) < 4096:
            self._written[answer] = written
        return written


def _say(text: str) -> None:
    print(f"dicehill: {text}", file=sys.stderr, flush=True)


def _fail(error: Exception, message: Any) -> NoReturn:
    _report(error, message)
    raise SystemExit(1)


def _report(error: Exception, message: Any) -> None:
    """Reports what went wrong in the author's code, without the frames of this module above it."""
    what = f"request {message['id']}" if "id" in message else str(message.get("type"))
    _say(f"game {message.get('game')}, {what}: {type(error).__name__}")
    traceback.print_exception(type(error), error, _authors_trace(error))
    sys.stderr.flush()


def _authors_trace(error: Exception) -> Any:
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _error_text(error: Exception) -> str:
    """The exception and the innermost places that it came through, for the board."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # What an exception says may be the author's code too.
        text = type(error).__name__
    # How deep a recursion gets depends on the machine.
    frames = [] if isinstance(error, RecursionError) else traceback.extract_tb(_authors_trace(error))[:-4:-1]
    places = [f"{frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})" for frame in frames]
    return text[:300] + (f" at {', '.join(places)}" if places else "")


# The pipe.

#: Answers wait for others that can go out in the same write, but no longer than this: the clock
#: of a request runs until its answer is written, and a slow bot has time for each of them.
_PATIENCE = 0.001


def run(bot: Any = None, *, yahtzee: Any = None, liars_dice: Any = None) -> None:
    """Plays until the arena ends the process. Call it last.

    `bot` is the function or class that plays. A bot for both games names one for each instead:
    `run(yahtzee=..., liars_dice=...)`.

    While it runs, standard output belongs to the arena: whatever else is printed goes to standard
    error, and standard input is empty. With `--transcript FILE` on the command line it steps
    through a saved game instead and prints what the bot does.
    """
    bots = _named(bot, yahtzee, liars_dice)
    transcript = _transcript_argument(sys.argv[1:])
    if transcript is not None:
        _show(bots, transcript)
    else:
        _serve(_Bots(bots), *_take_pipes())


def _named(bot: Any, yahtzee: Any, liars_dice: Any) -> Dict[str, Any]:
    given = {"": bot, "yahtzee": yahtzee, "liars-dice": liars_dice}
    bots = {game: bot for game, bot in given.items() if bot is not None}
    if not bots:
        raise TypeError("run() needs a bot")
    for game, each in bots.items():
        if isinstance(each, type) and not callable(getattr(each, "act", None)):
            raise TypeError(f"the class {each.__name__} has no method act(self, turn)")
        if not callable(each):
            raise TypeError(f"{each!r} is neither a function nor a class")
    return bots


def _take_pipes() -> Tuple[int, int]:
    """Keeps the arena's pipes aside, where neither the bot nor a child process of it finds them."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # There is no standard error.
        os.dup2(nothing, 1)
    os.close(nothing)
    # What was printed before and has not gone out yet goes the same way.
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.stdout = sys.stderr
    return requests, answers


def _serve(bots: _Bots, requests: int, answers: int) -> None:
    clock, answer = time.monotonic, bots.answer
    pending: List[str] = []
    message: Dict[str, Any] = {}
    for messages in _batches(requests):
        write_at = clock() + _PATIENCE
        try:
            for message in messages:
                kind = message.get("type")
                if kind == "turn":
                    try:
                        pending.append(answer(message))
                    except MemoryError:  # Other games may have used it up.
                        raise
                    except Exception as error:
                        pending.append(bots.failed(message, error))
                    if clock() > write_at:
                        _write_all(answers, pending)
                        write_at = clock() + _PATIENCE
                elif kind == "hello":
                    pending.append(bots.hello(message))
                    _write_all(answers, pending)
                elif kind == "bye":
                    _write_all(answers, pending)
                    return
                elif kind is not None:
                    bots.tell(message)
        except Exception as error:
            _write_all(answers, pending)
            _fail(error, message)
        _write_all(answers, pending)


def _batches(requests: int) -> Iterator[List[Dict[str, Any]]]:
    """All messages that are in the pipe, whenever there are any."""
    unfinished = b""
    while True:
        data = os.read(requests, 65536)
        if not data:
            yield _messages(unfinished)
            return
        end = data.rfind(b"\n")
        if end < 0:
            unfinished += data
            continue
        yield _messages(unfinished + data[:end])
        unfinished = data[end + 1 :]


def _messages(lines: bytes) -> List[Dict[str, Any]]:
    text = lines.decode("utf-8", "replace")
    try:
        # To read all lines as one list is a good deal faster than to read them one by one.
        messages = json.loads(f"[{text}]" if "\n" not in text else "[" + text.replace("\n", ",") + "]")
    except (ValueError, RecursionError):
        messages = []
    if len(messages) != text.count("\n") + 1:
        messages = [_message(line) for line in text.split("\n") if line.strip()]
    return [message for message in messages if message.__class__ is dict]


def _message(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        _say(f"ignored a line that is not JSON: {line[:80]!r}")
        return None


def _write_all(answers: int, pending: List[str]) -> None:
    data = "".join(pending).encode()
    pending.clear()
    while data:
        try:
            data = data[os.write(answers, data) :]
        except BrokenPipeError:  # The arena has gone.
            raise SystemExit(0) from None


# Saved games.


class Step(NamedTuple):
    """One turn of a saved game and the bot's answer."""

    #: The turn as the arena sent it.
    turn: Dict[str, Any]
    #: The bot's answer as it would be sent.
    answer: Dict[str, Any]
    #: The answer in the file; None if there is none.
    recorded: Optional[Dict[str, Any]]
    #: Why the arena would refuse the answer; None if it would not.
    fault: Optional[str]


def replay(
    bot: Any = None, lines: Iterable[str] = (), *, yahtzee: Any = None, liars_dice: Any = None
) -> Iterator[Step]:
    """Passes the requests of a saved game to the bot, one step per turn, without clocks.

    `lines` are those of a file: messages to the bot, plain or after `> `; recorded answers after
    `< `; comments after `#`. They need not be of one game. What the bot raises is not caught.
    """
    return _steps(_named(bot, yahtzee, liars_dice), list(lines))


def check(
    bot: Any = None, lines: Iterable[str] = (), *, yahtzee: Any = None, liars_dice: Any = None
) -> List[str]:
    """The bot's answers to a saved game that the arena would refuse, with the reasons."""
    steps = list(replay(bot, lines, yahtzee=yahtzee, liars_dice=liars_dice))
    if not steps:
        return ["there is no turn in it"]
    return [f"request {step.turn['id']}: {step.fault}" for step in steps if step.fault]


def _steps(named: Dict[str, Any], lines: List[str]) -> Iterator[Step]:
    bots = _Bots(named)
    requests, recorded = _sorted_out(lines)
    for turn in [message for message in requests if message.get("type") == "turn"][:1]:
        bots.guess(turn)
    for message in requests:
        if message.get("type") == "turn":
            answer = bots.answer_fields(message)
            yield Step(message, answer, recorded.get(message["id"]), _fault(message, answer))
        elif message.get("type") == "hello":
            bots.hello(message)
        elif message.get("type") not in (None, "bye"):
            bots.tell(message)


def _sorted_out(lines: List[str]) -> Tuple[List[Dict[str, Any]], Dict[Any, Dict[str, Any]]]:
    """The messages to the bot in their order, and the recorded answers by request."""
    requests, recorded = [], {}
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            message = json.loads(line.lstrip("<> "))
        except ValueError as error:
            raise ValueError(f"line {number} of the transcript is not JSON: {error}") from None
        if not line.startswith("<"):
            requests.append(message)
        elif "id" in message:
            if "category" in message:
                message["category"] = _category(message["category"])
            recorded[message["id"]] = message
    return requests, recorded


def _transcript_argument(arguments: List[str]) -> Optional[str]:
    for place, argument in enumerate(arguments):
        if argument.startswith("--transcript="):
            return argument[len("--transcript=") :]
        if argument == "--transcript":
            if place + 1 == len(arguments):
                _say("--transcript needs a file")
                raise SystemExit(2)
            return arguments[place + 1]
    return None


def _show(named: Dict[str, Any], path: str) -> None:
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
    except OSError as error:
        _say(f"{path}: {error.strerror}")
        raise SystemExit(1) from None
    for step in _steps(named, lines):
        print(_turn_line(step.turn))
        print("  " + _answer_line(step), flush=True)


def _turn_line(turn: Dict[str, Any]) -> str:
    dice = " ".join(map(str, turn["dice"]))
    where = f"game {turn['game']}, request {turn['id']}"
    if "stage" in turn:
        legal = ", ".join(f"{category} {score}" for category, score in turn["legal"].items())
        return f"{where}, round {turn['round']}, stage {turn['stage']}: dice {dice}; {legal}"
    counts = " ".join(map(str, turn["counts"]))
    bids = ", ".join(turn["bids"]) or "none"
    return f"{where}, seat {turn['you']} of {counts}: dice {dice}; bids: {bids}"


def _answer_line(step: Step) -> str:
    line = _answer_words(step.answer, step.turn)
    if step.fault:
        line += f" - illegal: {step.fault}"
    if step.recorded == step.answer:
        line += " - as recorded"
    elif step.recorded is not None:
        line += f" - recorded: {_answer_words(step.recorded, step.turn)}"
    return line


def _answer_words(answer: Dict[str, Any], turn: Dict[str, Any]) -> str:
    if "keep" in answer:
        kept = [str(turn["dice"][place]) for place in answer["keep"] if 0 <= place < 5]
        return f"keep {answer['keep']}: {' '.join(kept) or 'no die'}"
    return str(answer.get("category", answer.get("bid")))
