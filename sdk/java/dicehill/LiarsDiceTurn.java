package dicehill;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a bot sees when it is asked to act.
 *
 * @param id the request's number, which tells nothing
 * @param game the game's number, which tells nothing
 * @param you the bot's seat among those still in; it shifts when a lower seat is out
 * @param counts how many dice each seat has
 * @param dice the bot's own dice, in the order rolled
 * @param bids this round's bids, oldest first; {@link #bidder} tells who made which
 * @param names the players' names by seat
 * @param points their points by seat
 */
public record LiarsDiceTurn(long id, long game, int you, List<Integer> counts, List<Integer> dice, List<Bid> bids,
        List<String> names, List<Long> points) {

    /** The bid to beat, if there is one. */
    public Optional<Bid> lastBid() {
        return bids.isEmpty() ? Optional.empty() : Optional.of(bids.get(bids.size() - 1));
    }

    /** The seat that made the bid at this index of {@link #bids}. */
    public int bidder(int index) {
        return Math.floorMod(you - (bids.size() - index), counts.size());
    }

    /** How many dice are on the table. */
    public int diceInPlay() {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }

    /** How many of them the bot does not see. */
    public int hiddenDice() {
        return diceInPlay() - dice.size();
    }

    /** How many own dice count for the face: those that show it and, unless it is 1, the ones. */
    public int own(int face) {
        int ones = face == 1 ? 0 : Collections.frequency(dice, 1);
        return Collections.frequency(dice, face) + ones;
    }

    /** Whether the bid may be made now. */
    public boolean isHigher(Bid bid) {
        return lastBid().map(bid::isAbove).orElse(true);
    }

    /** The lowest bid on a face that may be made now. */
    public Bid lowestHigher(int face) {
        return lastBid().map(last -> last.lowestAbove(face)).orElse(new Bid(1, face));
    }

    /** Bids at least {@code count} dice of {@code face}. */
    public LiarsDiceAnswer bid(int count, int face) {
        return new Bid(count, face);
    }

    /** Calls the last bidder a liar. */
    public LiarsDiceAnswer liar() {
        return new LiarsDiceAnswer.Liar();
    }
}
