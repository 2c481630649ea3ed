//! A table, from its opening to the end of the game.

use dicehill_arena::{Bot, BotName, Move, Program, Start};
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Chance, Seat};

use super::finished_game::FinishedGame;
use super::live_game::{BotAnswer, BotTurn, LiveGame, Player, Recipients};
use super::move_clock::MoveClock;
use super::seat_token::SeatTokenHash;
use super::stored_table::{JournalEntry, recorded_failure};
use super::table_options::{TableOptions, name_of_person};
use super::{Refusal, SeatToken, TableGame, TableId};
use crate::model::table::{Absence, PlayerDocument, Stage, TableDocument};

/// A person at a table, by a number that no other person has there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayerSlot(pub(super) usize);

/// A table, from its opening to the end of the game.
pub(crate) struct Table<G: TableGame> {
    pub(super) id: TableId,
    pub(super) options: TableOptions<G>,
    pub(super) people: Vec<Person>,
    pub(super) game: Option<LiveGame<G>>,
    pub(super) journal: Vec<JournalEntry>,
    pub(super) clock: MoveClock,
    pub(super) rematch: Option<TableId>,
}

/// A person at a table.
pub(super) struct Person {
    pub(super) name: String,
    pub(super) token: SeatTokenHash,
    pub(super) slot: PlayerSlot,
    /// `None` until the game has begun.
    pub(super) seat: Option<Seat>,
    /// Why a bot plays for the person.
    pub(super) absence: Option<Absence>,
}

impl<G: TableGame> Table<G> {
    /// A table without people.
    pub(crate) fn new(id: TableId, options: TableOptions<G>) -> Self {
        Self {
            id,
            options,
            people: Vec::new(),
            game: None,
            journal: Vec::new(),
            clock: MoveClock::default(),
            rematch: None,
        }
    }

    /// The number of seats for people.
    pub(crate) const fn slots(&self) -> usize {
        self.options.people
    }

    /// Takes a free seat, and begins the game if it was the last.
    pub(crate) fn sit(&mut self, name: Option<&str>) -> Result<SeatToken, Refusal> {
        let token = SeatToken::draw()?;
        self.seat_person(name, token.hash())?;
        Ok(token)
    }

    /// Gives a free seat to the person with this token, and begins the game if it was the last.
    pub(super) fn seat_person(
        &mut self,
        name: Option<&str>,
        token: SeatTokenHash,
    ) -> Result<(), Refusal> {
        let free = |slot: &usize| self.people.iter().all(|person| person.slot.0 != *slot);
        let slot = (0..self.options.people).find(free).map(PlayerSlot).ok_or(Refusal::Full)?;
        let name = name_of_person(name, |name| self.is_taken(name))?.to_string();
        self.people.push(Person { name, token, slot, seat: None, absence: None });
        if self.people.len() == self.options.people {
            self.begin();
        }
        Ok(())
    }

    /// Whether a player has this name, or one that looks like it.
    fn is_taken(&self, name: &BotName) -> bool {
        let bots = self.options.bots.iter().map(|(name, _)| name);
        let mut names = self.people.iter().map(|person| &person.name).chain(bots);
        names.any(|taken| name.looks_like(taken))
    }

    pub(super) fn chance(&self) -> Chance {
        Chance::new(&self.options.seed.text)
    }

    fn begin(&mut self) {
        let chance = self.chance();
        let players = self.options.people + self.options.bots.len();
        let people = self.people.iter().map(|person| (person.name.clone(), Player::Person));
        let bots = self.options.bots.iter().map(|(name, house)| {
            (name.clone(), Player::Bot(Some(started(house.bot(), name, &chance, players))))
        });
        let mut seats: Vec<_> = people.chain(bots).collect();
        seats.sort_by_key(|(name, _)| chance.seat_key(1, name));
        let game = LiveGame::new(self.options.rules, chance.table(1), seats);
        for (seat, name) in Seat::all(players).zip(game.names()) {
            if let Some(person) = self.people.iter_mut().find(|person| person.name == *name) {
                person.seat = Some(seat);
            }
        }
        self.game = Some(game.opened(self.options.is_open));
    }

    /// The person with this token. It is compared with every person's, so that the time does not depend on the match.
    pub(crate) fn slot(&self, token: Option<&str>) -> Option<PlayerSlot> {
        let token = token?;
        self.people.iter().fold(None, |found, person| {
            if person.token.matches(token) { Some(person.slot) } else { found }
        })
    }

    pub(super) fn place(&self, slot: PlayerSlot) -> Option<usize> {
        self.people.iter().position(|person| person.slot == slot)
    }

    fn seat(&self, slot: PlayerSlot) -> Option<Seat> {
        self.people[self.place(slot)?].seat
    }

    fn slot_at(&self, seat: Seat) -> Option<PlayerSlot> {
        self.people.iter().find(|person| person.seat == Some(seat)).map(|person| person.slot)
    }

    /// Performs an action of a person. Returns the only person who may notice it, or `None` if everyone may.
    pub(crate) fn act(
        &mut self,
        slot: Option<PlayerSlot>,
        action: &str,
        known: usize,
    ) -> Result<Option<PlayerSlot>, Refusal> {
        let seat = self.seated(slot)?;
        let absence =
            self.people.iter().find(|one| one.seat == Some(seat)).and_then(|one| one.absence);
        let game = self.game.as_mut().ok_or(Refusal::NotBegun)?;
        match absence {
            _ if game.is_over() => return Err(Refusal::Over),
            Some(Absence::Resigned) => return Err(Refusal::Resigned),
            Some(Absence::Late | Absence::Away) => return Err(Refusal::Substituted),
            None => {}
        }
        let audience = game.act(seat, action, known)?;
        self.record_move();
        Ok(self.only_viewer(audience))
    }

    /// Adds the last move to the journal.
    fn record_move(&mut self) {
        let entry = match self.game.as_ref().and_then(LiveGame::last_move) {
            Some(Move::Acted(action)) => JournalEntry::Acted(action.to_string()),
            Some(Move::Failed(failure)) => JournalEntry::Failed {
                reason: failure.reason.name().to_owned(),
                detail: failure.detail.clone(),
            },
            None => return,
        };
        self.journal.push(entry);
    }

    pub(super) fn seated(&self, slot: Option<PlayerSlot>) -> Result<Seat, Refusal> {
        let slot = slot.ok_or(Refusal::NoSeat)?;
        self.seat(slot).ok_or(Refusal::NotBegun)
    }

    /// Repeats an entry of the journal.
    ///
    /// # Errors
    /// If it is not possible here.
    pub(super) fn repeat(&mut self, entry: &JournalEntry) -> Result<(), Refusal> {
        let game = self.game.as_mut().ok_or(Refusal::NotBegun)?;
        match entry {
            JournalEntry::Acted(action) => game.repeat(action)?,
            JournalEntry::Failed { reason, detail } => {
                game.repeat_failure(recorded_failure(reason, detail)?)?;
            }
            JournalEntry::Replaced { person, why } => return self.substitute(*person, *why),
            JournalEntry::Returned { person } => return self.give_back(*person),
        }
        self.record_move();
        Ok(())
    }

    /// The only person of an audience; `None` if it is everyone.
    fn only_viewer(&self, audience: Recipients) -> Option<PlayerSlot> {
        match audience {
            Recipients::Everyone => None,
            Recipients::Only(seat) => self.slot_at(seat),
        }
    }

    /// Takes the bot whose turn it is out of the game, with the position it acts in.
    pub(crate) fn take_bot_turn(&mut self) -> Option<BotTurn<G>> {
        self.game.as_mut()?.take_bot_turn()
    }

    /// Puts the bot back and applies its answer. Returns who may notice that; `None` if the answer is not used.
    pub(crate) fn apply_bot_answer(&mut self, answer: BotAnswer<G>) -> Option<Recipients> {
        let audience = self.game.as_mut()?.apply_bot_answer(answer)?;
        self.record_move();
        Some(audience)
    }

    /// The position for a hint to a person whose turn it is.
    pub(crate) fn hint_position(&self, slot: Option<PlayerSlot>) -> Result<G, Refusal> {
        let seat = self.seated(slot)?;
        let game = self.game.as_ref().ok_or(Refusal::NotBegun)?;
        match game.turn() {
            None => Err(Refusal::Over),
            Some(turn) if turn == seat => Ok(game.state().clone()),
            Some(_) => Err(Refusal::NotYourTurn),
        }
    }

    /// The seed and the finished game.
    ///
    /// # Errors
    /// If the game is not over.
    pub(crate) fn finished(&self) -> Result<(String, FinishedGame<G, TableDice>), Refusal> {
        let game = self.game.as_ref().ok_or(Refusal::NotOver)?;
        Ok((self.options.seed.text.clone(), game.finished()?))
    }

    /// The name of a person of a game that is over.
    ///
    /// # Errors
    /// If the game is not over, or the client is a visitor.
    pub(crate) fn name_at_end(&self, slot: Option<PlayerSlot>) -> Result<String, Refusal> {
        let place = slot.and_then(|slot| self.place(slot)).ok_or(Refusal::NoSeat)?;
        self.finished()?;
        Ok(self.people[place].name.clone())
    }

    /// The table as a person, or a visitor, may see it.
    pub(crate) fn document(&self, slot: Option<PlayerSlot>, version: u64) -> TableDocument {
        let mut document = TableDocument {
            id: self.id.to_string(),
            game: G::NAME,
            title: G::TITLE,
            rules: self.options.rules.to_string(),
            version,
            seed_given: self.options.seed.given,
            open: self.options.is_open,
            move_seconds: self.options.move_seconds(),
            seconds_left: self.seconds_left(slot),
            free_seats: self.options.people - self.people.len(),
            players: self.players(),
            you: slot.and_then(|slot| self.place(slot)),
            moves: 0,
            stage: Stage::Gathering,
            turn: None,
            happenings: Vec::new(),
            yahtzee: None,
            liars_dice: None,
            results: None,
            rematch: slot.and(self.rematch).map(|id| id.to_string()),
        };
        if let Some(game) = &self.game {
            game.show(slot.and_then(|slot| self.seat(slot)), &mut document);
        }
        document
    }

    /// Each action starts the clock again: where others do not see every action, they do not see the clock either.
    fn seconds_left(&self, slot: Option<PlayerSlot>) -> Option<u32> {
        let (acting, moves) = self.person_to_act()?;
        let hides_actions = G::CAN_BE_OPEN && !self.options.is_open;
        if hides_actions && slot.and_then(|slot| self.place(slot)) != Some(acting) {
            return None;
        }
        Some(self.clock.seconds_left(moves, self.options.move_time?))
    }

    fn players(&self) -> Vec<PlayerDocument> {
        let people = self.people.iter().map(|person| PlayerDocument {
            name: person.name.clone(),
            bot: None,
            absence: person.absence,
        });
        let bots = self.options.bots.iter().map(|(name, house)| PlayerDocument {
            name: name.clone(),
            bot: Some(house.about().to_owned()),
            absence: None,
        });
        let mut players: Vec<_> = people.chain(bots).collect();
        if let Some(game) = &self.game {
            let seat =
                |player: &PlayerDocument| game.names().iter().position(|name| *name == player.name);
            players.sort_by_key(seat);
        }
        players
    }
}

/// A bot that has learned that the game begins. Its seed follows from the name at the table.
pub(super) fn started<G: TableGame>(
    mut bot: Box<dyn Bot<G>>,
    name: &str,
    chance: &Chance,
    players: usize,
) -> Box<dyn Bot<G>> {
    let (id, seed) = (chance.game_id(1, name), chance.bot_seed(1, name));
    bot.start(&Start { game: 1, id, players, seed });
    bot
}
