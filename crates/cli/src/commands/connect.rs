//! `dicehill connect`: plays on a hill with a program of this machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use dicehill_arena::BotName;

use super::submit::{ShownEntry, ending, pause, token};
use crate::args::ConnectArgs;
use crate::bots::with_similar;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::remote::{AuthorConnection, ConnectedBot, EntryReport, HillClient, check_program};

pub(crate) fn connect(args: &ConnectArgs, console: &Console) -> Result<Outcome, Failure> {
    let name = BotName::new(&args.name).map_err(|error| Failure::Usage(error.to_string()))?;
    check_program(&args.command[0]).map_err(|error| Failure::Usage(with_similar(&error)))?;
    let bot = ConnectedBot {
        url: args.url.clone(),
        token: token(&args.token)?,
        name,
        command: args.command.clone(),
        is_new_version: args.new_version,
    };
    if args.url.is_readable_on_the_way() {
        console.report("the address begins with http: others on the network can read the token");
    }
    let ca = args.certificate.ca.as_deref();
    let client = HillClient::new(args.url.clone(), Some(token(&args.token)?), ca)?;
    let (known, entry) = mpsc::channel();
    let mut connection = AuthorConnection::new(bot, ca, known, console)?;
    let stop = interrupt::stop_flag(console)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let [has_ended, is_out] = [AtomicBool::new(false), AtomicBool::new(false)];
    let is_over = || stop.load(Ordering::Relaxed) || is_out.load(Ordering::Relaxed);
    thread::scope(|scope| {
        let (client, has_ended, is_out) = (&client, &has_ended, &is_out);
        let follower = scope.spawn(move || {
            let end = follow(client, entry.recv().ok()?, has_ended, console);
            is_out.store(end.is_some(), Ordering::Relaxed);
            end
        });
        let done = runtime.block_on(connection.run(&is_over));
        has_ended.store(true, Ordering::Relaxed);
        // Without it, nobody waits for an entry any longer.
        drop(connection);
        let end = follower.join().expect("the thread does not panic");
        done.and(end.unwrap_or(Ok(Outcome::Interrupted)))
    })
}

/// Prints the report of an entry and its states until it is final. Returns how the command ends if the bot does not come to the
/// hill. While the server does not answer, the connection says so.
fn follow(
    client: &HillClient,
    id: i64,
    has_ended: &AtomicBool,
    console: &Console,
) -> Option<Result<Outcome, Failure>> {
    let mut shown = ShownEntry::default();
    loop {
        if let Ok(entry) = client.entry(id) {
            let is_read = shown.update(&entry, client.hill(), console).is_ok();
            if is_out(&entry) {
                return ending(&entry).transpose();
            }
            if entry.is_final || !is_read {
                return None;
            }
        }
        if !pause(has_ended) {
            return None;
        }
    }
}

/// Whether the bot of an entry is not on the hill and will play in no run. An entry that fails in a run leaves its bot on the hill.
fn is_out(entry: &EntryReport) -> bool {
    match entry.state.as_str() {
        "refused" | "replaced" | "skipped" => true,
        "failed" => entry.run.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_stays_for_a_bot_that_may_play() {
        let entry = |state: &str, run| EntryReport {
            state: state.to_owned(),
            run,
            ..EntryReport::default()
        };
        for state in ["waiting", "held", "checking", "ready", "playing", "done"] {
            assert!(!is_out(&entry(state, None)), "{state}");
        }
        for state in ["refused", "replaced", "skipped", "failed"] {
            assert!(is_out(&entry(state, None)), "{state}");
        }
        assert!(!is_out(&entry("failed", Some(2))));
    }
}
