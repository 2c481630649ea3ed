//! An output for people, which breaks lines between words.

use std::io::{self, Write};

use anstream::adapter::strip_str;

use super::width::Width;
use super::words::{columns, wrap};

/// An output for people. Lines that are wider than the terminal are broken between words, and continued with
/// an indent. In files and pipes, lines are not broken.
pub(crate) struct Printer<W: Write> {
    out: W,
    width: Width,
    /// The unfinished line.
    line: Vec<u8>,
}

impl<W: Write> Printer<W> {
    pub(crate) const fn new(out: W, width: Width) -> Self {
        Self { out, width, line: Vec::new() }
    }

    /// How wide its lines may be.
    pub(crate) const fn width(&self) -> Width {
        self.width
    }

    /// The output itself, for text that programs read.
    pub(crate) const fn verbatim(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes the finished line.
    fn write_line(&mut self, width: usize) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line);
        let mut lines = wrapped(line.trim_end_matches('\n'), width).join("\n");
        lines.push('\n');
        self.line.clear();
        self.out.write_all(lines.as_bytes())
    }

    /// Writes the unfinished line, such as a prompt.
    fn write_rest(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.out.write_all(&line)
    }
}

impl<W: Write> Write for Printer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Width::Columns(width) = self.width else { return self.out.write(bytes) };
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line(width)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_rest()?;
        self.out.flush()
    }
}

/// The narrowest lines that have room for a margin.
const MIN_WIDTH: usize = 8;

/// Breaks a line. Continuations start below the text that two spaces separate from its label, or else two
/// columns further in. A label that leaves too little room gets a line of its own, and such a margin is
/// narrowed.
pub(crate) fn wrapped(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let margin = line.len() - text.len();
    if columns(line) > width && margin > width * 3 / 5 {
        return wrapped(&format!("    {text}"), width.max(MIN_WIDTH));
    }
    let label = label(&strip_str(line).to_string(), margin);
    if columns(line) <= width || label == 0 {
        return indented(wrap(line, width, margin + 2), margin + 2);
    }
    if label <= width * 3 / 5 {
        return indented(wrap(line, width, label), label);
    }
    let gap = line[margin..].find("  ").map_or(line.len(), |gap| margin + gap);
    let (label, text) = line.split_at(gap);
    let text = format!("{}{}", " ".repeat(margin + 4), text.trim_start_matches(' '));
    let mut lines = indented(wrap(label, width, margin + 2), margin + 2);
    lines.extend(indented(wrap(&text, width, margin + 4), margin + 4));
    lines
}

/// Breaks a line. Continuations start in the column `indent`.
pub(crate) fn wrapped_below(line: &str, width: usize, indent: usize) -> Vec<String> {
    indented(wrap(line, width, indent), indent)
}

/// The column where the text after a label starts; 0 without a label.
fn label(line: &str, margin: usize) -> usize {
    let text = &line[margin..];
    text.find("  ").map_or(0, |gap| {
        let behind = text[gap..].trim_start_matches(' ').len();
        margin + columns(&text[..text.len() - behind])
    })
}

/// The lines, with all but the first indented.
fn indented(lines: Vec<String>, indent: usize) -> Vec<String> {
    let mut lines = lines.into_iter();
    let first = lines.next().into_iter();
    first.chain(lines.map(|line| format!("{}{line}", " ".repeat(indent)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: Width, expected: &str) {
        let mut printer = Printer::new(Vec::new(), width);
        write!(printer, "{text}").expect("a vector takes everything");
        printer.flush().expect("a vector takes everything");
        assert_eq!(String::from_utf8(printer.out).expect("UTF-8"), expected);
    }

    #[test]
    fn lines_in_files_are_not_wrapped() {
        check("one two three\n", Width::Unlimited, "one two three\n");
    }

    #[test]
    fn a_line_continues_below_its_text() {
        check("one two three\n\nsix\n", Width::Columns(8), "one two\n  three\n\nsix\n");
        check("  one two\n", Width::Columns(6), "  one\n    two\n");
        check("a  one two three four\n", Width::Columns(13), "a  one two\n   three four\n");
        let wide = "a long label  one two three\n";
        check(wide, Width::Columns(20), "a long label\n    one two three\n");
        let label = "a long label of many words  one two\n";
        check(label, Width::Columns(20), "a long label of many\n  words\n    one two\n");
        check(
            "\u{1b}[1mso  \u{1b}[0m  one two\n",
            Width::Columns(10),
            "\u{1b}[1mso  \u{1b}[0m  one\n      two\n",
        );
    }

    #[test]
    fn a_margin_leaves_room() {
        check("          one two\n", Width::Columns(12), "    one two\n");
        check("      one\n", Width::Columns(1), "    one\n");
    }

    #[test]
    fn a_prompt_is_written_without_a_line_end() {
        check("one two\n> ", Width::Columns(4), "one\n  two\n> ");
    }
}
