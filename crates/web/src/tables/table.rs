//! A table, from its opening to the end of the game.

use dicehill_arena::{BotName, Program, Start};
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Chance, Seat};

use super::finished_game::FinishedGame;
use super::live_game::{BotAnswer, BotTurn, LiveGame, Player, Recipients};
use super::seat_token::SeatTokenHash;
use super::table_options::{TableOptions, name_of_person};
use super::{Refusal, SeatToken, TableGame, TableId};
use crate::model::table::{PlayerDocument, Stage, TableDocument};

/// A person at a table, by the order in which people took seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayerSlot(pub(super) usize);

/// A table, from its opening to the end of the game.
pub(crate) struct Table<G: TableGame> {
    id: TableId,
    options: TableOptions<G>,
    people: Vec<Person>,
    game: Option<LiveGame<G>>,
}

struct Person {
    name: String,
    token: SeatTokenHash,
    /// `None` until the game has begun.
    seat: Option<Seat>,
}

impl<G: TableGame> Table<G> {
    /// A table without people.
    pub(crate) const fn new(id: TableId, options: TableOptions<G>) -> Self {
        Self { id, options, people: Vec::new(), game: None }
    }

    /// The number of seats for people.
    pub(crate) const fn slots(&self) -> usize {
        self.options.people
    }

    /// Takes a free seat, and begins the game if it was the last.
    pub(crate) fn sit(&mut self, name: Option<&str>) -> Result<SeatToken, Refusal> {
        if self.people.len() == self.options.people {
            return Err(Refusal::Full);
        }
        let name = name_of_person(name, self.people.len() + 1)?;
        if self.is_taken(&name) {
            return Err(Refusal::NameTaken(name.to_string()));
        }
        let token = SeatToken::draw()?;
        self.people.push(Person { name: name.to_string(), token: token.hash(), seat: None });
        if self.people.len() == self.options.people {
            self.begin();
        }
        Ok(token)
    }

    /// Whether a player has this name, or one that looks like it.
    fn is_taken(&self, name: &BotName) -> bool {
        let bots = self.options.bots.iter().map(|(name, _)| name);
        let mut names = self.people.iter().map(|person| &person.name).chain(bots);
        names.any(|taken| name.looks_like(taken))
    }

    fn begin(&mut self) {
        let chance = Chance::new(&self.options.seed.text);
        let players = self.options.people + self.options.bots.len();
        let people = self.people.iter().map(|person| (person.name.clone(), Player::Person));
        let bots = self.options.bots.iter().map(|(name, house)| {
            let id = chance.game_id(1, name);
            let seed = chance.bot_seed(1, name);
            let mut bot = house.bot();
            bot.start(&Start { game: 1, id, players, seed });
            (name.clone(), Player::Bot(Some(bot)))
        });
        let mut seats: Vec<_> = people.chain(bots).collect();
        seats.sort_by_key(|(name, _)| chance.seat_key(1, name));
        let game = LiveGame::new(self.options.rules, chance.table(1), seats);
        for (seat, name) in Seat::all(players).zip(game.names()) {
            if let Some(person) = self.people.iter_mut().find(|person| person.name == *name) {
                person.seat = Some(seat);
            }
        }
        self.game = Some(game);
    }

    /// The person with this token. It is compared with every person's, so that the time does not depend on the match.
    pub(crate) fn slot(&self, token: Option<&str>) -> Option<PlayerSlot> {
        let token = token?;
        let people = self.people.iter().enumerate();
        people.fold(
            None,
            |found, (slot, person)| {
                if person.token.matches(token) { Some(PlayerSlot(slot)) } else { found }
            },
        )
    }

    fn seat(&self, slot: PlayerSlot) -> Option<Seat> {
        self.people.get(slot.0)?.seat
    }

    fn slot_at(&self, seat: Seat) -> Option<PlayerSlot> {
        self.people.iter().position(|person| person.seat == Some(seat)).map(PlayerSlot)
    }

    /// Performs an action of a person. Returns the only person who may notice it, or `None` if everyone may.
    pub(crate) fn act(
        &mut self,
        slot: Option<PlayerSlot>,
        action: &str,
        known: usize,
    ) -> Result<Option<PlayerSlot>, Refusal> {
        let seat = self.seated(slot)?;
        let game = self.game.as_mut().ok_or(Refusal::NotBegun)?;
        let audience = game.act(seat, action, known)?;
        Ok(self.only_viewer(audience))
    }

    fn seated(&self, slot: Option<PlayerSlot>) -> Result<Seat, Refusal> {
        let slot = slot.ok_or(Refusal::NoSeat)?;
        self.seat(slot).ok_or(Refusal::NotBegun)
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

    /// Puts the bot back and applies its answer. Returns whether everyone may notice that.
    pub(crate) fn apply_bot_answer(&mut self, answer: BotAnswer<G>) -> bool {
        let audience = self.game.as_mut().map(|game| game.apply_bot_answer(answer));
        audience == Some(Recipients::Everyone)
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

    /// The table as a person, or a visitor, may see it.
    pub(crate) fn document(&self, slot: Option<PlayerSlot>, version: u64) -> TableDocument {
        let mut document = TableDocument {
            id: self.id.to_string(),
            game: G::NAME,
            title: G::TITLE,
            rules: self.options.rules.to_string(),
            version,
            seed_given: self.options.seed.given,
            free_seats: self.options.people - self.people.len(),
            players: self.players(),
            you: slot.map(|slot| slot.0),
            moves: 0,
            stage: Stage::Gathering,
            turn: None,
            happenings: Vec::new(),
            yahtzee: None,
            liars_dice: None,
            results: None,
        };
        if let Some(game) = &self.game {
            game.show(slot.and_then(|slot| self.seat(slot)), &mut document);
        }
        document
    }

    fn players(&self) -> Vec<PlayerDocument> {
        let people = self.people.iter().map(|person| (&person.name, None));
        let bots = self.options.bots.iter().map(|(name, house)| (name, Some(house.about())));
        let all = people.chain(bots).map(|(name, about)| PlayerDocument {
            name: name.clone(),
            bot: about.map(str::to_owned),
        });
        let mut players: Vec<_> = all.collect();
        if let Some(game) = &self.game {
            let seat =
                |player: &PlayerDocument| game.names().iter().position(|name| *name == player.name);
            players.sort_by_key(seat);
        }
        players
    }
}
