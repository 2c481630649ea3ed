package dicehill.bridge;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds uses of state that all games in a JVM share, whatever class loader they have: system properties, threads,
 * files, standard streams, defaults, classes that an error of the JVM has left unusable ({@link CaughtErrors}).
 *
 * <p>Such state is in more places of the platform than a list can name. So the list is of what is harmless, and all
 * other references to the platform count, also reflection, which could hide them. Looked at are the classes that the
 * player can reach by references, so that a library counts only as far as it is used.
 *
 * <p>What no reference shows is not found: numbers of identity hash codes, use of the heap, and time.
 */
final class SharedState {
    /** What tells the name of a class. */
    private static final Set<String> CLASS_NAMES =
            names("", "java.lang.Class.", "getCanonicalName getName getSimpleName getTypeName toString");

    /** Packages of which every class is harmless, except for {@link #SHARED_CLASSES} and {@link #SHARED_MEMBERS}. */
    private static final Set<String> PACKAGES = Set.of("java.lang.annotation", "java.lang.runtime", "java.math",
            "java.nio.charset", "java.text", "java.time", "java.time.chrono", "java.time.format", "java.time.temporal",
            "java.util", "java.util.concurrent.atomic", "java.util.function", "java.util.random", "java.util.regex",
            "java.util.stream", "mego.yahtzee");

    /** Harmless classes of other packages. Exceptions and errors are harmless too. */
    private static final Set<String> CLASSES = names("Player Controller",
            "java.lang.", "Object String StringBuilder StringBuffer CharSequence Math StrictMath Number Byte Short Integer"
                    + " Long Float Double Boolean Character Void Enum Record Iterable Comparable Runnable AutoCloseable"
                    + " Cloneable Appendable Readable StackTraceElement",
            "java.lang.invoke.", "LambdaMetafactory StringConcatFactory",
            "java.util.concurrent.", "Callable ThreadLocalRandom TimeUnit",
            "java.io.", "BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream"
                    + " ByteArrayOutputStream CharArrayReader CharArrayWriter Closeable DataInput DataInputStream DataOutput"
                    + " DataOutputStream Flushable InputStream InputStreamReader LineNumberReader OutputStream"
                    + " OutputStreamWriter PrintStream PrintWriter Reader Serializable StreamTokenizer StringReader"
                    + " StringWriter Writer");

    /** Harmless members of classes with others that are not. */
    private static final Set<String> MEMBERS = names("",
            "java.lang.System.", "out err arraycopy currentTimeMillis nanoTime exit getenv getProperty lineSeparator",
            "java.lang.Thread.", "currentThread getId getName getStackTrace onSpinWait sleep",
            "java.lang.Class.", "asSubclass cast desiredAssertionStatus getCanonicalName getComponentType getEnumConstants"
                    + " getName getPackageName getResource getResourceAsStream getSimpleName getSuperclass getTypeName"
                    + " hashCode equals isArray isAssignableFrom isEnum isInstance isInterface isPrimitive toString");

    /** Classes of harmless packages that are not: threads, classes found by name, generators of a seed of their own. */
    private static final Set<String> SHARED_CLASSES = names("", "java.util.",
            "ListResourceBundle PropertyResourceBundle ResourceBundle ServiceLoader Timer TimerTask",
            "java.util.random.", "RandomGeneratorFactory", "java.util.stream.", "StreamSupport");

    /**
     * Members that are not harmless in any class: the defaults of locale and time zone, the table of strings, the
     * state of a closed stream, the thread of finalizers, and what is run when a stream is closed, whose errors can be lost.
     */
    private static final Set<String> SHARED_MEMBERS = Set.of("setDefault", "intern", "checkError", "finalize", "onClose");
    /** The same of one class and those in it: generators that are seeded from a state of their class, and what puts texts into the table of strings. */
    private static final Set<String> SHARED_OF_CLASS = names("",
            "java.util.random.RandomGenerator.", "of getDefault",
            "java.util.Locale.", "<init> of forLanguageTag");
    /** Classes whose constructors take the name of a file for a text in front. */
    private static final Set<String> OPENERS = Set.of("java.io.PrintStream", "java.io.PrintWriter", "java.util.Formatter");
    /** Packages whose classes and interfaces the author's may extend and implement. */
    private static final Set<String> PARENT_PACKAGES = Set.of("java.lang.annotation", "java.math", "java.util",
            "java.util.function", "java.util.random", "java.util.stream", "mego.yahtzee");
    /**
     * The same of other packages. What the author derives from further classes could be kept by the platform, or be run by
     * it where errors get lost: character sets, fields of dates, streams.
     */
    private static final Set<String> PARENTS = names("Player Controller",
            "java.lang.", "Object Number Enum Record Iterable Comparable CharSequence Runnable AutoCloseable Cloneable"
                    + " Appendable Readable",
            "java.util.concurrent.", "Callable", "java.io.", "Serializable Closeable Flushable");
    /** Classes of those packages which the platform keeps. */
    private static final Set<String> KEPT_PARENTS =
            names("", "java.util.", "TimeZone SimpleTimeZone Calendar GregorianCalendar");
    /** The beginning of the names of members that use the common threads. */
    private static final String SHARED_PREFIX = "parallel";

    private final BotFiles files;
    /** The author's classes that were reached or referred to, with their methods and references. */
    private final Map<String, ClassFile> whole = new HashMap<>();
    private final List<Found> uses = new ArrayList<>();
    private final List<Found> randomUses = new ArrayList<>();
    /** Errors in closing that are added to an earlier exception. */
    private final List<Found> suppressed = new ArrayList<>();
    /** Whether code of the author may run when a resource is closed. */
    private boolean closesOwn;
    /** Whether classes of the author have lambdas: the JVM numbers their classes. */
    private boolean hasLambdas;
    /** Uses of the names of classes. */
    private final List<Found> namings = new ArrayList<>();
    private final List<String> initialised = new ArrayList<>();

    SharedState(BotFiles files) {
        this.files = files;
    }

    /** Of the classes that this class can reach, nearest classes first. */
    void find(String playerClass) {
        Set<String> reached = new HashSet<>(Set.of(playerClass));
        Deque<String> left = new ArrayDeque<>();
        left.add(playerClass);
        while (!left.isEmpty()) {
            ClassFile file = whole(left.remove());
            addUses(file);
            if (file.isInitialised()) {
                initialised.add(file.name);
            }
            for (String named : file.classes) {
                if (files.classes().containsKey(named) && reached.add(named)) {
                    left.add(named);
                }
            }
        }
        if (closesOwn) {
            uses.addAll(suppressed);
        }
        if (hasLambdas) {
            uses.addAll(namings);
        }
    }

    /** The uses of shared state that were found. */
    List<Found> uses() {
        return uses;
    }

    /** The uses of generators that games can share as long as they get fresh states ({@link SharedRandomness}). */
    List<Found> randomUses() {
        return randomUses;
    }

    /** The author's classes whose initialisation runs code. */
    List<String> initialised() {
        return initialised;
    }

    /** One of the author's classes, or null. */
    private ClassFile whole(String className) {
        byte[] bytes = files.bytes(className);
        if (bytes == null) {
            return null;
        }
        ClassFile known = whole.get(className);
        if (known == null) {
            known = read(className, bytes);
            whole.put(className, known);
        }
        return known;
    }

    private static ClassFile read(String name, byte[] bytes) {
        try {
            return new ClassFile(bytes, true);
        } catch (IOException | RuntimeException e) {
            // The JVM could not load it either.
            throw new IllegalArgumentException("cannot read the class " + name, e);
        }
    }

    private void addUses(ClassFile file) {
        closesOwn |= file.parent != null && file.parent.startsWith("java.io.");
        if (file.parent != null && isSharedParent(file.parent)) {
            uses.add(new Found(file.name, "extends " + file.parent));
        }
        for (String implemented : file.interfaces) {
            if (isSharedParent(implemented)) {
                uses.add(new Found(file.name, "implements " + implemented));
            }
        }
        for (String made : file.madeByCallSites) {
            if (isInterface(made) && isSharedParent(made)) {
                uses.add(new Found(file.name, "a lambda for " + made));
            }
        }
        for (ClassFile.Reference reference : file.references) {
            closesOwn |= reference.name.equals("close")
                    && (!reference.owner.startsWith("java.io.") || reference.owner.equals("java.io.Closeable"));
            hasLambdas |= reference.owner.equals("java.lang.invoke.LambdaMetafactory");
            Found use = new Found(file.name, reference.owner + "." + reference.name);
            if (CLASS_NAMES.contains(use.member)) {
                namings.add(use);
            }
            if (isShared(reference)) {
                uses.add(use);
            } else if (SharedRandomness.isUsedBy(reference.owner, reference.name, reference.type)) {
                randomUses.add(use);
            }
        }
        for (ClassFile.Member method : file.methods) {
            if (method.name.equals("finalize") && method.type.equals("()V")) {
                uses.add(new Found(file.name, file.name + ".finalize"));
            }
            if (method.code != null) {
                CaughtErrors.find(file, method, uses, suppressed);
            }
        }
    }

    private boolean isShared(ClassFile.Reference reference) {
        if (reference.owner.startsWith("[")) {
            return false;
        }
        ClassFile own = whole(reference.owner);
        boolean hasSharedName = SHARED_MEMBERS.contains(reference.name) || reference.name.startsWith(SHARED_PREFIX)
                || SHARED_OF_CLASS.contains(outer(reference.owner) + "." + reference.name)
                || reference.name.equals("<init>") && OPENERS.contains(reference.owner)
                        && reference.type.startsWith("(Ljava/lang/String;");
        if (own != null) {
            // It may inherit the member from a class of the platform.
            return hasSharedName && !own.declares(reference);
        }
        boolean isHarmless = isHarmless(reference.owner) || MEMBERS.contains(reference.owner + "." + reference.name);
        return (hasSharedName || !isHarmless) && exists(reference.owner);
    }

    private boolean isSharedParent(String className) {
        String outer = outer(className);
        boolean isHarmless = PARENT_PACKAGES.contains(packageOf(outer)) && !KEPT_PARENTS.contains(outer)
                || PARENTS.contains(outer) || isThrowable(outer);
        return !isHarmless && whole(className) == null && exists(className);
    }

    private static boolean isHarmless(String className) {
        String outer = outer(className);
        return !SHARED_CLASSES.contains(outer)
                && (PACKAGES.contains(packageOf(outer)) || CLASSES.contains(outer) || isThrowable(outer));
    }

    private static boolean isThrowable(String className) {
        boolean isNamedSo = className.endsWith("Exception") || className.endsWith("Error") || className.endsWith("Throwable");
        return isNamedSo && (packageOf(className).equals("java.lang") || packageOf(className).equals("java.io"));
    }

    /** The class around a nested one, else the class itself. */
    private static String outer(String className) {
        return className.contains("$") ? className.substring(0, className.indexOf('$')) : className;
    }

    private static String packageOf(String className) {
        int end = className.lastIndexOf('.');
        return end < 0 ? "" : className.substring(0, end);
    }

    /** A reference to a class that is nowhere cannot be used. */
    private static boolean exists(String className) {
        return platformClass(className) != null;
    }

    private static boolean isInterface(String className) {
        Class<?> found = platformClass(className);
        return found != null && found.isInterface();
    }

    /** A class of the platform or an interface of a challenge, or null. */
    private static Class<?> platformClass(String className) {
        try {
            return Class.forName(className, false, SharedState.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Names without a prefix, then pairs of a prefix and names; names are separated by blanks. */
    private static Set<String> names(String plain, String... prefixed) {
        Set<String> names = new HashSet<>(Arrays.asList(plain.split(" ")));
        for (int index = 0; index < prefixed.length; index += 2) {
            for (String name : prefixed[index + 1].split(" ")) {
                names.add(prefixed[index] + name);
            }
        }
        return names;
    }
}
