//! A recorded game move by move, as text or as a document.

use std::io::Write;

use dicehill_arena::{Move, Replay, printable_json};
use dicehill_rules::SeatResult;
use dicehill_store::RunHeader;
use serde_json::{Map, Value, json};

use crate::games::{TerminalGame, narrate_move};
use crate::text::{FAINT, STRONG, printable, styled};

/// A recorded game that is shown.
pub(super) struct ShownGame<'a, G: TerminalGame> {
    pub(super) header: &'a RunHeader,
    pub(super) rules: G::Rules,
    /// Whether the run has ended, so that its secret may be shown.
    pub(super) has_ended: bool,
    pub(super) replay: &'a Replay<G>,
}

impl<G: TerminalGame> ShownGame<'_, G> {
    fn names(&self) -> Vec<&str> {
        self.replay.names.iter().map(String::as_str).collect()
    }

    /// The master seed under which the game was played, as far as it may be shown.
    fn seed(&self) -> &str {
        let own = || self.header.public_seed(self.has_ended);
        self.replay.seed.as_deref().unwrap_or_else(own)
    }

    pub(super) fn print_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Replay { game, table, .. } = self.replay;
        let names = self.names();
        let title = styled(STRONG, format!("{}, game {game}", G::TITLE));
        let seed = printable(self.seed());
        let facts = format!("{} rules, table {table}, seed {seed}", self.rules);
        writeln!(out, "{title}  {}", styled(FAINT, facts))?;
        let seats = (1..).zip(&names).map(|(seat, name)| format!("{name} (seat {seat})"));
        writeln!(out, "{}", seats.collect::<Vec<_>>().join(", "))?;
        let mut play = self.replay.begin(self.rules);
        for one in &self.replay.moves {
            if let Some(heading) = G::heading(&play, &names) {
                writeln!(out, "\n{heading}")?;
            }
            writeln!(out, "{}", narrate_move(&play, &names, one))?;
            play.repeat(one);
        }
        writeln!(out, "\n{}", G::show_results(&play, &names))
    }

    pub(super) fn print_json(&self, out: &mut impl Write) -> std::io::Result<()> {
        let document = json!({
            "schema": "dicehill.replay/1",
            "game": G::NAME,
            "rules": self.rules.to_string(),
            "seed": self.seed(),
            "number": self.replay.game,
            "table": self.replay.table,
            "bots": self.replay.names,
            "moves": self.moves(),
            "results": self.results(),
        });
        writeln!(out, "{}", printable_json(&document)?)
    }

    /// Each move with the position before it.
    fn moves(&self) -> Vec<Value> {
        let mut play = self.replay.begin(self.rules);
        let mut moves = Vec::new();
        for one in &self.replay.moves {
            let mut step = Map::new();
            if let Some((seat, _)) = play.turn() {
                step.insert("seat".into(), json!(seat.index()));
                step.insert("bot".into(), json!(self.replay.names[seat.index()]));
            }
            step.append(&mut G::position(&play));
            match one {
                Move::Acted(action) => {
                    step.insert("action".into(), json!(action.to_string()));
                }
                Move::Failed(failure) => {
                    step.insert("failed".into(), json!(failure.reason.name()));
                    step.insert("detail".into(), json!(failure.detail));
                }
            }
            moves.push(Value::Object(step));
            play.repeat(one);
        }
        moves
    }

    fn results(&self) -> Value {
        let result = |(name, result): (&String, &SeatResult)| {
            let mut object = Map::new();
            object.insert("bot".into(), json!(name));
            object.insert("points".into(), json!(result.points));
            object.insert("won".into(), json!(result.won));
            for (figure, value) in G::FIGURES.iter().zip(result.figures) {
                object.insert(figure.name.into(), json!(value));
            }
            Value::Object(object)
        };
        self.replay.names.iter().zip(&self.replay.results).map(result).collect()
    }
}
