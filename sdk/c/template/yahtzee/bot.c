/* __NAME__ plays Yahtzee. */

#define DICEHILL_IMPLEMENTATION
#include "dicehill.h"

/* What each box holds on average, so that Chance is not spent early on little. */
static const int average[DH_CATEGORIES] = {2, 5, 8, 12, 15, 19, 22, 13, 23, 29, 33, 17, 22};

/* The legal box that gains most over its average. */
static dh_category best_box(const dh_yahtzee_turn *turn) {
    int best = -1;
    for (int box = 0; box < DH_CATEGORIES; box++) {
        if (turn->legal[box] < 0) continue; /* filled, or barred by the joker rule */
        if (best < 0 || turn->legal[box] - average[box] > turn->legal[best] - average[best]) best = box;
    }
    return (dh_category)best;
}

/* Collects one face, unless the dice already make something good. */
static dh_answer act(const dh_yahtzee_turn *turn, void *mine) {
    (void)mine; /* a game's own memory: see .size in the README */
    /* These are taken as soon as they are there. */
    static const dh_category good[] = {DH_YAHTZEE, DH_LARGE_STRAIGHT, DH_SMALL_STRAIGHT, DH_FULL_HOUSE};
    for (int place = 0; place < 4; place++)
        if (turn->legal[good[place]] > 0) return dh_answer_category(good[place]);
    if (turn->stage == 2) return dh_answer_category(best_box(turn));
    /* Otherwise the most frequent face is kept, the higher one of two, and the rest rolled again. */
    int most = 1;
    for (int face = 2; face <= 6; face++)
        if (dh_showing(turn, face) >= dh_showing(turn, most)) most = face;
    return dh_answer_keep_face(turn, most);
}

static const dh_bot bot = {.yahtzee = act};

int main(int argc, char **argv) {
    return dh_run(argc, argv, &bot);
}
