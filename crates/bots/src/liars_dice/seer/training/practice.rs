//! A game of the training.

use dicehill_arena::{Play, Start};
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules, View};
use dicehill_rules::{Chance, Public, Seat};

use super::population::{Kind, Player, Population};
use super::tally::{OwnBid, Tally};
use crate::draw::Draw;
use crate::liars_dice::seer::holdings::Holdings;
use crate::liars_dice::seer::outlook::Prospect;
use crate::liars_dice::seer::parameters::{CHANCES, TABLES};
use crate::liars_dice::seer::turn_taken::turns_of_round;

/// Who plays, and what is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Company {
    /// Our player with others: how all of them play, and what becomes of its bids.
    Mixed,
    /// Copies of our player: which positions are won between equals. Of tables with others it could not be told
    /// from them, since who holds few dice there has most often strong opponents.
    Copies,
}

/// A seat and who sits there.
struct Seated {
    /// Place among all kinds.
    kind: usize,
    player: Player,
    /// Its own bids of this round, if it is our player.
    own_bids: Vec<OwnBid>,
    /// What it had at the starts of rounds, if it is our player.
    starts: Vec<Holdings>,
}

/// Plays the game of this number of a generation and counts it; says whether our player has won, or the first
/// of its copies.
pub(super) fn play(
    population: &Population,
    company: Company,
    (seed, game): (&str, u64),
    tally: &mut Tally,
) -> bool {
    let chance = Chance::new(seed);
    let mut table = seat(population, company, &chance, game);
    let public = Public::default();
    let dice = chance.table(game);
    let mut play = Play::<LiarsDice>::new(LiarsDiceRules::Official, dice, table.len(), public);
    while let Some((seat, view)) = play.turn() {
        if view.bids.is_empty() {
            note_start(&view, &mut table);
        }
        let seated = &mut table[seat.index()];
        let answer = seated.player.bot().act(&view);
        seated.note_own_bid(view.players());
        if let Some(action) = play.revealing(&answer) {
            if matches!(company, Company::Mixed) {
                count_round(play.game(), &mut table, tally);
            }
            tell(play.game(), action, &mut table);
        }
        play.answer(answer);
    }
    if matches!(company, Company::Copies) {
        count_starts(play.game().winner(), &mut table, tally);
    }
    let is_ours = |seated: &Seated| matches!(seated.player, Player::Seer(_));
    let ours = table.iter().position(is_ours);
    play.game().winner().is_some_and(|winner| ours == Some(winner.index()))
}

/// Two seats in one of four games, else three to five. One is our player's; the others are drawn, or copies.
fn seat(population: &Population, company: Company, chance: &Chance, game: u64) -> Vec<Seated> {
    let kinds: Vec<_> = population.kinds().collect();
    let mut draw = Draw::new(chance.bot_seed(game, "seats"));
    let seats = if draw.below(4) == 0 { 2 } else { 3 + draw.below(3) };
    let ours = draw.below(seats);
    let own = kinds.iter().position(|kind| *kind == Kind::Seer).expect("our player is a kind");
    let drawn = (0..seats).map(|seat| {
        let any = draw.below(kinds.len() as u32) as usize;
        let is_ours = seat == ours || matches!(company, Company::Copies);
        let kind = if is_ours { own } else { any };
        let seed = chance.bot_seed(game, &seat.to_string());
        let mut player = population.player(kinds[kind], seed);
        player.bot().start(&Start { game, id: game, players: seats as usize, seed });
        Seated { kind, player, own_bids: Vec::new(), starts: Vec::new() }
    });
    drawn.collect()
}

/// Takes note of what our players have at the start of a round.
fn note_start(view: &View<'_>, table: &mut [Seated]) {
    for (position, seat) in view.seats().iter().enumerate() {
        let seated = &mut table[seat.index()];
        if matches!(seated.player, Player::Seer(_)) {
            seated.starts.push(Holdings::new(view.counts, position, view.you));
        }
    }
}

fn count_starts(winner: Option<Seat>, table: &mut [Seated], tally: &mut Tally) {
    for (seat, seated) in Seat::first(table.len()).zip(table) {
        for holdings in seated.starts.drain(..) {
            tally.add_start(holdings, winner == Some(seat));
        }
    }
}

fn tell(game: &LiarsDice, action: &Action, table: &mut [Seated]) {
    for seated in table {
        seated.player.bot().reveal(game, action);
    }
}

/// Counts the turns of a round that ends with a call, and what it brought our players.
fn count_round(game: &LiarsDice, table: &mut [Seated], tally: &mut Tally) {
    let turns = turns_of_round(game);
    for (seat, turn) in &turns {
        tally.add_turn(table[seat.index()].kind, turn);
    }
    let [.., (bidder, _), (caller, _)] = turns.as_slice() else { return };
    let holds = game.last_bid_holds().expect("a bid is called");
    let (winner, loser) = if holds { (bidder, caller) } else { (caller, bidder) };
    if let Some(called) = table.get_mut(bidder.index()) {
        called.own_bids.pop();
    }
    for (seat, seated) in Seat::first(table.len()).zip(table) {
        let gained = (seat == *winner).then_some(true).or((seat == *loser).then_some(false));
        seated.count(gained, tally);
    }
}

impl Seated {
    /// Takes note of what our player expected of the bid it just made.
    fn note_own_bid(&mut self, players: usize) {
        let Player::Seer(seer) = &self.player else { return };
        let Some(Prospect { action: Action::Bid(_), holds, .. }) = seer.taken else { return };
        let class = ((holds * CHANCES as f64) as usize).min(CHANCES - 1);
        self.own_bids.push(OwnBid { table: (players - 2).min(TABLES - 1), class });
    }

    /// Counts what a round brought our player.
    fn count(&mut self, gained: Option<bool>, tally: &mut Tally) {
        if matches!(self.player, Player::Other(_)) {
            return;
        }
        for bid in self.own_bids.drain(..) {
            tally.add_raise(bid, gained);
        }
    }
}
