package dicehill.bridge;

/** The arguments of the command line. */
final class Options {
    private String gameName;
    /** The class path of the author's classes. */
    String classes;
    /** The player's class, or null if there is only one. */
    String playerClass;
    /** Whether to inspect the classes instead of playing. */
    boolean inspect;

    private Options() {}

    static Options parse(String[] arguments) throws BadUsage {
        Options options = new Options();
        for (int index = 0; index < arguments.length; index++) {
            String argument = arguments[index];
            if (argument.equals("--inspect")) {
                options.inspect = true;
            } else if (index + 1 == arguments.length) {
                throw new BadUsage(argument + " is unknown or lacks its value");
            } else {
                options.set(argument, arguments[++index]);
            }
        }
        if (options.gameName == null || options.classes == null) {
            throw new BadUsage("--game and --classes must be given");
        }
        return options;
    }

    PublishedGame game() throws BadUsage, ReflectiveOperationException {
        switch (gameName) {
            case "yahtzee":
                return new Yahtzee();
            case "liars-dice":
                return new LiarsDice();
            default:
                throw new BadUsage("there is no game " + gameName);
        }
    }

    private void set(String argument, String value) throws BadUsage {
        switch (argument) {
            case "--game":
                gameName = value;
                break;
            case "--classes":
                classes = value;
                break;
            case "--class":
                playerClass = value;
                break;
            default:
                throw new BadUsage("unknown argument " + argument);
        }
    }
}
