package dicehill.bridge;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Follows kinds of values through the code of one method: on every path, from where they are read to where they are used. A
 * kind is {@link #OTHER}, {@link #IMMUTABLE}, {@link #OWN_ARRAY}, or that of a watched array ({@link #watched}).
 */
final class CodeFlow {
    /** Anything. */
    static final int OTHER = 0;
    /** A reference to an object that cannot change. */
    static final int IMMUTABLE = -1;
    /** An array that this code has made and no other code knows, and that holds nothing but immutable objects. */
    static final int OWN_ARRAY = -2;

    /** How many words an instruction takes from the stack, by opcode; {@code -} for those that are followed one by one. */
    private static final String POPS = "000000000000000000---0000-0000000000000000--------"
            + "----1212-1111222211112222---------------------2424"
            + "24242424242424241212232323242424011122211122211142"
            + "244111111222222--0--11121210-------------1--------"
            + "0";
    /** How many it then puts there. */
    private static final String PUSHES = "011111111221112211---1212-1111222211112222--------"
            + "----0000-0000000000000000---------------------1212"
            + "12121212121212121212121212121212021211212212111111"
            + "111000000000000--0--00000000-------------0--------"
            + "0";

    /** The bits for the dimensions of a watched array; the others are its number. */
    private static final int NUMBER_SHIFT = 3;
    static final int MOST_DIMENSIONS = (1 << NUMBER_SHIFT) - 1;

    /** The kind of a watched array with this number; 0 stands for all numbers. */
    static int watched(int number, int dimensions) {
        return number << NUMBER_SHIFT | dimensions;
    }

    static int number(int watched) {
        return watched >> NUMBER_SHIFT;
    }

    static int dimensions(int watched) {
        return watched & MOST_DIMENSIONS;
    }

    /** The result of a call that neither changes nor keeps its arguments. */
    static final int HARMLESS = -3;

    /** What is done with values; the kinds of results. */
    interface Uses {
        /** The kind of a value that a static field holds. */
        int read(ClassFile.Reference field);

        /** A static field gets a value of this kind. */
        void written(ClassFile.Reference field, int kind);

        /** The kind of the result of a call with arguments of these kinds, the receiver first. */
        int called(ClassFile.Reference method, int[] arguments);

        /** Whether objects of a class cannot change. */
        boolean isImmutable(String type);

        /** A watched array of this kind is used in a way that may change it or let other code do so. */
        void escaped(int kind);
    }

    /** An array of the method may hold more than is known: it has to be followed again without such arrays. */
    private static final class Spoiled extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final ClassFile file;
    private final Uses uses;
    private final boolean knowsOwnArrays;
    private final ByteBuffer code;
    private final int[][] handlers;
    private final int locals;
    private final int[][] states;
    private final Deque<Integer> waiting = new ArrayDeque<>();

    /** The kinds of locals and, after them, of the stack, while an instruction is followed. */
    private int[] slots;
    private int top;

    private CodeFlow(ClassFile file, byte[] attribute, Uses uses, boolean knowsOwnArrays) {
        this.file = file;
        this.uses = uses;
        this.knowsOwnArrays = knowsOwnArrays;
        ByteBuffer in = ByteBuffer.wrap(attribute);
        int stack = in.getShort() & 0xFFFF;
        locals = in.getShort() & 0xFFFF;
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        code = ByteBuffer.wrap(bytes);
        handlers = new int[in.getShort() & 0xFFFF][4];
        for (int[] handler : handlers) {
            for (int index = 0; index < handler.length; index++) {
                handler[index] = in.getShort() & 0xFFFF;
            }
        }
        states = new int[bytes.length][];
        slots = new int[locals + stack + 1];
    }

    /** Follows a method with code. Code that cannot be followed is a {@link RuntimeException}. */
    static void follow(ClassFile file, ClassFile.Member method, Uses uses) {
        try {
            new CodeFlow(file, method.code, uses, true).follow();
        } catch (Spoiled e) {
            new CodeFlow(file, method.code, uses, false).follow();
        }
    }

    private void follow() {
        reach(0, new int[locals]);
        while (!waiting.isEmpty()) {
            int at = waiting.remove();
            int[] state = states[at];
            for (int[] handler : handlers) {
                if (handler[0] <= at && at < handler[1]) {
                    int[] caught = Arrays.copyOf(state, locals + 1);
                    caught[locals] = OTHER;
                    reach(handler[2], caught);
                }
            }
            System.arraycopy(state, 0, slots, 0, state.length);
            top = state.length;
            step(at);
        }
    }

    /** The instruction at this place is reached with the state; what differs from earlier states is merged. */
    private void reach(int at, int[] state) {
        int[] known = states[at];
        if (known == null) {
            states[at] = state;
            waiting.add(at);
            return;
        }
        if (known.length != state.length) {
            throw new IllegalArgumentException("stacks of two heights");
        }
        int[] merged = known.clone();
        for (int index = 0; index < merged.length; index++) {
            merged[index] = merged(known[index], state[index]);
        }
        if (!Arrays.equals(merged, known)) {
            states[at] = merged;
            waiting.add(at);
        }
    }

    private int merged(int one, int other) {
        if (one == other) {
            return one;
        }
        if (one == OWN_ARRAY || other == OWN_ARRAY) {
            throw new Spoiled();
        }
        boolean areWatched = one > OTHER && other > OTHER;
        return areWatched ? watched(0, Math.max(dimensions(one), dimensions(other))) : Math.max(Math.max(one, other), OTHER);
    }

    private void goOn(int at) {
        reach(at, Arrays.copyOf(slots, top));
    }

    private int pop() {
        return slots[--top];
    }

    /** Takes a value that nothing happens to. */
    private void pop(int words) {
        for (int left = words; left > 0; left--) {
            used(pop());
        }
    }

    /** The value is used in a way that is not known to be harmless. */
    private void used(int kind) {
        if (kind == OWN_ARRAY) {
            disownArrays();
        }
        if (kind > OTHER) {
            uses.escaped(kind);
        }
    }

    /** From here on, nothing is known of the method's arrays. */
    private void disownArrays() {
        for (int index = 0; index < top; index++) {
            slots[index] = slots[index] == OWN_ARRAY ? OTHER : slots[index];
        }
    }

    private void push(int kind) {
        slots[top++] = kind;
    }

    private void push(int kind, int words) {
        for (int left = words; left > 0; left--) {
            push(kind);
        }
    }

    private int unsigned(int at) {
        return code.getShort(at) & 0xFFFF;
    }

    /** Follows the instruction at a place. */
    private void step(int at) {
        int opcode = code.get(at) & 0xFF;
        if (opcode == 25 || opcode >= 42 && opcode <= 45) {
            push(slots[opcode == 25 ? code.get(at + 1) & 0xFF : opcode - 42]);
        } else if (opcode == 58 || opcode >= 75 && opcode <= 78) {
            slots[opcode == 58 ? code.get(at + 1) & 0xFF : opcode - 75] = pop();
        } else if (opcode >= 46 && opcode <= 53) {
            load(opcode);
        } else if (opcode >= 79 && opcode <= 86) {
            store(opcode);
        } else if (opcode >= 87 && opcode <= 95) {
            rearrange(opcode);
        } else if (opcode >= 18 && opcode <= 20) {
            int constant = opcode == 18 ? code.get(at + 1) & 0xFF : unsigned(at + 1);
            push(file.isTextConstant(constant) ? IMMUTABLE : OTHER, opcode == 20 ? 2 : 1);
        } else if (opcode >= 165 && opcode <= 166 || opcode >= 198 && opcode <= 199 || opcode >= 194 && opcode <= 195) {
            // Comparing and locking change nothing.
            top -= opcode <= 166 ? 2 : 1;
        } else if (opcode < POPS.length() && POPS.charAt(opcode) != '-') {
            pop(POPS.charAt(opcode) - '0');
            overwrite(opcode, at);
            push(OTHER, PUSHES.charAt(opcode) - '0');
        } else {
            refer(opcode, at);
        }
        branch(opcode, at);
    }

    /** A number in a local replaces what was there. */
    private void overwrite(int opcode, int at) {
        if (opcode < 54 || opcode > 74) {
            return;
        }
        int local = opcode <= 57 ? code.get(at + 1) & 0xFF : (opcode - 59) % 4;
        slots[local] = OTHER;
        if (POPS.charAt(opcode) == '2') {
            slots[local + 1] = OTHER;
        }
    }

    private void load(int opcode) {
        pop();
        int array = pop();
        push(opcode == 50 && array > OTHER && dimensions(array) > 1 ? array - 1 : OTHER, opcode == 47 || opcode == 49 ? 2 : 1);
    }

    private void store(int opcode) {
        int value = pop();
        if (opcode == 80 || opcode == 82) {
            pop();
        }
        pop();
        int array = pop();
        if (array > OTHER) {
            uses.escaped(array);
        }
        if (array == OWN_ARRAY && value != IMMUTABLE) {
            disownArrays();
        }
        used(value);
    }

    private void rearrange(int opcode) {
        int one = pop();
        int two = opcode == 87 || opcode == 89 ? OTHER : pop();
        int three = opcode == 91 || opcode == 93 || opcode == 94 ? pop() : OTHER;
        int four = opcode == 94 ? pop() : OTHER;
        switch (opcode) {
            case 87: case 88: break;
            case 89: pushAll(one, one); break;
            case 90: pushAll(one, two, one); break;
            case 91: pushAll(one, three, two, one); break;
            case 92: pushAll(two, one, two, one); break;
            case 93: pushAll(two, one, three, two, one); break;
            case 94: pushAll(two, one, four, three, two, one); break;
            default: pushAll(one, two); break;
        }
    }

    private void pushAll(int... kinds) {
        for (int kind : kinds) {
            push(kind);
        }
    }

    /** Instructions that refer to a class or a member. */
    private void refer(int opcode, int at) {
        switch (opcode) {
            case 178: case 179: case 180: case 181:
                field(opcode, file.member(unsigned(at + 1)));
                break;
            case 182: case 183: case 184: case 185:
                call(file.member(unsigned(at + 1)), opcode == 184 ? 0 : 1);
                break;
            case 186:
                call(file.callSite(unsigned(at + 1)), 0);
                break;
            case 187:
                push(OTHER);
                break;
            case 188: case 189:
                pop();
                push(opcode == 189 && knowsOwnArrays ? OWN_ARRAY : OTHER);
                break;
            case 190:
                pop();
                push(OTHER);
                break;
            case 192: case 193:
                cast(opcode, file.classConstant(unsigned(at + 1)));
                break;
            case 197:
                pop(code.get(at + 3));
                push(OTHER);
                break;
            default:
                // Subroutines, and wide indexes of locals, which only very large methods have.
                throw new IllegalArgumentException("instruction " + opcode);
        }
    }

    private void cast(int opcode, String type) {
        int kind = pop();
        boolean isImmutable = opcode == 192 && kind == OTHER && !type.startsWith("[") && uses.isImmutable("L" + type + ";");
        push(opcode == 193 ? OTHER : isImmutable ? IMMUTABLE : kind);
    }

    private void field(int opcode, ClassFile.Reference field) {
        int words = words(field.type);
        switch (opcode) {
            case 178:
                push(words == 2 ? OTHER : uses.read(field), words);
                break;
            case 179:
                int kind = words == 2 ? OTHER : slots[top - 1];
                pop(words);
                uses.written(field, kind);
                break;
            case 180:
                pop(1);
                push(uses.isImmutable(field.type) ? IMMUTABLE : OTHER, words);
                break;
            default:
                pop(words + 1);
        }
    }

    private void call(ClassFile.Reference method, int receivers) {
        String type = method.type;
        int count = receivers;
        int words = receivers;
        int[] kinds = new int[type.length() + 1];
        int from = top - receivers - argumentWords(type);
        if (receivers > 0) {
            kinds[0] = slots[from];
        }
        for (int at = 1; type.charAt(at) != ')'; at = end(type, at)) {
            kinds[count++] = slots[from + words];
            words += words(type.substring(at, end(type, at)));
        }
        top = from;
        int result = uses.called(method, Arrays.copyOf(kinds, count));
        for (int index = 0; result == OTHER && index < count; index++) {
            used(kinds[index]);
        }
        String returned = type.substring(type.indexOf(')') + 1);
        push(result == OTHER && uses.isImmutable(returned) ? IMMUTABLE : result == HARMLESS ? OTHER : result, words(returned));
    }

    private static int argumentWords(String type) {
        int words = 0;
        for (int at = 1; type.charAt(at) != ')'; at = end(type, at)) {
            words += words(type.substring(at, end(type, at)));
        }
        return words;
    }

    /** Where the type that starts here ends. */
    private static int end(String types, int at) {
        int element = at;
        while (types.charAt(element) == '[') {
            element++;
        }
        return types.charAt(element) == 'L' ? types.indexOf(';', element) + 1 : element + 1;
    }

    private static int words(String type) {
        return type.equals("V") ? 0 : type.equals("J") || type.equals("D") ? 2 : 1;
    }

    /** Goes on where the instruction at a place leads to. */
    private void branch(int opcode, int at) {
        if (opcode == 170 || opcode == 171) {
            jumpTable(opcode, at);
        } else if (opcode == 167 || opcode == 200) {
            goOn(at + (opcode == 167 ? code.getShort(at + 1) : code.getInt(at + 1)));
        } else if (opcode < 172 || opcode > 177 && opcode != 191) {
            if (opcode >= 153 && opcode <= 166 || opcode == 198 || opcode == 199) {
                goOn(at + code.getShort(at + 1));
            }
            goOn(at + length(opcode));
        }
    }

    private void jumpTable(int opcode, int at) {
        int aligned = at + 4 - at % 4;
        goOn(at + code.getInt(aligned));
        int entries = opcode == 170 ? code.getInt(aligned + 8) - code.getInt(aligned + 4) + 1 : code.getInt(aligned + 4);
        for (int entry = 0; entry < entries; entry++) {
            goOn(at + code.getInt(opcode == 170 ? aligned + 12 + 4 * entry : aligned + 12 + 8 * entry));
        }
    }

    /** The length of an instruction that is neither a table of jumps, {@code wide}, nor one of the JVM's first versions. */
    static int length(int opcode) {
        if (opcode == 16 || opcode == 18 || opcode >= 21 && opcode <= 25 || opcode >= 54 && opcode <= 58 || opcode == 188) {
            return 2;
        }
        if (opcode == 185 || opcode == 186) {
            return 5;
        }
        boolean isShort = opcode == 17 || opcode == 19 || opcode == 20 || opcode == 132 || opcode >= 153 && opcode <= 167
                || opcode >= 178 && opcode <= 184 || opcode == 187 || opcode == 189 || opcode == 192 || opcode == 193
                || opcode == 198 || opcode == 199;
        return isShort ? 3 : opcode == 197 ? 4 : 1;
    }
}
