//! A player for two: solves what is left of each round while it is played.

mod range;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, View};
use dicehill_solver::liars_dice::{Hands, Round, Side, Subgame, SubgameLimits};

use self::range::Range;
use super::bayes::Bayes;
use super::{bid, liar};
use crate::draw::Draw;

/// How many bids above the last are considered, ones left out.
const BIDS: u32 = 10;
/// How many bids deep.
const MOST_BIDS: usize = 3;
/// How often both sides learn.
const ITERATIONS: u32 = 40;

fn envn(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

pub(super) struct Duelist {
    draw: Draw,
    round: Option<Tracked>,
    crowd: Bayes,
}

impl Default for Duelist {
    fn default() -> Self {
        Self { draw: Draw::new(0), round: None, crowd: Bayes }
    }
}

/// A round as far as it has been followed.
struct Tracked {
    counts: [u8; 2],
    seen: usize,
    own: Range,
    other: Range,
    last: Option<(Arc<Solved>, Bid)>,
}

impl Bot<LiarsDice> for Duelist {
    fn start(&mut self, start: &Start) {
        *self = Self { draw: Draw::new(start.seed), ..Self::default() };
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        if view.players() != 2 || view.dice_in_play() > u32::from(Round::MOST_DICE) {
            return self.crowd.act(view);
        }
        let counts = [view.counts[view.you], view.counts[1 - view.you]];
        let round = Round::new(counts[0], counts[1]).expect("two players with ten dice");
        if view.last_bid().is_some_and(|last| last.count() > view.dice_in_play()) {
            return liar();
        }
        let mut tracked = self
            .round
            .take()
            .filter(|t| t.counts == counts && view.bids.len() == t.seen + 1 && t.seen > 0)
            .unwrap_or_else(|| Tracked::new(counts));
        tracked.see(view);
        let subgame = solve(
            round,
            tracked.key(view.bids),
            [&tracked.own.0, &tracked.other.0],
        );
        let actions = &subgame.actions;
        let hands = Hands::of(counts[0]);
        let hand = hands.find(view.dice).expect("a hand of so many dice");
        let chances: Vec<f64> = actions.iter().map(|(_, row)| row[hand]).collect();
        let choice = self.choose(&chances);
        let (action, row) = &actions[choice];
        tracked.own.multiply(row);
        tracked.seen = view.bids.len() + 1;
        match action {
            None => {
                self.round = None;
                liar()
            }
            Some(made) => {
                tracked.last = Some((Arc::clone(&subgame), *made));
                self.round = Some(tracked);
                bid(made.count(), made.face())
            }
        }
    }
}

impl Duelist {
    fn choose(&mut self, chances: &[f64]) -> usize {
        const PARTS: u32 = 1 << 24;
        let kept: Vec<f64> = chances.iter().map(|c| if *c < 0.02 { 0.0 } else { *c }).collect();
        let sum: f64 = kept.iter().sum();
        let mut at = f64::from(self.draw.below(PARTS)) / f64::from(PARTS) * sum;
        for (number, chance) in kept.iter().enumerate() {
            at -= chance;
            if at < 0.0 {
                return number;
            }
        }
        kept.iter().rposition(|chance| *chance > 0.0).expect("some action is taken")
    }
}

impl Tracked {
    fn key(&self, bids: &[Bid]) -> Key {
        (self.counts, false, bids.to_vec())
    }

    fn new(counts: [u8; 2]) -> Self {
        let [own, other] = counts.map(Range::new);
        Self { counts, seen: 0, own, other, last: None }
    }

    /// Takes in the other's last bid.
    fn see(&mut self, view: &View<'_>) {
        let Some(last) = view.last_bid() else { return };
        let answers = match &self.last {
            Some((subgame, made)) => subgame.answers.get(made).cloned(),
            None if view.bids.len() == 1 => {
                let round = Round::new(self.counts[1], self.counts[0]).expect("ten dice");
                let open = solve(round, (self.counts, true, Vec::new()), [&self.other.0, &self.own.0]);
                Some(open.actions.clone())
            }
            None => None,
        };
        let row = answers
            .and_then(|rows| rows.into_iter().find(|(bid, _)| *bid == Some(last)))
            .map(|(_, row)| row);
        let hands = Hands::of(self.counts[1]);
        self.other.learn(&hands, row.as_deref(), last);
    }
}


type Rows = Vec<(Option<Bid>, Vec<f64>)>;
type Key = ([u8; 2], bool, Vec<Bid>);
struct Solved {
    actions: Rows,
    answers: BTreeMap<Bid, Rows>,
}

fn solve(round: Round, key: Key, ranges: [&[f64]; 2]) -> Arc<Solved> {
    static KEPT: Mutex<BTreeMap<Key, Arc<Solved>>> = Mutex::new(BTreeMap::new());
    if let Some(known) = KEPT.lock().unwrap().get(&key) {
        return Arc::clone(known);
    }
    let subgame = solve_now(round, key.2.last().copied(), ranges);
    let actions = subgame.actions();
    let answers = actions.iter().filter_map(|(bid, _)| Some(((*bid)?, subgame.answers((*bid)?)?)));
    let answers = answers.collect();
    let solved = Arc::new(Solved { actions, answers });
    if key.2.len() <= 3 {
        KEPT.lock().unwrap().insert(key, Arc::clone(&solved));
    }
    solved
}

fn solve_now(round: Round, last: Option<Bid>, ranges: [&[f64]; 2]) -> Subgame {
    let mut bids = 0u64;
    let mut left = envn("DB", BIDS);
    let first = match last {
        None => 6 * (u32::from(round.all_dice()) / 3 - 1).max(0),
        Some(last) => last.value() - 5,
    };
    let left_first = if last.is_none() { envn("DO", 10) } else { left };
    left = left_first;
    for number in first..6 * u32::from(round.all_dice()) {
        if number % 6 != 0 && left > 0 {
            bids |= 1 << number;
            left -= 1;
        }
    }
    let _ = Side::BOTH;
    let limits = SubgameLimits {
        bids,
        most_bids: envn("DM", MOST_BIDS as u32) as usize,
        iterations: envn("DI", ITERATIONS),
    };
    Subgame::solve(round, last, ranges, limits)
}
