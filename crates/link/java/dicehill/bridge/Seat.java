package dicehill.bridge;

import java.nio.charset.StandardCharsets;

/** The author's player in one game. */
interface Seat {
    byte[] ID = "{\"id\":".getBytes(StandardCharsets.US_ASCII);

    /** Asks the player and adds its answer. Whatever the player throws comes out. */
    void answer(Message turn, Output out);

    /** Adds what every answer begins with. */
    static void startAnswer(Output out, long id) {
        out.raw(ID).number(id);
    }
}
