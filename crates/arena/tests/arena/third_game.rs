//! A further dice game needs one module: the unchanged arena plays, scores and replays Pig.

#[path = "../../../rules/tests/rules/laws/checker.rs"]
mod checker;
mod pig;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checker::{Draw, Subject, check_laws};
use dicehill_arena::{
    Bot, BotName, Entrant, Event, Failure, FigureSummary, FormatName, GameRecord, Hill, HillDraft,
    Jobs, Program, ResultDocument, RunEnd, RunOptions, Standing, Start, read_game_line, run,
};
use dicehill_rules::{Chance, Game, Seat};
use pig::{Action, Pig, PigRules, View};

const SEED: &str = "pigs";

/// Rolls until the turn total reaches a limit.
#[derive(Clone)]
struct HoldAt(u32);

impl Bot<Pig> for HoldAt {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        Ok(if view.turn_total < self.0 { Action::Roll } else { Action::Hold })
    }
}

impl Program<Pig> for HoldAt {
    fn identity(&self) -> String {
        format!("test:hold-at-{}@1", self.0)
    }

    fn bot(&self) -> Box<dyn Bot<Pig>> {
        Box::new(self.clone())
    }
}

/// Holds when a bit of its seed is set, unless it is far behind.
#[derive(Clone)]
struct Moody {
    mood: u64,
}

impl Bot<Pig> for Moody {
    fn start(&mut self, start: &Start) {
        self.mood = start.seed;
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        self.mood = self.mood.rotate_right(1);
        let best = view.scores.iter().max().copied().unwrap_or(0);
        let far_behind = view.scores[view.you.index()] + view.turn_total + 30 < best;
        let holds = self.mood & 1 == 1 && !far_behind;
        Ok(if view.turn_total > 0 && holds { Action::Hold } else { Action::Roll })
    }
}

impl Program<Pig> for Moody {
    fn identity(&self) -> String {
        "test:moody@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<Pig>> {
        Box::new(self.clone())
    }
}

fn entrant(name: &str, program: Arc<dyn Program<Pig>>) -> Entrant<Pig> {
    let name = BotName::new(name).expect("a printable name");
    Entrant::new(name, program)
}

fn hill(rules: PigRules, format: FormatName) -> Hill<Pig> {
    let entrants = vec![
        entrant("Timid", Arc::new(HoldAt(5))),
        entrant("Twenty", Arc::new(HoldAt(20))),
        entrant("Moody", Arc::new(Moody { mood: 0 })),
    ];
    let draft = HillDraft {
        name: "sty".to_owned(),
        rules,
        format,
        games: 300,
        ..HillDraft::challenge(entrants, SEED)
    };
    Hill::new(draft).expect("the hill can be played")
}

/// A run: its document, and each game with its line.
struct Run {
    document: ResultDocument,
    games: Vec<(GameRecord<Pig>, String)>,
}

fn play(hill: &Hill<Pig>, jobs: usize) -> Run {
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(jobs), max_play_offs: 100, stop: &stop, deadline: None };
    let mut games = Vec::new();
    let end = run(hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            games.push((played.record.clone(), played.line.clone()));
        }
        Ok(())
    });
    match end.expect("events can be stored") {
        RunEnd::Done(document) => Run { document, games },
        RunEnd::Stopped(_) => panic!("the run was stopped"),
    }
}

fn json(document: &ResultDocument) -> String {
    serde_json::to_string(document).expect("a document is JSON")
}

fn check_run(rules: PigRules, format: FormatName, pairings: usize, games: usize) -> Run {
    let hill = hill(rules, format);
    let (single, parallel) = (play(&hill, 1), play(&hill, 4));
    assert_eq!(
        json(&single.document),
        json(&parallel.document),
        "the document depends on the number of threads"
    );
    assert_eq!(single.games, parallel.games, "the games depend on the number of threads");
    let document = &single.document;
    assert_eq!(
        (document.terms.game.as_str(), document.terms.rules.as_str()),
        ("pig", &*rules.to_string())
    );
    assert_eq!((document.pairings.len(), document.standings.len()), (pairings, 3));
    assert_eq!(single.games.len(), games + document.extra_games as usize);
    document.standings.iter().for_each(|row| check_standing(&hill, row, &single.games[..games]));
    single.games.iter().for_each(|(record, line)| check_replay(rules, record, line));
    single
}

/// The entrant's row agrees with its games, counted here.
fn check_standing(hill: &Hill<Pig>, row: &Standing, games: &[(GameRecord<Pig>, String)]) {
    let id = hill.ids().find(|id| hill.name_of(*id) == row.bot).expect("an entrant");
    let result = |(record, _): &(GameRecord<Pig>, String)| {
        let seat = record.fixture.seats.iter().position(|other| *other == id)?;
        Some(record.results[seat])
    };
    let results: Vec<_> = games.iter().filter_map(result).collect();
    assert_eq!(row.games, results.len() as u64, "{}", row.bot);
    assert_eq!(row.wins, results.iter().filter(|result| result.won).count() as u64);
    let [("banked", FigureSummary::Distribution(Some(banked))), ("rolls", rolls)] = &*row.figures
    else {
        panic!("{:?}", row.figures)
    };
    let sum = |figure: usize| results.iter().map(|result| result.figures[figure]).sum::<u64>();
    assert!((banked.mean * row.games as f64 - sum(0) as f64).abs() < 0.001, "{banked:?}");
    assert_eq!(results.iter().map(|result| result.figures[0]).max(), Some(banked.max));
    assert_eq!(*rolls, FigureSummary::Total(u128::from(sum(1))));
}

/// Replaying the line gives the same game.
fn check_replay(rules: PigRules, record: &GameRecord<Pig>, line: &str) {
    let replay = read_game_line::<Pig>(line, rules, &Chance::new(SEED)).expect("a line of the log");
    assert_eq!((replay.game, &replay.moves), (record.fixture.game, &record.moves));
    assert!(!record.void && record.results.iter().filter(|result| result.won).count() == 1);
}

#[test]
fn pig_is_played_as_a_challenge() {
    for rules in Pig::RULES {
        let run = check_run(*rules, FormatName::Challenge, 0, 300);
        assert_eq!(run.document.standings.iter().map(|row| row.wins).sum::<u64>(), 300);
        assert_eq!(run.document.champion.as_deref(), Some("Twenty"));
    }
}

#[test]
fn pig_is_played_as_a_duel() {
    for rules in Pig::RULES {
        let run = check_run(*rules, FormatName::Duel, 3, 900);
        assert!(
            run.document.pairings.iter().all(|group| (group.games, group.blocks) == (300, 150))
        );
        assert!(run.document.standings.iter().all(|row| row.games == 600));
    }
}

#[test]
fn documents_have_the_games_own_figures() {
    let document = json(&play(&hill(PigRules::Hundred, FormatName::Duel), 2).document);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    for row in document["standings"].as_array().unwrap() {
        assert!(row["banked"]["mean"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["rolls"].as_u64().unwrap() > 0, "{row}");
        assert!(row.get("score").is_none() && row.get("votes").is_none(), "{row}");
    }
}

#[test]
fn pig_obeys_the_laws_of_games() {
    for rules in Pig::RULES {
        check_laws::<Pig>(*rules, 5000);
    }
}

impl Subject for Pig {
    fn universe(&self) -> Vec<Action> {
        vec![Action::Roll, Action::Hold]
    }

    fn propose(&self, draw: &mut Draw) -> Action {
        if draw.one_in(4) { Action::Hold } else { Action::Roll }
    }

    fn check_state(&self, seats: usize) {
        let winners = Seat::all(seats).filter(|seat| self.result(*seat).won).count();
        assert_eq!(winners, usize::from(self.has_ended()), "{self:?}");
    }

    /// An action changes only the results of the seat that acted.
    fn check_step(before: &Self, after: &Self, action: Option<&Action>) {
        assert!(action.is_some(), "a forfeit makes the game void");
        let acted = before.to_act().expect("a seat acted");
        for seat in Seat::all(before.seats()).filter(|seat| *seat != acted) {
            assert_eq!(before.result(seat), after.result(seat), "{before:?} {after:?}");
        }
    }
}
