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

    dh_yahtzee_turn turn = {.stage = 1, .dice = {6, 6, 6, 6, 6}};
    for (int box = 0; box < DH_CATEGORIES; box++) turn.legal[box] = -1;
    turn.legal[DH_SIXES] = 30;
    turn.legal[DH_YAHTZEE] = 50;
    dh_answer answer = act(&turn, NULL);
    if (answer.kind != DH_NAME || answer.category != DH_YAHTZEE) return failed("a Yahtzee is not taken at once");

    (void)puts("all tests passed");
    return 0;
}
