package dicehill.bridge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds static final fields whose content never changes once their class is initialised, though their type would allow it:
 * tables, which are arrays of immutable elements that all code only reads, and immutable collections.
 *
 * <p>Every method is followed. Code that may change an array, or hands it to code that may, makes its field one that can
 * change. Reflection could evade this; a player that uses it has a process for each game anyway.
 */
final class ConstantFields {
    /** Types of which immutable objects can be made. */
    private static final Set<String> COLLECTIONS = Set.of("Ljava/util/List;", "Ljava/util/Set;", "Ljava/util/Map;",
            "Ljava/util/Collection;", "Ljava/lang/Iterable;", "Ljava/util/Comparator;", "Ljava/math/BigInteger;");
    /** Methods that make immutable objects of immutable ones. */
    private static final Set<String> MAKERS = Set.of("java.util.List.of", "java.util.Set.of", "java.util.Map.of",
            "java.util.Map.entry", "java.util.Map.ofEntries", "java.util.List.copyOf", "java.util.Set.copyOf",
            "java.util.Map.copyOf", "java.math.BigInteger.valueOf", "java.util.Comparator.naturalOrder",
            "java.util.Comparator.reverseOrder");
    /** Methods that only read an array of one dimension. */
    private static final Set<String> READERS = Set.of("java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange",
            "java.util.Arrays.stream", "java.util.Arrays.toString", "java.util.Arrays.hashCode", "java.util.Arrays.equals",
            "java.util.Arrays.binarySearch", "java.util.stream.IntStream.of", "java.util.stream.LongStream.of",
            "java.util.stream.DoubleStream.of");
    /** Methods that only read an array of any dimensions. */
    private static final Set<String> DEEP_READERS =
            Set.of("java.util.Arrays.deepToString", "java.util.Arrays.deepHashCode", "java.util.Arrays.deepEquals");
    /** More classes are not followed, because the start of the player would take too long. */
    private static final int MOST_CLASSES = 300;

    private final BotFiles files;
    private final Immutability types;
    /**
     * The fields that may be constant, with their classes, by name and type: code may name a class that inherits the
     * field.
     */
    private final Map<String, Set<String>> candidates = new HashMap<>();
    private final Set<String> changing = new HashSet<>();

    /** Whether objects of a type, in the notation of class files, can change. */
    interface Immutability {
        boolean isUnchanging(String type);
    }

    ConstantFields(BotFiles files, Immutability types) {
        this.files = files;
        this.types = types;
    }

    /** Adds a static final field that may be constant. */
    void add(String className, ClassFile.Member field) {
        String element = field.type.substring(field.type.lastIndexOf('[') + 1);
        int dimensions = field.type.lastIndexOf('[') + 1;
        boolean isTable = dimensions > 0 && dimensions <= CodeFlow.MOST_DIMENSIONS
                && (element.length() == 1 || types.isUnchanging(element));
        if (isTable || COLLECTIONS.contains(field.type)) {
            candidates.computeIfAbsent(field.name + field.type, key -> new HashSet<>()).add(className + "." + field.name);
        }
    }

    /** The fields that are constant, by their class and name. */
    Set<String> find() {
        if (candidates.isEmpty() || files.classes().size() > MOST_CLASSES) {
            return Set.of();
        }
        for (String name : files.classes().keySet()) {
            try {
                follow(new ClassFile(files.bytes(name), true));
            } catch (java.io.IOException | RuntimeException e) {
                // Code that cannot be followed may do anything.
                return Set.of();
            }
        }
        Set<String> constant = new HashSet<>();
        for (Set<String> fields : candidates.values()) {
            constant.addAll(fields);
        }
        constant.removeAll(changing);
        return constant;
    }

    private void follow(ClassFile file) {
        boolean refers = false;
        for (ClassFile.Reference reference : file.references) {
            refers |= !candidates(reference).isEmpty();
        }
        for (ClassFile.Member method : file.methods) {
            if (refers && method.code != null) {
                new MethodUses(file.name, method.name.equals("<clinit>")).follow(file, method);
            }
        }
    }

    /** The fields that may be constant and may be meant. */
    private Set<String> candidates(ClassFile.Reference field) {
        return candidates.getOrDefault(field.name + field.type, Set.of());
    }

    /** The values of one method. */
    private final class MethodUses implements CodeFlow.Uses {
        private final String className;
        private final boolean isInitialiser;
        /** The watched fields that the method reads, those that one reference may mean together. */
        private final List<Set<String>> read = new ArrayList<>();

        MethodUses(String className, boolean isInitialiser) {
            this.className = className;
            this.isInitialiser = isInitialiser;
        }

        void follow(ClassFile file, ClassFile.Member method) {
            CodeFlow.follow(file, method, this);
        }

        /** Whether the method is the initialiser of the class that declares the field. */
        private boolean isOwn(ClassFile.Reference field) {
            return isInitialiser && field.owner.equals(className)
                    && candidates(field).contains(field.owner + "." + field.name);
        }

        @Override
        public int read(ClassFile.Reference field) {
            if (!field.type.startsWith("[") || isOwn(field) || candidates(field).isEmpty()) {
                return isImmutable(field.type) ? CodeFlow.IMMUTABLE : CodeFlow.OTHER;
            }
            Set<String> meant = candidates(field);
            if (!read.contains(meant)) {
                read.add(meant);
            }
            return CodeFlow.watched(read.indexOf(meant) + 1, field.type.lastIndexOf('[') + 1);
        }

        @Override
        public void written(ClassFile.Reference field, int kind) {
            boolean isKnown = field.type.startsWith("[") || kind == CodeFlow.IMMUTABLE;
            if (!isOwn(field) || !isKnown) {
                changing.addAll(candidates(field));
            }
        }

        @Override
        public int called(ClassFile.Reference method, int[] arguments) {
            String name = method.owner + "." + method.name;
            if (method.owner.isEmpty()) {
                // A lambda that knows nothing but its arguments.
                return arguments.length == 0 ? CodeFlow.IMMUTABLE : CodeFlow.OTHER;
            }
            if (MAKERS.contains(name)) {
                return allImmutable(arguments, method.type.startsWith("([")) ? CodeFlow.IMMUTABLE : CodeFlow.OTHER;
            }
            boolean isCopy = method.owner.startsWith("[") && method.name.equals("clone");
            if (isCopy || READERS.contains(name)) {
                return onlyReads(arguments, 1);
            }
            return DEEP_READERS.contains(name) ? onlyReads(arguments, Integer.MAX_VALUE) : CodeFlow.OTHER;
        }

        /** Whether the arguments cannot change; an array may only be the list of them, which is copied. */
        private boolean allImmutable(int[] arguments, boolean isArrayCopied) {
            for (int kind : arguments) {
                if (kind != CodeFlow.IMMUTABLE && !(kind == CodeFlow.OWN_ARRAY && isArrayCopied)) {
                    return false;
                }
            }
            return true;
        }

        private int onlyReads(int[] arguments, int dimensions) {
            for (int kind : arguments) {
                boolean isWatched = kind > CodeFlow.OTHER;
                if (isWatched && CodeFlow.dimensions(kind) > dimensions || kind == CodeFlow.OWN_ARRAY) {
                    return CodeFlow.OTHER;
                }
            }
            return CodeFlow.HARMLESS;
        }

        @Override
        public boolean isImmutable(String type) {
            return type.startsWith("L") && types.isUnchanging(type);
        }

        @Override
        public void escaped(int kind) {
            int number = CodeFlow.number(kind);
            List<Set<String>> escaped = number == 0 ? read : read.subList(number - 1, number);
            for (Set<String> fields : escaped) {
                changing.addAll(fields);
            }
        }
    }
}
