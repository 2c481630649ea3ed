//! Man pages: those of `clap_mangen`, with the usage and the examples as `--help` shows them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::Command;
use clap_mangen::Man;

/// Writes a page for the command and each of its subcommands into a folder, which is created if necessary.
pub(super) fn write_pages(command: Command, folder: &Path) -> io::Result<()> {
    if folder.exists() && !folder.is_dir() {
        return Err(io::Error::other("is a file: name a folder"));
    }
    fs::create_dir_all(folder)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_page(&command, folder)
}

fn write_page(command: &Command, folder: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        write_page(subcommand, folder)?;
    }
    let page = Man::new(command.clone());
    let mut file = BufWriter::new(File::create(folder.join(page.get_filename()))?);
    page.render_title(&mut file)?;
    page.render_name_section(&mut file)?;
    write_synopsis(command, &mut file)?;
    page.render_description_section(&mut file)?;
    page.render_options_section(&mut file)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut file)?;
    }
    write_examples(command, &mut file)?;
    if command.get_version().is_some() {
        page.render_version_section(&mut file)?;
    }
    file.flush()
}

/// The usage, line by line.
fn write_synopsis(command: &Command, page: &mut impl Write) -> io::Result<()> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    write_literal("SYNOPSIS", usage.lines().map(str::trim_start), page)
}

/// The examples, and what follows them as text.
fn write_examples(command: &Command, page: &mut impl Write) -> io::Result<()> {
    let Some(after) = command.get_after_help() else { return Ok(()) };
    let after = after.to_string();
    let is_example = |line: &&str| line.starts_with(' ');
    let examples = after.lines().filter(is_example);
    let examples = examples.map(|line| line.strip_prefix("  ").unwrap_or(line));
    write_literal("EXAMPLES", examples, page)?;
    let others = after.lines().filter(|line| !is_example(line) && !line.starts_with("Example"));
    for line in others {
        if line.is_empty() {
            writeln!(page, ".PP")?;
        } else {
            writeln!(page, "{}", escaped(line))?;
        }
    }
    Ok(())
}

/// A section whose lines are neither joined nor broken.
fn write_literal<'a>(
    heading: &str,
    lines: impl Iterator<Item = &'a str>,
    page: &mut impl Write,
) -> io::Result<()> {
    writeln!(page, ".SH {heading}\n.nf")?;
    for line in lines {
        writeln!(page, "{}", escaped(line))?;
    }
    writeln!(page, ".fi")
}

/// The line as `roff` shows it literally.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}
