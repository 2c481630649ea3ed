//! Entries: uploaded bots, and their states and reports.

use std::cmp::Ordering;
use std::time::Duration;

use dicehill_arena::{Reason, printable};
use dicehill_store::{EntryRefusal, EntryState, StoredEntry};
use serde::Serialize;
use utoipa::ToSchema;

use super::forecast::{EntryProgress, OpenEntries};
use super::host_paths::without_host_paths;
use super::time::{date, duration};

/// Why nothing begins.
const NO_SPACE: &str =
    "The disk of this server is nearly full: the queue waits until its host has made room.";

/// What stands for the name of a hidden bot.
const HIDDEN: &str = "hidden by the host";
/// What is shown instead of the name of an entry that is not approved yet.
const HELD: &str = "not approved yet";

/// An upload.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EntryHead {
    /// Its number on the hill, from 1.
    pub(crate) id: i64,
    /// The bot's name.
    #[schema(example = "Mine")]
    pub(crate) bot: String,
    /// When it was received, in UTC.
    #[schema(example = "2026-05-01T12:00:00Z")]
    pub(crate) received: String,
    /// Its state: `waiting`, `held` until the host approves it, `checking`, `ready` for the next run, `playing`, and finally `done`,
    /// `refused`, `failed`, `replaced` by a newer upload, or `skipped` by the host.
    #[schema(example = "playing")]
    pub(crate) state: &'static str,
    /// Whether its state is final.
    pub(crate) is_final: bool,
    /// The run that added it to the hill.
    pub(crate) run: Option<i64>,
    /// The number of entries that are qualified before it; `null` once it does not wait any more.
    pub(crate) ahead: Option<usize>,
    /// The seconds until its qualification begins, estimated; `null` if that is unknown or it does not wait.
    pub(crate) check_in_seconds: Option<u64>,
    /// When the run that it joins begins, in UTC, by the schedule or estimated; `null` if that is unknown or it does not wait.
    #[schema(example = "2026-05-01T20:00:00Z")]
    pub(crate) run_at: Option<String>,
    /// Whether its name and report are hidden: by the host, or until the host approves it.
    pub(crate) is_hidden: bool,
    /// How far its qualification or its run is; `null` before the first figure and once its state is final.
    pub(crate) progress: Option<EntryProgress>,
    /// The state of which `state` is the name.
    #[serde(skip)]
    stored_state: EntryState,
    /// Whether the run that it joins is being prepared.
    #[serde(skip)]
    is_prepared: bool,
    /// Whether nothing begins until the host has made room on a disk.
    #[serde(skip)]
    lacks_space: bool,
    /// The first run with its bot that has ended.
    #[serde(skip)]
    played: Option<i64>,
    /// Why the bot was barred in that run, in a word.
    #[serde(skip)]
    bar: Option<String>,
}

/// An upload with its report.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct EntryDocument {
    #[serde(flatten)]
    pub(crate) head: EntryHead,
    /// The report, line by line.
    pub(crate) report: Vec<String>,
    /// The lines of the report with the verdict and the first failures; empty before there is a verdict.
    pub(crate) verdict: Vec<String>,
    /// Whether the report and the verdict are there. If not, only the author and the host see them.
    pub(crate) is_whole: bool,
    /// Whether the bot has qualified.
    #[serde(skip)]
    has_qualified: bool,
}

/// The last uploads to a hill.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntriesDocument {
    /// The hill's name in addresses.
    pub(crate) hill: String,
    /// Why the server accepts no bots; `null` if it does.
    pub(crate) closed: Option<String>,
    /// Latest first.
    pub(crate) entries: Vec<EntryHead>,
    /// Those that are not finished, in the order of processing.
    #[serde(skip)]
    pub(crate) queue: Vec<EntryHead>,
}

/// What has changed in an entry since the client was last sent its state.
#[derive(Serialize)]
pub(crate) struct EntryUpdate {
    #[serde(flatten)]
    head: EntryHead,
    /// The state in words.
    meaning: String,
    /// The steps of an entry, as the page shows them.
    steps: [EntryStep; 4],
    /// The verdict with the first failures.
    verdict: Vec<String>,
    /// The number of lines of the report that the client has.
    from: usize,
    /// The lines after these.
    new: Vec<String>,
    /// The number of lines of the whole report.
    #[serde(skip)]
    pub(crate) lines: usize,
}

/// A step of an entry: upload, build, qualification or run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct EntryStep {
    pub(crate) name: &'static str,
    /// `done`, `current`, `failed` or `next`.
    pub(crate) state: &'static str,
    /// How far it is, such as `43 %, about 20 s left`; empty if unknown.
    pub(crate) note: String,
}

impl EntryUpdate {
    /// The update for a client that has the first `known` lines of the report.
    pub(crate) fn after(document: EntryDocument, known: usize) -> Self {
        let steps = document.steps();
        let EntryDocument { head, report, verdict, .. } = document;
        let lines = report.len();
        let from = known.min(lines);
        let new = report.into_iter().skip(from).collect();
        Self { meaning: head.meaning(), steps, head, verdict, from, new, lines }
    }
}

impl EntryHead {
    /// The head of a stored entry among the open ones of its hill.
    pub(crate) fn new(entry: &StoredEntry, open: &OpenEntries) -> Self {
        let is_final = entry.state.is_final();
        let waits = entry.state == EntryState::Waiting;
        let joins =
            matches!(entry.state, EntryState::Waiting | EntryState::Checking | EntryState::Ready);
        let in_queue = matches!(entry.state, EntryState::Waiting | EntryState::Checking);
        let until_check = open.until_check(entry.id).filter(|_| waits);
        let progress = open.progress(entry.id, entry.run).filter(|_| !is_final);
        Self {
            id: entry.id,
            bot: match (entry.is_hidden, entry.state) {
                (_, EntryState::Held) => HELD.to_owned(),
                (true, _) => HIDDEN.to_owned(),
                (false, _) => printable(&entry.bot),
            },
            received: date(entry.received),
            state: entry.state.name(),
            is_final,
            run: entry.run,
            ahead: in_queue.then(|| open.ahead(entry.id)),
            check_in_seconds: until_check.map(|seconds| seconds.round() as u64),
            run_at: open.run_of(entry.id).filter(|_| joins).map(date),
            is_hidden: entry.is_hidden || entry.state == EntryState::Held,
            progress,
            stored_state: entry.state,
            is_prepared: open.is_prepared(),
            lacks_space: open.forecast.lacks_space,
            played: entry.played,
            bar: entry.bar.as_deref().map(printable),
        }
    }

    /// The state in words.
    pub(crate) fn meaning(&self) -> String {
        let text = match (self.stored_state, self.run) {
            (EntryState::Waiting, _) => return self.wait(),
            (EntryState::Held, _) => "It waits until the host approves it.",
            (EntryState::Replaced, _) => "A newer upload of this bot has taken its place.",
            (EntryState::Skipped, _) => "The host has removed it from the queue.",
            (EntryState::Ready, _) => return self.ready(),
            (EntryState::Checking, _) if self.progress.is_none() => {
                "It is being prepared: a bot with a build command is built first."
            }
            (EntryState::Checking, _) => {
                "It is being qualified: does it play legally, and the same way each time?"
            }
            (EntryState::Refused, _) => "It was not added to the hill. The report says why.",
            (EntryState::Playing, _) => "It qualified, and the hill is playing a run with it.",
            (EntryState::Done, _) => return self.played(),
            (EntryState::Failed, _) => "An error occurred. The report has the details.",
        };
        text.to_owned()
    }

    /// What it waits for.
    fn wait(&self) -> String {
        if self.lacks_space {
            return format!("It is waiting. {NO_SPACE}");
        }
        let place = match self.ahead {
            None | Some(0) => {
                return "Its turn has come. It is qualified as soon as no run is in progress on the hill."
                    .to_owned();
            }
            Some(1) => "It is waiting. One entry comes before it.".to_owned(),
            Some(ahead) => format!("It is waiting. {ahead} entries come before it."),
        };
        match self.check_in_seconds {
            None => place,
            Some(seconds) => {
                let left = duration(Duration::from_secs(seconds));
                format!("{place} Its qualification begins in about {left}.")
            }
        }
    }

    /// What has become of a bot on the hill.
    fn played(&self) -> String {
        let text = match (self.bar_in_words(), self.played, self.run) {
            (Some(bar), _, _) => return format!("It is on the hill, and was {bar}."),
            (None, Some(_), _) => "It is on the hill, and has played in a run.",
            (None, None, Some(_)) => {
                "It is on the hill, and plays in the next run, because its run was interrupted."
            }
            (None, None, None) => {
                "It is on the hill, and plays in the next run. The report says why it has not played yet."
            }
        };
        text.to_owned()
    }

    /// `barred in run 2: illegal-move`; `None` if it was not.
    fn bar_in_words(&self) -> Option<String> {
        let (run, reason) = (self.played?, self.bar.as_deref()?);
        let word = if reason == Reason::Absent.name() { "skipped" } else { "barred" };
        Some(format!("{word} in run {run}: {reason}"))
    }

    fn ready(&self) -> String {
        let qualified = "It qualified, and is on the hill.";
        match &self.run_at {
            _ if self.lacks_space => format!("{qualified} {NO_SPACE}"),
            None if self.is_prepared => {
                format!("{qualified} It plays in the next run, whose bots are being prepared.")
            }
            None => format!("{qualified} It plays in the next run."),
            Some(at) => {
                let at = at.replace('T', " ").replace('Z', " UTC");
                format!("{qualified} It plays in the next run, at about {at}.")
            }
        }
    }

    /// The steps from the upload to the run, of an entry with this verdict.
    fn steps(&self, verdict: &[String], has_qualified: bool) -> [EntryStep; 4] {
        let is_error = verdict.first().is_some_and(|line| line.starts_with(ERROR));
        let is_not_added = verdict.first().is_some_and(|line| EntryRefusal::is_in(line));
        let (reached, state) = match self.stored_state {
            EntryState::Waiting => (if verdict.is_empty() { 1 } else { 3 }, "next"),
            EntryState::Checking => (if self.progress.is_some() { 2 } else { 1 }, "current"),
            EntryState::Playing => (3, "current"),
            EntryState::Done if self.bar.is_some() => (3, "failed"),
            EntryState::Done if self.played.is_none() => (3, "next"),
            EntryState::Done => (4, "done"),
            EntryState::Held | EntryState::Replaced | EntryState::Skipped => (1, "next"),
            EntryState::Ready => (3, "next"),
            EntryState::Refused if is_not_added && has_qualified => (3, "failed"),
            EntryState::Refused if is_not_added => (1, "next"),
            EntryState::Refused => (if is_error { 1 } else { 2 }, "failed"),
            EntryState::Failed => (if self.run.is_some() { 3 } else { 2 }, "failed"),
        };
        let is_out = self.is_final && self.stored_state != EntryState::Done;
        let later = if is_out { "never" } else { "next" };
        let state = if state == "next" { later } else { state };
        let names = ["Upload", "Build", "Qualification", "Run"];
        std::array::from_fn(|index| EntryStep {
            name: names[index],
            state: match index.cmp(&reached) {
                Ordering::Less => "done",
                Ordering::Equal => state,
                Ordering::Greater => later,
            },
            note: self
                .progress
                .filter(|_| index == reached)
                .map_or_else(String::new, |one| one.note()),
        })
    }
}

impl EntryDocument {
    /// The document of a stored entry among the open ones of its hill.
    pub(crate) fn new(entry: &StoredEntry, open: &OpenEntries) -> Self {
        let shown = |line: &str| without_host_paths(&printable(line));
        let report: Vec<_> = entry.report.lines().map(shown).collect();
        let head = EntryHead::new(entry, open);
        let bot = printable(&entry.bot);
        let bar = head.bar_in_words().map(|bar| format!("{bot}: {bar}"));
        // The command that qualifies a bot has found that there is nothing to add.
        let unchanged = EntryRefusal::Unchanged(bot.clone());
        let line = |line: &String| match line.strip_prefix(ERROR) {
            Some(why) if why == unchanged.to_string() => unchanged.report_line(),
            Some(_) | None => line.clone(),
        };
        let qualification = verdict(&report, &head, &bot).iter().map(line);
        let verdict = bar.into_iter().chain(qualification).collect();
        let qualified = format!("{bot}: qualified: ");
        let has_qualified = report.iter().any(|line| line.starts_with(&qualified));
        Self { head, report, verdict, is_whole: true, has_qualified }
    }

    /// The document as its author and the hosts see it, whatever is hidden from visitors.
    pub(crate) fn for_readers(mut self, entry: &StoredEntry) -> Self {
        self.head.bot = printable(&entry.bot);
        self
    }

    /// The part that visitors see: the first line of the verdict, without what the bot or its build wrote.
    pub(crate) fn for_visitors(mut self) -> Self {
        self.verdict.truncate(if self.head.is_hidden { 0 } else { 1 });
        for line in &mut self.verdict {
            let refused = format!("{}: not qualified: ", self.head.bot);
            if line.starts_with(ERROR) && self.head.stored_state == EntryState::Failed {
                *line = format!("{ERROR}the report has the details");
            } else if line.starts_with(ERROR) {
                *line = format!("{ERROR}{} cannot be built or started", self.head.bot);
            } else if EntryRefusal::is_in(line) {
                let bot = self.head.bot.clone();
                let known =
                    [EntryRefusal::Barred, EntryRefusal::NameTaken, EntryRefusal::Unchanged(bot)];
                let known = known.map(|refusal| refusal.report_line());
                if !known.contains(line) && *line != EntryRefusal::removal_line() {
                    *line = format!("{}the report says why", EntryRefusal::NOT_ADDED);
                }
            } else if let Some(why) = line.strip_prefix(&refused) {
                // After the reason follows what the bot answered, and the end of its log.
                let reason = why.split(": ").next().unwrap_or_default();
                *line = format!("{refused}{reason}");
            }
        }
        Self { report: Vec::new(), is_whole: false, ..self }
    }

    /// The steps from the upload to the run.
    pub(crate) fn steps(&self) -> [EntryStep; 4] {
        self.head.steps(&self.verdict, self.has_qualified)
    }
}

/// The beginning of the line if the bot cannot be built or started.
const ERROR: &str = "error: ";
/// The most lines of a verdict.
const MAX_VERDICT: usize = 12;

/// The lines with the verdict and the first failures: the last line that begins as a verdict on this bot or as an error,
/// with the indented lines after it. They choose what a reader sees first, and decide nothing.
fn verdict<'a>(report: &'a [String], head: &EntryHead, bot: &str) -> &'a [String] {
    let qualified = format!("{bot}: qualified: ");
    let not_qualified = format!("{bot}: not qualified: ");
    let is_verdict = |line: &String| match head.stored_state {
        EntryState::Checking | EntryState::Held | EntryState::Replaced | EntryState::Skipped => {
            false
        }
        EntryState::Waiting | EntryState::Ready | EntryState::Playing | EntryState::Done => {
            line.starts_with(&qualified)
        }
        EntryState::Refused | EntryState::Failed => {
            line.starts_with(&not_qualified) || line.starts_with(ERROR) || EntryRefusal::is_in(line)
        }
    };
    let Some(first) = report.iter().rposition(is_verdict) else { return &[] };
    let after = report[first + 1..].iter().take_while(|line| line.starts_with(' '));
    &report[first..=first + after.take(MAX_VERDICT - 1).count()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::forecast::Active;

    fn stored(id: i64, state: EntryState, report: &str) -> StoredEntry {
        let (bot, report) = ("Mine".to_owned(), report.to_owned());
        let (played, bar) = (None, None);
        StoredEntry {
            id,
            token: 1,
            bot,
            received: 0,
            state,
            report,
            run: None,
            played,
            bar,
            is_hidden: false,
        }
    }

    fn states(document: &EntryDocument) -> [&'static str; 4] {
        document.steps().map(|step| step.state)
    }

    #[test]
    fn the_position_in_the_queue_counts_open_entries_before_it() {
        let open = OpenEntries { waiting: vec![4, 5, 7], ..OpenEntries::default() };
        let meaning = |id| EntryHead::new(&stored(id, EntryState::Waiting, ""), &open).meaning();
        assert!(meaning(4).starts_with("Its turn has come."), "{}", meaning(4));
        assert_eq!(meaning(5), "It is waiting. One entry comes before it.");
        assert_eq!(meaning(7), "It is waiting. 2 entries come before it.");
        let done = EntryHead::new(&stored(3, EntryState::Done, ""), &open);
        assert_eq!((done.ahead, done.progress), (None, None));
    }

    #[test]
    fn the_step_in_progress_has_its_percentage() {
        let progress = EntryProgress { is_run: false, done: 30, of: 120, seconds: 10.0 };
        let open = OpenEntries {
            waiting: vec![1, 2],
            active: Some((Active::Entry(1), progress)),
            ..OpenEntries::default()
        };
        let checking = EntryDocument::new(&stored(1, EntryState::Checking, ""), &open);
        assert_eq!(states(&checking), ["done", "done", "current", "next"]);
        assert_eq!(checking.steps()[2].note, "25 %, about 30 s left");
        let next = EntryDocument::new(&stored(2, EntryState::Waiting, ""), &open);
        assert_eq!(states(&next), ["done", "next", "next", "next"]);
        assert!(next.steps().iter().all(|step| step.note.is_empty()));
        let building = OpenEntries { waiting: vec![1], ..OpenEntries::default() };
        let building = EntryDocument::new(&stored(1, EntryState::Checking, ""), &building);
        assert_eq!(states(&building), ["done", "current", "next", "next"]);
    }

    #[test]
    fn a_report_opens_at_the_verdict_and_the_first_failures() {
        let none = OpenEntries::default();
        let report = "seed: x\nMine: qualified: forged by a build\nMine: not qualified: illegal-move\n  50 games\n  game 1, move 8: illegal-move\nlater\n";
        let refused = EntryDocument::new(&stored(1, EntryState::Refused, report), &none);
        assert_eq!(refused.verdict, refused.report[2..5]);
        assert_eq!(states(&refused), ["done", "done", "failed", "never"]);
        let report = "seed: x\nerror: Mine: build failed\n    main.c:1: no\n";
        let unbuilt = EntryDocument::new(&stored(1, EntryState::Refused, report), &none);
        assert_eq!(unbuilt.verdict, unbuilt.report[1..]);
        assert_eq!(states(&unbuilt), ["done", "failed", "never", "never"]);
        let report = "Mine: qualified: 50 games\n  answers\n";
        let waiting = EntryDocument::new(&stored(1, EntryState::Waiting, report), &none);
        assert_eq!((waiting.verdict.len(), states(&waiting)[2]), (2, "done"));
        let checking = EntryDocument::new(&stored(1, EntryState::Checking, report), &none);
        assert_eq!(checking.verdict, [""; 0]);
    }

    #[test]
    fn an_entry_says_what_has_become_of_its_run() {
        let done = |run: Option<i64>, played: Option<i64>, bar: Option<&str>| {
            let stored = stored(1, EntryState::Done, "Mine: qualified: 50 games\n");
            let entry = StoredEntry { run, played, bar: bar.map(str::to_owned), ..stored };
            let document = EntryDocument::new(&entry, &OpenEntries::default());
            let step = states(&document)[3];
            (document.head.meaning(), step, document.for_visitors().verdict.concat())
        };
        let qualified = "Mine: qualified: 50 games";
        for (run, played, bar, says, step, verdict) in [
            (None, None, None, "plays in the next run. The report says why", "next", qualified),
            (
                Some(2),
                None,
                None,
                "plays in the next run, because its run was interrupted",
                "next",
                qualified,
            ),
            (Some(2), Some(2), None, "has played in a run", "done", qualified),
            (Some(2), Some(3), None, "has played in a run", "done", qualified),
            (
                Some(2),
                Some(2),
                Some("crash"),
                "was barred in run 2: crash.",
                "failed",
                "Mine: barred in run 2: crash",
            ),
            (
                Some(2),
                Some(2),
                Some("absent"),
                "was skipped in run 2: absent.",
                "failed",
                "Mine: skipped in run 2: absent",
            ),
        ] {
            let (meaning, reached, shown) = done(run, played, bar);
            assert!(
                meaning.starts_with("It is on the hill, and ") && meaning.contains(says),
                "{meaning}"
            );
            assert_eq!((reached, shown.as_str()), (step, verdict), "{meaning}");
        }
    }

    #[test]
    fn visitors_see_nothing_that_the_bot_or_its_build_wrote() {
        let seen = |state, report: &str| {
            let open = OpenEntries::default();
            let whole = EntryDocument::new(&stored(1, state, report), &open);
            let steps = states(&whole);
            let seen = whole.for_visitors();
            assert_eq!((states(&seen), seen.report.len()), (steps, 0));
            seen.verdict.concat()
        };
        let crash =
            "Mine: not qualified: crash: it ended with status 1: KeyError: 'secret'\n  2 games\n";
        assert_eq!(seen(EntryState::Refused, crash), "Mine: not qualified: crash");
        let build = "error: Mine: main.c:1: secret\n    main.c:2\n";
        assert_eq!(seen(EntryState::Refused, build), "error: Mine cannot be built or started");
        let known = "error: Mine is already on the hill, unchanged: nothing to add\n";
        let shown = "not added: Mine is already on the hill, unchanged: nothing to add";
        assert_eq!(seen(EntryState::Refused, known), shown);
        for shown in ["removed", "not added"] {
            let shown = format!("{shown}: the host has barred the bot of this name");
            let barred = format!("Mine: qualified: 50 games\nadded\n{shown}\n");
            assert_eq!(seen(EntryState::Refused, &barred), shown);
        }
        let other = "not added: a bot of yours has or had this name\n";
        assert_eq!(seen(EntryState::Refused, other), "not added: the report says why");
        let unchanged = "Mine: qualified: 50 games\n  answers\nerror: Mine is unchanged\n";
        assert_eq!(seen(EntryState::Failed, unchanged), "error: the report has the details");
        let qualified = "Mine: qualified: 50 games: all legal\n  answers\n";
        assert_eq!(seen(EntryState::Done, qualified), "Mine: qualified: 50 games: all legal");
    }
}
