//! A game of Yahtzee as a list: every roll of every turn.

use maud::{Markup, html};

use super::parts::{cost, move_text, number};
use crate::model::yahtzee_replay::{YahtzeeMove, YahtzeeReplay};
use crate::pages::dice::dice;
use crate::pages::layout::{bot_name, foldable, wide};
use crate::pages::numbers::difference;

pub(super) fn list(replay: &YahtzeeReplay, names: &[String]) -> Markup {
    let rounds = replay.moves.chunk_by(|a, b| a.round == b.round);
    html! {
        @for moves in rounds {
            @let heading = format!("round-{}", moves[0].round);
            details.round { summary { h3 id=(heading) { "Round " (moves[0].round) } }
            (wide(&heading, html! { table.moves {
                thead { tr {
                    th.text scope="col" { "Bot" }
                    th scope="col" { "Move" }
                    th.text scope="col" { "Dice" }
                    th.text scope="col" { "Action" }
                    th.text scope="col" { "Loss" }
                } }
                @for turn in moves.chunk_by(|a, b| a.seat == b.seat) {
                    tbody { (shown(turn, names)) }
                }
            } }))
            }
        }
    }
}

fn shown(turn: &[YahtzeeMove], names: &[String]) -> Markup {
    html! {
        @for (index, one) in turn.iter().enumerate() { tr id={ "move-" (one.number) } {
            // A cell over several rows would have readers count the columns below it wrongly.
            @let name = bot_name(&names[one.seat]);
            @if index == 0 { th.text scope="row" { (name) } } @else { th.text.repeated scope="row" { span.unseen { (name) } } }
            td { (number(one.number)) }
            td.text { (dice(&one.dice, |place, _| one.kept.contains(&place))) }
            td.text {
                @let text = move_text(&one.what, names);
                @if one.kept.is_empty() && one.stage > 0 || one.filled.is_some() { strong { (text) } } @else { (text) }
            }
            td.text { (cost(one.lost, one.best.as_deref())) }
        } }
    }
}

/// The parts of each score: best play, luck and losses.
pub(super) fn decisions(replay: &YahtzeeReplay, names: &[String]) -> Markup {
    html! {
        @if !replay.decisions.is_empty() {
            h2 #decisions { "Luck and decisions" }
            (foldable("decisions", html! { table {
                thead { tr {
                    th.text scope="col" { "Bot" }
                    th scope="col" { "Score" }
                    th.more scope="col" { "Optimal play" }
                    th scope="col" { "Luck" }
                    th scope="col" { "Loss" }
                    th.more scope="col" { "Mistakes" }
                } }
                tbody { @for ((name, card), one) in names.iter().zip(&replay.cards).zip(&replay.decisions) { tr {
                    th.text scope="row" { (bot_name(name)) }
                    td { (card.score) }
                    td.more { (format!("{:.2}", one.start)) }
                    td { (difference(one.luck, 2)) }
                    td { (format!("{:.2}", one.lost)) }
                    td.more { (one.mistakes) " of " (one.count) }
                } } }
            } }))
            p.note {
                "Score = optimal play + luck − loss. Optimal play scores the most on average without regard to opponents."
            }
        }
    }
}
