//! The objects of the open games, one for each, and what the two games' wire forms have in common.

use std::collections::HashMap;
use std::fmt::{Display, Write as _};

use crate::json::{Read, Reader};
use crate::panics::{Place, authors_code};
use crate::{Hello, Start};

/// A game, as far as the protocol is concerned.
pub(crate) trait Game: 'static {
    /// The name in the hello.
    const NAME: &'static str;
    type Turn: Default;
    type Answer;

    /// Reads a turn over an older one, whose lists are used again.
    fn read_turn(turn: &mut Self::Turn, line: &str) -> Read<()>;
    /// The numbers of game and request.
    fn place(turn: &Self::Turn) -> (u64, u64);
    /// Writes the fields of an answer but for its id.
    fn write_answer(answer: &Self::Answer, line: &mut String);
    /// Why the answer is illegal in its position.
    fn illegal(turn: &Self::Turn, answer: &Self::Answer) -> Option<String>;
    /// For people, in one line.
    fn show_turn(turn: &Self::Turn) -> String;
    /// For people, in one line.
    fn show_answer(answer: &Self::Answer) -> String;
}

/// An author's bot for a game.
pub(crate) trait Player<G: Game> {
    const ROUNDS: bool = false;
    fn start(&mut self, start: &Start);
    fn turn(&mut self, turn: &G::Turn) -> G::Answer;
    fn round(&mut self, _line: &str) -> Read<()> {
        Ok(())
    }
    fn end(&mut self, line: &str) -> Read<()>;
}

/// A game's objects behind one interface, whatever the author's type is.
pub(crate) trait Table {
    fn name(&self) -> &'static str;
    fn wants_rounds(&self) -> bool;
    fn hello(&mut self, hello: &Hello);
    fn start(&mut self, line: &str) -> Read<()>;
    /// Appends the answer, a line.
    fn turn(&mut self, line: &str, answers: &mut String) -> Read<()>;
    fn round(&mut self, line: &str) -> Read<()>;
    fn end(&mut self, line: &str) -> Read<()>;
    /// Takes a turn and tells of it instead of answering.
    fn step(&mut self, line: &str) -> Read<Told>;
}

/// A turn and its answer, for people.
pub(crate) struct Told {
    pub(crate) game: u64,
    pub(crate) id: u64,
    pub(crate) turn: String,
    pub(crate) answer: String,
    pub(crate) illegal: Option<String>,
}

/// The open games of one kind.
pub(crate) struct Seats<G: Game, B> {
    new_game: Box<dyn Fn(&Hello) -> B>,
    hello: Hello,
    open: HashMap<u64, B>,
    turn: G::Turn,
}

impl<G: Game, B: Player<G>> Seats<G, B> {
    pub(crate) fn new(new_game: impl Fn(&Hello) -> B + 'static) -> Self {
        Self {
            new_game: Box::new(new_game),
            hello: Hello::default(),
            open: HashMap::new(),
            turn: G::Turn::default(),
        }
    }

    /// Reads a turn and has the game's object decide, which is made where no start was heard.
    fn decide(&mut self, line: &str) -> Read<G::Answer> {
        G::read_turn(&mut self.turn, line)?;
        let (game, id) = G::place(&self.turn);
        Ok(authors_code(Place::Turn { game, id }, || {
            let seat = self.open.entry(game).or_insert_with(|| (self.new_game)(&self.hello));
            seat.turn(&self.turn)
        }))
    }
}

impl<G: Game, B: Player<G>> Table for Seats<G, B> {
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
        let seat = authors_code(Place::Start { game: start.game }, || {
            let mut seat = (self.new_game)(&self.hello);
            seat.start(&start);
            seat
        });
        self.open.insert(start.game, seat);
        Ok(())
    }

    fn turn(&mut self, line: &str, answers: &mut String) -> Read<()> {
        let answer = self.decide(line)?;
        answers.push_str("{\"id\":");
        push_number(answers, G::place(&self.turn).1);
        answers.push(',');
        G::write_answer(&answer, answers);
        answers.push_str("}\n");
        Ok(())
    }

    fn round(&mut self, line: &str) -> Read<()> {
        let game = game_number(line)?;
        let seat = self.open.get_mut(&game);
        seat.map_or(Ok(()), |seat| authors_code(Place::Round { game }, || seat.round(line)))
    }

    fn end(&mut self, line: &str) -> Read<()> {
        let game = game_number(line)?;
        let seat = self.open.remove(&game);
        seat.map_or(Ok(()), |mut seat| authors_code(Place::End { game }, || seat.end(line)))
    }

    fn step(&mut self, line: &str) -> Read<Told> {
        let answer = self.decide(line)?;
        let (game, id) = G::place(&self.turn);
        Ok(Told {
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

/// Appends a number; formatting takes several times as long, and this is done for every answer.
pub(crate) fn push_number(text: &mut String, number: u64) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from_digit((number % 10) as u32, 10).unwrap_or_default());
}

/// Reads an array of numbers into a list.
pub(crate) fn numbers<N: TryFrom<u64>>(reader: &mut Reader<'_>, list: &mut Vec<N>) -> Read<()> {
    list.clear();
    reader.array(|reader| {
        list.push(reader.number()?);
        Ok(())
    })
}

/// A list for people.
pub(crate) fn words(list: &[impl Display]) -> String {
    let mut words = String::new();
    for (place, item) in list.iter().enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(words, "{}{item}", if place == 0 { "" } else { " " });
    }
    words
}
