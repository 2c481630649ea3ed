//! Suggestions for misspelt commands and options, where those of `clap` say nothing or mislead.

use std::ffi::OsString;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use dicehill_store::closest;

/// The error of a command line, with a better suggestion if there is one.
pub(super) fn improved(mut error: Error, command: &Command, words: &[OsString]) -> Error {
    let command = innermost(command, words);
    let has = |kind| error.get(kind).is_some();
    if error.kind() == ErrorKind::InvalidSubcommand && !has(ContextKind::SuggestedSubcommand) {
        if let Some(name) = similar_command(&error, command) {
            let names = ContextValue::Strings(vec![name]);
            error.insert(ContextKind::SuggestedSubcommand, names);
        }
    } else if error.kind() == ErrorKind::UnknownArgument && !has(ContextKind::SuggestedArg) {
        if let Some(option) = similar_option(&error, command) {
            error.insert(ContextKind::SuggestedArg, ContextValue::String(option));
        }
        let tips = apt_tips(&error, command);
        error.remove(ContextKind::Suggested);
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    error
}

/// The name of a subcommand that is similar to the unknown one.
fn similar_command(error: &Error, command: &Command) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let names = command.get_subcommands().map(Command::get_name);
    closest(wrong, names).map(str::to_owned)
}

/// The option that is similar to the unknown one.
fn similar_option(error: &Error, command: &Command) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let names = command.get_arguments().filter_map(clap::Arg::get_long);
    closest(wrong.strip_prefix("--")?, names).map(|name| format!("--{name}"))
}

/// The tips for an unknown option, without that to pass it as a value where no values are expected after `--`.
fn apt_tips(error: &Error, command: &Command) -> Vec<StyledStr> {
    let is_format = matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(wrong)) if wrong == "--format"
    );
    if command.get_name() == "export" && is_format {
        return vec!["write the format as an option, such as '--csv'".into()];
    }
    let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) else {
        return Vec::new();
    };
    let is_apt =
        |tip: &&StyledStr| takes_program(command) || !tip.to_string().starts_with("to pass ");
    tips.iter().filter(is_apt).cloned().collect()
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
