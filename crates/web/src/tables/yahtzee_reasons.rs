//! Why a choice in Yahtzee is worth what it is: for hints.

use dicehill_coach::percent;
use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, Roll, View};
use dicehill_solver::yahtzee::Hand;

use super::box_title::box_title;

/// The boxes that need a pattern, from the most to the least demanding.
const PATTERNS: [Category; 6] = [
    Category::Yahtzee,
    Category::LargeStraight,
    Category::FullHouse,
    Category::FourOfAKind,
    Category::SmallStraight,
    Category::ThreeOfAKind,
];
/// The most patterns of a reason.
const MAX_PATTERNS: usize = 3;
/// The least probability that is worth a word.
const NOTABLE: f64 = 0.01;

/// `25 points now. The other boxes are worth 181.30 more.`
pub(super) fn why_fill(view: &View<'_>, category: Category, value: f64) -> String {
    let now = view.card.box_score(category, &view.dice);
    let points = if now == 1 { "point" } else { "points" };
    let rest = value - f64::from(now);
    format!("{now} {points} now. The other boxes and bonuses are worth {rest:.2} on average.")
}

/// What the next roll makes of the kept dice: `The next roll makes Full house (17 %), Yahtzee (3 %).`
pub(super) fn why_keep(view: &View<'_>, kept: Hand) -> String {
    let kept: Vec<Face> = kept.dice().collect();
    let chances = chances(view, &kept);
    let rolled = match 5 - kept.len() {
        1 => "One die is rolled".to_owned(),
        5 => "All dice are rolled".to_owned(),
        dice => format!("{dice} dice are rolled"),
    };
    let mut notable: Vec<_> = chances.into_iter().filter(|(_, chance)| *chance > NOTABLE).collect();
    notable.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    notable.truncate(MAX_PATTERNS);
    if notable.is_empty() {
        return format!("{rolled}, for a higher sum.");
    }
    let one = |(category, chance): &(Category, f64)| {
        format!("{} ({})", box_title(*category), percent(*chance))
    };
    let all: Vec<_> = notable.iter().map(one).collect();
    format!("{rolled}: the next roll makes {}.", all.join(", "))
}

/// For each free box that needs a pattern, the probability that the next roll fits it.
fn chances(view: &View<'_>, kept: &[Face]) -> Vec<(Category, f64)> {
    let free: Vec<_> =
        PATTERNS.into_iter().filter(|category| view.card.filled(*category).is_none()).collect();
    let rolled = 5 - kept.len();
    let outcomes = 6_usize.pow(rolled as u32);
    let mut counts = vec![0_usize; free.len()];
    for outcome in 0..outcomes {
        let roll = completed(kept, outcome);
        for (count, category) in counts.iter_mut().zip(&free) {
            *count += usize::from(view.card.box_score(*category, &roll) > 0);
        }
    }
    let chance = |count: usize| count as f64 / outcomes as f64;
    free.into_iter().zip(counts.into_iter().map(chance)).collect()
}

/// The kept dice, and others by the digits of `outcome` to base 6.
fn completed(kept: &[Face], outcome: usize) -> Roll {
    let mut rest = outcome;
    std::array::from_fn(|place| match kept.get(place) {
        Some(face) => *face,
        None => {
            let face = Face::ALL[rest % 6];
            rest /= 6;
            face
        }
    })
}

#[cfg(test)]
mod tests {
    use dicehill_rules::yahtzee::{Scorecard, YahtzeeRules};

    use super::*;

    fn view<'a>(card: &'a Scorecard, pips: [usize; 5]) -> View<'a> {
        let dice = pips.map(|pips| Face::ALL[pips - 1]);
        View { dice, stage: 0, round: 1, card, scores: &[] }
    }

    #[test]
    fn a_reason_has_the_chances_of_the_next_roll() {
        let card = Scorecard::new(YahtzeeRules::Official);
        let view = view(&card, [5, 5, 5, 2, 1]);
        let kept = Hand::from_dice([Face::ALL[4]; 3]).unwrap();
        let chance = |wanted: Category| {
            let all = chances(&view, &kept.dice().collect::<Vec<_>>());
            all.into_iter().find(|(category, _)| *category == wanted).unwrap().1
        };
        assert!((chance(Category::Yahtzee) - 1.0 / 36.0).abs() < 1e-12);
        assert!((chance(Category::FullHouse) - 5.0 / 36.0).abs() < 1e-12);
        assert_eq!(
            why_keep(&view, kept),
            "2 dice are rolled: the next roll makes Three of a kind (100 %), Four of a kind (31 %), Full house (14 %)."
        );
    }

    #[test]
    fn a_box_is_worth_its_points_and_the_rest() {
        let card = Scorecard::new(YahtzeeRules::Official);
        let view = view(&card, [5, 5, 5, 2, 2]);
        assert_eq!(
            why_fill(&view, Category::FullHouse, 225.5),
            "25 points now. The other boxes and bonuses are worth 200.50 on average."
        );
    }
}
