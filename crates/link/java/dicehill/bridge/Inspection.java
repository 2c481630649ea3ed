package dicehill.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What {@code --inspect} prints: {@code {"class":"X","mutable_statics":[{"class":"X","field":"y"}],
 * "shared_state":[{"class":"X","member":"java.lang.System.setProperty"}]}}.
 */
final class Inspection {
    private Inspection() {}

    static void write(
            String playerClass, List<MutableStatics.Found> statics, List<SharedState.Found> shared, Output out)
            throws IOException {
        add(out, "{\"class\":").text(playerClass);
        add(out, ",\"mutable_statics\":[");
        for (int index = 0; index < statics.size(); index++) {
            MutableStatics.Found found = statics.get(index);
            add(out, index == 0 ? "{\"class\":" : ",{\"class\":").text(found.className);
            add(out, ",\"field\":").text(found.field).raw('}');
        }
        add(out, "],\"shared_state\":[");
        for (int index = 0; index < shared.size(); index++) {
            SharedState.Found found = shared.get(index);
            add(out, index == 0 ? "{\"class\":" : ",{\"class\":").text(found.className);
            add(out, ",\"member\":").text(found.member).raw('}');
        }
        add(out, "]}\n");
        out.flush();
    }

    private static Output add(Output out, String ascii) {
        return out.raw(ascii.getBytes(StandardCharsets.US_ASCII));
    }
}
