//! The part of a book that has games played again, to find workers that alter moves.

use std::time::Duration;

use dicehill_arena::GameRange;
use dicehill_store::PlayedLine;

use super::RangeBook;
use crate::id::Id;
use crate::ranges::checked_range::{CheckedRange, has_failure, line_hash};
use crate::ranges::checks::Dispute;
use crate::ranges::order::{Order, OrderRefusal};

/// The most games of a range that is compared.
const MAX_COMPARED: usize = 512;

impl RangeBook {
    /// Chooses whether these new lines of a worker are played again by another one.
    pub(super) fn sample(&mut self, worker: Id, lines: &[PlayedLine]) {
        let [first, .., last] = lines else { return };
        if self.checks.chooses(self.settings.checked)
            && let Some(games) = GameRange::new(first.game(), last.game())
        {
            let hash = |line: &PlayedLine| (line.game(), line_hash(line.line()));
            let sound = lines.iter().filter(|line| !has_failure(line));
            let hashes = sound.map(hash).collect();
            let range = CheckedRange::new(worker, games, hashes);
            self.checks.ranges.extend((!range.is_done()).then_some(range));
        }
    }

    /// The next range to play again, if there is another worker to do it.
    pub(super) fn next_check(&mut self, now: Duration) -> Option<Order> {
        let is_due = |range: &&mut CheckedRange| {
            range.is_for_worker(now) && self.workers.has_other(range.of)
        };
        let range = self.checks.ranges.iter_mut().find(is_due)?;
        range.publish(now);
        Some(Order {
            segment: self.segment,
            games: range.games,
            generation: 0,
            checks: Some(range.of),
        })
    }

    /// Notes that a worker has ended a check, whether it has played all games or failed in one.
    pub(super) fn end_check(&mut self, of: Id, games: GameRange) {
        let is_it = |range: &&mut CheckedRange| range.of == of && range.games == games;
        if let Some(range) = self.checks.ranges.iter_mut().find(is_it) {
            range.published = None;
        }
    }

    /// A game that the host plays to check a worker, because no other worker is there to do it or none has done it; it is then
    /// passed to [`RangeBook::settle_check`].
    #[must_use]
    pub fn check_of_host(&self, now: Duration) -> Option<u64> {
        let is_for_host =
            |range: &&CheckedRange| range.is_for_host(now) || !self.workers.has_other(range.of);
        self.checks.ranges.iter().filter(is_for_host).find_map(CheckedRange::next)
    }

    /// Compares a game that the host has played with those of workers. Returns those whose lines are others.
    pub fn settle_check(&mut self, line: &PlayedLine) -> Vec<(Id, OrderRefusal)> {
        let differs = |range: &mut CheckedRange| range.compare(line).map(|_| range.of);
        let wrong: Vec<_> = self.checks.ranges.iter_mut().filter_map(differs).collect();
        self.checks.ranges.retain(|range| !range.is_done());
        wrong.into_iter().map(|worker| (worker, OrderRefusal::Differs(line.game()))).collect()
    }

    /// The next game in which two workers differ. The host plays it, for [`RangeBook::settle`].
    pub fn next_dispute(&mut self) -> Option<Dispute> {
        self.checks.disputes.pop_front()
    }

    /// Whether the last game must wait because checks are not done.
    #[must_use]
    pub fn has_checks(&self) -> bool {
        !self.checks.ranges.is_empty() || !self.checks.disputes.is_empty()
    }

    /// The workers that are wrong according to the host's line of a disputed game.
    #[must_use]
    pub fn settle(&self, dispute: &Dispute, line: &str) -> Vec<Id> {
        let hash = line_hash(line);
        dispute.sides.iter().filter(|(_, side)| *side != hash).map(|(worker, _)| *worker).collect()
    }

    /// Takes nothing from a worker any more, after this game of it turned out to be wrong, and has all its games played again
    /// elsewhere: those that the run has taken already are compared. Returns whether the run has taken the wrong game, so that
    /// it cannot continue.
    pub fn refuse(&mut self, worker: Id, wrong: u64) -> bool {
        let was_refused = self.workers.is_refused(worker);
        self.workers.refuse(worker);
        self.checks.ranges.retain(|range| range.of != worker);
        self.checks
            .disputes
            .retain(|dispute| dispute.sides.iter().all(|(side, _)| *side != worker));
        let is_its = |game: &u64| self.lines[game].worker == worker;
        let mut games: Vec<_> = self.lines.keys().copied().filter(is_its).collect();
        games.sort_unstable_by(|one, other| other.cmp(one));
        for game in games {
            self.lines.remove(&game);
            self.arrived.remove(game);
            self.handed_out += u64::from(self.open.with(game).is_some());
            self.plan_again(game);
        }
        self.open.change_all(|range| range.end_attempt(worker));
        let taken = self.taken.get(&worker).cloned().unwrap_or_default();
        let has_taken = taken.iter().any(|(game, _)| *game == wrong);
        if !was_refused {
            self.compare_taken(worker, taken);
        }
        has_taken
    }

    /// Has games that the run has taken from a worker played again and compared.
    fn compare_taken(&mut self, worker: Id, mut taken: Vec<(u64, u64)>) {
        taken.sort_unstable();
        for games in taken.chunk_by(|(one, _), (next, _)| *next == one + 1) {
            for part in games.chunks(MAX_COMPARED) {
                let (first, last) = (part[0].0, part[part.len() - 1].0);
                let range = GameRange::new(first, last).expect("they ascend");
                self.checks.ranges.push(CheckedRange::new(worker, range, part.to_vec()));
            }
        }
    }

    /// Plans a game again, unless it is one of a range that is handed out. Games come in descending order.
    fn plan_again(&mut self, game: u64) {
        if self.open.with(game).is_some() {
            return;
        }
        match self.unplanned.front_mut() {
            Some(next) if next.first() == game + 1 => {
                *next = GameRange::new(game, next.last()).expect("a longer range");
            }
            Some(_) | None => {
                self.unplanned.push_front(GameRange::new(game, game).expect("one game"));
            }
        }
    }
}
