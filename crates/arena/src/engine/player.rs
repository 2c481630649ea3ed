//! Plays one game with bots that serve no other, and writes its line.

use std::io;

use dicehill_rules::{Chance, Game, PublicInfo};

use crate::engine::game_source::recorded_game;
use crate::engine::outcome::Outcome;
use crate::judge::TimedBot;
use crate::{
    AnswerSum, Bot, EntrantId, Failure, Fixture, GameRecord, GameSource, Hill, Move, Offence, Play,
    PlayedGame, Start, game_line,
};

/// Takes a game from its record, or plays it with fresh bots.
pub(crate) fn replay_or_play<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    recorded: &dyn GameSource,
    fixture: Fixture,
) -> Outcome<G> {
    match recorded_game(recorded, hill, &fixture) {
        Ok(Some(recorded)) => Outcome::Recorded(recorded),
        Ok(None) => play_alone(hill, chance, fixture).into(),
        Err(error) => Outcome::Error(error),
    }
}

/// Plays a game with fresh bots: external programs in processes that serve no other game.
///
/// # Errors
/// If the arena could not prepare or start a bot.
pub fn play_alone<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: Fixture,
) -> io::Result<PlayedGame<G>> {
    play_again_alone(hill, chance, fixture, &[])
}

/// Like [`play_alone`], for a game that was begun before with these moves, which stay as they are.
///
/// # Errors
/// If the arena could not prepare or start a bot.
pub(crate) fn play_again_alone<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: Fixture,
    moves: &[Move<G>],
) -> io::Result<PlayedGame<G>> {
    let mut owned: Vec<_> =
        fixture.seats.iter().map(|id| hill.entrant(*id).program.bot()).collect();
    let mut bots: Vec<&mut dyn Bot<G>> = owned.iter_mut().map(|bot| &mut **bot as _).collect();
    play(hill, chance, fixture, Vec::new(), moves, &mut bots)
}

/// Plays a game with these bots, by seat; `points` are those of each seat from earlier games, and `moves` those with which the
/// game was begun before.
///
/// # Errors
/// If the arena could not prepare or start a bot.
pub(crate) fn play<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: Fixture,
    points: Vec<u64>,
    moves: &[Move<G>],
    bots: &mut [&mut dyn Bot<G>],
) -> io::Result<PlayedGame<G>> {
    let (mut play, starts) = begin(hill, chance, &fixture, points);
    for (bot, start) in bots.iter_mut().zip(&starts) {
        bot.start(start);
    }
    let is_external = |id: &EntrantId| hill.entrant(*id).program.is_outside();
    if !fixture.seats.iter().any(is_external) {
        play.drive_again(moves, bots);
        return finish(hill, play, fixture, Vec::new());
    }
    let mut timed: Vec<_> = bots.iter_mut().map(|bot| TimedBot::new(&mut **bot)).collect();
    let mut bots: Vec<_> = timed.iter_mut().map(|bot| bot as &mut dyn Bot<G>).collect();
    play.drive_again(moves, &mut bots);
    let sums = timed.into_iter().map(|bot| bot.sum);
    let times = fixture.seats.iter().zip(sums).map(|(id, sum)| is_external(id).then_some(sum));
    let times = times.collect();
    finish(hill, play, fixture, times)
}

/// A game before its first action, and what the bot at each seat learns of it.
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
    let public = PublicInfo { names, points };
    let dice = chance.table(fixture.table);
    let play = Play::new(hill.rules(), dice, fixture.seats.len(), public);
    (play.with_requests(hill.request_text()).watched(hill.highlighter), starts)
}

/// Appraises a finished game and writes its line.
///
/// # Errors
/// If the arena could not prepare or start a bot: the game does not count.
pub(crate) fn finish<G: Game>(
    hill: &Hill<G>,
    mut play: Play<'_, G>,
    fixture: Fixture,
    times: Vec<Option<AnswerSum>>,
) -> io::Result<PlayedGame<G>> {
    if let Some(Offence { seat, failure, .. }) =
        play.offences().iter().find(|offence| offence.failure.reason.is_arena_error())
    {
        return Err(arena_error(hill.name_of(fixture.seats[seat.index()]), failure));
    }
    let appraisals = hill.appraise(&play);
    let highlights = hill.highlights(&mut play, &appraisals);
    let record = GameRecord { appraisals, ..play.into_record(fixture) };
    let line = game_line(hill, &record);
    Ok(PlayedGame { record, line, times, highlights })
}

/// Why a bot could not be prepared or started.
pub(crate) fn arena_error(bot: &str, failure: &Failure) -> io::Error {
    io::Error::other(format!("{bot}: {}", failure.detail))
}
