//! Values of decisions in Yahtzee, for a person at the terminal.

use dicehill_coach::yahtzee::{
    AppraisedDecision, AppraisedTurn, Choice, PlayedTurn, RankedChoice, advise,
};
use dicehill_rules::Game;
use dicehill_rules::yahtzee::{View, Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};

use crate::games::terminal_game::{Advisor, PlayedGame};
use crate::text::{FAINT, STRONG, counted, dice, styled};
use crate::threads::threads;

/// The choices in a hint.
const HINTS: usize = 3;
/// The decisions in a report.
const WORST: usize = 3;

/// Values decisions by the exact solution.
pub(super) struct YahtzeeAdvisor {
    rules: YahtzeeRules,
    solution: Solution,
}

impl YahtzeeAdvisor {
    /// Solves the game by these rules.
    pub(super) fn new(rules: YahtzeeRules) -> Self {
        Self { rules, solution: Solution::new(Variant::from(rules), threads()) }
    }
}

impl Advisor<Yahtzee> for YahtzeeAdvisor {
    fn hint(&self, view: &View<'_>) -> String {
        let position = Position::from_scorecard(view.card);
        let hand = Hand::from_roll(&view.dice);
        let choices = advise(&self.solution, position, view.stage, hand);
        // Keeping all five dice only postpones the choice of a box.
        let best = choices.iter().filter(|advised| advised.choice != Choice::Keep(hand));
        let best: Vec<_> = best.take(HINTS).collect();
        let typed: Vec<_> = best.iter().map(|advised| typed(advised.choice)).collect();
        let widest = typed.iter().map(String::len).max().unwrap_or(0);
        let line = |(RankedChoice { value, loss, .. }, typed): (&&RankedChoice, &String)| {
            let less = if *loss < 0.005 { String::new() } else { format!("{loss:>8.2} less") };
            format!("  {typed:<widest$}  {value:>7.2}{}", styled(FAINT, less))
        };
        let lines: Vec<_> = best.iter().zip(&typed).map(line).collect();
        format!(
            "{}\n{}",
            styled(FAINT, "  best choices, with the expected points still to come:"),
            lines.join("\n")
        )
    }

    fn report(&self, played: PlayedGame<'_, Yahtzee>) -> Option<String> {
        let PlayedGame { play, dice, players, seat } = played;
        if play.is_void() {
            return None;
        }
        let turns = PlayedTurn::by_seat(self.rules, &dice, players, play.moves());
        let turns = turns.get(seat.index())?.iter();
        let turns: Vec<_> = turns.map(|turn| AppraisedTurn::new(&self.solution, turn)).collect();
        let luck: f64 = turns.iter().map(|turn| turn.luck).sum();
        let steps: Vec<(u32, &AppraisedDecision)> = turns
            .iter()
            .flat_map(|turn| turn.steps.iter().map(|step| (turn.round, step)))
            .collect();
        let lost: f64 = steps.iter().map(|(_, step)| step.loss).sum();
        let mut mistakes: Vec<_> = steps.iter().filter(|(_, step)| step.loss > 0.0).collect();
        mistakes.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
        let score = play.game().result(seat).figures[0];
        let start = self.solution.start();
        let sign = if luck < 0.0 { '-' } else { '+' };
        let decisions = counted(steps.len() as u64, "decision");
        let each = lost / steps.len().max(1) as f64;
        let mut lines = vec![
            styled(STRONG, "Your decisions"),
            format!(
                "  score {score} = {start:.2} best play {sign} {:.2} luck - {lost:.2} loss",
                luck.abs()
            ),
            format!(
                "  {} of {decisions} lost points, {each:.2} per decision on average",
                mistakes.len()
            ),
        ];
        lines.extend(mistakes.iter().take(WORST).map(|(round, step)| mistake(*round, step)));
        Some(lines.join("\n"))
    }
}

fn mistake(round: u32, step: &AppraisedDecision) -> String {
    let AppraisedDecision { kind, dice: shown, chosen, best, loss, .. } = step;
    let place = format!("round {round:>2}, {:<11}", kind.title());
    format!("  -{loss:<5.2}  {}  {}  {chosen}; best {best}", styled(FAINT, place), dice(shown))
}

/// What to type for a choice.
fn typed(choice: Choice) -> String {
    match choice {
        Choice::Fill(category) => category.to_string(),
        Choice::Keep(_) => choice.to_string(),
    }
}
