//! Liar's Dice at the terminal.

mod advisor;

use dicehill_arena::Play;
use dicehill_bots::HouseBot;
use dicehill_coach::liars_dice::Infoset;
use dicehill_coach::percent;
use dicehill_rules::liars_dice::{
    Action, Bid, BidError, Hand, LiarsDice, LiarsDiceRules, View, dice_in_words, dice_that_count,
};
use dicehill_rules::{Game, Seat};
use serde_json::{Map, Value, json};

use self::advisor::LiarsDiceAdvisor;
use super::terminal_game::{Advisor, TerminalGame};
use crate::text::{self, FAINT, STRONG, aligned, counted, does, styled, thousands};

impl TerminalGame for LiarsDice {
    const USUAL_OPPONENTS: &'static [&'static str] = &["badnomial", "nobody", "pirate"];
    const INPUT_HELP: &'static str = "
  4×2, 4x2 or 4 2    bid that there are at least four twos, where ones count too
  four twos          the same
  liar               call the last bidder a liar
  hint               the chances of the call and of bids, and the coach's choice";

    const INPUT_WORDS: &'static [&'static str] = &["liar", "bid"];

    fn house_bots() -> Vec<HouseBot<Self>> {
        dicehill_bots::liars_dice_bots().into()
    }

    fn usual_field() -> Vec<HouseBot<Self>> {
        Self::house_bots()
    }

    fn heading(play: &Play<'_, Self>, names: &[&str]) -> Option<String> {
        let game = play.game();
        if !game.bids().is_empty() {
            return None;
        }
        Some(format!("{}\n{}", title(game), hands(game, names)))
    }

    fn public_heading(play: &Play<'_, Self>) -> Option<String> {
        let game = play.game();
        (!game.has_ended() && game.bids().is_empty()).then(|| title(game))
    }

    fn position(play: &Play<'_, Self>) -> Map<String, Value> {
        let game = play.game();
        let pips = |hand: &Hand| hand.faces().iter().map(|die| die.pips()).collect::<Vec<_>>();
        let mut position = Map::new();
        position.insert("round".into(), json!(game.round()));
        position.insert(
            "seats".into(),
            json!(game.seats().iter().map(|s| s.index()).collect::<Vec<_>>()),
        );
        position.insert("hands".into(), json!(game.hands().iter().map(pips).collect::<Vec<_>>()));
        position.insert(
            "bids".into(),
            json!(game.bids().iter().map(ToString::to_string).collect::<Vec<_>>()),
        );
        position
    }

    fn written(_game: &Self, action: &Action) -> String {
        action.notation()
    }

    fn narrate(play: &Play<'_, Self>, names: &[&str], action: &Action) -> String {
        let game = play.game();
        let Some(seat) = game.to_act() else { return String::new() };
        let name = names[seat.index()];
        match (action, game.bids().last()) {
            (Action::Bid(bid), _) => format!("  {} {}", does(name, "bid"), bid.in_words()),
            (Action::Call, None) => format!("  {}", does(name, "call")),
            (Action::Call, Some(bid)) => narrate_call(game, names, seat, *bid),
        }
    }

    /// Bids are public, and a call shows all hands.
    fn narrate_publicly(play: &Play<'_, Self>, names: &[&str], action: &Action) -> Option<String> {
        let line = Self::narrate(play, names, action);
        match action {
            Action::Bid(_) => Some(line),
            Action::Call => Some(format!("{line}\n{}", hands(play.game(), names))),
        }
    }

    fn show_view(view: &View<'_>) -> String {
        let player = |(position, count): (usize, &u8)| {
            let name = view.name(position).unwrap_or("somebody");
            let name = if position == view.you { styled(STRONG, name) } else { name.to_owned() };
            format!("{name} {count}")
        };
        let players: Vec<_> = view.counts.iter().enumerate().map(player).collect();
        let hint = match view.last_bid() {
            None => "open with any bid".to_owned(),
            Some(last) => {
                format!("bid above {} ({}), or liar", last.notation(), last.in_words())
            }
        };
        format!(
            "  dice: {}   {} in all\n  your dice: {}\n  {}",
            players.join(", "),
            view.dice_in_play(),
            text::dice(view.dice),
            styled(FAINT, hint)
        )
    }

    fn read_input(view: &View<'_>, input: &str) -> Result<Action, String> {
        let lower = input.trim().to_lowercase();
        if ["liar", "liar!", "l", "call"].contains(&lower.as_str()) {
            let opening = || "there is no bid to call: open with one, such as 2×3".to_owned();
            return view.last_bid().map(|_| Action::Call).ok_or_else(opening);
        }
        let bid =
            Bid::from_notation(lower.trim_start_matches("bid")).map_err(|error| match error {
                BidError::Form(_) | BidError::Notation(_) => {
                    format!("{input:?} is neither a bid such as 4×5 nor liar")
                }
                error @ (BidError::Count(_) | BidError::Face(_)) => error.to_string(),
            })?;
        match view.last_bid() {
            Some(last) if bid <= last => {
                Err(format!("{} is not higher than {}", bid.notation(), last.notation()))
            }
            Some(_) | None => Ok(Action::Bid(bid)),
        }
    }

    fn written_after(_request: &Value, action: &Action) -> Option<String> {
        Some(action.notation())
    }

    fn refusal(request: &Value, action: &Action) -> Option<String> {
        let bids = request["bids"].as_array();
        let last = bids.and_then(|bids| bids.last()).and_then(Value::as_str).unwrap_or_default();
        match (action, last.parse::<Bid>()) {
            (Action::Call, Err(_)) => Some("there is no bid to call".to_owned()),
            (Action::Bid(bid), Ok(last)) if *bid <= last => {
                Some(format!("it is not higher than {}", Action::Bid(last).notation()))
            }
            (Action::Call | Action::Bid(_), _) => None,
        }
    }

    fn show_results(play: &Play<'_, Self>, names: &[&str]) -> String {
        let game = play.game();
        let title = match game.winner() {
            Some(seat) => {
                let wins = does(names[seat.index()], "win");
                format!("{wins} after {}", counted(game.turns(), "turn"))
            }
            None => format!("no winner: {} are the limit", counted(game.turns(), "turn")),
        };
        let line = |(seat, name): (Seat, String)| {
            let result = game.result(seat);
            let [turns, calls, dice, _] = result.figures;
            let dice = if dice == 1 { "1 die".to_owned() } else { format!("{dice} dice") };
            let (turns, calls) = (counted(turns, "turn"), counted(calls, "call"));
            let parts = format!("{turns}, {calls}, {dice} gained");
            format!("  {name}  {:>6} points  {}", thousands(result.points), styled(FAINT, parts))
        };
        let lines: Vec<_> = Seat::all(names.len()).zip(aligned(names)).map(line).collect();
        format!("{}\n{}", styled(STRONG, title), lines.join("\n"))
    }

    fn advisor(rules: LiarsDiceRules) -> Box<dyn Advisor<Self>> {
        Box::new(LiarsDiceAdvisor { rules })
    }
}

fn title(game: &LiarsDice) -> String {
    styled(STRONG, format!("Round {}", game.round()))
}

/// A line for each hand.
fn hands(game: &LiarsDice, names: &[&str]) -> String {
    let names = aligned(names);
    let line = |(seat, hand): (&Seat, &Hand)| {
        format!("    {}  {}", names[seat.index()], text::dice(hand.faces()))
    };
    game.seats().iter().zip(game.hands()).map(line).collect::<Vec<_>>().join("\n")
}

fn narrate_call(game: &LiarsDice, names: &[&str], caller: Seat, bid: Bid) -> String {
    let seats = game.seats();
    let position_of = |who| seats.iter().position(|seat| *seat == who).unwrap_or(0);
    let bidder = seats[(position_of(caller) + seats.len() - 1) % seats.len()];
    let there: u32 =
        game.hands().iter().map(|hand| dice_that_count(hand.faces(), bid.face())).sum();
    let (giver, taker, verdict) = if game.last_bid_holds() == Some(true) {
        (caller, bidder, "the bid holds")
    } else {
        (bidder, caller, "the bid falls")
    };
    let call = styled(STRONG, "Liar!");
    let verb = if there == 1 { "is" } else { "are" };
    let there = dice_in_words(there, bid.face());
    let last = game.hands()[position_of(giver)].faces().len() == 1;
    let last = if last { ", the last one" } else { "" };
    let chance = Infoset::from_game(game).map_or(0.0, |infoset| infoset.odds(bid).chance());
    let odds = format!("(it holds with probability {} by the caller's dice)", percent(chance));
    let odds = styled(FAINT, odds);
    let [caller, giver, taker] = [caller, giver, taker].map(|seat| names[seat.index()]);
    // Not "{giver} gives {taker} a die": a house bot is called "nobody".
    format!(
        "  {caller}: {call} There {verb} {there}: {verdict}, and a die goes from {giver} to {taker}{last} {odds}"
    )
}
