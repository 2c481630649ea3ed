/* The conformance bot in C. sdk/conformance/README.md says what it does. */

#define DICEHILL_IMPLEMENTATION
#include "../dicehill.h"

static char **actions;
static int action_count, turns_of_all_games;

static const char *next_action(void) {
    int place = turns_of_all_games++;
    return actions[place < action_count ? place : action_count - 1];
}

static bool is(const char *action, const char *name) {
    size_t length = strlen(name);
    return strncmp(action, name, length) == 0 && (action[length] == 0 || action[length] == ' ');
}

static void fail(const char *action) {
    if (is(actions[0], action)) dh_fail("as told");
}

static bool is_told(void) { return is(actions[0], "tell"); }

/* Numbers with blanks between them, after what stands between groups. */
#define NUMBERS(before, count, number)                                  \
    do {                                                                \
        printf("%s", before);                                           \
        for (int i = 0; i < (count); i++)                               \
            printf("%s%" PRId64, i > 0 ? " " : "", (int64_t)(number));  \
    } while (0)

static void print_bids(int count, const dh_bid *bids) {
    printf(" | ");
    for (int i = 0; i < count; i++) printf("%s%d %d", i > 0 ? ", " : "", bids[i].count, bids[i].face);
}

static void print_boxes(const int *scores) {
    const char *between = " | ";
    for (int box = 0; box < DH_CATEGORIES; box++) {
        if (scores[box] < 0) continue;
        printf("%s%s %d", between, dh_category_name((dh_category)box), scores[box]);
        between = " ";
    }
}

static void other_action(const char *action) {
    if (is(action, "print")) puts("stray");
    if (is(action, "fail")) dh_fail("as told");
}

static void start(const dh_start *start, void *mine) {
    (void)mine;
    fail("fail-start");
    if (is_told()) printf("start %" PRId64 " %d %016" PRIx64 "\n", start->game, start->players, start->seed);
}

static dh_answer keep(const char *numbers) {
    int indexes[5] = {0}, count = 0;
    for (; *numbers && count < 5; count++) indexes[count] = (int)strtol(numbers, (char **)&numbers, 10);
    return dh_answer_keep(count, indexes);
}

static dh_answer category(const char *name) {
    /* The constant of ACES is all that an author can name. */
    if (strcmp(name, "ONES") == 0) return dh_answer_category(DH_ACES);
    int box = 0;
    while (box < DH_CATEGORIES && strcmp(name, dh_category_name((dh_category)box)) != 0) box++;
    return dh_answer_category((dh_category)box);
}

static dh_answer yahtzee(const dh_yahtzee_turn *turn, void *mine) {
    static const int first[] = {0, 1, 2, 3, 4};
    const char *action = next_action();
    int before = (*(int *)mine)++;
    if (is(action, "keep")) return keep(action + 4);
    if (is(action, "turns")) return dh_answer_keep(before, first);
    if (is(action, "category")) return category(action + 9);
    other_action(action);
    if (is_told()) {
        printf("turn %" PRId64 " %" PRId64 " %d %d", turn->id, turn->game, turn->round, turn->stage);
        NUMBERS(" | ", 5, turn->dice[i]);
        print_boxes(turn->card);
        print_boxes(turn->legal);
        printf(" | %d %d %d %d", turn->upper, turn->upper_bonus, turn->yahtzee_bonus, turn->score);
        NUMBERS(" | ", turn->players, turn->scores[i]);
        puts("");
    }
    return dh_answer_category(dh_best(turn));
}

static dh_answer liars_dice(const dh_liars_dice_turn *turn, void *mine) {
    (void)mine;
    const char *action = next_action();
    if (is(action, "bid")) {
        char *face;
        int count = (int)strtol(action + 4, &face, 10);
        return dh_answer_bid(count, (int)strtol(face, NULL, 10));
    }
    other_action(action);
    if (is_told()) {
        dh_bid lowest[6];
        for (int face = 1; face <= 6; face++) lowest[face - 1] = dh_lowest(turn, face);
        printf("turn %" PRId64 " %" PRId64 " %d", turn->id, turn->game, turn->you);
        NUMBERS(" | ", turn->players, turn->counts[i]);
        NUMBERS(" | ", turn->held, turn->dice[i]);
        print_bids(turn->made, turn->bids);
        printf(" |");
        for (int seat = 0; seat < turn->players; seat++) printf(" %s", turn->names[seat]);
        NUMBERS(" | ", turn->players, turn->points[i]);
        printf("\ntable %d %d", dh_dice_in_play(turn), dh_hidden_dice(turn));
        NUMBERS(" | ", turn->made, dh_bidder(turn, i));
        print_bids(6, lowest);
        const char *truth[] = {"false", "true"};
        printf(" | %s", truth[dh_is_higher(turn, (dh_bid){4, 2})]);
        printf(" %s\n", truth[dh_is_higher(turn, (dh_bid){4, 3})]);
    }
    return dh_answer_liar();
}

static void round_told(const dh_round *round, void *mine) {
    (void)mine;
    fail("fail-round");
    if (!is_told()) return;
    printf("round %" PRId64, round->game);
    print_bids(round->made, round->bids);
    for (int seat = 0; seat < round->players; seat++)
        NUMBERS(seat > 0 ? "; " : " | ", round->hands[seat].held, round->hands[seat].dice[i]);
    printf(" | %d %d %s\n", round->caller, round->bidder, round->held ? "true" : "false");
}

static void end(const dh_end *end, void *mine) {
    (void)mine;
    fail("fail-end");
    if (!is_told()) return;
    printf("end %" PRId64, end->game);
    if (end->names) {
        printf(" | %s", end->winner ? end->winner : "-");
        NUMBERS(" | ", end->players, end->points[i]);
        printf(" |");
        for (int seat = 0; seat < end->players; seat++) printf(" %s", end->names[seat]);
        puts("");
    } else {
        NUMBERS(" | ", end->players, end->scores[i]);
        printf(" | %" PRId64 " %s\n", end->score, end->won ? "true" : "false");
    }
}

int main(int argc, char **argv) {
    actions = argv + 1;
    while (action_count + 1 < argc && strcmp(argv[action_count + 1], "--transcript") != 0) action_count++;
    dh_bot bot = {yahtzee, liars_dice, sizeof(int), start, round_told, end};
    if (is(actions[0], "one-game")) bot.liars_dice = NULL;
    return dh_run(argc, argv, &bot);
}
