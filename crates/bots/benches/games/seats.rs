//! The cost of games among copies of `seer`, by number of seats. Each has five dice, so that the dice grow with the seats.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{BotName, Entrant, Event, FormatName, Hill, HillDraft, Jobs, RunOptions, run};
use dicehill_bots::liars_dice_bots;

/// Plays one block, with every copy at each seat once, and returns the number of decisions.
///
/// # Panics
/// If a game has no winner.
pub(crate) fn play(seats: usize) -> u64 {
    let copy = |number: usize| {
        let house = liars_dice_bots().into_iter().find(|bot| bot.name() == "seer");
        let name = BotName::new(&number.to_string()).expect("a printable name");
        Entrant::new(name, Arc::new(house.expect("a house bot")))
    };
    let games = seats as i64;
    let draft = HillDraft::challenge((0..seats).map(copy).collect(), "seats");
    let format = FormatName::Duel;
    let draft = HillDraft { format, seats: Some(games), games, ..draft };
    let hill = Hill::new(draft).expect("a hill that can be played");
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let mut decisions = 0;
    let end = run(&hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            assert!(played.record.results.iter().any(|seat| seat.won), "the game has a winner");
            decisions += played.record.moves.len() as u64;
        }
        Ok(())
    });
    end.expect("nothing is stored");
    decisions
}
