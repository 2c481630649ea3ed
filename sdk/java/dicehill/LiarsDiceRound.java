package dicehill;

import java.util.List;

/**
 * What a call revealed.
 *
 * @param bids the round's bids, oldest first
 * @param hands all dice, by seat
 * @param caller the seat that called
 * @param bidder the seat that was called a liar
 * @param held whether the bid was right
 */
public record LiarsDiceRound(long game, List<Bid> bids, List<List<Integer>> hands, int caller, int bidder,
        boolean held) {}
