//! A session: takes the arena's lines and answers them, without I/O and without a clock.

use crate::json::{Read, Reader};
use crate::open_games::{AnsweredTurn, GameHandler};
use crate::panics::{CallSite, call_author_code};
use crate::{Hello, Memory};

/// The state of the protocol.
pub(crate) struct Session {
    games: Vec<Box<dyn GameHandler>>,
    /// The index of the game that is played, as soon as a message names it.
    chosen: Option<usize>,
    over: bool,
}

impl Session {
    pub(crate) fn new(games: Vec<Box<dyn GameHandler>>) -> Self {
        assert!(!games.is_empty(), "a program needs a bot");
        Self { games, chosen: None, over: false }
    }

    /// Whether the arena has sent `bye`.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Takes a line and appends the answer, if the line asks for one.
    pub(crate) fn receive(&mut self, line: &str, answers: &mut String) -> Read<()> {
        let Some(mut kind) = Reader::new(line).find("type") else {
            // A message without a type is ignored like one of an unknown type, but it has to be valid JSON.
            return Reader::new(line).skip();
        };
        match kind.text()?.as_ref() {
            "turn" => self.game_of(line).turn(line, answers),
            "hello" => self.hello(&Hello::read(line)?, answers),
            "start" => self.game().start(line),
            "round" => self.game().round(line),
            "end" => self.game().end(line),
            "error" => report_error(line),
            "bye" => {
                self.over = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes a line of a transcript; returns a turn with its answer.
    pub(crate) fn step(&mut self, line: &str) -> Read<Option<AnsweredTurn>> {
        let kind = Reader::new(line).find("type").map(|mut reader| reader.text()).transpose()?;
        if kind.as_deref() == Some("turn") {
            return self.game_of(line).step(line).map(Some);
        }
        self.receive(line, &mut String::new()).map(|()| None)
    }

    fn hello(&mut self, hello: &Hello, answers: &mut String) -> Read<()> {
        call_author_code(CallSite::Hello, || self.choose(&hello.game));
        let game = self.game();
        game.hello(hello);
        answers.push_str(match hello.memory {
            Memory::Game => r#"{"type":"ready","inflight":64"#,
            Memory::Set => r#"{"type":"ready","inflight":1"#,
        });
        answers.push_str(if game.wants_rounds() { ",\"events\":[\"round\"]}\n" } else { "}\n" });
        Ok(())
    }

    /// The game of a turn. Without a `hello` message, the fields of the turn identify it.
    fn game_of(&mut self, line: &str) -> &mut dyn GameHandler {
        if self.chosen.is_none() {
            let yahtzee = Reader::new(line).find("legal").is_some();
            self.choose(if yahtzee { "yahtzee" } else { "liars-dice" });
        }
        self.game()
    }

    fn choose(&mut self, game: &str) {
        self.chosen = self.games.iter().position(|handler| handler.name() == game);
        assert!(self.chosen.is_some(), "this program has no bot for {game:?}");
    }

    /// The game that is played. A `start` before any `hello` does not name its game: the first one is assumed.
    fn game(&mut self) -> &mut dyn GameHandler {
        self.games[self.chosen.unwrap_or(0)].as_mut()
    }
}

/// Writes the arena's error message to stderr.
fn report_error(line: &str) -> Read<()> {
    let (mut why, mut id) = (String::new(), None);
    Reader::new(line).object(|reader, key| {
        match key {
            "why" => why = reader.text()?.into_owned(),
            "id" => id = Some(reader.number::<u64>()?),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let request = id.map(|id| format!(" (request {id})")).unwrap_or_default();
    eprintln!("dicehill: the arena says: {why}{request}");
    Ok(())
}
