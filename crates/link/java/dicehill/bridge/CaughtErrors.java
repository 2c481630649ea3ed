package dicehill.bridge;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * Finds code that goes on after an error of the JVM itself, such as a stack overflow. If a class of the platform was being
 * initialised then, no game of the JVM can use it any more, which code that catches errors could notice.
 *
 * <p>A handler is harmless if it throws again what it has caught, as those for {@code finally}, {@code synchronized} and
 * resources do: read in a line, it begins with storing it and comes to throwing it, and no branch leads out of the lines
 * between. Where a resource fails in closing, it adds what it has caught to an earlier exception and throws that: then the
 * error is lost.
 */
final class CaughtErrors {
    private static final int ALOAD = 25, ALOAD_0 = 42, ASTORE = 58, ASTORE_0 = 75, IFEQ = 153, JSR = 168,
            RETURN = 177, INVOKEVIRTUAL = 182, ATHROW = 191, WIDE = 196, IFNULL = 198, IFNONNULL = 199, GOTO_W = 200;

    /** Instructions of no effect after the code, so that the last ones can be looked at like all others. */
    private static final int PADDING = 16;
    /** What the JVM throws when it cannot go on, or a class cannot be initialised, and what includes those. */
    private static final Set<String> ERRORS = Set.of("java.lang.Throwable", "java.lang.Error",
            "java.lang.VirtualMachineError", "java.lang.StackOverflowError", "java.lang.OutOfMemoryError",
            "java.lang.InternalError", "java.lang.LinkageError", "java.lang.NoClassDefFoundError",
            "java.lang.ExceptionInInitializerError");

    /** The code, and {@link #PADDING} bytes. */
    private final ByteBuffer code;
    /** Where the code ends. */
    private final int end;

    private CaughtErrors(byte[] padded) {
        code = ByteBuffer.wrap(padded);
        end = padded.length - PADDING;
    }

    /** Adds the handlers of a method after which it goes on; apart from them those that add an error to another exception. */
    static void find(ClassFile file, ClassFile.Member method, List<Found> caught, List<Found> suppressed) {
        ByteBuffer attribute = ByteBuffer.wrap(method.code);
        attribute.getInt();
        int length = attribute.getInt();
        byte[] padded = new byte[length + PADDING];
        attribute.get(padded, 0, length);
        CaughtErrors handlers = new CaughtErrors(padded);
        for (int left = unsigned(attribute); left > 0; left--) {
            attribute.getInt();
            int handler = unsigned(attribute);
            int type = unsigned(attribute);
            String error = type == 0 ? "java.lang.Throwable" : file.classConstant(type);
            if (ERRORS.contains(error) && !handlers.throwsAgain(handler)) {
                Found found = new Found(file.name, "catch of " + error);
                (handlers.suppresses(handler, file) ? suppressed : caught).add(found);
            }
        }
    }

    private boolean throwsAgain(int handler) {
        int caught = stored(handler);
        if (caught < 0) {
            return false;
        }
        int lastTarget = handler;
        boolean isLoaded = false;
        for (int at = handler + length(handler); at < end; at += length(at)) {
            int opcode = opcode(at);
            if (opcode == ATHROW) {
                return isLoaded && lastTarget <= at;
            }
            if (opcode >= JSR && opcode <= RETURN || opcode == WIDE || opcode >= GOTO_W
                    || stored(at) == caught) {
                return false;
            }
            if (opcode >= IFEQ && opcode < JSR || opcode == IFNULL || opcode == IFNONNULL) {
                int target = at + code.getShort(at + 1);
                if (target <= handler) {
                    return false;
                }
                lastTarget = Math.max(lastTarget, target);
            }
            isLoaded = loaded(at) == caught;
        }
        return false;
    }

    /** Whether all that a handler does is to add what it has caught to another exception and to throw that. */
    private boolean suppresses(int handler, ClassFile file) {
        int other = handler + length(handler);
        int own = other + length(other);
        int call = own + length(own);
        int again = call + 3;
        if (stored(handler) < 0 || loaded(other) < 0 || loaded(own) != stored(handler)
                || opcode(call) != INVOKEVIRTUAL || loaded(again) != loaded(other)) {
            return false;
        }
        ClassFile.Reference called = file.member(code.getShort(call + 1) & 0xFFFF);
        return called.owner.equals("java.lang.Throwable") && called.name.equals("addSuppressed")
                && opcode(again + length(again)) == ATHROW;
    }

    /** The local in which an instruction stores a reference; -1 for other instructions. */
    private int stored(int at) {
        return local(at, ASTORE, ASTORE_0);
    }

    /** The local of which an instruction loads a reference; -1 for other instructions. */
    private int loaded(int at) {
        return local(at, ALOAD, ALOAD_0);
    }

    private int local(int at, int opcode, int first) {
        int own = opcode(at);
        if (own == opcode) {
            return code.get(at + 1) & 0xFF;
        }
        return own >= first && own < first + 4 ? own - first : -1;
    }

    private int length(int at) {
        return CodeFlow.length(opcode(at));
    }

    private int opcode(int at) {
        return code.get(at) & 0xFF;
    }

    private static int unsigned(ByteBuffer in) {
        return in.getShort() & 0xFFFF;
    }
}
