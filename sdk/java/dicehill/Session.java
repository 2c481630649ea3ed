package dicehill;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Hands each message to the bot of its game and makes lines of the answers. */
final class Session {
    private static final int IN_FLIGHT = 64;

    private final Supplier<? extends YahtzeeBot> yahtzee;
    private final Supplier<? extends LiarsDiceBot> liarsDice;
    private final Map<Long, Object> bots = new HashMap<>();
    private boolean playsLiarsDice;
    /** A bot that was made to be looked at, and plays the first game. */
    private LiarsDiceBot lookedAt;

    Session(Supplier<? extends YahtzeeBot> yahtzee, Supplier<? extends LiarsDiceBot> liarsDice) {
        this.yahtzee = yahtzee;
        this.liarsDice = liarsDice;
        playsLiarsDice = yahtzee == null;
    }

    /**
     * Takes in a message.
     *
     * @return the line to send, or null if there is nothing to say
     */
    String take(Message message) {
        return switch (message.type()) {
            case "hello" -> hello(message);
            case "turn" -> turn(message);
            case "start" -> {
                start(message);
                yield null;
            }
            case "round" -> {
                if (bots.get(message.number("game")) instanceof LiarsDiceBot bot) {
                    bot.round(message.liarsDiceRound());
                }
                yield null;
            }
            case "end" -> {
                end(message);
                yield null;
            }
            default -> null;
        };
    }

    private String hello(Message message) {
        playsLiarsDice = message.isLiarsDice();
        String events = playsLiarsDice && wantsRounds() ? ",\"events\":[\"round\"]" : "";
        int inFlight = "set".equals(message.text("memory")) ? 1 : IN_FLIGHT;
        return "{\"type\":\"ready\",\"inflight\":" + inFlight + events + "}";
    }

    private boolean wantsRounds() {
        lookedAt = (LiarsDiceBot) newBot();
        try {
            return lookedAt.getClass().getMethod("round", LiarsDiceRound.class).getDeclaringClass() != LiarsDiceBot.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every bot has the method", e);
        }
    }

    private void start(Message message) {
        GameStart start = message.start();
        Object bot = newBot();
        bots.put(start.game(), bot);
        if (bot instanceof YahtzeeBot player) {
            player.start(start);
        } else if (bot instanceof LiarsDiceBot player) {
            player.start(start);
        }
    }

    private String turn(Message message) {
        playsLiarsDice = message.isLiarsDice();
        Object bot = bots.computeIfAbsent(message.number("game"), game -> newBot());
        String answer = bot instanceof YahtzeeBot player
                ? written(player.turn(message.yahtzeeTurn()))
                : written(((LiarsDiceBot) bot).turn(message.liarsDiceTurn()));
        return "{\"id\":" + message.number("id") + "," + answer + "}";
    }

    /** The line that reports what a turn threw. Its game is over, and the others go on. */
    String failed(Message message, String error) {
        bots.remove(message.number("game"));
        return "{\"id\":" + message.number("id") + ",\"error\":" + Json.quote(error) + "}";
    }

    private void end(Message message) {
        Object bot = bots.remove(message.number("game"));
        if (bot instanceof YahtzeeBot player) {
            player.end(message.yahtzeeEnd());
        } else if (bot instanceof LiarsDiceBot player) {
            player.end(message.liarsDiceEnd());
        }
    }

    private Object newBot() {
        if (lookedAt != null) {
            LiarsDiceBot bot = lookedAt;
            lookedAt = null;
            return bot;
        }
        Supplier<?> supplier = playsLiarsDice ? liarsDice : yahtzee;
        if (supplier == null) {
            throw new IllegalStateException("this bot does not play " + (playsLiarsDice ? "liars-dice" : "yahtzee"));
        }
        return supplier.get();
    }

    private static String written(YahtzeeAnswer answer) {
        if (answer instanceof YahtzeeAnswer.Keep keep) {
            return "\"keep\":" + keep.indexes().toString().replace(" ", "");
        } else if (answer instanceof YahtzeeAnswer.Fill fill) {
            return "\"category\":\"" + fill.category() + "\"";
        }
        throw new NullPointerException("turn returned null");
    }

    private static String written(LiarsDiceAnswer answer) {
        if (answer == null) {
            throw new NullPointerException("turn returned null");
        }
        return "\"bid\":" + Json.quote(answer.toString());
    }
}
