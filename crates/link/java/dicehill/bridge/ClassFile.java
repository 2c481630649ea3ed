package dicehill.bridge;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The declarations and references in a compiled class, read from its bytes. The class is neither loaded nor run, so
 * classes that it refers to may be missing.
 */
final class ClassFile {
    private static final int STATIC = 0x0008, FINAL = 0x0010, INTERFACE = 0x0200, ABSTRACT = 0x0400, SYNTHETIC = 0x1000,
            ENUM = 0x4000;
    private static final int FIELD = 9, METHOD = 10, INTERFACE_METHOD = 11, NAME_AND_TYPE = 12, CALL_SITE = 18;
    private static final Object TEXT = new Object();

    /** The class's name with dots, as {@link Class#forName} takes it. */
    final String name;
    /** The class it extends, or null. */
    final String parent;
    /** The interfaces that it names as its own. */
    final List<String> interfaces = new ArrayList<>();
    final List<Member> fields = new ArrayList<>();
    final List<Member> methods = new ArrayList<>();
    /** The classes that it names, with dots; arrays as their elements. */
    final List<String> classes = new ArrayList<>();
    /** The fields and methods, of any class, that its code can use without reflection. */
    final List<Reference> references = new ArrayList<>();
    /** The types of what call sites make that are linked when they are first reached: the interfaces of lambdas, and texts. */
    final List<String> madeByCallSites = new ArrayList<>();
    private final int access;
    /** If it was read whole. */
    private final Object[] constants;

    /** Reads the declarations of the class and its fields. */
    ClassFile(byte[] bytes) throws IOException {
        this(bytes, false);
    }

    /** Reads a class's bytes; methods and references only if they are wanted, because a library has very many. */
    ClassFile(byte[] bytes, boolean isWhole) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readInt() != 0xCAFEBABE) {
            throw new IOException("not a class");
        }
        in.readInt();
        constants = readConstants(in);
        access = in.readUnsignedShort();
        name = className(constants, in.readUnsignedShort());
        parent = className(constants, in.readUnsignedShort());
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            interfaces.add(className(constants, in.readUnsignedShort()));
        }
        readMembers(in, fields);
        if (isWhole) {
            readMembers(in, methods);
            addReferences();
        }
    }

    /** Whether it declares this method. */
    boolean declares(Reference method) {
        for (Member own : methods) {
            if (own.name.equals(method.name) && own.type.equals(method.type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether its initialisation runs code. */
    boolean isInitialised() {
        for (Member method : methods) {
            if (method.name.equals("<clinit>")) {
                return true;
            }
        }
        return false;
    }

    /** The field or method that code refers to by this constant. */
    Reference member(int constant) {
        int[] member = (int[]) constants[constant];
        int[] nameAndType = (int[]) constants[member[2]];
        return new Reference(className(constants, member[1]), (String) constants[nameAndType[1]],
                (String) constants[nameAndType[2]]);
    }

    /** The name and type that code gives to a call site which is linked when it is first reached. */
    Reference callSite(int constant) {
        int[] nameAndType = (int[]) constants[((int[]) constants[constant])[2]];
        return new Reference("", (String) constants[nameAndType[1]], (String) constants[nameAndType[2]]);
    }

    /** The class that code refers to by this constant, in the notation of {@link Reference#owner}. */
    String classConstant(int constant) {
        return className(constants, constant);
    }

    boolean isTextConstant(int constant) {
        return constants[constant] == TEXT;
    }

    boolean isConcrete() {
        return (access & (INTERFACE | ABSTRACT)) == 0;
    }

    boolean isEnum() {
        return (access & ENUM) != 0;
    }

    /** A field or method of some class, as code refers to it. */
    static final class Reference {
        /** The class, with dots, or an array in the notation of class files. The member may be inherited. */
        final String owner;
        final String name;
        final String type;

        Reference(String owner, String name, String type) {
            this.owner = owner;
            this.name = name;
            this.type = type;
        }
    }

    /** A declared field or method. */
    static final class Member {
        final String name;
        /** The type in the notation of class files: {@code I}, {@code Ljava/lang/String;}, {@code [I}, {@code ()V}. */
        final String type;
        /** The attribute with the code of a method; null without code. */
        final byte[] code;
        private final int access;

        Member(int access, String name, String type, byte[] code) {
            this.access = access;
            this.name = name;
            this.type = type;
            this.code = code;
        }

        boolean isStatic() {
            return (access & STATIC) != 0;
        }

        boolean isFinal() {
            return (access & FINAL) != 0;
        }

        /** Whether the compiler generated it. */
        boolean isSynthetic() {
            return (access & SYNTHETIC) != 0;
        }
    }

    private void readMembers(DataInputStream in, List<Member> members) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            members.add(readMember(in));
        }
    }

    private void addReferences() {
        for (int index = 1; index < constants.length; index++) {
            Object constant = constants[index];
            if (constant instanceof Integer) {
                String named = ((String) constants[(Integer) constant]).replace('/', '.');
                classes.add(named.startsWith("[") ? element(named) : named);
            } else if (constant instanceof int[] && ((int[]) constant)[0] <= INTERFACE_METHOD) {
                references.add(member(index));
            } else if (constant instanceof int[] && ((int[]) constant)[0] == CALL_SITE) {
                String type = callSite(index).type;
                String made = type.substring(type.indexOf(')') + 1).replace('/', '.');
                madeByCallSites.add(element(made));
            }
        }
    }

    /** The element class of an array type, or a primitive's letter. */
    private static String element(String array) {
        String element = array.substring(array.lastIndexOf('[') + 1);
        return element.startsWith("L") ? element.substring(1, element.length() - 1) : element;
    }

    private Member readMember(DataInputStream in) throws IOException {
        int access = in.readUnsignedShort();
        String name = (String) constants[in.readUnsignedShort()];
        String type = (String) constants[in.readUnsignedShort()];
        byte[] code = null;
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            boolean isCode = "Code".equals(constants[in.readUnsignedShort()]);
            int length = in.readInt();
            if (isCode) {
                code = in.readNBytes(length);
            } else {
                in.skipBytes(length);
            }
        }
        return new Member(access, name, type, code);
    }

    /**
     * The relevant constants: texts as strings, classes as the index of their name, members and their names with types
     * as their tag and two indexes, quoted texts as {@link #TEXT}.
     */
    private static Object[] readConstants(DataInputStream in) throws IOException {
        Object[] constants = new Object[in.readUnsignedShort()];
        for (int index = 1; index < constants.length; index++) {
            int tag = in.readUnsignedByte();
            if (tag == 1) {
                constants[index] = in.readUTF();
            } else if (tag == 7) {
                constants[index] = in.readUnsignedShort();
            } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD || tag == NAME_AND_TYPE
                    || tag == CALL_SITE) {
                constants[index] = new int[] {tag, in.readUnsignedShort(), in.readUnsignedShort()};
            } else {
                constants[index] = tag == 8 ? TEXT : null;
                in.skipBytes(size(tag));
            }
            if (tag == 5 || tag == 6) {
                index++;
            }
        }
        return constants;
    }

    private static int size(int tag) throws IOException {
        switch (tag) {
            case 8:
            case 16:
            case 19:
            case 20:
                return 2;
            case 15:
                return 3;
            case 3:
            case 4:
            case 17:
                return 4;
            case 5:
            case 6:
                return 8;
            default:
                throw new IOException("unknown constant " + tag);
        }
    }

    private static String className(Object[] constants, int index) {
        return index == 0 ? null : ((String) constants[(Integer) constants[index]]).replace('/', '.');
    }
}
