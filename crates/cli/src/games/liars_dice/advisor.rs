//! Odds of bids and values of decisions in Liar's Dice, for a person at the terminal.

use dicehill_arena::Play;
use dicehill_coach::liars_dice::{AppraisedDecision, AppraisedSeat, Infoset};
use dicehill_coach::percent;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules, View};
use dicehill_rules::{Face, PublicInfo};

use crate::games::terminal_game::{Advisor, PlayedGame};
use crate::text::{FAINT, STRONG, YOU, counted, pips, styled};

/// The decisions in a report.
const WORST: usize = 3;

/// Values decisions by the odds, which take hidden dice as fair.
pub(super) struct LiarsDiceAdvisor {
    pub(super) rules: LiarsDiceRules,
}

impl Advisor<LiarsDice> for LiarsDiceAdvisor {
    /// The call, the lowest bid on each face and the coach's choice, by their chances.
    fn hint(&self, view: &View<'_>) -> String {
        let (hidden, next) = (view.hidden_dice() as u8, view.counts[view.next_position()]);
        let Some(infoset) = Infoset::new(view.dice, hidden, next, view.last_bid()) else {
            return String::new();
        };
        let (best, _) = infoset.best();
        let mut actions: Vec<_> = view.last_bid().map(|_| Action::Call).into_iter().collect();
        actions.extend(Bid::above(view.last_bid()).take(Face::ALL.len()).map(Action::Bid));
        if !actions.contains(&best) {
            actions.push(best);
        }
        let mut ranked: Vec<_> =
            actions.into_iter().map(|action| (action, chance(&infoset, action))).collect();
        // A stable sort: of bids with equal chances, the lowest is first.
        ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let lines = ranked.into_iter().map(|(action, chance)| {
            let text =
                format!("{:<5} {:>5.1} %  {}", typed(action), 100.0 * chance, meaning(action));
            match action == best {
                true => format!("  {}  {}", text, styled(STRONG, "the coach's choice")),
                false => format!("  {text}"),
            }
        });
        let title = "  chance to be right, if the hidden dice are fair:";
        let lines: Vec<_> = std::iter::once(styled(FAINT, title)).chain(lines).collect();
        lines.join("\n")
    }

    fn report(&self, played: PlayedGame<'_, LiarsDice>) -> Option<String> {
        let PlayedGame { play, dice, players, seat } = played;
        let begin = Play::new(self.rules, dice, players, PublicInfo::default());
        let own = AppraisedSeat::from_moves(YOU, seat, begin, play.moves())?;
        let mut mistakes: Vec<_> = own.steps.iter().filter(|step| step.loss > 0.0).collect();
        mistakes.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        let lost = mistakes.iter().fold(0.0, |sum, step| sum + step.loss);
        let decisions = counted(own.steps.len() as u64, "decision");
        let summary =
            format!("  {} of {decisions} lost {lost:.2} dice by the odds", mistakes.len());
        let mut lines = vec![styled(STRONG, "Your decisions"), summary];
        lines.extend(mistakes.into_iter().take(WORST).map(mistake));
        Some(lines.join("\n"))
    }
}

/// The chance that the bid holds, or that the call is right.
fn chance(infoset: &Infoset, action: Action) -> f64 {
    match action {
        Action::Bid(bid) => infoset.odds(bid).chance(),
        Action::Call => infoset.last_bid().map_or(0.0, |bid| infoset.odds(bid).against().chance()),
    }
}

/// What to type for an action.
fn typed(action: Action) -> String {
    match action {
        Action::Bid(bid) => bid.notation(),
        Action::Call => "liar".to_owned(),
    }
}

fn meaning(action: Action) -> String {
    match action {
        Action::Bid(bid) => bid.in_words(),
        Action::Call => "the last bid fails".to_owned(),
    }
}

fn mistake(step: &AppraisedDecision) -> String {
    let AppraisedDecision { round, infoset, chosen, best, loss, .. } = step;
    let own: Vec<_> = infoset.own_dice().collect();
    let after = infoset.last_bid().map(|bid| format!(", after {}", bid.notation()));
    let place = format!("round {round:>2}{}", after.unwrap_or_default());
    let of =
        |action: &Action| format!("{} ({})", action.notation(), percent(chance(infoset, *action)));
    let place = styled(FAINT, place);
    format!("  -{loss:<5.2} {place}  {}  {}; best {}", pips(&own), of(chosen), of(best))
}
