//! `dicehill connect`: plays on a hill with a program of this machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use dicehill_arena::BotName;

use super::submit::{ShownEntry, pause, token};
use crate::args::ConnectArgs;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::remote::{AuthorConnection, ConnectedBot, HillClient};

pub(crate) fn connect(args: &ConnectArgs, console: &Console) -> Result<Outcome, Failure> {
    let name = BotName::new(&args.name).map_err(|error| Failure::Usage(error.to_string()))?;
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
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let (client, is_ended) = (&client, &ended);
        scope.spawn(move || entry.recv().map(|id| follow(client, id, is_ended, console)));
        let done = runtime.block_on(connection.run(&stop));
        ended.store(true, Ordering::Relaxed);
        // Without it, nobody waits for an entry any longer.
        drop(connection);
        done
    })?;
    Ok(Outcome::Interrupted)
}

/// Prints the report of an entry and its states until it is final. While the server does not answer, the connection says so.
fn follow(client: &HillClient, id: i64, ended: &AtomicBool, console: &Console) {
    let mut shown = ShownEntry::default();
    loop {
        if let Ok(entry) = client.entry(id) {
            let is_read = shown.update(&entry, client.hill(), console).is_ok();
            if entry.is_final || !is_read {
                return;
            }
        }
        if !pause(ended) {
            return;
        }
    }
}
