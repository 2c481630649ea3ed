package dicehill.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the fields through which one game could learn about another.
 *
 * <p>A static field cannot change if it is final and of a primitive type, a string, a boxed number or an enum.
 * The constants of an enum exist as long as its class, so their fields count too. Tables and collections do not count if
 * their content is found to be constant ({@link ConstantFields}).
 */
final class MutableStatics implements ConstantFields.Immutability {
    private static final Set<String> UNCHANGING = Set.of("java.lang.String", "java.lang.Boolean", "java.lang.Byte",
            "java.lang.Character", "java.lang.Short", "java.lang.Integer", "java.lang.Long", "java.lang.Float",
            "java.lang.Double", "java.util.regex.Pattern", "mego.yahtzee.Category");

    private final BotFiles files;

    MutableStatics(BotFiles files) {
        this.files = files;
    }

    /** All such fields, by class, in the order of declaration. */
    List<Found> find() {
        List<Found> found = new ArrayList<>();
        ConstantFields constants = new ConstantFields(files, this);
        for (ClassFile file : files.classes().values()) {
            for (ClassFile.Member field : file.fields) {
                if (outlivesGame(file, field) && canChange(field)) {
                    found.add(new Found(file.name, field.name));
                    if (field.isStatic() && field.isFinal()) {
                        constants.add(file.name, field);
                    }
                }
            }
        }
        Set<String> constant = constants.find();
        List<Found> changing = new ArrayList<>();
        for (Found field : found) {
            if (!constant.contains(field.className + "." + field.member)) {
                changing.add(field);
            }
        }
        return changing;
    }

    private boolean outlivesGame(ClassFile file, ClassFile.Member field) {
        return !field.isSynthetic() && (field.isStatic() || isEnum(file.name) || isEnum(file.parent));
    }

    private boolean canChange(ClassFile.Member field) {
        return !field.isFinal() || field.type.length() > 1 && !isUnchanging(field.type);
    }

    @Override
    public boolean isUnchanging(String type) {
        if (type.startsWith("[")) {
            return false;
        }
        String name = type.substring(1, type.length() - 1).replace('/', '.');
        return UNCHANGING.contains(name) || isEnum(name);
    }

    private boolean isEnum(String className) {
        ClassFile own = className == null ? null : files.classes().get(className);
        return own != null ? own.isEnum() : className != null && className.startsWith("java.") && isPlatformEnum(className);
    }

    private static boolean isPlatformEnum(String className) {
        try {
            return Class.forName(className, false, null).isEnum();
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
