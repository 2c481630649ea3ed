"""Plays the policy that train.py has learned, without packages: it takes the most probable choice.

The network is computed with whole numbers, so that it decides the same with every version of Python and on every machine.
"""

import array
import json
import os
import sys
from operator import mul

CATEGORIES = [
    *("ACES", "TWOS", "THREES", "FOURS", "FIVES", "SIXES", "THREE_OF_A_KIND", "FOUR_OF_A_KIND", "FULL_HOUSE"),
    *("SMALL_STRAIGHT", "LARGE_STRAIGHT", "YAHTZEE", "CHANCE"),
]
HIDDEN = 128
OUTPUTS = 49
#: 1 in the inputs of a layer, and in its weights.
ONE, WEIGHT = 1024, 4096


def read_layers(path):
    """The layers of the network: for each output its weights, and what is added to their sum."""
    numbers = array.array("h")
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    if sys.byteorder == "big":
        numbers.byteswap()
    layers, begin, numbers = [], 0, numbers.tolist()
    inputs = (len(numbers) - HIDDEN * (HIDDEN + 1) - OUTPUTS * (HIDDEN + 1)) // HIDDEN - 1
    for rows, columns in ((inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, OUTPUTS)):
        end = begin + rows * columns
        weights = [numbers[begin + column : end : columns] for column in range(columns)]
        layers.append((weights, [ONE * one for one in numbers[end : end + columns]]))
        begin = end + columns
    return layers


def features(turn):
    """What the network sees of a turn, 1 as ONE. `train.py` has the same for many turns."""
    faces = [turn["dice"].count(face) for face in range(1, 7)]
    card, legal, upper = turn["card"], turn["legal"], turn["upper"]
    free = [category not in card for category in CATEGORIES]
    ahead = upper - sum(3 * face for face in range(1, 7) if not free[face - 1])
    runs = [any(all(faces[start : start + length]) for start in range(7 - length)) for length in (3, 4, 5)]
    found = [count > least for count in faces for least in range(5)]
    found += [turn["stage"] == stage for stage in range(3)] + free
    found += [legal.get(category, 0) / 25 for category in CATEGORIES]
    found += runs + [max(faces) > least for least in range(1, 5)]
    found += [upper / 63, upper >= 63, ahead / 10, abs(ahead) / 10, card.get("YAHTZEE") == 50]
    found += [sum(free[:6]) / 6, sum(free[6:]) / 7]
    return [round(ONE * one) for one in found]


def outputs(layers, inputs):
    """The preferences of the seven decisions: how many dice of each face to keep, six for each, and which box to fill."""
    for number, (weights, biases) in enumerate(layers):
        sums = [sum(map(mul, inputs, row)) + bias for row, bias in zip(weights, biases)]
        inputs = [max(0, one // WEIGHT) for one in sums]
    return sums


def act(layers, turn):
    """The answer to a turn."""
    preferences = outputs(layers, features(turn))
    if turn["stage"] == 2:
        boxes = [(preferences[36 + index], -index) for index, name in enumerate(CATEGORIES) if name in turn["legal"]]
        return {"category": CATEGORIES[-max(boxes)[1]]}
    left = []
    for face in range(6):
        most = turn["dice"].count(face + 1)
        choices = preferences[6 * face : 6 * face + most + 1]
        left.append(choices.index(max(choices)))
    keep = []
    for place, die in enumerate(turn["dice"]):
        if left[die - 1]:
            left[die - 1] -= 1
            keep.append(place)
    return {"keep": keep}


def main():
    layers = read_layers(os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.bin"))
    for line in sys.stdin:
        message = json.loads(line) if line.strip() else {}
        if message.get("type") == "turn":
            print(json.dumps({"id": message["id"], **act(layers, message)}), flush=True)


if __name__ == "__main__":
    main()
