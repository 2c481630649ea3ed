//! State of the JVM that a player for a published Java interface could leave for its later games.

use crate::support::{Scratch, hill};

/// Logs what an earlier game has left in the system properties, and leaves something there.
const CARRIER: &str = r#"public class Carrier extends Player {
    public Carrier() {
        System.err.println("found " + System.getProperty("left.by.a.game"));
        System.setProperty("left.by.a.game", "something");
    }
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        return bids.length == 0 ? "1 2" : "Liar!";
    }
}"#;

/// The log of the carrier in a run of a few games.
fn log(memory: &str) -> String {
    let scratch = Scratch::new();
    scratch.write("Carrier.java", CARRIER);
    let keys = format!("game = \"liars-dice\"\ngames = 4\nmemory = \"{memory}\"");
    let carrier = "[[bot]]\nname = \"Carrier\"\njava = \"Carrier.java\"\n";
    scratch.write("hill.toml", hill(&keys, &["nobody", "honest"]) + carrier);
    let output = scratch.run(&["run", "hill.toml", "--logs", "logs"]);
    assert_eq!(output.code, 0, "{output:?}");
    let log = scratch.read("logs/Carrier.log");
    assert!(log.contains("found null\n"), "{log}");
    log
}

#[test]
fn system_properties_carry_nothing_to_the_next_game() {
    let log = log("game");
    assert!(!log.contains("found something"), "{log}");
}

#[test]
fn system_properties_last_as_long_as_a_set() {
    let log = log("set");
    assert!(log.contains("found something"), "{log}");
}

/// Logs whether a game is the first one that uses a class which has the time of its initialisation.
const TOUCHER: &str = r#"public class Toucher extends Player {
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        long now = System.nanoTime();
        System.err.println(Clock.TIME < now ? "known" : "first");
        return bids.length == 0 ? "1 2" : "Liar!";
    }
}
class Clock {
    static final long TIME = System.nanoTime();
}"#;

#[test]
fn no_game_can_tell_which_classes_an_earlier_one_has_used() {
    let scratch = Scratch::new();
    scratch.write("Toucher.java", TOUCHER);
    let bot = "[[bot]]\nname = \"Toucher\"\njava = \"Toucher.java\"\n";
    let keys = "game = \"liars-dice\"\ngames = 4";
    scratch.write("hill.toml", hill(keys, &["nobody", "honest"]) + bot);
    let output = scratch.run(&["run", "hill.toml", "--logs", "logs", "--jobs", "1"]);
    assert_eq!(output.code, 0, "{output:?}");
    let log = scratch.read("logs/Toucher.log");
    assert!(log.contains("known\n"), "{log}");
    assert!(!log.contains("first"), "{log}");
}

/// Uses a class of the platform while the stack ends, which leaves it unusable, and logs whether it or an earlier game has done so.
const BREAKER: &str = r#"public class Breaker extends Player {
    private boolean hasBroken;
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        if (bids.length == 0) {
            try {
                System.err.println(java.time.chrono.HijrahChronology.INSTANCE.getId());
            } catch (NoClassDefFoundError broken) {
                System.err.println(hasBroken ? "by itself" : "by another game");
            }
        } else {
            hasBroken = true;
            sink(dice.length);
        }
        return bids.length == 0 ? "1 2" : "Liar!";
    }
    private static void sink(int depth) {
        try {
            sink(depth + 1);
        } catch (Throwable end) {
        }
        if (depth % 20 != 0) {
            return;
        }
        try {
            java.time.chrono.HijrahChronology.INSTANCE.getId();
        } catch (Throwable again) {
        }
    }
}"#;

#[test]
fn no_game_leaves_a_class_of_the_platform_unusable_for_others() {
    let scratch = Scratch::new();
    scratch.write("Breaker.java", BREAKER);
    // In its games the bot opens a round after it has called.
    let check =
        ["check", "liars-dice", "Breaker.java", "--games", "6", "--logs", "logs", "--seed", "a"];
    let output = scratch.run(&check);
    let named = "catch of java.lang.NoClassDefFoundError in Breaker";
    assert!(output.out.contains(named), "{output:?}");
    let log = scratch.read("logs/Breaker.log");
    assert!(log.contains("by itself\n") && !log.contains("by another game"), "{log}");
}

/// Players that could leave something for later games of a JVM, and what `check` says of each.
const KEEPERS: [(&str, &str, &str); 9] = [
    (
        "lambda",
        "java.time.LocalDate.EPOCH.with((java.time.temporal.TemporalAdjuster) day -> day)",
        "a lambda for java.time.temporal.TemporalAdjuster in Keeper",
    ),
    (
        "generator of a kind",
        "java.util.random.RandomGenerator.SplittableGenerator.of(\"L64X128MixRandom\").nextInt()",
        "java.util.random.RandomGenerator$SplittableGenerator.of in Keeper",
    ),
    ("file", "new java.io.PrintWriter(\"/dev/null\")", "java.io.PrintWriter.<init> in Keeper"),
    (
        "charset",
        "new java.nio.charset.Charset(\"x-own\", null) {
            public boolean contains(java.nio.charset.Charset other) { return false; }
            public java.nio.charset.CharsetDecoder newDecoder() { return null; }
            public java.nio.charset.CharsetEncoder newEncoder() { return null; }
        }.name()",
        "extends java.nio.charset.Charset in Keeper$1",
    ),
    (
        "unit of time",
        "new java.time.temporal.TemporalUnit() {
            public java.time.Duration getDuration() { return java.time.Duration.ZERO; }
            public boolean isDurationEstimated() { return false; }
            public boolean isDateBased() { return false; }
            public boolean isTimeBased() { return true; }
            public <R extends java.time.temporal.Temporal> R addTo(R to, long amount) { return to; }
            public long between(java.time.temporal.Temporal a, java.time.temporal.Temporal b) { return 0; }
        }.isTimeBased()",
        "implements java.time.temporal.TemporalUnit in Keeper$1",
    ),
    (
        "stream",
        "new java.io.OutputStream() { public void write(int one) { } }.hashCode()",
        "extends java.io.OutputStream in Keeper$1",
    ),
    (
        "time zone",
        "new java.util.SimpleTimeZone(0, \"own\") { }.getID()",
        "extends java.util.SimpleTimeZone in Keeper$1",
    ),
    ("locale", "new java.util.Locale(\"own\").getLanguage()", "java.util.Locale.<init> in Keeper"),
    (
        "builder of locales",
        "new java.util.Locale.Builder().setLanguage(\"own\").build()",
        "java.util.Locale$Builder.<init> in Keeper",
    ),
];

#[test]
fn what_the_platform_could_keep_has_a_process_for_each_game() {
    for (what, expression, named) in KEEPERS {
        let scratch = Scratch::new();
        let source = format!(
            "public class Keeper extends Player {{
                 public String bid(int you, int[] counts, int[] dice, String[] bids) {{
                     try {{
                         System.err.println({expression});
                     }} catch (Exception failed) {{
                     }}
                     return bids.length == 0 ? \"1 2\" : \"Liar!\";
                 }}
             }}"
        );
        scratch.write("Keeper.java", source);
        let output = scratch.run(&["check", "liars-dice", "Keeper.java", "--games", "1"]);
        assert!(output.out.contains(named), "{what}: {output:?}");
    }
}

/// Classes of the author that the platform does not keep share a JVM; the time zone is that of all games.
#[test]
fn comparators_and_exceptions_of_the_author_share_a_jvm() {
    let scratch = Scratch::new();
    scratch.write(
        "Sorter.java",
        r#"import java.util.*;
public class Sorter extends Player {
    static class Odd extends IllegalStateException implements Comparable<Odd> {
        public int compareTo(Odd other) { return 0; }
    }
    static class Recent extends LinkedHashMap<String, Integer> {
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) { return size() > 2; }
    }
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        List<Odd> all = new ArrayList<>(List.of(new Odd(), new Odd()));
        all.sort(new Comparator<Odd>() { public int compare(Odd a, Odd b) { return 0; } });
        new Recent().put("a", 1);
        System.err.println("zone " + System.getProperty("user.timezone"));
        return bids.length == 0 ? "1 2" : "Liar!";
    }
}"#,
    );
    let log = log_of_shared_jvm(&scratch, "Sorter", 2);
    assert!(log.contains("zone Etc/UTC\n") && !log.contains("zone null"), "{log}");
}

/// What a player of this class, whose games share a JVM, logs in a check.
#[track_caller]
fn log_of_shared_jvm(scratch: &Scratch, class: &str, games: u32) -> String {
    let (source, games) = (format!("{class}.java"), games.to_string());
    let output =
        scratch.run(&["check", "liars-dice", &source, "--games", &games, "--logs", "logs"]);
    assert!(output.code == 0 && !output.out.contains("process"), "{output:?}");
    scratch.read(&format!("logs/{class}.log"))
}

/// A game could close the formatter that a stream keeps, and see in its stack how often the JVM has called the constructor of
/// the player.
#[test]
fn neither_a_closed_formatter_nor_a_stack_trace_tells_of_other_games() {
    let scratch = Scratch::new();
    scratch.write(
        "Closer.java",
        r#"import java.util.*;
public class Closer extends Player {
    public Closer() {
        Formattable closer = (to, flags, width, precision) -> to.close();
        StringBuilder frames = new StringBuilder();
        for (StackTraceElement frame : new Exception().getStackTrace()) {
            if (!frame.getClassName().startsWith("dicehill.")) {
                frames.append(' ').append(frame.getClassName());
            }
        }
        System.err.println("made" + frames);
        for (java.io.PrintStream stream : new java.io.PrintStream[] {System.out, System.err}) {
            String found = "open";
            try {
                stream.printf("%s", "");
            } catch (FormatterClosedException closed) {
                found = "closed";
            }
            stream.println(found);
            try {
                stream.printf(Locale.ROOT, "%s", closer);
                stream.format("%s", closer);
            } catch (FormatterClosedException closed) {
                // By this game.
            }
        }
    }
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        return bids.length == 0 ? "1 2" : "Liar!";
    }
}"#,
    );
    let log = log_of_shared_jvm(&scratch, "Closer", 30);
    let lines = |text: &str| log.lines().filter(|line| line.ends_with(text)).count();
    assert!(lines("open") > 60 && lines("closed") == 0, "{log}");
    let made: std::collections::HashSet<_> =
        log.lines().filter_map(|line| line.split_once("made ").map(|(_, frames)| frames)).collect();
    assert_eq!(made.len(), 1, "{made:?}");
}

/// Logs two numbers of a random generator that all games of a JVM share.
const DRAWER: &str = r#"public class Drawer extends Player {
    public Drawer() {
        System.err.println("drew " + GENERATOR + " " + GENERATOR);
        System.err.close();
    }
    private static long shuffled() {
        java.util.List<Integer> all = new java.util.ArrayList<>();
        for (int number = 0; number < 40; number++) {
            all.add(number);
        }
        java.util.Collections.shuffle(all);
        return all.hashCode() * 0x100000001L;
    }
    public String bid(int you, int[] counts, int[] dice, String[] bids) {
        return bids.length == 0 ? "1 2" : "Liar!";
    }
}"#;

/// Checks a player with this expression for a random `long`. Returns what `check` prints, and the pairs of numbers of its games.
#[track_caller]
fn drawn(generator: &str) -> (String, Vec<[u64; 2]>) {
    let scratch = Scratch::new();
    scratch.write("Drawer.java", DRAWER.replace("GENERATOR", generator));
    let arguments = ["check", "liars-dice", "Drawer.java", "--games", "50", "--logs", "logs"];
    let output = scratch.run(&arguments);
    let log = scratch.read("logs/Drawer.log");
    let lines = log.lines().filter_map(|line| line.strip_prefix("drew "));
    let number = |text: &str| text.parse::<i64>().expect("a number").cast_unsigned();
    let pairs = lines.map(|line| {
        let (first, second) = line.split_once(' ').expect("two numbers");
        [number(first), number(second)]
    });
    (output.out, pairs.collect())
}

/// The states of `java.util.Random` after each of two numbers of `Math.random`, in units of 2^-53, if it is the same generator.
fn states_of_random([first, second]: [u64; 2]) -> Option<[u64; 2]> {
    const MASK: u64 = (1 << 48) - 1;
    let step = |state: u64| (state.wrapping_mul(0x5_DEEC_E66D) + 0xB) & MASK;
    // The upper 26 bits of one state, and 27 of the next.
    let number = |state: u64| {
        let next = step(state);
        (step(next), ((next >> 22) << 27) + (step(next) >> 21))
    };
    (0..1 << 22).find_map(|low| {
        let state = ((first >> 27) << 22) + low;
        let after = step(state);
        if after >> 21 != first & ((1 << 27) - 1) {
            return None;
        }
        let (end, found) = number(after);
        (found == second).then_some([after, end])
    })
}

#[test]
fn a_generator_of_the_whole_jvm_gets_a_fresh_state_for_each_game() {
    let (out, pairs) = drawn("(long) (Math.random() * (1L << 53))");
    assert!(out.contains("64 requests in flight"), "{out}");
    let states: Vec<_> = pairs.iter().map(|pair| states_of_random(*pair)).collect();
    let known: Vec<_> = states.iter().flatten().collect();
    assert!(known.len() > 50 && known.len() == states.len(), "{} {}", known.len(), states.len());
    let mut followed = 0;
    for (before, after) in known.iter().zip(&known[1..]) {
        // A game that follows in the same JVM would go on with the next numbers.
        let mut state = before[1];
        for _ in 0..1000 {
            followed += u32::from(state == after[0]);
            state = (state.wrapping_mul(0x5_DEEC_E66D) + 0xB) & ((1 << 48) - 1);
        }
    }
    assert_eq!(followed, 0, "games whose numbers follow from those of another");
}

#[test]
fn the_generator_of_the_thread_gets_a_fresh_state_for_each_game() {
    let (out, pairs) = drawn("java.util.concurrent.ThreadLocalRandom.current().nextLong()");
    assert!(out.contains("64 requests in flight"), "{out}");
    // The inverse of an odd factor, and of the mixing of a state.
    let inverse = |factor: u64| {
        (0..6).fold(factor, |x, _| x.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(x))))
    };
    let unmixed = |number: u64| {
        [0xc4ce_b9fe_1a85_ec53, 0xff51_afd7_ed55_8ccd].into_iter().fold(
            number ^ (number >> 33),
            |z, factor| {
                let z = z.wrapping_mul(inverse(factor));
                z ^ (z >> 33)
            },
        )
    };
    // Each number adds the same odd constant to the state.
    let difference = |from: u64, to: u64| unmixed(to).wrapping_sub(unmixed(from));
    assert!(pairs.len() > 50, "{}", pairs.len());
    let step = difference(pairs[0][0], pairs[0][1]);
    assert!(pairs.iter().all(|[first, second]| difference(*first, *second) == step));
    let steps = |from: u64, to: u64| difference(from, to).wrapping_mul(inverse(step));
    let all: Vec<_> = pairs.as_flattened().to_vec();
    let follows = |a: usize, b: usize| a / 2 != b / 2 && steps(all[a], all[b]) < 1000;
    let followed = (0..all.len()).flat_map(|a| (0..all.len()).map(move |b| (a, b)));
    assert_eq!(followed.filter(|(a, b)| follows(*a, *b)).count(), 0);
}

#[test]
fn other_generators_that_games_share_are_renewed_or_have_a_process_for_each_game() {
    for generator in [
        "new java.util.SplittableRandom().nextLong()",
        "new java.util.Random().nextLong()",
        "(long) (StrictMath.random() * (1L << 53))",
        "shuffled()",
    ] {
        let (out, pairs) = drawn(generator);
        assert!(out.contains("64 requests in flight"), "{generator}: {out}");
        let mut numbers = pairs.as_flattened().to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        assert!(numbers.len() > 100, "{generator}: {}", numbers.len());
    }
    let (out, _) = drawn("java.util.random.RandomGenerator.getDefault().nextLong()");
    assert!(out.contains("java.util.random.RandomGenerator.getDefault in Drawer"), "{out}");
    assert!(!out.contains("64 requests in flight"), "{out}");
}
