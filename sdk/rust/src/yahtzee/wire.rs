//! The messages and answers of Yahtzee.

use std::fmt::Write as _;
use std::rc::Rc;

use super::{Answer, Bot, Boxes, Category, End, Turn};
use crate::game::{GameBot, ProtocolGame};
use crate::json::{Read, Reader};
use crate::text::words;
use crate::{Hello, Start};

/// The game in the protocol.
pub(crate) struct Yahtzee;

impl ProtocolGame for Yahtzee {
    const NAME: &'static str = "yahtzee";
    type Turn = Turn;
    type Answer = Answer;

    fn read_turn(turn: &mut Turn, line: &str) -> Read<()> {
        // Only the list of scores is reused.
        let mut scores = std::mem::take(&mut turn.scores);
        scores.clear();
        *turn = Turn { scores, ..Turn::default() };
        Reader::new(line).object(|reader, key| turn.read_field(reader, key))
    }

    fn ids(turn: &Turn) -> (u64, u64) {
        (turn.game, turn.id)
    }

    fn write_answer(answer: &Answer, line: &mut String) {
        match answer {
            Answer::Category(category) => {
                line.push_str("\"category\":\"");
                line.push_str(category.name());
                line.push('"');
            }
            Answer::Keep(keep) => {
                line.push_str("\"keep\":[");
                for (position, index) in keep.indexes().iter().enumerate() {
                    line.push_str(if position == 0 { "" } else { "," });
                    line.push(char::from(b'0' + index));
                }
                line.push(']');
            }
        }
    }

    fn illegal(turn: &Turn, answer: &Answer) -> Option<String> {
        match *answer {
            Answer::Keep(_) if turn.stage == 2 => Some("a keep at stage 2".to_owned()),
            Answer::Category(category) if turn.legal.get(category).is_none() => {
                Some(format!("category {category} is not legal now"))
            }
            Answer::Keep(_) | Answer::Category(_) => None,
        }
    }

    fn show_turn(turn: &Turn) -> String {
        let Turn { round, stage, dice, score, .. } = turn;
        format!("round {round}, stage {stage}, dice {}, score {score}", words(dice))
    }

    fn show_answer(answer: &Answer) -> String {
        match answer {
            Answer::Category(category) => category.to_string(),
            Answer::Keep(keep) => {
                let mut shown = "keep".to_owned();
                for index in keep.indexes() {
                    // Writing to a String cannot fail.
                    let _ = write!(shown, " {index}");
                }
                shown
            }
        }
    }
}

impl<B: Bot> GameBot<Yahtzee> for B {
    fn start(&mut self, start: &Start) {
        Bot::start(self, start);
    }

    fn turn(&mut self, turn: &Turn) -> Answer {
        Bot::turn(self, turn)
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
    fn read_field(&mut self, reader: &mut Reader<'_>, key: &str) -> Read<()> {
        match key {
            "id" => self.id = reader.number()?,
            "game" => self.game = reader.number()?,
            "round" => self.round = reader.number()?,
            "stage" => self.stage = reader.number()?,
            "dice" => read_dice(reader, &mut self.dice)?,
            "card" => read_boxes(reader, &mut self.card)?,
            "legal" => read_boxes(reader, &mut self.legal)?,
            "upper" => self.upper = reader.number()?,
            "upper_bonus" => self.upper_bonus = reader.number()?,
            "yahtzee_bonus" => self.yahtzee_bonus = reader.number()?,
            "score" => self.score = reader.number()?,
            "scores" => reader.numbers(&mut self.scores)?,
            _ => reader.skip()?,
        }
        Ok(())
    }
}

/// Reads five dice and ignores any further ones.
fn read_dice(reader: &mut Reader<'_>, dice: &mut [u8; 5]) -> Read<()> {
    let mut slots = dice.iter_mut();
    reader.array(|reader| {
        let die = reader.number()?;
        if let Some(slot) = slots.next() {
            *slot = die;
        }
        Ok(())
    })
}

/// Ignores unknown categories, as all unknown fields.
fn read_boxes(reader: &mut Reader<'_>, boxes: &mut Boxes) -> Read<()> {
    reader.object(|reader, key| match Category::named(key) {
        Some(category) => reader.number().map(|score| boxes.set(category, score)),
        None => reader.skip(),
    })
}

impl End {
    fn read(line: &str) -> Read<Self> {
        let mut end = Self::default();
        Reader::new(line).object(|reader, key| {
            match key {
                "game" => end.game = reader.number()?,
                "scores" => reader.numbers(&mut end.scores)?,
                "score" => end.score = reader.number()?,
                "won" => end.won = reader.flag()?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(end)
    }
}
