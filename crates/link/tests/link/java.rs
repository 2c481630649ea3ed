//! What the Java bridge finds in the classes of a player.

use std::fs;
use std::path::PathBuf;

use dicehill_arena::{Limits, Memory, Program};
use dicehill_link::{BotLog, BotSource, ExternalBot, ExternalBotSettings, Isolation};
use dicehill_rules::Game;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_temporary::TemporaryFolder;

use crate::support::{LIMITS, OffenderRun, use_helper};

/// A player with this code in its `turn`, and with these further members; its file is in the folder.
fn player(
    folder: &TemporaryFolder,
    [code, members]: [&str; 2],
    memory: Memory,
    limits: Limits,
) -> ExternalBot<Yahtzee> {
    use_helper();
    let path = folder.path().join("Subject.java");
    let source = format!(
        "package mego.yahtzee;
        import java.util.*;
        import java.util.stream.*;
        public class Subject extends Player {{
            public Subject(ControllerInterface game) {{ super(game); }}
            public TurnChoice turn(int[] dice, int stage) {{
                {code}
                return new TurnChoice(new int[0]);
            }}
            {members}
        }}"
    );
    fs::write(&path, source).expect("the folder is ours");
    let source = BotSource::Java { path, class: None, read: Vec::<PathBuf>::new() };
    let (rules, isolation) = (<Yahtzee as Game>::Rules::default().to_string(), Isolation::Off);
    let settings = ExternalBotSettings {
        game: Yahtzee::NAME,
        rules,
        memory,
        limits,
        isolation,
        network: Default::default(),
        secrets: Vec::new(),
        stop: Default::default(),
    };
    let bot = ExternalBot::<Yahtzee>::prepare("Subject", &source, settings, BotLog::default());
    bot.expect("it compiles")
}

/// The remarks about a player with this code in its `turn`, and with these further members.
fn remarks(code: &str, members: &str) -> String {
    let folder = TemporaryFolder::new().expect("a folder");
    let bot = player(&folder, [code, members], Memory::Game, LIMITS);
    bot.remarks().expect("it can be inspected").join("\n")
}

/// Each game has the time for the start, because a player is made in it.
#[test]
fn a_constructor_may_take_longer_than_a_move() {
    // An initialiser is part of every constructor.
    let members = "{
            for (long began = System.nanoTime(); System.nanoTime() - began < 3_000_000_000L; ) { }
        }";
    let fill = "
        Category[] free = game.getScoreCard(this).getFreeCategories();
        Category own = Util.intToUpperCategory(dice[0]);
        boolean isJoker = Category.YAHTZEE.matches(dice) && Arrays.asList(free).contains(own);
        if (dice.length == 5) return new TurnChoice(isJoker ? own : free[free.length - 1]);";
    for memory in Memory::ALL {
        let limits = Limits { move_ms: 2000, ..LIMITS };
        let folder = TemporaryFolder::new().expect("a folder");
        let bot = player(&folder, [fill, members], memory, limits);
        let run = OffenderRun::of(bot, memory);
        assert_eq!(run.bar(), None);
    }
}

/// Every way to state that all games in a JVM share, each in a statement of its own.
const SHARED: [&str; 24] = [
    "System.setProperty(\"a\", \"b\");",
    "System.setProperties(null);",
    "System.clearProperty(\"a\");",
    "System.getProperties();",
    "System.setIn(null);",
    "System.setOut(null);",
    "System.setErr(null);",
    "System.out.checkError();",
    "Locale.setDefault(Locale.ROOT);",
    "TimeZone.setDefault(null);",
    "SimpleTimeZone.setDefault(null);",
    "Zone.setDefault(null);",
    "new Thread();",
    "new ThreadLocal<String>();",
    "Thread.currentThread().setName(\"a\");",
    "List.of(1).parallelStream();",
    "new Timer();",
    "List.of(1).stream().onClose(() -> { });",
    "Runtime.getRuntime();",
    "new java.io.File(\".\");",
    "\"a\".intern();",
    "java.security.Security.setProperty(\"a\", \"b\");",
    "try { Class.forName(\"A\"); } catch (ClassNotFoundException e) { }",
    "Hidden.use();",
];

#[test]
fn every_use_of_state_that_games_share_is_found() {
    let members = "static abstract class Zone extends TimeZone { }
        static class Hidden { static void use() { Thread.setDefaultUncaughtExceptionHandler(null); } }
        @SuppressWarnings(\"removal\") protected void finalize() { }
        static void deep() { try { deep(); } catch (StackOverflowError e) { } }
        static void any() { try { any(); } catch (Throwable e) { throw new IllegalStateException(e); } }
        @SuppressWarnings(\"finally\") static int swallow() { try { return swallow(); } finally { return 1; } }
        static class Deep implements AutoCloseable { public void close() { deep(); } }
        static int close() { try (Deep deep = new Deep()) { return 1; } catch (RuntimeException e) { return 2; } }
        static void leave() { while (true) { try { leave(); } finally { break; } } }";
    let found = remarks(&SHARED.join("\n"), members);
    // The class that extends one of the platform, and the six members after it.
    let all = SHARED.len() + 7;
    let named = "it may use state of the whole JVM: java.lang.System.setProperty in \
                 mego.yahtzee.Subject, java.lang.System.setProperties in mego.yahtzee.Subject, ";
    assert!(found.contains(named), "{found}");
    assert!(
        found.contains(&format!(" and {} more; under memory = \"game\" each", all - 3)),
        "{found}"
    );
}

#[test]
fn ordinary_code_shares_nothing() {
    let code = "
        assert dice.length == 5;
        Map<Category, Integer> counts = new EnumMap<>(Category.class);
        counts.merge(Category.ACES, 1, Integer::sum);
        List<Integer> sorted = IntStream.of(dice).boxed().sorted(Comparator.reverseOrder())
            .collect(Collectors.toList());
        String text = String.format(\"%d %s\", sorted.size(), Kind.valueOf(\"A\")) + new Random(3).nextInt();
        System.err.println(text + Math.max(1, 2) + System.nanoTime());
        try { Integer.parseInt(text); } catch (NumberFormatException e) { e.printStackTrace(); }
        switch (Kind.A) { case A: break; default: throw new IllegalStateException(text); }
        int[] copy = dice.clone();
        java.math.BigInteger.TEN.pow(copy.length);
        synchronized (this) { copy[0]++; }
        try { copy[0]--; } finally { if (copy[0] > 0) copy[1] = 0; else copy[2] = 1; }
        try (java.io.StringReader reader = new java.io.StringReader(text)) { reader.read(); }
        catch (java.io.IOException e) { throw new IllegalStateException(e); }";
    // The second brace ends the player, and nothing refers to the class behind it.
    let members = "enum Kind { A, B } }
        class Unused { static void use() { System.setProperty(\"a\", \"b\"); }";
    let found = remarks(code, members);
    assert!(!found.contains("the whole JVM"), "{found}");
}

/// Players may be in the default package, and have classes with the names of the other game's interface.
#[test]
fn a_player_of_yahtzee_is_not_disturbed_by_the_interface_of_the_other_game() {
    use_helper();
    let folder = TemporaryFolder::new().expect("a folder");
    let path = folder.path().join("Plain.java");
    let source = "
        import mego.yahtzee.*;
        public class Plain extends Player {
            public Plain(ControllerInterface game) { super(game); }
            public TurnChoice turn(int[] dice, int stage) { return new TurnChoice(Controller.kept()); }
        }
        class Controller { static int[] kept() { return new int[0]; } }";
    fs::write(&path, source).expect("the folder is ours");
    let source = BotSource::Java { path, class: None, read: Vec::<PathBuf>::new() };
    let settings = ExternalBotSettings {
        game: Yahtzee::NAME,
        rules: <Yahtzee as Game>::Rules::default().to_string(),
        memory: Memory::Game,
        limits: LIMITS,
        isolation: Isolation::Off,
        network: Default::default(),
        secrets: Vec::new(),
        stop: Default::default(),
    };
    let bot = ExternalBot::<Yahtzee>::prepare("Plain", &source, settings, BotLog::default());
    let remarks = bot.expect("it compiles").remarks().expect("it can be inspected");
    assert_eq!(remarks, Vec::<String>::new());
}
