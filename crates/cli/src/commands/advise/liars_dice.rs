//! `dicehill advise liars-dice`: beliefs about the hidden dice, and the value of each action.

use std::io::Write;

use dicehill_arena::printable_json;
use dicehill_bots::{
    EvaluatedAction, HiddenHandBelief, LastBidBelief, LiarsDiceAdvice, ObservedPosition,
    advise_liars_dice,
};
use dicehill_coach::percent;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice};
use dicehill_rules::{Face, Game};
use serde_json::{Value, json};

use super::ranking::write_ranking;
use crate::args::{AdviseLiarsDiceArgs, TextFormat};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Column, Printer, Table};
use crate::text::{FAINT, STRONG, dice, styled};

/// The most actions that the text shows, and the call in addition.
const MAX_SHOWN: usize = 12;

pub(super) fn advise(args: &AdviseLiarsDiceArgs, console: &Console) -> Result<Outcome, Failure> {
    let position = position(args)?;
    let advice = advise_liars_dice(&position);
    let mut out = console.out();
    match args.format {
        TextFormat::Text => write(&mut out, &position, &advice)?,
        TextFormat::Json => {
            let document = document(&position, &advice);
            let json = printable_json(&document).map_err(std::io::Error::other)?;
            writeln!(out.verbatim(), "{json}")?;
        }
    }
    Ok(Outcome::Done)
}

fn position(args: &AdviseLiarsDiceArgs) -> Result<ObservedPosition, Failure> {
    let AdviseLiarsDiceArgs { counts, seat, dice, bids, .. } = args;
    let bids = bids.as_ref().map_or_else(Vec::new, |bids| bids.0.clone());
    ObservedPosition::new(seat.get() - 1, counts.0.clone(), dice.0.clone(), bids)
        .map_err(|why| Failure::Usage(format!("no such position: {why}")))
}

fn write<W: Write>(
    out: &mut Printer<W>,
    position: &ObservedPosition,
    advice: &LiarsDiceAdvice,
) -> std::io::Result<()> {
    let all: u32 = position.counts().iter().map(|count| u32::from(*count)).sum();
    let place = format!("seat {} of {}, {all} dice", position.you() + 1, position.counts().len());
    writeln!(out, "{}   {place}", styled(STRONG, dice(position.dice())))?;
    match &advice.last {
        Some(last) => write_last(out, last)?,
        None => writeln!(out, "{}", styled(FAINT, "no bid yet"))?,
    }
    let is_shown = |(number, choice): &(usize, &EvaluatedAction)| {
        *number <= MAX_SHOWN || choice.action == Action::Call
    };
    let rows: Vec<_> = (1..).zip(&advice.choices).filter(is_shown).map(weighed).collect();
    let left_out = advice.choices.len() - rows.len();
    let columns = vec![
        Column::number("#").priority(1),
        Column::name("action"),
        Column::number("P(win)"),
        Column::number("dice gained"),
        Column::number("P(holds)").priority(2),
        Column::number("P(called)").priority(3),
    ];
    write_ranking(out, &Table { columns, rows, complete: "--format json" })?;
    if left_out > 0 {
        let line = format!("{left_out} more; --format json has all");
        writeln!(out, "{}", styled(FAINT, line))?;
    }
    Ok(())
}

fn weighed((number, choice): (usize, &EvaluatedAction)) -> Vec<String> {
    let EvaluatedAction { action, wins, value, holds, called } = choice;
    let called = match action {
        Action::Call => "-".to_owned(),
        Action::Bid(_) => percent(*called),
    };
    let wins = format!("{:.1} %", 100.0 * wins);
    let value = format!("{value:+.3}");
    vec![number.to_string(), action.notation(), wins, value, percent(*holds), called]
}

fn write_last<W: Write>(out: &mut Printer<W>, last: &LastBidBelief) -> std::io::Result<()> {
    let LastBidBelief { bid, held, fair, holds, hands } = last;
    let (fair, holds) = (percent(*fair), percent(*holds));
    let (written, said) = (bid.notation(), bid.in_words());
    writeln!(out, "last bid {written}, {said}, of which you hold {held}")?;
    writeln!(out, "it holds with probability {holds}; {fair} if bids carried no information")?;
    let row = |HiddenHandBelief { seat, given_bids, .. }: &HiddenHandBelief| {
        let chances: Vec<_> = given_bids.iter().map(|chance| percent(*chance)).collect();
        vec![(seat + 1).to_string(), chances.join("  ")]
    };
    let columns = vec![Column::name("seat"), Column::text("chance of 0, 1, 2 ... that count")];
    let rows = hands.iter().map(row).collect();
    let table = Table { columns, rows, complete: "--format json" };
    table.write_styled(out, |_, line| styled(FAINT, line))
}

fn document(position: &ObservedPosition, advice: &LiarsDiceAdvice) -> Value {
    let bids: Vec<_> = position.bids().iter().copied().map(of_bid).collect();
    let dice: Vec<_> = position.dice().iter().copied().map(Face::pips).collect();
    json!({
        "schema": "dicehill.advice/1",
        "game": LiarsDice::NAME,
        "seat": position.you(),
        "counts": position.counts(),
        "dice": dice,
        "bids": bids,
        "last_bid": advice.last.as_ref().map(of_last),
        "choices": advice.choices.iter().map(of_choice).collect::<Vec<_>>(),
    })
}

fn of_bid(bid: Bid) -> Value {
    json!({"count": bid.count(), "face": bid.face().pips()})
}

fn of_last(LastBidBelief { bid, held, fair, holds, hands }: &LastBidBelief) -> Value {
    let hands: Vec<_> = hands.iter().map(of_hand).collect();
    json!({
        "bid": of_bid(*bid),
        "held": held,
        "holds_if_fair": fair,
        "holds": holds,
        "hands": hands,
    })
}

fn of_hand(HiddenHandBelief { seat, fair, given_bids }: &HiddenHandBelief) -> Value {
    json!({"seat": seat, "counting_if_fair": fair, "counting": given_bids})
}

fn of_choice(choice: &EvaluatedAction) -> Value {
    let EvaluatedAction { action, wins, value, holds, called } = choice;
    match action {
        Action::Call => json!({"kind": "call", "wins": wins, "value": value, "holds": holds}),
        Action::Bid(bid) => json!({
            "kind": "bid", "bid": of_bid(*bid), "wins": wins, "value": value, "holds": holds,
            "called": called,
        }),
    }
}
