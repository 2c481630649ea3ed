//! A game of Yahtzee on a page: every roll of every turn, and the cards at the end.

use dicehill_arena::{Move, Play, Replay};
use dicehill_rules::Game;
use dicehill_rules::yahtzee::{Action, Category, Keep, Roll, Scorecard, Yahtzee};
use maud::{Markup, html};

use super::dice::dice;
use super::page::bot_name;
use crate::text::printable;

/// A roll, and what was done with it.
struct Step {
    seat: usize,
    round: u32,
    dice: Roll,
    kept: Keep,
    what: String,
    is_last: bool,
}

pub(crate) fn moves(mut play: Play<'_, Yahtzee>, replay: &Replay<Yahtzee>) -> Markup {
    let mut steps = Vec::new();
    for one in &replay.moves {
        steps.extend(step(play.game(), one));
        play.repeat(one);
    }
    let rounds = steps.chunk_by(|a, b| a.round == b.round);
    html! {
        (cards(play.game().cards(), &replay.names))
        h2 #moves { "Moves" }
        @for steps in rounds {
            section aria-label={ "Round " (steps[0].round) } {
                h3 { "Round " (steps[0].round) }
                div.wide { table.moves {
                    thead { tr {
                        th.text scope="col" { "Bot" }
                        th.text scope="col" { "Dice" }
                        th.text scope="col" { "Move" }
                    } }
                    @for turn in steps.chunk_by(|a, b| a.seat == b.seat) {
                        tbody { (shown(turn, &replay.names)) }
                    }
                } }
            }
        }
    }
}

fn step(game: &Yahtzee, one: &Move<Yahtzee>) -> Option<Step> {
    let seat = game.to_act()?.index();
    let (dice, card) = (*game.dice(), &game.cards()[seat]);
    let (kept, what, is_last) = match one {
        Move::Acted(Action::Keep(keep)) => (*keep, keeps(*keep), false),
        Move::Acted(Action::Fill(category)) => (Keep::NONE, fills(card, *category, &dice), true),
        Move::Failed(failure) => (Keep::NONE, printable(&failure.to_string()), true),
    };
    Some(Step { seat, round: game.round(), dice, kept, what, is_last })
}

fn keeps(keep: Keep) -> String {
    match keep.count() {
        0 => "rolls all five".to_owned(),
        5 => "keeps all five".to_owned(),
        kept => format!("keeps {kept}"),
    }
}

fn fills(card: &Scorecard, category: Category, dice: &Roll) -> String {
    let score = card.box_score(category, dice);
    let bonus = match card.bonus_for(dice) {
        0 => String::new(),
        bonus => format!(" and a bonus of {bonus}"),
    };
    format!("{score} in {}{bonus}", in_words(category))
}

/// `full house` of `FULL_HOUSE`.
fn in_words(category: Category) -> String {
    category.name().to_lowercase().replace('_', " ")
}

fn shown(turn: &[Step], names: &[String]) -> Markup {
    html! {
        @for (index, step) in turn.iter().enumerate() { tr {
            @if index == 0 {
                th.text scope="rowgroup" rowspan=(turn.len()) { (bot_name(&names[step.seat])) }
            }
            td.text { (dice(&step.dice, |place, _| step.kept.indexes().any(|kept| kept == place))) }
            td.text { @if step.is_last { strong { bdi { (step.what) } } } @else { (step.what) } }
        } }
    }
}

/// The cards as they are at the end.
fn cards(cards: &[Scorecard], names: &[String]) -> Markup {
    let row = |name: &str, value: &dyn Fn(&Scorecard) -> String| {
        html! { tr {
            th.text scope="row" { (name) }
            @for card in cards { td { (value(card)) } }
        } }
    };
    let filled = |category: Category| {
        move |card: &Scorecard| {
            card.filled(category).map_or("-".to_owned(), |score| score.to_string())
        }
    };
    html! {
        h2 #cards { "Cards" }
        div.wide tabindex="0" role="region" aria-labelledby="cards" { table {
            thead { tr {
                th.text scope="col" { "Box" }
                @for name in names { th scope="col" { (bot_name(name)) } }
            } }
            tbody { @for category in &Category::ALL[..6] { (row(&in_words(*category), &filled(*category))) } }
            tbody { (row("upper bonus", &|card| card.upper_bonus().to_string())) }
            tbody { @for category in &Category::ALL[6..] { (row(&in_words(*category), &filled(*category))) } }
            tbody {
                (row("Yahtzee bonus", &|card| card.yahtzee_bonus().to_string()))
            }
            tfoot { (row("score", &|card| card.score().to_string())) }
        } }
    }
}
