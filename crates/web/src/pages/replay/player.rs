//! The board on which the script shows one position after the other; most of it is hidden without the script.

use dicehill_rules::yahtzee::Category;
use maud::{Markup, html};

use crate::model::liars_dice_replay::LiarsDiceReplay;
use crate::model::yahtzee_replay::{YahtzeeCard, YahtzeeReplay, in_words};
use crate::pages::dice::dice;
use crate::pages::layout::{bot_name, wide};

/// The final cards, which the script replaces by those of a position.
pub(super) fn yahtzee(replay: &YahtzeeReplay, names: &[String]) -> Markup {
    html! {
        section.player #player aria-labelledby="board" {
            h2 #board { "Cards" }
            (controls(replay.moves.len(), None))
            p.now #dice aria-hidden="true" {}
            (wide("board", cards(&replay.cards, names)))
            (hints())
        }
    }
}

fn cards(cards: &[YahtzeeCard], names: &[String]) -> Markup {
    let cell = |value: Option<u32>| value.map_or("-".to_owned(), |value| value.to_string());
    let row = |key: &str, name: &str, value: &dyn Fn(&YahtzeeCard) -> Option<u32>| {
        html! { tr data-box=(key) {
            th.text scope="row" { (name) }
            @for card in cards { td { (cell(value(card))) } }
        } }
    };
    let category = |category: &Category| {
        let filled = |card: &YahtzeeCard| card.boxes[category.index()].map(u32::from);
        row(category.name(), &in_words(category.name()), &filled)
    };
    html! { table.cards #cards {
        thead { tr {
            th.text scope="col" { "Box" }
            @for name in names { th scope="col" { (bot_name(name)) } }
        } }
        tbody { @for one in &Category::ALL[..6] { (category(one)) } }
        tbody { (row("upper_bonus", "upper bonus", &|card| Some(card.upper_bonus))) }
        tbody { @for one in &Category::ALL[6..] { (category(one)) } }
        tbody { (row("yahtzee_bonus", "Yahtzee bonus", &|card| Some(card.yahtzee_bonus))) }
        tfoot { (row("score", "score", &|card| Some(card.score))) }
    } }
}

/// The hands of the first round, which the script replaces by those of a position.
pub(super) fn liars_dice(replay: &LiarsDiceReplay, names: &[String]) -> Markup {
    let hand = |seat: usize| {
        let hands = replay.rounds.first().map(|round| &round.hands);
        hands.and_then(|hands| hands.iter().find(|hand| hand.seat == seat))
    };
    html! {
        section.player.scripted #player aria-labelledby="board" {
            h2 #board { "Table" }
            (controls(replay.moves.len(), Some(names)))
            (wide("board", html! { table.hands #hands {
                thead { tr {
                    th.text scope="col" { "Bot" }
                    th.text scope="col" { "Dice" }
                    th.text scope="col" { "Last bid" }
                } }
                tbody { @for (seat, name) in names.iter().enumerate() { tr {
                    th.text scope="row" { (bot_name(name)) }
                    td.text { @if let Some(hand) = hand(seat) { (dice(&hand.dice, |_, _| false)) } }
                    td.text {}
                } } }
            } }))
            (hints())
        }
    }
}

fn controls(moves: usize, names: Option<&[String]>) -> Markup {
    html! {
        div.controls.scripted {
            div.buttons role="group" aria-label="Go to" {
                button type="button" data-go="first" { "First" }
                button type="button" data-go="round-back" aria-label="Previous round" { "« Round" }
                button type="button" data-go="back" { "Back" }
                button type="button" data-go="play" { "Play" }
                button type="button" data-go="forward" { "Forward" }
                button type="button" data-go="round-forward" aria-label="Next round" { "Round »" }
                button type="button" data-go="last" { "Last" }
            }
            div.slide {
                label for="position" { "Move" }
                input #position type="range" min="1" max=(moves.max(1)) value="1";
                output #at for="position" { "1 of " (moves) }
            }
            div.pace {
                div.view {
                    label for="speed" { "Speed" }
                    select #speed {
                        @for (factor, name) in [("0.5", "½ ×"), ("1", "1 ×"), ("2", "2 ×"), ("4", "4 ×")] {
                            option value=(factor) selected[factor == "1"] { (name) }
                        }
                    }
                }
                @if let Some(names) = names {
                    div.view {
                        label for="view" { "Show" }
                        select #view {
                            option value="" { "all hands" }
                            @for (seat, name) in names.iter().enumerate() {
                                option value=(seat) dir="auto" { "what " (dicehill_arena::printable(name)) " sees" }
                            }
                        }
                    }
                }
            }
            p.told #told role="status" {}
        }
    }
}

/// The link to a position, and the keys.
fn hints() -> Markup {
    html! {
        p.note.scripted {
            a #link href="#move-1" { "Link to this move" }
            span.keys {
                " Keys: " kbd { "←" } " " kbd { "→" } " one move, "
                kbd { "Home" } " " kbd { "End" } " first and last, " kbd { "Space" } " play"
            }
        }
    }
}
