//! `dicehill replay`: shows a recorded game move by move.

mod bot_input;
mod failures;
mod numbered_line;
mod recorded_game;
mod rerun;
mod shown_game;

use std::collections::HashMap;

use dicehill_arena::Memory;
use dicehill_rules::{Chance, with_game};
use dicehill_store::{RunSource, TruncatedTail};

use self::bot_input::BotInput;
use self::failures::show_failures;
use self::numbered_line::NumberedLine;
use self::recorded_game::read_game;
use self::rerun::play_again;
use self::shown_game::ShownGame;
use crate::args::{ReplayArgs, ReplayFormat};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::checks;
use crate::text::printable;

pub(crate) fn replay(args: &ReplayArgs, console: &Console) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, TruncatedTail::Refuse)?;
    with_game!(source.header().hill.game(), G => replay_game::<G>(&source, args, console))
}

fn replay_game<G: TerminalGame>(
    source: &RunSource,
    args: &ReplayArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let header = source.header().clone();
    let unknown = |rules: &str| format!("rules = {rules:?}: unknown for {}", G::NAME);
    let rules = &header.hill.terms.rules;
    let rules = G::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown(rules)))?;
    if args.failed {
        return show_failures::<G>(source, rules, args, console);
    }
    let (number, text) = source.find_game(args.game)?;
    let line = NumberedLine { number, text: &text };
    let chance = Chance::new(&header.seed);
    if let Some(bots) = &args.rerun {
        return play_again::<G>(source, line, bots, args, console);
    }
    let replay = read_game::<G>(source, line, rules, &chance)?;
    // The game is sound by itself. The other games show whether it belongs to this run.
    checks::refuse_altered_games::<G>(source)?;
    let has_ended = source.has_result();
    if let Some(path) = &args.save {
        checks::refuse_the_run_itself(&args.run, path)?;
        if source.has_hidden_secret() {
            let message = "cannot save a game before the run has ended, because its log would show the run's secret";
            return Err(source.error(None, message).into());
        }
        dicehill_store::save_game(path, &header, &text)?;
        let path = printable(&path.display().to_string());
        console.report(format!("game {} is in {path}", replay.game));
        return Ok(Outcome::Done);
    }
    if let Some(bot) = &args.input {
        let points = match header.hill.terms.memory {
            Memory::Game => HashMap::new(),
            Memory::Set => source.points_before(replay.game)?,
        };
        let input = BotInput { header: &header, rules, points, rounds: args.rounds };
        return input.print(&replay, bot, console);
    }
    let shown = ShownGame { header: &header, rules, has_ended, replay: &replay };
    match args.format {
        ReplayFormat::Text => shown.print_text(&mut console.out())?,
        ReplayFormat::Json => shown.print_json(console.out().verbatim())?,
    }
    Ok(Outcome::Done)
}
