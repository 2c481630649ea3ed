//! `dicehill submit`: uploads a bot to a hill on a server, and follows its report.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dicehill_arena::BotName;
use dicehill_store::{FileError, SecretToken};
use dicehill_web::RequestLimits;

use crate::args::{SubmitArgs, TokenArgs};
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::remote::{EntryReport, HillClient, HillUrl, is_outage, packed_bot};
use crate::text::printable;

/// The environment variable with a token.
const VARIABLE: &str = "DICEHILL_TOKEN";
/// The pause between two looks at the report.
const PAUSE: Duration = Duration::from_secs(1);
/// The interval at which an interruption is noticed.
const NAP: Duration = Duration::from_millis(100);
/// How long a server that does not answer, such as one that restarts, is asked again.
const OUTAGE: Duration = Duration::from_secs(300);
/// The seconds for which the beginning of a run is waited for.
const PATIENCE: u64 = 600;

pub(crate) fn submit(args: &SubmitArgs, console: &Console) -> Result<Outcome, Failure> {
    let name = args.name.as_deref().map(BotName::new).transpose();
    let name = name.map_err(|error| Failure::Usage(error.to_string()))?;
    let token = token(&args.token)?;
    let (file_name, content) = packed_bot(&args.bot)?;
    check_size(&args.bot, content.len())?;
    if args.url.is_readable_on_the_way() {
        console.report("the address begins with http: others on the network can read the token");
    }
    let client = HillClient::new(args.url.clone(), Some(token), args.certificate.ca.as_deref())?;
    let entry = client.upload(&file_name, name.as_ref(), &content)?;
    let page = args.url.page(&format!("entries/{}", entry.id));
    console.report(format!("{}: entry {}, {page}", printable(&entry.bot), entry.id));
    if args.no_follow { Ok(Outcome::Done) } else { follow(&client, entry, console) }
}

/// Refuses what no server accepts before it is sent.
fn check_size(bot: &Path, bytes: usize) -> Result<(), Failure> {
    let most = RequestLimits::default().upload_bytes;
    if bytes <= most {
        return Ok(());
    }
    let (size, most) = (bytes.div_ceil(1 << 20), most >> 20);
    let message = format!(
        "is an upload of {size} MiB, of which a server accepts {most}: leave out files that the bot does not need"
    );
    Err(FileError::new(bot, message).into())
}

/// The token of the file, or of the environment.
pub(super) fn token(args: &TokenArgs) -> Result<SecretToken, Failure> {
    let (text, from) = match &args.token_file {
        Some(path) => {
            let text = fs::read_to_string(path);
            let text = text.map_err(|error| FileError::not_opened(path, &error))?;
            (text, path.display().to_string())
        }
        None => (std::env::var(VARIABLE).unwrap_or_default(), VARIABLE.to_owned()),
    };
    // The text may be a part of a token, and is not shown.
    let refused = || {
        Failure::Usage(if text.trim().is_empty() {
            format!("{from}: has no token; set {VARIABLE} or pass --token-file FILE")
        } else {
            let digits = 2 * SecretToken::BYTES;
            format!(
                "{from}: not a token, which is dh_ and {digits} of the characters 0-9 and a-f: copy all of it"
            )
        })
    };
    SecretToken::parse(&text).ok_or_else(refused)
}

/// Prints the report as it grows.
fn follow(
    client: &HillClient,
    mut entry: EntryReport,
    console: &Console,
) -> Result<Outcome, Failure> {
    let stop = interrupt::stop_flag(console)?;
    let mut shown = ShownEntry::default();
    let mut last_answer = Instant::now();
    let mut is_silent = false;
    loop {
        shown.update(&entry, client.hill(), console)?;
        if let Some(outcome) = ending(&entry)? {
            return Ok(outcome);
        }
        if !pause(&stop) {
            console.report("the server continues with the entry");
            return Ok(Outcome::Interrupted);
        }
        match client.entry(entry.id) {
            Ok(next) => (entry, last_answer, is_silent) = (next, Instant::now(), false),
            Err(failure) if is_outage(&failure) && last_answer.elapsed() < OUTAGE => {
                if !std::mem::replace(&mut is_silent, true) {
                    console.report(
                        "the server does not answer; the entry is stored there; trying again ...",
                    );
                }
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Waits until it is time for another look at the entry; false if it is interrupted.
pub(super) fn pause(stop: &AtomicBool) -> bool {
    (0..PAUSE.as_millis() / NAP.as_millis()).all(|_| {
        thread::sleep(NAP);
        !stop.load(Ordering::Relaxed)
    })
}

/// How much of an entry has been printed.
#[derive(Default)]
pub(super) struct ShownEntry {
    lines: usize,
    state: String,
}

impl ShownEntry {
    /// Prints what is new: the report to stdout, the state as a message.
    pub(super) fn update(
        &mut self,
        entry: &EntryReport,
        hill: &HillUrl,
        console: &Console,
    ) -> io::Result<()> {
        let mut out = console.out();
        for line in entry.report.iter().skip(self.lines) {
            writeln!(out, "{}", printable(line))?;
        }
        self.lines = self.lines.max(entry.report.len());
        let state = in_words(entry, hill);
        if state != self.state {
            console.report(&state);
            self.state = state;
        }
        Ok(())
    }
}

fn in_words(entry: &EntryReport, hill: &HillUrl) -> String {
    let state = printable(&entry.state);
    match (state.as_str(), entry.ahead, entry.check_in_seconds) {
        ("waiting", Some(0), Some(0)) => "waiting: its qualification begins now".to_owned(),
        ("waiting", Some(ahead), Some(seconds)) => {
            format!("waiting: {ahead} before it, its qualification begins in about {seconds} s")
        }
        ("waiting", Some(ahead), None) => format!("waiting: {ahead} before it"),
        ("held", _, _) => "held: it waits until the host approves it".to_owned(),
        ("ready", _, _) => match &entry.run_at {
            // The estimate of a run that is due changes with each look.
            at if !is_later_by(60, at.as_deref()) => "ready: its run is about to begin".to_owned(),
            Some(at) => format!("ready: its run begins at about {}", printable(at)),
            None => state,
        },
        ("playing" | "done", _, _) => match entry.run {
            Some(run) => format!("{state}: run {run}, {}", hill.page(&format!("runs/{run}"))),
            None => state,
        },
        (_, _, _) => state,
    }
}

/// How the command ends, once nothing more is to be expected soon.
pub(super) fn ending(entry: &EntryReport) -> Result<Option<Outcome>, Failure> {
    let failed = |what: &str| Err(Failure::Failed(io::Error::other(what.to_owned())));
    match entry.state.as_str() {
        "held" => Ok(Some(Outcome::Done)),
        "ready" if is_later_by(PATIENCE, entry.run_at.as_deref()) => Ok(Some(Outcome::Done)),
        "done" => Ok(Some(Outcome::Done)),
        "refused" => Ok(Some(Outcome::Barred)),
        "failed" => failed("the entry failed; the report has the details"),
        "replaced" => failed("a newer version has taken the place of this one"),
        "skipped" => failed("the host has removed the entry from the queue"),
        _ if entry.is_final => Ok(Some(Outcome::Done)),
        _ => Ok(None),
    }
}

/// Whether a run begins more than so many seconds from now.
fn is_later_by(seconds: u64, at: Option<&str>) -> bool {
    let at = at.and_then(|at| humantime::parse_rfc3339(at).ok());
    let at = at.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map(|at| at.as_secs());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    at.is_some_and(|at| at > now + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(state: &str) -> EntryReport {
        EntryReport { state: state.to_owned(), ..EntryReport::default() }
    }

    #[test]
    fn the_command_ends_when_nothing_more_happens_soon() {
        for state in ["waiting", "checking", "playing", "ready"] {
            assert_eq!(ending(&entry(state)).unwrap(), None, "{state}");
        }
        assert_eq!(ending(&entry("done")).unwrap(), Some(Outcome::Done));
        assert_eq!(ending(&entry("held")).unwrap(), Some(Outcome::Done));
        assert_eq!(ending(&entry("refused")).unwrap(), Some(Outcome::Barred));
        assert!(ending(&entry("skipped")).is_err() && ending(&entry("replaced")).is_err());
        let at = |at: &str| EntryReport { run_at: Some(at.to_owned()), ..entry("ready") };
        assert_eq!(ending(&at("2900-01-01T00:00:00Z")).unwrap(), Some(Outcome::Done));
        assert_eq!(ending(&at("2000-01-01T00:00:00Z")).unwrap(), None);
        assert_eq!(ending(&at("soon")).unwrap(), None);
    }

    #[test]
    fn what_a_server_sends_is_printed_without_control_characters() {
        let hostile = entry("\u{1b}[2J");
        let hill = "https://hill.example.org/hills/h".parse().unwrap();
        assert!(!in_words(&hostile, &hill).contains('\u{1b}'));
    }
}
