package dicehill.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What {@code --inspect} prints: {@code {"class":"X","mutable_statics":[{"class":"X","field":"y"}],
 * "shared_state":[{"class":"X","member":"java.lang.System.setProperty"}],"randomness":false}}, or {@code {"error":"..."}} if there is no
 * player to start.
 */
final class Inspection {
    private Inspection() {}

    static void write(String playerClass, List<Found> statics, SharedState state, Output out) throws IOException {
        add(out, "{\"class\":").text(playerClass);
        add(out, ",\"mutable_statics\":[");
        addAll(out, statics, ",\"field\":");
        add(out, "],\"shared_state\":[");
        addAll(out, state.uses(), ",\"member\":");
        add(out, "],\"randomness\":" + !state.randomUses().isEmpty() + "}\n");
        out.flush();
    }

    private static void addAll(Output out, List<Found> all, String memberKey) throws IOException {
        for (int index = 0; index < all.size(); index++) {
            Found found = all.get(index);
            add(out, index == 0 ? "{\"class\":" : ",{\"class\":").text(found.className);
            add(out, memberKey).text(found.member).raw('}');
        }
    }

    static void writeError(String why, Output out) throws IOException {
        add(out, "{\"error\":").text(why);
        add(out, "}\n");
        out.flush();
    }

    private static Output add(Output out, String ascii) {
        return out.raw(ascii.getBytes(StandardCharsets.US_ASCII));
    }
}
