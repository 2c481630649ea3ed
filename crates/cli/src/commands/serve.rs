//! `dicehill serve`: hills on a web page.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use dicehill_arena::{IndivisibleRun, Memory};
use dicehill_link::{Isolation, cache_folder, platform_gap};
use dicehill_store::{FileError, HillStore};
use dicehill_web::{Config, RequestLimits, ServeError, ServedAddresses, Webhook};

use crate::args::{IsolationArgs, ServeArgs, TrustArgs};
use crate::bots::{BotLoader, StoredBots, missing_guarantees};
use crate::console::log::{self, LogFormat};
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::remote::NewsSender;
use crate::system::raise_file_limit;
use crate::tournament::refuse_without_feature;

/// The fewest characters of the secret of a webhook.
const LEAST_SECRET: usize = 16;

pub(crate) fn serve(args: &ServeArgs, console: &Console) -> Result<Outcome, Failure> {
    let config = Config {
        hills: args.hills.clone(),
        listen: args.listen,
        origins: args.origins.clone(),
        trusted_proxies: args.trusted_proxies.clone(),
        metrics: args.metrics,
        accept: args.accept,
        trusts_hills: args.trust.trust_hill,
        missing: if args.accept { missing_guarantees()? } else { Vec::new() },
        program: std::env::current_exe()?,
        tables: folder_of_tables(args),
        webhook: webhook(args)?,
        worker_options: worker_options(args)?,
        bot_cache: if args.accept { Some(cache_folder()?) } else { None },
        min_free_bytes: u64::from(args.min_free_disk) << 20,
        limits: RequestLimits::default(),
    };
    if args.accept {
        if let Some(gap) = platform_gap(Isolation::On) {
            return Err(Failure::Usage(format!("--accept: uploaded bots are sandboxed: {gap}")));
        }
        args.hills.iter().try_for_each(|hill| refuse_open_seed(hill))?;
        args.hills.iter().try_for_each(|hill| refuse_untrusted(hill, args, console))?;
    }
    raise_file_limit();
    let stop = interrupt::stop_flag(console)?;
    let log_format = args.log_format.unwrap_or_else(log::usual_format);
    let report = |message: String| log::report(log_format, console, message);
    if log_format == LogFormat::Json {
        log::start(&args.log, log_format, console);
    }
    let listening = |addresses: ServedAddresses| {
        // Scripts read the address from the first line, so that a log for people begins after it.
        report(format!("http://{} - Ctrl-C ends it", reachable(addresses.pages)));
        log::start(&args.log, log_format, console);
        if addresses.pages.ip().is_unspecified() {
            report(format!(
                "listening on {}, which is every address of this machine: every host that reaches one can read the pages over \
                 plain HTTP; to expose the server, use an HTTPS proxy and pass its URL with --origin",
                addresses.pages
            ));
        }
        if let Some(metrics) = addresses.metrics {
            report(format!("metrics: http://{metrics}/metrics"));
        }
        if !args.origins.is_empty() && args.trusted_proxies.is_empty() {
            let why = "if --origin names a proxy, all its clients share the limits of one client";
            report(format!("no --trusted-proxy: {why}"));
        }
    };
    dicehill_web::serve(config, &stop, listening).map_err(serve_failure)?;
    Ok(Outcome::Done)
}

/// Where news are sent, signed with the secret in the file.
fn webhook(args: &ServeArgs) -> Result<Option<Webhook>, Failure> {
    let (Some(address), Some(path)) = (&args.webhook, &args.webhook_secret) else {
        return Ok(None);
    };
    let secret = std::fs::read_to_string(path).map_err(|error| FileError::new(path, error))?;
    let secret = secret.trim();
    if secret.len() < LEAST_SECRET {
        let message = format!("is not a secret: it needs {LEAST_SECRET} characters or more");
        return Err(FileError::new(path, message).into());
    }
    let news = NewsSender::new(address, secret.as_bytes())
        .map_err(|why| Failure::Usage(format!("--webhook: {why}")))?;
    Ok(Some(Webhook::new(address, move |delivery, body| news.send(delivery, body))))
}

/// The options of the commands that play runs, if workers play them.
fn worker_options(args: &ServeArgs) -> Result<Vec<OsString>, Failure> {
    let Some(address) = &args.workers else { return Ok(Vec::new()) };
    refuse_without_feature("--workers")?;
    #[cfg(feature = "workers")]
    args.broker.address(address)?;
    for hill in &args.hills {
        // As below.
        let remembers =
            HillStore::open(hill).is_ok_and(|store| store.hill().terms.memory == Memory::Set);
        if remembers {
            let why = IndivisibleRun::Memory;
            return Err(Failure::Usage(format!("--workers {address}: {}: {why}", hill.display())));
        }
    }
    let options = ["--workers".into(), address.into()];
    Ok(options.into_iter().chain(args.broker.options()).collect())
}

/// The folder in which tables survive a restart.
fn folder_of_tables(args: &ServeArgs) -> Option<PathBuf> {
    let next_to_hill = || args.hills.first().map(|hill| hill.with_extension("tables"));
    args.tables.clone().or_else(next_to_hill)
}

/// Why a server cannot start, as the failure of a command: only a hill that cannot be read is bad input.
pub(super) fn serve_failure(error: ServeError) -> Failure {
    match error {
        ServeError::Hill(error) => Failure::File(error),
        ServeError::Listen(..) | ServeError::Metrics(..) | ServeError::Runtime(_) => {
            Failure::Failed(std::io::Error::other(error))
        }
    }
}

/// The address under which a browser on this machine reaches the server: one that stands for all addresses of the machine is
/// not an address to connect to.
fn reachable(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, listening.port())
}

/// Refuses to take bots to a hill whose seed is open: a token holder could compute all dice.
fn refuse_open_seed(path: &Path) -> Result<(), Failure> {
    // Whether it is a hill at all is for the server to say.
    let has_open_seed = HillStore::open(path).is_ok_and(|store| store.hill().open_seed);
    if has_open_seed {
        let path = path.display();
        return Err(Failure::Usage(format!(
            "--accept: {path} has open_seed = true, with which visitors' bots could compute all dice; make a hill without it (`dicehill hill init`) to accept bots"
        )));
    }
    Ok(())
}

/// Refuses a hill whose bots need `--trust-hill`: no run with an uploaded bot could be played on it.
fn refuse_untrusted(path: &Path, args: &ServeArgs, console: &Console) -> Result<(), Failure> {
    // As above.
    let Ok(store) = HillStore::open(path) else { return Ok(()) };
    // The environments are those of the host, who starts the server.
    let trust = TrustArgs { trust_environments: true, ..args.trust };
    let loader = BotLoader::new(None, IsolationArgs::default(), console)?.with_trust(trust);
    let loader = loader.with_environments(&store)?;
    StoredBots::unpack(&store, store.entrants()?, &loader).map(drop)
}
