//! The findings of a qualification in words.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::time::Duration;

use dicehill_arena::{Entrant, Extent, Finding, QualificationReport, Reason, TestCase};

use super::remedy::remedy;
use crate::games::TerminalGame;
use crate::text::{BAD, FAINT, GOOD, counted, printable, styled, thousands, with_commas};

/// The most kinds of findings that are printed for a bot.
pub(crate) const MAX_FINDINGS: usize = 10;
/// Games of the run whose duration is forecast.
const USUAL_GAMES: u32 = 1000;
/// The fewest games from which the time of a run is estimated: the first ones are slower, and answers are late while others are in flight.
const LEAST_FORECAST: u64 = 20;
/// The percentiles of answer times that are printed.
pub(crate) const PERCENTILES: [usize; 3] = [50, 95, 99];

/// Writes the verdict on a bot, with its faults.
pub(crate) fn write<G: TerminalGame>(
    out: &mut impl Write,
    entrant: &Entrant<G>,
    check: &QualificationReport,
) -> std::io::Result<()> {
    let name = &entrant.name;
    let played = played(check);
    match check.findings.first() {
        None => {
            let legal = if check.notes.is_empty() { "all legal" } else { "legal" };
            let same = if entrant.own_terms.deterministic {
                format!("{legal}; the games went the same way when played again")
            } else {
                format!("{legal}; not played again, as it need not be deterministic")
            };
            writeln!(out, "{name}: {}: {played}, {same}", styled(GOOD, "qualified"))?;
        }
        Some(first) => {
            let verdict = styled(BAD, "not qualified");
            writeln!(out, "{name}: {verdict}: {}", printable(&headline(first)))?;
            writeln!(out, "  {played}: {}", kinds(check))?;
        }
    }
    if let Some(stopped) = stopped(check) {
        writeln!(out, "  {stopped}")?;
    }
    // The answer times of code in this process are negligible.
    if entrant.program.is_outside() {
        writeln!(out, "  {}", styled(FAINT, times(check)))?;
    }
    let mut shown: &[String] = &[];
    let groups = group(&check.findings);
    for group in groups.iter().take(MAX_FINDINGS) {
        writeln!(out, "  {}", describe(group))?;
        // The same log is shown once.
        let log = log(group.first);
        for line in log.iter().filter(|_| log != shown) {
            writeln!(out, "    its log: {}", printable(line))?;
        }
        shown = log;
    }
    let more: usize = groups.iter().skip(MAX_FINDINGS).map(FindingGroup::times).sum();
    if more > 0 {
        writeln!(out, "  and {more} more")?;
    }
    if let Some(remedy) = remedy(check) {
        writeln!(out, "  remedy: {remedy}")?;
    }
    if let Some(note) = note(check) {
        writeln!(out, "  note: {}", printable(&note))?;
    }
    Ok(())
}

/// A finding without its place. If a process just ended, the line of its log that says why is added.
pub(crate) fn headline(finding: &Finding) -> String {
    let text = short(finding);
    match finding {
        Finding::Failed { failure, .. } if failure.detail.starts_with("it ended with status") => {
            let is_error = |line: &&String| {
                !line.starts_with(' ')
                    && ["Error", "Exception", "panicked"].iter().any(|word| line.contains(word))
            };
            let telling = failure.log.iter().rfind(is_error).or(failure.log.last());
            telling.map_or(text.clone(), |line| format!("{text}: {line}"))
        }
        Finding::Failed { .. } | Finding::Unrepeatable { .. } => text,
    }
}

/// The failures that do not count, with the first of them.
pub(crate) fn note(check: &QualificationReport) -> Option<String> {
    let first = check.notes.first()?;
    let kinds = counted_kinds(&check.notes);
    Some(format!(
        "{kinds} in positions that no sensible player leads to, which does not count; first: {}: {}",
        place(first),
        short(first)
    ))
}

/// How many games, answers and positions the check had.
pub(crate) fn played(check: &QualificationReport) -> String {
    let games = counted(check.games, "game");
    let answers = counted(check.answers, "answer");
    format!("{games}, {answers}, {}", counted(check.positions, "rare position"))
}

/// How often each kind of fault was found.
pub(crate) fn kinds(check: &QualificationReport) -> String {
    counted_kinds(&check.findings)
}

fn counted_kinds(findings: &[Finding]) -> String {
    let mut kinds = BTreeMap::<_, usize>::new();
    for finding in findings {
        *kinds.entry(finding.kind()).or_default() += 1;
    }
    let kinds: Vec<_> = kinds.iter().map(|(kind, times)| format!("{times} x {kind}")).collect();
    kinds.join(", ")
}

/// Why the check was stopped early, if it was.
pub(crate) fn stopped(check: &QualificationReport) -> Option<String> {
    match check.extent {
        Extent::Whole => None,
        Extent::Shortened => Some(
            "the check was shortened because it took long: with `--games` the bot plays all of them"
                .to_owned(),
        ),
        Extent::Stopped { failures } => {
            Some(format!("the check stopped after {}", counted(failures as u64, "failure")))
        }
        Extent::Futile => Some("the check stopped early, because no answer was legal".to_owned()),
    }
}

/// The answer times, and a forecast for a run.
pub(crate) fn times(check: &QualificationReport) -> String {
    let of_percent =
        |percent| format!("{percent} % within {}", millis(check.times.percentile(percent)));
    let percentiles: Vec<_> = PERCENTILES.map(of_percent).into();
    let longest = millis(check.times.longest());
    let times = format!("answers: {}, the slowest {longest}", percentiles.join(", "));
    match check.extent {
        Extent::Whole | Extent::Shortened if check.games >= LEAST_FORECAST => {
            format!("{times}; {}", forecast(check))
        }
        // A few answers, or none that was legal, say nothing of a run.
        Extent::Whole | Extent::Shortened | Extent::Stopped { .. } | Extent::Futile => times,
    }
}

/// How long a run of 1000 games would wait for the bot.
fn forecast(check: &QualificationReport) -> String {
    let seconds = check.times.forecast(USUAL_GAMES).as_secs_f64();
    format!("{} games would wait {} s for it", thousands(USUAL_GAMES), with_commas(seconds, 1))
}

/// The time in milliseconds.
pub(crate) fn millis(time: Duration) -> String {
    format!("{} ms", with_commas(time.as_secs_f64() * 1000.0, 2))
}

/// The number of milliseconds, to a hundredth.
pub(crate) fn millis_number(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1000.0)
}

/// A finding without its place.
pub(crate) fn short(finding: &Finding) -> String {
    match finding {
        Finding::Failed { failure, .. } => failure.to_string(),
        Finding::Unrepeatable { first, second, cause, .. } => {
            format!("{}: first {first}, then {second}", cause.name())
        }
    }
}

/// The place of a finding.
pub(crate) fn place(finding: &Finding) -> String {
    match finding {
        Finding::Failed { test_case: TestCase::Game(game), answer, .. }
        | Finding::Unrepeatable { game, answer, .. } => format!("game {game}, move {answer}"),
        Finding::Failed { test_case: TestCase::Position(name), .. } => {
            format!("rare position: {name}")
        }
    }
}

/// Findings that differ only in their places.
pub(crate) struct FindingGroup<'a> {
    /// The first of them.
    pub(crate) first: &'a Finding,
    /// The others, in order.
    pub(crate) others: Vec<&'a Finding>,
}

impl FindingGroup<'_> {
    /// How many there are.
    fn times(&self) -> usize {
        1 + self.others.len()
    }
}

/// Groups findings, in the order of the first of each group.
pub(crate) fn group<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<FindingGroup<'a>> {
    let mut groups: Vec<FindingGroup<'_>> = Vec::new();
    let mut by_text = HashMap::new();
    for first in findings {
        let index = *by_text.entry(group_key(first)).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.others.push(first),
            None => groups.push(FindingGroup { first, others: Vec::new() }),
        }
    }
    groups
}

/// What findings of a group have in common: of answers that are no messages the fault, and of answers that differ when a game
/// is played again the cause, since their texts are others each time.
fn group_key(finding: &Finding) -> String {
    match finding {
        Finding::Failed { failure, .. } if failure.reason == Reason::MalformedAnswer => {
            let fault =
                failure.detail.split_once(": ").map_or(&*failure.detail, |(fault, _)| fault);
            format!("{}: {fault}", failure.reason)
        }
        Finding::Failed { .. } => without_id(&short(finding)),
        Finding::Unrepeatable { cause, .. } => cause.name().to_owned(),
    }
}

/// The text without the id of the request in a quoted answer, which is another each time.
fn without_id(text: &str) -> String {
    let Some((before, after)) = text.split_once("\"id\":") else { return text.to_owned() };
    format!("{before}{}", after.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// The place of the first finding of a group, and how many there are.
pub(crate) fn places(group: &FindingGroup<'_>) -> String {
    match group.times() {
        1 => place(group.first),
        times => format!("{times} x the same, first in {}", place(group.first)),
    }
}

/// The finding of a group with its place and the request before it.
pub(crate) fn describe(group: &FindingGroup<'_>) -> String {
    let first = group.first;
    let what = format!("{}: {}", places(group), printable(&short(first)));
    let (Finding::Failed { request, .. } | Finding::Unrepeatable { request, .. }) = first;
    format!("{what}\n    request: {}", printable(request))
}

/// The same with the last line of the bot's log, which may say why it failed.
pub(crate) fn describe_with_log(group: &FindingGroup<'_>) -> String {
    let log = log(group.first);
    // The message of an exception in Java comes before the frames of its trace.
    let is_message = |line: &&String| !line.trim_start().starts_with("at ");
    match log.iter().rfind(is_message).or(log.last()) {
        Some(line) => format!("{}\n    its log: {}", describe(group), printable(line)),
        None => describe(group),
    }
}

/// The last lines that the bot logged before it failed.
fn log(finding: &Finding) -> &[String] {
    match finding {
        Finding::Failed { failure, .. } => &failure.log,
        Finding::Unrepeatable { .. } => &[],
    }
}
