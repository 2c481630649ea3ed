import dicehill.Dicehill;
import dicehill.Transcript;
import java.nio.file.Path;
import java.util.List;

/** Plays the games of transcript.txt through the bot and names every answer that would be illegal. */
public final class __NAME__Test {
    private __NAME__Test() {}

    public static void main(String[] arguments) throws Exception {
        Transcript games = Transcript.read(Path.of("transcript.txt"));
        List<String> illegal = games.illegalAnswers(new Dicehill().yahtzee(__NAME__::new));
        illegal.forEach(System.out::println);
        System.out.println(illegal.isEmpty() ? "every answer is legal" : illegal.size() + " illegal answers");
        System.exit(illegal.isEmpty() ? 0 : 1);
    }
}
