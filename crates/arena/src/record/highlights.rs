//! The most remarkable games of a run.

use serde::{Deserialize, Serialize};

use crate::terms::CompletedGame;
use crate::{Highlight, HighlightKind, Replay, StartValue, TournamentGame};

/// The most games of each kind.
const MOST: usize = 3;

/// The most remarkable games of a run, at most three of each [`HighlightKind`], the most remarkable first. Of equal ones the
/// earlier are kept, so that they follow from the games in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Highlights(Vec<HighlightedGame>);

/// A remarkable game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HighlightedGame {
    /// Why it is remarkable.
    pub kind: HighlightKind,
    /// Its number, from 1.
    pub game: u64,
    /// The entrant that it is about.
    pub bot: String,
    /// The entrant that it is compared with ([`Highlight::other`]).
    pub other: Option<String>,
    /// How remarkable it is ([`Highlight::value`]).
    pub value: u64,
}

impl HighlightedGame {
    /// A highlight of the game between the entrants with these names, by seat; `None` if it names another seat.
    #[must_use]
    pub fn of(game: u64, names: &[String], highlight: &Highlight) -> Option<Self> {
        let Highlight { kind, seat, other, value } = *highlight;
        let name = |seat: usize| names.get(seat).cloned();
        let other = match other {
            Some(seat) => Some(name(seat)?),
            None => None,
        };
        Some(Self { kind, game, bot: name(seat)?, other, value })
    }
}

impl Highlights {
    /// The games, by kind.
    #[must_use]
    pub fn games(&self) -> &[HighlightedGame] {
        &self.0
    }

    /// Whether a highlight of this game is one of the most remarkable.
    #[must_use]
    pub fn wants(&self, game: u64, highlight: &Highlight) -> bool {
        let better = |known: &&HighlightedGame| {
            known.kind == highlight.kind
                && (known.value, std::cmp::Reverse(known.game))
                    >= (highlight.value, std::cmp::Reverse(game))
        };
        self.0.iter().filter(better).count() < MOST
    }

    /// Takes a game, if it is remarkable enough.
    pub fn offer(&mut self, game: HighlightedGame) {
        let rank = |game: &HighlightedGame| (game.kind, std::cmp::Reverse(game.value), game.game);
        let place = self.0.partition_point(|known| rank(known) < rank(&game));
        let kind = game.kind;
        self.0.insert(place, game);
        let last = self.0.iter().enumerate().filter(|(_, known)| known.kind == kind).nth(MOST);
        if let Some(index) = last.map(|(index, _)| index) {
            self.0.remove(index);
        }
    }
}

impl<G: TournamentGame> Replay<G> {
    /// What is remarkable in the game; `start` is the start value of its run, if games are appraised.
    #[must_use]
    pub fn highlights(&self, rules: G::Rules, start: Option<StartValue>) -> Vec<Highlight> {
        let luck = start.map(|start| start.luck_of(&self.results, &self.appraisals));
        let game = CompletedGame {
            rules,
            dice: &self.chance.table(self.table),
            moves: &self.moves,
            results: &self.results,
            luck: luck.unwrap_or_default(),
        };
        game.highlights(G::watch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(game: u64, value: u64) -> HighlightedGame {
        let (kind, bot) = (HighlightKind::Comeback, "ada".to_owned());
        HighlightedGame { kind, game, bot, other: None, value }
    }

    #[test]
    fn the_best_are_kept_and_of_equal_ones_the_earlier() {
        let all = [game(1, 5), game(2, 9), game(3, 5), game(4, 5), game(5, 7)];
        let kept = |order: &[usize]| {
            let mut highlights = Highlights::default();
            order.iter().for_each(|index| highlights.offer(all[*index].clone()));
            highlights.games().iter().map(|game| game.game).collect::<Vec<_>>()
        };
        assert_eq!(kept(&[0, 1, 2, 3, 4]), [2, 5, 1]);
        assert_eq!(kept(&[4, 3, 2, 1, 0]), [2, 5, 1], "in any order");
    }

    #[test]
    fn only_what_would_be_kept_is_wanted() {
        let mut highlights = Highlights::default();
        let of = |value| {
            let kind = HighlightKind::Comeback;
            Highlight { kind, seat: 0, other: None, value }
        };
        assert!(highlights.wants(9, &of(1)));
        [game(1, 5), game(2, 9), game(3, 7)].into_iter().for_each(|game| highlights.offer(game));
        assert!(!highlights.wants(9, &of(5)) && highlights.wants(9, &of(6)));
        let lucky = Highlight { kind: HighlightKind::LuckiestWin, ..of(1) };
        assert!(highlights.wants(9, &lucky), "each kind has places of its own");
    }
}
