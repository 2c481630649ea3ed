//! Kuhn poker, whose value for the first player is known to be -1/18 (Kuhn 1950).

use super::extensive::{Kind, State};

pub(crate) struct Kuhn {
    cards: Option<[u8; 2]>,
    /// `p` for a pass, `b` for a bet.
    moves: String,
}

impl Kuhn {
    pub(crate) const fn deal() -> Self {
        Self { cards: None, moves: String::new() }
    }

    fn end(&self, [first, second]: [u8; 2]) -> Option<f64> {
        let sign = if first > second { 1.0 } else { -1.0 };
        match self.moves.as_str() {
            "pp" => Some(sign),
            "bb" | "pbb" => Some(2.0 * sign),
            "bp" => Some(1.0),
            "pbp" => Some(-1.0),
            _ => None,
        }
    }
}

impl State for Kuhn {
    fn kind(&self) -> Kind<Self> {
        let Some(cards) = self.cards else {
            let pairs = (0..3).flat_map(|a| (0..3).map(move |b| [a, b]));
            let deals = pairs.filter(|[a, b]| a != b);
            let dealt = |cards| (1.0 / 6.0, Self { cards: Some(cards), moves: String::new() });
            return Kind::Chance(deals.map(dealt).collect());
        };
        if let Some(payoff) = self.end(cards) {
            return Kind::End(payoff);
        }
        let actor = self.moves.len() % 2;
        let after = |step| Self { cards: self.cards, moves: format!("{}{step}", self.moves) };
        let infoset = format!("{} {}", cards[actor], self.moves);
        Kind::Choice(actor, infoset, ["p", "b"].map(after).into())
    }
}
