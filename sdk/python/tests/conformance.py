"""The conformance bot in Python. sdk/conformance/README.md says what it does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import dicehill

ARGUMENTS = [*sys.argv[1:], "--transcript"]
ACTIONS = ARGUMENTS[: ARGUMENTS.index("--transcript")]
IS_TOLD = ACTIONS[0] == "tell"
turns_of_all_games = 0


def next_action():
    global turns_of_all_games
    turns_of_all_games += 1
    return ACTIONS[min(turns_of_all_games, len(ACTIONS)) - 1].split()


def fail(action):
    if ACTIONS[0] == action:
        raise RuntimeError("as told")


def tell(kind, *groups):
    if IS_TOLD:
        print(kind, " | ".join(groups))


def words(values):
    return " ".join(str(value) for value in values)


def bids(all_bids):
    return ", ".join(words(bid) for bid in all_bids)


def boxes(scores):
    return words(f"{name} {scores[name]}" for name in dicehill.CATEGORIES if name in scores)


def truth(value):
    return str(value).lower()


class Bot:
    def __init__(self):
        self.turns = 0

    def start(self, start):
        fail("fail-start")
        tell("start", words([start.game, start.players, start.seed]))

    def act(self, turn):
        self.turns += 1
        action, *values = next_action()
        numbers = [int(value) for value in values if value.isdigit()]
        if action == "keep":
            return turn.keep(numbers)
        if action == "turns":
            return turn.keep(range(self.turns - 1))
        if action == "category":
            return turn.name(values[0])
        if action == "bid":
            return turn.bid(*numbers)
        if action == "print":
            print("stray")
        elif action == "fail":
            raise RuntimeError("as told")
        return self.told(turn)

    def told(self, turn):
        if isinstance(turn, dicehill.LiarsDiceTurn):
            where = [words([turn.id, turn.game, turn.you]), words(turn.counts), words(turn.dice)]
            tell("turn", *where, bids(turn.bids), words(turn.names), words(turn.points))
            seats = words(turn.bidder(place) for place in range(len(turn.bids)))
            lowest = bids(turn.lowest(face) for face in range(1, 7))
            higher = words(truth(turn.is_higher(4, face)) for face in (2, 3))
            tell("table", words([turn.dice_in_play, turn.hidden_dice]), seats, lowest, higher)
            return turn.liar
        where = [words([turn.id, turn.game, turn.round, turn.stage]), words(turn.dice)]
        sums = words([turn.upper, turn.upper_bonus, turn.yahtzee_bonus, turn.score])
        tell("turn", *where, boxes(turn.card), boxes(turn.legal), sums, words(turn.scores))
        return turn.best()

    def round(self, round):
        fail("fail-round")
        hands = "; ".join(words(hand) for hand in round.hands)
        tell("round", str(round.game), bids(round.bids), hands, words([round.caller, round.bidder, truth(round.held)]))

    def end(self, end):
        fail("fail-end")
        if "scores" in end.message:
            tell("end", str(end.game), words(end.scores), words([end.score, truth(end.won)]))
        else:
            tell("end", str(end.game), end.winner or "-", words(end.points), words(end.names))


if ACTIONS[0] == "one-game":
    dicehill.run(yahtzee=Bot)
else:
    dicehill.run(Bot)
