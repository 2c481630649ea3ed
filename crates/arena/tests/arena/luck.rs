//! Appraised games, with an appraiser whose numbers are invented.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Appraisal, AppraisalMismatch, Appraiser, Event, FormatName, GameRecord, GameSource, Hill,
    HillDraft, Jobs, Ledger, Memory, Move, Play, RecordedGame, Replay, ResultDocument, ResumeState,
    RunEnd, RunOptions, Schedule, read_game_line, run_from,
};
use dicehill_rules::chance::TableDice;
use dicehill_rules::yahtzee::{Action, Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Game, PublicInfo};

use crate::support::{
    Bots, Outcome, best_box, draft, fill_best, fill_worst, first_box, hill, json, names_at, play,
    scripted,
};

/// The expected score of optimal play, according to the appraiser.
pub(crate) const START: f64 = 55.123_456;

/// Each point below 20 in a box is a loss of a third of a point; each die above three adds variance.
struct ScriptedAppraiser;

impl Appraiser<Yahtzee> for ScriptedAppraiser {
    fn start(&self) -> f64 {
        START
    }

    fn appraise(
        &self,
        rules: YahtzeeRules,
        dice: &TableDice,
        seats: usize,
        moves: &[Move<Yahtzee>],
    ) -> Vec<Appraisal> {
        let mut appraisals = vec![Appraisal::default(); seats];
        let mut game = Yahtzee::new(rules, seats, dice);
        for answer in moves {
            let Move::Acted(action) = answer else { panic!("the game is void") };
            let seat = game.to_act().expect("moves end with the game").index();
            if let Action::Fill(category) = action {
                let score = u64::from(game.cards()[seat].box_score(*category, game.dice()));
                appraisals[seat].loss += 20_u64.saturating_sub(score) * 333_333;
                let high = game.dice().iter().filter(|face| face.pips() > 3).count() as u64;
                appraisals[seat].variance += high * 6_543;
            }
            game.apply(action, dice).expect("a legal move");
        }
        appraisals
    }
}

fn bots() -> Bots<Yahtzee> {
    let sometimes = scripted::<Yahtzee>(|turn, view| {
        if turn.start.seed % 10 < 7 { fill_best(view) } else { fill_worst(view) }
    });
    vec![("A", best_box()), ("B", sometimes), ("C", first_box())]
}

fn plain(format: FormatName, games: i64) -> Hill<Yahtzee> {
    hill(HillDraft { format, games, ..draft(&bots()) })
}

pub(crate) fn appraised(format: FormatName, games: i64) -> Hill<Yahtzee> {
    plain(format, games).with_appraiser(Arc::new(ScriptedAppraiser))
}

const FORMATS: [FormatName; 3] = [FormatName::Challenge, FormatName::Duel, FormatName::Gauntlet];

fn read(line: &str) -> Result<Replay<Yahtzee>, dicehill_arena::ReadRecordError> {
    read_game_line(line, YahtzeeRules::Official, &Chance::new("a seed"))
}

#[test]
fn lines_with_appraisals_are_read_back() {
    let hill = appraised(FormatName::Challenge, 20);
    let outcome = play(&hill, 2);
    assert!(outcome.events[0].contains("\"start_value\":55.123456,"), "{}", outcome.events[0]);
    for (record, line) in outcome.games.iter().zip(&outcome.lines) {
        assert_eq!(record.appraisals.len(), 3);
        assert_eq!(line.matches(",\"loss\":").count(), 3, "{line}");
        let replay = read(line).expect("a line of this run");
        assert_eq!(replay.appraisals, record.appraisals);
        let without = line.find(",\"moves\"").zip(line.find(",\"results\"")).expect("both");
        let short = format!("{}{}", &line[..without.0], &line[without.1..]);
        for line in [line, &short] {
            let fixture = record.fixture.clone();
            let recalled = RecordedGame::read(&hill, fixture, line.clone()).expect("a game");
            assert_eq!(recalled.expect("this game").appraisals, record.appraisals);
        }
    }
    let Appraisal { loss, variance } = outcome.games[0].appraisals[0];
    let text = format!(
        "\"loss\":{}.{:06},\"variance\":{}.{:03}}}",
        loss / 1_000_000,
        loss % 1_000_000,
        variance / 1000,
        variance % 1000
    );
    assert!(outcome.lines[0].contains(&text), "{text} in {}", outcome.lines[0]);
}

#[test]
fn without_an_appraiser_documents_do_not_mention_luck() {
    let hill = plain(FormatName::Challenge, 20);
    let outcome = play(&hill, 2);
    for text in outcome.events.iter().chain([&json(&outcome.document)]) {
        for word in ["loss", "luck", "variance", "start_value"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
}

#[test]
fn appraised_runs_are_the_same_on_any_number_of_threads() {
    for format in FORMATS {
        let hill = appraised(format, 60);
        let single = play(&hill, 1);
        for jobs in [2, 8] {
            assert_eq!(play(&hill, jobs).events, single.events, "{format:?} on {jobs} threads");
        }
    }
    let set = hill(HillDraft { memory: Memory::Set, games: 30, ..draft(&bots()) });
    let set = set.with_appraiser(Arc::new(ScriptedAppraiser));
    assert_eq!(play(&set, 1).events, play(&set, 8).events);
}

#[test]
fn appraisals_do_not_change_the_ranking() {
    for format in FORMATS {
        let names = |hill: Hill<Yahtzee>| -> Vec<_> {
            let rows = play(&hill, 2).document.standings;
            rows.into_iter()
                .map(|row| (row.bot, row.rank, row.points, row.best, row.mark))
                .collect()
        };
        assert_eq!(names(appraised(format, 60)), names(plain(format, 60)));
    }
}

/// The recorded first games of a run.
struct RecordedLines(Vec<String>);

impl GameSource for RecordedLines {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(game as usize - 1).cloned())
    }
}

/// Resumes a run after the lines `first`. Returns all lines, the document and the number of games played.
fn resume(
    hill: &Hill<Yahtzee>,
    first: Vec<String>,
) -> io::Result<(Vec<String>, ResultDocument, usize)> {
    let state = ResumeState {
        bars: Vec::new(),
        games: &RecordedLines(first),
        is_resumed: true,
        recorded: 0,
        records: None,
    };
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(2), max_play_offs: 10_000, stop: &stop, deadline: None };
    let (mut lines, mut played) = (Vec::new(), 0);
    let end = run_from(hill, state, options, &mut |event| {
        match event {
            Event::Played(game, _) => {
                played += 1;
                lines.push(game.line.clone());
            }
            Event::Recalled(game, _) => lines.push(game.line.clone()),
            Event::Started(_)
            | Event::Barred(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Diverged { .. }
            | Event::Ended(_) => {}
        }
        Ok(())
    });
    let RunEnd::Done(document) = end? else { panic!("the run was stopped") };
    Ok((lines, document, played))
}

#[test]
fn a_resumed_run_gives_the_same_bytes() {
    for format in FORMATS {
        let hill = appraised(format, 60);
        let Outcome { lines, document, .. } = play(&hill, 1);
        for kept in [0, 1, 7, 31, lines.len()] {
            let resumed = resume(&hill, lines[..kept].to_vec()).expect("the run is resumed");
            assert_eq!(resumed, (lines.clone(), document.clone(), lines.len() - kept));
        }
        // Without an appraiser the result is the same if no game has to be played.
        let before =
            plain(format, 60).with_start_value(hill.start_value().expect("it is appraised"));
        assert_eq!(resume(&before, lines.clone()).expect("all games are recorded").1, document);
    }
}

#[test]
fn games_recorded_without_matching_appraisals_are_played_again() {
    let [with, without] = [true, false].map(|luck| {
        let hill = plain(FormatName::Duel, 20);
        if luck { hill.with_appraiser(Arc::new(ScriptedAppraiser)) } else { hill }
    });
    let [appraised, plain] = [&with, &without].map(|hill| play(hill, 1).lines);
    for (hill, lines, wrong) in [(&with, &appraised, &plain), (&without, &plain, &appraised)] {
        let (resumed, _, played) = resume(hill, wrong.clone()).expect("the run is resumed");
        assert_eq!((&resumed, played), (lines, lines.len()));
    }
}

#[test]
fn invalid_losses_are_refused() {
    let hill = appraised(FormatName::Duel, 20);
    let lines = play(&hill, 1).lines;
    let at = lines[0].find("\"loss\":").expect("a loss") + 7;
    let end = at + lines[0][at..].find(',').expect("a variance");
    let altered = |loss: &str| format!("{}{loss}{}", &lines[0][..at], &lines[0][end..]);
    for (loss, said) in [
        ("-0.5", "seat 1: loss = -0.5: must be 0 or more, with at most 6 decimals"),
        ("0.1234567", "seat 1: loss = 0.1234567: must be 0 or more, with at most 6 decimals"),
        ("\"much\"", "invalid type: string \"much\", expected f64"),
        ("null", "invalid type: null, expected f64"),
    ] {
        let error = read(&altered(loss)).err().expect("it is refused").to_string();
        assert!(error.contains(said), "{error}");
        let error = resume(&hill, vec![altered(loss)]).expect_err("it is refused").to_string();
        assert!(error.starts_with("game 1: ") && error.contains(said), "{error}");
    }
    for (from, to, said) in [
        ("\"loss\"", "\"lost\"", "seat 1: loss is missing"),
        ("\"variance\"", "\"varied\"", "seat 1: variance is missing"),
    ] {
        let error = read(&lines[0].replacen(from, to, 1)).err().expect("it is refused");
        assert_eq!(error.to_string(), said);
    }
    let without_first =
        lines[0].replacen("\"loss\"", "\"lost\"", 1).replacen("\"variance\"", "\"varied\"", 1);
    let error = read(&without_first).err().expect("it is refused").to_string();
    assert_eq!(error, "1 of 2 seats have a loss and a variance");
}

#[test]
fn an_altered_loss_or_variance_is_reported() {
    let hill = appraised(FormatName::Duel, 20);
    let outcome = play(&hill, 1);
    let record = &outcome.games[3];
    let chance = Chance::new("a seed");
    let public = PublicInfo { names: names_at(&hill, record), points: Vec::new() };
    let mut played =
        Play::<Yahtzee>::new(hill.rules(), chance.table(record.fixture.table), 2, public);
    record.moves.iter().for_each(|recorded| played.repeat(recorded));
    let [first, second] = [record.appraisals[0], record.appraisals[1]];
    assert_eq!(hill.check_appraisals(&played, &[first, second]), Ok(()));
    let loss = second.loss + 1;
    let wrong = hill.check_appraisals(&played, &[first, Appraisal { loss, ..second }]);
    let said = wrong.expect_err("it was altered").to_string();
    let text = |loss: u64| format!("{}.{:06}", loss / 1_000_000, loss % 1_000_000);
    let expected = format!(
        "seat 2 is recorded with loss = {}, but its decisions lead to {}",
        text(loss),
        text(second.loss)
    );
    assert_eq!(said, expected);
    let variance = first.variance + 1;
    let wrong = hill.check_appraisals(&played, &[Appraisal { variance, ..first }, second]);
    assert!(wrong.expect_err("it was altered").to_string().contains("variance = "));
    assert_eq!(hill.check_appraisals(&played, &[]), Err(AppraisalMismatch::Missing));
    let plain = plain(FormatName::Duel, 20);
    assert_eq!(plain.check_appraisals(&played, &[]), Ok(()));
    let surplus = plain.check_appraisals(&played, &[first, second]);
    assert_eq!(surplus, Err(AppraisalMismatch::Surplus));
}

#[test]
fn one_game_without_appraisal_leaves_the_luck_of_its_entrants_unknown() {
    let hill = appraised(FormatName::Duel, 60);
    let outcome = play(&hill, 1);
    let chance = Chance::new("a seed");
    let active: Vec<_> = hill.ids().collect();
    let schedule = Schedule::new(&hill, &chance, active.clone());
    let mut ledger = Ledger::new(&schedule);
    for GameRecord { fixture, results, appraisals, .. } in &outcome.games {
        // The first game is between A and B.
        let appraisals = if fixture.game == 1 { &[][..] } else { appraisals };
        ledger.add(&schedule, fixture, results, appraisals);
    }
    let document = ResultDocument::new(&hill, &ledger, &active, &[], String::new());
    let value = serde_json::to_value(&document).expect("a document");
    for (row, value) in document.standings.iter().zip(value["standings"].as_array().expect("rows"))
    {
        let luck = row.luck.as_ref().expect("the run is appraised");
        assert_eq!(luck.loss.is_some(), row.bot == "C", "{}", row.bot);
        assert_eq!(luck.points.is_some(), row.bot == "C", "{}", row.bot);
        assert_eq!(value["luck"]["se"].is_null(), row.bot != "C");
    }
}

#[test]
fn documents_with_luck_are_read_back() {
    for format in FORMATS {
        let hill = appraised(format, 120);
        let text = json(&play(&hill, 2).document);
        assert!(text.contains("\"start_value\":55.123456,"), "{text}");
        let document = ResultDocument::read::<Yahtzee>(&text).expect("a result document");
        assert_eq!(json(&document), text);
        assert!(!text.contains("\"points\":null"), "there are enough samples: {text}");
    }
}

/// No decision has a loss.
struct ZeroLossAppraiser;

impl Appraiser<Yahtzee> for ZeroLossAppraiser {
    fn start(&self) -> f64 {
        START
    }

    fn appraise(
        &self,
        _rules: YahtzeeRules,
        _dice: &TableDice,
        seats: usize,
        _moves: &[Move<Yahtzee>],
    ) -> Vec<Appraisal> {
        vec![Appraisal { loss: 0, variance: 1_000_000 }; seats]
    }
}

#[test]
fn an_entrant_without_loss_has_no_variance_ratio() {
    for (format, games) in FORMATS.into_iter().zip([120; 3]).chain([(FormatName::Duel, 2)]) {
        let hill = plain(format, games).with_appraiser(Arc::new(ZeroLossAppraiser));
        for row in play(&hill, 2).document.standings {
            let luck = row.luck.expect("the run is appraised");
            assert_eq!((luck.loss, luck.score), (Some(0.0), Some(START)));
            assert_eq!(luck.se, (games > 2).then_some(0.0));
            assert_eq!(luck.variance_ratio, None);
            assert_eq!(luck.points.is_some(), games > 2, "{format:?} {}", row.bot);
        }
    }
}
