//! Failures of bots in runs of Liar's Dice, altered by a forger who knows the formats.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{fs, io};

use dicehill_arena::{
    Bar, Bot, BotName, Entrant, Event, Failure, GameSource, Hill, HillDraft, Jobs, MAX_PLAY_OFFS,
    Offence, Program, Reason, ResumeState, RunOptions, Start, run, run_from,
};
use dicehill_rules::liars_dice::{Action, LiarsDice, View};
use dicehill_store::{
    Finding, GameLine, HillStore, RecordedRun, RunCheck, StoredFailure, TruncatedTail, VerifiedPart,
};
use rusqlite::Connection;

use crate::forgeries::{resealed, with};
use crate::test_hill::{PlayedRun, new_store_of};

const GAMES: i64 = 200;

/// Bids one more than the bid before it, or calls if that is impossible, unless it fails.
#[derive(Clone, Copy)]
struct Bidder {
    /// Gives an illegal answer in each game whose number is a multiple of this.
    illegal: u64,
    /// Its program ends in each game whose number is a multiple of this.
    ends: u64,
    game: u64,
}

impl Program<LiarsDice> for Bidder {
    fn identity(&self) -> String {
        format!("test:{}-{}@1", self.illegal, self.ends)
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::new(*self)
    }
}

impl Bot<LiarsDice> for Bidder {
    fn start(&mut self, start: &Start) {
        self.game = start.game;
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let fails = |interval: u64| interval > 0 && self.game.is_multiple_of(interval);
        if fails(self.ends) {
            return Err(Failure::new(Reason::Crash, "it has ended"));
        }
        match view.last_bid() {
            None if fails(self.illegal) => Ok(Action::Call),
            None => Ok("1 2".parse().expect("a bid")),
            Some(_) => Ok(Action::Call),
        }
    }
}

fn hill() -> Hill<LiarsDice> {
    let entrant = |name: &str, illegal, ends| {
        let program: Arc<dyn Program<LiarsDice>> = Arc::new(Bidder { illegal, ends, game: 0 });
        Entrant::new(BotName::new(name).expect("a name"), program)
    };
    let entrants = vec![
        entrant("Ada", 0, 0),
        entrant("Bert", 0, 0),
        entrant("Cleo", 7, 0),
        entrant("Dora", 0, 50),
        entrant("Emil", 0, 4),
    ];
    let draft = HillDraft { games: GAMES, ..HillDraft::challenge(entrants, "s") };
    Hill::new(draft).expect("a hill")
}

/// A run in which one bot has illegal answers, one fails now and then, and one is barred.
fn played() -> PlayedRun {
    PlayedRun::of(&hill())
}

impl PlayedRun {
    fn failures(&self, hill: &str) -> Vec<StoredFailure> {
        HillStore::open(&self.path(hill)).and_then(|store| store.failures(1)).expect("a run")
    }

    /// The number of the line that bars Emil, from 0.
    fn bar(&self) -> usize {
        let is_bar = |line: &String| line.starts_with("{\"type\":\"barred\"");
        let bars: Vec<_> = (0..self.lines.len()).filter(|at| is_bar(&self.lines[*at])).collect();
        let [bar] = bars.as_slice() else { panic!("{} bars", bars.len()) };
        *bar
    }

    /// What a check of a log with these lines finds wrong, with a seal that is right for them.
    fn problems(&self, lines: Vec<String>) -> String {
        let path = self.path("forged.jsonl");
        fs::write(&path, resealed(lines).join("\n") + "\n").expect("it can be written");
        problems(&path)
    }

    /// What a check of the store finds wrong after this alteration.
    fn problems_of_store(&self, sql: &str) -> String {
        let path = self.path("altered.db");
        fs::copy(self.path("hill.db"), &path).expect("a copy");
        let database = Connection::open(&path).expect("a database");
        assert!(database.execute(sql, []).expect("SQL") > 0, "{sql}");
        drop(database);
        problems(&path)
    }
}

/// The seat of a bot in the game of a line.
fn seat_of(line: &str, bot: &str) -> Option<usize> {
    GameLine::read(line).ok()?.seats.iter().position(|name| name == bot)
}

/// The line of a bar in a log.
fn bar_line(bar: &Bar) -> String {
    let keys = serde_json::to_string(bar).expect("it has a form in JSON");
    format!("{{\"type\":\"barred\",{}", &keys[1..])
}

/// All problems but that of the seal, which a forger can compute.
fn problems(path: &Path) -> String {
    let run = RecordedRun::open(path, TruncatedTail::Refuse).expect("a run");
    let hill = run.header().inert_hill::<LiarsDice>(run.path()).expect("a hill");
    let mut problems = String::new();
    let check = RunCheck::new(&run, hill).run(|step| {
        match step.finding {
            Finding::Altered(found) if step.name != "seal" => {
                found.iter().for_each(|one| problems += &format!("{}: {one}\n", step.name));
            }
            Finding::Altered(_) | Finding::Holds(_) | Finding::Skipped(_) => {}
        }
        Ok::<(), dicehill_store::FileError>(())
    });
    check.expect("it can be read");
    problems
}

#[test]
fn an_honest_run_with_failures_holds() {
    let played = played();
    assert_eq!(problems(&played.path("run.jsonl")), "");
    assert_eq!(problems(&played.path("hill.db")), "");
    let run = RecordedRun::open(&played.path("hill.db"), TruncatedTail::Refuse).expect("a run");
    let hill = run.header().inert_hill::<LiarsDice>(run.path()).expect("a hill");
    let mut failures = None;
    let check = RunCheck::new(&run, hill).run(|step| {
        if let Finding::Holds(VerifiedPart::Failures(count)) = step.finding {
            failures = Some(count);
        }
        Ok::<(), dicehill_store::FileError>(())
    });
    check.expect("it can be read");
    assert!(failures.is_some_and(|count| count > 20), "{failures:?}");
}

/// Games that another machine has played.
struct Elsewhere(Vec<(String, Vec<Offence>)>);

impl GameSource for Elsewhere {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(game as usize - 1).map(|(line, _)| line.clone()))
    }

    fn unjudged_offences(&self, game: u64) -> io::Result<Option<Vec<Offence>>> {
        Ok(self.0.get(game as usize - 1).map(|(_, offences)| offences.clone()))
    }
}

/// Whichever machine plays a game.
#[test]
fn failures_in_games_of_another_machine_are_stored() {
    let played = played();
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let hill = hill();
    let (mut games, mut is_barred) = (Vec::new(), false);
    let ended = run(&hill, options, &mut |event| {
        is_barred |= matches!(event, Event::Barred(_));
        if let (Event::Played(game, _), false) = (&event, is_barred) {
            games.push((game.line.clone(), game.record.offences.clone()));
        }
        Ok(())
    });
    ended.expect("nothing is stored");
    let (elsewhere, before) = (Elsewhere(games), played.failures("hill.db"));
    assert!(before.len() > 20, "{}", before.len());
    let store = new_store_of(&hill, &played.path("elsewhere.db"));
    let stored = store.begin_run(Vec::new(), true).expect("a run");
    let state = ResumeState { games: &elsewhere, ..ResumeState::fresh(Vec::new()) };
    let mut taken = 0;
    run_from(&hill, state, options, &mut |event| {
        taken += usize::from(matches!(event, Event::Recalled(..)));
        stored.write(&event)
    })
    .expect("it is written");
    stored.flush().expect("it is on disk");
    drop(stored);
    assert!(taken >= elsewhere.0.len(), "{taken}");
    assert_eq!(played.failures("elsewhere.db"), before);
    assert_eq!(problems(&played.path("elsewhere.db")), "");
}

/// A host could bar a bot at its first failure, or let one that fails play on.
#[test]
fn a_bar_that_the_rule_does_not_give_is_found() {
    let played = played();
    let bar = played.bar();
    let fails = |line: &String| line.contains("it has ended") && seat_of(line, "Emil").is_some();
    let early = (1..bar).find(|at| fails(&played.lines[*at])).expect("an earlier failure");
    let record = played.lines[early].clone();
    let database = Connection::open(played.path("hill.db")).expect("a database");
    let sql = "SELECT request FROM failure WHERE attempt = 0 AND game = ?1 AND bot = 'Emil'";
    let request: String = database.query_row(sql, [early], |row| row.get(0)).expect("a failure");
    let honest: Bar = serde_json::from_str(&played.lines[bar]).expect("a bar");
    let forged = Bar { game: early as u64, request, record, ..honest };
    let mut lines = played.lines.clone();
    lines.splice(early..=bar, [bar_line(&forged)]);
    let expected = format!(
        "the bar of Emil in game {early}: a crash does not bar it: its program has failed 1 times"
    );
    assert!(played.problems(lines).contains(&expected));
    // Without the bar its game would have been one like any other.
    let honest: Bar = serde_json::from_str(&played.lines[bar]).expect("a bar");
    let mut unfinished = played.lines[..bar].to_vec();
    unfinished.push(honest.record);
    let path = played.path("unfinished.jsonl");
    fs::write(&path, unfinished.join("\n") + "\n").expect("it can be written");
    let expected =
        format!("game {}: Emil failed 11 times (crash), but was not barred", honest.game);
    assert!(problems(&path).contains(&expected), "{}", problems(&path));
}

/// An absent bot costs its table nothing, and its failures bar it at once.
#[test]
fn only_a_remote_bot_is_absent() {
    let played = played();
    let fails = |line: &String| line.contains("it has ended") && !line.contains("barred");
    let last = played.lines.iter().rposition(fails).expect("Dora has failed");
    let forged = with(&played.lines, last, |line| line.replace("\"crash\"", "\"absent\""));
    let found = played.problems(forged);
    assert!(found.contains("Dora is no remote bot, but absent"), "{found}");
}

/// The detail of an illegal answer follows from the rules.
#[test]
fn a_legal_answer_is_not_recorded_as_illegal() {
    let played = played();
    let detail = r#"Liar!: \"Liar!\" without a bid: the first action of a round is a bid"#;
    let first = played.lines.iter().position(|line| line.contains(detail)).expect("a game");
    let forged = |other: &str| {
        played.problems(with(&played.lines, first, |line| line.replacen(detail, other, 1)))
    };
    let found = forged("1 2: as I say");
    assert!(
        found.contains("\"1 2\", is legal with the dice of this seed, but recorded"),
        "{found}"
    );
    let found = forged("Liar!: as I say");
    assert!(found.contains("is illegal: recorded \"Liar!: as I say\", recomputed"), "{found}");
}

/// A hill does not reuse the games of a bot that has failed, so that a host must not be able to hide it.
#[test]
fn altered_failures_of_a_store_are_found() {
    let played = played();
    let first = "(attempt, game, number) = (SELECT attempt, game, number FROM failure WHERE bot = 'Cleo' LIMIT 1)";
    for (sql, words) in [
        (format!("DELETE FROM failure WHERE {first}"), "failures: the failure of Cleo in game "),
        ("DELETE FROM failure".to_owned(), "failures: the failure of Cleo in game "),
        (
            format!("UPDATE failure SET bot = 'Ada' WHERE {first}"),
            "no such failure of Ada: illegal-move",
        ),
        (
            format!("UPDATE failure SET reason = 'flood' WHERE {first}"),
            "no such failure of Cleo: flood",
        ),
        (
            format!("UPDATE failure SET detail = 'x' WHERE {first}"),
            "no such failure of Cleo: illegal-move",
        ),
        (
            format!("UPDATE failure SET request = 'x' WHERE {first}"),
            "failures: the request on which Cleo failed in game ",
        ),
        (
            format!("UPDATE failure SET attempt = 9 WHERE {first}"),
            "no such failure of Cleo: illegal-move",
        ),
        (
            format!("UPDATE failure SET game = 999 WHERE {first}"),
            "failures: game 999 has no such failure of Cleo",
        ),
    ] {
        let found = played.problems_of_store(&sql);
        assert!(found.contains(words), "{sql}: {found}");
        assert!(found.lines().all(|line| line.starts_with("failures: ")), "{sql}: {found}");
    }
}
