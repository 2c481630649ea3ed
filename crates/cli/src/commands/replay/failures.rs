//! `dicehill replay --failed`: the requests at which bots failed, and what a bot answers to them now.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use dicehill_arena::{Bar, Entrant, Memory, Move, Program, Resent, Start};
use dicehill_rules::Chance;
use dicehill_store::RunSource;
use serde_json::Value;

use super::numbered_line::NumberedLine;
use super::recorded_game::read_game;
use crate::args::ReplayArgs;
use crate::bots::BotLoader;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::checks;
use crate::text::{BAD, FAINT, GOOD, STRONG, bar_place, printable, styled};

/// The most failures that are shown.
const MAX_SHOWN: usize = 10;

/// Why a failure has no log.
const NO_LOG: &str = "a log that belongs to several games is not recorded: --resend BOT asks the bot again, and shows its log";

/// A request to which a bot gave no legal answer.
struct FailedRequest {
    bot: String,
    /// The game, or 0 for the qualification.
    game: u64,
    is_bar: bool,
    /// The reason and its detail.
    fault: String,
    /// The message of the bot protocol.
    request: String,
    log: Vec<String>,
    /// How many failures of the run are like this one.
    times: u64,
}

/// Shows the failures of a run, or of one of its games.
pub(super) fn show_failures<G: TerminalGame>(
    source: &RunSource,
    rules: G::Rules,
    args: &ReplayArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    checks::refuse_altered_games::<G>(source)?;
    let resent = args.resend.as_deref().map(|bot| load::<G>(source, bot, args, console));
    let resent = resent.transpose()?;
    let mut failed = failed_requests::<G>(source, rules, args.game)?;
    if failed.is_empty() {
        writeln!(console.out(), "{}", nothing_shown(source))?;
        return Ok(Outcome::Done);
    }
    if let Some(entrant) = &resent {
        failed = of_bot(failed, entrant.name.as_str(), args)?;
    }
    let mut out = console.out();
    let mut outcome = Outcome::Done;
    for one in failed.iter().take(MAX_SHOWN) {
        write!(out, "{}", described(one))?;
        if let Some(entrant) = &resent {
            let (answer, is_legal) = resend::<G>(source, one, &entrant.program)?;
            writeln!(out, "{answer}")?;
            if !is_legal {
                outcome = Outcome::Barred;
            }
        }
    }
    if failed.len() > MAX_SHOWN {
        writeln!(out, "and {} more kinds of failures", failed.len() - MAX_SHOWN)?;
    }
    if resent.is_none() && failed.iter().any(|one| one.log.is_empty()) {
        writeln!(out, "{}", styled(FAINT, NO_LOG))?;
    }
    Ok(outcome)
}

/// What is said of a run without failures to show.
fn nothing_shown(source: &RunSource) -> &'static str {
    if !source.keeps_moves() {
        "no bot was barred; failures in games cannot be shown, because the record has no moves"
    } else if source.number().is_some() {
        "no bot failed; how a bot fails that was refused before a run: dicehill check BOT"
    } else {
        "no bot failed"
    }
}

/// The bot that is asked again.
fn load<G: TerminalGame>(
    source: &RunSource,
    bot: &str,
    args: &ReplayArgs,
    console: &Console,
) -> Result<Entrant<G>, Failure> {
    let terms = source.header().hill.bot_terms::<G>(&args.run)?;
    let loader = BotLoader::new(None, args.isolation, console)?.with_trust(args.trust);
    let entrants = loader.entrants::<G>(&[bot.to_owned()], terms)?;
    match <[_; 1]>::try_from(entrants) {
        Ok([entrant]) if entrant.program.is_outside() => Ok(entrant),
        Ok(_) => Err(Failure::Usage(format!("--resend {bot}: a house bot gets no messages"))),
        Err(_) => Err(Failure::Usage(format!("--resend {bot}: name one bot"))),
    }
}

/// Those of the bot with this name; all if only one bot failed, which may have another name now.
fn of_bot(
    failed: Vec<FailedRequest>,
    name: &str,
    args: &ReplayArgs,
) -> Result<Vec<FailedRequest>, Failure> {
    let mut names: Vec<_> = failed.iter().map(|one| one.bot.clone()).collect();
    names.sort_unstable();
    names.dedup();
    if names.iter().any(|one| one == name) {
        return Ok(failed.into_iter().filter(|one| one.bot == name).collect());
    }
    match names.as_slice() {
        [_] => Ok(failed),
        _ => {
            let bot = args.resend.as_deref().unwrap_or_default();
            let message =
                format!("--resend {bot}: is {name}, but the failures are of {}", names.join(", "));
            Err(Failure::Usage(message))
        }
    }
}

/// The bars of a run, or of one of its games, and the failures in games that count. Of equal failures of a bot the first is
/// kept.
fn failed_requests<G: TerminalGame>(
    source: &RunSource,
    rules: G::Rules,
    wanted: Option<u64>,
) -> Result<Vec<FailedRequest>, Failure> {
    let of_wanted = |bar: &&Bar| wanted.is_none_or(|game| game == bar.game);
    let mut failed: Vec<_> = source.bars().iter().filter(of_wanted).map(of_bar).collect();
    if let Some(game) = wanted {
        let bars = failed.len();
        // The game of a bar may be recorded again without the barred bot.
        match source.find_game(Some(game)) {
            Ok((number, text)) => {
                let line = NumberedLine { number, text: &text };
                failed.extend(failures_of_game::<G>(source, line, rules)?);
            }
            Err(error) if bars == 0 => return Err(error.into()),
            Err(_) => {}
        }
        return Ok(failed);
    }
    let mut first_of: HashMap<(String, String), usize> = HashMap::new();
    source.each_game(|game| -> Result<(), Failure> {
        if !game.line.contains("\"failures\":[") {
            return Ok(());
        }
        let line = NumberedLine { number: game.number, text: &game.line };
        for one in failures_of_game::<G>(source, line, rules)? {
            let kind = (one.bot.clone(), one.fault.clone());
            match first_of.get(&kind) {
                Some(index) => failed[*index].times += 1,
                None => {
                    first_of.insert(kind, failed.len());
                    failed.push(one);
                }
            }
        }
        Ok(())
    })?;
    Ok(failed)
}

fn of_bar(bar: &Bar) -> FailedRequest {
    FailedRequest {
        bot: bar.bot.clone(),
        game: bar.game,
        is_bar: true,
        fault: format!("{}: {}", bar.reason, bar.detail),
        request: bar.request.clone(),
        log: bar.log.clone(),
        times: 1,
    }
}

/// The failures in a recorded game, whose requests follow from its moves.
fn failures_of_game<G: TerminalGame>(
    source: &RunSource,
    line: NumberedLine<'_>,
    rules: G::Rules,
) -> Result<Vec<FailedRequest>, Failure> {
    let replay = read_game::<G>(source, line, rules, &Chance::new(&source.header().seed))?;
    let points = match source.header().hill.terms.memory {
        Memory::Game => Vec::new(),
        Memory::Set => {
            let points = source.points_before(replay.game)?;
            replay.names.iter().map(|name| points.get(name).copied().unwrap_or(0)).collect()
        }
    };
    let mut play = replay.begin_with_points(rules, points);
    let mut failed = Vec::new();
    for one in &replay.moves {
        if let (Move::Failed(fault), Some((seat, view))) = (one, play.turn()) {
            failed.push(FailedRequest {
                bot: replay.names[seat.index()].clone(),
                game: replay.game,
                is_bar: false,
                fault: fault.to_string(),
                request: G::request_text(&view),
                log: fault.log.clone(),
                times: 1,
            });
        }
        play.repeat(one);
    }
    Ok(failed)
}

fn described(failed: &FailedRequest) -> String {
    let FailedRequest { bot, game, is_bar, fault, request, log, times } = failed;
    let what = if *is_bar { "barred" } else { "failed" };
    let times = if *times > 1 { format!("{times} x the same, first ") } else { String::new() };
    let bot = styled(STRONG, printable(bot));
    let fault = styled(BAD, printable(fault));
    let mut text = format!("{bot} {what} {times}in {}: {fault}\n", bar_place(*game));
    text.push_str(&format!("  request: {}", printable(request)));
    log.iter().for_each(|line| text.push_str(&log_line(line)));
    text.push('\n');
    text
}

/// A line of a bot's log, after the text before it.
fn log_line(line: &str) -> String {
    format!("\n  its log: {}", styled(FAINT, printable(line)))
}

/// Sends a request to the bot again. Returns what it answers in words, and whether that is legal.
fn resend<G: TerminalGame>(
    source: &RunSource,
    failed: &FailedRequest,
    program: &Arc<dyn Program<G>>,
) -> Result<(String, bool), Failure> {
    let request: Value = serde_json::from_str(&failed.request).unwrap_or_default();
    if request["type"] != "turn" {
        let message = "the log is of an older version, whose requests cannot be sent again";
        return Err(source.error(None, message).into());
    }
    let players = ["counts", "scores"].iter().find_map(|key| request[*key].as_array());
    let start = Start {
        game: failed.game.max(1),
        id: 0,
        players: players.map_or(2, Vec::len),
        seed: Chance::new(&source.header().seed).bot_seed(failed.game, &failed.bot),
    };
    let resent = program.resend(&start, &failed.request);
    let Resent { answer, log } = resent.expect("only external bots are asked again");
    let (answer, is_legal) = match answer {
        Err(fault) if fault.reason.is_arena_error() => {
            return Err(Failure::Failed(std::io::Error::other(fault.detail)));
        }
        Err(fault) => (styled(BAD, printable(&fault.to_string())), false),
        Ok(action) => {
            let written = G::written_after(&request, &action).unwrap_or_else(|| action.to_string());
            match G::refusal(&request, &action) {
                Some(why) => (styled(BAD, format!("illegal-move: {written}: {why}")), false),
                None => (format!("{written}, {}", styled(GOOD, "which is legal")), true),
            }
        }
    };
    let mut text = format!("  sent again: {answer}");
    if !is_legal {
        log.iter().for_each(|line| text.push_str(&log_line(line)));
    }
    Ok((text, is_legal))
}
