import dicehill.bridge.LiarsDiceCaller;

/** Calls {@link Player#bid} for the bridge, whose package cannot name a class of the default package. */
public final class DicehillLiarsDice implements LiarsDiceCaller {
    @Override
    public String bid(Object player, int you, int[] counts, int[] dice, String[] bids) {
        return ((Player) player).bid(you, counts, dice, bids);
    }
}
