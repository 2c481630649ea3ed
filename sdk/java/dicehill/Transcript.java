package dicehill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A saved game: the lines that a bot was sent and, where they are known, its answers.
 *
 * <p>A line is a request in JSON, or {@code > } and a request, or {@code < } and the answer recorded. Blank
 * lines and those that begin with {@code #} say nothing.
 */
public final class Transcript {
    private final List<Message> requests = new ArrayList<>();
    private final Map<Long, Object> recorded = new HashMap<>();

    private Transcript() {}

    /** Reads a file. */
    public static Transcript read(Path file) throws IOException {
        Transcript transcript = new Transcript();
        for (String line : Files.readAllLines(file)) {
            transcript.add(line.strip());
        }
        return transcript;
    }

    /** Plays the requests through the bot and says of each illegal answer what is wrong with it. */
    public List<String> illegalAnswers(Dicehill bot) {
        List<String> found = new ArrayList<>();
        Session session = bot.newSession();
        for (Message request : requests) {
            String answer = session.take(request);
            if (request.type().equals("turn")) {
                String wrong = Legality.wrong(request, fields(answer));
                if (wrong != null) {
                    found.add("request " + request.number("id") + ": " + wrong);
                }
            }
        }
        return found;
    }

    /** Plays the requests through the bot and shows each turn and its answer in a line. */
    void print(Dicehill bot, PrintStream out) throws BotFailure {
        Session session = bot.newSession();
        for (Message request : requests) {
            String answer = BotFailure.guard(request, () -> session.take(request));
            if (request.type().equals("turn")) {
                String wrong = Legality.wrong(request, fields(answer));
                out.println(shown(request) + " -> " + shown(answer) + comparison(request.number("id"), answer)
                        + (wrong == null ? "" : " ILLEGAL: " + wrong));
                out.flush();
            }
        }
    }

    private void add(String line) {
        if (line.startsWith("<")) {
            Map<?, ?> answer = plain(fields(line.substring(1)));
            if (answer.get("id") instanceof Long id) {
                recorded.put(id, answer);
            }
        } else if (!line.isEmpty() && !line.startsWith("#")) {
            requests.add(Message.parse(line.startsWith(">") ? line.substring(1) : line));
        }
    }

    private static Map<?, ?> fields(String json) {
        return (Map<?, ?>) Json.parse(json);
    }

    /** The answer by the card's own names: the protocol accepts ONES for ACES. */
    private static Map<?, ?> plain(Map<?, ?> answer) {
        if (!"ONES".equals(answer.get("category"))) {
            return answer;
        }
        Map<Object, Object> plain = new HashMap<>(answer);
        plain.put("category", Category.ACES.name());
        return plain;
    }

    private String comparison(long id, String answer) {
        Object before = recorded.get(id);
        if (before == null) {
            return "";
        }
        Map<?, ?> now = fields(answer);
        return now.equals(before) ? " (as recorded)" : " (recorded: " + shown((Map<?, ?>) before) + ")";
    }

    private static String shown(Message request) {
        if (request.isLiarsDice()) {
            LiarsDiceTurn turn = request.liarsDiceTurn();
            return "game " + turn.game() + " seat " + turn.you() + " of " + turn.counts() + " dice " + turn.dice()
                    + " bids " + turn.bids();
        }
        YahtzeeTurn turn = request.yahtzeeTurn();
        return "game " + turn.game() + " round " + turn.round() + " stage " + turn.stage() + " dice " + turn.dice()
                + " score " + turn.score();
    }

    private static String shown(String answer) {
        return shown(fields(answer));
    }

    private static String shown(Map<?, ?> answer) {
        Object keep = answer.get("keep");
        Object other = answer.get(answer.containsKey("bid") ? "bid" : "category");
        return keep != null ? "keep " + keep : String.valueOf(other);
    }
}
