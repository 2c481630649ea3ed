//! Hills on disk, between house bots and bots that fail.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bot, BotName, Entrant, Failure, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, Program, Reason,
    RunOptions, Start, TournamentGame, run,
};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    GameLine, HillSettings, HillStore, LogWriter, RunSource, StoredGame, TruncatedTail,
};
use tempfile::TempDir;

use crate::model::replay::{ReplayDocument, RunOfGame};

/// A name with markup.
pub(super) const HOSTILE: &str = "</script><img src=x onerror=y>&amp;\"'";

/// A hill with one run in a temporary folder.
pub(super) struct TestHill {
    _folder: TempDir,
    pub(super) path: PathBuf,
    pub(super) log: PathBuf,
}

impl TestHill {
    /// A challenge of Yahtzee between three bots.
    pub(super) fn yahtzee(games: i64) -> Self {
        Self::played(HillDraft { games, ..yahtzee("s") }, true)
    }

    /// A challenge of Liar's Dice between five bots, one of which fails in some games.
    pub(super) fn liars_dice(games: i64) -> Self {
        Self::played(HillDraft { games, ..liars_dice("s") }, true)
    }

    /// Plays the hill of a draft.
    pub(super) fn played<G: TournamentGame>(draft: HillDraft<G>, keeps_moves: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("spring.db");
        let log = folder.path().join("spring.jsonl");
        let hill = Hill::new(draft).expect("a hill");
        let record = HillSettings::from_hill(&hill, Some(hill.seed()));
        let store = HillStore::create(&path, &record).expect("a new store");
        Self::play(store, &hill, keeps_moves, &log);
        Self { _folder: folder, path, log }
    }

    /// Adds a run with the entrants of another draft.
    pub(super) fn play_again<G: TournamentGame>(&self, draft: HillDraft<G>) {
        Self::add_run(&self.path, draft);
    }

    /// Adds a run to the hill at `path`, with the entrants of another draft.
    pub(super) fn add_run<G: TournamentGame>(path: &Path, draft: HillDraft<G>) {
        let hill = Hill::new(draft).expect("a hill");
        let store = HillStore::open_to_write(path).expect("the store");
        Self::play(store, &hill, true, &path.with_extension("next"));
    }

    fn play<G: TournamentGame>(store: HillStore, hill: &Hill<G>, keeps_moves: bool, log: &Path) {
        let stored = store.begin_run(Vec::new(), keeps_moves).expect("a run");
        let mut logged = LogWriter::create(log).expect("a log");
        let stop = AtomicBool::new(false);
        let options = RunOptions {
            jobs: Jobs::Exactly(1),
            max_play_offs: MAX_PLAY_OFFS,
            stop: &stop,
            deadline: None,
        };
        run(hill, options, &mut |event| {
            stored.write(&event)?;
            logged.write(&event)
        })
        .expect("it is written");
        stored.flush().expect("it is on disk");
        logged.flush().expect("it is on disk");
    }

    pub(super) fn source(&self) -> RunSource {
        source(&self.path)
    }

    /// The lines of the games that count.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let keep = |game: StoredGame| -> Result<(), dicehill_store::FileError> {
            lines.push(game.line);
            Ok(())
        };
        self.source().each_game(keep).expect("it can be read");
        lines
    }

    /// The lines of the games that count, parsed.
    pub(super) fn outcomes(&self) -> Vec<GameLine> {
        self.lines().iter().map(|line| GameLine::read(line).expect("a game")).collect()
    }

    /// The documents of all games.
    pub(super) fn documents(&self) -> Vec<ReplayDocument> {
        let source = self.source();
        self.lines().iter().map(|line| document(&source, line)).collect()
    }
}

pub(super) fn source(run: &Path) -> RunSource {
    RunSource::open(run, TruncatedTail::Refuse).expect("a run")
}

/// The document of a game.
pub(super) fn document(source: &RunSource, line: &str) -> ReplayDocument {
    let run = RunOfGame { header: source.header(), number: source.number(), has_ended: true };
    ReplayDocument::read(run, line, usize::MAX).expect("a game that can be shown")
}

/// A challenge of Yahtzee in which one name is hostile.
pub(super) fn yahtzee(seed: &str) -> HillDraft<Yahtzee> {
    let mut bots: Vec<_> = yahtzee_bots().into_iter().map(HouseBot::entrant).collect();
    bots.retain(|bot| ["greedy", "aces-and-eights", "random"].contains(&bot.name.as_str()));
    assert_eq!(bots.len(), 3);
    bots[2].name = BotName::new(HOSTILE).expect("it can be printed");
    HillDraft::challenge(bots, seed)
}

/// A challenge of Liar's Dice in which one name is hostile, and its bot fails in some games.
pub(super) fn liars_dice(seed: &str) -> HillDraft<LiarsDice> {
    let mut bots: Vec<_> = liars_dice_bots().into_iter().map(HouseBot::entrant).collect();
    bots.truncate(5);
    let last = bots.last_mut().expect("there are five");
    *last = failing(HOSTILE, &last.program, |game| game % 13 == 5);
    HillDraft::challenge(bots, seed)
}

/// A bot that plays as `inner` does, except that it fails in some games.
pub(super) fn failing<G: Game>(
    name: &str,
    inner: &Arc<dyn Program<G>>,
    fails: fn(u64) -> bool,
) -> Entrant<G> {
    let program = FailingProgram { inner: Arc::clone(inner), fails };
    Entrant::new(BotName::new(name).expect("a name"), Arc::new(program))
}

struct FailingProgram<G: Game> {
    inner: Arc<dyn Program<G>>,
    fails: fn(u64) -> bool,
}

impl<G: Game> Program<G> for FailingProgram<G> {
    fn identity(&self) -> String {
        "test:failing".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(FailingBot { inner: self.inner.bot(), fails: self.fails, is_failing: false })
    }
}

struct FailingBot<G: Game> {
    inner: Box<dyn Bot<G>>,
    fails: fn(u64) -> bool,
    is_failing: bool,
}

impl<G: Game> Bot<G> for FailingBot<G> {
    fn start(&mut self, start: &Start) {
        self.is_failing = (self.fails)(start.game);
        self.inner.start(start);
    }

    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure> {
        if self.is_failing {
            return Err(Failure::new(Reason::MalformedAnswer, "<b>nonsense</b>\u{202e}"));
        }
        self.inner.act(view)
    }
}
