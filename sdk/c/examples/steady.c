/* Plays both games steadily: simple, legal, and the same in every language's SDK. */

#define DICEHILL_IMPLEMENTATION
#include "../dicehill.h"

/* Keeps the most frequent face, the higher one of two; fills the box that is worth most. */
static dh_answer yahtzee(const dh_yahtzee_turn *turn, void *mine) {
    (void)mine;
    int best = 1;
    for (int face = 2; face <= 6; face++)
        if (dh_showing(turn, face) >= dh_showing(turn, best)) best = face;
    if (turn->stage < 2 && dh_showing(turn, best) < 5) return dh_answer_keep_face(turn, best);
    return dh_answer_category(dh_best(turn));
}

/* Stays with its best face; believes in a third of the hidden dice. */
static dh_answer liars_dice(const dh_liars_dice_turn *turn, void *mine) {
    (void)mine;
    int best = 2;
    for (int face = 3; face <= 6; face++)
        if (dh_own(turn, face) >= dh_own(turn, best)) best = face;
    const dh_bid *last = dh_last(turn);
    if (!last) return dh_answer_bid(dh_own(turn, best) > 0 ? dh_own(turn, best) : 1, best);
    int believed = dh_own(turn, last->face) + dh_hidden_dice(turn) / (last->face == 1 ? 6 : 3);
    if (last->count > believed) return dh_answer_liar();
    return dh_answer_bid(dh_lowest(turn, best).count, best);
}

int main(int argc, char **argv) {
    return dh_run(argc, argv, &(dh_bot){.yahtzee = yahtzee, .liars_dice = liars_dice});
}
