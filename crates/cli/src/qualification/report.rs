//! The report of `dicehill check --report`: a page for each bot, and a table of all.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use dicehill_arena::{Entrant, Finding, QualificationReport, Reason};
use dicehill_store::BotOutputFolder;

use super::verdict::{self, FindingGroup, PERCENTILES, millis_number, place, short};
use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::text::{escape_markdown, printable, spreadsheet_cell};

/// The name of the table.
const TABLE: &str = "check.csv";
/// The verdict on a bot that does not qualify.
const NOT_QUALIFIED: &str = "not qualified";
/// The most kinds of findings on a page, and the most places of one.
const MAX_FINDINGS: usize = 1000;

/// A folder with a page for each bot and a table of all.
pub(crate) struct CheckReport {
    folder: BotOutputFolder,
    /// What is in the table so far.
    table: Vec<u8>,
}

impl CheckReport {
    /// An empty report.
    pub(crate) fn create(folder: &Path) -> Result<Self, Failure> {
        let failed = |error| Failure::Usage(format!("--report {}: {error}", folder.display()));
        let folder = BotOutputFolder::create(folder).map_err(failed)?;
        let table = row(headings())?;
        folder.write_named(TABLE, &table).map_err(failed)?;
        Ok(Self { folder, table })
    }

    /// Writes a bot's page, with the master seed that repeats the check, and its line of the table at once, so that they are kept if a later check fails.
    pub(crate) fn add<G: TerminalGame>(
        &mut self,
        spec: &str,
        entrant: &Entrant<G>,
        check: &QualificationReport,
        seed: &str,
    ) -> Result<(), Failure> {
        let page = page(spec, entrant, check, seed);
        self.folder.write_file(entrant.name.as_str(), "md", page.as_bytes())?;
        self.add_row(record(spec, entrant, check, seed))
    }

    /// The same for a BOT of the command line that cannot be loaded.
    pub(crate) fn add_unloaded(
        &mut self,
        spec: &str,
        why: &str,
        seed: &str,
    ) -> Result<(), Failure> {
        let (title, text) = (escape_markdown(spec), printable(why));
        let page = format!("# {title}\n\n- {NOT_QUALIFIED}\n\n    {text}\n");
        let name = Path::new(spec).file_name().map_or(spec.into(), |name| name.to_string_lossy());
        self.folder.write_file(&name, "md", page.as_bytes())?;
        let mut record = vec![spreadsheet_cell(spec), NOT_QUALIFIED.to_owned()];
        record.resize(headings().len() - 3, String::new());
        record.extend([why, spec, seed].map(spreadsheet_cell));
        self.add_row(record)
    }

    fn add_row(&mut self, record: Vec<String>) -> Result<(), Failure> {
        self.table.extend(row(record)?);
        Ok(self.folder.write_named(TABLE, &self.table)?)
    }
}

/// A row of the table.
fn row(cells: Vec<String>) -> io::Result<Vec<u8>> {
    let mut row = csv::Writer::from_writer(Vec::new());
    row.write_record(cells)?;
    row.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn headings() -> Vec<String> {
    let first = ["bot", "verdict", "games", "answers", "positions", "findings"];
    let kinds = Reason::OF_PROGRAMS.map(Reason::name).into_iter().chain(["unrepeatable"]);
    let times = PERCENTILES.map(|percent| format!("p{percent}_ms"));
    let last = ["max_ms", "hash", "first_finding", "argument", "seed"];
    let text = |text: &str| text.to_owned();
    let mut headings: Vec<_> = first.into_iter().chain(kinds).map(text).collect();
    headings.extend(times);
    headings.extend(last.map(text));
    headings
}

fn record<G: TerminalGame>(
    spec: &str,
    entrant: &Entrant<G>,
    check: &QualificationReport,
    seed: &str,
) -> Vec<String> {
    let count = |of: &dyn Fn(&Finding) -> bool| {
        check.findings.iter().filter(|finding| of(finding)).count().to_string()
    };
    let failed = |finding: &Finding, reason| match finding {
        Finding::Failed { failure, .. } => failure.reason == reason,
        Finding::Unrepeatable { .. } => false,
    };
    let mut record = vec![spreadsheet_cell(entrant.name.as_str()), verdict_of(check).to_owned()];
    record.extend([check.games, check.answers, check.positions].map(|number| number.to_string()));
    record.push(check.findings.len().to_string());
    record.extend(Reason::OF_PROGRAMS.map(|reason| count(&|finding| failed(finding, reason))));
    record.push(count(&|finding| matches!(finding, Finding::Unrepeatable { .. })));
    record.extend(PERCENTILES.map(|percent| millis_number(check.times.percentile(percent))));
    record.push(millis_number(check.times.longest()));
    record.push(entrant.program.identity());
    record.push(check.findings.first().map(first_finding).unwrap_or_default());
    record.extend([spec, seed].map(spreadsheet_cell));
    record
}

const fn verdict_of(check: &QualificationReport) -> &'static str {
    if check.findings.is_empty() { "qualified" } else { NOT_QUALIFIED }
}

fn first_finding(finding: &Finding) -> String {
    spreadsheet_cell(&format!("{}: {}", place(finding), verdict::headline(finding)))
}

fn page<G: TerminalGame>(
    spec: &str,
    entrant: &Entrant<G>,
    check: &QualificationReport,
    seed: &str,
) -> String {
    let mut page = format!("# {}\n\n", escape_markdown(entrant.name.as_str()));
    let mut item = |text: String| page.push_str(&format!("- {}\n", escape_markdown(&text)));
    item(format!("{}: {}", G::TITLE, verdict_of(check)));
    item(verdict::played(check));
    verdict::stopped(check).into_iter().for_each(&mut item);
    item(verdict::times(check));
    item(entrant.program.identity());
    item(format!("checked as: {spec}"));
    item(format!("seed: {seed}"));
    if !check.findings.is_empty() {
        item(verdict::kinds(check));
    }
    verdict::note(check).into_iter().for_each(&mut item);
    let groups = verdict::group(&check.findings);
    for group in groups.iter().take(MAX_FINDINGS) {
        add_group(&mut page, group);
    }
    if groups.len() > MAX_FINDINGS {
        let more = groups.len() - MAX_FINDINGS;
        page.push_str(&format!("\nAnd {more} more.\n"));
    }
    page
}

/// Adds findings that differ only in their places. Text from bots is in indented blocks, which it cannot end.
fn add_group(page: &mut String, group: &FindingGroup<'_>) {
    let finding = group.first;
    let mut lines = vec![short(finding)];
    if let Finding::Failed { request, failure, .. } = finding {
        lines.push(format!("request: {request}"));
        lines.extend(failure.log.iter().map(|line| format!("its log: {line}")));
    }
    page.push_str(&format!("\n## {}\n\n", escape_markdown(&verdict::places(group))));
    for line in lines {
        writeln!(page, "    {}", printable(&line)).expect("a text takes all that is written to it");
    }
    if group.others.is_empty() {
        return;
    }
    page.push_str("\nAlso in:\n\n");
    for other in group.others.iter().take(MAX_FINDINGS) {
        page.push_str(&format!("- {}\n", escape_markdown(&place(other))));
    }
    if group.others.len() > MAX_FINDINGS {
        page.push_str(&format!("- and {} more\n", group.others.len() - MAX_FINDINGS));
    }
}
