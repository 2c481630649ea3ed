package dicehill.bridge;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The players of the open games, and what is kept from one game to the next. */
final class Seats {
    /** How many further players are made to find out how long that takes, unless the second takes far too long. */
    private static final int TRIES = 3;

    private final PublishedGame game;
    private final BotFiles files;
    private final String playerClass;
    private final boolean hasMutableStatics;
    private final List<String> initialised;
    private final Map<Long, Seat> seats = new HashMap<>();
    /** The number of players of games that have started and whose player was not made yet. */
    private final Map<Long, Integer> announced = new HashMap<>();
    /** A player that was made before any game was announced. */
    private Seat spare;

    /** With memory "set" the bot's classes are kept, and for some games its player. */
    private boolean livesOn;
    private Constructor<?> constructor;
    private Seat lastingSeat;

    /** Seats for this player class, and the author's classes whose initialisation runs code. */
    Seats(PublishedGame game, BotFiles files, String playerClass, boolean hasMutableStatics, List<String> initialised) {
        this.game = game;
        this.files = files;
        this.playerClass = playerClass;
        this.hasMutableStatics = hasMutableStatics;
        this.initialised = initialised;
    }

    /** Sets whether state is kept between games. By default it is not. */
    void liveOn(boolean livesOn) {
        this.livesOn = livesOn;
    }

    boolean livesOn() {
        return livesOn;
    }

    /**
     * Notes the number of players of a game that starts. Its player is made when it is asked first, because with memory
     * "game" many games may start before one is asked.
     */
    void announce(long number, int players) throws Throwable {
        announced.put(number, players);
        if (livesOn && lastingSeat == null && spare == null) {
            take(number, make(players));
        }
    }

    /**
     * Makes the player of the first game, {@link Session#NO_GAME} if none was announced yet, and returns whether making
     * one for each further game fits into its first move. What is done only once, and waits for a busy machine, do not
     * count: to find out, further players are made and dropped, which no game can notice. What a constructor throws is
     * thrown again in its game.
     */
    boolean makeFirst(long number, int players, TimeLimits limits, Runnable beforeEach) throws Throwable {
        if (seats.containsKey(number)) {
            return true;
        }
        beforeEach.run();
        long began = System.nanoTime();
        Seat seat = make(players);
        long time = System.nanoTime() - began;
        if (number == Session.NO_GAME) {
            spare = seat;
        } else {
            take(number, seat);
        }
        if (livesOn) {
            return true;
        }
        int tries = 0;
        while (!limits.fitsMove(time) && limits.allowsAgain(System.nanoTime() - began)
                && (tries == 0 || tries < TRIES && limits.nearlyFitsMove(time))) {
            tries++;
            beforeEach.run();
            long again = System.nanoTime();
            make(players);
            time = System.nanoTime() - again;
        }
        return limits.fitsMove(time);
    }

    /**
     * Initialises the classes that games share. A game could tell otherwise which classes an earlier one had used: a class whose
     * initialisation failed is refused from then on, and a constant may be the time of the initialisation.
     */
    void initialiseClasses() throws Throwable {
        if (livesOn || hasMutableStatics) {
            return;
        }
        for (String name : initialised) {
            try {
                Class.forName(name, true, constructor.getDeclaringClass().getClassLoader());
            } catch (Throwable thrown) {
                // A game that uses the class fails, or makes do without it.
                if (Thrown.isOutOfMemory(thrown)) {
                    throw thrown;
                }
            }
        }
    }

    /** The player in a game, which is made if it was not yet. */
    Seat at(long number, int players) throws Throwable {
        Seat seat = seats.get(number);
        if (seat != null) {
            return seat;
        }
        Integer known = announced.remove(number);
        seat = lastingSeat != null ? lastingSeat : spare != null ? spare : sit(known == null ? players : known);
        spare = null;
        take(number, seat);
        return seat;
    }

    private void take(long number, Seat seat) {
        announced.remove(number);
        seats.put(number, seat);
        if (livesOn && game.playerOutlivesGames()) {
            lastingSeat = seat;
        }
    }

    /** A player, or one that throws what its constructor threw, unless that affects the whole process. */
    private Seat make(int players) throws Throwable {
        try {
            return sit(players);
        } catch (Throwable thrown) {
            if (Thrown.isOutOfMemory(thrown)) {
                throw thrown;
            }
            return new FailedSeat(thrown);
        }
    }

    void end(long number) {
        announced.remove(number);
        seats.remove(number);
    }

    /** Releases everything, so that there is memory for a last message. */
    void clear() {
        seats.clear();
        spare = null;
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
