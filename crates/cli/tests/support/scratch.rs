//! A folder of its own for each test, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder that is gone after the test.
pub(crate) struct Scratch(TempDir);

/// What a command has left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the folder can be written");
    }

    /// The command, not started yet, in this folder and with no colours asked for.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dicehill"));
        command.args(arguments).current_dir(self.0.path());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with_input(arguments, b"")
    }

    /// Runs the command, which has to exit with code 0.
    #[track_caller]
    pub(crate) fn run_ok(&self, arguments: &[&str]) -> Ran {
        let output = self.run(arguments);
        assert_eq!(output.code, 0, "{arguments:?}: {}{}", output.out, output.err);
        output
    }

    /// The text of a file in this folder.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the command as a part of this program, where its folder can be that of one thread alone.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        super::in_process::run(self.0.path(), arguments, input)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        self.run_as_process(arguments, input)
    }

    /// Runs the command as a process of its own, for what only the program does: its arguments and streams.
    pub(crate) fn run_as_process(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("its input is a pipe");
        // A command that does not read to the end is none of the test's business.
        let _whole = stdin.write_all(input);
        drop(stdin);
        Ran::from(child.wait_with_output().expect("the command ends"))
    }
}

impl Ran {
    /// Standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        parse_json(&self.out)
    }
}

/// Parses a JSON text, which has to be valid.
#[track_caller]
pub(crate) fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let code = output.status.code().expect("no signal ended the command");
        Self { code, out: text(output.stdout), err: text(output.stderr) }
    }
}
