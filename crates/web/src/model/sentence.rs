//! What happens in a game, in words.

use std::fmt::Write;

/// What happens, in words in which bots stand by their seats: whoever shows them gives each name a direction of its
/// own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sentence(Vec<Part>);

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Words.
    Text(String),
    /// The bot at this seat.
    Bot(usize),
}

impl Sentence {
    /// One that begins with words.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self(vec![Part::Text(text.into())])
    }

    /// Goes on with words.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Part::Text(text.into()));
        self
    }

    /// Goes on with the bot at this seat.
    pub(crate) fn bot(mut self, seat: usize) -> Self {
        self.0.push(Part::Bot(seat));
        self
    }

    /// The pieces in order.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.0
    }

    /// What the bot at `seat` does, as a text. Names are shown as they may be.
    pub(crate) fn told_of(&self, seat: usize, names: &[String]) -> String {
        let mut told = printable(names, seat);
        told.push(' ');
        for part in &self.0 {
            match part {
                Part::Text(text) => told.push_str(text),
                Part::Bot(seat) => {
                    write!(told, "{}", printable(names, *seat)).expect("a String takes everything");
                }
            }
        }
        told
    }
}

fn printable(names: &[String], seat: usize) -> String {
    names.get(seat).map_or_else(String::new, |name| dicehill_arena::printable(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_in_by_seat() {
        let names = ["A\u{202e}".to_owned(), "B".to_owned()];
        let sentence = Sentence::of("gives ").bot(1).text(" a die");
        assert_eq!(sentence.told_of(0, &names), "A\\u{202e} gives B a die");
    }
}
