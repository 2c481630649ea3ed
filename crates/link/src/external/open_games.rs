//! The games in progress of a process, and the requests that it has not answered.

use std::collections::VecDeque;
use std::time::Duration;

use dicehill_arena::{GameSlot, RequestIds};

/// The games in progress of a process, and its unanswered requests.
#[derive(Default)]
pub(super) struct OpenGames {
    /// By slot.
    games: Vec<Option<OpenGame>>,
    /// The number of games in progress.
    count: usize,
    /// Oldest first.
    unanswered: VecDeque<Request>,
}

#[derive(Clone, Copy)]
struct OpenGame {
    id: u64,
    /// The number of requests so far.
    requests: u64,
    /// How long its requests were the oldest of the process, without the time for the start of the process.
    owed: Duration,
}

#[derive(Clone, Copy)]
struct Request {
    id: u64,
    /// `None` once the game was abandoned.
    slot: Option<GameSlot>,
    is_written: bool,
}

/// A request that was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnsweredRequest {
    /// Where its game is; `None` if that was abandoned.
    pub(super) slot: Option<GameSlot>,
    /// Whether it was the oldest one.
    pub(super) was_oldest: bool,
}

impl OpenGames {
    /// The number of games in progress.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Opens a game.
    pub(super) fn open(&mut self, slot: GameSlot, id: u64) {
        if self.games.len() <= slot.0 {
            self.games.resize(slot.0 + 1, None);
        }
        self.games[slot.0] = Some(OpenGame { id, requests: 0, owed: Duration::ZERO });
        self.count += 1;
    }

    /// Closes a game and returns its id; `None` if there is none in this slot. The process may still answer its requests.
    pub(super) fn close(&mut self, slot: GameSlot) -> Option<u64> {
        let closed = self.games.get_mut(slot.0)?.take()?;
        self.count -= 1;
        Some(closed.id)
    }

    /// Closes a game whose answers no longer count.
    pub(super) fn abandon(&mut self, slot: GameSlot) {
        self.close(slot);
        let of_game = self.unanswered.iter_mut().filter(|request| request.slot == Some(slot));
        of_game.for_each(|request| request.slot = None);
    }

    /// The ids of the last request in a game.
    pub(super) fn last_ids(&self, slot: GameSlot) -> Option<RequestIds> {
        self.game(slot).map(OpenGame::ids)
    }

    /// Adds a request in a game and returns its ids.
    pub(super) fn request(&mut self, slot: GameSlot) -> Option<RequestIds> {
        let game = self.games.get_mut(slot.0)?.as_mut()?;
        game.requests += 1;
        let ids = game.ids();
        self.unanswered.push_back(Request { id: ids.request, slot: Some(slot), is_written: false });
        Some(ids)
    }

    /// Marks all requests as written. Returns whether the oldest one was not before, so that an answer is owed only now.
    pub(super) fn mark_written(&mut self) -> bool {
        let is_first = self.unanswered.front().is_some_and(|request| !request.is_written);
        let unsent = self.unanswered.iter_mut().rev().take_while(|request| !request.is_written);
        unsent.for_each(|request| request.is_written = true);
        is_first
    }

    /// Removes the unanswered request with this id.
    pub(super) fn answer(&mut self, id: u64) -> Option<AnsweredRequest> {
        let index = self.unanswered.iter().position(|request| request.id == id)?;
        let request = self.unanswered.remove(index)?;
        Some(AnsweredRequest { slot: request.slot, was_oldest: index == 0 })
    }

    /// Whether a game in progress waits for an answer, to a request that was written or not.
    pub(super) fn is_awaited(&self) -> bool {
        self.unanswered.iter().any(|request| request.slot.is_some())
    }

    /// Whether games in progress wait for more than one answer.
    pub(super) fn are_several_awaited(&self) -> bool {
        self.unanswered.iter().filter(|request| request.slot.is_some()).nth(1).is_some()
    }

    /// Whether all unanswered requests are of abandoned games, of which there is one at least.
    pub(super) fn only_abandoned(&self) -> bool {
        !self.unanswered.is_empty() && !self.is_awaited()
    }

    /// Whether the oldest request was written.
    pub(super) fn is_answer_owed(&self) -> bool {
        self.oldest_written().is_some()
    }

    /// What the game of the oldest request has been charged so far; `None` if no answer is owed, or not for a game in progress.
    pub(super) fn owed_in_oldest(&self) -> Option<Duration> {
        self.oldest_written()?.slot.and_then(|slot| self.game(slot)).map(|game| game.owed)
    }

    /// Charges a game with the time for an answer.
    pub(super) fn charge(&mut self, slot: GameSlot, time: Duration) {
        if let Some(Some(game)) = self.games.get_mut(slot.0) {
            game.owed += time;
        }
    }

    fn game(&self, slot: GameSlot) -> Option<&OpenGame> {
        self.games.get(slot.0)?.as_ref()
    }

    /// Whether the oldest request is the first of its game.
    pub(super) fn is_first_owed(&self) -> bool {
        let slot = self.oldest_written().and_then(|request| request.slot);
        slot.and_then(|slot| self.game(slot)).is_some_and(|game| game.requests == 1)
    }

    fn oldest_written(&self) -> Option<&Request> {
        self.unanswered.front().filter(|request| request.is_written)
    }
}

impl OpenGame {
    const fn ids(&self) -> RequestIds {
        RequestIds { request: self.id + self.requests, game: self.id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: GameSlot = GameSlot(0);
    const OTHER: GameSlot = GameSlot(3);

    /// Two games, each with an unwritten request: that of the first game is the oldest.
    fn two_games() -> OpenGames {
        let mut games = OpenGames::default();
        games.open(FIRST, 1000);
        games.open(OTHER, 2000);
        assert_eq!(games.request(FIRST), Some(RequestIds { request: 1001, game: 1000 }));
        assert_eq!(games.request(OTHER), Some(RequestIds { request: 2001, game: 2000 }));
        games
    }

    #[test]
    fn requests_are_answered_once_in_any_order() {
        let mut games = two_games();
        let answered = |slot, was_oldest| Some(AnsweredRequest { slot: Some(slot), was_oldest });
        assert_eq!(games.answer(1000), None);
        assert_eq!(games.answer(2001), answered(OTHER, false));
        assert_eq!(games.answer(2001), None);
        assert!(games.is_awaited());
        assert_eq!(games.answer(1001), answered(FIRST, true));
        assert!(!games.is_awaited() && !games.only_abandoned());
        assert_eq!(games.last_ids(FIRST).map(|ids| ids.request), Some(1001));
        assert_eq!(games.request(FIRST).map(|ids| ids.request), Some(1002));
    }

    #[test]
    fn an_answer_is_owed_once_the_oldest_request_was_written() {
        let mut games = OpenGames::default();
        assert!(!games.mark_written());
        games = two_games();
        assert!(!games.is_answer_owed());
        assert!(games.mark_written());
        assert!(games.is_answer_owed());
        games.request(FIRST);
        assert!(!games.mark_written(), "an older answer is owed");
        games.answer(1001);
        assert!(games.is_answer_owed());
    }

    #[test]
    fn the_game_of_the_oldest_request_is_charged() {
        let mut games = two_games();
        assert_eq!(games.owed_in_oldest(), None);
        games.mark_written();
        let second = Duration::from_secs(1);
        games.charge(FIRST, second);
        assert_eq!(games.owed_in_oldest(), Some(second));
        games.answer(1001);
        assert_eq!(games.owed_in_oldest(), Some(Duration::ZERO));
    }

    #[test]
    fn an_abandoned_game_gets_no_answer() {
        let mut games = two_games();
        games.mark_written();
        games.abandon(FIRST);
        assert_eq!(games.count(), 1);
        assert_eq!((games.owed_in_oldest(), games.is_answer_owed()), (None, true));
        assert!(games.is_awaited(), "the other game waits");
        assert!(!games.are_several_awaited());
        games.abandon(OTHER);
        assert!(!games.is_awaited() && games.only_abandoned());
        games.open(OTHER, 2000);
        // The slot is used again before the old answer comes.
        games.open(FIRST, 5000);
        assert_eq!(games.answer(1001), Some(AnsweredRequest { slot: None, was_oldest: true }));
        assert_eq!(games.close(FIRST), Some(5000));
        assert_eq!(games.close(FIRST), None);
        assert_eq!((games.count(), games.request(FIRST)), (1, None));
    }
}
