//! Rare positions of Yahtzee: each step of the joker rule, the last free box, and keeps of all dice or none.

use dicehill_rules::yahtzee::{Action, Category, Keep, Roll, Yahtzee, YahtzeeRules};
use dicehill_rules::{Face, Seat};

use crate::{RareGame, RarePosition, ScriptedDice};

/// The seat that is asked; the other seat fills its card from the top.
const ASKED: Seat = Seat::new(0);
/// Dice that score in no lower box except Chance.
const NO_PATTERN: Roll = [Face::ONE, Face::ONE, Face::ALL[2], Face::ALL[3], Face::SIX];
/// The mask that keeps all five dice.
const ALL_KEPT: u8 = 0b11111;

impl RareGame for Yahtzee {
    fn rare_positions(rules: YahtzeeRules) -> Vec<RarePosition<Self>> {
        let mut positions = joker_steps(rules);
        positions.extend(joker_boxes(rules));
        positions.extend(last_boxes(rules));
        positions.extend(keeps(rules));
        positions
    }

    fn is_contrived(&self) -> bool {
        false
    }
}

/// The score in the Yahtzee box, if it is filled.
#[derive(Clone, Copy)]
enum YahtzeeBox {
    Fifty,
    Zero,
}

/// The actions of the asked seat that lead to a position.
struct Script {
    name: String,
    /// The boxes that it filled, one per round.
    filled: Vec<Category>,
    yahtzee_box: YahtzeeBox,
    /// The keeps before it is asked, as masks.
    keeps: Vec<u8>,
    /// The faces of all rolls of the last turn.
    shown: Roll,
}

impl Script {
    fn position(self, rules: YahtzeeRules) -> RarePosition<Yahtzee> {
        let mut dice = ScriptedDice::default();
        let mut actions = Vec::new();
        for ((round, mine), others) in (1..).zip(&self.filled).zip(Category::ALL) {
            if let (Category::Yahtzee, YahtzeeBox::Fifty) = (mine, self.yahtzee_box) {
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

/// A Yahtzee of each face after the last roll with the Yahtzee box filled, at each step of the joker rule; and of one
/// face also after the first roll.
fn joker_steps(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let mut positions = Vec::new();
    for yahtzee_box in [YahtzeeBox::Fifty, YahtzeeBox::Zero] {
        for face in Face::ALL {
            for (step, filled) in steps(face) {
                let stages = if face == Face::ALL[3] { &[2, 0][..] } else { &[2] };
                let script = |stage: &usize| joker(face, yahtzee_box, *stage, step, filled.clone());
                positions.extend(stages.iter().map(|stage| script(stage).position(rules)));
            }
        }
    }
    positions
}

/// The steps of the joker rule, with the boxes that are filled at each.
fn steps(face: Face) -> [(&'static str, Vec<Category>); 3] {
    let own = Category::upper(face);
    let lower = Category::ALL.into_iter().filter(|category| category.is_lower());
    [
        ("the face's upper box is free", vec![Category::Yahtzee, Category::Chance]),
        ("lower boxes are free", vec![Category::Yahtzee, own, Category::Chance]),
        ("only upper boxes are free", lower.chain([own]).collect()),
    ]
}

fn joker(
    face: Face,
    yahtzee_box: YahtzeeBox,
    stage: usize,
    step: &str,
    filled: Vec<Category>,
) -> Script {
    let points = match yahtzee_box {
        YahtzeeBox::Fifty => 50,
        YahtzeeBox::Zero => 0,
    };
    let name = format!("five {face}s, {points} in the Yahtzee box, {step}, stage {stage}");
    Script { name, filled, yahtzee_box, keeps: vec![0; stage], shown: [face; 5] }
}

/// A Yahtzee with a single free lower box, for each of them, and a Yahtzee while the Yahtzee box is free.
fn joker_boxes(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let face = Face::ALL[4];
    let free = Category::ALL.into_iter().filter(|category| category.is_lower());
    let mut positions = Vec::new();
    for free in free.filter(|free| *free != Category::Yahtzee) {
        let others =
            Category::ALL.into_iter().filter(|category| category.is_lower() && *category != free);
        let filled: Vec<_> = others.chain([Category::upper(face)]).collect();
        let step = format!("{free} is the only free lower box");
        positions.extend(
            [YahtzeeBox::Fifty, YahtzeeBox::Zero].map(|yahtzee_box| {
                joker(face, yahtzee_box, 2, &step, filled.clone()).position(rules)
            }),
        );
    }
    let name = "five 5s, and the Yahtzee box is free, stage 2".to_owned();
    let filled = vec![Category::Chance, Category::Fives];
    let script =
        Script { name, filled, yahtzee_box: YahtzeeBox::Zero, keeps: vec![0; 2], shown: [face; 5] };
    positions.push(script.position(rules));
    positions
}

/// Each category as the last free box, after the first and after the last roll.
fn last_boxes(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let last = |category: Category, stage: usize| {
        let name = format!("{category} is the last box, stage {stage}");
        let filled = Category::ALL.into_iter().filter(|other| *other != category).collect();
        let yahtzee_box = YahtzeeBox::Zero;
        Script { name, filled, yahtzee_box, keeps: vec![0; stage], shown: NO_PATTERN }
            .position(rules)
    };
    Category::ALL.into_iter().flat_map(|category| [last(category, 0), last(category, 2)]).collect()
}

/// After keeps of all five dice, and of none.
fn keeps(rules: YahtzeeRules) -> Vec<RarePosition<Yahtzee>> {
    let position = |keep: &str, masks: &[u8]| {
        let name = format!("{keep}, stage {}", masks.len());
        let (filled, keeps) = (vec![Category::Chance], masks.to_vec());
        Script { name, filled, yahtzee_box: YahtzeeBox::Zero, keeps, shown: NO_PATTERN }
            .position(rules)
    };
    vec![
        position("all five dice were kept", &[ALL_KEPT]),
        position("all five dice were kept twice", &[ALL_KEPT; 2]),
        position("no die was kept", &[0]),
        position("no die was kept twice", &[0; 2]),
    ]
}
