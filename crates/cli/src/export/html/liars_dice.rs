//! A game of Liar's Dice on a page: the hands of every round, its bids, and what the call came to.

use dicehill_arena::{Move, Play, Replay};
use dicehill_rules::liars_dice::{Action, LiarsDice};
use dicehill_rules::{Face, Game};
use maud::{Markup, html};

use super::dice::dice;
use super::page::bot_name;
use crate::terminal_game::narrate_move;

/// A round, as it is shown.
struct Round {
    number: u32,
    /// Seats still in, and their dice.
    hands: Vec<(usize, Vec<Face>)>,
    /// The face that is called, if a call ends the round.
    called: Option<Face>,
    lines: Vec<Line>,
}

/// A move in words, in which a [`stand_in`] stands for each name.
struct Line {
    text: String,
    ends_the_round: bool,
}

pub(crate) fn moves(mut play: Play<'_, LiarsDice>, replay: &Replay<LiarsDice>) -> Markup {
    let mut rounds: Vec<Round> = Vec::new();
    for one in &replay.moves {
        let game = play.game();
        if rounds.last().is_none_or(|round| round.number != game.round()) {
            rounds.push(begin(game));
        }
        if let Some(round) = rounds.last_mut() {
            round.lines.push(line(&play, replay.names.len(), one));
            if matches!(one, Move::Acted(Action::Call)) {
                round.called = game.bids().last().map(|bid| bid.face());
            }
        }
        play.repeat(one);
    }
    html! {
        h2 #moves { "Moves" }
        @for round in &rounds { (shown(round, &replay.names)) }
    }
}

fn begin(game: &LiarsDice) -> Round {
    let hands = game.seats().iter().zip(game.hands());
    let hands = hands.map(|(seat, hand)| (seat.index(), hand.faces().to_vec())).collect();
    Round { number: game.round(), hands, called: None, lines: Vec::new() }
}

/// Stands for the name at a seat: a private character, which no text has that is shown.
fn stand_in(seat: usize) -> char {
    char::from_u32(0xe000 + seat as u32).expect("there are thousands of them")
}

/// The text with everybody's name, each of which has a direction of its own.
fn with_names(text: &str, names: &[String]) -> Markup {
    let name = |c: char| (0..names.len()).find(|seat| stand_in(*seat) == c);
    let mut parts = text.split_inclusive(|c| name(c).is_some());
    html! {
        @while let Some(part) = parts.next() {
            @match part.chars().next_back().and_then(name) {
                Some(seat) => { (part[..part.len() - stand_in(seat).len_utf8()]) (bot_name(&names[seat])) },
                None => (part),
            }
        }
    }
}

fn line(play: &Play<'_, LiarsDice>, seats: usize, one: &Move<LiarsDice>) -> Line {
    let names: Vec<_> = (0..seats).map(|seat| stand_in(seat).to_string()).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let text = narrate_move(play, &names, one);
    let text = anstream::adapter::strip_str(&text).to_string().trim().to_owned();
    let ends_the_round = match one {
        Move::Acted(action) => play.game().reveals(action),
        Move::Failed(_) => true,
    };
    Line { text, ends_the_round }
}

fn shown(round: &Round, names: &[String]) -> Markup {
    let counts =
        |face: Face| round.called.is_some_and(|called| face == called || face == Face::ONE);
    html! {
        section aria-label={ "Round " (round.number) } {
            h3 { "Round " (round.number) }
            div.wide { table.hands {
                thead.unseen { tr { th.text scope="col" { "Bot" } th.text scope="col" { "Dice" } } }
                tbody { @for (seat, hand) in &round.hands { tr {
                    th.text scope="row" { (bot_name(&names[*seat])) }
                    td.text { (dice(hand, |_, face| counts(face))) }
                } } }
            } }
            ol.lines { @for line in &round.lines {
                @let text = with_names(&line.text, names);
                li { @if line.ends_the_round { strong { (text) } } @else { (text) } }
            } }
        }
    }
}
