package dicehill.bridge;

/** A member that games could learn about each other through. */
final class Found {
    /** The author's class that declares or uses it. */
    final String className;
    /** A field of that class, or a member of the platform with its class. */
    final String member;

    Found(String className, String member) {
        this.className = className;
        this.member = member;
    }
}
