//! Liar's Dice at a table.

use dicehill_arena::Move;
use dicehill_bots::HouseBot;
use dicehill_rules::liars_dice::{
    Action, Bid, Hand, LiarsDice, Odds, dice_in_words, dice_that_count,
};
use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};

use super::TableGame;
use super::finished_game::FinishedGame;
use super::table_game::TablePosition;
use crate::model::table::liars_dice::{
    BidDocument, HolderDocument, LiarsDiceDocument, LiarsDiceReport, LiarsDiceTurn, LowestBid,
};
use crate::model::table::{
    HandDocument, HintChoice, HintDocument, ReportDocument, TableDocument, TableEvent,
};

const NOTE: &str = "Best first, with the probability of being right: that the last bid does not hold, or that the new one does. The probabilities are exact for your dice and fair, independent dice of the others. They ignore the information in bids. A bid that is likely to hold helps you only until the next player raises it.";

impl TableGame for LiarsDice {
    const MAX_SEATS: usize = 5;
    const ABOUT: &'static str = "Players roll in secret; bids rise until a player calls the last bidder a liar. The last player with dice wins.";
    const USUAL_OPPONENTS: &'static [&'static str] = &["badnomial", "nobody", "pirate"];

    fn house_bots() -> Vec<HouseBot<Self>> {
        dicehill_bots::liars_dice_bots().into()
    }

    fn show(position: TablePosition<'_, Self>, viewer: Option<Seat>, document: &mut TableDocument) {
        let TablePosition { game, turn } = position;
        document.liars_dice = Some(LiarsDiceDocument {
            round: game.round(),
            // At the end, the dice that changed hands last have not been rolled.
            seats: if turn.is_some() { holders(game) } else { Vec::new() },
            dice: viewer.filter(|_| turn.is_some()).and_then(|seat| hand_of(game, seat)),
            bids: bids(game),
            turn: (viewer.is_some() && viewer == turn).then(|| self::turn(game)),
            winner: game.winner().map(Seat::index),
        });
    }

    /// Everyone sees bids, and all hands after a call.
    fn event(before: &Self, names: &[String], action: &Action) -> Option<TableEvent> {
        let player = before.to_act()?.index();
        let round = before.round();
        Some(match (action, before.bids().last()) {
            (Action::Bid(bid), _) => {
                let text = format!("{} bids {}", names[player], bid.in_words());
                TableEvent { number: 0, round, player, text, hands: Vec::new(), face: None }
            }
            (Action::Call, last) => {
                let bid = *last?;
                let text = call(before, names, bid)?;
                let face = Some(bid.face().pips());
                TableEvent { number: 0, round, player, text, hands: hands(before), face }
            }
        })
    }

    fn round_of(&self) -> u32 {
        self.round()
    }

    fn own_dice(&self) -> Vec<u8> {
        self.to_act().and_then(|seat| hand_of(self, seat)).unwrap_or_default()
    }

    fn in_words(&self, action: &Action) -> String {
        match action {
            Action::Bid(bid) => format!("Bid {}", bid.in_words()),
            Action::Call => match self.last_bid_holds() {
                Some(true) => "Liar! The bid holds".to_owned(),
                Some(false) | None => "Liar! The bid falls".to_owned(),
            },
        }
    }

    fn hint(&self) -> HintDocument {
        let public = PublicInfo::default();
        let Some(view) = self.view(&public) else {
            return HintDocument { note: NOTE, choices: Vec::new() };
        };
        let odds = |bid| Odds::for_bid(bid, view.dice, view.hidden_dice()).reduced();
        let call = view.last_bid().map(|last| (Action::Call, odds(last).against()));
        // Higher bids on the same face are less likely to hold.
        let lowest = Bid::above(view.last_bid()).take(Face::ALL.len());
        let mut ranked: Vec<_> =
            call.into_iter().chain(lowest.map(|bid| (Action::Bid(bid), odds(bid)))).collect();
        ranked.sort_by(|(_, a), (_, b)| b.chance().total_cmp(&a.chance()));
        HintDocument { note: NOTE, choices: ranked.into_iter().map(choice).collect() }
    }

    fn appraise<D: Dice>(finished: &FinishedGame<Self, D>, report: &mut ReportDocument) {
        let mut reports = vec![LiarsDiceReport::default(); finished.seats];
        finished.walk(|game, seat, one| {
            reports[seat.index()].turns += 1;
            let is_call = matches!(one, Move::Acted(Action::Call));
            let holds = game.last_bid_holds().filter(|_| is_call);
            let bidder = bidder_before(game, seat);
            match (holds, bidder) {
                (Some(true), Some(bidder)) => {
                    reports[seat.index()].calls_wrong += 1;
                    reports[bidder.index()].bids_held += 1;
                }
                (Some(false), Some(bidder)) => {
                    reports[seat.index()].calls_right += 1;
                    reports[bidder.index()].bids_fallen += 1;
                }
                (None, _) | (_, None) => {}
            }
        });
        report.liars_dice = Some(reports);
    }
}

fn choice((action, odds): (Action, Odds)) -> HintChoice {
    let text = match action {
        Action::Bid(bid) => format!("Bid {}", bid.in_words()),
        Action::Call => "Call \u{201c}Liar!\u{201d}".to_owned(),
    };
    HintChoice {
        action: action.to_string(),
        text,
        value: None,
        loss: None,
        chance: Some(odds.chance()),
        exact: Some(odds.to_string()),
    }
}

fn holders(game: &LiarsDice) -> Vec<HolderDocument> {
    let holder = |(seat, hand): (&Seat, &Hand)| HolderDocument {
        player: seat.index(),
        dice: hand.faces().len(),
    };
    game.seats().iter().zip(game.hands()).map(holder).collect()
}

fn hand_of(game: &LiarsDice, seat: Seat) -> Option<Vec<u8>> {
    let position = game.seats().iter().position(|other| *other == seat)?;
    Some(pips(&game.hands()[position]))
}

fn hands(game: &LiarsDice) -> Vec<HandDocument> {
    let hand =
        |(seat, hand): (&Seat, &Hand)| HandDocument { player: seat.index(), dice: pips(hand) };
    game.seats().iter().zip(game.hands()).map(hand).collect()
}

fn pips(hand: &Hand) -> Vec<u8> {
    hand.faces().iter().map(|die| die.pips()).collect()
}

/// The bids of this round with their bidders: the last one came from the seat before the one to act.
fn bids(game: &LiarsDice) -> Vec<BidDocument> {
    let Some(to_act) = game.position_to_act() else { return Vec::new() };
    let seats = game.seats();
    let bids = game.bids();
    let bid = |(index, bid): (usize, &Bid)| {
        let back = (bids.len() - index) % seats.len();
        let player = seats[(to_act + seats.len() - back) % seats.len()].index();
        BidDocument { player, count: bid.count(), face: bid.face().pips() }
    };
    bids.iter().enumerate().map(bid).collect()
}

fn turn(game: &LiarsDice) -> LiarsDiceTurn {
    let last = game.bids().last().copied();
    let lowest = Bid::above(last).next();
    LiarsDiceTurn {
        may_call: last.is_some(),
        lowest: lowest.map(|bid| LowestBid { count: bid.count(), face: bid.face().pips() }),
        most: game.hands().iter().map(|hand| hand.faces().len() as u32).sum(),
    }
}

/// The seat before `seat` among those still in. If `seat` is to act, it is the last bidder.
fn bidder_before(game: &LiarsDice, seat: Seat) -> Option<Seat> {
    let seats = game.seats();
    let position = seats.iter().position(|other| *other == seat)?;
    seats.get((position + seats.len() - 1) % seats.len()).copied()
}

/// `anna: Liar! There are three fours: the bid falls, and bayes gives anna a die`
fn call(game: &LiarsDice, names: &[String], bid: Bid) -> Option<String> {
    let caller = game.to_act()?;
    let bidder = bidder_before(game, caller)?;
    let shown = game.hands().iter().map(|hand| dice_that_count(hand.faces(), bid.face()));
    let there: u32 = shown.sum();
    let (giver, taker, verdict) = match game.last_bid_holds()? {
        true => (caller, bidder, "the bid holds"),
        false => (bidder, caller, "the bid falls"),
    };
    let [verb, there] = [if there == 1 { "is" } else { "are" }, &dice_in_words(there, bid.face())];
    let is_last = hand_of(game, giver).is_some_and(|hand| hand.len() == 1);
    let last = if is_last { ", the last one" } else { "" };
    let [caller, giver, taker] = [caller, giver, taker].map(|seat| &names[seat.index()]);
    Some(format!(
        "{caller} calls: Liar! There {verb} {there}: {verdict}, and {giver} gives {taker} a die{last}"
    ))
}
