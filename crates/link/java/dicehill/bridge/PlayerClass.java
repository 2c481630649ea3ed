package dicehill.bridge;

import java.util.ArrayList;
import java.util.List;

/** Finds the author's player among the classes. */
final class PlayerClass {
    private final BotFiles files;
    private final String base;

    /** Looks for classes that extend {@code base}. */
    PlayerClass(BotFiles files, String base) {
        this.files = files;
        this.base = base;
    }

    /**
     * The name of the player class.
     *
     * @param wanted the name that the author gave, with or without package; null if there is only one
     */
    String find(String wanted) throws BadUsage {
        List<String> candidates = candidates();
        List<String> found = new ArrayList<>();
        for (String candidate : candidates) {
            if (wanted == null || isCalled(candidate, wanted)) {
                found.add(candidate);
            }
        }
        if (found.size() == 1) {
            return found.get(0);
        }
        if (candidates.isEmpty()) {
            throw new BadUsage("no class extends " + base + " and can be made an object of");
        }
        String list = String.join(", ", found.isEmpty() ? candidates : found);
        if (found.isEmpty()) {
            throw new BadUsage("no player class is called " + wanted + "; there is " + list);
        }
        throw new BadUsage("several classes extend " + base + ": " + list + "; say which with class");
    }

    private List<String> candidates() {
        List<String> candidates = new ArrayList<>();
        for (ClassFile file : files.classes().values()) {
            if (file.isConcrete() && extendsBase(file)) {
                candidates.add(file.name);
            }
        }
        return candidates;
    }

    private boolean extendsBase(ClassFile file) {
        // A damaged jar may hold a cycle of parents; a valid chain is not longer than the number of classes.
        int left = files.classes().size();
        for (ClassFile at = file; at != null && left >= 0; left--) {
            if (base.equals(at.parent)) {
                return true;
            }
            at = at.parent == null ? null : files.classes().get(at.parent);
        }
        return false;
    }

    private static boolean isCalled(String name, String wanted) {
        return name.equals(wanted) || name.replace('$', '.').equals(wanted) || simple(name).equals(wanted);
    }

    private static String simple(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }
}
