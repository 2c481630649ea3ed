//! The command at a terminal of a certain width.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// What a command that ends well prints to a terminal of so many columns.
#[track_caller]
pub(crate) fn at_terminal(columns: u16, command: &mut Command) -> String {
    let (code, text) = ended_at_terminal(columns, command);
    assert_eq!(code, Some(0), "{command:?}: {text}");
    text
}

/// How a command ends at a terminal of so many columns, and what it prints there.
#[track_caller]
pub(crate) fn ended_at_terminal(columns: u16, command: &mut Command) -> (Option<i32>, String) {
    let (ours, its) = pseudo_terminal(columns).expect("this system has pseudo-terminals");
    let mut child = command.stdout(Stdio::from(its)).spawn().expect("the command starts");
    // The command's end is closed when the command ends, unless it is open here too.
    command.stdout(Stdio::null());
    let text = read_all(ours);
    (child.wait().expect("the command ends").code(), text)
}

/// Both ends of a terminal: the one that sees what is printed, and the one that is printed to.
fn pseudo_terminal(columns: u16) -> rustix::io::Result<(File, File)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let its = open(ptsname(&ours, Vec::new())?, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?;
    tcsetwinsize(&its, Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
    Ok((ours.into(), its.into()))
}

/// What is printed until the other end is closed, of which Linux says that it is an error.
fn read_all(mut terminal: File) -> String {
    let mut bytes = Vec::new();
    let mut page = [0; 4096];
    while let Ok(read @ 1..) = terminal.read(&mut page) {
        bytes.extend_from_slice(&page[..read]);
    }
    String::from_utf8(bytes).expect("output is UTF-8").replace("\r\n", "\n")
}
