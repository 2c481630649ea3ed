package dicehill.bridge;

import java.lang.reflect.Constructor;

/** A game whose challenge published a Java interface. */
interface PublishedGame {
    /** The game's name in the protocol. */
    String name();

    /** The class that the author's class extends. */
    String playerClass();

    /** Whether a bot with memory "set" keeps one player object for all games. */
    boolean playerOutlivesGames();

    /** The constructor of a player. */
    Constructor<?> constructor(Class<?> bot) throws NoSuchMethodException;

    /** Creates a player for a game of so many players, 0 if that is not known. */
    Seat sit(Constructor<?> constructor, int players) throws ReflectiveOperationException;
}
