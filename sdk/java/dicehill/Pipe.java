package dicehill;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The conversation with the arena: reads whatever is in the pipe, answers every whole line and writes all the
 * answers at once. An answer does not wait for longer than a millisecond, for while a slow bot thinks about the
 * next request, the clock for the one before would go on.
 */
final class Pipe {
    private static final int BLOCK = 1 << 16;
    private static final int LONGEST_LINE = 1 << 20;
    private static final long LONGEST_WAIT_NANOS = 1_000_000;

    private final InputStream in;
    private final OutputStream out;
    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long waitingSince;

    Pipe(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Answers until the arena says bye or closes the pipe. */
    void converse(Session session) throws IOException, BotFailure {
        byte[] block = new byte[BLOCK];
        try {
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                waitingSince = System.nanoTime();
                if (!takeBlock(block, count, session)) {
                    return;
                }
                flush();
            }
            takeLine(session);
        } finally {
            flush();
        }
    }

    private boolean takeBlock(byte[] block, int count, Session session) throws IOException, BotFailure {
        int from = 0;
        for (int index = 0; index < count; index++) {
            if (block[index] == '\n') {
                line.write(block, from, index - from);
                from = index + 1;
                if (!takeLine(session)) {
                    return false;
                }
                flushIfDue();
            }
        }
        line.write(block, from, count - from);
        if (line.size() > LONGEST_LINE) {
            throw new IOException("a line is longer than " + LONGEST_LINE + " bytes");
        }
        return true;
    }

    /** False if the arena says bye. */
    private boolean takeLine(Session session) throws IOException, BotFailure {
        String text = line.toString(StandardCharsets.UTF_8).strip();
        line.reset();
        if (text.isEmpty()) {
            return true;
        }
        Message message = Message.parse(text);
        if (message.type().equals("bye")) {
            return false;
        }
        if (message.type().equals("error")) {
            String request = message.has("id") ? " (request " + message.number("id") + ")" : "";
            System.err.println("dicehill: the arena says: " + message.text("why") + request);
        }
        String answer = answer(message, session);
        if (answer != null) {
            answers.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return true;
    }

    /** The line that answers a message, or null. A turn that fails ends its game alone. */
    private static String answer(Message message, Session session) throws BotFailure {
        try {
            return BotFailure.guard(message, () -> session.take(message));
        } catch (BotFailure failure) {
            if (!message.type().equals("turn") || !failure.endsItsGameAlone()) {
                throw failure;
            }
            failure.print();
            return session.failed(message, failure.text());
        }
    }

    private void flushIfDue() throws IOException {
        if (System.nanoTime() - waitingSince > LONGEST_WAIT_NANOS) {
            flush();
            waitingSince = System.nanoTime();
        }
    }

    private void flush() throws IOException {
        if (answers.size() > 0) {
            answers.writeTo(out);
            out.flush();
            answers.reset();
        }
    }
}
