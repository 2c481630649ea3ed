package dicehill.bridge;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The declarations in a compiled class, read from its bytes. The class is neither loaded nor run, so classes
 * that it refers to may be missing.
 */
final class ClassFile {
    private static final int STATIC = 0x0008, FINAL = 0x0010, INTERFACE = 0x0200, ABSTRACT = 0x0400, SYNTHETIC = 0x1000,
            ENUM = 0x4000;

    /** The class's name with dots, as {@link Class#forName} takes it. */
    final String name;
    /** The class it extends, or null. */
    final String parent;
    final List<Field> fields = new ArrayList<>();
    private final int access;

    /** Reads a class's bytes. */
    ClassFile(byte[] bytes) throws IOException {
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
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            fields.add(readField(in, constants));
        }
    }

    boolean isConcrete() {
        return (access & (INTERFACE | ABSTRACT)) == 0;
    }

    boolean isEnum() {
        return (access & ENUM) != 0;
    }

    /** A declared field. */
    static final class Field {
        final String name;
        /** The type in the notation of class files: {@code I}, {@code Ljava/lang/String;}, {@code [I}. */
        final String type;
        private final int access;

        Field(int access, String name, String type) {
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

    private static Field readField(DataInputStream in, Object[] constants) throws IOException {
        int access = in.readUnsignedShort();
        String name = (String) constants[in.readUnsignedShort()];
        String type = (String) constants[in.readUnsignedShort()];
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.readUnsignedShort();
            in.skipBytes(in.readInt());
        }
        return new Field(access, name, type);
    }

    /** The relevant constants: texts as strings, classes as the index of their name. */
    private static Object[] readConstants(DataInputStream in) throws IOException {
        Object[] constants = new Object[in.readUnsignedShort()];
        for (int index = 1; index < constants.length; index++) {
            int tag = in.readUnsignedByte();
            if (tag == 1) {
                constants[index] = in.readUTF();
            } else if (tag == 7) {
                constants[index] = in.readUnsignedShort();
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
            case 9:
            case 10:
            case 11:
            case 12:
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
