//! Short runs of Yahtzee with an external bot that gives one wrong answer.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

use dicehill_arena::{
    Bot, BotName, Entrant, Failure, Hill, HillDraft, Jobs, Limits, MAX_PLAY_OFFS, Memory, Program,
    ResultDocument, RunEnd, RunOptions, StandingBar, run,
};
use dicehill_link::{
    BotLog, BotSource, ExternalBot, ExternalBotSettings, Isolation, set_helper_program,
};
use dicehill_rules::Game;
use dicehill_rules::yahtzee::{Action, View, Yahtzee};

/// Games of each run.
const GAMES: i64 = 3;
/// Limits that no bot reaches, even on a busy machine.
pub(crate) const LIMITS: Limits =
    Limits { start_ms: 120_000, move_ms: 120_000, memory_mb: 512, game_ms: None, run_ms: None };
/// The name of the bot that gives a wrong answer.
const OFFENDER: &str = "Offender";

/// Fills the first legal box.
struct FirstBox;

impl Program<Yahtzee> for FirstBox {
    fn identity(&self) -> String {
        "test:first@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(Self)
    }
}

impl Bot<Yahtzee> for FirstBox {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        Ok(Action::Fill(view.legal().iter().next().expect("a box is free")))
    }
}

/// Has helper processes run the program that is there for it.
pub(crate) fn use_helper() {
    static HELPER: Once = Once::new();
    HELPER.call_once(|| set_helper_program(env!("CARGO_BIN_EXE_dicehill-supervisor").into()));
}

/// The result of a run between two bots that play legally and the offender.
pub(crate) struct OffenderRun(ResultDocument);

impl OffenderRun {
    /// Plays it; the offender is a Python bot that gives the wrong answer `how`.
    pub(crate) fn new(how: &str, memory: Memory) -> Self {
        Self::with_limits(how, memory, LIMITS)
    }

    /// The same with so many milliseconds for the answers of a game.
    pub(crate) fn with_game_limit(how: &str, memory: Memory, game_ms: u64) -> Self {
        Self::with_limits(how, memory, Limits { game_ms: Some(game_ms), ..LIMITS })
    }

    fn with_limits(how: &str, memory: Memory, limits: Limits) -> Self {
        use_helper();
        Self::of(offender(how, memory, limits), memory)
    }

    /// Plays it with this bot in place of the offender.
    pub(crate) fn of(bot: ExternalBot<Yahtzee>, memory: Memory) -> Self {
        let entrants = vec![
            entrant("A", Arc::new(FirstBox)),
            entrant("B", Arc::new(FirstBox)),
            entrant(OFFENDER, Arc::new(bot)),
        ];
        let draft = HillDraft { games: GAMES, memory, ..HillDraft::challenge(entrants, "s") };
        let hill = Hill::new(draft).expect("a hill that can be played");
        let stop = AtomicBool::new(false);
        let options = RunOptions {
            jobs: Jobs::Exactly(1),
            max_play_offs: MAX_PLAY_OFFS,
            stop: &stop,
            deadline: None,
        };
        match run(&hill, options, &mut |_| Ok(())).expect("nothing is stored") {
            RunEnd::Done(result) => Self(result),
            RunEnd::Stopped(_) => unreachable!("the run is never stopped"),
        }
    }

    /// The bar of the offender, if there is one. Checks that the others are not barred and have played all games.
    #[track_caller]
    pub(crate) fn bar(&self) -> Option<&StandingBar> {
        for row in self.0.standings.iter().filter(|row| row.bot != OFFENDER) {
            assert!(row.barred.is_none() && row.games == GAMES.cast_unsigned(), "{row:?}");
        }
        let offender = self.0.standings.iter().find(|row| row.bot == OFFENDER);
        offender.expect("every entrant has a row").barred.as_ref()
    }
}

fn entrant(name: &str, program: Arc<dyn Program<Yahtzee>>) -> Entrant<Yahtzee> {
    Entrant::new(BotName::new(name).expect("a good name"), program)
}

/// Without a sandbox, which the tests of the command cover.
fn offender(how: &str, memory: Memory, limits: Limits) -> ExternalBot<Yahtzee> {
    isolated_offender(how, memory, limits, Isolation::Off)
}

/// The bot that gives the wrong answer `how`.
pub(crate) fn isolated_offender(
    how: &str,
    memory: Memory,
    limits: Limits,
    isolation: Isolation,
) -> ExternalBot<Yahtzee> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/link/offender.py");
    let command = ["python3", "-S", script, how].map(str::to_owned).to_vec();
    let source = BotSource::Command {
        command,
        base: PathBuf::new(),
        dir: None,
        build: None,
        read: vec![script.into()],
    };
    let settings = ExternalBotSettings {
        game: Yahtzee::NAME,
        rules: <Yahtzee as Game>::Rules::default().to_string(),
        memory,
        limits,
        isolation,
        network: Default::default(),
        secrets: Vec::new(),
        stop: Default::default(),
    };
    ExternalBot::prepare(OFFENDER, &source, settings, BotLog::default())
        .expect("python3 and the script exist")
}
