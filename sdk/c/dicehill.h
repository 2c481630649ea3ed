/* dicehill.h - bots for the dicehill arena: Yahtzee and Liar's Dice, in C11 on any POSIX system.
 *
 *     #define DICEHILL_IMPLEMENTATION
 *     #include "dicehill.h"
 *
 *     static dh_answer act(const dh_yahtzee_turn *turn, void *mine) {
 *         (void)mine;
 *         if (turn->stage < 2) return dh_answer_keep_face(turn, 6);
 *         return dh_answer_category(dh_best(turn));
 *     }
 *
 *     int main(int argc, char **argv) {
 *         return dh_run(argc, argv, &(dh_bot){.yahtzee = act});
 *     }
  * One source file of a program defines DICEHILL_IMPLEMENTATION and includes this header before any
 * system header; other source files only include it.
  * Pointers in a turn are valid until the function that received it returns.
 */
#ifndef DICEHILL_H
#define DICEHILL_H

#if defined(DICEHILL_IMPLEMENTATION) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* sigaltstack, and with it POSIX.1-2008 */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The thirteen categories, in the order of the scorecard. */
typedef enum dh_category {
    DH_ACES,
    DH_TWOS,
    DH_THREES,
    DH_FOURS,
    DH_FIVES,
    DH_SIXES,
    DH_THREE_OF_A_KIND,
    DH_FOUR_OF_A_KIND,
    DH_FULL_HOUSE,
    DH_SMALL_STRAIGHT,
    DH_LARGE_STRAIGHT,
    DH_YAHTZEE,
    DH_CHANCE
} dh_category;

enum { DH_CATEGORIES = 13 };

/* The first message, sent once per process. */
typedef struct dh_hello {
    const char *game;   /* "yahtzee" or "liars-dice" */
    const char *rules;  /* "official", or the original controller whose rules apply */
    const char *memory; /* "game": no game may know of another; "set": this process plays all of them */
    const char *name;   /* the bot's name in the hill file */
    int64_t start_ms, move_ms, memory_mb;
} dh_hello;

/* The start of a game. */
typedef struct dh_start {
    const dh_hello *hello;
    int64_t game;
    int players;
    uint64_t seed; /* for the bot's own random numbers; it reveals no die */
} dh_start;

/* Everything that a player of Yahtzee may know. */
typedef struct dh_yahtzee_turn {
    int64_t id, game;
    int round;                /* 1 to 13 */
    int stage;                /* rerolls so far; at stage 2 only a category is legal */
    int dice[5];              /* newly rolled dice first, then the kept ones; not sorted */
    int card[DH_CATEGORIES];  /* the score of each box; -1 if it is free */
    int legal[DH_CATEGORIES]; /* the score that each box would get now; -1 if it may not be filled */
    int upper;                /* the sum of the upper boxes; from 63 on there is a bonus of 35 */
    int upper_bonus, yahtzee_bonus;
    int score;         /* with all bonuses */
    int players;       /* the length of scores */
    const int *scores; /* of all players, ascending */
} dh_yahtzee_turn;

/* Bids rank by count, then by face. */
typedef struct dh_bid {
    int count, face;
} dh_bid;

/* Everything that a player of Liar's Dice may know. */
typedef struct dh_liars_dice_turn {
    int64_t id, game;
    int you;     /* your seat now, among the players still in */
    int players; /* the length of counts, names and points */
    const int *counts;
    const char *const *names;
    const int64_t *points;
    int held; /* the number of your dice */
    const int *dice;
    int made; /* the number of bids in this round, oldest first */
    const dh_bid *bids;
} dh_liars_dice_turn;

/* The dice of one seat. */
typedef struct dh_hand {
    int held;
    const int *dice;
} dh_hand;

/* What a call of Liar's Dice revealed. */
typedef struct dh_round {
    int64_t game;
    int made; /* the number of bids; the last one was called */
    const dh_bid *bids;
    int players;
    const dh_hand *hands; /* by the seats of the round */
    int caller, bidder;
    bool held; /* whether the bid was right */
} dh_round;

/* The end of a game. Fields of the other game are 0 or NULL. */
typedef struct dh_end {
    int64_t game;
    int players;
    const int64_t *scores; /* Yahtzee: of all players, ascending */
    int64_t score;         /* Yahtzee: your own */
    bool won;              /* Yahtzee: no player has more */
    const char *winner;    /* Liar's Dice: NULL if the game ended without one */
    const int64_t *points; /* Liar's Dice: of names */
    const char *const *names;
} dh_end;

/* An answer, made by the functions dh_answer_... */
typedef struct dh_answer {
    enum { DH_KEEP, DH_NAME, DH_BID, DH_LIAR } kind;
    int kept;
    int keep[5];
    dh_category category;
    dh_bid bid;
} dh_answer;

/* A bot: a function for each game that it plays, and optional functions for other messages.
  * Each game has `size` bytes of its own, initially 0; `mine` points to them (NULL if size is 0). */
typedef struct dh_bot {
    dh_answer (*yahtzee)(const dh_yahtzee_turn *turn, void *mine);
    dh_answer (*liars_dice)(const dh_liars_dice_turn *turn, void *mine);
    size_t size;
    void (*start)(const dh_start *start, void *mine);
    void (*round)(const dh_round *round, void *mine);
    void (*end)(const dh_end *end, void *mine);
} dh_bot;

/* Plays until the arena ends the process; returns the exit code for main.
  * Meanwhile standard output belongs to the arena: what the bot prints goes to standard error, and
 * standard input is empty. With `--transcript FILE` it steps through a saved game instead and prints
 * the bot's answers. */
int dh_run(int argc, char **argv, const dh_bot *bot);

/* Plays a saved game and writes every answer that the arena would refuse into `report`.
  * Returns their number, or -1 if the file has no turn. */
int dh_check(const dh_bot *bot, const char *path, FILE *report);

/* Reports a failure: prints the game, the request and the text to standard error. In a turn it ends that game: the arena
 * gets the text, and the other games continue; what the bot has allocated for this turn is not freed. Anywhere else, and in
 * another thread, it ends the process. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2), noreturn))
#endif
void dh_fail(const char *format, ...);

/* Yahtzee. */
const char *dh_category_name(dh_category category);
dh_category dh_best(const dh_yahtzee_turn *turn); /* the highest score now; on ties the first one */
int dh_showing(const dh_yahtzee_turn *turn, int face);
dh_answer dh_answer_keep(int count, const int *indexes); /* 0 to 4, none twice */
dh_answer dh_answer_keep_face(const dh_yahtzee_turn *turn, int face);
dh_answer dh_answer_keep_where(const dh_yahtzee_turn *turn, bool (*wanted)(int die));
dh_answer dh_answer_category(dh_category category);

/* Liar's Dice. */
const dh_bid *dh_last(const dh_liars_dice_turn *turn); /* NULL if you are the first to bid */
int dh_dice_in_play(const dh_liars_dice_turn *turn);
int dh_hidden_dice(const dh_liars_dice_turn *turn);           /* all but your own */
int dh_before(const dh_liars_dice_turn *turn);                /* the seat before yours */
int dh_after(const dh_liars_dice_turn *turn);                 /* the seat that acts after you */
int dh_bidder(const dh_liars_dice_turn *turn, int place);     /* the seat that made bids[place] */
int dh_own(const dh_liars_dice_turn *turn, int face);         /* your dice that count for the face */
bool dh_is_higher(const dh_liars_dice_turn *turn, dh_bid bid); /* than the bid on the table */
dh_bid dh_lowest(const dh_liars_dice_turn *turn, int face);   /* the lowest higher bid on the face */
dh_answer dh_answer_bid(int count, int face);
dh_answer dh_answer_liar(void);

#ifdef __cplusplus
}
#endif
#endif /* DICEHILL_H */

#ifdef DICEHILL_IMPLEMENTATION
#ifndef DICEHILL_IMPLEMENTED
#define DICEHILL_IMPLEMENTED

#if defined(__GLIBC__) && !defined(__USE_XOPEN2K8)
#error "include dicehill.h before the headers of the system"
#endif

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <execinfo.h>
#endif

/* Conveniences. */

static const char *const dh__categories[DH_CATEGORIES] = {
    "ACES",      "TWOS",          "THREES",         "FOURS",   "FIVES", "SIXES", "THREE_OF_A_KIND", "FOUR_OF_A_KIND",
    "FULL_HOUSE", "SMALL_STRAIGHT", "LARGE_STRAIGHT", "YAHTZEE", "CHANCE"};

const char *dh_category_name(dh_category category) {
    if ((int)category < 0 || (int)category >= DH_CATEGORIES) dh_fail("there is no category %d", (int)category);
    return dh__categories[category];
}

dh_category dh_best(const dh_yahtzee_turn *turn) {
    int best = 0;
    for (int category = 1; category < DH_CATEGORIES; category++)
        if (turn->legal[category] > turn->legal[best]) best = category;
    return (dh_category)best;
}

int dh_showing(const dh_yahtzee_turn *turn, int face) {
    int showing = 0;
    for (int place = 0; place < 5; place++) showing += turn->dice[place] == face;
    return showing;
}

dh_answer dh_answer_keep(int count, const int *indexes) {
    dh_answer answer = {.kind = DH_KEEP, .kept = count};
    if (count < 0 || count > 5) dh_fail("%d dice cannot be kept", count);
    for (int place = 0; place < count; place++) answer.keep[place] = indexes[place];
    return answer;
}

dh_answer dh_answer_keep_face(const dh_yahtzee_turn *turn, int face) {
    dh_answer answer = {.kind = DH_KEEP};
    for (int place = 0; place < 5; place++)
        if (turn->dice[place] == face) answer.keep[answer.kept++] = place;
    return answer;
}

dh_answer dh_answer_keep_where(const dh_yahtzee_turn *turn, bool (*wanted)(int die)) {
    dh_answer answer = {.kind = DH_KEEP};
    for (int place = 0; place < 5; place++)
        if (wanted(turn->dice[place])) answer.keep[answer.kept++] = place;
    return answer;
}

dh_answer dh_answer_category(dh_category category) {
    (void)dh_category_name(category);
    return (dh_answer){.kind = DH_NAME, .category = category};
}

const dh_bid *dh_last(const dh_liars_dice_turn *turn) {
    return turn->made > 0 ? &turn->bids[turn->made - 1] : NULL;
}

int dh_dice_in_play(const dh_liars_dice_turn *turn) {
    int dice = 0;
    for (int seat = 0; seat < turn->players; seat++) dice += turn->counts[seat];
    return dice;
}

int dh_hidden_dice(const dh_liars_dice_turn *turn) {
    return dh_dice_in_play(turn) - turn->held;
}

int dh_before(const dh_liars_dice_turn *turn) {
    return (turn->you + turn->players - 1) % turn->players;
}

int dh_after(const dh_liars_dice_turn *turn) {
    return (turn->you + 1) % turn->players;
}

int dh_bidder(const dh_liars_dice_turn *turn, int place) {
    if (place < 0 || place >= turn->made) dh_fail("there are %d bids, and none at %d", turn->made, place);
    int back = (turn->made - place) % turn->players;
    return (turn->you + turn->players - back) % turn->players;
}

int dh_own(const dh_liars_dice_turn *turn, int face) {
    int own = 0;
    for (int place = 0; place < turn->held; place++) own += turn->dice[place] == face || turn->dice[place] == 1;
    return own;
}

bool dh_is_higher(const dh_liars_dice_turn *turn, dh_bid bid) {
    const dh_bid *last = dh_last(turn);
    return !last || bid.count > last->count || (bid.count == last->count && bid.face > last->face);
}

dh_bid dh_lowest(const dh_liars_dice_turn *turn, int face) {
    const dh_bid *last = dh_last(turn);
    if (!last) return (dh_bid){1, face};
    return (dh_bid){last->count + (face <= last->face), face};
}

dh_answer dh_answer_bid(int count, int face) {
    return (dh_answer){.kind = DH_BID, .bid = {count, face}};
}

dh_answer dh_answer_liar(void) {
    return (dh_answer){.kind = DH_LIAR};
}

/* Memory that cannot run out unnoticed. */

enum { DH__LONGEST_LINE = 16 << 20 };

/* Ends the process. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void dh__give_up(const char *text);

static void *dh__grown(void *block, size_t size) {
    void *grown = realloc(block, size);
    if (!grown) dh__give_up("out of memory");
    return grown;
}

/* Text that grows. */
typedef struct dh__buffer {
    char *text;
    size_t length, room;
} dh__buffer;

static void dh__make_room(dh__buffer *buffer, size_t more) {
    if (buffer->room - buffer->length >= more) return;
    while (buffer->room - buffer->length < more) buffer->room = buffer->room ? 2 * buffer->room : 65536;
    buffer->text = (char *)dh__grown(buffer->text, buffer->room);
}

/* What one message unfolds into; emptied before the next. It is sized by the line, so that it cannot be
 * overrun: no value takes more than 16 times the bytes that it is written with. */
typedef struct dh__pool {
    char *memory;
    size_t used, room;
} dh__pool;

static void dh__empty(dh__pool *pool, size_t line) {
    size_t needed = 16 * line + 1024;
    pool->used = 0;
    if (pool->room >= needed) return;
    pool->memory = (char *)dh__grown(pool->memory, needed);
    pool->room = needed;
}

static void *dh__take(dh__pool *pool, size_t size) {
    size_t start = (pool->used + 15) / 16 * 16;
    if (start > pool->room || size > pool->room - start) return NULL;
    pool->used = start + size;
    return pool->memory + start;
}

/* JSON. A text is a part of a line; nothing is ever read at or beyond its end. */

typedef struct dh__text {
    const char *at, *end;
} dh__text;

enum { DH__DEEPEST = 64 };

static void dh__skip_blanks(dh__text *text) {
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r' || *text->at == '\n'))
        text->at++;
}

static bool dh__skip(dh__text *text, char expected) {
    dh__skip_blanks(text);
    if (text->at >= text->end || *text->at != expected) return false;
    text->at++;
    return true;
}

/* Reads a string; `inside` is what stands between its quotes, escapes and all. */
static bool dh__skip_string(dh__text *text, dh__text *inside) {
    if (!dh__skip(text, '"')) return false;
    inside->at = text->at;
    while (text->at < text->end && *text->at != '"') {
        if (*text->at == '\\' && ++text->at >= text->end) return false;
        text->at++;
    }
    if (text->at >= text->end) return false;
    inside->end = text->at++;
    return true;
}

static bool dh__skip_word(dh__text *text) {
    const char *start = text->at;
    while (text->at < text->end && (strchr("+-.", *text->at) ? *text->at != 0 :
           (*text->at >= '0' && *text->at <= '9') || (*text->at >= 'a' && *text->at <= 'z') || *text->at == 'E'))
        text->at++;
    return text->at > start;
}

static bool dh__skip_value(dh__text *text, int depth) {
    dh__text inside;
    dh__skip_blanks(text);
    if (text->at >= text->end || depth > DH__DEEPEST) return false;
    char first = *text->at;
    if (first == '"') return dh__skip_string(text, &inside);
    if (first != '{' && first != '[') return dh__skip_word(text);
    char last = first == '{' ? '}' : ']';
    text->at++;
    if (dh__skip(text, last)) return true;
    do {
        if (first == '{' && (!dh__skip_string(text, &inside) || !dh__skip(text, ':'))) return false;
        if (!dh__skip_value(text, depth + 1)) return false;
    } while (dh__skip(text, ','));
    return dh__skip(text, last);
}

/* The next value of an array or object, after '[' or '{' at first; false at its end. The values have been
 * skipped once before, so that only their ends are looked for here. */
static bool dh__next(dh__text *text, dh__text *key, dh__text *value) {
    if (!dh__skip(text, '[') && !dh__skip(text, '{') && !dh__skip(text, ',')) return false;
    if (key && (!dh__skip_string(text, key) || !dh__skip(text, ':'))) return false;
    dh__skip_blanks(text);
    value->at = text->at;
    if (!dh__skip_value(text, 0)) return false;
    value->end = text->at;
    return true;
}

static bool dh__is(dh__text text, const char *word) {
    size_t length = strlen(word);
    return (size_t)(text.end - text.at) == length && memcmp(text.at, word, length) == 0;
}

/* Whole numbers of up to 2^53. */
static bool dh__whole(dh__text text, int64_t *number) {
    bool negative = text.at < text.end && *text.at == '-';
    if (negative) text.at++;
    if (text.at >= text.end || text.end - text.at > 16) return false;
    int64_t sum = 0;
    for (; text.at < text.end; text.at++) {
        if (*text.at < '0' || *text.at > '9') return false;
        sum = 10 * sum + (*text.at - '0');
    }
    *number = negative ? -sum : sum;
    return sum <= INT64_C(1) << 53;
}

/* Messages. */

/* The fields that are read; all others are ignored. */
#define DH__FIELDS(field)                                                                                        \
    field(type) field(id) field(game) field(rules) field(memory) field(name) field(limits) field(start_ms)     \
    field(move_ms) field(memory_mb) field(players) field(seed) field(round) field(stage) field(dice) field(card) \
    field(legal) field(upper) field(upper_bonus) field(yahtzee_bonus) field(score) field(scores) field(you)      \
    field(counts) field(bids) field(names) field(points) field(hands) field(caller) field(bidder) field(held)    \
    field(winner) field(won) field(why) field(keep) field(category) field(bid)

#define DH__ENUM(name) DH__##name,
#define DH__WORD(name) #name,
enum { DH__FIELDS(DH__ENUM) DH__FIELD_COUNT };
static const char *const dh__fields[] = {DH__FIELDS(DH__WORD)};

typedef struct dh__message {
    dh__text fields[DH__FIELD_COUNT]; /* the field's value; its ends are NULL where there is none */
    dh__pool *pool;
    bool bad; /* something in it was not what it has to be */
} dh__message;

static bool dh__read_object(dh__text text, dh__message *message) {
    dh__text key, value, whole = text;
    memset(message->fields, 0, sizeof message->fields);
    if (!dh__skip_value(&whole, 0)) return false;
    dh__skip_blanks(&whole);
    dh__skip_blanks(&text);
    if (whole.at < whole.end || text.at >= text.end || *text.at != '{') return false;
    while (dh__next(&text, &key, &value))
        for (int field = 0; field < DH__FIELD_COUNT; field++)
            if (dh__is(key, dh__fields[field])) {
                message->fields[field] = value;
                break;
            }
    return true;
}

static bool dh__has(const dh__message *message, int field) {
    return message->fields[field].at != NULL;
}

static int64_t dh__number(dh__message *message, int field) {
    int64_t number = 0;
    if (!dh__has(message, field) || !dh__whole(message->fields[field], &number)) message->bad = true;
    return number;
}

/* A number that has to be within bounds, whether the bot uses it as an index or not. */
static int dh__small(dh__message *message, int field, int lowest, int highest) {
    int64_t number = dh__number(message, field);
    if (number < lowest || number > highest) {
        message->bad = true;
        return lowest;
    }
    return (int)number;
}

static int dh__length(dh__text array) {
    dh__text value;
    int length = 0;
    if (array.at >= array.end || *array.at != '[') return -1;
    while (dh__next(&array, NULL, &value)) length++;
    return length;
}

/* Room for the values of an array; `length` is 0 and the message bad where there is none. */
static void *dh__room(dh__message *message, dh__text array, size_t each, int *length) {
    int values = dh__length(array);
    void *room = values < 0 ? NULL : dh__take(message->pool, (size_t)values * each);
    if (!room) message->bad = true;
    *length = room ? values : 0;
    return room;
}

static int *dh__smalls(dh__message *message, dh__text array, int *length) {
    dh__text value;
    int *numbers = (int *)dh__room(message, array, sizeof *numbers, length);
    for (int place = 0; place < *length && dh__next(&array, NULL, &value); place++) {
        int64_t number = 0;
        if (!dh__whole(value, &number) || number < INT32_MIN || number > INT32_MAX) message->bad = true;
        numbers[place] = message->bad ? 0 : (int)number;
    }
    return numbers;
}

static int64_t *dh__numbers(dh__message *message, int field, int *length) {
    dh__text value, array = message->fields[field];
    int64_t *numbers = (int64_t *)dh__room(message, array, sizeof *numbers, length);
    for (int place = 0; place < *length && dh__next(&array, NULL, &value); place++)
        if (!dh__whole(value, &numbers[place])) message->bad = true;
    return numbers;
}

static bool dh__hexadecimal(const char *at, const char *end, int digits, uint64_t *number) {
    if (end - at < digits) return false;
    for (*number = 0; digits-- > 0; at++) {
        const char *found = *at ? strchr("00112233445566778899aAbBcCdDeEfF", *at) : NULL;
        if (!found) return false;
        *number = 16 * *number + (uint64_t)(found - "00112233445566778899aAbBcCdDeEfF") / 2;
    }
    return true;
}

static char *dh__put_utf8(char *to, uint64_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

/* Reads what follows "\u". Halves of a pair that stand alone, and a zero, which would end the string, become
 * the replacement character. */
static const char *dh__unicode(const char *at, const char *end, uint64_t *code) {
    uint64_t low;
    if (!dh__hexadecimal(at, end, 4, code)) {
        *code = 0xFFFD;
        return at;
    }
    at += 4;
    bool high = *code >= 0xD800 && *code < 0xDC00;
    if (high && end - at >= 6 && at[0] == '\\' && at[1] == 'u' && dh__hexadecimal(at + 2, end, 4, &low) &&
        low >= 0xDC00 && low < 0xE000) {
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
        return at + 6;
    }
    if (*code == 0 || (*code >= 0xD800 && *code < 0xE000)) *code = 0xFFFD;
    return at;
}

/* The string that a value is, in UTF-8. No escape is shorter than what it stands for. */
static const char *dh__string(dh__message *message, dh__text value) {
    static const char escapes[] = "b\bf\fn\nr\rt\t";
    dh__text inside;
    char *string = NULL;
    if (value.at && dh__skip_string(&value, &inside))
        string = (char *)dh__take(message->pool, 2 * (size_t)(inside.end - inside.at) + 1);
    if (!string) {
        message->bad = true;
        return "";
    }
    char *to = string;
    while (inside.at < inside.end) {
        char next = *inside.at++;
        if (next != '\\') {
            *to++ = next;
        } else if (*inside.at == 'u') {
            uint64_t code;
            inside.at = dh__unicode(inside.at + 1, inside.end, &code);
            to = dh__put_utf8(to, code);
        } else {
            const char *found = *inside.at ? strchr(escapes, *inside.at) : NULL;
            *to++ = found && (found - escapes) % 2 == 0 ? found[1] : *inside.at;
            inside.at++;
        }
    }
    *to = 0;
    return string;
}

static const char **dh__strings(dh__message *message, int field, int *length) {
    dh__text value, array = message->fields[field];
    const char **strings = (const char **)dh__room(message, array, sizeof *strings, length);
    for (int place = 0; place < *length && dh__next(&array, NULL, &value); place++)
        strings[place] = dh__string(message, value);
    return strings;
}

static bool dh__read_bid(dh__text text, dh_bid *bid) {
    int64_t count = 0, face = 0;
    const char *blank = (const char *)memchr(text.at, ' ', (size_t)(text.end - text.at));
    if (!blank || !dh__whole((dh__text){text.at, blank}, &count) || !dh__whole((dh__text){blank + 1, text.end}, &face))
        return false;
    if (count < 1 || count > 1000000 || face < 1 || face > 6) return false;
    *bid = (dh_bid){(int)count, (int)face};
    return true;
}

static dh_bid *dh__read_bids(dh__message *message, int *length) {
    dh__text value, inside, array = message->fields[DH__bids];
    dh_bid *bids = (dh_bid *)dh__room(message, array, sizeof *bids, length);
    for (int place = 0; place < *length && dh__next(&array, NULL, &value); place++) {
        bids[place] = (dh_bid){1, 1};
        if (!dh__skip_string(&value, &inside) || !dh__read_bid(inside, &bids[place])) message->bad = true;
    }
    return bids;
}

static int dh__category_of(dh__text name) {
    for (int category = 0; category < DH_CATEGORIES; category++)
        if (dh__is(name, dh__categories[category])) return category;
    return dh__is(name, "ONES") ? DH_ACES : -1;
}

static void dh__read_boxes(dh__message *message, int field, int *boxes) {
    dh__text key, value, object = message->fields[field];
    for (int category = 0; category < DH_CATEGORIES; category++) boxes[category] = -1;
    if (!object.at || *object.at != '{') message->bad = true;
    while (object.at && dh__next(&object, &key, &value)) {
        int64_t score = 0;
        int category = dh__category_of(key);
        if (!dh__whole(value, &score) || score < 0 || score > INT32_MAX) message->bad = true;
        if (category >= 0) boxes[category] = message->bad ? -1 : (int)score;
    }
}

static bool dh__are_faces(const int *dice, int count) {
    for (int place = 0; place < count; place++)
        if (dice[place] < 1 || dice[place] > 6) return false;
    return true;
}

static dh_yahtzee_turn dh__read_yahtzee(dh__message *message) {
    dh_yahtzee_turn turn = {.id = dh__number(message, DH__id), .game = dh__number(message, DH__game)};
    int held;
    const int *dice = dh__smalls(message, message->fields[DH__dice], &held);
    if (held != 5 || !dh__are_faces(dice, 5)) message->bad = true;
    else memcpy(turn.dice, dice, sizeof turn.dice);
    turn.round = dh__small(message, DH__round, 1, 13);
    turn.stage = dh__small(message, DH__stage, 0, 2);
    dh__read_boxes(message, DH__card, turn.card);
    dh__read_boxes(message, DH__legal, turn.legal);
    turn.upper = dh__small(message, DH__upper, 0, INT32_MAX);
    turn.upper_bonus = dh__small(message, DH__upper_bonus, 0, INT32_MAX);
    turn.yahtzee_bonus = dh__small(message, DH__yahtzee_bonus, 0, INT32_MAX);
    turn.score = dh__small(message, DH__score, 0, INT32_MAX);
    turn.scores = dh__smalls(message, message->fields[DH__scores], &turn.players);
    return turn;
}

static dh_liars_dice_turn dh__read_liars_dice(dh__message *message) {
    dh_liars_dice_turn turn = {.id = dh__number(message, DH__id), .game = dh__number(message, DH__game)};
    int names, points;
    turn.counts = dh__smalls(message, message->fields[DH__counts], &turn.players);
    turn.names = dh__strings(message, DH__names, &names);
    turn.points = dh__numbers(message, DH__points, &points);
    turn.dice = dh__smalls(message, message->fields[DH__dice], &turn.held);
    turn.bids = dh__read_bids(message, &turn.made);
    turn.you = dh__small(message, DH__you, 0, turn.players > 0 ? turn.players - 1 : 0);
    if (turn.players < 1 || names != turn.players || points != turn.players) message->bad = true;
    if (!dh__are_faces(turn.dice, turn.held)) message->bad = true;
    return turn;
}

static dh_hand *dh__read_hands(dh__message *message, int *length) {
    dh__text value, array = message->fields[DH__hands];
    dh_hand *hands = (dh_hand *)dh__room(message, array, sizeof *hands, length);
    for (int place = 0; place < *length && dh__next(&array, NULL, &value); place++)
        hands[place].dice = dh__smalls(message, value, &hands[place].held);
    return hands;
}

static dh_round dh__read_round(dh__message *message) {
    dh_round round = {.game = dh__number(message, DH__game)};
    round.bids = dh__read_bids(message, &round.made);
    round.hands = dh__read_hands(message, &round.players);
    int highest = round.players > 0 ? round.players - 1 : 0;
    round.caller = dh__small(message, DH__caller, 0, highest);
    round.bidder = dh__small(message, DH__bidder, 0, highest);
    round.held = dh__is(message->fields[DH__held], "true");
    if (round.made < 1) message->bad = true;
    return round;
}

static dh_end dh__read_end(dh__message *message, bool yahtzee) {
    dh_end end = {.game = dh__number(message, DH__game)};
    if (yahtzee) {
        end.scores = dh__numbers(message, DH__scores, &end.players);
        end.score = dh__number(message, DH__score);
        end.won = dh__has(message, DH__won) && dh__is(message->fields[DH__won], "true");
        return end;
    }
    int names;
    end.points = dh__numbers(message, DH__points, &end.players);
    end.names = dh__strings(message, DH__names, &names);
    if (names != end.players) message->bad = true;
    if (dh__has(message, DH__winner) && *message->fields[DH__winner].at == '"')
        end.winner = dh__string(message, message->fields[DH__winner]);
    return end;
}

/* The bot and its games. */

typedef struct dh__game {
    int64_t game;
    void *mine;
} dh__game;

enum dh__which { DH__UNKNOWN, DH__YAHTZEE, DH__LIARS_DICE };

typedef struct dh__table {
    const dh_bot *bot;
    enum dh__which which;
    dh_hello hello;
    dh__pool hello_pool, pool;
    dh__game *games;
    size_t open, room;
    dh__buffer out;
} dh__table;

/* Where the bot is, for whatever ends it; its answers so far still go out. */
static struct {
    const char *doing; /* NULL while it is not the bot's turn */
    int64_t game, id;
    dh__buffer *out;
    int answers;
    jmp_buf turn;    /* where a turn that has failed continues */
    char why[1024];  /* why it failed */
} dh__here = {.answers = -1};

/* Whether this thread is in a turn, so that dh_fail can end its game alone. */
static _Thread_local bool dh__in_turn = false;

static bool dh__write_all(int file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

static void dh__flush(dh__buffer *out) {
    size_t length = out->length;
    out->length = 0;
    if (dh__here.answers >= 0 && !dh__write_all(dh__here.answers, out->text, length)) _exit(0); /* the arena has gone */
}

/* Only what a signal handler may call. */
static void dh__tell_where(const char *what) {
    char line[256], digits[24];
    size_t length = 0;
    const char *request = dh__here.doing && strcmp(dh__here.doing, "turn") == 0 ? ", request " : ", ";
    int64_t numbers[2] = {dh__here.game, dh__here.id};
    const char *parts[2] = {"dicehill: game ", request};
    if (!dh__here.doing) parts[0] = "dicehill";
    for (int part = 0; part < (dh__here.doing ? 2 : 1); part++) {
        for (const char *at = parts[part]; *at && length < 200; at++) line[length++] = *at;
        if (!dh__here.doing) break;
        if (part == 1 && request[2] == 0) {
            for (const char *at = dh__here.doing; *at && length < 200; at++) line[length++] = *at;
            break;
        }
        int count = 0;
        uint64_t number = (uint64_t)numbers[part];
        do digits[count++] = (char)('0' + number % 10);
        while ((number /= 10) > 0);
        while (count > 0) line[length++] = digits[--count];
    }
    line[length++] = ':';
    line[length++] = ' ';
    (void)dh__write_all(2, line, length);
    (void)dh__write_all(2, what, strlen(what));
}

static void dh__give_up(const char *text) {
    (void)fflush(stdout);
    if (dh__here.out) dh__flush(dh__here.out);
    dh__tell_where(text);
    (void)dh__write_all(2, "\n", 1);
    exit(1);
}

void dh_fail(const char *format, ...) {
    char text[sizeof dh__here.why];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!dh__in_turn) dh__give_up(text);
    dh__in_turn = false;
    (void)fflush(stdout);
    dh__tell_where(text);
    (void)dh__write_all(2, "\n", 1);
    memcpy(dh__here.why, text, sizeof text);
    longjmp(dh__here.turn, 1);
}

/* Crashes are reported here, unless a sanitizer does it better. */
#ifndef __SANITIZE_ADDRESS__
static void dh__crashed(int number) {
    const char *what = number == SIGSEGV   ? "segmentation fault\n"
                       : number == SIGABRT ? "aborted\n"
                       : number == SIGFPE  ? "arithmetic error, such as a division by zero\n"
                       : number == SIGBUS  ? "bus error\n"
                                           : "illegal instruction\n";
    if (dh__here.out && dh__here.answers >= 0) (void)dh__write_all(dh__here.answers, dh__here.out->text, dh__here.out->length);
    dh__tell_where(what);
#ifdef __GLIBC__
    void *frames[32];
    backtrace_symbols_fd(frames, backtrace(frames, 32), 2);
#endif
    _exit(1);
}

/* The report has a stack of its own, since the bot's may be what overflowed. */
static void dh__catch_crashes(void) {
    static char stack_memory[65536];
    static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL};
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = stack_memory;
    stack.ss_size = sizeof stack_memory;
    (void)sigaltstack(&stack, NULL);
#ifdef __GLIBC__
    void *frames[1];
    (void)backtrace(frames, 1); /* loads what it needs now, not in the handler */
#endif
    for (size_t place = 0; place < sizeof signals / sizeof *signals; place++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = dh__crashed;
        action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND);
        (void)sigaction(signals[place], &action, NULL);
    }
}
#else
static void dh__catch_crashes(void) {}
#endif

static void dh__enter(const char *doing, int64_t game, int64_t id) {
    dh__here.game = game;
    dh__here.id = id;
    dh__here.doing = doing;
}

static void dh__choose(dh__table *table, enum dh__which which, const char *game) {
    table->which = which;
    if (which == DH__YAHTZEE ? table->bot->yahtzee != NULL : which == DH__LIARS_DICE && table->bot->liars_dice != NULL)
        return;
    dh_fail("this bot does not play %s", game);
}

static void *dh__open(dh__table *table, int64_t game) {
    if (table->bot->size == 0) return NULL;
    for (size_t place = 0; place < table->open; place++)
        if (table->games[place].game == game) return table->games[place].mine;
    if (table->open == table->room) {
        table->room = table->room ? 2 * table->room : 64;
        table->games = (dh__game *)dh__grown(table->games, table->room * sizeof *table->games);
    }
    void *mine = dh__grown(NULL, table->bot->size);
    memset(mine, 0, table->bot->size);
    table->games[table->open++] = (dh__game){game, mine};
    return mine;
}

static bool dh__is_open(const dh__table *table, int64_t game, void **mine) {
    *mine = NULL;
    if (table->bot->size == 0) return true;
    for (size_t place = 0; place < table->open; place++)
        if (table->games[place].game == game) {
            *mine = table->games[place].mine;
            return true;
        }
    return false;
}

static void dh__close(dh__table *table, int64_t game) {
    for (size_t place = 0; place < table->open; place++)
        if (table->games[place].game == game) {
            free(table->games[place].mine);
            table->games[place] = table->games[--table->open];
            return;
        }
}

static void dh__read_hello(dh__table *table, dh__message *message, size_t line) {
    dh__message limits = {.pool = message->pool};
    dh__empty(&table->hello_pool, line);
    message->pool = &table->hello_pool;
    table->hello = (dh_hello){.rules = "official", .memory = "game", .name = ""};
    table->hello.game = dh__string(message, message->fields[DH__game]);
    if (dh__has(message, DH__rules)) table->hello.rules = dh__string(message, message->fields[DH__rules]);
    if (dh__has(message, DH__memory)) table->hello.memory = dh__string(message, message->fields[DH__memory]);
    if (dh__has(message, DH__name)) table->hello.name = dh__string(message, message->fields[DH__name]);
    if (dh__has(message, DH__limits) && dh__read_object(message->fields[DH__limits], &limits)) {
        table->hello.start_ms = dh__number(&limits, DH__start_ms);
        table->hello.move_ms = dh__number(&limits, DH__move_ms);
        table->hello.memory_mb = dh__number(&limits, DH__memory_mb);
    }
    bool yahtzee = strcmp(table->hello.game, "yahtzee") == 0, liars_dice = strcmp(table->hello.game, "liars-dice") == 0;
    dh__choose(table, yahtzee ? DH__YAHTZEE : liars_dice ? DH__LIARS_DICE : DH__UNKNOWN, table->hello.game);
}

static void dh__started(dh__table *table, dh__message *message) {
    dh_start start = {.hello = &table->hello, .game = dh__number(message, DH__game)};
    start.players = dh__small(message, DH__players, 0, INT32_MAX);
    const char *seed = dh__string(message, message->fields[DH__seed]);
    if (strlen(seed) != 16 || !dh__hexadecimal(seed, seed + 16, 16, &start.seed)) message->bad = true;
    if (message->bad) return;
    dh__close(table, start.game);
    void *mine = dh__open(table, start.game);
    dh__enter("start", start.game, 0);
    if (table->bot->start) table->bot->start(&start, mine);
}

static void dh__revealed(dh__table *table, dh__message *message) {
    void *mine;
    if (!table->bot->round) return;
    dh_round round = dh__read_round(message);
    if (message->bad || !dh__is_open(table, round.game, &mine)) return;
    dh__enter("round", round.game, 0);
    table->bot->round(&round, mine);
}

static void dh__ended(dh__table *table, dh__message *message) {
    void *mine;
    int64_t game = dh__number(message, DH__game);
    if (table->bot->end) {
        dh_end end = dh__read_end(message, table->which == DH__YAHTZEE);
        if (message->bad || !dh__is_open(table, game, &mine)) return;
        dh__enter("end", game, 0);
        table->bot->end(&end, mine);
    }
    dh__close(table, game);
}

static void dh__complained(dh__message *message) {
    const char *why = dh__string(message, message->fields[DH__why]);
    (void)fprintf(stderr, "dicehill: the arena says: %s", why);
    if (dh__has(message, DH__id)) (void)fprintf(stderr, " (request %" PRId64 ")", dh__number(message, DH__id));
    (void)fputc('\n', stderr);
}

/* Hands on what needs no answer. */
static void dh__tell(dh__table *table, dh__message *message, dh__text type) {
    if (dh__is(type, "\"start\"")) dh__started(table, message);
    else if (dh__is(type, "\"round\"")) dh__revealed(table, message);
    else if (dh__is(type, "\"end\"")) dh__ended(table, message);
    else if (dh__is(type, "\"error\"")) dh__complained(message);
}

/* A turn of either game and its answer. */
typedef struct dh__step {
    enum dh__which which;
    dh_yahtzee_turn yahtzee;
    dh_liars_dice_turn liars_dice;
    int64_t id;
    dh_answer answer;
} dh__step;

static bool dh__play(dh__table *table, dh__message *message, dh__step *step) {
    bool yahtzee = dh__has(message, DH__stage);
    if (table->which == DH__UNKNOWN) dh__choose(table, yahtzee ? DH__YAHTZEE : DH__LIARS_DICE, yahtzee ? "yahtzee" : "liars-dice");
    step->which = table->which;
    step->id = dh__number(message, DH__id);
    if (step->which == DH__YAHTZEE) step->yahtzee = dh__read_yahtzee(message);
    else step->liars_dice = dh__read_liars_dice(message);
    if (message->bad) return false;
    int64_t game = dh__number(message, DH__game);
    void *mine = dh__open(table, game);
    dh__enter("turn", game, step->id);
    dh__in_turn = dh__here.answers >= 0;
    if (step->which == DH__YAHTZEE) step->answer = table->bot->yahtzee(&step->yahtzee, mine);
    else step->answer = table->bot->liars_dice(&step->liars_dice, mine);
    return true;
}

static void dh__write_keep(char *to, size_t room, const dh_answer *answer) {
    int length = 0;
    if (answer->kept < 0 || answer->kept > 5) dh_fail("%d dice cannot be kept", answer->kept);
    for (int place = 0; place < answer->kept; place++)
        length += snprintf(to + length, room - (size_t)length, place ? ",%d" : "%d", answer->keep[place]);
    to[length] = 0;
}

static void dh__write_answer(dh__buffer *out, int64_t id, const dh_answer *answer) {
    char keep[80], field[160];
    switch (answer->kind) {
    case DH_KEEP:
        dh__write_keep(keep, sizeof keep, answer);
        (void)snprintf(field, sizeof field, "\"keep\":[%s]", keep);
        break;
    case DH_NAME: (void)snprintf(field, sizeof field, "\"category\":\"%s\"", dh_category_name(answer->category)); break;
    case DH_BID: (void)snprintf(field, sizeof field, "\"bid\":\"%d %d\"", answer->bid.count, answer->bid.face); break;
    case DH_LIAR: (void)snprintf(field, sizeof field, "\"bid\":\"Liar!\""); break;
    default: dh_fail("the bot's answer is none; make it with one of dh_answer_...");
    }
    dh__make_room(out, 256);
    int length = snprintf(out->text + out->length, 256, "{\"id\":%" PRId64 ",%s}\n", id, field);
    out->length += (size_t)length;
}

/* The text as JSON, in ASCII. */
static void dh__write_error(dh__buffer *out, int64_t id, const char *why) {
    size_t room = 64 + 6 * strlen(why);
    dh__make_room(out, room);
    char *to = out->text + out->length;
    int length = snprintf(to, room, "{\"id\":%" PRId64 ",\"error\":\"", id);
    for (; *why; why++) {
        unsigned char next = (unsigned char)*why;
        if (next < ' ') length += snprintf(to + length, room - (size_t)length, "\\u%04x", next);
        else if (next == '"' || next == '\\') length += snprintf(to + length, room - (size_t)length, "\\%c", next);
        else to[length++] = next < 127 ? (char)next : '?';
    }
    length += snprintf(to + length, room - (size_t)length, "\"}\n");
    out->length += (size_t)length;
}

/* Answers a turn. One that fails ends its game alone. */
static void dh__take_turn(dh__table *table, dh__message *message) {
    dh__step step;
    if (setjmp(dh__here.turn) == 0) {
        if (dh__play(table, message, &step)) dh__write_answer(&table->out, step.id, &step.answer);
        dh__in_turn = false;
        return;
    }
    dh__write_error(&table->out, dh__here.id, dh__here.why);
    dh__close(table, dh__here.game);
}

static void dh__ignored(dh__text line) {
    int length = line.end - line.at > 80 ? 80 : (int)(line.end - line.at);
    (void)fprintf(stderr, "dicehill: ignored a line that cannot be read: %.*s\n", length, line.at);
}

/* Takes one line; true if it is the last one. */
static bool dh__take_line(dh__table *table, dh__text line) {
    dh__message message = {.pool = &table->pool};
    dh__skip_blanks(&line);
    if (line.at >= line.end) return false;
    size_t length = (size_t)(line.end - line.at);
    dh__empty(&table->pool, length);
    if (!dh__read_object(line, &message)) {
        dh__ignored(line);
        return false;
    }
    dh__text type = message.fields[DH__type];
    if (!type.at) return false;
    if (dh__is(type, "\"turn\"")) {
        dh__take_turn(table, &message);
    } else if (dh__is(type, "\"hello\"")) {
        dh__read_hello(table, &message, length);
        dh__make_room(&table->out, 128);
        table->out.length += (size_t)snprintf(table->out.text + table->out.length, 128, "{\"type\":\"ready\",\"inflight\":%d%s}\n",
                                              strcmp(table->hello.memory, "set") == 0 ? 1 : 64,
                                              table->bot->round ? ",\"events\":[\"round\"]" : "");
        dh__flush(&table->out);
    } else if (dh__is(type, "\"bye\"")) {
        return true;
    } else {
        dh__tell(table, &message, type);
    }
    dh__here.doing = NULL;
    if (message.bad) dh__ignored(line);
    return false;
}

static void dh__drop(dh__table *table) {
    for (size_t place = 0; place < table->open; place++) free(table->games[place].mine);
    free(table->games);
    free(table->pool.memory);
    free(table->hello_pool.memory);
    free(table->out.text);
    dh__here.out = NULL;
}

/* The pipe. */

static int64_t dh__microseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Answers wait for others that can go out in the same write, but no longer than a millisecond: the clock of a
 * request runs until its answer is written, and a slow bot has time for each of them. */
enum { DH__PATIENCE = 1000 };

/* Takes all whole lines that are in the buffer and leaves the rest; true if one of them was the last. */
static bool dh__take_lines(dh__table *table, dh__buffer *in) {
    const char *at = in->text, *end = in->text + in->length, *newline;
    int64_t began = dh__microseconds();
    bool last = false;
    while (!last && (newline = (const char *)memchr(at, '\n', (size_t)(end - at))) != NULL) {
        last = dh__take_line(table, (dh__text){at, newline});
        at = newline + 1;
        if (table->out.length > 0 && dh__microseconds() - began > DH__PATIENCE) {
            dh__flush(&table->out);
            began = dh__microseconds();
        }
    }
    in->length = (size_t)(end - at);
    memmove(in->text, at, in->length);
    dh__flush(&table->out);
    return last;
}

static void dh__serve(dh__table *table, int requests) {
    dh__buffer in = {NULL, 0, 0};
    bool last = false;
    while (!last) {
        dh__make_room(&in, 65536);
        ssize_t count = read(requests, in.text + in.length, in.room - in.length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        in.length += (size_t)count;
        /* Only what is new can hold a newline, so a long line is not searched again and again. */
        if (memchr(in.text + in.length - (size_t)count, '\n', (size_t)count)) last = dh__take_lines(table, &in);
        else if (in.length > DH__LONGEST_LINE) dh_fail("a line is longer than %d bytes", (int)DH__LONGEST_LINE);
    }
    if (!last) {
        (void)dh__take_line(table, (dh__text){in.text, in.text + in.length});
        dh__flush(&table->out);
    }
    free(in.text);
}

/* Keeps the arena's pipes aside, where neither the bot nor a child process of it finds them. */
static int dh__take_pipes(void) {
    (void)fflush(stdout);
    int requests = fcntl(0, F_DUPFD_CLOEXEC, 3);
    dh__here.answers = fcntl(1, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDWR);
    (void)dup2(nothing, 0);
    if (dup2(2, 1) < 0) (void)dup2(nothing, 1); /* there is no standard error */
    if (nothing > 2) (void)close(nothing);
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    return requests;
}

/* Saved games. */

typedef struct dh__recorded {
    int64_t id;
    dh_answer answer;
} dh__recorded;

typedef struct dh__transcript {
    char *text;
    size_t length;
    dh__recorded *recorded;
    size_t count;
} dh__transcript;

static bool dh__read_answer(dh__message *message, dh_answer *answer) {
    dh__text inside;
    int kept;
    memset(answer, 0, sizeof *answer);
    if (dh__has(message, DH__keep)) {
        const int *keep = dh__smalls(message, message->fields[DH__keep], &kept);
        if (message->bad || kept > 5) return false;
        *answer = dh_answer_keep(kept, keep);
        return true;
    }
    if (dh__has(message, DH__category)) {
        dh__text value = message->fields[DH__category];
        int category = dh__skip_string(&value, &inside) ? dh__category_of(inside) : -1;
        answer->kind = DH_NAME;
        answer->category = category < 0 ? DH_ACES : (dh_category)category;
        return category >= 0;
    }
    dh__text value = message->fields[DH__bid];
    if (!value.at || !dh__skip_string(&value, &inside)) return false;
    answer->kind = dh__is(inside, "Liar!") ? DH_LIAR : DH_BID;
    return answer->kind == DH_LIAR || dh__read_bid(inside, &answer->bid);
}

/* The next line that is neither blank nor a comment, without its mark; `mark` is '<' or '>'. */
static bool dh__next_line(dh__text *rest, dh__text *line, char *mark) {
    while (rest->at < rest->end) {
        const char *newline = (const char *)memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
        *line = (dh__text){rest->at, newline ? newline : rest->end};
        rest->at = newline ? newline + 1 : rest->end;
        dh__skip_blanks(line);
        if (line->at >= line->end || *line->at == '#') continue;
        *mark = *line->at == '<' ? '<' : '>';
        if (*line->at == '<' || *line->at == '>') line->at++;
        dh__skip_blanks(line);
        return true;
    }
    return false;
}

static void dh__read_recorded(dh__transcript *transcript, dh__pool *pool) {
    dh__text line, rest = {transcript->text, transcript->text + transcript->length};
    char mark;
    while (dh__next_line(&rest, &line, &mark)) {
        dh__message message = {.pool = pool};
        dh__recorded recorded;
        dh__empty(pool, (size_t)(line.end - line.at));
        if (mark != '<' || !dh__read_object(line, &message) || !dh__has(&message, DH__id)) continue;
        recorded.id = dh__number(&message, DH__id);
        if (!dh__read_answer(&message, &recorded.answer)) continue;
        size_t size = (transcript->count + 1) * sizeof recorded;
        transcript->recorded = (dh__recorded *)dh__grown(transcript->recorded, size);
        transcript->recorded[transcript->count++] = recorded;
    }
}

static bool dh__load(const char *path, dh__transcript *transcript) {
    FILE *file = fopen(path, "rb");
    size_t count;
    dh__buffer text = {NULL, 0, 0};
    if (!file) return false;
    do {
        dh__make_room(&text, 65536);
        count = fread(text.text + text.length, 1, 65536, file);
        text.length += count;
    } while (count > 0);
    (void)fclose(file);
    transcript->text = text.text;
    transcript->length = text.length;
    return true;
}

static bool dh__same(const dh_answer *one, const dh_answer *other) {
    if (one->kind != other->kind) return false;
    if (one->kind == DH_NAME) return one->category == other->category;
    if (one->kind == DH_BID) return one->bid.count == other->bid.count && one->bid.face == other->bid.face;
    return one->kind == DH_LIAR ||
           (one->kept == other->kept && memcmp(one->keep, other->keep, (size_t)one->kept * sizeof *one->keep) == 0);
}

/* Why the arena would refuse the answer; false if it would not. */
static bool dh__yahtzee_fault(const dh_yahtzee_turn *turn, const dh_answer *answer, char *why, size_t room) {
    if (answer->kind == DH_NAME) {
        const char *name = dh_category_name(answer->category);
        (void)snprintf(why, room, "%s may not be named now", name);
        return turn->legal[answer->category] < 0;
    }
    if (answer->kind != DH_KEEP) return snprintf(why, room, "a bid is no answer in Yahtzee") > 0;
    if (turn->stage > 1) return snprintf(why, room, "no dice can be kept at stage 2: name a category") > 0;
    for (int place = 0; place < answer->kept; place++) {
        int index = answer->keep[place];
        if (index < 0 || index > 4) return snprintf(why, room, "keep index %d is not 0-4", index) > 0;
        for (int before = 0; before < place; before++)
            if (answer->keep[before] == index) return snprintf(why, room, "keep index %d is repeated", index) > 0;
    }
    return false;
}

static bool dh__liars_dice_fault(const dh_liars_dice_turn *turn, const dh_answer *answer, char *why, size_t room) {
    const dh_bid *last = dh_last(turn), bid = answer->bid;
    if (answer->kind == DH_LIAR) return !last && snprintf(why, room, "there is no bid to call") > 0;
    if (answer->kind != DH_BID) return snprintf(why, room, "the answer is neither a bid nor Liar!") > 0;
    if (bid.face < 1 || bid.face > 6) return snprintf(why, room, "face %d is not 1-6", bid.face) > 0;
    if (bid.count < 1 || bid.count > 1000000) return snprintf(why, room, "count %d is not 1-1000000", bid.count) > 0;
    if (dh_is_higher(turn, bid)) return false;
    return snprintf(why, room, "%d %d is not above %d %d", bid.count, bid.face, last->count, last->face) > 0;
}

static bool dh__fault(const dh__step *step, char *why, size_t room) {
    if (step->which == DH__YAHTZEE) return dh__yahtzee_fault(&step->yahtzee, &step->answer, why, room);
    return dh__liars_dice_fault(&step->liars_dice, &step->answer, why, room);
}

static void dh__show_answer(const dh__step *step, const dh_answer *answer) {
    if (answer->kind == DH_NAME) (void)printf("%s", dh_category_name(answer->category));
    if (answer->kind == DH_BID) (void)printf("%d %d", answer->bid.count, answer->bid.face);
    if (answer->kind == DH_LIAR) (void)printf("Liar!");
    if (answer->kind != DH_KEEP) return;
    (void)printf("keep [");
    for (int place = 0; place < answer->kept; place++) (void)printf(place ? ", %d" : "%d", answer->keep[place]);
    (void)printf("]:%s", answer->kept ? "" : " no die");
    for (int place = 0; place < answer->kept; place++)
        if (answer->keep[place] >= 0 && answer->keep[place] < 5) (void)printf(" %d", step->yahtzee.dice[answer->keep[place]]);
}

static void dh__show_numbers(const int *numbers, int count) {
    for (int place = 0; place < count; place++) (void)printf(" %d", numbers[place]);
}

static void dh__show_turn(const dh__step *step) {
    const char *between = ";";
    if (step->which == DH__YAHTZEE) {
        const dh_yahtzee_turn *turn = &step->yahtzee;
        (void)printf("game %" PRId64 ", request %" PRId64 ", round %d, stage %d: dice", turn->game, turn->id, turn->round,
                     turn->stage);
        dh__show_numbers(turn->dice, 5);
        for (int category = 0; category < DH_CATEGORIES; category++)
            if (turn->legal[category] >= 0) {
                (void)printf("%s %s %d", between, dh__categories[category], turn->legal[category]);
                between = ",";
            }
        (void)printf("\n");
        return;
    }
    const dh_liars_dice_turn *turn = &step->liars_dice;
    (void)printf("game %" PRId64 ", request %" PRId64 ", seat %d of", turn->game, turn->id, turn->you);
    dh__show_numbers(turn->counts, turn->players);
    (void)printf(": dice");
    dh__show_numbers(turn->dice, turn->held);
    (void)printf("; bids:%s", turn->made ? "" : " none");
    for (int place = 0; place < turn->made; place++)
        (void)printf("%s %d %d", place ? "," : "", turn->bids[place].count, turn->bids[place].face);
    (void)printf("\n");
}

static void dh__show_step(const dh__step *step, const dh__transcript *transcript) {
    char why[128];
    dh__show_turn(step);
    (void)printf("  ");
    dh__show_answer(step, &step->answer);
    if (dh__fault(step, why, sizeof why)) (void)printf(" - illegal: %s", why);
    for (size_t place = 0; place < transcript->count; place++) {
        const dh__recorded *recorded = &transcript->recorded[place];
        if (recorded->id != step->id) continue;
        bool same = dh__same(&recorded->answer, &step->answer);
        (void)printf(same ? " - as recorded" : " - recorded: ");
        if (!same) dh__show_answer(step, &recorded->answer);
        break;
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

/* Plays all requests of a file. Shows each turn if `report` is NULL, else reports what is illegal.
 * Returns how many are, or -1 if there is no turn. */
static int dh__replay(const dh_bot *bot, dh__transcript *transcript, FILE *report) {
    dh__table table;
    memset(&table, 0, sizeof table);
    table.bot = bot;
    dh__read_recorded(transcript, &table.pool);
    dh__text line, rest = {transcript->text, transcript->text + transcript->length};
    char mark, why[128];
    int turns = 0, illegal = 0;
    while (dh__next_line(&rest, &line, &mark)) {
        dh__message message = {.pool = &table.pool};
        dh__step step;
        size_t length = (size_t)(line.end - line.at);
        if (mark == '<') continue;
        dh__empty(&table.pool, length);
        bool read = dh__read_object(line, &message);
        dh__text type = message.fields[DH__type];
        if (read && type.at && dh__is(type, "\"turn\"")) {
            if (dh__play(&table, &message, &step)) {
                turns++;
                bool refused = dh__fault(&step, why, sizeof why);
                illegal += refused;
                if (!report) dh__show_step(&step, transcript);
                else if (refused) (void)fprintf(report, "request %" PRId64 ": %s\n", step.id, why);
            }
        } else if (read && type.at && dh__is(type, "\"hello\"")) {
            dh__read_hello(&table, &message, length);
        } else if (read && type.at) {
            dh__tell(&table, &message, type);
        }
        dh__here.doing = NULL;
        if (!read || message.bad) dh__ignored(line);
    }
    dh__drop(&table);
    return turns > 0 ? illegal : -1;
}

static int dh__replay_file(const dh_bot *bot, const char *path, FILE *report) {
    dh__transcript transcript = {NULL, 0, NULL, 0};
    if (!dh__load(path, &transcript)) dh_fail("%s: %s", path, strerror(errno));
    int illegal = dh__replay(bot, &transcript, report);
    free(transcript.text);
    free(transcript.recorded);
    return illegal;
}

int dh_check(const dh_bot *bot, const char *path, FILE *report) {
    return dh__replay_file(bot, path, report);
}

int dh_run(int argc, char **argv, const dh_bot *bot) {
    dh__catch_crashes();
    for (int place = 1; place < argc; place++)
        if (strcmp(argv[place], "--transcript") == 0) {
            if (place + 1 == argc) dh_fail("--transcript needs a file");
            (void)dh__replay_file(bot, argv[place + 1], NULL);
            return 0;
        }
    dh__table table;
    memset(&table, 0, sizeof table);
    table.bot = bot;
    int requests = dh__take_pipes();
    dh__here.out = &table.out;
    dh__serve(&table, requests);
    dh__drop(&table);
    return 0;
}

#endif /* DICEHILL_IMPLEMENTED */
#endif /* DICEHILL_IMPLEMENTATION */
