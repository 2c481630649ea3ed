//! Hills that the proofs play, and rows of their results.

use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Distribution, FigureSummary, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, ResultDocument, RunEnd,
    RunOptions, Standing, TournamentGame, run,
};
use dicehill_bots::HouseBot;
use dicehill_rules::Game;

use super::cpu::cores;

/// Plays a hill on all cores.
pub(super) fn play<G: TournamentGame>(draft: HillDraft<G>) -> ResultDocument {
    play_hill(&Hill::new(draft).expect("a hill that can be played"), cores())
}

pub(super) fn play_hill<G: Game>(hill: &Hill<G>, jobs: usize) -> ResultDocument {
    let options = RunOptions {
        jobs: Jobs::Exactly(jobs),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    match run(hill, options, &mut |_| Ok(())).expect("nothing is stored") {
        RunEnd::Done(result) => result,
        RunEnd::Stopped(_) => unreachable!("the run is never stopped"),
    }
}

/// The challenge between the named house bots.
pub(super) fn challenge<G: Game>(
    bots: impl IntoIterator<Item = HouseBot<G>>,
    names: &[&str],
    games: i64,
) -> HillDraft<G> {
    let named = bots.into_iter().filter(|bot| names.contains(&bot.name()));
    let entrants = named.map(HouseBot::entrant).collect();
    HillDraft { games, ..HillDraft::challenge(entrants, "prove") }
}

pub(super) fn row<'a>(result: &'a ResultDocument, bot: &str) -> &'a Standing {
    result.standings.iter().find(|row| row.bot == bot).expect("the bot plays in this run")
}

pub(super) fn distribution(row: &Standing) -> &Distribution {
    match &row.figures[0].1 {
        FigureSummary::Distribution(Some(distribution)) => distribution,
        FigureSummary::Distribution(None) | FigureSummary::Total(_) => {
            unreachable!("the first figure of Yahtzee is the score, and games were played")
        }
    }
}
