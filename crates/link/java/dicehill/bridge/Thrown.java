package dicehill.bridge;

import java.util.ArrayList;
import java.util.List;

/** What the author's code threw, in words for the board. */
final class Thrown {
    private static final int FRAMES = 3;
    private static final int LONGEST = 300;
    private static final int CAUSES = 20;

    private Thrown() {}

    /** Whether the JVM has no memory left, on the heap or outside of it. */
    static boolean isOutOfMemory(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES; depth++, cause = cause.getCause()) {
            // The same class reports that there can be no further thread.
            if (cause instanceof OutOfMemoryError && !("" + cause.getMessage()).startsWith("unable to create")) {
                return true;
            }
        }
        return false;
    }

    /** Whether it leaves classes or the JVM in a state that other games could notice. */
    static boolean affectsOtherGames(Throwable thrown) {
        return thrown instanceof LinkageError
                || thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
    }

    /** The exception, its first frames in the author's code, and its first cause. */
    static String text(Throwable thrown) {
        Throwable first = thrown;
        for (int depth = 0; first.getCause() != null && depth < CAUSES; depth++) {
            first = first.getCause();
        }
        String cause = first == thrown ? "" : ", caused by " + name(first);
        return name(thrown) + cause + frames(first);
    }

    /** The author may have overridden what an exception says. */
    private static String name(Throwable thrown) {
        String name;
        try {
            name = "" + thrown;
        } catch (Throwable second) {
            name = thrown.getClass().getName();
        }
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "...";
    }

    private static String frames(Throwable thrown) {
        // Where a stack ends depends on what was compiled by then.
        if (thrown instanceof StackOverflowError) {
            return "";
        }
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frames.size() == FRAMES || isOfCaller(frame.getClassName())) {
                break;
            }
            frames.add(frame.getClassName() + "." + frame.getMethodName() + place(frame));
        }
        return frames.isEmpty() ? "" : " at " + String.join(", ", frames);
    }

    private static boolean isOfCaller(String className) {
        return className.startsWith("dicehill.bridge.") || className.equals("DicehillLiarsDice")
                || className.startsWith("jdk.internal.reflect.") || className.startsWith("java.lang.reflect.");
    }

    private static String place(StackTraceElement frame) {
        if (frame.getFileName() == null || frame.getLineNumber() < 0) {
            return "";
        }
        return "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
    }
}
