package dicehill.bridge;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The bot's log. A game that closes it does not take it from the others. */
final class LogStream extends PrintStream {
    LogStream(OutputStream out) {
        super(out, true, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        flush();
    }

    /** Of its own formatter: a {@link java.util.Formattable} could close one that a stream keeps. */
    @Override
    public PrintStream format(String format, Object... arguments) {
        print(String.format(format, arguments));
        return this;
    }

    /** Of its own formatter. */
    @Override
    public PrintStream format(Locale locale, String format, Object... arguments) {
        print(String.format(locale, format, arguments));
        return this;
    }
}
