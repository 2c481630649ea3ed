//! Lines of the log replay to the recorded game; altered lines are refused.

use std::collections::HashSet;
use std::sync::Arc;

use dicehill_arena::{Program, ReadRecordError, Reason, RecordedGame, read_game_line};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::support::{
    Bots, Outcome, best_box, challenge, failure, fill_best, first_box, play, raise_to, raiser,
    scripted,
};

fn read<G: Game>(line: &str) -> Result<dicehill_arena::Replay<G>, ReadRecordError> {
    read_game_line(line, G::Rules::default(), &Chance::new("a seed"))
}

/// A bot some of whose answers fail.
fn stumbler() -> Arc<dyn Program<LiarsDice>> {
    scripted::<LiarsDice>(|turn, view| match (turn.start.game % 5, turn.answer) {
        (0, 2) => failure(Reason::IllegalMove),
        _ => raise_to(40, view),
    })
}

fn liars() -> Outcome<LiarsDice> {
    let mut bots: Bots<_> = vec![("A \"quoted\"", raiser(20)), ("B, \\ and é", raiser(60))];
    bots.extend([("C", raiser(35)), ("D", stumbler())]);
    play(&challenge(&bots, 60), 2)
}

fn yahtzee() -> Outcome<Yahtzee> {
    let roller = scripted::<Yahtzee>(|_, view| {
        let keep = "041".parse().expect("an action");
        if view.may_keep() { Ok(keep) } else { fill_best(view) }
    });
    play(&challenge(&vec![("A", first_box()), ("B", roller), ("C", best_box())], 30), 2)
}

/// Every line replays to the game that was judged.
fn check_replays<G: Game>(outcome: &Outcome<G>) {
    assert!(outcome.lines.len() >= 30);
    for (line, game) in outcome.lines.iter().zip(&outcome.games) {
        let replay = read::<G>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!((replay.game, replay.table), (game.fixture.game, game.fixture.table));
        assert_eq!(replay.names.len(), game.fixture.seats.len());
        assert_eq!((replay.moves, replay.results), (game.moves.clone(), game.results.clone()));
    }
}

#[test]
fn every_line_replays_to_the_recorded_game() {
    check_replays(&yahtzee());
    let liars = liars();
    check_replays(&liars);
    assert!(liars.games.iter().any(|game| !game.offences.is_empty()));
}

/// Copies of the line, each with another digit of the results changed.
fn with_other_results(line: &str) -> Vec<String> {
    let start = line.find("\"results\"").expect("a line has results");
    let digits = line.bytes().enumerate().skip(start).filter(|(_, byte)| byte.is_ascii_digit());
    let changed = digits.map(|(place, digit)| {
        let other = char::from(b'0' + (digit - b'0' + 1) % 10);
        format!("{}{other}{}", &line[..place], &line[place + 1..])
    });
    changed.collect()
}

/// Altered copies of the line that must be refused. Altering a move without effect on the results, such as a bid in the
/// middle of a round, is found only by the hash over all lines.
fn altered(line: &str) -> Vec<String> {
    let replace = |from: &str, to: &str| {
        assert!(line.contains(from), "{from} in {line}");
        line.replacen(from, to, 1)
    };
    let (table, moves) = ("\"table\":", "\",\"results\"");
    let mut lines = with_other_results(line);
    let end = line.find(moves).or_else(|| line.find("\",\"failures\"")).expect("moves end");
    let start = line.find("\"moves\":\"").expect("moves begin") + "\"moves\":\"".len();
    let all: Vec<_> = line[start..end].split(',').collect();
    let with_moves =
        |moves: &[&str]| format!("{}{}{}", &line[..start], moves.join(","), &line[end..]);
    lines.extend([
        with_moves(&all[..all.len() - 1]),
        with_moves(&[all.as_slice(), &all[..1]].concat()),
        with_moves(&[]),
        with_moves(&["nonsense"]),
        replace(table, "\"table\":1"),
        replace("true", "false"),
        replace("\"seats\":[", "\"seats\":[\"somebody\","),
        replace("\"results\":[", "\"results\":[{},"),
        replace("\"results\":[", "\"void\":true,\"results\":["),
        replace("\"points\"", "\"pints\""),
        replace("\"moves\"", "\"moved\""),
        line[..line.len() - 1].to_owned(),
    ]);
    lines
}

fn check_altered<G: Game>(outcome: &Outcome<G>) {
    let mut kinds = HashSet::new();
    for line in outcome.lines.iter().filter(|line| line.contains("true")) {
        for altered in altered(line) {
            match read::<G>(&altered) {
                Ok(_) => panic!("accepted instead of {line}:\n{altered}"),
                Err(error) => kinds.insert(std::mem::discriminant(&error)),
            };
        }
    }
    assert!(kinds.len() > 5, "{kinds:?}");
}

#[test]
fn an_altered_line_is_refused() {
    check_altered(&yahtzee());
    check_altered(&liars());
}

#[test]
fn lines_are_refused_with_another_seed() {
    let other = Chance::new("another seed");
    for line in yahtzee().lines {
        assert!(read_game_line::<Yahtzee>(&line, Default::default(), &other).is_err());
    }
    for line in liars().lines {
        assert!(read_game_line::<LiarsDice>(&line, Default::default(), &other).is_err());
    }
}

#[test]
fn void_games_must_be_recorded_as_void() {
    let crash = scripted::<Yahtzee>(|turn, view| match turn.answer {
        3 => failure(Reason::Crash),
        _ => fill_best(view),
    });
    let outcome =
        play(&challenge(&vec![("A", crash), ("B", first_box()), ("C", best_box())], 5), 1);
    let record = &outcome.bars[0].record;
    assert!(read::<Yahtzee>(record).is_ok());
    let counted = record.replacen("\"void\":true,", "", 1);
    let error = read::<Yahtzee>(&counted).err().unwrap();
    assert_eq!(error.to_string(), "void is recorded as false, but the moves say the opposite");
    let unknown = record.replacen("\"crash\"", "\"mischief\"", 1);
    assert!(matches!(read::<Yahtzee>(&unknown), Err(ReadRecordError::Reason { .. })));
    let unexplained = record.replacen("\"failures\"", "\"fails\"", 1);
    assert!(matches!(read::<Yahtzee>(&unexplained), Err(ReadRecordError::NoReason { .. })));
}

/// The lines are longer than the subtrees that are hashed at once.
#[test]
fn the_records_hash_is_that_of_the_lines() {
    let bots = vec![("A", first_box()), ("B", best_box())];
    let outcome = play(&challenge(&bots, 600), 2);
    let text: String = outcome.lines.iter().map(|line| format!("{line}\n")).collect();
    assert!(text.len() > 2 << 16, "{}", text.len());
    let hash = blake3::hash(text.as_bytes());
    assert_eq!(outcome.document.records, format!("blake3:{hash}"));
    let cut = &text[..text.len() - 1];
    assert_ne!(outcome.document.records, format!("blake3:{}", blake3::hash(cut.as_bytes())));
}

/// Sums and stopping rules rely on the bounds of results, and the moves are not replayed here.
#[test]
fn results_that_no_game_gives_are_not_recorded_games() {
    let hill = challenge(&vec![("A", first_box()), ("B", best_box()), ("C", best_box())], 30);
    let outcome = play(&hill, 2);
    let (line, fixture) = (&outcome.lines[0], &outcome.games[0].fixture);
    for (from, to) in [
        ("\"points\":1", "\"points\":2"),
        ("\"points\":1", "\"points\":18446744073709551615"),
        ("\"score\":", "\"score\":99999999999"),
    ] {
        let altered = line.replacen(from, to, 1);
        assert_ne!(altered, *line, "{from}");
        let read = RecordedGame::read(&hill, fixture.clone(), altered);
        assert!(matches!(read, Err(ReadRecordError::TooMuch { .. })), "{to}: {read:?}");
    }
    let read = RecordedGame::read(&hill, fixture.clone(), line.clone());
    assert!(read.is_ok_and(|game| game.is_some()));
}
