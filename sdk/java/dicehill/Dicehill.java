package dicehill;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Runs a bot: {@code new Dicehill().yahtzee(Mine::new).run(arguments)}. A program that plays both games names a
 * bot for each.
 */
public final class Dicehill {
    private Supplier<? extends YahtzeeBot> yahtzee;
    private Supplier<? extends LiarsDiceBot> liarsDice;

    /** Plays Yahtzee with a bot that is made for each game. */
    public Dicehill yahtzee(Supplier<? extends YahtzeeBot> newBot) {
        yahtzee = newBot;
        return this;
    }

    /** Plays Liar's Dice with a bot that is made for each game. */
    public Dicehill liarsDice(Supplier<? extends LiarsDiceBot> newBot) {
        liarsDice = newBot;
        return this;
    }

    /**
     * Talks to the arena and ends the process: with exit code 0, or with 1 if the bot failed. With the arguments
     * {@code --transcript FILE} it steps through a saved game instead.
     *
     * <p>From here on {@code System.out} is {@code System.err}, the bot's log: the protocol has the real one to
     * itself.
     */
    public void run(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        System.setOut(System.err);
        System.exit(code(arguments, out));
    }

    /** A conversation's memory, empty. */
    Session newSession() {
        return new Session(yahtzee, liarsDice);
    }

    private int code(String[] arguments, PrintStream out) {
        try {
            if (arguments.length == 2 && arguments[0].equals("--transcript")) {
                Transcript.read(Path.of(arguments[1])).print(this, out);
            } else if (arguments.length == 0) {
                new Pipe(new FileInputStream(FileDescriptor.in), out).converse(newSession());
            } else {
                System.err.println("dicehill: the arguments are none, or --transcript FILE");
                return 2;
            }
            return 0;
        } catch (BotFailure failure) {
            failure.print();
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("dicehill: " + e);
        }
        return 1;
    }
}
