//! Who serves the entries of a hill: has them qualified, and has the hill play with them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dicehill_arena::{Memory, printable};
use dicehill_store::{EntryBook, EntryState, FileError, HillRecord, StoredEntry};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval, sleep, sleep_until};

use super::child::{Heard, Job, Running};
use super::recipe::Incoming;
use super::report::Report;

/// How long to wait until a hill on which somebody else plays is asked for again.
const BUSY_PAUSE: Duration = Duration::from_secs(5);
/// How often what a command tells goes to the store.
const WRITE_PAUSE: Duration = Duration::from_millis(300);
/// The longest that a qualification may take, with its builds.
const LONGEST_CHECK: Duration = Duration::from_secs(30 * 60);
/// The longest that anything else may take: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What is said of a name that somebody else has.
pub(crate) const NAME_TAKEN: &str = "somebody else has a bot of this name on the hill, or of one that differs only in small and capital letters";
const RESTARTED: &str = "the server was restarted; please upload it again";

/// Who serves the entries of a hill, one after the other.
pub(crate) struct Clerk {
    pub(crate) path: PathBuf,
    pub(crate) hill: HillRecord,
    /// The `dicehill` command.
    pub(crate) program: PathBuf,
    pub(crate) changes: watch::Sender<u64>,
    pub(crate) end: watch::Receiver<bool>,
}

/// Why an entry is left as it is.
enum Left {
    /// The server ends.
    Ending,
    /// The hill's file cannot be written.
    File(FileError),
}

impl From<FileError> for Left {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// An entry that is being served.
struct Served {
    id: i64,
    report: Report,
}

/// A command that is run for an entry.
struct Task<'a> {
    folder: &'a Path,
    arguments: Vec<OsString>,
    heard: Heard,
    longest: Duration,
    /// Whose first run is looked for, and behind which.
    sought: Option<(String, i64)>,
}

/// How it came to its end.
struct Ended {
    /// `None` if it took too long, could not be started, or a signal ended it.
    code: Option<i32>,
    /// The last line that it told.
    last: String,
    /// The run that was looked for.
    run: Option<i64>,
}

/// What a command has told so far.
#[derive(Default)]
struct Told {
    last: String,
    /// Whose first run is looked for, and behind which.
    sought: Option<(String, i64)>,
    /// Whether it said that a run begins. Nothing of that is in the store before its first games are.
    is_announced: bool,
    run: Option<i64>,
}

impl Told {
    fn hear(&mut self, served: &mut Served, line: String) {
        served.report.add(&line);
        // Whether it is so is looked up in the store, which no bot writes to.
        self.is_announced |= line.starts_with("run ");
        self.last = line;
    }

    fn ended(self, code: Option<i32>) -> Ended {
        Ended { code, last: self.last, run: self.run }
    }
}

impl Clerk {
    /// Goes on with what was left, and serves who comes until the server ends.
    pub(crate) async fn work(
        mut self,
        left: Vec<StoredEntry>,
        mut waiting: mpsc::Receiver<(i64, Incoming)>,
    ) {
        for entry in left {
            let id = entry.id;
            let gone_on = self.go_on_with(entry).await;
            if is_over(id, gone_on) {
                return;
            }
        }
        loop {
            let (id, bot) = tokio::select! {
                biased;
                () = ending(&mut self.end) => return,
                next = waiting.recv() => match next {
                    Some(next) => next,
                    None => return,
                },
            };
            let served = self.serve(id, &bot).await;
            let _files = spawn_blocking(move || drop(bot)).await;
            if is_over(id, served) {
                return;
            }
        }
    }

    /// What the server had begun when it ended. The uploads are gone, but the files of who plays are on the hill.
    async fn go_on_with(&mut self, entry: StoredEntry) -> Result<(), Left> {
        let StoredEntry { id, state, report, run, .. } = entry;
        let mut served = Served { id, report: Report::new(report) };
        served.report.hide(&self.path);
        match run.filter(|_| state == EntryState::Playing) {
            Some(run) => self.resume(&mut served, run).await,
            None => {
                served.report.add(RESTARTED);
                self.finish(&mut served, EntryState::Failed).await
            }
        }
    }

    async fn resume(&mut self, served: &mut Served, run: i64) -> Result<(), Left> {
        served.report.add("the server was restarted; the tournament goes on");
        let mut which = self.path.clone().into_os_string();
        which.push(format!("#{run}"));
        loop {
            if self.book(move |book| book.has_ended(run)).await? {
                return self.finish(served, EntryState::Done).await;
            }
            let arguments = vec!["resume".into(), which.clone(), "--require-isolation".into()];
            let (folder, heard) = (std::env::temp_dir(), Heard::Remarks);
            let folder = folder.as_path();
            let task = Task { folder, arguments, heard, longest: LONGEST, sought: None };
            let ended = self.run(served, task).await?;
            if self.is_busy(&ended) {
                self.pause().await?;
                continue;
            }
            let state = match ended.code {
                Some(0 | 3) => EntryState::Done,
                Some(_) | None => EntryState::Failed,
            };
            return self.finish(served, state).await;
        }
    }

    /// Qualifies a bot, and has the hill play with it.
    async fn serve(&mut self, id: i64, bot: &Incoming) -> Result<(), Left> {
        let mut served = Served { id, report: Report::new(String::new()) };
        served.report.hide(&self.path);
        served.report.hide(bot.folder());
        self.book(move |book| book.set_state(id, EntryState::Checking)).await?;
        self.changed();
        if self.hill.memory == Memory::Set {
            // Its bots may learn, and need not play the same way each time; what adds them qualifies them for that.
            return self.add(&mut served, bot).await;
        }
        let arguments =
            ["check", self.hill.game.name(), &bot.word(), "--require-isolation", "--hill"];
        let mut arguments: Vec<OsString> = arguments.map(OsString::from).into();
        arguments.push(self.path.clone().into());
        let (heard, longest) = (Heard::Everything, LONGEST_CHECK);
        let task = Task { folder: bot.folder(), arguments, heard, longest, sought: None };
        let ended = self.run(&mut served, task).await?;
        match ended.code {
            Some(0) => self.add(&mut served, bot).await,
            // It does not qualify, or is nothing that can be started.
            Some(2 | 3) => self.finish(&mut served, EntryState::Refused).await,
            Some(_) | None => self.finish(&mut served, EntryState::Failed).await,
        }
    }

    /// Adds who has qualified, as soon as nobody else plays on the hill.
    async fn add(&mut self, served: &mut Served, bot: &Incoming) -> Result<(), Left> {
        let mut is_told = false;
        loop {
            if !self.may_come(served.id, bot).await? {
                served.report.add(NAME_TAKEN);
                return self.finish(served, EntryState::Refused).await;
            }
            let ended = self.add_now(served, bot).await?;
            if self.is_busy(&ended) {
                self.wait(served, &mut is_told).await?;
                continue;
            }
            let state = match (ended.code, ended.run) {
                (Some(0), _) | (Some(3), Some(_)) => EntryState::Done,
                (Some(3), None) => EntryState::Refused,
                (Some(_) | None, _) => EntryState::Failed,
            };
            return self.finish(served, state).await;
        }
    }

    async fn may_come(&self, id: i64, bot: &Incoming) -> Result<bool, FileError> {
        let name = bot.name().clone();
        let may_come = move |book: &mut EntryBook| {
            let token = book.entry(id)?.map_or(0, |entry| entry.token);
            book.may_be_called(&name, token)
        };
        self.book(may_come).await
    }

    async fn add_now(&mut self, served: &mut Served, bot: &Incoming) -> Result<Ended, Left> {
        let last = self.book(|book| book.last_run()).await?;
        let mut arguments: Vec<OsString> = vec!["hill".into(), "add".into()];
        arguments.push(self.path.clone().into());
        arguments.extend([bot.word().into(), "--require-isolation".into()]);
        let sought = Some((bot.name().to_string(), last));
        let (heard, longest) = (Heard::Remarks, LONGEST);
        let task = Task { folder: bot.folder(), arguments, heard, longest, sought };
        self.run(served, task).await
    }

    /// Waits, since somebody else plays.
    async fn wait(&mut self, served: &mut Served, is_told: &mut bool) -> Result<(), Left> {
        if !std::mem::replace(is_told, true) {
            served.report.add("somebody else plays on this hill; this waits until they are done");
            let id = served.id;
            self.book(move |book| book.set_state(id, EntryState::Waiting)).await?;
            self.write_report(served).await?;
        }
        self.pause().await
    }

    async fn pause(&mut self) -> Result<(), Left> {
        tokio::select! {
            () = ending(&mut self.end) => Err(Left::Ending),
            () = sleep(BUSY_PAUSE) => Ok(()),
        }
    }

    /// Whether a command could not do anything because somebody else plays on the hill. It says so in a line that
    /// begins with the hill's path, as none does that has to do with the bot.
    fn is_busy(&self, ended: &Ended) -> bool {
        let why = "another dicehill plays on this hill; wait until it is done";
        let path = printable(&self.path.display().to_string());
        ended.code == Some(2) && ended.last == format!("error: {path}: {why}")
    }

    /// Runs a command, and reports what it tells while it runs.
    async fn run(&mut self, served: &mut Served, task: Task<'_>) -> Result<Ended, Left> {
        let Task { folder, arguments, heard, longest, sought } = task;
        let mut told = Told { sought, ..Told::default() };
        let job = Job { program: &self.program, arguments, folder, heard };
        let mut running = match Running::start(job) {
            Ok(running) => running,
            Err(error) => {
                eprintln!("{}: {error}", self.program.display());
                served.report.add("the server could not start the command that does this");
                return Ok(told.ended(None));
            }
        };
        let (until, mut writing) = (Instant::now() + longest, interval(WRITE_PAUSE));
        let mut end = self.end.clone();
        loop {
            tokio::select! {
                biased;
                () = ending(&mut end) => {
                    running.stop().await;
                    self.write(served, &mut told).await?;
                    return Err(Left::Ending);
                }
                () = sleep_until(until) => {
                    running.stop().await;
                    served.report.add("it took too long");
                    return Ok(told.ended(None));
                }
                _ = writing.tick() => self.write(served, &mut told).await?,
                line = running.line() => match line {
                    Some(line) => told.hear(served, line),
                    None => break,
                },
            }
        }
        let (code, rest) = running.ended().await;
        rest.into_iter().for_each(|line| told.hear(served, line));
        self.write(served, &mut told).await?;
        Ok(told.ended(code))
    }

    /// Keeps what has been told.
    async fn write(&self, served: &mut Served, told: &mut Told) -> Result<(), FileError> {
        self.write_report(served).await?;
        let sought = told.sought.clone().filter(|_| told.is_announced && told.run.is_none());
        let Some((name, before)) = sought else { return Ok(()) };
        let id = served.id;
        told.run = self.book(move |book| book.begin_playing(id, &name, before)).await?;
        if told.run.is_some() {
            self.changed();
        }
        Ok(())
    }

    async fn finish(&self, served: &mut Served, state: EntryState) -> Result<(), Left> {
        self.write_report(served).await?;
        let id = served.id;
        self.book(move |book| book.set_state(id, state)).await?;
        self.changed();
        Ok(())
    }

    /// Keeps what has come to the report.
    async fn write_report(&self, served: &mut Served) -> Result<(), FileError> {
        if let Some(text) = served.report.unwritten() {
            let id = served.id;
            self.book(move |book| book.set_report(id, &text)).await?;
            self.changed();
        }
        Ok(())
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    async fn book<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut EntryBook) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        let path = self.path.clone();
        let done = spawn_blocking(move || work(&mut EntryBook::open(&path)?)).await;
        done.unwrap_or_else(|error| Err(FileError::new(&self.path, error)))
    }
}

/// Waits until the server ends.
pub(crate) async fn ending(end: &mut watch::Receiver<bool>) {
    let _or_is_gone = end.wait_for(|end| *end).await;
}

/// Whether the server ends. What has to do with the hill's file is told to its host.
fn is_over(id: i64, served: Result<(), Left>) -> bool {
    match served {
        Ok(()) => false,
        Err(Left::Ending) => true,
        Err(Left::File(error)) => {
            eprintln!("entry {id}: {error}");
            false
        }
    }
}
