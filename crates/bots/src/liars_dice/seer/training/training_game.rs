//! One training game.

use dicehill_arena::{Audience, Play, Start};
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules, View};
use dicehill_rules::{Chance, PublicInfo, Seat};

use super::population::{Player, PlayerKind, Population};
use super::training_counts::{OpenBid, TrainingCounts};
use crate::liars_dice::seer::evaluation::evaluator::ActionValue;
use crate::liars_dice::seer::features::observed_turn::turns_of_round;
use crate::liars_dice::seer::features::round_start::RoundStart;
use crate::liars_dice::seer::model::parameters::{HOLD_BINS, TABLES};
use crate::split_mix64::SplitMix64;

/// The opponents in a game, which determine what is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OpponentSet {
    /// The bot with players of all kinds: counts how all of them play, and the outcomes of its own bids.
    Mixed,
    /// Copies of the bot: counts which states are won between equals. Games with other players would bias that estimate, because a
    /// player that has few dice there usually has strong opponents.
    Copies,
}

/// A seat with its player.
struct TrainingSeat {
    /// Index of its kind in the population.
    kind: usize,
    player: Player,
    /// The bot's own bids in this round; empty for other players.
    own_bids: Vec<OpenBid>,
    /// The bot's states at the start of each round; empty for other players.
    starts: Vec<RoundStart>,
}

/// Plays the game with this seed and number and counts it. Returns whether the bot has won; with copies, whether the first has.
pub(crate) fn play(
    population: &Population,
    opponents: OpponentSet,
    (seed, game): (&str, u64),
    counts: &mut TrainingCounts,
) -> bool {
    let chance = Chance::new(seed);
    let mut table = draw_table(population, opponents, &chance, game);
    let public = PublicInfo::default();
    let dice = chance.table(game);
    let mut play = Play::<LiarsDice>::new(LiarsDiceRules::Official, dice, table.len(), public);
    while let Some((seat, view)) = play.turn() {
        if view.bids.is_empty() {
            record_start(&view, &mut table);
        }
        let seated = &mut table[seat.index()];
        let answer = seated.player.bot().act(&view);
        seated.record_own_bid(view.players());
        play.judge(answer, &mut TrainingTable { seats: &mut table, opponents, counts });
    }
    if matches!(opponents, OpponentSet::Copies) {
        count_starts(play.game().winner(), &mut table, counts);
    }
    let is_ours = |seated: &TrainingSeat| matches!(seated.player, Player::Seer(_));
    let ours = table.iter().position(is_ours);
    play.game().winner().is_some_and(|winner| ours == Some(winner.index()))
}

/// Draws a table: two seats in one of four games, else three to five. One seat is the bot's; the others are drawn, or are copies.
fn draw_table(
    population: &Population,
    opponents: OpponentSet,
    chance: &Chance,
    game: u64,
) -> Vec<TrainingSeat> {
    let kinds: Vec<_> = population.kinds().collect();
    let mut rng = SplitMix64::new(chance.bot_seed(game, "seats"));
    let seats = if rng.below(4) == 0 { 2 } else { 3 + rng.below(3) };
    let ours = rng.below(seats);
    let own = kinds
        .iter()
        .position(|kind| *kind == PlayerKind::Seer)
        .expect("the bot is one of the kinds");
    let drawn = (0..seats).map(|seat| {
        let any = rng.below(kinds.len() as u32) as usize;
        let is_ours = seat == ours || matches!(opponents, OpponentSet::Copies);
        let kind = if is_ours { own } else { any };
        let seed = chance.bot_seed(game, &seat.to_string());
        let mut player = population.player(kinds[kind], seed);
        player.bot().start(&Start { game, id: game, players: seats as usize, seed });
        TrainingSeat { kind, player, own_bids: Vec::new(), starts: Vec::new() }
    });
    drawn.collect()
}

/// Records the states of the bots at the start of a round.
fn record_start(view: &View<'_>, table: &mut [TrainingSeat]) {
    for (position, seat) in view.seats().iter().enumerate() {
        let seated = &mut table[seat.index()];
        if matches!(seated.player, Player::Seer(_)) {
            seated.starts.push(RoundStart::new(view.counts, position, view.you));
        }
    }
}

fn count_starts(winner: Option<Seat>, table: &mut [TrainingSeat], counts: &mut TrainingCounts) {
    for (seat, seated) in Seat::all(table.len()).zip(table) {
        for start in seated.starts.drain(..) {
            counts.add_start(start, winner == Some(seat));
        }
    }
}

/// The players of a training game, whose rounds are counted when they end.
struct TrainingTable<'a> {
    seats: &'a mut [TrainingSeat],
    opponents: OpponentSet,
    counts: &'a mut TrainingCounts,
}

impl Audience<LiarsDice> for TrainingTable<'_> {
    fn reveal(&mut self, game: &LiarsDice, action: &Action) {
        if matches!(self.opponents, OpponentSet::Mixed) {
            count_round(game, self.seats, self.counts);
        }
        for seated in self.seats.iter_mut() {
            seated.player.bot().reveal(game, action);
        }
    }

    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String> {
        self.seats[seat.index()].player.bot().refused(why)
    }
}

/// Counts the turns of a round that ends with a call, and its outcome for the bot.
fn count_round(game: &LiarsDice, table: &mut [TrainingSeat], counts: &mut TrainingCounts) {
    let turns = turns_of_round(game);
    for (seat, turn) in &turns {
        counts.add_turn(table[seat.index()].kind, turn);
    }
    let [.., (bidder, _), (caller, _)] = turns.as_slice() else { return };
    let holds = game.last_bid_holds().expect("a bid is called");
    let (winner, loser) = if holds { (bidder, caller) } else { (caller, bidder) };
    if let Some(called) = table.get_mut(bidder.index()) {
        called.own_bids.pop();
    }
    for (seat, seated) in Seat::all(table.len()).zip(table) {
        let gained = (seat == *winner).then_some(true).or((seat == *loser).then_some(false));
        seated.count(gained, counts);
    }
}

impl TrainingSeat {
    /// Records the probability that the bot gave to its own bid.
    fn record_own_bid(&mut self, players: usize) {
        let Player::Seer(seer) = &self.player else { return };
        let Some(ActionValue { action: Action::Bid(_), holds, .. }) = seer.last_action else {
            return;
        };
        let bin = ((holds * HOLD_BINS as f64) as usize).min(HOLD_BINS - 1);
        self.own_bids.push(OpenBid { table: (players - 2).min(TABLES - 1), bin });
    }

    /// Counts the outcome of a round for the bot's bids.
    fn count(&mut self, gained: Option<bool>, counts: &mut TrainingCounts) {
        if matches!(self.player, Player::Other(_)) {
            return;
        }
        for bid in self.own_bids.drain(..) {
            counts.add_raise(bid, gained);
        }
    }
}
