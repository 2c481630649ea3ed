//! Liar's Dice at a table.

use dicehill_arena::Move;
use dicehill_bots::HouseBot;
use dicehill_coach::liars_dice::{AppraisedDecision, AppraisedGame, AppraisedSeat};
use dicehill_rules::liars_dice::{
    Action, Bid, Hand, LiarsDice, Odds, dice_in_words, dice_that_count,
};
use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};

use super::TableGame;
use super::finished_game::FinishedGame;
use super::table_game::{PlayedAction, TablePosition};
use crate::model::table::liars_dice::{
    BidDocument, HolderDocument, LiarsDiceDocument, LiarsDiceMistake, LiarsDiceReport,
    LiarsDiceTurn, LowestBid,
};
use crate::model::table::{
    EventKind, HandDocument, HintChoice, HintDocument, ReportDocument, TableDocument, TableEvent,
};

/// The most decisions of a report.
const WORST: usize = 5;

const NOTE: &str = "Best first, with the probability of being right: that the last bid does not hold, or that the new one does. The probabilities are exact for your dice and fair, independent dice of the others. They ignore the information in bids. A bid that is likely to hold helps you only until the next player raises it.";

impl TableGame for LiarsDice {
    const MAX_SEATS: usize = 5;
    const ABOUT: &'static str = "Players roll in secret; bids rise until a player calls the last bidder a liar. The last player with dice wins.";
    const USUAL_OPPONENTS: &'static [&'static str] = &["badnomial", "nobody", "pirate"];
    const HOW_TO_PLAY: &'static str = "Everyone has five dice and rolls them in secret. A bid such as \u{201c}four fives\u{201d} claims that at least four of all dice show a five. Ones are wild: they count as every face. Each bid must be higher than the one before: more dice, or as many dice with a higher face. Instead of bidding, a player may call the last bidder a liar. Then all dice are shown and counted. If the bid holds, the caller gives the bidder a die; if it falls, the bidder gives the caller a die. The player who gained the die begins the next round. A player without dice is out. The last player with dice wins.";
    const EXAMPLE: &'static str = "Anna holds 1 1 2 4 6, Ben 1 2 2 3 5 and Carl 1 3 3 4 6. Anna bids three sixes, Ben raises to four twos, Carl to six fours. Anna calls: Liar! All dice are shown. There are two fours and four ones, which makes six: the bid holds. Anna gives Carl a die, and Carl begins the next round.";
    const SUBSTITUTE: &'static str = "badnomial";
    const CAN_BE_OPEN: bool = false;

    fn house_bots() -> Vec<HouseBot<Self>> {
        dicehill_bots::liars_dice_bots().into()
    }

    fn show(position: TablePosition<'_, Self>, viewer: Option<Seat>, document: &mut TableDocument) {
        let TablePosition { game, turn, .. } = position;
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
    fn event(played: PlayedAction<'_, Self>) -> Option<TableEvent> {
        let PlayedAction { before, action, names, .. } = played;
        let player = before.to_act()?.index();
        let event = |kind, text| TableEvent::new(kind, before.round(), player, text);
        Some(match action {
            Action::Bid(bid) => TableEvent {
                bid: Some(bid_of(player, *bid)),
                seats: before.counts(),
                ..event(EventKind::Bid, format!("{} bids {}", names[player], bid.in_words()))
            },
            Action::Call => {
                let called = Called::of(before)?;
                TableEvent {
                    hands: hands(before),
                    face: Some(called.bid.face().pips()),
                    bid: Some(bid_of(called.bidder.index(), called.bid)),
                    holds: Some(called.holds),
                    seats: called.counts_after(before),
                    ..event(EventKind::Call, called.in_words(before, names)?)
                }
            }
        })
    }

    fn counts(&self) -> Vec<HolderDocument> {
        holders(self)
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
        let why = |action: Action| match (action, view.last_bid()) {
            (Action::Bid(bid), _) => why_it_holds(bid, view.dice, view.hidden_dice()),
            (Action::Call, Some(last)) => {
                let why = why_it_holds(last, view.dice, view.hidden_dice());
                format!("You are right if {} do not hold. {why}", last.in_words())
            }
            (Action::Call, None) => String::new(),
        };
        let choice = |(action, odds)| choice(action, odds, why(action));
        HintDocument { note: NOTE, choices: ranked.into_iter().map(choice).collect() }
    }

    fn appraise<D: Dice>(finished: &FinishedGame<Self, D>, report: &mut ReportDocument) {
        let replay = finished.replay(&report.seed);
        let appraised = AppraisedGame::new(finished.rules, &replay, |_| true);
        let mut reports: Vec<_> = appraised.seats.iter().map(worth).collect();
        reports.resize(finished.seats(), LiarsDiceReport::default());
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

/// What the decisions at a seat were worth.
fn worth(seat: &AppraisedSeat) -> LiarsDiceReport {
    let mut mistakes: Vec<_> = seat.steps.iter().filter(|step| step.loss > 0.0).collect();
    mistakes.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    let beyond = |step: &AppraisedDecision| {
        f64::from(step.dice()) - step.infoset.value(step.chosen).unwrap_or(0.0)
    };
    LiarsDiceReport {
        decisions: seat.steps.len(),
        mistakes: mistakes.len(),
        lost: seat.steps.iter().map(|step| step.loss).sum(),
        luck: seat.steps.iter().map(beyond).sum(),
        worst: mistakes.into_iter().take(WORST).map(mistake).collect(),
        ..LiarsDiceReport::default()
    }
}

fn mistake(step: &AppraisedDecision) -> LiarsDiceMistake {
    LiarsDiceMistake {
        round: step.round,
        dice: step.infoset.own_dice().map(Face::pips).collect(),
        chosen: name_of(step.chosen),
        best: name_of(step.best),
        loss: step.loss,
    }
}

/// `Bid four fives` or `Call “Liar!”`.
fn name_of(action: Action) -> String {
    match action {
        Action::Bid(bid) => format!("Bid {}", bid.in_words()),
        Action::Call => "Call \u{201c}Liar!\u{201d}".to_owned(),
    }
}

/// What a bid needs: `You hold 2 dice that count. Of 5 hidden dice, 1 must be a five or a one.`
fn why_it_holds(bid: Bid, own: &[Face], hidden: u32) -> String {
    let held = dice_that_count(own, bid.face());
    let Some(needed) = bid.count().checked_sub(held).filter(|needed| *needed > 0) else {
        return format!("Your own dice are enough: {held} count.");
    };
    let dice = if held == 1 { "die that counts" } else { "dice that count" };
    if needed > hidden {
        return format!("You hold {held} {dice}, and only {hidden} dice are hidden: too few.");
    }
    let one = dice_in_words(1, bid.face()).replacen("one ", "", 1);
    let wanted = match bid.face() {
        Face::ONE => "a one, which each is with probability 1/6".to_owned(),
        _ => format!("a {one} or a one, which each is with probability 1/3"),
    };
    format!("You hold {held} {dice}. Of {hidden} hidden dice, {needed} more must be {wanted}.")
}

fn bid_of(player: usize, bid: Bid) -> BidDocument {
    BidDocument { player, count: bid.count(), face: bid.face().pips() }
}

fn choice(action: Action, odds: Odds, why: String) -> HintChoice {
    HintChoice {
        action: action.to_string(),
        text: name_of(action),
        value: None,
        loss: None,
        chance: Some(odds.chance()),
        exact: Some(odds.to_string()),
        why,
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
        bid_of(player, *bid)
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

/// A call, and what it comes to.
struct Called {
    bid: Bid,
    caller: Seat,
    bidder: Seat,
    holds: bool,
}

impl Called {
    /// The call of the seat to act; `None` if there is nothing to call.
    fn of(game: &LiarsDice) -> Option<Self> {
        let caller = game.to_act()?;
        Some(Self {
            bid: *game.bids().last()?,
            caller,
            bidder: bidder_before(game, caller)?,
            holds: game.last_bid_holds()?,
        })
    }

    /// Who gives a die, and who gets it.
    const fn giver_and_taker(&self) -> (Seat, Seat) {
        if self.holds { (self.caller, self.bidder) } else { (self.bidder, self.caller) }
    }

    fn counts_after(&self, game: &LiarsDice) -> Vec<HolderDocument> {
        let (giver, taker) = self.giver_and_taker();
        let mut holders = holders(game);
        for holder in &mut holders {
            holder.dice += usize::from(holder.player == taker.index());
            holder.dice -= usize::from(holder.player == giver.index());
        }
        holders.retain(|holder| holder.dice > 0);
        holders
    }

    /// `anna calls: Liar! There are three fours: the bid falls, and a die goes from bayes to anna`
    fn in_words(&self, game: &LiarsDice, names: &[String]) -> Option<String> {
        let face = self.bid.face();
        let shown = game.hands().iter().map(|hand| dice_that_count(hand.faces(), face));
        let there: u32 = shown.sum();
        let verdict = if self.holds { "the bid holds" } else { "the bid falls" };
        let [verb, there] = [if there == 1 { "is" } else { "are" }, &dice_in_words(there, face)];
        let (giver, taker) = self.giver_and_taker();
        let is_last = hand_of(game, giver).is_some_and(|hand| hand.len() == 1);
        let last = if is_last { ", the last one" } else { "" };
        let [caller, giver, taker] =
            [self.caller, giver, taker].map(|seat| names.get(seat.index()));
        let (caller, giver, taker) = (caller?, giver?, taker?);
        Some(format!(
            "{caller} calls: Liar! There {verb} {there}: {verdict}, and a die goes from {giver} to {taker}{last}"
        ))
    }
}
