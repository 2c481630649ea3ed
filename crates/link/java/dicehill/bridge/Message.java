package dicehill.bridge;

/**
 * A message of the arena. The object is reused for all messages, its arrays are not. Which fields are set
 * depends on the type, and in a turn on the game.
 */
public final class Message {
    /** The types of messages. */
    public enum Type { HELLO, START, TURN, END, ERROR, BYE, OTHER }

    private static final Type[] TYPES = Type.values();
    private static final Names TYPE_NAMES = new Names("hello", "start", "turn", "end", "error", "bye");

    private static final int TYPE = 0, ID = 1, GAME = 2, MEMORY = 3, PLAYERS = 4, WHY = 5, DICE = 6, STAGE = 7, CARD = 8,
            UPPER = 9, UPPER_BONUS = 10, YAHTZEE_BONUS = 11, SCORE = 12, SCORES = 13, YOU = 14, COUNTS = 15, BIDS = 16,
            NAMES = 17, POINTS = 18, RULES = 19, LIMITS = 20, START_MS = 21, MOVE_MS = 22;
    private static final Names FIELDS = new Names("type", "id", "game", "memory", "players", "why", "dice", "stage",
            "card", "upper", "upper_bonus", "yahtzee_bonus", "score", "scores", "you", "counts", "bids", "names",
            "points", "rules", "limits", "start_ms", "move_ms");
    private static final int YAHTZEE = 11;
    private static final Names CATEGORIES = new Names("ACES", "TWOS", "THREES", "FOURS", "FIVES", "SIXES",
            "THREE_OF_A_KIND", "FOUR_OF_A_KIND", "FULL_HOUSE", "SMALL_STRAIGHT", "LARGE_STRAIGHT", "YAHTZEE", "CHANCE");

    private final JsonReader json = new JsonReader();
    private final Texts texts = new Texts();

    Type type;
    /** The id of the request, or -1. */
    long id;
    /** The id of the game, or -1. */
    long game;
    int players;
    /** In a hello: the game, its rules, how long the bot keeps its state, and the limits in milliseconds, 0 if there are none. */
    String gameName;
    String rules;
    String memory;
    long startMs;
    long moveMs;
    /** In an error: the reason. */
    String why;

    int[] dice;

    /** In a turn of Yahtzee. */
    int stage;
    /** Bit i is set if the category at index i is filled. */
    int filled;
    /** The score in the Yahtzee box. */
    int yahtzeeBox;
    int upper;
    int upperBonus;
    int yahtzeeBonus;
    int score;
    int[] scores;

    /** In a turn of Liar's Dice. */
    int you;
    int[] counts;
    String[] bids;
    String[] names;
    long[] points;

    /** Reads the line {@code bytes[from..to)}. */
    public void read(byte[] bytes, int from, int to) {
        clear();
        json.read(bytes, from, to);
        type = readType();
        json.read(bytes, from, to);
        json.open('{');
        while (json.more('}')) {
            field(json.key(FIELDS));
        }
        json.close();
    }

    /** Checks that a turn of the game has all its fields. */
    void requireTurn(boolean yahtzee) {
        require(id >= 0, "id");
        require(dice != null, "dice");
        if (yahtzee) {
            require(stage >= 0, "stage");
            require(filled >= 0, "card");
            require(scores != null, "scores");
        } else {
            require(counts != null, "counts");
            require(you >= 0 && you < counts.length, "you");
            require(bids != null, "bids");
        }
    }

    private static void require(boolean isPresent, String field) {
        if (!isPresent) {
            throw new BadLine("a turn without " + field);
        }
    }

    private void clear() {
        id = -1;
        game = -1;
        players = 0;
        gameName = null;
        rules = null;
        memory = null;
        startMs = 0;
        moveMs = 0;
        why = null;
        dice = null;
        stage = -1;
        filled = -1;
        yahtzeeBox = 0;
        upper = 0;
        upperBonus = 0;
        yahtzeeBonus = 0;
        score = 0;
        scores = null;
        you = -1;
        counts = null;
        bids = null;
        names = null;
        points = null;
    }

    /** How the other fields are read depends on the type, so it is looked up first. Usually it comes first. */
    private Type readType() {
        json.open('{');
        while (json.more('}')) {
            if (json.key(FIELDS) == TYPE && json.isText()) {
                int name = json.name(TYPE_NAMES);
                return name < 0 ? Type.OTHER : TYPES[name];
            }
            json.skip();
        }
        return Type.OTHER;
    }

    private void field(int name) {
        switch (type) {
            case TURN:
                turnField(name);
                break;
            case HELLO:
                helloField(name);
                break;
            case START:
            case END:
            case ERROR:
                gameField(name);
                break;
            default:
                json.skip();
        }
    }

    private void helloField(int name) {
        switch (name) {
            case GAME:
                gameName = json.text(texts);
                break;
            case MEMORY:
                memory = json.text(texts);
                break;
            case RULES:
                rules = json.text(texts);
                break;
            case LIMITS:
                limits();
                break;
            default:
                json.skip();
        }
    }

    private void limits() {
        json.open('{');
        while (json.more('}')) {
            int limit = json.key(FIELDS);
            if (limit == START_MS) {
                startMs = json.integer();
            } else if (limit == MOVE_MS) {
                moveMs = json.integer();
            } else {
                json.skip();
            }
        }
    }

    private void gameField(int name) {
        if (name == GAME && json.isNumber()) {
            game = json.integer();
        } else if (name == ID && type == Type.ERROR && json.isNumber()) {
            id = json.integer();
        } else if (name == PLAYERS && type == Type.START) {
            players = json.small();
        } else if (name == WHY && json.isText()) {
            why = json.text(texts);
        } else {
            json.skip();
        }
    }

    private void turnField(int name) {
        switch (name) {
            case ID:
                id = json.integer();
                break;
            case GAME:
                game = json.integer();
                break;
            case DICE:
                dice = json.smalls();
                break;
            case STAGE:
                stage = json.small();
                break;
            case CARD:
                filled = card();
                break;
            case UPPER:
                upper = json.small();
                break;
            case UPPER_BONUS:
                upperBonus = json.small();
                break;
            case YAHTZEE_BONUS:
                yahtzeeBonus = json.small();
                break;
            case SCORE:
                score = json.small();
                break;
            case SCORES:
                scores = json.smalls();
                break;
            case YOU:
                you = json.small();
                break;
            case COUNTS:
                counts = json.smalls();
                break;
            case BIDS:
                bids = json.texts(texts);
                break;
            case NAMES:
                names = json.texts(texts);
                break;
            case POINTS:
                points = json.integers();
                break;
            default:
                json.skip();
        }
    }

    private int card() {
        int found = 0;
        json.open('{');
        while (json.more('}')) {
            int category = json.key(CATEGORIES);
            if (category >= 0) {
                found |= 1 << category;
            }
            if (category == YAHTZEE) {
                yahtzeeBox = json.small();
            } else {
                json.skip();
            }
        }
        return found;
    }
}
