//! The documents `dicehill.round/1` and `dicehill.match/1`.

use dicehill_solver::liars_dice::{Bracket, CertifiedStrategy, History, MatchValue, Side, Tree};
use serde::Serialize;

use super::excerpt::{self, Answers, HandLine};
use super::solved_round::{MatchRound, SolvedRound};

#[derive(Serialize)]
pub(super) struct RoundDocument {
    schema: &'static str,
    game: &'static str,
    dice: [u8; 2],
    value: ValueDocument,
    iterations: u32,
    seconds: f64,
    bytes: usize,
    trees: Vec<TreeDocument>,
    first_bids: Vec<HandLine>,
    answers: Vec<Answers>,
}

#[derive(Serialize)]
struct ValueDocument {
    lower: f64,
    upper: f64,
    exploitability: f64,
}

#[derive(Serialize)]
struct TreeDocument {
    /// `null` for both players.
    certified: Option<&'static str>,
    most_bids: Option<usize>,
    call_from: Option<u8>,
    /// How many bids the certified player may make; `null` for all.
    own_bids: Option<u32>,
    histories: usize,
    information_sets: [usize; 2],
    bytes: usize,
}

impl ValueDocument {
    fn of(bracket: Bracket) -> Self {
        let Bracket { lower, upper } = bracket;
        Self { lower, upper, exploitability: bracket.exploitability() }
    }
}

impl TreeDocument {
    fn of(tree: &Tree) -> Self {
        let limits = tree.limits();
        Self {
            certified: limits.certified.map(Side::name),
            most_bids: Some(limits.max_bids).filter(|most| *most < tree.round().bids()),
            call_from: Some(limits.call_from).filter(|count| *count <= tree.round().all_dice()),
            own_bids: Some(limits.own_bids.count_ones()).filter(|bids| *bids < u64::BITS),
            histories: tree.histories(),
            information_sets: Side::BOTH.map(|side| tree.information_sets(side)),
            bytes: tree.memory_bytes(),
        }
    }
}

impl RoundDocument {
    pub(super) fn of(solved: &SolvedRound) -> Self {
        let best = solved.solver.best();
        let (first_bids, answers) = match best {
            [Some(starter), Some(responder)] => excerpts(starter, responder),
            [_, _] => (Vec::new(), Vec::new()),
        };
        let learners = solved.solver.learners().iter();
        Self {
            schema: "dicehill.round/1",
            game: "liars-dice",
            dice: Side::BOTH.map(|side| solved.solver.round().dice(side)),
            value: ValueDocument::of(solved.bracket()),
            iterations: solved.iterations(),
            seconds: solved.seconds,
            bytes: solved.bytes(),
            trees: learners.map(|learner| TreeDocument::of(learner.tree())).collect(),
            first_bids,
            answers,
        }
    }
}

fn excerpts(
    starter: &CertifiedStrategy,
    responder: &CertifiedStrategy,
) -> (Vec<HandLine>, Vec<Answers>) {
    let answers = excerpt::answers(&starter.strategy, &responder.strategy);
    (excerpt::hands(&starter.strategy, History::EMPTY), answers)
}

#[derive(Serialize)]
pub(super) struct MatchDocument {
    schema: &'static str,
    game: &'static str,
    states: Vec<MatchLine>,
}

#[derive(Serialize)]
struct MatchLine {
    starter_dice: u8,
    round: ValueDocument,
    match_chance: [f64; 2],
    iterations: u32,
    seconds: f64,
    bytes: usize,
}

impl MatchDocument {
    pub(super) fn of(rounds: &[MatchRound], value: &MatchValue) -> Self {
        let line = |round: &MatchRound| {
            let (least, most) = value.starter(round.dice);
            MatchLine {
                starter_dice: round.dice,
                round: ValueDocument::of(round.bracket),
                match_chance: [least, most],
                iterations: round.iterations,
                seconds: round.seconds,
                bytes: round.bytes,
            }
        };
        let states = rounds.iter().map(line).collect();
        Self { schema: "dicehill.match/1", game: "liars-dice", states }
    }
}
