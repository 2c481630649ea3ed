//! The findings of a qualification.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dicehill_arena::{
    Bot, Cause, Extent, Failure, Finding, FormatName, HillDraft, Memory, Program,
    QualificationPlan, QualificationReport, RareGame, RarePosition, Reason, Start, TestCase,
    TournamentGame,
};
use dicehill_rules::liars_dice::{self, Bid, LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::{Action, Category, View, Yahtzee};
use dicehill_rules::{Face, Game};

use crate::support::{
    Bots, best_box, challenge, draft, failure, fill_best, fill_first, first_box, hill, play,
    raise_to, raiser, scripted,
};

const GAMES: u64 = 40;

/// The bot with as many opponents as there are programs.
fn field<G: Game>(program: &Arc<dyn Program<G>>, opponents: &[Arc<dyn Program<G>>]) -> Bots<G> {
    let names = ["Mine", "ada", "bob", "cyd", "dan", "eve", "fay"];
    let programs = [program].into_iter().chain(opponents).cloned();
    names.into_iter().zip(programs).collect()
}

/// Qualifies without rare positions.
fn check<G: TournamentGame + RareGame>(
    program: &Arc<dyn Program<G>>,
    opponents: &[Arc<dyn Program<G>>],
    games: u64,
) -> QualificationReport {
    check_with(program, opponents, games, &[])
}

fn check_with<G: TournamentGame + RareGame>(
    program: &Arc<dyn Program<G>>,
    opponents: &[Arc<dyn Program<G>>],
    games: u64,
    positions: &[RarePosition<G>],
) -> QualificationReport {
    let hill = challenge(&field(program, opponents), 1);
    dicehill_arena::qualify(&QualificationPlan {
        hill: &hill,
        entrant: hill.ids().next().expect("the bot is the first"),
        stand_ins: opponents,
        games,
        positions,
        time: None,
        patience: 5,
        progress: &|_| true,
    })
    .expect("the bot can be started")
}

fn check_yahtzee(program: &Arc<dyn Program<Yahtzee>>) -> QualificationReport {
    check(program, &[first_box(), best_box()], GAMES)
}

fn check_liar(program: &Arc<dyn Program<LiarsDice>>) -> QualificationReport {
    let opponents = [20, 60, 35, 70].map(raiser);
    check(program, &opponents, GAMES)
}

fn unrepeatable(check: &QualificationReport) -> Vec<(u64, usize)> {
    let place = |finding: &Finding| match finding {
        Finding::Unrepeatable { game, answer, request, first, second, cause } => {
            assert_ne!(first, second);
            assert!(!request.is_empty());
            assert_eq!(*cause, Cause::NotDeterministic);
            (*game, *answer)
        }
        Finding::Failed { failure, .. } => panic!("it played legally: {failure}"),
    };
    check.findings.iter().map(place).collect()
}

#[test]
fn good_bots_have_no_findings() {
    for program in [first_box(), best_box()] {
        let found = check_yahtzee(&program);
        assert_eq!((found.games, found.answers), (GAMES, 13 * GAMES));
        assert_eq!((found.findings, found.extent), (Vec::new(), Extent::Whole));
    }
    let by_seed = scripted::<Yahtzee>(|turn, view| match turn.start.seed % 2 {
        0 => fill_best(view),
        _ => fill_first(view),
    });
    assert_eq!(check_yahtzee(&by_seed).findings, []);
    let found = check_liar(&raiser(40));
    assert_eq!((found.games, found.findings), (GAMES, Vec::new()));
    assert!(found.answers > 2 * GAMES);
}

#[test]
fn an_illegal_action_is_reported_with_game_and_answer() {
    let program = scripted::<Yahtzee>(|turn, view| {
        let guilty = turn.start.game == 7 && turn.answer == 3;
        if guilty { Ok(Action::Fill(Category::Twos)) } else { fill_first(view) }
    });
    let found = check_yahtzee(&program);
    let [Finding::Failed { test_case: TestCase::Game(7), answer, request, failure }] =
        found.findings.as_slice()
    else {
        panic!("{:?}", found.findings)
    };
    // Two rounds of all seats come before the bot's third answer.
    assert!((5..=9).contains(answer), "answer {answer}");
    assert!(request.contains("\"round\":3,\"stage\":0,\"dice\":["), "{request}");
    assert_eq!(failure.to_string(), "illegal-move: TWOS: this category is already used");
    // The fault ends the game.
    assert_eq!(found.answers, 13 * (GAMES - 1) + 3);
}

#[test]
fn every_kind_of_failure_is_reported() {
    for reason in Reason::all() {
        let program = scripted::<LiarsDice>(move |turn, view| match turn.start.game % 10 {
            0 => failure(reason),
            _ => raise_to(40, view),
        });
        let failed = |finding: &Finding| match finding {
            Finding::Failed { test_case: TestCase::Game(game), failure, .. }
                if failure.reason == reason =>
            {
                *game
            }
            other @ (Finding::Failed { .. } | Finding::Unrepeatable { .. }) => {
                panic!("{other:?}")
            }
        };
        let games: Vec<_> = check_liar(&program).findings.iter().map(failed).collect();
        assert_eq!(games, [10, 20, 30, 40]);
    }
}

#[test]
fn a_bot_that_counts_across_games_is_unrepeatable() {
    let counter = AtomicU64::new(0);
    let program =
        scripted::<Yahtzee>(move |_, view| match counter.fetch_add(1, Ordering::Relaxed) % 5 {
            0 => fill_best(view),
            _ => fill_first(view),
        });
    let found = unrepeatable(&check_yahtzee(&program));
    assert!(found.len() > 10, "{found:?}");
    // At most one finding per game: answers after the first difference are not compared.
    let games: BTreeSet<_> = found.iter().map(|(game, _)| *game).collect();
    assert_eq!(games.len(), found.len());
}

#[test]
fn one_game_is_enough_to_find_a_bot_that_counts() {
    let counter = AtomicU64::new(0);
    let program =
        scripted::<Yahtzee>(move |_, view| match counter.fetch_add(1, Ordering::Relaxed) {
            0..13 => fill_best(view),
            _ => fill_first(view),
        });
    let found = check(&program, &[first_box()], 1);
    assert_eq!(unrepeatable(&found).len(), 1);
}

#[test]
fn a_bot_that_remembers_other_games_is_found() {
    // Legal and consistent within a game, but its style depends on whether the previous game had a higher number.
    let last = Mutex::new((0, 0));
    let program = scripted::<LiarsDice>(move |turn, view| {
        let mut last = last.lock().expect("no test panics while it holds the lock");
        if turn.answer == 1 {
            *last = (last.1, turn.start.game);
        }
        raise_to(if last.0 > last.1 { 20 } else { 60 }, view)
    });
    assert!(unrepeatable(&check_liar(&program)).len() > 5);
}

#[test]
fn a_bot_that_remembers_only_having_played_is_found() {
    let seen = Mutex::new(BTreeSet::new());
    let program = scripted::<Yahtzee>(move |turn, view| {
        let mut seen = seen.lock().expect("no test panics while it holds the lock");
        let is_repeated = turn.answer == 1 && !seen.insert(turn.start.game);
        if is_repeated { fill_first(view) } else { fill_best(view) }
    });
    let found = unrepeatable(&check_yahtzee(&program));
    assert!(found.len() > 10, "{found:?}");
}

#[test]
fn the_bot_plays_at_every_seat_of_every_table_size() {
    let places = Arc::new(Mutex::new(BTreeSet::new()));
    let watcher = {
        let places = Arc::clone(&places);
        scripted::<LiarsDice>(move |turn, view: &liars_dice::View<'_>| {
            if turn.answer == 1 && view.counts.len() == turn.start.players {
                let mut places = places.lock().expect("no test panics while it writes");
                places.insert((turn.start.players, view.you));
            }
            raise_to(40, view)
        })
    };
    // They call so late that every seat answers before the first call.
    let opponents = [60; 5].map(raiser);
    assert_eq!(check(&watcher, &opponents, 200).findings, []);
    let every: BTreeSet<_> = (3..=5).flat_map(|n| (0..n).map(move |seat| (n, seat))).collect();
    assert_eq!(*places.lock().unwrap(), every);
}

#[test]
fn a_qualification_stops_where_more_would_tell_nothing() {
    let breaks = |reason| scripted::<Yahtzee>(move |_, _| failure(reason));
    for reason in Reason::all() {
        let found = check_yahtzee(&breaks(reason));
        let (games, extent) = match reason {
            Reason::IllegalMove | Reason::MalformedAnswer => (10, Extent::Futile),
            // Each wait is as long as the clocks allow.
            Reason::StartTimeout | Reason::MoveTimeout | Reason::GameTimeout => {
                (1, Extent::Stopped { failures: 1 })
            }
            Reason::Crash | Reason::Flood | Reason::Memory | Reason::Absent => {
                (2, Extent::Stopped { failures: 2 })
            }
            Reason::ArenaError => unreachable!("it is no fault of a bot"),
        };
        assert_eq!((found.games, found.extent), (games, extent), "{reason}");
        assert_eq!(found.findings.len() as u64, games, "{reason}");
    }
}

#[test]
fn a_bot_that_has_answered_may_fail_more_often() {
    let fails_later = scripted::<Yahtzee>(|turn, view| match turn.answer {
        1 => fill_first(view),
        _ => failure(Reason::Crash),
    });
    let found = check_yahtzee(&fails_later);
    assert_eq!((found.games, found.extent), (6, Extent::Stopped { failures: 6 }));
}

#[test]
fn a_bot_that_fails_in_twenty_games_is_asked_no_more() {
    let cheats_later = scripted::<Yahtzee>(|turn, view| match turn.answer {
        1 => fill_first(view),
        _ => failure(Reason::IllegalMove),
    });
    let found = check_yahtzee(&cheats_later);
    assert_eq!((found.games, found.extent), (20, Extent::Stopped { failures: 20 }));
    assert_eq!(found.positions, 0);
}

#[test]
fn faults_in_rare_positions_are_found() {
    // Ignores the joker rule: it fills the first free box, legal or not.
    let program = scripted::<Yahtzee>(|_, view| {
        let free = view.card.free().iter().next().expect("a box is free");
        Ok(Action::Fill(free))
    });
    let positions = Yahtzee::rare_positions(Default::default());
    let found = check_with(&program, &[first_box()], 1, &positions);
    assert_eq!(found.positions, positions.len() as u64);
    let joker = |finding: &Finding| match finding {
        Finding::Failed { test_case: TestCase::Position(_), failure, .. } => {
            failure.detail.contains("breaks the joker rule")
        }
        Finding::Failed { .. } | Finding::Unrepeatable { .. } => false,
    };
    assert!(found.findings.len() > 10 && found.findings.iter().all(joker), "{found:?}");
}

#[test]
fn every_answer_is_timed_and_every_step_reported() {
    let steps = Mutex::new(Vec::new());
    let program = best_box();
    let positions = Yahtzee::rare_positions(Default::default());
    let opponents = [first_box()];
    let hill = challenge(&field(&program, &opponents), 1);
    let plan = QualificationPlan {
        hill: &hill,
        entrant: hill.ids().next().expect("the bot is the first"),
        stand_ins: &opponents,
        games: 3,
        positions: &positions,
        time: None,
        patience: 5,
        progress: &|done| {
            steps.lock().expect("no test panics while it writes").push(done);
            true
        },
    };
    let found = dicehill_arena::qualify(&plan).expect("the bot can be started");
    assert!(found.times.percentile(50) <= found.times.percentile(99));
    assert!(found.times.percentile(99) <= found.times.longest());
    assert!(found.times.total() >= found.times.longest());
    assert_eq!(*steps.lock().unwrap(), (1..=plan.steps()).collect::<Vec<_>>());
}

#[test]
fn a_slow_bot_plays_two_games_again_and_the_rest_counts_as_done() {
    let steps = Mutex::new(Vec::new());
    let program = best_box();
    let positions = Yahtzee::rare_positions(Default::default());
    let opponents = [first_box()];
    let hill = challenge(&field(&program, &opponents), 1);
    let progress = |done| {
        steps.lock().expect("no test panics while it writes").push(done);
        true
    };
    let plan = |time| QualificationPlan {
        hill: &hill,
        entrant: hill.ids().next().expect("the bot is the first"),
        stand_ins: &opponents,
        games: 5,
        positions: &positions,
        time,
        patience: 5,
        progress: &progress,
    };
    let shortened = plan(Some(Duration::ZERO));
    let report = dicehill_arena::qualify(&shortened).expect("the bot can be started");
    assert_eq!((report.games, report.positions, report.extent), (2, 0, Extent::Shortened));
    assert!(report.findings.is_empty(), "{report:?}");
    let all = shortened.steps();
    assert_eq!(all, 10 + positions.len() as u64);
    assert_eq!(*steps.lock().unwrap(), [1, 2, all - 1, all]);
    let whole = dicehill_arena::qualify(&plan(Some(Duration::from_secs(3600))));
    let whole = whole.expect("the bot can be started");
    assert_eq!(whole.extent, Extent::Whole);
    assert_eq!((whole.games, whole.positions), (5, positions.len() as u64));
}

/// What a bot is shown at the start of a game and with its first request, without what differs from game to game.
type Sight = (usize, Vec<String>);

/// A bot that keeps what it is shown.
fn watcher(seen: &Arc<Mutex<BTreeSet<Sight>>>) -> Arc<dyn Program<LiarsDice>> {
    let seen = Arc::clone(seen);
    scripted::<LiarsDice>(move |turn, view: &liars_dice::View<'_>| {
        // Later views have fewer players where one is out.
        if view.players() == turn.start.players {
            let name = |seat| view.name(seat).expect("names are public").to_owned();
            let names = (0..view.players()).map(name).collect();
            seen.lock().expect("no test panics").insert((turn.start.players, names));
        }
        raise_to(40, view)
    })
}

#[test]
fn tables_and_names_do_not_tell_a_qualification_from_the_run() {
    let formats = [
        HillDraft::challenge,
        |entrants, seed: &str| HillDraft {
            format: FormatName::Duel,
            seats: Some(3),
            ..HillDraft::challenge(entrants, seed)
        },
        |entrants, seed: &str| HillDraft {
            format: FormatName::Gauntlet,
            challenger: Some("bob".to_owned()),
            ..HillDraft::challenge(entrants, seed)
        },
    ];
    for format in formats {
        let sights_of = |is_qualification: bool| {
            let seen = Arc::default();
            let program = watcher(&seen);
            let opponents = [20, 60, 35].map(raiser);
            let bots = field(&program, &opponents);
            let entrants = draft(&bots).entrants;
            let hill = hill(HillDraft { games: 600, ..format(entrants, "a seed") });
            if is_qualification {
                let found = dicehill_arena::qualify(&QualificationPlan {
                    hill: &hill,
                    entrant: hill.ids().next().expect("the bot is the first"),
                    stand_ins: &opponents,
                    games: 600,
                    positions: &[],
                    time: None,
                    patience: 0,
                    progress: &|_| true,
                });
                assert_eq!(found.expect("the bot can be started").findings, []);
            } else {
                play(&hill, 1);
            }
            std::mem::take(&mut *seen.lock().expect("no test panics"))
        };
        let qualification = sights_of(true);
        assert!(!qualification.is_empty());
        assert_eq!(qualification, sights_of(false));
    }
}

#[test]
fn a_bot_that_may_remember_may_answer_differently() {
    let counter = AtomicU64::new(0);
    let program =
        scripted::<Yahtzee>(move |_, view| match counter.fetch_add(1, Ordering::Relaxed) % 5 {
            0 => fill_best(view),
            _ => fill_first(view),
        });
    let opponents = [first_box()];
    let hill = hill(HillDraft { memory: Memory::Set, ..draft(&field(&program, &opponents)) });
    let found = dicehill_arena::qualify(&QualificationPlan {
        hill: &hill,
        entrant: hill.ids().next().expect("the bot is the first"),
        stand_ins: &opponents,
        games: GAMES,
        positions: &[],
        time: None,
        patience: 0,
        progress: &|_| true,
    });
    assert_eq!(found.expect("the bot can be started").findings, []);
}

/// Plays legally, but for an answer to a bid of a million dice.
fn trusting_caller() -> Arc<dyn Program<LiarsDice>> {
    scripted::<LiarsDice>(|_, view| match view.bids.last() {
        None => Ok(liars_dice::Action::Bid(Bid::LOWEST)),
        Some(last) if last.count() == Bid::MAX_COUNT => failure(Reason::Crash),
        Some(_) => Ok(liars_dice::Action::Call),
    })
}

#[test]
fn failures_at_bids_above_the_dice_on_the_table_do_not_disqualify() {
    let positions = LiarsDice::rare_positions(LiarsDiceRules::default());
    let opponents = [20, 60].map(raiser);
    let found = check_with(&trusting_caller(), &opponents, 2, &positions);
    assert_eq!((&found.findings, found.extent), (&Vec::new(), Extent::Whole));
    assert_eq!(found.positions, positions.len() as u64);
    assert_eq!(found.notes.len(), 9, "{:?}", found.notes);
    assert!(found.notes.iter().all(|note| note.kind() == "crash"), "{:?}", found.notes);
    let Finding::Failed { request, .. } = &found.notes[0] else { panic!("{:?}", found.notes) };
    let request: serde_json::Value = serde_json::from_str(request).expect("a message");
    assert_eq!((&request["type"], &request["bids"][0]), (&"turn".into(), &"1000000 6".into()));
}

/// In games too, opponents may bid above all dice.
#[test]
fn failures_at_such_bids_of_opponents_do_not_disqualify() {
    let overbidder = scripted::<LiarsDice>(|_, view| match view.bids.last() {
        None => {
            let most = Bid::new(Bid::MAX_COUNT, Face::ONE).expect("the highest count");
            Ok(liars_dice::Action::Bid(most))
        }
        Some(_) => Ok(liars_dice::Action::Call),
    });
    let opponents = [(); 2].map(|()| overbidder.clone());
    let found = check_with(&trusting_caller(), &opponents, 20, &[]);
    assert_eq!((&found.findings, found.extent), (&Vec::new(), Extent::Whole));
    assert!(!found.notes.is_empty());
}

/// How the processes of a program outside this one differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Difference {
    None,
    /// A process plays its first game differently.
    Remembers,
    /// Each process plays differently.
    NotDeterministic,
    /// A process spoils its second game.
    SpoilsNext,
}

/// A program outside this process that counts the processes that play.
struct External {
    difference: Difference,
    processes: Arc<AtomicU64>,
}

struct Process {
    difference: Difference,
    processes: Arc<AtomicU64>,
    /// From 1.
    number: u64,
    games: u64,
    /// In this game.
    answers: u64,
}

impl Program<Yahtzee> for External {
    fn identity(&self) -> String {
        "test:external".to_owned()
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        let (difference, processes) = (self.difference, Arc::clone(&self.processes));
        Box::new(Process { difference, processes, number: 0, games: 0, answers: 0 })
    }
}

impl Bot<Yahtzee> for Process {
    /// A process is started with its first game.
    fn start(&mut self, _start: &Start) {
        self.games += 1;
        self.answers = 0;
        if self.games == 1 {
            self.number = self.processes.fetch_add(1, Ordering::Relaxed) + 1;
        }
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        self.answers += 1;
        if self.difference == Difference::SpoilsNext && self.games == 2 {
            return failure(Reason::MalformedAnswer);
        }
        let fills_best = match self.difference {
            Difference::None | Difference::SpoilsNext => false,
            Difference::Remembers => self.games == 1,
            Difference::NotDeterministic => self.answers.is_multiple_of(self.number),
        };
        if fills_best { fill_best(view) } else { fill_first(view) }
    }
}

#[test]
fn two_processes_are_enough_to_find_faults() {
    let check = |difference| {
        let processes = Arc::new(AtomicU64::new(0));
        let program: Arc<dyn Program<Yahtzee>> =
            Arc::new(External { difference, processes: Arc::clone(&processes) });
        let opponents = [first_box()];
        let hill = challenge(&field(&program, &opponents), 1);
        let report = dicehill_arena::qualify(&QualificationPlan {
            hill: &hill,
            entrant: hill.ids().next().expect("the bot is the first"),
            stand_ins: &opponents,
            games: 4,
            positions: &Yahtzee::rare_positions(hill.rules()),
            time: None,
            patience: 0,
            progress: &|_| true,
        });
        let expected = match difference {
            Difference::None | Difference::Remembers | Difference::SpoilsNext => Cause::Remembers,
            Difference::NotDeterministic => Cause::NotDeterministic,
        };
        let found = |finding: &Finding| match finding {
            Finding::Unrepeatable { game, cause, .. } if *cause == expected => *game,
            other @ (Finding::Unrepeatable { .. } | Finding::Failed { .. }) => panic!("{other:?}"),
        };
        let findings = report.expect("the bot can be started").findings;
        let games: Vec<_> = findings.iter().map(found).collect();
        (games, processes.load(Ordering::Relaxed))
    };
    assert_eq!(check(Difference::None), (vec![], 2));
    // Both of the first games differ, and no further one is played.
    assert_eq!(check(Difference::Remembers), (vec![1, 2], 4));
    assert_eq!(check(Difference::NotDeterministic), (vec![1, 2], 3));
    // The second process plays the games 2, 1, 4 and 3.
    assert_eq!(check(Difference::SpoilsNext).0, [1]);
}

#[test]
fn a_bot_that_fails_in_each_game_is_not_asked_in_every_position() {
    let plays_one_box = scripted::<Yahtzee>(|_, view| match view.card.free().iter().count() {
        13 => fill_first(view),
        _ => failure(Reason::IllegalMove),
    });
    let positions = Yahtzee::rare_positions(Default::default());
    let found = check_with(&plays_one_box, &[first_box(), best_box()], 3, &positions);
    assert_eq!((found.games, found.extent), (3, Extent::Stopped { failures: 20 }));
    let all = positions.len() as u64;
    assert!((17..all).contains(&found.positions), "{} of {all}", found.positions);
}
