//! A table, from the first who sits down to the end of the game.

use dicehill_arena::{Program, Start};
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Chance, Seat};

use super::order::{Order, name_of_person};
use super::seat_token::SeatLock;
use super::session::{Audience, Conclusion, Player, Session, Thought};
use super::table_game::FinishedGame;
use super::{Refusal, SeatToken, TableGame, TableId};
use crate::model::table::{PlayerDocument, Stage, TableDocument};

/// A person at a table, by the order in which people sat down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chair(pub(super) usize);

/// A table, from the first who sits down to the end of the game.
pub(crate) struct Table<G: TableGame> {
    id: TableId,
    order: Order<G>,
    people: Vec<Person>,
    session: Option<Session<G>>,
}

struct Person {
    name: String,
    lock: SeatLock,
    /// Known once the game has begun.
    seat: Option<Seat>,
}

impl<G: TableGame> Table<G> {
    /// A table at which nobody sits yet.
    pub(crate) const fn new(id: TableId, order: Order<G>) -> Self {
        Self { id, order, people: Vec::new(), session: None }
    }

    /// Seats for people.
    pub(crate) const fn places(&self) -> usize {
        self.order.people
    }

    /// Takes a free seat, and begins the game if that was the last.
    pub(crate) fn sit(&mut self, name: Option<&str>) -> Result<SeatToken, Refusal> {
        if self.people.len() == self.order.people {
            return Err(Refusal::Full);
        }
        let name = name_of_person(name, self.people.len() + 1)?.to_string();
        if self.is_taken(&name) {
            return Err(Refusal::NameTaken(name));
        }
        let token = SeatToken::draw()?;
        self.people.push(Person { name, lock: token.lock(), seat: None });
        if self.people.len() == self.order.people {
            self.begin();
        }
        Ok(token)
    }

    fn is_taken(&self, name: &str) -> bool {
        let bots = self.order.bots.iter().map(|(name, _)| name);
        let mut names = self.people.iter().map(|person| &person.name).chain(bots);
        names.any(|taken| taken.to_lowercase() == name.to_lowercase())
    }

    fn begin(&mut self) {
        let chance = Chance::new(&self.order.seed.text);
        let players = self.order.people + self.order.bots.len();
        let people = self.people.iter().map(|person| (person.name.clone(), Player::Person));
        let bots = self.order.bots.iter().map(|(name, house)| {
            let (id, seed) = (chance.game_id(1, name), chance.bot_seed(1, name));
            let mut bot = house.bot();
            bot.start(&Start { game: 1, id, players, seed });
            (name.clone(), Player::Bot(Some(bot)))
        });
        let mut seats: Vec<_> = people.chain(bots).collect();
        seats.sort_by_key(|(name, _)| chance.seat_key(1, name));
        let session = Session::new(self.order.rules, chance.table(1), seats);
        for (seat, name) in Seat::first(players).zip(session.names()) {
            if let Some(person) = self.people.iter_mut().find(|person| person.name == *name) {
                person.seat = Some(seat);
            }
        }
        self.session = Some(session);
    }

    /// Who has this token. All are compared, however many there are.
    pub(crate) fn chair(&self, token: Option<&str>) -> Option<Chair> {
        let token = token?;
        let people = self.people.iter().enumerate();
        people.fold(
            None,
            |found, (chair, person)| {
                if person.lock.opens_with(token) { Some(Chair(chair)) } else { found }
            },
        )
    }

    fn seat(&self, chair: Chair) -> Option<Seat> {
        self.people.get(chair.0)?.seat
    }

    fn chair_at(&self, seat: Seat) -> Option<Chair> {
        self.people.iter().position(|person| person.seat == Some(seat)).map(Chair)
    }

    /// An action of a person. Says who learns of it: everybody, or one.
    pub(crate) fn act(
        &mut self,
        chair: Option<Chair>,
        action: &str,
        known: usize,
    ) -> Result<Option<Chair>, Refusal> {
        let seat = self.seated(chair)?;
        let session = self.session.as_mut().ok_or(Refusal::NotBegun)?;
        let audience = session.act(seat, action, known)?;
        Ok(self.learning(audience))
    }

    fn seated(&self, chair: Option<Chair>) -> Result<Seat, Refusal> {
        let chair = chair.ok_or(Refusal::NoSeat)?;
        self.seat(chair).ok_or(Refusal::NotBegun)
    }

    /// The only person who learns of something; `None` if all do.
    fn learning(&self, audience: Audience) -> Option<Chair> {
        match audience {
            Audience::Everybody => None,
            Audience::Only(seat) => self.chair_at(seat),
        }
    }

    /// What the bot whose turn it is has to think about.
    pub(crate) fn thought(&mut self) -> Option<Thought<G>> {
        self.session.as_mut()?.thought()
    }

    /// The bot has thought. Says whether anybody learns of what it does.
    pub(crate) fn conclude(&mut self, conclusion: Conclusion<G>) -> bool {
        let audience = self.session.as_mut().map(|session| session.conclude(conclusion));
        audience == Some(Audience::Everybody)
    }

    /// The position of the person who asks what to do in its turn.
    pub(crate) fn question(&self, chair: Option<Chair>) -> Result<G, Refusal> {
        let seat = self.seated(chair)?;
        let session = self.session.as_ref().ok_or(Refusal::NotBegun)?;
        match session.turn() {
            None => Err(Refusal::Over),
            Some(turn) if turn == seat => Ok(session.game().clone()),
            Some(_) => Err(Refusal::NotYourTurn),
        }
    }

    /// The game and its seed, once it is over.
    pub(crate) fn finished(&self) -> Result<(String, FinishedGame<G, TableDice>), Refusal> {
        let session = self.session.as_ref().ok_or(Refusal::NotOver)?;
        Ok((self.order.seed.text.clone(), session.finished()?))
    }

    /// The table as a person, or a visitor, may see it.
    pub(crate) fn document(&self, chair: Option<Chair>, version: u64) -> TableDocument {
        let mut document = TableDocument {
            id: self.id.to_string(),
            game: G::NAME,
            title: G::TITLE,
            rules: self.order.rules.to_string(),
            version,
            seed_given: self.order.seed.given,
            free_seats: self.order.people - self.people.len(),
            players: self.players(),
            you: chair.map(|chair| chair.0),
            moves: 0,
            stage: Stage::Gathering,
            turn: None,
            happenings: Vec::new(),
            yahtzee: None,
            liars_dice: None,
            results: None,
        };
        if let Some(session) = &self.session {
            session.show(chair.and_then(|chair| self.seat(chair)), &mut document);
        }
        document
    }

    fn players(&self) -> Vec<PlayerDocument> {
        let people = self.people.iter().map(|person| (&person.name, None));
        let bots = self.order.bots.iter().map(|(name, house)| (name, Some(house.about())));
        let all = people.chain(bots).map(|(name, about)| PlayerDocument {
            name: name.clone(),
            bot: about.map(str::to_owned),
        });
        let mut players: Vec<_> = all.collect();
        if let Some(session) = &self.session {
            let seat = |player: &PlayerDocument| {
                session.names().iter().position(|name| *name == player.name)
            };
            players.sort_by_key(seat);
        }
        players
    }
}
