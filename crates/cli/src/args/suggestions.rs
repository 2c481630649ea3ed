//! Suggestions for misspelt commands and options, where those of `clap` say nothing or mislead.

use std::ffi::OsString;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use dicehill_store::closest;

/// The error of a command line, with a better suggestion if there is one.
pub(super) fn improved(mut error: Error, command: &Command, words: &[OsString]) -> Error {
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            let command = innermost(command, words);
            let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand)
            else {
                return error;
            };
            let names = command.get_subcommands().map(Command::get_name);
            if let Some(name) = closest(wrong, names) {
                let names = ContextValue::Strings(vec![name.to_owned()]);
                error.insert(ContextKind::SuggestedSubcommand, names);
            }
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let command = innermost(command, words);
            let is_format = matches!(
                error.get(ContextKind::InvalidArg),
                Some(ContextValue::String(wrong)) if wrong == "--format"
            );
            let tips = if command.get_name() == "export" && is_format {
                vec!["write the format as an option, such as '--csv'".into()]
            } else {
                let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) else {
                    return error;
                };
                let is_apt = |tip: &&StyledStr| {
                    takes_program(command) || !tip.to_string().starts_with("to pass ")
                };
                tips.iter().filter(is_apt).cloned().collect()
            };
            error.remove(ContextKind::Suggested);
            if !tips.is_empty() {
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
            }
        }
        _ => {}
    }
    error
}

/// Whether words after `--` are expected, such as those of a program.
fn takes_program(command: &Command) -> bool {
    command.get_arguments().any(clap::Arg::is_last_set)
}

/// The subcommand that the words name, as far as they name one.
fn innermost<'a>(mut command: &'a Command, words: &[OsString]) -> &'a Command {
    for word in words.iter().skip(1) {
        match word.to_str().and_then(|word| command.find_subcommand(word)) {
            Some(subcommand) => command = subcommand,
            None => break,
        }
    }
    command
}
