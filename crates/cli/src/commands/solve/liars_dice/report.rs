//! The reports for people.

use std::io::{self, Write};

use dicehill_coach::percent;
use dicehill_solver::liars_dice::{Bracket, History, Learner, MatchValue, Side, Tree};

use super::excerpt::{self, HandLine};
use super::solved_round::{MatchRound, SolvedRound};
use crate::layout::{Column, Form, Printer, Table};
use crate::text::{FAINT, STRONG, styled, thousands};

/// The most hands of a list that are printed; the document has all.
const HANDS: usize = 21;

/// The bounds of a value, and how far apart they are.
pub(super) fn bracket_text(found: Bracket) -> String {
    let Bracket { lower, upper } = found;
    format!("{lower:+.6} to {upper:+.6}, exploitability {:.1e}", found.exploitability())
}

pub(super) fn write(solved: &SolvedRound, out: &mut impl Write) -> io::Result<()> {
    let [starter, responder] = Side::BOTH.map(|side| solved.solver.round().dice(side));
    let title = format!("A round of Liar's Dice, {starter} against {responder} dice");
    writeln!(out, "{}", styled(STRONG, title))?;
    let found = solved.bracket();
    let value = format!("{:+.6} to {:+.6}", found.lower, found.upper);
    writeln!(
        out,
        "  Its value for the starter is {} (1 if won, -1 if lost).",
        styled(STRONG, value)
    )?;
    let chance = |value: f64| 50.0 * (1.0 + value);
    let (least, most) = (chance(found.lower), chance(found.upper));
    writeln!(
        out,
        "  Between optimal players the starter wins {least:.3} to {most:.3} % of such rounds."
    )?;
    writeln!(out, "  exploitability of both strategies {:.1e}, exact", found.exploitability())?;
    write_sizes(solved, out)?;
    if let [Some(starter), Some(responder)] = solved.solver.best() {
        writeln!(out, "\n{}", styled(STRONG, "First bids"))?;
        write_hands("bids", &excerpt::hands(&starter.strategy, History::EMPTY), out)?;
        for answers in excerpt::answers(&starter.strategy, &responder.strategy) {
            let share = 100.0 * answers.chance;
            let title = format!("Answers to {}, the first bid in {share:.1} %", answers.bid);
            writeln!(out, "\n{}", styled(STRONG, title))?;
            write_hands("answers", &answers.hands, out)?;
        }
    }
    Ok(())
}

fn write_sizes(solved: &SolvedRound, out: &mut impl Write) -> io::Result<()> {
    for tree in solved.solver.learners().iter().map(Learner::tree) {
        writeln!(out, "  {}", styled(FAINT, sizes(tree)))?;
    }
    let iterations = thousands(solved.iterations());
    let time = format!("{iterations} iterations in {:.2} s", solved.seconds);
    writeln!(out, "  {}", styled(FAINT, time))
}

fn sizes(tree: &Tree) -> String {
    let who = tree.limits().certified.map_or("both", Side::name);
    let sets = Side::BOTH.map(|side| tree.information_sets(side));
    format!(
        "{who}: {} histories, {} information sets, {} bytes",
        thousands(tree.histories() as u64),
        thousands((sets[0] as u64).saturating_add(sets[1] as u64)),
        thousands(tree.memory_bytes() as u64)
    )
}

fn write_hands(actions: &str, hands: &[HandLine], out: &mut impl Write) -> io::Result<()> {
    let headings = format!("  {:<18} {actions}, with their probabilities", "hand");
    writeln!(out, "{}", styled(FAINT, headings))?;
    for HandLine { hand, choices } in
        hands.iter().filter(|line| !line.choices.is_empty()).take(HANDS)
    {
        let shown = choices.iter().filter(|(_, chance)| *chance >= 0.005).take(6);
        let shown = shown.map(|(name, chance)| format!("{name} ({})", percent(*chance)));
        writeln!(out, "  {hand:<18} {}", shown.collect::<Vec<_>>().join(", "))?;
    }
    if hands.len() > HANDS {
        writeln!(out, "  {}", styled(FAINT, "...; --format json has all hands"))?;
    }
    Ok(())
}

pub(super) fn write_match<W: Write>(
    rounds: &[MatchRound],
    value: &MatchValue,
    out: &mut Printer<W>,
) -> io::Result<()> {
    let title = "A match of Liar's Dice between two, ten dice on the table";
    writeln!(out, "{}", styled(STRONG, title))?;
    let row = |round: &MatchRound| {
        let (least, most) = value.starter(round.dice);
        let Bracket { lower, upper } = round.bracket;
        let chance = format!("{:.2} to {:.2} %", 100.0 * least, 100.0 * most);
        vec![round.dice.to_string(), format!("{lower:+.4} to {upper:+.4}"), chance]
    };
    let columns = vec![
        Column::number("dice of the starter"),
        Column::number("value of the round"),
        Column::number("chance to win the match"),
    ];
    let rows = rounds.iter().map(row).collect();
    Table { columns, rows, complete: "--format json" }.write(out, Form::Text)
}
