//! Failures of the arena itself end a run or a qualification with an error and are not charged to a bot.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Event, Failure, Hill, HillDraft, Jobs, Memory, Program, QualificationPlan, RareGame,
    RunOptions, run,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Answer, best_box, draft, fill_first, hill, raise_to, raiser, scripted};

const WHY: &str = "mount namespace: no space left on device";
/// The first game in which the bot cannot be started.
const FIRST_FAILURE: u64 = 7;

fn not_started<G: dicehill_rules::Game>() -> Answer<G> {
    Err(Failure::arena_error(WHY))
}

/// Expects an error that names the bot, no bar, and only the games before the first failure.
#[track_caller]
fn check<G: dicehill_rules::Game>(hill: &Hill<G>, jobs: usize) {
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(jobs), max_play_offs: 100, stop: &stop, deadline: None };
    let mut played = 0;
    let end = run(hill, options, &mut |event| {
        match event {
            Event::Played(game, _) => {
                assert!(game.record.offences.is_empty(), "{}", game.line);
                played = game.record.fixture.game;
            }
            Event::Barred(bar) => panic!("{} is barred: {}", bar.bot, bar.detail),
            Event::Ended(_) => panic!("the run has a result"),
            Event::Started(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Recalled(..)
            | Event::Diverged { .. } => {}
        }
        io::Result::Ok(())
    });
    assert_eq!(end.err().expect("an error").to_string(), format!("Victim: {WHY}"));
    assert_eq!(played, FIRST_FAILURE - 1);
}

#[test]
fn an_arena_error_ends_the_run_and_bars_no_bot() {
    let victim = || {
        scripted::<Yahtzee>(|turn, view| {
            if turn.start.game >= FIRST_FAILURE {
                not_started::<Yahtzee>()
            } else {
                fill_first(view)
            }
        })
    };
    let liar = || {
        scripted::<LiarsDice>(|turn, view| {
            if turn.start.game >= FIRST_FAILURE {
                not_started::<LiarsDice>()
            } else {
                raise_to(40, view)
            }
        })
    };
    for memory in [Memory::Game, Memory::Set] {
        for jobs in [1, 3] {
            let bots = vec![("Victim", victim()), ("Other", best_box())];
            check(&hill(HillDraft { memory, ..draft(&bots) }), jobs);
            let bots = vec![("Victim", liar()), ("A", raiser(30)), ("B", raiser(60))];
            check(&hill(HillDraft { memory, ..draft(&bots) }), jobs);
        }
    }
}

/// Qualifies a bot that cannot be started where `fails` says so, by bot instance and game.
fn qualify(
    fails: fn(instance: u64, game: u64) -> bool,
) -> io::Result<dicehill_arena::QualificationReport> {
    let program: Arc<dyn Program<Yahtzee>> = scripted::<Yahtzee>(move |turn, view| {
        if fails(turn.instance, turn.start.game) {
            not_started::<Yahtzee>()
        } else {
            fill_first(view)
        }
    });
    let positions = Yahtzee::rare_positions(Default::default());
    let opponents = [best_box()];
    let bots = vec![("Mine", program), ("other", best_box())];
    let hill = hill(draft(&bots));
    let plan = QualificationPlan {
        hill: &hill,
        entrant: hill.ids().next().expect("the bot is the first"),
        stand_ins: &opponents,
        games: 5,
        positions: &positions,
        time: None,
        patience: 5,
        progress: &|_| true,
    };
    dicehill_arena::qualify(&plan)
}

#[test]
fn an_arena_error_ends_the_qualification() {
    let error = |fails| qualify(fails).expect_err("an error").to_string();
    assert_eq!(error(|_, _| true), WHY);
    assert_eq!(error(|_, game| game == 3), WHY);
    // Instances 1 to 5 play the games, 6 the positions, and the others the games again.
    assert_eq!(error(|instance, _| instance == 6), WHY);
    assert_eq!(error(|instance, _| instance == 8), WHY);
    assert!(qualify(|_, _| false).expect("no error").findings.is_empty());
}
