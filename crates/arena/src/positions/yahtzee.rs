//! Rare positions of Yahtzee: each step of the joker rule, last boxes, keeps at their extremes.

use dicehill_rules::yahtzee::{Action, Category, Keep, Roll, Yahtzee, YahtzeeRules};
use dicehill_rules::{Face, Seat};

use super::{ChosenDice, RareGame, RarePosition};

/// The seat that is asked; the other one fills its card from the top.
const ASKED: Seat = Seat::new(0);
/// Dice that fit none of the lower boxes but Chance.
const NOTHING: Roll = [Face::ONE, Face::ONE, Face::ALL[2], Face::ALL[3], Face::SIX];
/// All five dice are kept.
const ALL_KEPT: u8 = 0b11111;

impl RareGame for Yahtzee {
    fn rare_positions(rules: YahtzeeRules) -> Vec<RarePosition<Self>> {
        let mut positions = joker_steps(rules);
        positions.extend(joker_boxes(rules));
        positions.extend(last_boxes(rules));
        positions.extend(keeps(rules));
        positions
    }
}

/// What the Yahtzee box holds.
#[derive(Clone, Copy)]
enum Held {
    Fifty,
    Zero,
}

/// The way to a turn of the seat that is asked.
struct Way {
    name: String,
    /// What it has filled, a box a round.
    filled: Vec<Category>,
    held: Held,
    /// What it keeps before it is asked, as masks.
    keeps: Vec<u8>,
    /// What it is shown in the end, if something new is rolled.
    shown: Roll,
}

impl Way {
    fn position(self, rules: YahtzeeRules) -> RarePosition<Yahtzee> {
        let mut dice = ChosenDice::default();
        let mut actions = Vec::new();
        for ((round, mine), others) in (1..).zip(&self.filled).zip(Category::ALL) {
            if let (Category::Yahtzee, Held::Fifty) = (mine, self.held) {
                dice.choose(ASKED, round, 0, [Face::SIX; 5]);
            }
            actions.extend([Action::Fill(*mine), Action::Fill(others)]);
        }
        let round = self.filled.len() as u32 + 1;
        for roll in 0..=self.keeps.len() as u8 {
            dice.choose(ASKED, round, roll, self.shown);
        }
        actions.extend(self.keeps.iter().map(|mask| Action::Keep(Keep::from_mask(*mask))));
        RarePosition { name: self.name, rules, seats: 2, dice, actions }
    }
}

/// A Yahtzee of each face with the Yahtzee box filled, at each step of the joker rule, after the
/// last roll; and after the first one, of one face.
fn joker_steps(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let mut positions = Vec::new();
    for held in [Held::Fifty, Held::Zero] {
        for face in Face::ALL {
            for (step, filled) in steps(face) {
                let stages = if face == Face::ALL[3] { &[2, 0][..] } else { &[2] };
                let way = |stage: &usize| joker(face, held, *stage, step, filled.clone());
                positions.extend(stages.iter().map(|stage| way(stage).position(rules)));
            }
        }
    }
    positions
}

/// The steps of the joker rule, with what is filled at each.
fn steps(face: Face) -> [(&'static str, Vec<Category>); 3] {
    let own = Category::upper(face);
    let lower = Category::ALL.into_iter().filter(|category| category.is_lower());
    [
        ("the face's upper box is free", vec![Category::Yahtzee, Category::Chance]),
        ("lower boxes are free", vec![Category::Yahtzee, own, Category::Chance]),
        ("only upper boxes are free", lower.chain([own]).collect()),
    ]
}

fn joker(face: Face, held: Held, stage: usize, step: &str, filled: Vec<Category>) -> Way {
    let points = match held {
        Held::Fifty => 50,
        Held::Zero => 0,
    };
    let name = format!("five {face}s, {points} in the Yahtzee box, {step}, stage {stage}");
    Way { name, filled, held, keeps: vec![0; stage], shown: [face; 5] }
}

/// A Yahtzee when a single lower box is left for it, and one while the Yahtzee box is free.
fn joker_boxes(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let face = Face::ALL[4];
    let free = Category::ALL.into_iter().filter(|one| one.is_lower());
    let mut positions = Vec::new();
    for free in free.filter(|free| *free != Category::Yahtzee) {
        let others = Category::ALL.into_iter().filter(|one| one.is_lower() && *one != free);
        let filled: Vec<_> = others.chain([Category::upper(face)]).collect();
        let step = format!("of the lower boxes only {free} is free");
        positions.extend(
            [Held::Fifty, Held::Zero]
                .map(|held| joker(face, held, 2, &step, filled.clone()).position(rules)),
        );
    }
    let name = "five 5s, and the Yahtzee box is free, stage 2".to_owned();
    let filled = vec![Category::Chance, Category::Fives];
    let way = Way { name, filled, held: Held::Zero, keeps: vec![0; 2], shown: [face; 5] };
    positions.push(way.position(rules));
    positions
}

/// Each category as the last one, before and after the dice are rolled again.
fn last_boxes(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let last = |category: Category, stage: usize| {
        let name = format!("{category} is the last box, stage {stage}");
        let filled = Category::ALL.into_iter().filter(|one| *one != category).collect();
        let held = Held::Zero;
        Way { name, filled, held, keeps: vec![0; stage], shown: NOTHING }.position(rules)
    };
    Category::ALL.into_iter().flat_map(|category| [last(category, 0), last(category, 2)]).collect()
}

/// After all five dice were kept, and after none was.
fn keeps(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let way = |what: &str, masks: &[u8]| {
        let name = format!("{what}, stage {}", masks.len());
        let (filled, keeps) = (vec![Category::Chance], masks.to_vec());
        Way { name, filled, held: Held::Zero, keeps, shown: NOTHING }.position(rules)
    };
    vec![
        way("all five dice were kept", &[ALL_KEPT]),
        way("all five dice were kept twice", &[ALL_KEPT; 2]),
        way("no die was kept", &[0]),
        way("no die was kept twice", &[0; 2]),
    ]
}
