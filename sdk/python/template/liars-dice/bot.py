"""__NAME__ plays Liar's Dice."""

import dicehill
from dicehill import LiarsDiceTurn


def act(turn: LiarsDiceTurn) -> dicehill.LiarsDiceAnswer:
    """Bids what it believes and calls what it does not."""
    last = turn.last
    if last is not None and last.count > believed(turn, last.face) + 1:
        return turn.liar
    # Of the lowest bids that may be made on each face, the one that is the safest.
    bids = [turn.lowest(face) for face in range(2, 7)]
    safest = max(bids, key=lambda bid: (believed(turn, bid.face) - bid.count, turn.own(bid.face)))
    if last is not None and safest.count > believed(turn, safest.face) + 1:
        return turn.liar
    return turn.bid(safest.count, safest.face)


def believed(turn: LiarsDiceTurn, face: int) -> float:
    """The expected number of dice that count for a bid on the face; ones count for every face."""
    return turn.own(face) + turn.hidden_dice * (1 / 6 if face == 1 else 1 / 3)


if __name__ == "__main__":
    dicehill.run(act)
