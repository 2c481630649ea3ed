//! `check`: the faults that it finds in bots, and how it reports them.

use std::fs;

use crate::support::{CommandOutput, Scratch};

/// The beginning of every bot: helpers to read requests, choose the best box, and answer.
const BEST: &str = r#"
import json, sys
def best(turn):
    legal = turn["legal"]
    return max(sorted(legal), key=lambda category: legal[category])
def say(message):
    print(json.dumps(message), flush=True)
def fill(turn, category):
    say({"id": turn["id"], "category": category})
def requests():
    return map(json.loads, sys.stdin)
"#;

/// A bot that serves many games in one process, and decides with `choose`.
fn ready(choose: &str) -> String {
    format!(
        r#"{BEST}
{choose}
say({{"type": "ready", "inflight": 8}})
for request in requests():
    if request["type"] == "turn":
        fill(request, choose(request))
"#
    )
}

fn good() -> String {
    ready("def choose(turn): return best(turn)")
}

/// Takes the first free box and ignores the joker rule.
fn without_the_joker_rule() -> String {
    let categories = "ACES TWOS THREES FOURS FIVES SIXES THREE_OF_A_KIND FOUR_OF_A_KIND \
                      FULL_HOUSE SMALL_STRAIGHT LARGE_STRAIGHT YAHTZEE CHANCE";
    ready(&format!(
        "ALL = '{categories}'.split()
def choose(turn): return next(box for box in ALL if box not in turn['card'])"
    ))
}

fn check_yahtzee(scratch: &Scratch, bots: &[(&str, String)], more: &[&str]) -> CommandOutput {
    let files: Vec<_> = bots.iter().map(|(name, _)| format!("{name}.py")).collect();
    for (file, (_, source)) in files.iter().zip(bots) {
        scratch.write(file, source);
    }
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    scratch.run(&[&["check", "yahtzee", "--seed", "s"], files.as_slice(), more].concat())
}

#[track_caller]
fn report_of_failing_bot(name: &str, source: String, games: &str) -> String {
    let output = check_yahtzee(&Scratch::new(), &[(name, source)], &["--games", games]);
    assert_eq!((output.code, output.err.as_str()), (3, ""), "{}", output.out);
    output.out
}

#[test]
fn a_good_bot_qualifies_and_is_timed() {
    let output = check_yahtzee(&Scratch::new(), &[("good", good())], &["--games", "20"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", output.out);
    let lines: Vec<_> = output.out.lines().collect();
    let verdict = "good: qualified: 20 games, 260 answers, 85 rare positions, all legal; the games \
                   went the same way when played again";
    assert_eq!(lines[0], verdict);
    assert!(lines[1].starts_with("  answers: 50 % within "), "{}", lines[1]);
    assert!(lines[1].contains("; 1,000 games would wait "), "{}", lines[1]);
    assert!(lines[2..].iter().all(|line| line.starts_with("  note: ")), "{lines:?}");
}

#[test]
fn one_game_is_enough_to_find_a_missing_joker_rule() {
    let out = report_of_failing_bot("joker", without_the_joker_rule(), "1");
    assert!(out.starts_with("joker: not qualified: illegal-move: "), "{out}");
    assert!(out.contains("1 game, 13 answers, 85 rare positions: 38 x illegal-move"), "{out}");
    let group = "\n  4 x the same, first in rare position: five 4s, 50 in the Yahtzee box, the face's upper \
                 box is free, stage 2: illegal-move: ACES: this category breaks the joker rule: ";
    assert!(out.contains(group), "{out}");
    assert!(out.contains("\n    request: {\"type\":\"turn\",\"id\":1,\"game\":0,"), "{out}");
    assert!(out.contains("\n  and 6 more\n"), "{out}");
}

#[test]
fn answers_that_differ_by_their_ids_alone_are_one_group() {
    let out = report_of_failing_bot("wrong", ready("def choose(turn): return 'NONE'"), "3");
    assert!(out.contains("\n  8 x the same, first in game 1, move "), "{out}");
    assert_eq!(out.matches("request: ").count(), 1, "{out}");
}

#[test]
fn messages_on_stdout_are_one_group_with_a_remedy() {
    let source = ready(
        "def choose(turn):
    print('got', turn['dice'], flush=True)
    return best(turn)",
    );
    let out = report_of_failing_bot("chatty", source, "3");
    assert_eq!(out.matches("request: ").count(), 1, "{out}");
    assert!(
        out.contains("\n  remedy: stdout is for answers alone: print everything else to"),
        "{out}"
    );
    assert!(!out.contains("games would wait"), "{out}");
}

#[test]
fn a_bot_that_remembers_earlier_games_is_reported() {
    let source = ready(
        "answers = 0
def choose(turn):
    global answers
    answers += 1
    return best(turn) if answers <= 13 else sorted(turn['legal'])[0]",
    );
    let out = report_of_failing_bot("elephant", source, "4");
    assert!(out.starts_with("elephant: not qualified: remembers earlier games: first "), "{out}");
    assert!(out.contains("2 games, 26 answers, 0 rare positions: 2 x remembers"), "{out}");
}

#[test]
fn a_bot_that_ignores_its_seed_is_not_deterministic() {
    let source =
        ready("import random\ndef choose(turn): return random.choice(list(turn['legal']))");
    let out = report_of_failing_bot("chance", source, "4");
    assert!(out.starts_with("chance: not qualified: not deterministic: first "), "{out}");
    // Two games show it.
    assert!(out.contains("2 games, 26 answers, 0 rare positions: 2 x not deterministic"), "{out}");
    assert!(out.contains("\n  2 x the same, first in game 1, move "), "{out}");
    assert!(out.contains("\n  remedy: draw random numbers only from"), "{out}");
}

#[test]
fn a_bot_with_a_process_for_each_game_remembers_nothing() {
    // It draws once a game. That two of three processes draw the same would show memory in a bot with many games in a process.
    let source = "import json, random, sys
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        legal = list(turn['legal'])
        choice = random.choice(legal[:2]) if len(legal) == 13 else legal[0]
        print(json.dumps({'id': turn['id'], 'category': choice}), flush=True)
";
    let out = report_of_failing_bot("coin", source.to_owned(), "20");
    assert!(out.contains(" x not deterministic"), "{out}");
    assert!(!out.contains("remembers"), "{out}");
}

#[test]
fn a_bot_that_never_flushes_is_diagnosed() {
    let scratch = Scratch::new();
    scratch.write("silent.py", good().replace(", flush=True", ""));
    let hill = r#"game = "yahtzee"
[limits]
start_ms = 300
[[bot]]
name = "silent"
command = ["python3", "silent.py"]
[[bot]]
name = "dummy"
house = "dummy"
"#;
    scratch.write("hill.toml", hill);
    let output =
        scratch.run(&["check", "yahtzee", "hill.toml#silent", "--games", "1", "--seed", "s"]);
    assert_eq!((output.code, output.err.as_str()), (3, ""), "{}", output.out);
    // With a control group the limit is of processor time, and of 10 s of wall time.
    let verdicts = ["300 ms", "10000 ms of wall time"].map(|limit| {
        format!(
            "silent: not qualified: start-timeout: no answer within {limit} (start_ms = 300); one came when its \
             input was closed: it needs longer, or its stdout is block-buffered, and has to be \
             flushed after each line\n"
        )
    });
    let is_verdict = |verdict: &String| output.out.starts_with(verdict.as_str());
    assert!(verdicts.iter().any(is_verdict), "{}", output.out);
    assert!(output.out.contains("the check stopped after 1 failure\n"), "{}", output.out);
}

#[test]
fn a_crash_is_reported_with_its_request_and_log() {
    let source = ready(
        "def choose(turn):
    if turn['round'] == 13:
        raise ValueError('the last box')
    return best(turn)",
    );
    let out = report_of_failing_bot("fragile", source, "2");
    let verdict =
        "fragile: not qualified: crash: it ended with status 1: ValueError: the last box\n";
    assert!(out.starts_with(verdict), "{out}");
    assert!(out.contains("\n  6 x the same, first in game 1, move "), "{out}");
    assert!(out.contains("\"round\":13"), "{out}");
    assert!(out.contains("\n    its log: ValueError: the last box\n"), "{out}");
    assert!(out.contains("  the check stopped after 6 failures\n"), "{out}");
}

#[test]
fn failing_at_bids_above_all_dice_is_noted_and_does_not_disqualify() {
    let scratch = Scratch::new();
    let source = format!(
        r#"{BEST}
say({{"type": "ready"}})
for turn in requests():
    if turn["type"] == "turn":
        count = int(turn["bids"][-1].split()[0]) + 1 if turn["bids"] else 1
        bid = "Liar!" if 50 < count < 1000000 else f"{{count}} 1"
        say({{"id": turn["id"], "bid": bid}})
"#
    );
    scratch.write("brave.py", source);
    let output = scratch.run(&["check", "liars-dice", "brave.py", "--games", "2", "--seed", "s"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", output.out);
    assert!(
        output.out.contains("25 rare positions, legal; the games went the same way"),
        "{}",
        output.out
    );
    let note = "note: 9 x illegal-move in positions that no sensible player leads to, which does not count; first: rare \
                position: the highest bid on the table, among 2: illegal-move: ";
    assert!(output.out.contains(note) && output.out.contains("\"1000001 1\""), "{}", output.out);
}

#[test]
fn bots_with_equal_names_get_different_report_pages() {
    let scratch = Scratch::new();
    let bots = ["dummy", "dummy"];
    let arguments = ["check", "yahtzee", "--games", "1", "--seed", "s", "--report", "report"];
    let output = scratch.run(&[&arguments[..], &bots].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", output.out);
    for page in ["dummy.md", "dummy-2.md", "check.csv"] {
        assert!(scratch.path("report").join(page).is_file(), "{page}");
    }
}

#[test]
fn a_report_has_a_page_for_each_bot_and_a_table() {
    let scratch = Scratch::new();
    let bots = [("good", good()), ("jo|ker", without_the_joker_rule())];
    let output = check_yahtzee(&scratch, &bots, &["--games", "2", "--report", "report"]);
    assert_eq!((output.code, output.err.as_str()), (3, ""), "{}", output.out);
    let read = |name: &str| fs::read_to_string(scratch.path("report").join(name)).expect(name);
    assert!(read("good.md").starts_with("# good\n\n- Yahtzee: qualified\n"), "{}", read("good.md"));
    assert!(read("good.md").contains("\n- seed: s\n"), "{}", read("good.md"));
    let page = read("jo_ker.md");
    assert!(page.starts_with("# jo\\|ker\n\n- Yahtzee: not qualified\n"), "{page}");
    let places = page.matches("rare position: five ").count();
    let groups = page.matches("\n    request: {\"type\":\"turn\"").count();
    assert!(places == 38 && (1..38).contains(&groups), "{page}");
    assert_eq!(page.matches("\n- rare position: five ").count(), 38 - groups, "{page}");
    let table = read("check.csv");
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("bot,verdict,games,answers,positions,findings,illegal-move,"));
    assert!(
        lines[0].ends_with(
            ",unrepeatable,p50_ms,p95_ms,p99_ms,max_ms,hash,first_finding,argument,seed"
        )
    );
    assert!(lines[1].starts_with("good,qualified,2,26,85,0,0,0,"), "{table}");
    assert!(lines[1].contains(",blake3:"), "{table}");
    assert!(lines[2].starts_with("jo|ker,not qualified,2,26,85,38,38,0,"), "{table}");
    assert!(lines[2].contains("breaks the joker rule"), "{table}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_bot_that_cannot_be_loaded_does_not_prevent_the_check_of_the_others() {
    let scratch = Scratch::new();
    for folder in ["Empty", "Ada"] {
        fs::create_dir(scratch.path(folder)).expect("a folder");
    }
    scratch.write("Ada/bot.toml", "name = \"Bea\"\nhouse = \"dummy\"\n");
    let bots = ["./Empty", "./Ada", "./None"];
    let arguments = ["check", "yahtzee", "--games", "1", "--seed", "s", "--report", "report"];
    let output = scratch.run(&[&arguments[..], &bots].concat());
    assert_eq!((output.code, output.err.as_str()), (3, ""), "{}", output.out);
    for line in [
        "./Empty: not qualified: a folder needs a bot.toml",
        "Bea: qualified: 1 game",
        "  note: this is ./Ada\n",
        "./None: not qualified: no such file or folder\n",
    ] {
        assert!(output.out.contains(line), "{line}: {}", output.out);
    }
    let summary = "1 of 3 bots qualified; not qualified: ./Empty, ./None\n";
    assert!(output.out.ends_with(summary), "{}", output.out);
    let table = scratch.read("report/check.csv");
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[1].starts_with("./Empty,not qualified,"), "{table}");
    assert!(lines[2].starts_with("Bea,qualified,") && lines[2].ends_with(",./Ada,s"), "{table}");
    assert!(lines[3].ends_with(",no such file or folder,./None,s"), "{table}");
    let columns = |line: &str| line.matches(',').count();
    assert_eq!(columns(lines[3]), columns(lines[0]), "{table}");
    assert!(scratch.read("report/Empty.md").contains("- not qualified\n"));
}

#[test]
fn a_report_that_cannot_be_written_is_a_usage_error() {
    let scratch = Scratch::new();
    scratch.write("file", "");
    let output = scratch.run(&["check", "yahtzee", "dummy", "--report", "file/report"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert!(output.err.starts_with("error: --report file/report: "), "{}", output.err);
}

#[test]
fn facts_about_a_bot_are_noted() {
    let scratch = Scratch::new();
    let chatty = format!(
        "{BEST}
for request in requests():
    if request['type'] == 'turn':
        say({{'id': request['id'], 'category': best(request), 'mood': 'good'}})
"
    );
    let bots = [("good", good()), ("chatty", chatty)];
    let output = check_yahtzee(&scratch, &bots, &["--games", "2"]);
    assert_eq!(output.code, 0, "{output:?}");
    for note in [
        "note: it is ready for 8 requests in flight",
        "note: it does not send ready: each game has its own process",
        "note: its answers have an unknown field: mood",
        "MiB of 512 MiB",
    ] {
        assert!(output.out.contains(note), "{note} is not in {}", output.out);
    }
}

#[test]
fn static_fields_of_a_java_player_are_noted() {
    let scratch = Scratch::new();
    scratch.write(
        "Counts.java",
        "package mego.yahtzee;
        public class Counts extends Player {
            static int games;
            static final int LAST = 3;
            public Counts(ControllerInterface game) { super(game); games++; }
            public TurnChoice turn(int[] dice, int stage) {
                return new TurnChoice(stage < 2 ? new int[0] : new int[] {games});
            }
        }",
    );
    let output = scratch.run(&["check", "yahtzee", "Counts.java", "--games", "1"]);
    assert_eq!(output.code, 3, "{output:?}");
    let note = "note: static fields that can change: mego.yahtzee.Counts.games; they live on";
    assert!(output.out.contains(note), "{}", output.out);
    assert!(!output.out.contains("LAST"), "{}", output.out);
}
