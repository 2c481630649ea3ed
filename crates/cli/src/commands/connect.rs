//! `dicehill connect`: plays on a hill with a program of this machine.

use dicehill_arena::BotName;

use super::submit::token;
use crate::args::ConnectArgs;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::remote::{AuthorConnection, ConnectedBot};

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
    let mut connection = AuthorConnection::new(bot, args.certificate.ca.as_deref(), console)?;
    let stop = interrupt::stop_flag(console)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(connection.run(&stop))?;
    Ok(Outcome::Interrupted)
}
