package dicehill.bridge;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/** Liar's Dice under the published interface. */
final class LiarsDice implements PublishedGame {
    private static final byte[] BID = ",\"bid\":".getBytes(StandardCharsets.US_ASCII);

    private final LiarsDiceCaller caller;

    LiarsDice() throws ReflectiveOperationException {
        Class<?> adapter = Class.forName("DicehillLiarsDice");
        caller = (LiarsDiceCaller) adapter.getConstructor().newInstance();
    }

    @Override
    public String name() {
        return "liars-dice";
    }

    @Override
    public String playerClass() {
        return "Player";
    }

    @Override
    public boolean playerOutlivesGames() {
        return false;
    }

    @Override
    public Constructor<?> constructor(Class<?> bot) throws NoSuchMethodException {
        return bot.getDeclaredConstructor();
    }

    @Override
    public Seat sit(Constructor<?> constructor, int players) throws ReflectiveOperationException {
        LiarsDiceTable.show(LiarsDiceTable.atStart(players, constructor.getDeclaringClass()));
        return new LiarsDiceSeat(constructor.newInstance());
    }

    private final class LiarsDiceSeat implements Seat {
        private final Object player;

        LiarsDiceSeat(Object player) {
            this.player = player;
        }

        @Override
        public void answer(Message turn, Output out) {
            turn.requireTurn(false);
            LiarsDiceTable.show(LiarsDiceTable.of(turn, player.getClass()));
            String bid = caller.bid(player, turn.you, turn.counts, turn.dice, turn.bids);
            if (bid == null) {
                throw new NullPointerException("bid returned null");
            }
            Seat.startAnswer(out, turn.id);
            out.raw(BID).text(BidText.normal(bid)).raw('}').raw('\n');
        }
    }
}
