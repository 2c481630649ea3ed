//! `dicehill doctor`: which guarantees this machine can give.

use std::fmt::Write as _;
use std::io::Write;

use dicehill_link::{Isolation, Mechanism, probe};
use serde_json::{Value, json};

use crate::args::{DoctorArgs, DoctorFormat};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Column, Printer, Table};
use crate::text::{BAD, FAINT, GOOD, STRONG, aligned, counted, printable, styled};

pub(crate) fn doctor(args: &DoctorArgs, console: &Console) -> Result<Outcome, Failure> {
    let isolation = if args.no_isolation { Isolation::Off } else { Isolation::On };
    let Some(findings) = attacks::all(isolation, console)? else { return Ok(Outcome::Interrupted) };
    let report = Report { isolation, mechanisms: mechanisms()?, findings };
    let mut out = console.out();
    match args.format {
        DoctorFormat::Table => report.write(&mut out)?,
        DoctorFormat::Json => writeln!(out.verbatim(), "{}", report.document())?,
    }
    let is_safe = !report.findings.is_empty() && report.contained() == report.findings.len();
    Ok(if is_safe { Outcome::Done } else { Outcome::Open })
}

/// Whether an attack was contained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Contained,
    Open,
    Unknown,
}

impl Verdict {
    /// The word in the table. Bad results stand out without colours too.
    const fn word(self) -> &'static str {
        match self {
            Self::Contained => "contained",
            Self::Open => "OPEN",
            Self::Unknown => "UNKNOWN",
        }
    }

    /// A line of the table, with the word in colour.
    fn coloured(self, line: &str) -> String {
        let style = if self == Self::Contained { GOOD } else { BAD };
        line.replacen(self.word(), &styled(style, self.word()), 1)
    }

    const fn is_contained(self) -> Option<bool> {
        match self {
            Self::Contained => Some(true),
            Self::Open => Some(false),
            Self::Unknown => None,
        }
    }
}

/// The result of one attack.
struct Finding {
    name: &'static str,
    what: &'static str,
    verdict: Verdict,
    detail: String,
    /// The mechanisms that should contain it, the most important first.
    mechanisms: Vec<&'static str>,
    /// Empty if it was contained.
    remedy: String,
}

/// Whether this machine has a mechanism of isolation.
struct Fact {
    name: &'static str,
    present: bool,
    /// Whether isolation is weaker without it.
    needed: bool,
    /// The message of the system if it is absent.
    detail: String,
    /// Empty if it is present.
    remedy: &'static str,
}

fn mechanisms() -> std::io::Result<Vec<Fact>> {
    let survey = probe()?;
    let fact = |mechanism: Mechanism| {
        let absent = survey.iter().find(|absent| absent.mechanism == mechanism);
        Fact {
            name: mechanism.name(),
            present: absent.is_none(),
            needed: mechanism.is_needed(),
            detail: absent.map(|absent| absent.why.clone()).unwrap_or_default(),
            remedy: absent.map(|_| mechanism.remedy()).unwrap_or_default(),
        }
    };
    Ok(Mechanism::ALL.map(fact).into())
}

struct Report {
    isolation: Isolation,
    mechanisms: Vec<Fact>,
    findings: Vec<Finding>,
}

impl Report {
    fn contained(&self) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == Verdict::Contained).count()
    }

    /// The remedies, without duplicates.
    fn remedies(&self) -> Vec<&str> {
        let mut remedies = Vec::new();
        // Without isolation, the only remedy is to switch it on.
        let is_wanted = |remedy: &&str| !remedy.is_empty() && self.isolation == Isolation::On;
        for remedy in self.findings.iter().map(|one| one.remedy.as_str()).filter(is_wanted) {
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        }
        remedies
    }

    fn document(&self) -> Value {
        let mechanism = |one: &Fact| {
            let Fact { name, present, needed, detail, remedy } = one;
            json!({
                "name": name,
                "present": present,
                "needed": needed,
                "detail": detail,
                "remedy": remedy,
            })
        };
        let attack = |one: &Finding| {
            json!({
                "name": one.name,
                "what": one.what,
                "contained": one.verdict.is_contained(),
                "detail": one.detail,
                "mechanism": one.mechanisms.join(", "),
                "remedy": one.remedy,
            })
        };
        json!({
            "schema": "dicehill.doctor/1",
            "program": concat!("dicehill ", env!("CARGO_PKG_VERSION")),
            "kernel": kernel(),
            "user": user(),
            "isolation": self.isolation == Isolation::On,
            "mechanisms": self.mechanisms.iter().map(mechanism).collect::<Vec<_>>(),
            "attacks": self.findings.iter().map(attack).collect::<Vec<_>>(),
        })
    }

    fn write<W: Write>(&self, out: &mut Printer<W>) -> std::io::Result<()> {
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
        let remedies = self.remedies();
        if !remedies.is_empty() {
            writeln!(out)?;
        }
        for (number, remedy) in (1..).zip(remedies) {
            writeln!(out, "[{number}]  {}", printable(remedy))?;
        }
        writeln!(out, "\n{}", self.summary())
    }

    /// The facts about the machine.
    fn write_machine(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{}", styled(STRONG, "This machine"))?;
        let names = ["kernel", "user"].into_iter();
        let names: Vec<_> = names.chain(self.mechanisms.iter().map(|one| one.name)).collect();
        let mut names = aligned(&names).into_iter();
        for fact in [kernel(), user()] {
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

    /// What the results mean for a run.
    fn summary(&self) -> String {
        let (contained, all) = (self.contained(), self.findings.len());
        let count = format!("{contained} of {} contained", counted(all as u64, "attack"));
        let open = self.findings.iter().filter(|one| one.verdict == Verdict::Open).count();
        let meaning = match (self.isolation, open, all - contained) {
            (Isolation::Off, ..) => "without isolation a run here has to trust its bots".to_owned(),
            (Isolation::On, 0, 0) => "a run here need not trust its bots".to_owned(),
            (Isolation::On, 0, unknown) => format!(
                "whether a run here has to trust its bots is not known in {}",
                counted(unknown as u64, "way")
            ),
            (Isolation::On, open, _) => format!(
                "a run here has to trust its bots in the {} above that {} OPEN",
                counted(open as u64, "way"),
                if open == 1 { "is" } else { "are" }
            ),
        };
        format!("{count}; {meaning}.")
    }
}

fn kernel() -> String {
    let names = rustix::system::uname();
    let [system, release] = [names.sysname(), names.release()].map(|text| text.to_string_lossy());
    printable(&format!("{system} {release}"))
}

fn user() -> String {
    let user = rustix::process::geteuid();
    if user.is_root() { "root".to_owned() } else { format!("uid {}", user.as_raw()) }
}

#[cfg(target_os = "linux")]
mod attacks {
    use std::sync::atomic::Ordering;

    use dicehill_link::Isolation;
    use dicehill_link::attacks::{ATTACKS, Attack, AttackOutcome, Decoy, attempt};

    use super::{Finding, Verdict};
    use crate::console::Console;
    use crate::console::interrupt::stop_flag;
    use crate::console::progress::DoctorProgress;
    use crate::failure::Failure;

    /// Carries out all attacks; `None` if the user interrupts them.
    pub(super) fn all(
        isolation: Isolation,
        console: &Console,
    ) -> Result<Option<Vec<Finding>>, Failure> {
        let stop = stop_flag(console)?;
        let decoy = Decoy::new()?;
        let progress = DoctorProgress::new(ATTACKS.len(), console);
        let mut findings = Vec::with_capacity(ATTACKS.len());
        // One after the other, as some exhaust resources that others need.
        for attack in ATTACKS {
            if stop.load(Ordering::Relaxed) {
                progress.clear();
                return Ok(None);
            }
            progress.begin(attack.what);
            findings.push(finding(attack, attempt(attack, &decoy, isolation), isolation));
        }
        progress.clear();
        Ok(Some(findings))
    }

    fn finding(attack: &Attack, outcome: AttackOutcome, isolation: Isolation) -> Finding {
        let (verdict, detail) = match outcome {
            AttackOutcome::Contained(detail) => (Verdict::Contained, detail),
            AttackOutcome::Open(detail) => (Verdict::Open, detail),
            AttackOutcome::Unknown(detail) => (Verdict::Unknown, detail),
        };
        let first = attack.defences.first();
        let remedy = match (verdict, isolation) {
            (Verdict::Contained, _) => String::new(),
            (Verdict::Unknown, _) => format!("It could not be tried: {detail}."),
            (Verdict::Open, Isolation::Off) => "Leave out --no-isolation.".to_owned(),
            (Verdict::Open, Isolation::On) => first.map_or("", |one| one.remedy()).to_owned(),
        };
        let mechanisms = attack.defences.iter().map(|one| one.name()).collect();
        Finding { name: attack.name, what: attack.what, verdict, detail, mechanisms, remedy }
    }
}

#[cfg(not(target_os = "linux"))]
mod attacks {
    use dicehill_link::Isolation;

    use super::Finding;
    use crate::console::Console;
    use crate::failure::Failure;

    /// No attacks: they are for Linux.
    pub(super) fn all(_: Isolation, _: &Console) -> Result<Option<Vec<Finding>>, Failure> {
        Ok(Some(Vec::new()))
    }
}
