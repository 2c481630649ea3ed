//! The cost of isolation, compared with bots without isolation in the same run.
//!
//! One thread plays, so that the bot and its arena work at the same time on two cores, and wait for each other now and then.
//! The processor time of both is the same with isolation and without; what differs is how long they wait.

use std::error::Error;
use std::time::Instant;

use dicehill_arena::{Hill, HillDraft, Memory};
use dicehill_bots::{HouseBot, yahtzee_bots};
use dicehill_link::Isolation;
use dicehill_rules::yahtzee::Yahtzee;

use super::link::{external_with, play, steady};
use crate::figures::{Bound, Figure};

/// Processes that are started each way.
const STARTS: usize = 200;
/// Milliseconds by which a start may take longer.
const MAX_START_MS: f64 = 5.0;
/// The ratio by which a message may take longer: the noise of this measurement.
const MAX_RATIO: f64 = 1.03;

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let pair_of_hills = |memory, games| -> Result<[Hill<Yahtzee>; 2], Box<dyn Error>> {
        Ok([hill(memory, games, Isolation::Off)?, hill(memory, games, Isolation::On)?])
    };
    let starts = pair_of_hills(Memory::Game, 1)?;
    let mut delays = Vec::new();
    for repeat in 0..STARTS {
        let [off, on] = seconds_of(&starts, repeat)?;
        delays.push(1000.0 * (on - off));
    }
    let mut figures = vec![Figure::of_repeats(
        "a start until the end of the first game, sandboxed, longer by ms".to_owned(),
        &mut delays,
        MAX_START_MS,
        Bound::AtMost,
    )];
    // Without isolation the second takes ten times as long, so that it is repeated less often.
    for (name, memory, games, repeats) in
        [("64 in flight", Memory::Game, 30_000, 41), ("one in flight", Memory::Set, 10_000, 11)]
    {
        let runs = pair_of_hills(memory, games)?;
        let mut ratios = Vec::new();
        for repeat in 0..repeats {
            let [off, on] = seconds_of(&runs, repeat)?;
            ratios.push(on / off);
        }
        let name = format!("{games} games, {name}, sandboxed, times without");
        figures.push(Figure::of_repeats(name, &mut ratios, MAX_RATIO, Bound::AtMost));
    }
    Ok(figures)
}

/// The seconds of both hills. Each begins every other time, so that the machine's moods meet both.
fn seconds_of(hills: &[Hill<Yahtzee>; 2], repeat: usize) -> Result<[f64; 2], Box<dyn Error>> {
    let mut seconds = [0.0; 2];
    let order = if repeat.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    for index in order {
        let start = Instant::now();
        play(&hills[index], "bot")?;
        seconds[index] = start.elapsed().as_secs_f64();
    }
    Ok(seconds)
}

fn hill(memory: Memory, games: i64, isolation: Isolation) -> Result<Hill<Yahtzee>, Box<dyn Error>> {
    let opponent = yahtzee_bots().into_iter().find(|bot| bot.name() == "dummy");
    let opponent = opponent.map(HouseBot::entrant).ok_or("a house bot")?;
    let bot = external_with::<Yahtzee>("bot", &steady()?, memory, isolation)?;
    let draft = HillDraft::challenge(vec![bot, opponent], "prove");
    Ok(Hill::new(HillDraft { games, memory, ..draft })?)
}
