//! The main loop: answers requests until the arena sends `bye` or stdin ends.

use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::panics;
use crate::session::Session;
use crate::stdio::{Input, keep_stdout, send};

/// Plays and returns the exit code.
pub(crate) fn serve(session: Session) -> i32 {
    panics::install_report();
    match play(session) {
        Ok(code) => code,
        // The arena has closed the pipe, which is treated as the end of stdin.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => 0,
        Err(error) => {
            eprintln!("dicehill: {error}");
            1
        }
    }
}

/// Reads and writes once per batch of lines. After a panic, the answers before it are sent.
fn play(mut session: Session) -> io::Result<i32> {
    let mut out = keep_stdout()?;
    let mut input = Input::new()?;
    let mut answers = String::new();
    while !session.is_over() {
        let Some(lines) = input.lines()? else { break };
        let batch = || answer_all(&mut session, &lines, &mut answers);
        let panicked = catch_unwind(AssertUnwindSafe(batch)).is_err();
        send(&mut out, &answers)?;
        answers.clear();
        if panicked {
            return Ok(1);
        }
    }
    Ok(0)
}

fn answer_all(session: &mut Session, lines: &str, answers: &mut String) {
    for line in lines.split('\n') {
        if session.is_over() {
            return;
        }
        if line.trim_ascii_start().is_empty() {
            continue;
        }
        if let Err(error) = session.receive(line, answers) {
            let start: String = line.chars().take(200).collect();
            eprintln!("dicehill: not a line of the protocol: {error}: {start}");
        }
    }
}
