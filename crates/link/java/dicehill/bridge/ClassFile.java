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
    private static final int FIELD = 9, METHOD = 10, INTERFACE_METHOD = 11, NAME_AND_TYPE = 12;

    /** The class's name with dots, as {@link Class#forName} takes it. */
    final String name;
    /** The class it extends, or null. */
    final String parent;
    final List<Member> fields = new ArrayList<>();
    final List<Member> methods = new ArrayList<>();
    /** The classes that it names, with dots; arrays as their elements. */
    final List<String> classes = new ArrayList<>();
    /** The fields and methods, of any class, that its code can use without reflection. */
    final List<Reference> references = new ArrayList<>();
    private final int access;

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
        Object[] constants = readConstants(in);
        access = in.readUnsignedShort();
        name = className(constants, in.readUnsignedShort());
        parent = className(constants, in.readUnsignedShort());
        in.skipBytes(2 * in.readUnsignedShort());
        readMembers(in, constants, fields);
        if (isWhole) {
            readMembers(in, constants, methods);
            addReferences(constants);
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
        private final int access;

        Member(int access, String name, String type) {
            this.access = access;
            this.name = name;
            this.type = type;
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

    private static void readMembers(DataInputStream in, Object[] constants, List<Member> members) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            members.add(readMember(in, constants));
        }
    }

    private void addReferences(Object[] constants) {
        for (Object constant : constants) {
            if (constant instanceof Integer) {
                String named = ((String) constants[(Integer) constant]).replace('/', '.');
                classes.add(named.startsWith("[") ? element(named) : named);
            } else if (constant instanceof int[] && ((int[]) constant)[0] != NAME_AND_TYPE) {
                int[] member = (int[]) constant;
                int[] nameAndType = (int[]) constants[member[2]];
                references.add(new Reference(className(constants, member[1]), (String) constants[nameAndType[1]],
                        (String) constants[nameAndType[2]]));
            }
        }
    }

    /** The element class of an array type, or a primitive's letter. */
    private static String element(String array) {
        String element = array.substring(array.lastIndexOf('[') + 1);
        return element.startsWith("L") ? element.substring(1, element.length() - 1) : element;
    }

    private static Member readMember(DataInputStream in, Object[] constants) throws IOException {
        int access = in.readUnsignedShort();
        String name = (String) constants[in.readUnsignedShort()];
        String type = (String) constants[in.readUnsignedShort()];
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.readUnsignedShort();
            in.skipBytes(in.readInt());
        }
        return new Member(access, name, type);
    }

    /**
     * The relevant constants: texts as strings, classes as the index of their name, members and their names with types
     * as their tag and two indexes.
     */
    private static Object[] readConstants(DataInputStream in) throws IOException {
        Object[] constants = new Object[in.readUnsignedShort()];
        for (int index = 1; index < constants.length; index++) {
            int tag = in.readUnsignedByte();
            if (tag == 1) {
                constants[index] = in.readUTF();
            } else if (tag == 7) {
                constants[index] = in.readUnsignedShort();
            } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD || tag == NAME_AND_TYPE) {
                constants[index] = new int[] {tag, in.readUnsignedShort(), in.readUnsignedShort()};
            } else {
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
            case 18:
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
