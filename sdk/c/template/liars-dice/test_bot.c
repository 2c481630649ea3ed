/* Run with `make test`. Further games for game.txt: `dicehill replay RUN GAME --input __NAME__`. */

#define main play
#include "bot.c"
#undef main

static int failed(const char *what) {
    (void)fprintf(stderr, "test_bot: %s\n", what);
    return 1;
}

int main(void) {
    if (dh_check(&bot, "game.txt", stderr) != 0) return failed("not every answer is legal");

    dh_liars_dice_turn turn = {
        .players = 2, .counts = (int[]){5, 2}, .held = 5, .dice = (int[]){2, 2, 3, 4, 6},
        .made = 1, .bids = (dh_bid[]){{7, 5}},
    };
    if (act(&turn, NULL).kind != DH_LIAR) return failed("seven fives of seven dice, none of them its own, are not called");

    (void)puts("all tests passed");
    return 0;
}
