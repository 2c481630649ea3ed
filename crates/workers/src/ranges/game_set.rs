//! A set of game numbers, few of which are apart.

use std::collections::BTreeMap;

use dicehill_arena::GameRange;

/// A set of game numbers, as ranges that do not touch: their last games by their first.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct GameSet(BTreeMap<u64, u64>);

impl GameSet {
    /// The range that has this game.
    fn range_of(&self, game: u64) -> Option<(u64, u64)> {
        let (first, last) = self.0.range(..=game).next_back()?;
        (game <= *last).then_some((*first, *last))
    }

    pub(super) fn contains(&self, game: u64) -> bool {
        self.range_of(game).is_some()
    }

    /// Adds a game; false if it is in the set already.
    pub(super) fn insert(&mut self, game: u64) -> bool {
        if self.contains(game) {
            return false;
        }
        let (mut first, mut last) = (game, game);
        if let Some((before, _)) = game.checked_sub(1).and_then(|game| self.range_of(game)) {
            first = before;
        }
        if let Some((after, end)) = self.range_of(game + 1) {
            self.0.remove(&after);
            last = end;
        }
        self.0.insert(first, last);
        true
    }

    /// Removes a game.
    pub(super) fn remove(&mut self, game: u64) {
        let Some((first, last)) = self.range_of(game) else { return };
        self.0.remove(&first);
        if first < game {
            self.0.insert(first, game - 1);
        }
        if game < last {
            self.0.insert(game + 1, last);
        }
    }

    /// The first game of the range that is not in the set.
    pub(super) fn first_absent(&self, games: GameRange) -> Option<u64> {
        let game = self.range_of(games.first()).map_or(games.first(), |(_, last)| last + 1);
        (game <= games.last()).then_some(game)
    }

    /// How many of these games are not in the set.
    pub(super) fn count_absent(&self, games: GameRange) -> u64 {
        let before = self.range_of(games.first()).into_iter();
        let within = self.0.range(games.first() + 1..games.last() + 1).map(|(f, l)| (*f, *l));
        let present = before
            .chain(within)
            .map(|(first, last)| last.min(games.last()) + 1 - first.max(games.first()));
        games.count() - present.sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_as_a_list_of_numbers() {
        let mut set = GameSet::default();
        let mut list = std::collections::BTreeSet::new();
        let mut state = 1_u64;
        for _ in 0..3000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let game = (state >> 33) % 60 + 1;
            if state >> 63 == 0 {
                assert_eq!(set.insert(game), list.insert(game));
            } else {
                set.remove(game);
                list.remove(&game);
            }
            let range = GameRange::new(game, game + (state >> 20) % 20).expect("games");
            let absent: Vec<_> = range.numbers().filter(|game| !list.contains(game)).collect();
            assert_eq!(set.first_absent(range), absent.first().copied());
            assert_eq!(set.count_absent(range), absent.len() as u64);
            assert_eq!(set.contains(game), list.contains(&game));
        }
        assert!(
            set.0.iter().zip(set.0.iter().skip(1)).all(|((_, last), (next, _))| last + 1 < *next)
        );
    }
}
