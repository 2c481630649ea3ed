//! The report for people.

use std::fmt::Write as _;
use std::io::Write;

use super::finding::Finding;
use super::report::Report;
use crate::layout::{Column, Printer, Table};
use crate::system::{effective_user, kernel};
use crate::text::{BAD, FAINT, GOOD, STRONG, aligned, printable, styled};

/// What the attacks do not cover.
const NETWORK: &str = "A bot with network = true can connect to everything that this machine can reach, including services on the machine itself.";

impl Report {
    /// Writes the machine, the attacks, what the open ones mean, the remedies, and what follows for a run.
    pub(super) fn write<W: Write>(&self, out: &mut Printer<W>) -> std::io::Result<()> {
        self.write_machine(out)?;
        if self.findings.is_empty() {
            writeln!(out, "\nThe attacks are for Linux: nothing is guaranteed here.")?;
            return Ok(());
        }
        writeln!(out)?;
        self.table().write_styled(out, |row, line| match row.checked_sub(1) {
            None => styled(FAINT, line),
            Some(finding) => self.findings[finding].verdict.coloured(line),
        })?;
        self.write_open(out)?;
        if !self.missing_guarantees.is_empty() {
            writeln!(out, "\n{}", styled(STRONG, "What is not guaranteed here"))?;
        }
        for missing in &self.missing_guarantees {
            writeln!(out, "  {missing}")?;
        }
        let remedies = self.remedies();
        if !remedies.is_empty() {
            writeln!(out)?;
        }
        for (number, remedy) in (1..).zip(remedies) {
            writeln!(out, "[{number}]  {}", printable(remedy))?;
        }
        writeln!(out, "\n{}", styled(FAINT, NETWORK))?;
        writeln!(out, "{}", self.summary())
    }

    /// What each open attack means.
    fn write_open(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut open = self.findings.iter().filter(|one| !one.meaning.is_empty()).peekable();
        if open.peek().is_some() {
            writeln!(out, "\n{}", styled(STRONG, "What is open here"))?;
        }
        open.try_for_each(|one| writeln!(out, "  {}: {}", one.what, one.meaning))
    }

    /// The facts about the machine.
    fn write_machine(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{}", styled(STRONG, "This machine"))?;
        let names = ["kernel", "user"].into_iter();
        let names: Vec<_> = names.chain(self.mechanisms.iter().map(|one| one.name)).collect();
        let mut names = aligned(&names).into_iter();
        for fact in [kernel(), effective_user()] {
            writeln!(out, "  {}  {fact}", names.next().unwrap_or_default())?;
        }
        for (name, guarantee) in names.zip(&self.mechanisms) {
            let (sign, style) = match (guarantee.present, guarantee.needed) {
                (true, _) => ("yes", GOOD),
                (false, true) => ("NO", BAD),
                (false, false) => ("no", FAINT),
            };
            let mut line = styled(style, sign);
            for (gap, part) in [(", ", guarantee.detail.as_str()), (": ", guarantee.remedy)] {
                if !part.is_empty() {
                    let _infallible = write!(line, "{gap}{}", printable(part));
                }
            }
            writeln!(out, "  {name}  {line}")?;
        }
        Ok(())
    }

    fn table(&self) -> Table {
        let remedies = self.remedies();
        let mut columns = vec![
            Column::text("attack"),
            Column::name("result"),
            Column::text("mechanism").priority(1),
            Column::text("found").priority(2),
        ];
        columns.extend((!remedies.is_empty()).then(|| Column::name("remedy")));
        let row = |finding: &Finding| {
            let number = remedies.iter().position(|remedy| *remedy == finding.remedy.as_str());
            let number = number.map_or_else(String::new, |number| format!("[{}]", number + 1));
            vec![
                finding.what.to_owned(),
                finding.verdict.word().to_owned(),
                finding.mechanisms.join(", "),
                printable(&finding.detail),
                number,
            ]
        };
        let rows = self.findings.iter().map(row).collect();
        Table { columns, rows, complete: "--format json" }
    }
}
