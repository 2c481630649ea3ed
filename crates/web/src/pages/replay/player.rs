//! The table on which scripts show one position after the other; most of it is hidden without scripts.

use dicehill_rules::yahtzee::Category;
use maud::{Markup, html};

use crate::model::liars_dice_replay::LiarsDiceReplay;
use crate::model::yahtzee_replay::{YahtzeeCard, YahtzeeReplay, in_words};
use crate::pages::board::capital;
use crate::pages::layout::{bot_name, wide};

/// The most seats that have places around the table; more stand in a row above it.
const MAX_AROUND: usize = 6;

/// The table, and the final cards, which the script replaces by those of a position.
pub(super) fn yahtzee(replay: &YahtzeeReplay, names: &[String]) -> Markup {
    let beside = html! {
        section.cards-of aria-labelledby="cards-of" {
            h3 #cards-of { "Scorecards" }
            (wide("cards-of", cards(&replay.cards, names)))
        }
    };
    let view = html! { (table(names)) (decision()) (transport(replay.moves.len())) };
    player(&view, &beside, &further_controls(None))
}

fn cards(cards: &[YahtzeeCard], names: &[String]) -> Markup {
    let cell = |value: Option<u32>| value.map_or("–".to_owned(), |value| value.to_string());
    let row = |key: &str, name: &str, value: &dyn Fn(&YahtzeeCard) -> Option<u32>| {
        html! { tr data-box=(key) {
            th.text scope="row" { (name) }
            @for card in cards { td { (cell(value(card))) } }
        } }
    };
    let category = |category: &Category| {
        let filled = |card: &YahtzeeCard| card.boxes[category.index()].map(u32::from);
        row(category.name(), &capital(&in_words(category.name())), &filled)
    };
    html! { table.cards #cards {
        thead { tr {
            th.text scope="col" { "Box" }
            @for name in names { th scope="col" { (bot_name(name)) } }
        } }
        tbody { @for one in &Category::ALL[..6] { (category(one)) } }
        tbody { (row("upper_bonus", "Upper bonus", &|card| Some(card.upper_bonus))) }
        tbody { @for one in &Category::ALL[6..] { (category(one)) } }
        tbody { (row("yahtzee_bonus", "Yahtzee bonus", &|card| Some(card.yahtzee_bonus))) }
        tfoot { (row("score", "Score", &|card| Some(card.score))) }
    } }
}

/// The table, and the bids of the round.
pub(super) fn liars_dice(replay: &LiarsDiceReplay, names: &[String]) -> Markup {
    let beside = html! {
        section.bids-of aria-labelledby="bids-of" {
            h3 #bids-of { "Bids of the round" }
            ol #bids {}
        }
    };
    let view = html! { (table(names)) (decision()) (transport(replay.moves.len())) };
    html! { div.scripted { (player(&view, &beside, &further_controls(Some(names)))) } }
}

/// The player: the view of a position, the cards or bids next to it, and the controls below.
fn player(view: &Markup, beside: &Markup, controls: &Markup) -> Markup {
    html! {
        section.player #player aria-labelledby="board" {
            h2 #board { "Table" }
            div.replay {
                div.position.scripted { (view) }
                (beside)
                div.scripted { (controls) (hints()) }
            }
        }
    }
}

/// The players around the table, and the position in its middle. A player's name is a button that shows the next move of
/// that player.
fn table(names: &[String]) -> Markup {
    let around = (names.len() <= MAX_AROUND).then_some(names.len());
    html! {
        div.replay-table data-around=[around] {
            ol.replay-seats #seats role="list" aria-label="Players" {
                @for (seat, name) in names.iter().enumerate() {
                    li.replay-seat {
                        button.replay-name type="button" data-seat=(seat) title="Next move of this player" {
                            (bot_name(name))
                        }
                        div.replay-hand {}
                        p.replay-said {}
                    }
                }
            }
            div.replay-centre {
                p.note #place {}
                div #middle {}
            }
        }
    }
}

/// The move that is shown, and what the coach says of it. Screen readers announce both as one sentence, once the reader
/// goes to a move.
fn decision() -> Markup {
    html! {
        div.decision #decision { p #what {} p #verdict {} }
        p.unseen #said role="status" {}
    }
}

/// A button that goes to another position, with what screen readers say and the keys that do the same.
struct Step {
    to: &'static str,
    sign: &'static str,
    word: &'static str,
    label: &'static str,
    keys: &'static str,
}

const fn step(
    to: &'static str,
    [sign, word, label]: [&'static str; 3],
    keys: &'static str,
) -> Step {
    Step { to, sign, word, label, keys }
}

const STEPS: [Step; 7] = [
    step("first", ["|‹", "First", "First move"], "Home"),
    step("round-back", ["«", "Round", "Previous round"], "Shift+ArrowLeft"),
    step("back", ["‹", "Back", "Back one move"], "ArrowLeft"),
    step("play", ["", "Play", "Play"], "Space"),
    step("forward", ["›", "Forward", "Forward one move"], "ArrowRight"),
    step("round-forward", ["»", "Round", "Next round"], "Shift+ArrowRight"),
    step("last", ["›|", "Last", "Last move"], "End"),
];

const FURTHER_STEPS: [Step; 4] = [
    step("player-back", ["‹", "Player", "Previous move of the same player"], "Shift+P"),
    step("player-forward", ["›", "Player", "Next move of the same player"], "P"),
    step("loss-back", ["‹", "Loss", "Previous move with a loss"], "Shift+L"),
    step("loss-forward", ["›", "Loss", "Next move with a loss"], "L"),
];

/// A sign before the word points back, and one after it forward.
fn button(step: &Step) -> Markup {
    let Step { to, sign, word, label, keys } = step;
    let is_back = matches!(*to, "first" | "round-back" | "back" | "player-back" | "loss-back");
    html! {
        button type="button" data-go=(to) aria-keyshortcuts=(keys) aria-label=[(to != &"play").then_some(label)] {
            @if is_back { span.sign { (sign) } " " }
            span.word { (word) }
            @if !is_back && !sign.is_empty() { " " span.sign { (sign) } }
        }
    }
}

fn transport(moves: usize) -> Markup {
    html! {
        div.buttons.transport role="group" aria-label="Go to" { @for step in &STEPS { (button(step)) } }
        div.slide {
            label for="position" { "Move" }
            input #position type="range" min="1" max=(moves.max(1)) value="1";
            span #at { "1 of " (moves) }
        }
    }
}

fn further_controls(names: Option<&[String]>) -> Markup {
    html! {
        div.pace {
            div.buttons role="group" aria-label="Go to a move of a kind" { @for step in &FURTHER_STEPS { (button(step)) } }
            div.choice {
                label for="speed" { "Speed" }
                select #speed {
                    @for (factor, name) in [("0.5", "½ ×"), ("1", "1 ×"), ("2", "2 ×"), ("4", "4 ×"), ("8", "8 ×")] {
                        option value=(factor) selected[factor == "1"] { (name) }
                    }
                }
            }
            @if let Some(names) = names {
                div.choice {
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
    }
}

/// The link to a position, and the keys.
fn hints() -> Markup {
    html! {
        p.note {
            a #link href="#move-1" { "Link to this move" }
            span.keys {
                ". Keys in the player: " kbd { "Space" } " play or pause, " kbd { "←" } " " kbd { "→" } " one move, with "
                kbd { "Shift" } " one round, " kbd { "Home" } " " kbd { "End" } " first and last, "
                kbd { "P" } " same player, " kbd { "L" } " loss; with " kbd { "Shift" } " backwards"
            }
        }
    }
}
