//! People who leave, resign, are late or away, and return: a bot plays for them.

use std::time::{Duration, Instant};

use dicehill_arena::Program;
use dicehill_rules::Seat;

use super::stored_table::JournalEntry;
use super::table::{Person, PlayerSlot, Table, started};
use super::table_options::bot;
use super::{Refusal, TableGame};
use crate::model::table::Absence;

/// The time after which a bot plays for a person whose page is closed, if other people wait.
const AWAY: Duration = Duration::from_secs(120);

impl<G: TableGame> Table<G> {
    /// The game being played, and the person with this slot by its place among the people.
    fn playing(&mut self, slot: Option<PlayerSlot>) -> Result<(usize, Seat), Refusal> {
        let seat = self.seated(slot)?;
        let game = self.game.as_ref().ok_or(Refusal::NotBegun)?;
        if game.is_over() {
            return Err(Refusal::Over);
        }
        let place = self.people.iter().position(|person| person.seat == Some(seat));
        Ok((place.ok_or(Refusal::NoSeat)?, seat))
    }

    /// Leaves the table: before the game the seat is free again; in the game a bot plays for the person until they return.
    pub(crate) fn leave(&mut self, slot: Option<PlayerSlot>) -> Result<(), Refusal> {
        let place = slot.and_then(|slot| self.place(slot)).ok_or(Refusal::NoSeat)?;
        if self.game.is_none() {
            self.people.remove(place);
            return Ok(());
        }
        self.replace(slot, Absence::Away)
    }

    /// Lets a bot play the rest of the game for the person, who cannot win then.
    pub(crate) fn resign(&mut self, slot: Option<PlayerSlot>) -> Result<(), Refusal> {
        self.replace(slot, Absence::Resigned)
    }

    fn replace(&mut self, slot: Option<PlayerSlot>, why: Absence) -> Result<(), Refusal> {
        let (place, _) = self.playing(slot)?;
        match self.people[place].absence {
            Some(Absence::Resigned) => return Err(Refusal::Resigned),
            Some(Absence::Late | Absence::Away) if why != Absence::Resigned => {
                return Err(Refusal::Substituted);
            }
            Some(Absence::Late | Absence::Away) | None => {}
        }
        if why != Absence::Resigned && !self.others_wait(place) {
            return Err(Refusal::Alone);
        }
        self.substitute(place, why)
    }

    /// Whether another person plays on.
    fn others_wait(&self, place: usize) -> bool {
        let others = self.people.iter().enumerate().filter(|(other, _)| *other != place);
        others.into_iter().any(|(_, person)| person.absence.is_none())
    }

    /// Lets a bot play for the person at this place.
    pub(super) fn substitute(&mut self, place: usize, why: Absence) -> Result<(), Refusal> {
        let chance = self.chance();
        let players = self.options.people + self.options.bots.len();
        let person = self.people.get_mut(place).ok_or(Refusal::NoSeat)?;
        let seat = person.seat.ok_or(Refusal::NotBegun)?;
        let game = self.game.as_mut().ok_or(Refusal::NotBegun)?;
        let substitute = started(bot::<G>(G::SUBSTITUTE)?.bot(), &person.name, &chance, players);
        person.absence = Some(why);
        game.replace(seat, substitute, why);
        self.journal.push(JournalEntry::Replaced { person: place, why });
        Ok(())
    }

    /// Gives a person the seat back that a bot plays.
    pub(crate) fn come_back(&mut self, slot: Option<PlayerSlot>) -> Result<(), Refusal> {
        let (place, _) = self.playing(slot)?;
        match self.people[place].absence {
            Some(Absence::Resigned) => Err(Refusal::Resigned),
            Some(Absence::Late | Absence::Away) => self.give_back(place),
            None => Err(Refusal::Present),
        }
    }

    /// Gives the person at this place the seat back.
    pub(super) fn give_back(&mut self, place: usize) -> Result<(), Refusal> {
        let person = self.people.get_mut(place).ok_or(Refusal::NoSeat)?;
        let seat = person.seat.ok_or(Refusal::NotBegun)?;
        let game = self.game.as_mut().ok_or(Refusal::NotBegun)?;
        person.absence = None;
        game.give_back(seat);
        self.journal.push(JournalEntry::Returned { person: place });
        Ok(())
    }

    /// Replaces the person whose turn it is by a bot if the time for the move is over, or if other people wait and the person's
    /// page has been closed for some minutes. Returns whether that happened. `is_present` says whose page is open.
    pub(crate) fn enforce_time(
        &mut self,
        now: Instant,
        is_present: impl Fn(PlayerSlot) -> bool,
    ) -> bool {
        let Some((place, moves)) = self.person_to_act() else { return false };
        self.clock.tick(moves, now, is_present(self.people[place].slot));
        if !self.others_wait(place) && self.people.len() > 1 {
            return false;
        }
        let late = self.options.move_time.is_some_and(|limit| self.clock.move_time() >= limit);
        let is_away = self.clock.away_time() >= AWAY && self.others_wait(place);
        let why = if late { Absence::Late } else { Absence::Away };
        (late || is_away) && self.substitute(place, why).is_ok()
    }

    /// The person whose turn it is, by the place among the people, and the number of moves before.
    pub(super) fn person_to_act(&self) -> Option<(usize, usize)> {
        let game = self.game.as_ref()?;
        let seat = game.turn()?;
        let is_acting = |person: &Person| person.seat == Some(seat) && person.absence.is_none();
        Some((self.people.iter().position(is_acting)?, game.count_moves()))
    }
}
