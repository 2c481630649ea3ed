//! FIGURES.md: each claimed number with value, interval, commit and machine.

use std::error::Error;
use std::process::Command;

use xtask::root;

/// A claimed number.
pub(crate) struct Figure {
    /// The measured quantity.
    pub(crate) name: String,
    /// The measured value, with its unit.
    pub(crate) value: String,
    /// Its 95 % interval, or the range of the repeats.
    pub(crate) interval: String,
    /// The required value.
    pub(crate) aim: String,
    /// Whether the value meets the aim.
    pub(crate) met: bool,
}

/// On which side of its bound the median of repeats has to be.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    AtLeast,
    AtMost,
}

impl Figure {
    /// The median of repeated measurements, with their range, compared with a bound.
    pub(crate) fn of_repeats(name: String, values: &mut [f64], limit: f64, bound: Bound) -> Self {
        values.sort_by(f64::total_cmp);
        let show =
            |value: f64| if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
        let (least, median, most) = (values[0], values[values.len() / 2], values[values.len() - 1]);
        let (words, met) = match bound {
            Bound::AtLeast => ("at least", median >= limit),
            Bound::AtMost => ("at most", median <= limit),
        };
        Self {
            name,
            value: show(median),
            interval: format!("{} - {} in {} repeats", show(least), show(most), values.len()),
            aim: format!("{words} {}", show(limit)),
            met,
        }
    }
}

const PREFACE: &str = "\
# Figures

Each section is written by `cargo xtask prove NAME`, which you can run. Intervals are at 95 %
unless they say otherwise; `docs/methods.md` defines the numbers.
";

/// Writes the section of a proof, which replaces its earlier section.
pub(crate) fn write(proof: &str, figures: &[Figure]) -> Result<(), Box<dyn Error>> {
    let path = root().join("FIGURES.md");
    let old = std::fs::read_to_string(&path).unwrap_or_else(|_| PREFACE.to_owned());
    let heading = format!("## {proof}");
    let (preface, sections) = match old.find("\n## ") {
        Some(place) => old.split_at(place + 1),
        None => (old.as_str(), ""),
    };
    let mut sections: Vec<String> = split_sections(sections);
    sections.retain(|section| section.lines().next() != Some(heading.as_str()));
    sections.push(format!("{heading}\n\n{}\n\n{}", conditions(proof), table(figures)));
    sections.sort();
    let text = format!("{}\n\n{}\n", preface.trim_end(), sections.join("\n\n"));
    Ok(std::fs::write(path, text)?)
}

fn split_sections(text: &str) -> Vec<String> {
    let parts = text.split("\n## ").filter(|part| !part.trim().is_empty());
    parts.map(|part| format!("## {}", part.trim_start_matches("## ").trim_end())).collect()
}

fn table(figures: &[Figure]) -> String {
    let row = |figure: &Figure| {
        let Figure { name, value, interval, aim, met } = figure;
        let met = if *met { "yes" } else { "**no**" };
        format!("| {name} | {value} | {interval} | {aim} | {met} |")
    };
    let rows: Vec<_> = figures.iter().map(row).collect();
    let head = "| figure | value | interval | aim | met |\n|---|---|---|---|---|";
    format!("{head}\n{}", rows.join("\n"))
}

/// Commit, machine and load.
fn conditions(proof: &str) -> String {
    let commit = output(Command::new("git").args(["rev-parse", "--short", "HEAD"]));
    let changes =
        !output(Command::new("git").args(["status", "--porcelain", "--", ".", ":!FIGURES.md"]))
            .is_empty();
    let changes = if changes { " with changes" } else { "" };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "`cargo xtask prove {proof}` at commit {commit}{changes}, on {} ({cores} cores, {}), load \
         average {load} at the end.",
        processor(),
        std::env::consts::OS
    )
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split(": ").nth(1));
    name.unwrap_or("an unknown processor").to_owned()
}

fn output(command: &mut Command) -> String {
    let output = command.current_dir(root()).output();
    output.map_or_else(|_| String::new(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
}
