//! The text of a move.

use std::fmt::Write;

/// The text of a move, without its subject. Bots appear as seats, so that a page can isolate the direction of each
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveText(Vec<TextPart>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextPart {
    /// Words.
    Text(String),
    /// The bot at this seat.
    Bot(usize),
}

impl MoveText {
    /// A text that begins with `text`.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self(vec![TextPart::Text(text.into())])
    }

    /// Appends words.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(TextPart::Text(text.into()));
        self
    }

    /// Appends the bot at this seat.
    pub(crate) fn bot(mut self, seat: usize) -> Self {
        self.0.push(TextPart::Bot(seat));
        self
    }

    /// The pieces in order.
    pub(crate) fn parts(&self) -> &[TextPart] {
        &self.0
    }

    /// The sentence whose subject is the bot at `seat`, with all names made printable.
    pub(crate) fn sentence(&self, seat: usize, names: &[String]) -> String {
        let mut sentence = printable(names, seat);
        sentence.push(' ');
        for part in &self.0 {
            match part {
                TextPart::Text(text) => sentence.push_str(text),
                TextPart::Bot(seat) => {
                    write!(sentence, "{}", printable(names, *seat))
                        .expect("a String takes everything");
                }
            }
        }
        sentence
    }
}

fn printable(names: &[String], seat: usize) -> String {
    names.get(seat).map_or_else(String::new, |name| dicehill_arena::printable(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_replaced_by_printable_names() {
        let names = ["A\u{202e}".to_owned(), "B".to_owned()];
        let text = MoveText::of("gives ").bot(1).text(" a die");
        assert_eq!(text.sentence(0, &names), "A\\u{202e} gives B a die");
    }
}
