//! What a qualification found, in words.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use dicehill_arena::{Check, Entrant, Extent, Finding, Occasion};

use crate::terminal_game::TerminalGame;
use crate::text::{BAD, FAINT, GOOD, counted, printable, styled};

/// Findings that are printed of one bot.
pub(crate) const MOST_FINDINGS: usize = 10;
/// Games of the run for which a bot's share is foretold.
const USUAL_GAMES: u32 = 1000;
/// The percentiles that are printed of the times of answers.
pub(crate) const PERCENTILES: [usize; 3] = [50, 95, 99];

/// Writes the verdict on a bot, and what is wrong with it.
pub(crate) fn write<G: TerminalGame>(
    out: &mut impl Write,
    entrant: &Entrant<G>,
    check: &Check,
) -> std::io::Result<()> {
    let (name, played) = (&entrant.name, played(check));
    match check.findings.first() {
        None => {
            let same = "all legal and the same when played again";
            writeln!(out, "{name}: {}: {played}, {same}", styled(GOOD, "qualified"))?;
        }
        Some(first) => {
            let verdict = styled(BAD, "not qualified");
            writeln!(out, "{name}: {verdict}: {}", printable(&short(first)))?;
            writeln!(out, "  {played}: {}", kinds(check))?;
        }
    }
    if let Some(stopped) = stopped(check) {
        writeln!(out, "  {stopped}")?;
    }
    // What code in this process takes is nothing beside what the arena itself does.
    if entrant.program.is_outside() {
        writeln!(out, "  {}", styled(FAINT, times(check)))?;
    }
    let mut told: &[String] = &[];
    for finding in check.findings.iter().take(MOST_FINDINGS) {
        writeln!(out, "  {}", describe(finding))?;
        // The same last words are told once.
        let log = log(finding);
        for line in log.iter().filter(|_| log != told) {
            writeln!(out, "    its log: {}", printable(line))?;
        }
        told = log;
    }
    if check.findings.len() > MOST_FINDINGS {
        writeln!(out, "  and {} more", check.findings.len() - MOST_FINDINGS)?;
    }
    Ok(())
}

/// How much the bot was asked.
pub(crate) fn played(check: &Check) -> String {
    let games = counted(check.games, "game");
    let answers = counted(check.answers, "answer");
    format!("{games}, {answers}, {}", counted(check.positions, "rare position"))
}

/// How often each kind of thing was found.
pub(crate) fn kinds(check: &Check) -> String {
    let mut kinds = BTreeMap::<_, usize>::new();
    for finding in &check.findings {
        *kinds.entry(finding.kind()).or_default() += 1;
    }
    let kinds: Vec<_> = kinds.iter().map(|(kind, times)| format!("{times} x {kind}")).collect();
    kinds.join(", ")
}

/// Why not everything was asked, if so.
pub(crate) fn stopped(check: &Check) -> Option<String> {
    match check.extent {
        Extent::Whole => None,
        Extent::Stopped { failures } => {
            Some(format!("it failed {failures} times, and nothing more was asked of it"))
        }
    }
}

/// How long the answers took, and what that makes of a run.
pub(crate) fn times(check: &Check) -> String {
    let of_percent =
        |percent| format!("{percent} % within {}", millis(check.times.percentile(percent)));
    let percentiles: Vec<_> = PERCENTILES.map(of_percent).into();
    let longest = millis(check.times.longest());
    format!("answers: {}, the slowest {longest}; {}", percentiles.join(", "), forecast(check))
}

/// How long a run of the usual length would wait for the bot.
pub(crate) fn forecast(check: &Check) -> String {
    let games = u32::try_from(check.games.max(1)).unwrap_or(u32::MAX);
    let seconds = (check.times.total() / games * USUAL_GAMES).as_secs_f64();
    format!("{USUAL_GAMES} games would wait {seconds:.1} s for it")
}

/// The time in milliseconds.
pub(crate) fn millis(time: Duration) -> String {
    format!("{} ms", millis_number(time))
}

/// The number of milliseconds, to a hundredth.
pub(crate) fn millis_number(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1000.0)
}

/// What was found, without its place.
pub(crate) fn short(finding: &Finding) -> String {
    match finding {
        Finding::Failed { failure, .. } => failure.to_string(),
        Finding::Unrepeatable { first, again, cause, .. } => {
            format!("{}: first {first}, then {again}", cause.name())
        }
    }
}

/// Where it was found.
pub(crate) fn place(finding: &Finding) -> String {
    match finding {
        Finding::Failed { occasion: Occasion::Game(game), answer, .. }
        | Finding::Unrepeatable { game, answer, .. } => format!("game {game}, answer {answer}"),
        Finding::Failed { occasion: Occasion::Position(name), .. } => {
            format!("rare position: {name}")
        }
    }
}

/// What was found, where, and after what.
pub(crate) fn describe(finding: &Finding) -> String {
    let what = format!("{}: {}", place(finding), printable(&short(finding)));
    match finding {
        Finding::Failed { request, .. } => format!("{what}\n    shown: {}", printable(request)),
        Finding::Unrepeatable { .. } => what,
    }
}

/// The same with the last line of the bot's log, which may say why it failed.
pub(crate) fn describe_with_log(finding: &Finding) -> String {
    match log(finding).last() {
        Some(line) => format!("{}\n    its log: {}", describe(finding), printable(line)),
        None => describe(finding),
    }
}

/// The last that the bot wrote to its log before it failed.
fn log(finding: &Finding) -> &[String] {
    match finding {
        Finding::Failed { failure, .. } => &failure.log,
        Finding::Unrepeatable { .. } => &[],
    }
}
