//! What a host asks for on its page: a `dicehill hill` command in a process of its own, as at a terminal.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use dicehill_arena::{BotName, NameFault, is_printable};
use dicehill_store::{StoredToken, TokenRole};
use serde::Deserialize;
use tokio::time::timeout;
use utoipa::ToSchema;

use super::command::{CapturedOutput, CommandSpec, RunningCommand};
use super::command_output::OutputLine;
use crate::hills::ServedHill;
use crate::{Config, Problem};

/// The longest time of a command, which only writes to the store.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The most bytes of a message.
const MAX_MESSAGE: usize = 1_000;

/// An action as a host's page or program sends it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActionRequest {
    /// `hold`, `approve`, `skip`, `hide`, `unhide`, `rename`, `bar`, `stop` or `message`.
    #[schema(example = "hold")]
    pub(crate) action: String,
    /// The number of an entry, or the name of an entrant.
    #[serde(default)]
    #[schema(example = "17")]
    pub(crate) target: String,
    /// The new name, or the message.
    #[serde(default)]
    pub(crate) text: String,
}

/// An action that has been checked, as the words of its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostCommand {
    name: &'static str,
    arguments: Vec<String>,
}

impl HostCommand {
    /// Checks an action.
    ///
    /// # Errors
    /// If there is no such action, or its target or text is not valid.
    pub(crate) fn parse(request: &ActionRequest) -> Result<Self, Problem> {
        let ActionRequest { action, target, text } = request;
        let refused = |why: String| Problem::BadRequest(why);
        let name = |text: &str| {
            let name = BotName::new(text.trim());
            name.map(|name| name.to_string()).map_err(|error| refused(error.to_string()))
        };
        let entry = || {
            let number = target.trim().parse::<i64>().ok().filter(|number| *number > 0);
            let number = number.ok_or_else(|| refused(format!("{target:?} is no entry")))?;
            Ok::<_, Problem>(vec![number.to_string()])
        };
        let (name, arguments) = match action.as_str() {
            "hold" => ("hold", entry()?),
            "approve" => ("approve", entry()?),
            "skip" => ("skip", entry()?),
            "hide" => ("hide", entry()?),
            "unhide" => ("unhide", entry()?),
            "bar" => ("bar", vec![name(target)?]),
            "rename" => ("rename", vec![name(target)?, name(text)?]),
            "stop" => ("stop", Vec::new()),
            "message" if text.trim().is_empty() => ("message", vec![String::new()]),
            "message" if text.len() <= MAX_MESSAGE && text.chars().all(is_printable) => {
                ("message", vec![text.trim().to_owned()])
            }
            "message" => return Err(refused(fault_of_message(text))),
            _ => return Err(refused(format!("no such action: {action:?}"))),
        };
        Ok(Self { name, arguments })
    }

    /// The words after `dicehill`. What a client has sent comes after `--`, so that it is never an option.
    fn words(&self, hill: &Path, token: i64) -> Vec<OsString> {
        let mut words: Vec<OsString> = ["hill", self.name, "--as-token"].map(Into::into).into();
        words.extend([token.to_string().into(), "--".into(), hill.as_os_str().to_owned()]);
        words.extend(self.arguments.iter().map(Into::into));
        words
    }

    /// Runs the command as the host with this token; returns its messages.
    ///
    /// # Errors
    /// If the token is not a host's, or the command refuses the action or fails.
    pub(crate) async fn run(
        &self,
        config: &Config,
        hill: &ServedHill,
        token: &StoredToken,
    ) -> Result<String, Problem> {
        if token.terms.role != TokenRole::Host {
            let why = "this needs the token of a host";
            return Err(Problem::Forbidden(why.to_owned()));
        }
        let path = std::path::absolute(hill.path()).unwrap_or_else(|_| hill.path().to_owned());
        let folder = std::env::temp_dir();
        let spec = CommandSpec {
            program: &config.program,
            arguments: self.words(&path, token.id),
            folder: &folder,
            bot_cache: None,
            remote_bots: None,
            secrets: Vec::new(),
            output: CapturedOutput::Stderr,
        };
        let mut running = RunningCommand::start(spec).map_err(|error| {
            tracing::error!("{}: {error}", config.program.display());
            Problem::Internal("the server could not start the command for this".to_owned())
        })?;
        let mut messages = Vec::new();
        let reading = async {
            while let Some(line) = running.next_line().await {
                if let OutputLine::Text(text) = line {
                    messages.push(text);
                }
            }
        };
        if timeout(TIMEOUT, reading).await.is_err() {
            running.stop().await;
            return Err(Problem::Internal("it took too long; please try again".to_owned()));
        }
        let (code, _) = running.wait().await;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let text = messages.join("; ").replace(&*path.to_string_lossy(), &file);
        match code {
            Some(0) => Ok(text),
            Some(2) => Err(Problem::Conflict(text.trim_start_matches("error: ").to_owned())),
            Some(_) | None => Err(Problem::Internal(text)),
        }
    }
}

/// Why a text is no message.
fn fault_of_message(text: &str) -> String {
    let unprintable = |c: &char| !is_printable(*c) && !matches!(c, '\n' | '\r');
    match text.chars().find(unprintable) {
        Some(character) => {
            let fault = NameFault::Unprintable(character);
            format!("the message {fault}")
        }
        None => format!("a message is one line of at most {MAX_MESSAGE} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(action: &str, target: &str, text: &str) -> Result<Vec<String>, u16> {
        let [action, target, text] = [action, target, text].map(str::to_owned);
        let command = HostCommand::parse(&ActionRequest { action, target, text });
        let command = command.map_err(|problem| problem.status().as_u16())?;
        let words = command.words(Path::new("/h.db"), 3);
        Ok(words.into_iter().map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn what_a_client_sends_is_never_an_option_of_the_command() {
        let words = |action, target, text| parse(action, target, text).unwrap().join(" ");
        assert_eq!(words("hold", " 17 ", ""), "hill hold --as-token 3 -- /h.db 17");
        assert_eq!(words("bar", "--all", ""), "hill bar --as-token 3 -- /h.db --all");
        assert_eq!(words("rename", "A b", "-c"), "hill rename --as-token 3 -- /h.db A b -c");
        assert_eq!(words("message", "", " "), "hill message --as-token 3 -- /h.db ");
        assert_eq!(words("stop", "ignored", ""), "hill stop --as-token 3 -- /h.db");
    }

    #[test]
    fn other_actions_and_values_are_refused() {
        let long = "x".repeat(MAX_MESSAGE + 1);
        for (action, target, text) in [
            ("", "", ""),
            ("init", "x.db", ""),
            ("hold", "-1", ""),
            ("hold", "1; rm", ""),
            ("skip", "99999999999999999999", ""),
            ("bar", "a\u{202e}b", ""),
            ("rename", "A", ""),
            ("message", "", "two\nlines"),
            ("message", "", &long),
        ] {
            assert_eq!(parse(action, target, text), Err(400), "{action} {target}");
        }
    }

    #[test]
    fn a_message_that_is_refused_has_its_fault_named() {
        for (text, why) in [
            ("a\u{ad}b", "the message contains the unprintable character U+00AD"),
            ("a\u{202e}b", "the message contains the unprintable character U+202E"),
            ("two\nlines", "a message is one line of at most 1000 bytes"),
            (&"x".repeat(MAX_MESSAGE + 1), "a message is one line of at most 1000 bytes"),
        ] {
            assert_eq!(fault_of_message(text), why);
        }
    }
}
