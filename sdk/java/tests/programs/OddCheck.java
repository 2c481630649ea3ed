import dicehill.Dicehill;
import dicehill.Transcript;
import java.nio.file.Path;

/** Prints the illegal answers of {@link Odd} to a transcript. */
public final class OddCheck {
    private OddCheck() {}

    public static void main(String[] arguments) throws Exception {
        Dicehill bot = new Dicehill().yahtzee(() -> Odd::turn).liarsDice(() -> Odd::bid);
        Transcript.read(Path.of(arguments[0])).illegalAnswers(bot).forEach(System.out::println);
    }
}
