package dicehill.bridge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the author's code threw, in words for the board. */
final class Thrown {
    private static final int FRAMES = 3;
    private static final int LONGEST = 300;
    private static final int CAUSES = 20;
    /** How often a method is in the 1024 frames that a stack trace has, if it calls itself without end. */
    private static final int RECURSION = 100;

    private Thrown() {}

    /** Whether the JVM has no memory left, on the heap or outside of it. */
    static boolean isOutOfMemory(Throwable thrown) {
        return outOfMemory(thrown) != null;
    }

    /** Whether it is the memory outside the heap that is used up. */
    static boolean isOutOfDirectMemory(Throwable thrown) {
        Throwable cause = outOfMemory(thrown);
        return cause != null && ("" + cause.getMessage()).contains("direct buffer memory");
    }

    /** The cause that reports that the JVM has no memory left, or null. */
    private static Throwable outOfMemory(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES; depth++, cause = cause.getCause()) {
            // The same class reports that there can be no further thread.
            if (cause instanceof OutOfMemoryError && !("" + cause.getMessage()).startsWith("unable to create")) {
                return cause;
            }
        }
        return null;
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
        StackTraceElement[] trace = thrown.getStackTrace();
        return thrown instanceof StackOverflowError ? recursion(trace) : frames(Arrays.asList(trace));
    }

    /** The methods that call each other without end. Where the stack ends depends on what was compiled by then. */
    private static String recursion(StackTraceElement[] trace) {
        Map<String, Integer> calls = new TreeMap<>();
        for (StackTraceElement frame : trace) {
            calls.merge(frame.getClassName() + "." + frame.getMethodName(), 1, Integer::sum);
        }
        calls.values().removeIf(count -> count < RECURSION);
        List<String> methods = new ArrayList<>(calls.keySet());
        return methods.isEmpty() ? "" : " in " + String.join(", ", methods.subList(0, Math.min(FRAMES, methods.size())));
    }

    /** The end of the JVM that this stack trace of a thread asked for, or null. */
    static String exit(StackTraceElement[] trace) {
        for (int index = 0; index < trace.length; index++) {
            String called = trace[index].getClassName();
            if (called.equals("java.lang.Runtime") && trace[index].getMethodName().equals("exit")) {
                List<StackTraceElement> callers = Arrays.asList(trace).subList(index + 1, trace.length);
                boolean isBySystem = callers.size() > 0 && callers.get(0).getClassName().equals("java.lang.System");
                return "it ended the JVM" + frames(isBySystem ? callers.subList(1, callers.size()) : callers);
            }
        }
        return null;
    }

    private static String frames(List<StackTraceElement> trace) {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : trace) {
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
