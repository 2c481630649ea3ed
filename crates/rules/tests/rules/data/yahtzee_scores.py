"""An independently written table of Yahtzee scores, read by the rules' tests.

It is written straight from the rules in the most naive way and shares nothing
with the code it checks. To make the table again:

    python3 yahtzee_scores.py > yahtzee_scores.tsv

Three kinds of line, tab-separated (lines beginning with # are comments):

plain   roll, then for each category `fits:score`: whether the roll fits it (1
        or 0), and what a free box gets without the joker rule. Every sorted
        roll of five dice, ascending. A roll fits an upper category if at least
        one die shows its face.
joker   roll (five of a kind), the free categories as 0s and 1s (1 = free),
        then for each category what goes into its box if it is named now, or
        `-` if it may not be named. Every set of free categories without
        YAHTZEE and with at least one other category.
bonus   kind of roll, the Yahtzee box before this turn's score, the rule set,
        and the Yahtzee bonus earned by scoring the roll now.
"""

from itertools import combinations_with_replacement, product

UPPER = ["ACES", "TWOS", "THREES", "FOURS", "FIVES", "SIXES"]
LOWER = ["THREE_OF_A_KIND", "FOUR_OF_A_KIND", "FULL_HOUSE", "SMALL_STRAIGHT",
         "LARGE_STRAIGHT", "YAHTZEE", "CHANCE"]
CATEGORIES = UPPER + LOWER

FACE = {"ACES": 1, "TWOS": 2, "THREES": 3, "FOURS": 4, "FIVES": 5, "SIXES": 6}


def most_equal(dice):
    """How many dice show the commonest face."""
    return max(dice.count(face) for face in dice)


def contains_any_run(dice, runs):
    return any(set(run) <= set(dice) for run in runs)


def fits(category, dice):
    if category in UPPER:
        return FACE[category] in dice
    if category == "THREE_OF_A_KIND":
        return most_equal(dice) >= 3
    if category == "FOUR_OF_A_KIND":
        return most_equal(dice) >= 4
    if category == "FULL_HOUSE":
        # Exactly three of one face and two of another.
        return sorted(dice.count(face) for face in set(dice)) == [2, 3]
    if category == "SMALL_STRAIGHT":
        return contains_any_run(dice, [[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]])
    if category == "LARGE_STRAIGHT":
        return contains_any_run(dice, [[1, 2, 3, 4, 5], [2, 3, 4, 5, 6]])
    if category == "YAHTZEE":
        return len(set(dice)) == 1
    if category == "CHANCE":
        return True
    raise ValueError(category)


def plain_score(category, dice):
    """Points for a free box without the joker rule."""
    if not fits(category, dice):
        return 0
    if category in UPPER:
        return sum(die for die in dice if die == FACE[category])
    if category == "FULL_HOUSE":
        return 25
    if category == "SMALL_STRAIGHT":
        return 30
    if category == "LARGE_STRAIGHT":
        return 40
    if category == "YAHTZEE":
        return 50
    # Three of a kind, four of a kind, chance.
    return sum(dice)


def joker_scores(dice, free):
    """What each category that may be named scores, for five of a kind when
    the Yahtzee box is filled. `free` is the set of free categories."""
    assert len(set(dice)) == 1 and "YAHTZEE" not in free and free

    # 1. The upper box of that face, if free, must be taken.
    own_upper = [category for category in UPPER if FACE[category] == dice[0]][0]
    if own_upper in free:
        return {own_upper: sum(dice)}

    # 2. Else any free lower box.
    free_lower = [category for category in LOWER if category in free]
    if free_lower:
        scores = {}
        for category in free_lower:
            if category == "FULL_HOUSE":
                scores[category] = 25
            elif category == "SMALL_STRAIGHT":
                scores[category] = 30
            elif category == "LARGE_STRAIGHT":
                scores[category] = 40
            else:
                scores[category] = sum(dice)
        return scores

    # 3. Else any free upper box, for 0.
    return {category: 0 for category in UPPER if category in free}


def bonus(kind, yahtzee_box, rules):
    """The Yahtzee bonus; `yahtzee_box` is the box before the roll is scored."""
    if kind != "yahtzee":
        return 0
    if yahtzee_box == "free":
        return 0
    if yahtzee_box == "50":
        return 100
    if yahtzee_box == "0":
        return 100 if rules == "mego-2016" else 0
    raise ValueError(yahtzee_box)


def roll_text(dice):
    return "".join(str(die) for die in dice)


def main():
    print("# Yahtzee scores, written by yahtzee_scores.py")
    print("\t".join(["# plain", "roll"] + [c + " fits:score" for c in CATEGORIES]))
    for dice in combinations_with_replacement([1, 2, 3, 4, 5, 6], 5):
        row = ["plain", roll_text(dice)]
        for category in CATEGORIES:
            row.append("%d:%d" % (1 if fits(category, dice) else 0,
                                  plain_score(category, dice)))
        print("\t".join(row))

    print("\t".join(["# joker", "roll", "free"] + CATEGORIES))
    for face in [1, 2, 3, 4, 5, 6]:
        dice = [face] * 5
        for flags in product("01", repeat=len(CATEGORIES)):
            free = {c for c, flag in zip(CATEGORIES, flags) if flag == "1"}
            if "YAHTZEE" in free or not free:
                continue
            scores = joker_scores(dice, free)
            row = ["joker", roll_text(dice), "".join(flags)]
            for category in CATEGORIES:
                row.append(str(scores[category]) if category in scores else "-")
            print("\t".join(row))

    print("\t".join(["# bonus", "roll", "yahtzee box", "rules", "bonus"]))
    for kind in ["yahtzee", "other"]:
        for yahtzee_box in ["free", "0", "50"]:
            for rules in ["official", "mego-2016"]:
                print("\t".join(["bonus", kind, yahtzee_box, rules,
                                 str(bonus(kind, yahtzee_box, rules))]))


if __name__ == "__main__":
    main()
