//! One game between bots that know of no other, and its line in the log.

use std::io;

use dicehill_rules::{Chance, Game, Public};

use crate::answer_sum::Timed;
use crate::recall::{Recall, recall};
use crate::tables::Outcome;
use crate::{
    AnswerSum, Bot, EntrantId, Failure, Fixture, GameRecord, Hill, Offence, Play, Start, game_line,
};

/// A game that has been played, and its line in the log.
pub struct Played<G: Game> {
    /// The game.
    pub record: GameRecord<G>,
    /// The line, without the newline.
    pub line: String,
    /// How long programs outside took for their answers, by seat; nothing if only house bots played.
    /// It may differ from time to time, and is no part of the line.
    pub times: Vec<Option<AnswerSum>>,
}

/// A game with bots that know of no other, unless its record is there.
pub(crate) fn recall_or_play<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    recorded: &dyn Recall,
    fixture: Fixture,
) -> Outcome<G> {
    match recall(recorded, hill, &fixture) {
        Ok(Some(recalled)) => Outcome::Recalled(recalled),
        Ok(None) => Outcome::of(play_apart(hill, chance, fixture)),
        Err(error) => Outcome::Error(error),
    }
}

/// Plays a game with bots that know of no other: programs outside in processes of their own.
///
/// # Errors
/// If the arena could not prepare or start a bot.
pub fn play_apart<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: Fixture,
) -> io::Result<Played<G>> {
    let mut owned: Vec<_> =
        fixture.seats.iter().map(|id| hill.entrant(*id).program.bot()).collect();
    let mut bots: Vec<&mut dyn Bot<G>> = owned.iter_mut().map(|bot| &mut **bot as _).collect();
    play(hill, chance, fixture, Vec::new(), &mut bots)
}

pub(crate) fn play<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: Fixture,
    points: Vec<u64>,
    bots: &mut [&mut dyn Bot<G>],
) -> io::Result<Played<G>> {
    let (mut play, starts) = begin(hill, chance, &fixture, points);
    for (bot, start) in bots.iter_mut().zip(&starts) {
        bot.start(start);
    }
    let is_outside = |id: &EntrantId| hill.entrant(*id).program.is_outside();
    if !fixture.seats.iter().any(is_outside) {
        play.drive(bots);
        return finish(hill, play, fixture, Vec::new());
    }
    let mut timed: Vec<_> = bots.iter_mut().map(|bot| Timed::new(&mut **bot)).collect();
    play.drive(&mut timed.iter_mut().map(|bot| bot as &mut dyn Bot<G>).collect::<Vec<_>>());
    let sums = timed.into_iter().map(|bot| bot.sum);
    let times = fixture.seats.iter().zip(sums).map(|(id, sum)| is_outside(id).then_some(sum));
    let times = times.collect();
    finish(hill, play, fixture, times)
}

/// A game at its first action, and what each seat is told of it.
pub(crate) fn begin<'a, G: Game>(
    hill: &'a Hill<G>,
    chance: &Chance,
    fixture: &Fixture,
    points: Vec<u64>,
) -> (Play<'a, G>, Vec<Start>) {
    let game = fixture.game;
    let names: Vec<_> = fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
    let start = |name: &&str| Start {
        game,
        id: chance.game_id(game, name),
        players: names.len(),
        seed: chance.bot_seed(game, name),
    };
    let starts = names.iter().map(start).collect();
    let public = Public { names, points };
    let dice = chance.table(fixture.table);
    (Play::new(hill.rules(), dice, fixture.seats.len(), public), starts)
}

/// A game that is over, with its line.
///
/// # Errors
/// If the arena could not prepare or start a bot: the game does not count.
pub(crate) fn finish<G: Game>(
    hill: &Hill<G>,
    play: Play<'_, G>,
    fixture: Fixture,
    times: Vec<Option<AnswerSum>>,
) -> io::Result<Played<G>> {
    if let Some(Offence { seat, failure, .. }) =
        play.offences().iter().find(|offence| offence.failure.reason.is_arena_error())
    {
        return Err(arena_error(hill.name_of(fixture.seats[seat.index()]), failure));
    }
    let appraisals = hill.appraise(&play);
    let record = GameRecord { appraisals, ..play.into_record(fixture) };
    let line = game_line(hill, &record);
    Ok(Played { record, line, times })
}

/// Why a bot could not be prepared or started.
pub(crate) fn arena_error(bot: &str, failure: &Failure) -> io::Error {
    io::Error::other(format!("{bot}: {}", failure.detail))
}
