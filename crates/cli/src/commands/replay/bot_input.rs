//! `dicehill replay --input`: what a bot was sent in a recorded game.

use std::collections::HashMap;
use std::io::Write;

use dicehill_arena::{Memory, Replay};
use dicehill_link::{Hello, PROTOCOL, ProcessView, TranscriptLine, transcript};
use dicehill_rules::Seat;
use dicehill_store::{HillSettings, RunHeader, did_you_mean};

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;

/// Recomputes what a bot was sent.
pub(super) struct BotInput<'a, G: TerminalGame> {
    pub(super) header: &'a RunHeader,
    pub(super) rules: G::Rules,
    /// The points of each player before the game.
    pub(super) points: HashMap<String, u64>,
    /// Whether the bot is sent what each call reveals.
    pub(super) rounds: bool,
}

impl<G: TerminalGame> BotInput<'_, G> {
    pub(super) fn print(
        self,
        replay: &Replay<G>,
        bot: &str,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let place = replay.names.iter().position(|name| name == bot).ok_or_else(|| {
            let (names, similar) = (replay.names.join(", "), did_you_mean(bot, &replay.names));
            let game = replay.game;
            Failure::Usage(format!("--input {bot:?}: the bots in game {game} are {names}{similar}"))
        })?;
        let HillSettings { terms, limits, .. } = &self.header.hill;
        let rules = self.rules.to_string();
        let hello = Hello {
            protocol: PROTOCOL,
            game: G::NAME,
            rules: &rules,
            memory: terms.memory.name(),
            name: bot,
            limits: (*limits).into(),
        };
        let sight = ProcessView {
            hello: &hello,
            seat: Seat::new(place as u16),
            game_id: replay.chance.game_id(replay.game, bot),
            seed: replay.chance.bot_seed(replay.game, bot),
            rounds: self.rounds,
        };
        let points_of = |name: &String| self.points.get(name).copied().unwrap_or(0);
        let points = match terms.memory {
            Memory::Game => Vec::new(),
            Memory::Set => replay.names.iter().map(points_of).collect(),
        };
        let play = replay.begin_with_points(self.rules, points);
        let mut out = console.data();
        for line in transcript(play, &replay.moves, replay.names.len(), &sight) {
            match line {
                TranscriptLine::Request(line) => out.write_all(&line)?,
                TranscriptLine::Answer(_) => {}
            }
        }
        Ok(Outcome::Done)
    }
}
