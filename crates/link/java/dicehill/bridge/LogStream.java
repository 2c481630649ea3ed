package dicehill.bridge;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The bot's log. A game that closes it does not take it from the others. */
final class LogStream extends PrintStream {
    LogStream(OutputStream out) {
        super(out, true, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        flush();
    }
}
