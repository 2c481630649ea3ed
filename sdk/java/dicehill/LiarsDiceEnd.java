package dicehill;

import java.util.List;

/**
 * How a game ended.
 *
 * @param winner the winner's name, or null if the turn limit ended the game
 * @param points the points of all who began
 * @param names their names, in the same order
 */
public record LiarsDiceEnd(long game, String winner, List<Long> points, List<String> names) {}
