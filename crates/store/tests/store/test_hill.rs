//! A hill of three bots that play Yahtzee without thinking.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{
    Bot, BotName, Entrant, Failure, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, Program, RunOptions,
    TournamentGame, run,
};
use dicehill_rules::yahtzee::{Action, Category, Keep, View, Yahtzee};
use dicehill_store::{BotKind, HillSettings, HillStore, Host, LogWriter, NewEntrant, NewUpload};
use tempfile::TempDir;

/// Fills the first or the last free category, with or without rerolling all dice before.
#[derive(Clone, Copy)]
struct FixedOrderBot {
    last: bool,
    rolls: bool,
}

impl Program<Yahtzee> for FixedOrderBot {
    fn identity(&self) -> String {
        format!("test:{}-{}@1", self.last, self.rolls)
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(*self)
    }
}

impl Bot<Yahtzee> for FixedOrderBot {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        if self.rolls && view.may_keep() {
            return Ok(Action::Keep(Keep::from_mask(0)));
        }
        let legal: Vec<Category> = view.legal().iter().collect();
        let wanted = if self.last { legal.last() } else { legal.first() };
        Ok(Action::Fill(*wanted.expect("a category is free")))
    }
}

/// A new entrant that takes part in no run.
pub(crate) fn new_entrant(name: &str) -> NewEntrant {
    NewEntrant {
        name: BotName::new(name).expect("a name"),
        identity: "house:dummy@1".to_owned(),
        kind: BotKind::House("dummy".to_owned()),
        files: Vec::new(),
        author: None,
        url: None,
        votes: None,
        entry: None,
    }
}

/// The host at a terminal.
pub(crate) fn host() -> Host {
    Host { name: "host".to_owned(), token: None }
}

/// An upload of a bot of this name.
pub(crate) fn upload(name: &str) -> NewUpload {
    NewUpload {
        bot: BotName::new(name).expect("a name"),
        file_name: "bot.py".to_owned(),
        name: None,
        environment: None,
        texts: Vec::new(),
        content: name.as_bytes().to_vec(),
        files: Vec::new(),
    }
}

/// The number of games in a run.
pub(crate) const GAMES: usize = 12;

/// The hill, with three entrants.
pub(crate) fn draft() -> HillDraft<Yahtzee> {
    let entrant = |name: &str, last, rolls| {
        let program: Arc<dyn Program<Yahtzee>> = Arc::new(FixedOrderBot { last, rolls });
        Entrant::new(BotName::new(name).expect("a name"), program)
    };
    let entrants = vec![
        entrant("Ada", true, true),
        entrant("Bert", false, true),
        entrant("Cleo", true, false),
    ];
    HillDraft { games: GAMES as i64, ..HillDraft::challenge(entrants, "s") }
}

/// The store of a new hill at this path.
pub(crate) fn new_store(path: &Path) -> HillStore {
    new_store_of(&Hill::new(draft()).expect("a hill"), path)
}

/// The store of this hill, which is new.
pub(crate) fn new_store_of<G: TournamentGame>(hill: &Hill<G>, path: &Path) -> HillStore {
    let settings = HillSettings::from_hill(hill, Some(hill.seed()));
    HillStore::create(path, &settings).expect("a new hill")
}

/// A folder with `run.jsonl`, the log of a run, and `hill.db`, a store with the same run.
pub(crate) struct PlayedRun {
    folder: TempDir,
    /// The lines of the log.
    pub(crate) lines: Vec<String>,
}

impl PlayedRun {
    pub(crate) fn of<G: TournamentGame>(hill: &Hill<G>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let [store, log] = ["hill.db", "run.jsonl"].map(|name| folder.path().join(name));
        let lines = play_into(hill, &store, &log);
        Self { folder, lines }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Plays a run of a new hill into a store and a log at these paths. Returns the lines of the log.
pub(crate) fn play_into<G: TournamentGame>(
    hill: &Hill<G>,
    store: &Path,
    log: &Path,
) -> Vec<String> {
    let stored = new_store_of(hill, store).begin_run(Vec::new(), true).expect("a run");
    let mut writer = LogWriter::create(log).expect("a log");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    run(hill, options, &mut |event| {
        stored.write(&event)?;
        writer.write(&event)
    })
    .expect("it is written");
    writer.flush().expect("it is on disk");
    stored.flush().expect("it is on disk");
    fs::read_to_string(log).expect("a log").lines().map(str::to_owned).collect()
}

/// Plays the next run of the hill at this path. Stops after `games` of its games, if that is less than all.
pub(crate) fn play_run(path: &Path, games: usize) {
    let hill = Hill::new(draft()).expect("a hill");
    let writer = HillStore::open_to_write(path).expect("a hill");
    let writer = writer.begin_run(Vec::new(), true).expect("a run");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let mut played = 0;
    let ended = run(&hill, options, &mut |event| {
        writer.write(&event)?;
        played += 1;
        stop.fetch_or(played > games, Ordering::Relaxed);
        Ok(())
    });
    ended.expect("it is stored");
    writer.flush().expect("it is on disk");
}
