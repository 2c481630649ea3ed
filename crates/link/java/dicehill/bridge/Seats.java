package dicehill.bridge;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.Map;

/** The players of the open games, and what is kept from one game to the next. */
final class Seats {
    private final PublishedGame game;
    private final BotFiles files;
    private final String playerClass;
    private final boolean hasMutableStatics;
    private final Map<Long, Seat> seats = new HashMap<>();

    /** With memory "set" the bot's classes are kept, and for some games its player. */
    private boolean livesOn;
    private Constructor<?> constructor;
    private Seat lastingSeat;

    Seats(PublishedGame game, BotFiles files, String playerClass, boolean hasMutableStatics) {
        this.game = game;
        this.files = files;
        this.playerClass = playerClass;
        this.hasMutableStatics = hasMutableStatics;
    }

    /** Sets whether state is kept between games. By default it is not. */
    void liveOn(boolean livesOn) {
        this.livesOn = livesOn;
    }

    /** Creates a player for a game that starts. */
    Seat start(long number, int players) throws Throwable {
        Seat seat = lastingSeat != null ? lastingSeat : sit(players);
        if (livesOn && game.playerOutlivesGames()) {
            lastingSeat = seat;
        }
        seats.put(number, seat);
        return seat;
    }

    /** The player in a game, which is started if it was not yet. */
    Seat at(long number, int players) throws Throwable {
        Seat seat = seats.get(number);
        return seat != null ? seat : start(number, players);
    }

    void end(long number) {
        seats.remove(number);
    }

    /** Releases everything, so that there is memory for a last message. */
    void clear() {
        seats.clear();
        lastingSeat = null;
        constructor = null;
    }

    /** Loads the player class without initialising it. */
    void load() throws ReflectiveOperationException {
        if (constructor == null || hasMutableStatics && !livesOn) {
            Class<?> bot = Class.forName(playerClass, false, new BotLoader(files));
            constructor = game.constructor(bot);
            constructor.setAccessible(true);
        }
    }

    private Seat sit(int players) throws Throwable {
        load();
        try {
            return game.sit(constructor, players);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
