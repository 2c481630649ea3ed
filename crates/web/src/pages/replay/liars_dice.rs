//! A game of Liar's Dice as a list: the hands, bids and call of every round.

use maud::{Markup, html};

use super::parts::{cost, move_text, number};
use crate::model::liars_dice_replay::{LiarsDiceMove, LiarsDiceReplay, LiarsDiceRound};
use crate::pages::dice::dice;
use crate::pages::layout::{bot_name, wide};

/// The rounds of a group. A game with more than two groups is listed by groups, so that a page is not thousands of lines long.
const GROUP: usize = 20;

pub(super) fn list(replay: &LiarsDiceReplay, names: &[String]) -> Markup {
    let rounds = replay.moves.chunk_by(|a, b| a.round == b.round);
    html! {
        p.note {
            "The loss is in dice, by the odds for a player who assumes that hidden dice are fair. The other players' bids say "
            "more than that, so a move with a loss need not be a mistake."
        }
        @let rounds: Vec<_> = replay.rounds.iter().zip(rounds).map(|(round, moves)| (round.round, shown(round, moves, names))).collect();
        @if rounds.len() > 2 * GROUP {
            @for (index, group) in rounds.chunks(GROUP).enumerate() {
                details.rounds open[index == 0] {
                    summary { "Rounds " (group[0].0) "–" (group[group.len() - 1].0) }
                    @for (_, round) in group { (round) }
                }
            }
        } @else {
            @for (_, round) in &rounds { (round) }
        }
    }
}

fn shown(round: &LiarsDiceRound, moves: &[LiarsDiceMove], names: &[String]) -> Markup {
    let called = moves.iter().find_map(|one| one.call.as_ref()).map(|call| call.bid.face);
    let counts = |face: u8| called.is_some_and(|called| face == called || face == 1);
    let heading = format!("round-{}", round.round);
    html! {
        details.round { summary { h3 id=(heading) { "Round " (round.round) } @if let Some(last) = moves.last() {
            " " span.note { (line(last, names)) }
        } }
        (wide(&heading, html! { table.hands {
            thead.unseen { tr { th.text scope="col" { "Bot" } th.text scope="col" { "Dice" } } }
            tbody { @for hand in &round.hands { tr {
                th.text scope="row" { (bot_name(&names[hand.seat])) }
                td.text { (dice(&hand.dice, |_, face| counts(face))) }
            } } }
        } }))
        ol.lines { @for one in moves {
            li id={ "move-" (one.number) } {
                (number(one.number)) " "
                @if one.bid.is_some() { (line(one, names)) } @else { strong { (line(one, names)) } }
                @if one.lost.is_some_and(|lost| lost > 0.0) {
                    span.note { ". Loss: " (cost(one.lost, one.best.as_deref())) }
                }
            }
        } }
        }
    }
}

fn line(one: &LiarsDiceMove, names: &[String]) -> Markup {
    html! { (bot_name(&names[one.seat])) " " (move_text(&one.what, names)) }
}
