//! The open games of a program, each with its own bot object.

use std::collections::HashMap;

use crate::game::{GameBot, ProtocolGame};
use crate::json::{Read, Reader};
use crate::panics::{CallSite, call_author_code, catch_panic};
use crate::text::{push_number, push_quoted};
use crate::{Hello, Start};

/// The open games of one kind, independent of the author's type.
pub(crate) trait GameHandler {
    fn name(&self) -> &'static str;
    fn wants_rounds(&self) -> bool;
    fn hello(&mut self, hello: &Hello);
    fn start(&mut self, line: &str) -> Read<()>;
    /// Takes a turn and appends the line of the answer.
    fn turn(&mut self, line: &str, answers: &mut String) -> Read<()>;
    fn round(&mut self, line: &str) -> Read<()>;
    fn end(&mut self, line: &str) -> Read<()>;
    /// Takes a turn and returns it with its answer, for people.
    fn step(&mut self, line: &str) -> Read<AnsweredTurn>;
}

/// A turn and its answer, as text for people.
pub(crate) struct AnsweredTurn {
    pub(crate) game: u64,
    pub(crate) id: u64,
    pub(crate) turn: String,
    pub(crate) answer: String,
    pub(crate) illegal: Option<String>,
}

/// The open games of one kind, by number.
pub(crate) struct OpenGames<G: ProtocolGame, B> {
    new_game: Box<dyn Fn(&Hello) -> B>,
    hello: Hello,
    by_number: HashMap<u64, B>,
    turn: G::Turn,
}

impl<G: ProtocolGame, B: GameBot<G>> OpenGames<G, B> {
    pub(crate) fn new(new_game: impl Fn(&Hello) -> B + 'static) -> Self {
        Self {
            new_game: Box::new(new_game),
            hello: Hello::default(),
            by_number: HashMap::new(),
            turn: G::Turn::default(),
        }
    }

    /// Reads a turn and asks the game's object for an answer. The object is created here if there was no `start` message.
    fn decide(&mut self, line: &str) -> Read<G::Answer> {
        G::read_turn(&mut self.turn, line)?;
        let (game, id) = G::ids(&self.turn);
        Ok(call_author_code(CallSite::Turn { game, id }, || {
            let bot = self.by_number.entry(game).or_insert_with(|| (self.new_game)(&self.hello));
            bot.turn(&self.turn)
        }))
    }
}

impl<G: ProtocolGame, B: GameBot<G>> GameHandler for OpenGames<G, B> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn wants_rounds(&self) -> bool {
        B::ROUNDS
    }

    fn hello(&mut self, hello: &Hello) {
        self.hello = hello.clone();
    }

    fn start(&mut self, line: &str) -> Read<()> {
        let start = Start::read(line)?;
        let bot = call_author_code(CallSite::Start { game: start.game }, || {
            let mut bot = (self.new_game)(&self.hello);
            bot.start(&start);
            bot
        });
        self.by_number.insert(start.game, bot);
        Ok(())
    }

    fn turn(&mut self, line: &str, answers: &mut String) -> Read<()> {
        let decided = catch_panic(|| self.decide(line));
        let (game, id) = G::ids(&self.turn);
        let start = answers.len();
        answers.push_str("{\"id\":");
        push_number(answers, id);
        answers.push(',');
        match decided {
            Ok(Ok(answer)) => G::write_answer(&answer, answers),
            Ok(Err(unreadable)) => {
                answers.truncate(start);
                return Err(unreadable);
            }
            Err(panic) => {
                // The object may be in any state; the other games go on.
                self.by_number.remove(&game);
                answers.push_str("\"error\":");
                push_quoted(answers, &panic);
            }
        }
        answers.push_str("}\n");
        Ok(())
    }

    fn round(&mut self, line: &str) -> Read<()> {
        let game = game_number(line)?;
        let bot = self.by_number.get_mut(&game);
        bot.map_or(Ok(()), |bot| call_author_code(CallSite::Round { game }, || bot.round(line)))
    }

    fn end(&mut self, line: &str) -> Read<()> {
        let game = game_number(line)?;
        let bot = self.by_number.remove(&game);
        bot.map_or(Ok(()), |mut bot| call_author_code(CallSite::End { game }, || bot.end(line)))
    }

    fn step(&mut self, line: &str) -> Read<AnsweredTurn> {
        let answer = self.decide(line)?;
        let (game, id) = G::ids(&self.turn);
        Ok(AnsweredTurn {
            game,
            id,
            turn: G::show_turn(&self.turn),
            answer: G::show_answer(&answer),
            illegal: G::illegal(&self.turn, &answer),
        })
    }
}

fn game_number(line: &str) -> Read<u64> {
    Reader::new(line).find("game").map_or(Ok(0), |mut reader| reader.number())
}
