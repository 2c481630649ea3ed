//! A folder for each test, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder that is removed after the test.
pub(crate) struct Scratch(TempDir);

/// The result of a finished command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandOutput {
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

    /// The command in this folder, not started yet, with the default colours.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dicehill"));
        command.args(arguments).current_dir(self.0.path());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_with_input(arguments, b"")
    }

    /// Runs the command, which has to exit with code 0.
    #[track_caller]
    pub(crate) fn run_ok(&self, arguments: &[&str]) -> CommandOutput {
        let output = self.run(arguments);
        assert_eq!(output.code, 0, "{arguments:?}: {}{}", output.out, output.err);
        output
    }

    /// Runs the command, which has to refuse its arguments: with exit code 2, nothing on stdout, and a message with
    /// these texts, without a panic or a number of the system.
    #[track_caller]
    pub(crate) fn run_refused(&self, arguments: &[&str], texts: &[&str]) {
        let CommandOutput { code, out, err } = self.run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        for text in texts {
            assert!(err.contains(text), "{arguments:?}: {text:?} is not in {err}");
        }
        assert!(!err.contains("panicked") && !err.contains("os error"), "{arguments:?}: {err}");
    }

    /// The text of a file in this folder.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the command inside the test process, where each thread can have its own current folder.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> CommandOutput {
        super::in_process::run(self.0.path(), arguments, input)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> CommandOutput {
        self.run_as_process(arguments, input)
    }

    /// Runs the command as a process, for tests of the program itself: its arguments and streams.
    pub(crate) fn run_as_process(&self, arguments: &[&str], input: &[u8]) -> CommandOutput {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("its input is a pipe");
        // The command need not read all of its input.
        let _ignored = stdin.write_all(input);
        drop(stdin);
        CommandOutput::from(child.wait_with_output().expect("the command ends"))
    }
}

impl CommandOutput {
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

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let code = output.status.code().expect("no signal ended the command");
        Self { code, out: text(output.stdout), err: text(output.stderr) }
    }
}
