//! `dicehill serve`: hills on a web page.

use std::net::SocketAddr;

use dicehill_web::{Config, Limits};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::args::ServeArgs;
use crate::bot_spec;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt;

pub(crate) fn serve(args: &ServeArgs, console: &Console) -> Result<Outcome, Failure> {
    let config = Config {
        hills: args.hills.clone(),
        listen: args.listen,
        origins: args.origins.clone(),
        accept: args.accept,
        missing: if args.accept { bot_spec::missing_guarantees()? } else { Vec::new() },
        program: std::env::current_exe()?,
        limits: Limits::default(),
    };
    take_descriptors();
    let stop = interrupt::stop_flag(console)?;
    let listening =
        |address: SocketAddr| console.tell(format!("http://{address} - Ctrl-C ends it"));
    dicehill_web::serve(config, &stop, listening)
        .map_err(|error| Failure::Failed(std::io::Error::other(error)))?;
    Ok(Outcome::Done)
}

/// As many open connections as the system lets us have: each viewer is one, and most systems begin with a thousand.
fn take_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    // With fewer than that the server still works, and visitors wait.
    let _kept = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}
