//! A worker's games in progress, many at a time, between house bots and processes.

use std::io;
use std::time::Instant;

use dicehill_rules::{Chance, Game, Seat};

use crate::played::{begin, finish};
use crate::pool::{Feed, Offer};
use crate::recall::{Recall, Recalled, recall};
use crate::{
    AnswerSum, Answered, Bot, Desk, EntrantId, Failure, Fixture, Hill, Play, Played, Schedule,
    Server, wait,
};

/// Games that one worker has open, at most.
const MOST_OPEN: usize = 256;

/// Answers after which new requests are written, so that the processes do not wait for us.
const PIECE: usize = 16;

/// How a game came out of a worker's hands.
pub(crate) enum Outcome<G: Game> {
    /// It is played.
    Played(Played<G>),
    /// It was played before.
    Recalled(Recalled),
    /// Its record cannot be read, or the arena could not start a bot.
    Error(io::Error),
    /// It has to be played again, alone, before anybody is charged.
    Suspect(Suspect),
}

impl<G: Game> Outcome<G> {
    pub(crate) fn of(played: io::Result<Played<G>>) -> Self {
        played.map_or_else(Self::Error, Self::Played)
    }
}

/// A game that broke off because a process failed that had begun other games too, or by the clock.
pub(crate) struct Suspect {
    /// The game.
    pub(crate) fixture: Fixture,
    /// Whose process it was.
    pub(crate) entrant: EntrantId,
    /// What happened.
    pub(crate) failure: Failure,
}

/// The games that one thread plays at the same time, and the processes that play them.
///
/// Each entrant has a process of its own here for each place in a block: the games of one block share
/// none.
pub(crate) struct Tables<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    schedule: &'a Schedule<'a, G>,
    recorded: &'a dyn Recall,
    stations: Vec<Station<G>>,
    /// By desk.
    open: Vec<Option<Open<'a, G>>>,
    /// Desks at which no game is open.
    free: Vec<Desk>,
    /// The next game, taken and still without a place in some process.
    next: Option<Fixture>,
    answers: Vec<Answered<G>>,
    /// When requests were last written or answers taken: finer than that no time is measured.
    now: Instant,
}

/// Where the process of an entrant is kept.
struct Station<G: Game> {
    entrant: EntrantId,
    lane: u64,
    server: Box<dyn Server<G>>,
    /// How many games it has begun.
    games: u64,
    /// The games that it has open.
    desks: Vec<Desk>,
}

/// A game in progress.
struct Open<'a, G: Game> {
    fixture: Fixture,
    play: Play<'a, G>,
    /// By seat.
    players: Vec<Player<G>>,
    /// How long each seat took so far, if it is a process.
    times: Vec<Option<AnswerSum>>,
    /// When the request that waits was written.
    asked: Instant,
}

/// Who answers at a seat.
enum Player<G: Game> {
    /// Code in this process.
    House(Box<dyn Bot<G>>),
    /// The process at this station.
    Away(usize),
    /// Nobody any more.
    Gone(Failure),
}

impl<'a, G: Game> Tables<'a, G> {
    pub(crate) fn new(
        hill: &'a Hill<G>,
        chance: &'a Chance,
        schedule: &'a Schedule<'a, G>,
        recorded: &'a dyn Recall,
    ) -> Self {
        Self {
            hill,
            chance,
            schedule,
            recorded,
            stations: Vec::new(),
            open: (0..MOST_OPEN).map(|_| None).collect(),
            free: (0..MOST_OPEN).rev().map(Desk).collect(),
            next: None,
            answers: Vec::new(),
            now: Instant::now(),
        }
    }

    /// Plays what the feed gives until it ends. Piece `n` is game `n + 1`.
    pub(crate) fn work(&mut self, feed: &Feed<'_, Outcome<G>>) {
        while self.seat_games(feed) && !feed.is_closed() {
            self.stations.iter_mut().for_each(|station| station.server.flush());
            let ready = wait(self.stations.iter().map(|station| station.server.wishes()));
            self.now = Instant::now();
            for station in (0..ready.len()).filter(|station| ready[*station]) {
                self.step(station, feed);
            }
        }
    }

    /// Opens as many games as there are places for; false once there is nothing left to do.
    fn seat_games(&mut self, feed: &Feed<'_, Outcome<G>>) -> bool {
        while self.next.is_some() || !self.free.is_empty() {
            let Some(fixture) = self.next.take().or_else(|| self.next_game(feed)) else { break };
            match self.find_places(&fixture) {
                Some(players) => self.open_game(fixture, players, feed),
                None => {
                    self.next = Some(fixture);
                    break;
                }
            }
        }
        self.is_busy() || self.next.is_some()
    }

    fn is_busy(&self) -> bool {
        self.free.len() < MOST_OPEN
    }

    /// The next game that has to be played.
    fn next_game(&self, feed: &Feed<'_, Outcome<G>>) -> Option<Fixture> {
        loop {
            let piece = self.next_piece(feed)?;
            let fixture = self.schedule.fixture(piece + 1);
            match recall(self.recorded, self.hill, &fixture) {
                Ok(None) => return Some(fixture),
                Ok(Some(recalled)) => feed.done(piece, Outcome::Recalled(recalled)),
                Err(error) => feed.done(piece, Outcome::Error(error)),
            }
        }
    }

    fn next_piece(&self, feed: &Feed<'_, Outcome<G>>) -> Option<u64> {
        if !self.is_busy() {
            return feed.take();
        }
        match feed.offer() {
            Offer::Piece(piece) => Some(piece),
            Offer::Later | Offer::End => None,
        }
    }

    /// Who answers at each seat of a game; `None` as long as some process has no place for it.
    fn find_places(&mut self, fixture: &Fixture) -> Option<Vec<Player<G>>> {
        if self.free.is_empty() {
            return None;
        }
        let lane = (fixture.game - 1) % self.hill.format().games_per_block();
        let mut players = Vec::with_capacity(fixture.seats.len());
        for id in &fixture.seats {
            players.push(match self.station(*id, lane) {
                None => Player::House(self.hill.entrant(*id).program.bot()),
                Some(index) => {
                    let Station { server, desks, .. } = &self.stations[index];
                    if desks.len() >= server.capacity() {
                        return None;
                    }
                    Player::Away(index)
                }
            });
        }
        Some(players)
    }

    /// The station of an entrant, with a process that is not spent; `None` of code in this process.
    fn station(&mut self, entrant: EntrantId, lane: u64) -> Option<usize> {
        let program = &self.hill.entrant(entrant).program;
        let own = |one: &Station<G>| one.entrant == entrant && one.lane == lane;
        if let Some(index) = self.stations.iter().position(own) {
            let station = &mut self.stations[index];
            if station.desks.is_empty() && station.server.capacity() == 0 {
                station.server = program.server()?;
                station.games = 0;
            }
            return Some(index);
        }
        let server = program.server()?;
        self.stations.push(Station { entrant, lane, server, games: 0, desks: Vec::new() });
        Some(self.stations.len() - 1)
    }

    fn open_game(
        &mut self,
        fixture: Fixture,
        mut players: Vec<Player<G>>,
        feed: &Feed<'_, Outcome<G>>,
    ) {
        let desk = self.free.pop().expect("places were found, a desk among them");
        let (play, starts) = begin(self.hill, self.chance, &fixture, Vec::new());
        for (player, start) in players.iter_mut().zip(&starts) {
            match player {
                Player::House(bot) => bot.start(start),
                Player::Away(station) => {
                    let station = &mut self.stations[*station];
                    station.games += 1;
                    station.desks.push(desk);
                    station.server.start(desk, start);
                }
                Player::Gone(_) => {}
            }
        }
        let is_away = |player: &Player<G>| matches!(player, Player::Away(_));
        let times = players.iter().map(|player| is_away(player).then(AnswerSum::default)).collect();
        self.open[desk.0] = Some(Open { fixture, play, players, times, asked: self.now });
        self.advance(desk, feed);
    }

    /// Plays on until a process is asked, or the game is over.
    fn advance(&mut self, desk: Desk, feed: &Feed<'_, Outcome<G>>) {
        loop {
            let Some(Open { play, players, asked, .. }) = &mut self.open[desk.0] else { return };
            let Some((seat, view)) = play.turn() else { break };
            let answer = match &mut players[seat.index()] {
                Player::House(bot) => bot.act(&view),
                Player::Gone(failure) => Err(failure.clone()),
                Player::Away(station) => {
                    *asked = self.now;
                    return self.stations[*station].server.ask(desk, &view);
                }
            };
            self.answer(desk, seat, answer);
        }
        self.finish(desk, feed);
    }

    /// Tells everybody what an answer shows, and has it judged.
    fn answer(&mut self, desk: Desk, seat: Seat, answer: Result<G::Action, Failure>) {
        let Some(Open { play, players, .. }) = &mut self.open[desk.0] else { return };
        if let Some(action) = play.revealing(&answer) {
            for player in players.iter_mut() {
                match player {
                    Player::House(bot) => bot.reveal(play.game(), action),
                    Player::Away(at) => {
                        self.stations[*at].server.reveal(desk, play.game(), action);
                    }
                    Player::Gone(_) => {}
                }
            }
        }
        play.answer(answer);
        if let Some(why) = play.refusal() {
            match &mut players[seat.index()] {
                Player::House(bot) => bot.refused(why),
                Player::Away(at) => self.stations[*at].server.refused(desk, why),
                Player::Gone(_) => {}
            }
        }
    }

    fn finish(&mut self, desk: Desk, feed: &Feed<'_, Outcome<G>>) {
        let Some(Open { fixture, play, players, times, .. }) = self.close(desk) else { return };
        for (seat, player) in Seat::first(players.len()).zip(players) {
            let finished = play.finished(seat);
            match player {
                Player::House(mut bot) => bot.end(&finished),
                Player::Away(at) => self.stations[at].server.end(desk, &finished),
                Player::Gone(_) => {}
            }
        }
        let piece = fixture.game - 1;
        feed.done(piece, Outcome::of(finish(self.hill, play, fixture, times)));
    }

    /// Takes the game from its desk and from all stations.
    fn close(&mut self, desk: Desk) -> Option<Open<'a, G>> {
        let open = self.open[desk.0].take()?;
        for player in &open.players {
            if let Player::Away(at) = player {
                self.stations[*at].desks.retain(|other| *other != desk);
            }
        }
        self.free.push(desk);
        Some(open)
    }

    fn step(&mut self, station: usize, feed: &Feed<'_, Outcome<G>>) {
        let mut answers = std::mem::take(&mut self.answers);
        let stepped = self.stations[station].server.step(&mut answers);
        for (number, (desk, answer)) in (1..).zip(answers.drain(..)) {
            // Whoever gets new requests now works while we judge the others' answers.
            if number % PIECE == 0 {
                self.stations.iter_mut().for_each(|station| station.server.flush());
            }
            if let Some(seat) = self.take_time(desk) {
                self.answer(desk, seat, answer);
                self.advance(desk, feed);
            }
        }
        self.answers = answers;
        if let Err(failure) = stepped {
            self.fail(station, &failure, feed);
        }
    }

    /// Whose answer has come, once its time is noted.
    fn take_time(&mut self, desk: Desk) -> Option<Seat> {
        let Open { play, times, asked, .. } = self.open[desk.0].as_mut()?;
        let (seat, _) = play.turn()?;
        if let Some(sum) = &mut times[seat.index()] {
            sum.add(self.now.saturating_duration_since(*asked));
        }
        Some(seat)
    }

    /// A process has failed: in its only game it is charged with it, unless a clock says so. Otherwise
    /// nobody is charged yet, for another game may be the cause, and which those were depends on how
    /// many workers there are.
    fn fail(&mut self, station: usize, failure: &Failure, feed: &Feed<'_, Outcome<G>>) {
        let desks = std::mem::take(&mut self.stations[station].desks);
        let is_only_game = self.stations[station].games == 1;
        let alone =
            (is_only_game && !failure.reason.is_by_the_clock()) || failure.reason.is_arena_error();
        for desk in desks {
            if alone {
                self.charge(desk, station, failure);
                self.advance(desk, feed);
            } else {
                self.suspect(desk, station, failure, feed);
            }
        }
    }

    fn charge(&mut self, desk: Desk, station: usize, failure: &Failure) {
        let Some(open) = &mut self.open[desk.0] else { return };
        let own = |player: &&mut Player<G>| matches!(player, Player::Away(at) if *at == station);
        if let Some(player) = open.players.iter_mut().find(own) {
            *player = Player::Gone(failure.clone());
        }
    }

    fn suspect(
        &mut self,
        desk: Desk,
        station: usize,
        failure: &Failure,
        feed: &Feed<'_, Outcome<G>>,
    ) {
        let entrant = self.stations[station].entrant;
        let Some(Open { fixture, players, .. }) = self.close(desk) else { return };
        for player in players {
            match player {
                Player::Away(at) if at != station => self.stations[at].server.abandon(desk),
                Player::Away(_) | Player::House(_) | Player::Gone(_) => {}
            }
        }
        let piece = fixture.game - 1;
        let failure = failure.clone();
        feed.done(piece, Outcome::Suspect(Suspect { fixture, entrant, failure }));
    }
}
