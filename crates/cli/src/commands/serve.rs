//! `dicehill serve`: hills on a web page.

use std::net::SocketAddr;

use dicehill_web::{Config, RequestLimits};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::args::ServeArgs;
use crate::bots::missing_guarantees;
use crate::console::{Console, interrupt, log};
use crate::failure::{Failure, Outcome};

pub(crate) fn serve(args: &ServeArgs, console: &Console) -> Result<Outcome, Failure> {
    let config = Config {
        hills: args.hills.clone(),
        listen: args.listen,
        origins: args.origins.clone(),
        accept: args.accept,
        missing: if args.accept { missing_guarantees()? } else { Vec::new() },
        program: std::env::current_exe()?,
        limits: RequestLimits::default(),
    };
    raise_file_limit();
    log::start(&args.log, console);
    let stop = interrupt::stop_flag(console)?;
    let listening =
        |address: SocketAddr| console.report(format!("http://{address} - Ctrl-C ends it"));
    dicehill_web::serve(config, &stop, listening)
        .map_err(|error| Failure::Failed(std::io::Error::other(error)))?;
    Ok(Outcome::Done)
}

/// Raises the limit of open files as far as the system allows: each viewer is a connection, and most systems start
/// with a limit of 1024.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    // With a lower limit the server still works, and further visitors wait.
    let _kept = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}
