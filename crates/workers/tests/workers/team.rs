//! A run that workers of a test play, some of which are not honest.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use dicehill_arena::{
    Bar, Bot, BotName, Entrant, Event, Failure, GameRange, Hill, HillDraft, IdleProcesses, Jobs,
    MAX_PLAY_OFFS, NoGames, PlannedGames, Program, Reason, ResumeState, RunEnd, RunOptions,
    play_range, run, run_from,
};
use dicehill_rules::yahtzee::{Action, View, Yahtzee};
use dicehill_store::{PlayedLine, RunPlan};
use dicehill_workers::{
    BrokerAddress, HillJudge, HostedRun, PrepareRun, RangePlayer, RunInvitation, WorkerNews,
    WorkerSettings, host, work,
};

/// Fills the first or the last free box, or fails in each game with a box of many points.
#[derive(Clone, Copy)]
enum Filler {
    First,
    Last,
    /// Plays as [`Filler::First`], but is not it.
    Crashes,
}

impl Bot<Yahtzee> for Filler {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let mut free = view.legal().iter();
        let category = match self {
            Self::First => free.next(),
            Self::Last => free.last(),
            Self::Crashes => return Err(Failure::new(Reason::Crash, "out of memory")),
        };
        Ok(Action::Fill(category.expect("a box is free")))
    }
}

impl Program<Yahtzee> for Filler {
    fn identity(&self) -> String {
        match self {
            Self::First | Self::Crashes => "house:first@1".to_owned(),
            Self::Last => "house:last@1".to_owned(),
        }
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(*self)
    }
}

/// The hill of all tests, where `first` plays as this.
fn hill(games: i64, first: Filler) -> Hill<Yahtzee> {
    let entrant = |name, filler| {
        Entrant::new(BotName::new(name).expect("a name"), Arc::new(filler) as Arc<dyn Program<_>>)
    };
    let entrants = vec![entrant("first", first), entrant("last", Filler::Last)];
    Hill::new(HillDraft { games, ..HillDraft::challenge(entrants, "a seed") }).expect("a hill")
}

/// What a worker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conduct {
    Honest,
    /// It takes twenty times as long.
    Slow,
    /// It cannot play any range.
    Fails,
    /// The bots on its machine crash.
    Crashes,
    /// It doubles the points of a game.
    AltersPoints,
    /// Its first bot plays as the last one does.
    AltersMoves,
    /// It ends after a few ranges, without a word.
    Dies,
}

/// A worker of a test.
pub(crate) struct Member {
    pub(crate) conduct: Conduct,
    pub(crate) port: u16,
}

/// A run of a test.
pub(crate) struct Team {
    pub(crate) games: i64,
    /// How long an honest worker takes for a game.
    pub(crate) pace: Duration,
    pub(crate) members: Vec<Member>,
    /// The share of the ranges that are played again.
    pub(crate) checked: f64,
    pub(crate) port: u16,
}

/// What came of a run.
pub(crate) struct Outcome {
    /// The lines of its games.
    pub(crate) lines: io::Result<Vec<String>>,
    pub(crate) news: Vec<WorkerNews>,
    /// The games that the first worker has played.
    pub(crate) played: Vec<u64>,
}

/// The lines of the run on one machine.
pub(crate) fn on_one_machine(games: i64) -> Vec<String> {
    let stop = AtomicBool::new(false);
    let mut lines = Vec::new();
    let end = run(&hill(games, Filler::First), options(&stop), &mut |event| {
        if let Event::Played(played, _) = event {
            lines.push(played.line.clone());
        }
        Ok(())
    });
    assert!(matches!(end, Ok(RunEnd::Done(_))), "nothing stops it");
    lines
}

fn options(stop: &AtomicBool) -> RunOptions<'_> {
    RunOptions { jobs: Jobs::Exactly(2), max_play_offs: MAX_PLAY_OFFS, stop, deadline: None }
}

fn address(port: u16) -> BrokerAddress {
    BrokerAddress::new(&format!("nats://127.0.0.1:{port}")).expect("an address")
}

impl Team {
    /// Plays the run; `meanwhile` runs beside it.
    pub(crate) fn play(&self, meanwhile: impl FnOnce() + Send) -> Outcome {
        let (stop, end) = (AtomicBool::new(false), AtomicBool::new(false));
        let news = Mutex::new(Vec::new());
        let counts: Vec<_> = self.members.iter().map(|_| AtomicU64::new(0)).collect();
        let lines = thread::scope(|scope| {
            for (member, count) in self.members.iter().zip(&counts) {
                let (pace, games, end) = (self.pace, self.games, &end);
                scope.spawn(move || member.work(pace, games, count, end));
            }
            scope.spawn(meanwhile);
            let lines = self.host(&stop, &|one| news.lock().expect("no panic").push(one));
            end.store(true, Ordering::Relaxed);
            lines
        });
        let played = counts.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        Outcome { lines, news: news.into_inner().expect("no panic"), played }
    }

    fn host(
        &self,
        stop: &AtomicBool,
        news: &(dyn Fn(WorkerNews) + Sync),
    ) -> io::Result<Vec<String>> {
        let hill = hill(self.games, Filler::First);
        let plan = RunPlan::new(&hill, &[], &[])?;
        let hosted = HostedRun {
            plan: &plan,
            bots: Vec::new(),
            judge: &HillJudge::new(&hill),
            recorded: &NoGames,
            jobs: 2,
            checked: self.checked,
            machine: "host".to_owned(),
            stop,
            deadline: None,
        };
        let mut lines = Vec::new();
        let end = host(&hosted, &address(self.port), news, |games| {
            let past = ResumeState {
                bars: Vec::new(),
                games,
                is_resumed: false,
                recorded: 0,
                records: None,
            };
            run_from(&hill, past, options(stop), &mut |event| {
                match event {
                    Event::Played(played, _) => lines.push(played.line.clone()),
                    Event::Recalled(recorded, _) => lines.push(recorded.line.clone()),
                    Event::Started(_)
                    | Event::Barred(_)
                    | Event::Retried(_)
                    | Event::MemoryLost { .. }
                    | Event::Diverged { .. }
                    | Event::Ended(_) => {}
                }
                Ok(())
            })
        });
        end.map_err(io::Error::other)??;
        Ok(lines)
    }
}

impl Member {
    fn work(&self, pace: Duration, games: i64, played: &AtomicU64, end: &AtomicBool) {
        let settings =
            WorkerSettings { machine: format!("{:?}", self.conduct), jobs: 1, stop: end };
        let preparer = Preparer { conduct: self.conduct, pace, games, played, stop: end };
        // A server that is away at the start is no part of these tests.
        let worked = work(&address(self.port), &settings, &preparer, &|_| {});
        assert!(worked.is_ok(), "{:?}: {worked:?}", self.conduct);
    }
}

/// Prepares the hill of all tests.
struct Preparer<'a> {
    conduct: Conduct,
    pace: Duration,
    games: i64,
    played: &'a AtomicU64,
    stop: &'a AtomicBool,
}

impl PrepareRun for Preparer<'_> {
    fn prepare(&self, invitation: RunInvitation) -> Result<Box<dyn RangePlayer + '_>, String> {
        let first = match self.conduct {
            Conduct::Crashes => Filler::Crashes,
            Conduct::AltersMoves => Filler::Last,
            Conduct::Honest
            | Conduct::Slow
            | Conduct::Fails
            | Conduct::AltersPoints
            | Conduct::Dies => Filler::First,
        };
        assert_eq!(invitation.plan.header().seed, "a seed");
        Ok(Box::new(Player {
            preparer: self,
            hill: hill(self.games, first),
            ranges: AtomicU64::new(0),
        }))
    }
}

struct Player<'a> {
    preparer: &'a Preparer<'a>,
    hill: Hill<Yahtzee>,
    ranges: AtomicU64,
}

impl RangePlayer for Player<'_> {
    fn play(&self, barred: &[String], games: GameRange) -> io::Result<Vec<PlayedLine>> {
        let Preparer { conduct, pace, played, stop, .. } = self.preparer;
        assert!(barred.is_empty(), "no bot is barred");
        let ranges = self.ranges.fetch_add(1, Ordering::Relaxed);
        if *conduct == Conduct::Fails {
            return Err(io::Error::other("the disk is full"));
        }
        if *conduct == Conduct::Dies && ranges == 3 {
            // It neither plays nor answers, but its signs of life go on until the run is over.
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20));
            }
        }
        let slowness = if *conduct == Conduct::Slow { 20 } else { 1 };
        thread::sleep(*pace * slowness * games.count() as u32);
        let mut lines = self.lines(&[], games)?;
        if *conduct == Conduct::AltersPoints && ranges == 2 {
            lines = altered(&lines, games);
        }
        played.fetch_add(lines.len() as u64, Ordering::Relaxed);
        Ok(lines)
    }
}

impl Player<'_> {
    fn lines(&self, bars: &[Bar], games: GameRange) -> io::Result<Vec<PlayedLine>> {
        let stop = AtomicBool::new(false);
        let mut lines = Vec::new();
        let planned = PlannedGames { bars, games };
        let options = RunOptions { jobs: Jobs::Exactly(1), ..options(&stop) };
        play_range(&self.hill, planned, &IdleProcesses::default(), options, &mut |event| {
            if let Event::Played(played, _) = event {
                lines.push(PlayedLine::new(played));
            }
            Ok(())
        })?;
        Ok(lines)
    }
}

/// The same lines with other points.
fn altered(lines: &[PlayedLine], games: GameRange) -> Vec<PlayedLine> {
    let text: String = lines.iter().map(|line| line.text().expect("JSON")).collect();
    let altered = text.replacen("\"points\":", "\"points\":9", 1);
    assert_ne!(altered, text, "the line has points");
    PlayedLine::read_all(&altered, games).expect("still lines of games")
}
