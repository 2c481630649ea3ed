package dicehill;

/**
 * At least so many dice of a face, ones being wild. Bids are compared by count, then by face.
 *
 * @param count 1 to 1,000,000
 * @param face 1 to 6
 */
public record Bid(int count, int face) implements LiarsDiceAnswer, Comparable<Bid> {
    /** Whether this bid may be made over the other. */
    public boolean isAbove(Bid other) {
        return compareTo(other) > 0;
    }

    /** The lowest bid on a face that may be made over this one. */
    public Bid lowestAbove(int onFace) {
        return new Bid(onFace > face ? count : count + 1, onFace);
    }

    @Override
    public int compareTo(Bid other) {
        return count != other.count ? Integer.compare(count, other.count) : Integer.compare(face, other.face);
    }

    /** As the protocol writes it: "COUNT FACE". */
    @Override
    public String toString() {
        return count + " " + face;
    }

    /** Reads "COUNT FACE", with one blank, as the arena forwards every bid. */
    static Bid parse(String text) {
        int blank = text.indexOf(' ');
        if (blank < 0) {
            throw new IllegalArgumentException("not a bid: " + text);
        }
        return new Bid(Integer.parseInt(text, 0, blank, 10), Integer.parseInt(text, blank + 1, text.length(), 10));
    }
}
