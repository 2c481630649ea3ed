//! Yahtzee's own messages and answers.

use std::fmt::Write as _;
use std::rc::Rc;

use super::{Answer, Bot, Boxes, Category, End, Turn};
use crate::json::{Read, Reader};
use crate::seats::{Game, Player, numbers, words};
use crate::{Hello, Start};

/// The game, as far as the protocol is concerned.
pub(crate) struct Yahtzee;

impl Game for Yahtzee {
    const NAME: &'static str = "yahtzee";
    type Turn = Turn;
    type Answer = Answer;

    fn read_turn(turn: &mut Turn, line: &str) -> Read<()> {
        // The list of scores is used again; nothing else outlives a turn.
        let mut scores = std::mem::take(&mut turn.scores);
        scores.clear();
        *turn = Turn { scores, ..Turn::default() };
        Reader::new(line).object(|reader, key| turn.read_field(reader, key))
    }

    fn place(turn: &Turn) -> (u64, u64) {
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
                for (place, index) in keep.indexes().iter().enumerate() {
                    line.push_str(if place == 0 { "" } else { "," });
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
                    // Writing to a text cannot fail.
                    let _ = write!(shown, " {index}");
                }
                shown
            }
        }
    }
}

impl<B: Bot> Player<Yahtzee> for B {
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

/// A function that every game shares, as a bot.
pub(crate) struct Function<F>(Rc<F>);

impl<F: Fn(&Turn) -> Answer> Bot for Function<F> {
    fn turn(&mut self, turn: &Turn) -> Answer {
        (self.0)(turn)
    }
}

/// Makes bots of a function.
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
            "scores" => numbers(reader, &mut self.scores)?,
            _ => reader.skip()?,
        }
        Ok(())
    }
}

/// Five dice; more would be another game's.
fn read_dice(reader: &mut Reader<'_>, dice: &mut [u8; 5]) -> Read<()> {
    let mut places = dice.iter_mut();
    reader.array(|reader| {
        let die = reader.number()?;
        if let Some(place) = places.next() {
            *place = die;
        }
        Ok(())
    })
}

/// A category that this version does not know is ignored like any unknown field.
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
                "scores" => numbers(reader, &mut end.scores)?,
                "score" => end.score = reader.number()?,
                "won" => end.won = reader.flag()?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(end)
    }
}
