/* __NAME__ plays Liar's Dice. */

#define DICEHILL_IMPLEMENTATION
#include "dicehill.h"

/* The expected number of dice that count for a bid on the face; ones count for every face. */
static double believed(const dh_liars_dice_turn *turn, int face) {
    return dh_own(turn, face) + dh_hidden_dice(turn) * (face == 1 ? 1.0 / 6 : 1.0 / 3);
}

/* Of the lowest bids that may be made on each face, the one that is the safest. */
static dh_bid safest(const dh_liars_dice_turn *turn) {
    dh_bid best = dh_lowest(turn, 2);
    for (int face = 3; face <= 6; face++) {
        dh_bid bid = dh_lowest(turn, face);
        if (believed(turn, face) - bid.count > believed(turn, best.face) - best.count) best = bid;
    }
    return best;
}

/* Bids what it believes and calls what it does not. */
static dh_answer act(const dh_liars_dice_turn *turn, void *mine) {
    (void)mine; /* a game's own memory: see .size in the README */
    const dh_bid *last = dh_last(turn); /* NULL for the first to bid, who has nothing to call */
    if (last && last->count > believed(turn, last->face) + 1) return dh_answer_liar();
    dh_bid bid = safest(turn);
    if (last && bid.count > believed(turn, bid.face) + 1) return dh_answer_liar();
    return dh_answer_bid(bid.count, bid.face);
}

static const dh_bot bot = {.liars_dice = act};

int main(int argc, char **argv) {
    return dh_run(argc, argv, &bot);
}
