//! `dicehill advise yahtzee`: ranks the choices in a position of Yahtzee.

use std::io::Write;

use dicehill_arena::printable_json;
use dicehill_coach::yahtzee::{Choice, RankedChoice, advise as rank};
use dicehill_rules::yahtzee::{Category, CategorySet, Roll, Yahtzee};
use dicehill_rules::{Face, Game};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};
use serde_json::{Value, json};

use super::ranking::write_ranking;
use crate::args::{AdviseYahtzeeArgs, TextFormat};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Column, Printer, Table};
use crate::text::{FAINT, STRONG, dice, styled};
use crate::threads::threads;

/// A position within a turn, as the command line describes it.
struct TurnPosition {
    variant: Variant,
    position: Position,
    stage: u8,
    dice: Roll,
}

pub(super) fn advise(args: &AdviseYahtzeeArgs, console: &Console) -> Result<Outcome, Failure> {
    let turn = TurnPosition {
        variant: args.rules,
        position: position(args)?,
        stage: args.stage,
        dice: args.dice,
    };
    let solution = Solution::new(turn.variant, threads());
    let choices = rank(&solution, turn.position, turn.stage, Hand::from_roll(&turn.dice));
    let mut out = console.out();
    match args.format {
        TextFormat::Text => turn.write(&mut out, &choices)?,
        TextFormat::Json => {
            let json = printable_json(&turn.document(&choices)).map_err(std::io::Error::other)?;
            writeln!(out.verbatim(), "{json}")?;
        }
    }
    Ok(Outcome::Done)
}

fn position(args: &AdviseYahtzeeArgs) -> Result<Position, Failure> {
    let free = args.free.unwrap_or(CategorySet::ALL);
    if args.yahtzee.is_some() && free.contains(Category::Yahtzee) {
        let message = "--yahtzee: the Yahtzee box is free; --free says which boxes are";
        return Err(Failure::Usage(message.to_owned()));
    }
    Position::new(free, args.upper, args.yahtzee == Some(true))
        .map_err(|why| Failure::Usage(format!("--upper {}: {why}", args.upper)))
}

impl TurnPosition {
    fn write<W: Write>(
        &self,
        out: &mut Printer<W>,
        choices: &[RankedChoice],
    ) -> std::io::Result<()> {
        let rolls = match self.stage {
            0 => "two rolls left",
            1 => "one roll left",
            _ => "no roll left",
        };
        let title = styled(STRONG, dice(&self.dice));
        writeln!(out, "{title}   {rolls}")?;
        for fact in self.facts() {
            writeln!(out, "{}", styled(FAINT, fact))?;
        }
        let row = |(number, RankedChoice { choice, value, loss }): (usize, &RankedChoice)| {
            let loss = if *loss < 0.005 { "-".to_owned() } else { format!("{loss:.2}") };
            vec![number.to_string(), choice.to_string(), format!("{value:.2}"), loss]
        };
        let columns = vec![
            Column::number("#").priority(1),
            Column::name("choice"),
            Column::number("value"),
            Column::number("loss"),
        ];
        let rows = (1..).zip(choices).map(row).collect();
        write_ranking(out, &Table { columns, rows, complete: "--format json" })
    }

    /// The position in two lines: rules and totals, then boxes.
    fn facts(&self) -> Vec<String> {
        let free = self.position.free();
        let mut facts = vec![format!("{} rules", self.variant)];
        if free != CategorySet::ALL {
            facts.push(match self.position.upper() {
                63 => "upper total 63 or more".to_owned(),
                upper => format!("upper total {upper}"),
            });
        }
        if !free.contains(Category::Yahtzee) {
            let holds = if self.position.has_yahtzee() { 50 } else { 0 };
            facts.push(format!("the Yahtzee box holds {holds}"));
        }
        vec![facts.join(", "), boxes(free)]
    }

    fn document(&self, choices: &[RankedChoice]) -> Value {
        let free: Vec<_> = self.position.free().iter().map(Category::name).collect();
        json!({
            "schema": "dicehill.advice/1",
            "game": Yahtzee::NAME,
            "rules": self.variant.name(),
            "dice": self.dice.map(Face::pips),
            "stage": self.stage,
            "free": free,
            "upper": self.position.upper(),
            "has_yahtzee": self.position.has_yahtzee(),
            "choices": choices.iter().map(of_choice).collect::<Vec<_>>(),
        })
    }
}

/// Lists the free boxes, or the filled ones if they are fewer.
fn boxes(free: CategorySet) -> String {
    let names = |wanted: bool| {
        let boxes = Category::ALL.into_iter();
        let names: Vec<_> =
            boxes.filter(|b| free.contains(*b) == wanted).map(Category::name).collect();
        names.join(" ")
    };
    match free.len() {
        13 => "all boxes are free".to_owned(),
        7.. => format!("all boxes are free but {}", names(false)),
        _ => format!("free: {}", names(true)),
    }
}

fn of_choice(RankedChoice { choice, value, loss }: &RankedChoice) -> Value {
    match choice {
        Choice::Fill(category) => {
            json!({"kind": "fill", "category": category.name(), "value": value, "loss": loss})
        }
        Choice::Keep(hand) => {
            let kept: Vec<_> = hand.dice().map(Face::pips).collect();
            json!({"kind": "keep", "kept": kept, "value": value, "loss": loss})
        }
    }
}
