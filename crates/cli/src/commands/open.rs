//! `dicehill open`: a recorded run or game in the browser, without a hill.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dicehill_arena::HillDraft;
use dicehill_rules::with_game;
use dicehill_store::{HillSettings, HillStore, RecordedRun, RunSource, TruncatedTail};
use dicehill_temporary::TemporaryFolder;
use dicehill_web::{Config, ServedAddresses, hill_address};

use super::serve::serve_failure;
use crate::args::OpenArgs;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::as_recorded;
use crate::system::{BROWSER, raise_file_limit};
use crate::text::printable;

pub(crate) fn open(args: &OpenArgs, console: &Console) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, TruncatedTail::Ignore)?;
    if args.game.is_some() {
        source.find_game(args.game)?;
    }
    let shown = with_game!(source.header().hill.game(), G => ShownRun::of::<G>(&source)?);
    drop(source);
    let config = Config {
        hills: vec![shown.hill.clone()],
        program: std::env::current_exe()?,
        ..Config::default()
    };
    raise_file_limit();
    let stop = interrupt::stop_flag(console)?;
    let listening = |ServedAddresses { pages, .. }: ServedAddresses| {
        let address = format!("http://{pages}{}", shown.page(args.game));
        console.report(format!("{address} - Ctrl-C ends it"));
        if !args.no_browser && console.is_of_this_process() {
            open_browser(&address, console);
        }
    };
    dicehill_web::serve(config, &stop, listening).map_err(serve_failure)?;
    Ok(Outcome::Done)
}

/// The run that is shown, in the store of a hill.
struct ShownRun {
    hill: PathBuf,
    run: i64,
    /// Removes the temporary hill of a log in the end.
    _folder: Option<TemporaryFolder>,
}

impl ShownRun {
    fn of<G: TerminalGame>(source: &RunSource) -> Result<Self, Failure> {
        match &**source {
            RecordedRun::Stored { store, run } => {
                Ok(Self { hill: store.path().to_owned(), run: run.run, _folder: None })
            }
            RecordedRun::Log { path, .. } => Self::of_log::<G>(path),
        }
    }

    /// Imports a log into a new hill in a temporary folder.
    fn of_log<G: TerminalGame>(log: &Path) -> Result<Self, Failure> {
        let folder = TemporaryFolder::new()?;
        let name = printable(&log.file_stem().unwrap_or_default().to_string_lossy());
        let hill = folder.path().join(format!("{}.db", hill_address(log)));
        let usual = HillDraft::<G>::challenge(Vec::new(), "");
        let settings = HillSettings::from_draft(&HillDraft { name, ..usual }, None);
        let imported = HillStore::create(&hill, &settings)?.import(log, as_recorded::<G>)?;
        Ok(Self { hill, run: imported.run, _folder: Some(folder) })
    }

    /// The path of the page of the run, or of one of its games.
    fn page(&self, game: Option<u64>) -> String {
        let run = format!("/hills/{}/runs/{}", hill_address(&self.hill), self.run);
        game.map_or_else(|| run.clone(), |game| format!("{run}/games/{game}"))
    }
}

/// Opens the page in the user's browser, if the system has a program for that. The printed address works without it.
fn open_browser(address: &str, console: &Console) {
    let mut command = Command::new(BROWSER);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // It is waited for, so that it leaves no zombie. It ends once the browser has the address.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(_) => console.report(format!("no browser was opened: {BROWSER} was not found")),
    }
}
