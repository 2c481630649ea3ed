//! The messages and answers of Liar's Dice.

use std::rc::Rc;

use super::{Answer, Bid, Bot, End, Round, Turn};
use crate::game::{GameBot, ProtocolGame};
use crate::json::{Read, Reader};
use crate::text::{push_number, words};
use crate::{Hello, Start};

/// The highest count of a bid.
const MAX_COUNT: u32 = 1_000_000;

/// The game in the protocol.
pub(crate) struct LiarsDice;

impl ProtocolGame for LiarsDice {
    const NAME: &'static str = "liars-dice";
    type Turn = Turn;
    type Answer = Answer;

    fn read_turn(turn: &mut Turn, line: &str) -> Read<()> {
        turn.clear();
        Reader::new(line).object(|reader, key| turn.read_field(reader, key))
    }

    fn ids(turn: &Turn) -> (u64, u64) {
        (turn.game, turn.id)
    }

    fn write_answer(answer: &Answer, line: &mut String) {
        line.push_str("\"bid\":\"");
        match answer {
            Answer::Liar => line.push_str("Liar!"),
            Answer::Bid(Bid { count, face }) => {
                push_number(line, u64::from(*count));
                line.push(' ');
                push_number(line, u64::from(*face));
            }
        }
        line.push('"');
    }

    fn illegal(turn: &Turn, answer: &Answer) -> Option<String> {
        match (*answer, turn.last_bid()) {
            (Answer::Liar, None) => Some("Liar! as a round's first action".to_owned()),
            (Answer::Liar, Some(_)) => None,
            (Answer::Bid(bid), last) => why_illegal(bid, last),
        }
    }

    fn show_turn(turn: &Turn) -> String {
        let bids: Vec<_> = turn.bids.iter().map(ToString::to_string).collect();
        let bids = if bids.is_empty() { "none".to_owned() } else { bids.join(", ") };
        let (counts, dice) = (words(&turn.counts), words(&turn.dice));
        format!("seat {}, counts {counts}, dice {dice}, bids {bids}", turn.you)
    }

    fn show_answer(answer: &Answer) -> String {
        match answer {
            Answer::Liar => "Liar!".to_owned(),
            Answer::Bid(bid) => bid.to_string(),
        }
    }
}

fn why_illegal(bid: Bid, last: Option<Bid>) -> Option<String> {
    if !(1..=MAX_COUNT).contains(&bid.count) {
        return Some(format!("count {} is not 1-{MAX_COUNT}", bid.count));
    }
    if !(1..=6).contains(&bid.face) {
        return Some(format!("face {} is not 1-6", bid.face));
    }
    let last = last.filter(|&last| bid <= last)?;
    Some(format!("{bid} is not above {last}"))
}

impl<B: Bot> GameBot<LiarsDice> for B {
    const ROUNDS: bool = B::ROUNDS;

    fn start(&mut self, start: &Start) {
        Bot::start(self, start);
    }

    fn turn(&mut self, turn: &Turn) -> Answer {
        Bot::turn(self, turn)
    }

    fn round(&mut self, line: &str) -> Read<()> {
        Bot::round(self, &Round::read(line)?);
        Ok(())
    }

    fn end(&mut self, line: &str) -> Read<()> {
        Bot::end(self, &End::read(line)?);
        Ok(())
    }
}

/// A function as a bot; all games share it.
pub(crate) struct Function<F>(Rc<F>);

impl<F: Fn(&Turn) -> Answer> Bot for Function<F> {
    fn turn(&mut self, turn: &Turn) -> Answer {
        (self.0)(turn)
    }
}

/// A constructor of bots that call the function.
pub(crate) fn function<F: Fn(&Turn) -> Answer>(decide: F) -> impl Fn(&Hello) -> Function<F> {
    let decide = Rc::new(decide);
    move |_: &Hello| Function(Rc::clone(&decide))
}

impl Turn {
    /// Resets the turn but keeps the memory of its lists.
    fn clear(&mut self) {
        (self.id, self.game, self.you) = (0, 0, 0);
        self.counts.clear();
        self.dice.clear();
        self.bids.clear();
        self.points.clear();
        // Names are overwritten in place by `read_names`.
    }

    fn read_field(&mut self, reader: &mut Reader<'_>, key: &str) -> Read<()> {
        match key {
            "id" => self.id = reader.number()?,
            "game" => self.game = reader.number()?,
            "you" => self.you = reader.number()?,
            "counts" => reader.numbers(&mut self.counts)?,
            "dice" => reader.numbers(&mut self.dice)?,
            "bids" => read_bids(reader, &mut self.bids)?,
            "names" => read_names(reader, &mut self.names)?,
            "points" => reader.numbers(&mut self.points)?,
            _ => reader.skip()?,
        }
        Ok(())
    }
}

fn read_bids(reader: &mut Reader<'_>, bids: &mut Vec<Bid>) -> Read<()> {
    bids.clear();
    reader.array(|reader| {
        let text = reader.text()?;
        bids.push(Bid::named(&text).ok_or_else(|| reader.unreadable("a bid"))?);
        Ok(())
    })
}

fn read_names(reader: &mut Reader<'_>, names: &mut Vec<String>) -> Read<()> {
    let mut seats = 0;
    reader.array(|reader| {
        let name = reader.text()?;
        match names.get_mut(seats) {
            Some(old) => name.as_ref().clone_into(old),
            None => names.push(name.into_owned()),
        }
        seats += 1;
        Ok(())
    })?;
    names.truncate(seats);
    Ok(())
}

impl Round {
    fn read(line: &str) -> Read<Self> {
        let mut round = Self::default();
        Reader::new(line).object(|reader, key| {
            match key {
                "game" => round.game = reader.number()?,
                "bids" => read_bids(reader, &mut round.bids)?,
                "hands" => reader.array(|reader| {
                    let mut hand = Vec::new();
                    reader.numbers(&mut hand)?;
                    round.hands.push(hand);
                    Ok(())
                })?,
                "caller" => round.caller = reader.number()?,
                "bidder" => round.bidder = reader.number()?,
                "held" => round.held = reader.flag()?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(round)
    }
}

impl End {
    fn read(line: &str) -> Read<Self> {
        let mut end = Self::default();
        Reader::new(line).object(|reader, key| {
            match key {
                "game" => end.game = reader.number()?,
                "winner" => end.winner = reader.text_or_null()?,
                "points" => reader.numbers(&mut end.points)?,
                "names" => read_names(reader, &mut end.names)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(end)
    }
}
