package dicehill;

import java.util.List;

/**
 * How a game ended.
 *
 * @param scores everybody's score, in ascending order
 * @param score the bot's own
 * @param won whether no player had more
 */
public record YahtzeeEnd(long game, List<Integer> scores, int score, boolean won) {}
