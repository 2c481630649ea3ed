//! The command at a terminal of a certain width.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// The output of a command to a terminal with this many columns; it has to exit with code 0.
#[track_caller]
pub(crate) fn at_terminal(columns: u16, command: &mut Command) -> String {
    let (code, text) = exit_at_terminal(columns, command);
    assert_eq!(code, Some(0), "{command:?}: {text}");
    text
}

/// The exit code of a command at a terminal with this many columns, and its output there.
#[track_caller]
pub(crate) fn exit_at_terminal(columns: u16, command: &mut Command) -> (Option<i32>, String) {
    let (reader, writer) = pseudo_terminal(columns).expect("this system has pseudo-terminals");
    let mut child = command.stdout(Stdio::from(writer)).spawn().expect("the command starts");
    // The command's end of the terminal has to be closed here too, so that reading ends with the command.
    command.stdout(Stdio::null());
    let text = read_all(reader);
    (child.wait().expect("the command ends").code(), text)
}

/// Both ends of a terminal: the one that reads the output, and the one that the command writes to.
fn pseudo_terminal(columns: u16) -> rustix::io::Result<(File, File)> {
    let reader = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&reader)?;
    unlockpt(&reader)?;
    let writer = open(ptsname(&reader, Vec::new())?, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?;
    tcsetwinsize(&writer, Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
    Ok((reader.into(), writer.into()))
}

/// Reads until the other end is closed, which Linux reports as an error.
fn read_all(mut terminal: File) -> String {
    let mut bytes = Vec::new();
    let mut page = [0; 4096];
    while let Ok(read @ 1..) = terminal.read(&mut page) {
        bytes.extend_from_slice(&page[..read]);
    }
    String::from_utf8(bytes).expect("output is UTF-8").replace("\r\n", "\n")
}
