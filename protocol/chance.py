#!/usr/bin/env python3
"""Everything random in dicehill, as pure functions of a master seed and a place.

Written from the documentation at the head of crates/rules/src/chance.rs, and
sharing no code with it, so that the dice of a run can be recomputed independently:

    from chance import Chance
    Chance("spring").dice(table=1, seat=0, round=1, roll=0, count=5)

    python3 chance.py            checks chance-vectors.json
    python3 chance.py --write    regenerates it
"""

import hashlib
import json
import os
import re
import sys

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chance-vectors.json")
WORDS = 1 << 64
DICE_PER_WORD = 12


def siphash(key, message):
    """SipHash-2-4 of `message` under a key of 16 bytes (Aumasson and Bernstein, 2012)."""
    mask = WORDS - 1
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D,
         k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def half_round(a, b, c, d, s, t):
        v[a], v[c] = (v[a] + v[b]) & mask, (v[c] + v[d]) & mask
        v[b] = ((v[b] << s | v[b] >> 64 - s) & mask) ^ v[a]
        v[d] = ((v[d] << t | v[d] >> 64 - t) & mask) ^ v[c]
        v[a] = (v[a] << 32 | v[a] >> 32) & mask

    def rounds(count):
        for _ in range(count):
            half_round(0, 1, 2, 3, 13, 16)
            half_round(2, 1, 0, 3, 17, 21)

    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        block = int.from_bytes(padded[start:start + 8], "little")
        v[3] ^= block
        rounds(2)
        v[0] ^= block
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def bytes_of(number, length):
    return number.to_bytes(length, "little")


def first_fair_word(word_of_attempt, choices):
    """The first word below the greatest multiple of `choices`, and its attempt."""
    attempt = 0
    while True:
        word = word_of_attempt(attempt)
        if word < WORDS - WORDS % choices:
            return word, attempt
        attempt += 1


def text_of(seed):
    """The part of a master seed before its secret; all of it if it has none."""
    found = re.fullmatch("(.*)#[0-9a-f]{32}", seed, re.DOTALL)
    return found.group(1) if found else seed


class Chance:
    """All chance of one master seed, or of the qualification for its run."""

    def __init__(self, seed, qualification=False):
        self.seed = seed
        self.qualification = qualification

    def word(self, purpose, message):
        # Seats and table sizes follow from the text alone.
        seed = text_of(self.seed) if purpose in ("seat", "size") else self.seed
        if self.qualification and purpose in ("dice", "bot"):
            purpose = "qualification-" + purpose
        text = "dicehill/1/%s\n%s" % (purpose, seed)
        return siphash(hashlib.sha256(text.encode("utf-8")).digest()[:16], message)

    def dice_word(self, table, seat, round, block):
        """The word that twelve dice are read from, and the attempt that found it."""
        place = bytes_of(table, 8) + bytes_of(round, 4) + bytes_of(seat, 2) + bytes_of(block, 1)
        word = lambda attempt: self.word("dice", place + bytes_of(attempt, 1))
        return first_fair_word(word, 6 ** DICE_PER_WORD)

    def die(self, table, seat, round, roll, slot):
        word, _ = self.dice_word(table, seat, round, roll + slot // DICE_PER_WORD)
        return word // 6 ** (slot % DICE_PER_WORD) % 6 + 1

    def dice(self, table, seat, round, roll, count):
        return [self.die(table, seat, round, roll, slot) for slot in range(count)]

    def seat_key(self, game, name):
        return self.word("seat", bytes_of(game, 8) + name.encode("utf-8"))

    def size_word(self, game, choices):
        """The word that chooses a table's size, and the attempt that found it."""
        word = lambda attempt: self.word("size", bytes_of(game, 8) + bytes_of(attempt, 8))
        return first_fair_word(word, choices)

    def table_size(self, game, choices):
        """Which of `choices` sizes the table has, from 0."""
        return self.size_word(game, choices)[0] % choices

    def bot_seed(self, game, name):
        return self.word("bot", bytes_of(game, 8) + name.encode("utf-8"))

    def game_id(self, game, name):
        """The id of a game in messages to external bots."""
        return self.word("id", bytes_of(game, 8) + name.encode("utf-8")) >> 12


def hexadecimal(word):
    return "%016x" % word


# For each section of the vectors: what its entries have to say.
def siphash_answer(entry):
    key, message = bytes.fromhex(entry["key"]), bytes.fromhex(entry["message"])
    return {"word": hexadecimal(siphash(key, message))}


def dice_answer(entry):
    place = [entry[name] for name in ("table", "seat", "round", "roll")]
    return {"faces": Chance(entry["seed"]).dice(*place, len(entry["faces"]))}


def qualification_dice_answer(entry):
    place = [entry[name] for name in ("table", "seat", "round", "roll")]
    chance = Chance(entry["seed"], qualification=True)
    return {"faces": chance.dice(*place, len(entry["faces"]))}


def seed_hash_answer(entry):
    text = "dicehill/1/seed-hash\n" + entry["seed"]
    return {"hash": "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()}


def seat_key_answer(entry):
    return {"key": hexadecimal(Chance(entry["seed"]).seat_key(entry["game"], entry["name"]))}


def table_size_answer(entry):
    return {"size": Chance(entry["seed"]).table_size(entry["game"], entry["choices"])}


def bot_seed_answer(entry):
    return {"bot_seed": hexadecimal(Chance(entry["seed"]).bot_seed(entry["game"], entry["name"]))}


def game_id_answer(entry):
    return {"id": Chance(entry["seed"]).game_id(entry["game"], entry["name"])}


ANSWERS = {
    "siphash": siphash_answer,
    "dice": dice_answer,
    "qualification_dice": qualification_dice_answer,
    "seed_hashes": seed_hash_answer,
    "seat_keys": seat_key_answer,
    "table_sizes": table_size_answer,
    "bot_seeds": bot_seed_answer,
    "game_ids": game_id_answer,
}


def check():
    """Whether every vector is what is computed here; prints those that are not."""
    with open(VECTORS, encoding="utf-8") as file:
        vectors = json.load(file)
    passed = failed = 0
    for section, answer in ANSWERS.items():
        assert vectors[section], "no vectors of %s" % section
        for entry in vectors[section]:
            computed = answer(entry)
            if all(entry[name] == value for name, value in computed.items()):
                passed += 1
            else:
                failed += 1
                print("failed: %s %s: computed %s" % (section, json.dumps(entry), computed))
    print("%d passed, %d failed" % (passed, failed))
    return failed == 0


SEEDS = ["", "spring", "1", "any text", "Grüße, 世界 🎲", " ", "line\nbreak", "long " * 20,
         "spring#0123456789abcdef0123456789abcdef", "spring#fedcba9876543210fedcba9876543210",
         # Secrets have 32 lower-case digits; only the last part is one.
         "spring#0123456789ABCDEF0123456789ABCDEF", "spring#0123", "issue #5",
         "#0123456789abcdef0123456789abcdef", "line\nbreak#0123456789abcdef0123456789abcdef",
         "a#0123456789abcdef0123456789abcdef#0123456789abcdef0123456789abcdef"]
GREATEST_SAFE = 2 ** 53 - 1  # the greatest integer that every JSON reader keeps
NAMES = ["A", "AcesAndEights", "abcdefg", "abcdefgh", "", "Würfelkönig 骰子 🎲", "n" * 56,
         "n" * 57, "n" * 64, "é" * 64]
# The first table, found by trying 2.3e10 of them, whose first word for this
# place would favour some faces and is drawn again.
DRAWN_AGAIN = {"seed": "spring", "table": 22572103018, "seat": 0, "round": 1, "roll": 0}


def dice_places():
    """(table, seat, round, roll, number of dice)."""
    for table, seat, round in [(1, 0, 1), (2, 1, 13), (1000, 4, 7)]:
        for roll in range(3):
            yield table, seat, round, roll, 5
    for count in (1, 4, 12, 13, 24, 25):
        yield 3, 2, 2, 0, count
    yield 0, 0, 0, 0, 5
    yield GREATEST_SAFE, 65535, 2 ** 32 - 1, 2, 5
    yield 2 ** 32, 256, 65536, 1, 2
    yield 7, 999, 13, 2, 1


def dice_entries():
    for seed in SEEDS:
        for table, seat, round, roll, count in dice_places():
            yield {"seed": seed, "table": table, "seat": seat, "round": round, "roll": roll,
                   "faces": [0] * count}
    place = dict(DRAWN_AGAIN)
    assert Chance(place["seed"]).dice_word(place["table"], 0, 1, 0)[1] == 1
    yield {**place, "faces": [0] * 12}


def size_entries():
    for seed in SEEDS:
        for game in (1, 2, 3, 1000, GREATEST_SAFE):
            for choices in (1, 2, 3, 7):
                yield {"seed": seed, "game": game, "choices": choices}
    # With as many choices as this one word in 2,049 is drawn again. The first
    # words of games 1 and 2 stand; then comes the first game whose first word
    # does not.
    many = WORDS // 2049 + 1
    for game in (1, 2):
        yield {"seed": "spring", "game": game, "choices": many}
    again = next(game for game in range(1, 100000)
                 if Chance("spring").size_word(game, many)[1] > 0)
    yield {"seed": "spring", "game": again, "choices": many}


def named_entries():
    for seed in SEEDS:
        for game in (1, 2, GREATEST_SAFE):
            for name in NAMES:
                yield {"seed": seed, "game": game, "name": name}


def write():
    entries = {
        # The vector printed in the paper, and some of its authors' program.
        "siphash": [{"key": bytes(range(16)).hex(), "message": bytes(range(length)).hex()}
                    for length in (15, 0, 7, 8, 63)],
        "dice": dice_entries(),
        "qualification_dice": [entry for entry in dice_entries() if entry["table"] == 1],
        "seed_hashes": [{"seed": seed} for seed in SEEDS],
        "seat_keys": named_entries(),
        "table_sizes": size_entries(),
        "bot_seeds": named_entries(),
        "game_ids": named_entries(),
    }
    sections = []
    for section, inputs in entries.items():
        lines = [json.dumps({**entry, **ANSWERS[section](entry)}, ensure_ascii=False)
                 for entry in inputs]
        sections.append('"%s": [\n%s\n]' % (section, ",\n".join(lines)))
    head = '"schema": "dicehill.chance-vectors/1"'
    with open(VECTORS, "w", encoding="utf-8", newline="\n") as file:
        file.write("{\n%s\n}\n" % ",\n".join([head] + sections))


def main(arguments):
    if arguments == ["--write"]:
        write()
        return 0
    if arguments:
        print(__doc__)
        return 2
    return 0 if check() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
