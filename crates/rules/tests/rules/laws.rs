//! The laws that all games share, tested for both games and all variants of their rules.
//!
//! `DICEHILL_LAW_SEQUENCES` sets the number of random sequences for each; the default is 100,000.

mod checker;

use checker::{Draw, Subject, check_laws};
use dicehill_rules::liars_dice::{self, Bid, LiarsDice, LiarsDiceRules, TURN_LIMIT};
use dicehill_rules::yahtzee::{self, Category, Keep, Scorecard, Yahtzee, YahtzeeRules};
use dicehill_rules::{Face, Game, PublicInfo, Seat, SeatResult};

fn sequences() -> u64 {
    match std::env::var("DICEHILL_LAW_SEQUENCES") {
        Ok(text) => text.parse().expect("DICEHILL_LAW_SEQUENCES is a number"),
        Err(_) => 100_000,
    }
}

#[test]
fn official_yahtzee_keeps_the_laws() {
    check_laws::<Yahtzee>(YahtzeeRules::Official, sequences());
}

#[test]
fn mego_2016_yahtzee_keeps_the_laws() {
    check_laws::<Yahtzee>(YahtzeeRules::Mego2016, sequences());
}

#[test]
fn official_liars_dice_keeps_the_laws() {
    check_laws::<LiarsDice>(LiarsDiceRules::Official, sequences());
}

#[test]
fn superjedi_2015_liars_dice_keeps_the_laws() {
    check_laws::<LiarsDice>(LiarsDiceRules::Superjedi2015, sequences());
}

/// A new variant of the rules needs its own test above.
#[test]
fn every_variant_has_a_test() {
    assert_eq!(Yahtzee::RULES, [YahtzeeRules::Official, YahtzeeRules::Mego2016]);
    assert_eq!(LiarsDice::RULES, [LiarsDiceRules::Official, LiarsDiceRules::Superjedi2015]);
}

fn results<G: Game>(game: &G, seats: usize) -> Vec<SeatResult> {
    Seat::all(seats).map(|seat| game.result(seat)).collect()
}

fn any_category(draw: &mut Draw) -> Category {
    Category::ALL[draw.below(13) as usize]
}

/// Some of the dice, in any order.
fn any_keep(draw: &mut Draw) -> Keep {
    let mut indexes = [0, 1, 2, 3, 4];
    for last in (1..5).rev() {
        indexes.swap(last, draw.below(last as u64 + 1) as usize);
    }
    let count = draw.below(6) as usize;
    Keep::new(indexes[..count].iter().copied()).expect("distinct indexes below 5")
}

impl Subject for Yahtzee {
    /// All actions.
    fn universe(&self) -> Vec<yahtzee::Action> {
        let fills = Category::ALL.map(yahtzee::Action::Fill);
        Keep::all().map(yahtzee::Action::Keep).chain(fills).collect()
    }

    fn propose(&self, draw: &mut Draw) -> yahtzee::Action {
        if draw.one_in(3) {
            return yahtzee::Action::Keep(any_keep(draw));
        }
        let public = PublicInfo::default();
        let legal = match self.view(&public) {
            Some(view) if !draw.one_in(4) => view.legal(),
            Some(_) | None => return yahtzee::Action::Fill(any_category(draw)),
        };
        let place = draw.below(legal.len() as u64) as usize;
        yahtzee::Action::Fill(legal.iter().nth(place).expect("a place below their number"))
    }

    fn check_state(&self, seats: usize) {
        assert_eq!(self.cards().len(), seats);
        self.cards().iter().for_each(check_card);
        let best = self.cards().iter().map(Scorecard::score).max();
        for (card, result) in self.cards().iter().zip(results(self, seats)) {
            assert_eq!(result.figures, [u64::from(card.score()), 0, 0, 0]);
            let won = Some(card.score()) == best;
            assert_eq!((result.points, result.won), (u64::from(won), won));
        }
        check_progress(self);
        check_scores(self);
    }

    fn check_step(before: &Self, after: &Self, action: Option<&yahtzee::Action>) {
        let seat = before.to_act().expect("a seat was to act");
        match action.expect("a forfeit makes the game void") {
            yahtzee::Action::Keep(keep) => {
                assert_eq!(before.cards(), after.cards());
                assert_eq!((after.to_act(), after.round()), (Some(seat), before.round()));
                assert_eq!(after.stage(), before.stage() + 1);
                let kept = keep.indexes().map(|index| before.dice()[index]);
                assert!(kept.eq(after.dice()[5 - keep.count()..].iter().copied()));
            }
            yahtzee::Action::Fill(category) => {
                let box_score = before.cards()[seat.index()].box_score(*category, before.dice());
                assert_eq!(after.cards()[seat.index()].filled(*category), Some(box_score));
                for other in (0..before.cards().len()).filter(|other| *other != seat.index()) {
                    assert_eq!(before.cards()[other], after.cards()[other]);
                }
            }
        }
    }
}

/// The score is the sum of the boxes and both bonuses.
fn check_card(card: &Scorecard) {
    let sum = |categories: &[Category]| -> u32 {
        categories.iter().filter_map(|category| card.filled(*category)).map(u32::from).sum()
    };
    let (upper, lower) = Category::ALL.split_at(6);
    assert_eq!(card.upper_total(), sum(upper));
    assert_eq!(card.upper_bonus(), if sum(upper) >= 63 { 35 } else { 0 });
    let boxes = sum(upper) + sum(lower);
    assert_eq!(card.score(), boxes + card.upper_bonus() + card.yahtzee_bonus());
    let fifty = card.filled(Category::Yahtzee) == Some(50);
    let zero_pays = card.rules() == YahtzeeRules::Mego2016;
    let may_earn = fifty || zero_pays && card.filled(Category::Yahtzee) == Some(0);
    let most = if may_earn { 100 * (12 - card.free().len() as u32) } else { 0 };
    assert!(card.yahtzee_bonus().is_multiple_of(100) && card.yahtzee_bonus() <= most, "{card:?}");
}

/// Everybody fills one box a round.
fn check_progress(game: &Yahtzee) {
    let acting = game.to_act().map_or(0, Seat::index);
    assert_eq!(game.has_ended(), game.round() == 14, "{game:?}");
    assert!(game.stage() <= 2, "{game:?}");
    for (seat, card) in game.cards().iter().enumerate() {
        let filled = game.round() - 1 + u32::from(seat < acting);
        assert_eq!(card.free().len() as u32, 13 - filled, "{game:?}");
    }
}

/// The scores in a view are ascending and current.
fn check_scores(game: &Yahtzee) {
    let public = PublicInfo::default();
    let Some(view) = game.view(&public) else { return };
    let mut scores: Vec<_> = game.cards().iter().map(Scorecard::score).collect();
    scores.sort_unstable();
    assert_eq!(view.scores, scores);
}

fn bid(count: u64, face: Face) -> Bid {
    let count = count.clamp(1, u64::from(Bid::MAX_COUNT));
    Bid::new(count as u32, face).expect("a count in range")
}

fn any_face(draw: &mut Draw) -> Face {
    Face::ALL[draw.below(6) as usize]
}

impl Subject for LiarsDice {
    /// The call, the lowest and the highest bids, and all around the last one.
    fn universe(&self) -> Vec<liars_dice::Action> {
        let last = self.bids().last().map_or(1, |bid| u64::from(bid.count()));
        let most = u64::from(Bid::MAX_COUNT);
        let around = last.saturating_sub(3)..last + 4;
        let counts = (1..4).chain(around).chain([1000]).chain(most - 2..most + 1);
        let bids = counts.flat_map(|count| Face::ALL.map(|face| bid(count, face)));
        bids.map(liars_dice::Action::Bid).chain([liars_dice::Action::Call]).collect()
    }

    fn propose(&self, draw: &mut Draw) -> liars_dice::Action {
        if draw.one_in(4) {
            return liars_dice::Action::Call;
        }
        let last = self.bids().last().map_or(1, |bid| u64::from(bid.count()));
        let count = match draw.below(100) {
            0 => u64::from(Bid::MAX_COUNT) - draw.below(2),
            1..5 => draw.below(100_000),
            5..20 => last.saturating_sub(1),
            20..60 => last,
            _ => last + 1 + draw.below(2),
        };
        liars_dice::Action::Bid(bid(count, any_face(draw)))
    }

    /// After the call, bids are listed in ascending order.
    fn is_beyond(last: &liars_dice::Action, action: &liars_dice::Action) -> bool {
        match (last, action) {
            (liars_dice::Action::Bid(last), liars_dice::Action::Bid(bid)) => bid > last,
            (liars_dice::Action::Call, _) | (_, liars_dice::Action::Call) => false,
        }
    }

    fn check_state(&self, seats: usize) {
        assert!(self.seats().is_sorted_by(|a, b| a < b), "{self:?}");
        assert!(self.seats().iter().all(|seat| seat.index() < seats), "{self:?}");
        assert!(self.bids().is_sorted_by(|a, b| a < b), "{self:?}");
        check_points(self, seats);
        match self.to_act() {
            Some(seat) => check_table(self, seat),
            None => check_end(self),
        }
    }

    fn check_step(before: &Self, after: &Self, action: Option<&liars_dice::Action>) {
        assert_eq!(after.turns(), before.turns() + 1);
        if let Some(liars_dice::Action::Bid(bid)) = action {
            assert_eq!(after.bids().split_last(), Some((bid, before.bids())));
            assert_eq!((after.hands(), after.seats()), (before.hands(), before.seats()));
        } else if !after.has_ended() {
            let left = if action.is_none() { dice_of_actor(before) } else { 0 };
            assert_eq!(dice_on_table(after), dice_on_table(before) - left);
            assert_eq!((after.round(), after.bids()), (before.round() + 1, &[][..]));
        }
        let out = before.seats().len() - after.seats().len();
        assert!(out <= 1 && (action.is_some() || out == 1), "{before:?} {after:?}");
    }
}

/// The identity of a set: each turn is a point, each call moves one die, the winner has 1000 points.
fn check_points(game: &LiarsDice, seats: usize) {
    let results = results(game, seats);
    let sum_of = |figure: usize| results.iter().map(|result| result.figures[figure]).sum::<u64>();
    let (turns, calls, dice_gained) = (sum_of(0), sum_of(1), sum_of(2));
    let wins = results.iter().filter(|result| result.won).count() as u64;
    assert_eq!((turns, calls), (u64::from(game.turns()), dice_gained), "{game:?}");
    assert_eq!(wins, u64::from(game.winner().is_some()));
    let points: u64 = results.iter().map(|result| result.points).sum();
    assert_eq!(points, 1000 * wins + turns + 10 * calls, "{game:?}");
}

/// Hands and numbers of dice agree, and every player still in has dice.
fn check_table(game: &LiarsDice, to_act: Seat) {
    let public = PublicInfo::default();
    let view = game.view(&public).expect("the game goes on");
    assert!(game.seats().len() >= 2 && game.seats()[view.you] == to_act, "{game:?}");
    let lengths = game.hands().iter().map(|hand| hand.faces().len());
    assert!(lengths.eq(view.counts.iter().map(|count| usize::from(*count))), "{game:?}");
    assert!(view.counts.iter().all(|count| *count > 0), "{game:?}");
    assert_eq!(view.dice, game.hands()[view.you].faces());
    assert_eq!(view.bids, game.bids());
    assert_eq!(game.winner(), None);
}

/// The last player has won, or the turn limit has ended the game.
fn check_end(game: &LiarsDice) {
    match game.seats() {
        [last] => assert_eq!(game.winner(), Some(*last)),
        _ => assert!(game.winner().is_none() && game.turns() >= TURN_LIMIT, "{game:?}"),
    }
}

fn dice_on_table(game: &LiarsDice) -> usize {
    game.hands().iter().map(|hand| hand.faces().len()).sum()
}

fn dice_of_actor(game: &LiarsDice) -> usize {
    let acting = game.seats().iter().position(|seat| Some(*seat) == game.to_act());
    game.hands()[acting.expect("the seat to act is still in")].faces().len()
}
