//! A run from games that were played in ranges, in any division, is the run on one machine.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bar, Event, FormatName, GameRange, GameSource, Hill, HillDraft, IdleProcesses, IndivisibleRun,
    Jobs, Memory, Offence, PlannedGames, Program, RangeEnd, Reason, ResumeState, RunEnd,
    RunOptions, Schedule, Shard, TournamentGame, play_range, run_from,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::{Action, Category, Yahtzee};
use dicehill_rules::{Chance, Game};

use crate::support::{
    Bots, best_box, draft, failure, fill_first, first_box, hill, play, raise_to, raiser, scripted,
};

/// Games of ranges, by their numbers: their lines and what the run has to judge.
#[derive(Default)]
struct PlayedElsewhere(BTreeMap<u64, (String, Vec<Offence>)>);

impl GameSource for PlayedElsewhere {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(&game).map(|(line, _)| line.clone()))
    }

    fn unjudged_offences(&self, game: u64) -> io::Result<Option<Vec<Offence>>> {
        Ok(self.0.get(&game).map(|(_, offences)| offences.clone()))
    }
}

const fn options(jobs: usize, stop: &AtomicBool) -> RunOptions<'_> {
    RunOptions { jobs: Jobs::Exactly(jobs), max_play_offs: 100, stop, deadline: None }
}

/// Plays these games.
fn played<G: Game>(
    hill: &Hill<G>,
    games: GameRange,
    jobs: usize,
    all: &mut PlayedElsewhere,
) -> RangeEnd {
    let planned = PlannedGames { bars: &[], games };
    let mut next = games.first();
    let stop = AtomicBool::new(false);
    let options = options(jobs, &stop);
    let end = play_range(hill, planned, &IdleProcesses::default(), options, &mut |event| {
        let Event::Played(played, _) = event else { return Ok(()) };
        let (game, offences) = (played.record.fixture.game, played.record.offences.clone());
        assert_eq!(game, next, "games are in order");
        next += 1;
        all.0.insert(game, (played.line.clone(), offences));
        Ok(())
    });
    end.expect("nothing is stored")
}

/// The lines that count, the bars, and the result of a run that takes what it can from `games`.
fn put_together<G: Game>(
    hill: &Hill<G>,
    games: &PlayedElsewhere,
) -> (Vec<String>, Vec<Bar>, String) {
    let (mut lines, mut bars) = (Vec::new(), Vec::new());
    let state =
        ResumeState { bars: Vec::new(), games, is_resumed: false, recorded: 0, records: None };
    let stop = AtomicBool::new(false);
    let end = run_from(hill, state, options(2, &stop), &mut |event| {
        match event {
            Event::Played(played, _) => lines.push(played.line.clone()),
            Event::Recalled(recalled, _) => lines.push(recalled.line.clone()),
            Event::Barred(bar) => {
                bars.push(bar.clone());
                lines.clear();
            }
            Event::Started(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Diverged { .. }
            | Event::Ended(_) => {}
        }
        Ok(())
    });
    let RunEnd::Done(document) = end.expect("all lines can be read") else {
        panic!("the run was stopped")
    };
    (lines, bars, crate::support::json(&document))
}

/// Expects the run on one machine from every division into ranges; returns its bars.
#[track_caller]
fn check<G: TournamentGame>(draft: HillDraft<G>) -> Vec<Bar> {
    let hill = hill(draft);
    let whole = play(&hill, 1);
    let document = crate::support::json(&whole.document);
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(&hill, &chance, hill.ids().collect());
    for (of, jobs) in [(1, 1), (2, 3), (7, 1), (64, 2)] {
        let mut games = PlayedElsewhere::default();
        for index in (1..=of).rev() {
            let shard: Shard = format!("{index}/{of}").parse().expect("a shard");
            played(&hill, schedule.shard(shard), jobs, &mut games);
        }
        let (lines, bars, result) = put_together(&hill, &games);
        assert_eq!(lines, whole.lines, "{of} ranges");
        assert_eq!(bars, whole.bars, "{of} ranges");
        assert_eq!(result, document, "{of} ranges");
    }
    whole.bars
}

#[test]
fn any_division_gives_the_run_on_one_machine() {
    let yahtzee: Bots<Yahtzee> = vec![("A", best_box()), ("B", first_box()), ("C", best_box())];
    let liars_dice: Bots<LiarsDice> =
        vec![("A", raiser(10)), ("B", raiser(30)), ("C", raiser(50)), ("D", raiser(70))];
    for format in [FormatName::Challenge, FormatName::Duel, FormatName::Gauntlet] {
        assert!(check(HillDraft { format, games: 31, ..draft(&yahtzee) }).is_empty());
        assert!(check(HillDraft { format, games: 31, ..draft(&liars_dice) }).is_empty());
    }
}

/// Fills the aces twice in a game of this number.
fn offends_in(game: u64) -> Arc<dyn Program<Yahtzee>> {
    scripted::<Yahtzee>(move |turn, view| {
        if turn.answer == 2 && turn.start.game == game {
            Ok(Action::Fill(Category::Aces))
        } else {
            fill_first(view)
        }
    })
}

#[test]
fn a_bar_in_any_range_is_that_of_the_run() {
    let bots: Bots<Yahtzee> = vec![
        ("A", best_box()),
        ("Late", offends_in(29)),
        ("B", first_box()),
        ("Early", offends_in(11)),
    ];
    for format in [FormatName::Challenge, FormatName::Duel] {
        let bars = check(HillDraft { format, games: 40, ..draft(&bots) });
        assert!(!bars.is_empty(), "{format:?}");
    }
    // A range ends with the game at which an entrant is barred at the latest.
    let hill = hill(HillDraft { games: 40, ..draft(&bots) });
    let mut games = PlayedElsewhere::default();
    let range = GameRange::new(20, 40).expect("a range");
    let RangeEnd::Barred(bar) = played(&hill, range, 2, &mut games) else { panic!("no bar") };
    assert_eq!((bar.bot.as_str(), bar.game), ("Late", 29));
    assert_eq!(games.0.keys().copied().collect::<Vec<_>>(), (20..=29).collect::<Vec<_>>());
}

#[test]
fn failures_that_bar_only_together_are_counted_over_all_ranges() {
    let fails = scripted::<LiarsDice>(|turn, view| {
        if turn.answer == 1 && turn.start.game % 5 == 0 {
            return failure(Reason::Crash);
        }
        raise_to(30, view)
    });
    let bots: Bots<LiarsDice> =
        vec![("A", raiser(10)), ("B", raiser(30)), ("Fails", fails), ("C", raiser(50))];
    let bars = check(HillDraft { games: 150, ..draft(&bots) });
    assert_eq!(bars.iter().map(|bar| bar.bot.as_str()).collect::<Vec<_>>(), ["Fails"]);
}

#[test]
fn runs_whose_games_depend_on_each_other_cannot_be_divided() {
    let bots: Bots<Yahtzee> = vec![("A", best_box()), ("B", first_box())];
    let set = hill(HillDraft { memory: Memory::Set, ..draft(&bots) });
    assert_eq!(set.check_divisible(), Err(IndivisibleRun::Memory));
    let until = Some(0.9).map(|until| dicehill_arena::Confidence::new(until).expect("valid"));
    let until = hill(HillDraft { until, ..draft(&bots) });
    assert_eq!(until.check_divisible(), Err(IndivisibleRun::Until));
    assert_eq!(hill(draft(&bots)).check_divisible(), Ok(()));
}
