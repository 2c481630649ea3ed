package dicehill.bridge;

import java.nio.charset.StandardCharsets;

/** The author's player in one game. */
interface Seat {
    byte[] ID = "{\"id\":".getBytes(StandardCharsets.US_ASCII);

    /** Asks the player and appends its answer. What the player throws is passed on. */
    void answer(Message turn, Output out) throws Throwable;

    /** Appends the beginning that all answers share. */
    static void startAnswer(Output out, long id) {
        out.raw(ID).number(id);
    }
}
