//! The page with the upload form, and what authors of bots need to know.

use dicehill_arena::{FormatName, Memory};
use dicehill_store::{Approval, EntryWindow, HillSettings, ReportAccess};
use maud::{Markup, html};

use crate::entries::CHECK_TIMEOUT;
use crate::entries::environment_content::EnvironmentContent;
use crate::entries::lookup::Outlook;
use crate::entries::member_path::{DEEPEST, MAX_PATH_LENGTH};
use crate::entries::{MAX_BYTES, MAX_FILES};
use crate::model::time::{duration, now};
use crate::pages::entry::{sentence, time, trail};
use crate::pages::layout::{Hosting, Page};
use crate::pages::numbers::thousands;
use crate::pages::site::title;

/// What the form of a hill shows.
pub(crate) struct UploadForm<'a> {
    pub(crate) hill: &'a str,
    /// The server's address as the client knows it.
    pub(crate) origin: String,
    /// Why no bots are accepted; `None` if they are.
    pub(crate) closed: Option<&'a str>,
    /// The most bytes of an uploaded file.
    pub(crate) upload_bytes: usize,
}

/// The page of the upload form.
pub(crate) fn page(upload: &UploadForm<'_>, outlook: &Outlook) -> Markup {
    let (hill, record) = (upload.hill, &outlook.settings);
    let body = html! {
        h1 { "Enter a bot" }
        p { "This hill plays " (title(record.game().name())) " by the " (record.terms.rules) " rules. An uploaded bot is qualified first: it "
            "must play legally" @if record.terms.memory == Memory::Game { ", and the same way each time" } ". If it qualifies, the hill plays "
            "a run with it, and it appears on the board." }
        (what_happens(outlook))
        @match (upload.closed, record.entries.window(now())) {
            (Some(why), _) => p.notice { strong { "This hill accepts no uploads." } " " (sentence(why)) },
            (None, EntryWindow::Before(opens)) => p.notice { "Entries open on " (opens.to_string()) "." },
            (None, EntryWindow::After(closes)) => p.notice { "Entries closed on " (closes.to_string()) "." },
            (None, EntryWindow::Open) => (form(upload)),
        }
        p { a href=(format!("/hills/{hill}/entries")) { "All entries and their results" } }
        (requirements(upload, record, &outlook.environments))
        (local_check(upload, record))
    };
    let name = &record.terms.name;
    let title = format!("Enter a bot, {name}");
    Page { title, hosting: Hosting::Server, trail: trail(hill, name), scripts: &["entry.js"], body }
        .render()
}

/// The steps of an entry, and how long they take.
fn what_happens(outlook: &Outlook) -> Markup {
    let Outlook { settings, open, qualification, run, .. } = outlook;
    html! {
        h2 { "What happens" }
        ol.what-happens {
            li { strong { "Upload" } ": the server unpacks the file. Seconds." }
            li { strong { "Build" } ": only if the " code { "bot.toml" } " has a " code { "build" } " command." }
            li { strong { "Qualification" } ": games against house bots, each played twice, and rare positions. "
                @match qualification {
                    Some(time) => { "The last one took " (duration(*time)) "." },
                    None => "A fast bot takes less than a minute.",
                }
                " Build and qualification together end after " (duration(CHECK_TIMEOUT)) " at the latest." }
            li { strong { "Run" } ": " (thousands(settings.games.unsigned_abs())) " games"
                @if settings.terms.format == FormatName::Duel { " for each pairing" }
                " with the bots of the hill, shown live."
                @if let Some(time) = run { " The last run took " (duration(*time)) "." }
                (run_times(outlook)) }
        }
        (window(settings))
        @if settings.entries.window(now()) == EntryWindow::Open { p { @match open {
            0 => "The queue is empty: a bot that is uploaded now is qualified at once.",
            1 => "One entry is in the queue, which would come before yours.",
            _ => { (open) " entries are in the queue, which would come before yours." },
        } } }
    }
}

/// When runs are played.
fn run_times(outlook: &Outlook) -> Markup {
    let Outlook { settings, next_run, places, .. } = outlook;
    let next = next_run.map(|at| time(&crate::model::time::date(at)));
    html! {
        @if *places {
            " Before that, as soon as the bot has qualified, it is placed: it plays against bots around its strength, until its rank is found."
        }
        @if let Some(schedule) = &settings.entries.schedule {
            " Runs are played on a schedule: " (schedule.to_string()) "."
        } @else if settings.entries.closes.is_none() && !places {
            " All bots that qualify meanwhile play in the same run."
        }
        @if let Some(next) = next { " The next run begins at " (next) "." }
    }
}

/// When entries are open, which entries the host approves, and the limits for an author.
fn window(settings: &HillSettings) -> Markup {
    let entries = &settings.entries;
    let limits = [
        (entries.author_bots, "bots on the hill"),
        (entries.author_waiting, "entries that wait"),
        (entries.author_daily, "uploads in 24 hours"),
    ];
    let limits: Vec<_> = limits
        .iter()
        .filter_map(|(most, what)| Some(format!("{} {what}", thousands(u64::from((*most)?)))))
        .collect();
    html! {
        @if let (Some(closes), EntryWindow::Before(_) | EntryWindow::Open) = (&entries.closes, entries.window(now())) {
            p { "Entries close on " (closes.to_string()) ". After that a committed run is played: its seed follows from a secret whose \
                hash the hill publishes while entries are open, and from the bots." }
        }
        @match entries.approval {
            Approval::None => {},
            Approval::Names => p { "The host approves names that are not plain ASCII, or that contain certain words." },
            Approval::All => p { "The host approves each entry." },
        }
        @if !limits.is_empty() { p { "An author may have " (limits.join(", ")) "." } }
    }
}

/// The token comes before the file, so that the server can refuse an upload before its file.
fn form(upload: &UploadForm<'_>) -> Markup {
    html! {
        form.enter #enter method="post" enctype="multipart/form-data" action=(format!("/hills/{}/entries", upload.hill)) {
            div {
                label for="token" { "Token" }
                input #token type="password" name="token" required autocomplete="off" spellcheck="false" maxlength="100"
                    aria-describedby="token-note";
                p.note #token-note { "It begins with dh_. Get it from the host of this hill, and keep it secret." }
            }
            div {
                label for="name" { "Name of the bot " span.note { "(optional)" } }
                input #name name="name" maxlength="64" autocomplete="off" aria-describedby="name-note";
                p.note #name-note { "Not needed if a bot.toml names it. Without both, the file's name is used." }
            }
            div {
                label for="file" { "File" }
                input #file type="file" name="file" required aria-describedby="file-note" data-most=(upload.upload_bytes);
                p.note #file-note { "One file, or a .zip, .tar or .tar.gz, of at most " (upload.upload_bytes >> 20) " MiB." }
                p.error #file-error role="alert" hidden {}
            }
            button type="submit" { "Enter the bot" }
        }
    }
}

fn requirements(
    upload: &UploadForm<'_>,
    record: &HillSettings,
    environments_there: &[EnvironmentContent],
) -> Markup {
    let limits = record.limits;
    html! {
        h2 { "What you can upload" }
        ul {
            li { "One file: a program in Python (" code { ".py" } "), JavaScript (" code { ".js" } ", " code { ".mjs" } ", " code { ".cjs" }
                "), Java (" code { ".java" } ", " code { ".jar" } "), Perl (" code { ".pl" } "), Ruby (" code { ".rb" } ") or shell ("
                code { ".sh" } "), a script that begins with " code { "#!" } ", or a program for Linux." }
            li { "An archive of files. Its " code { "bot.toml" } " names the program to start; without one it is "
                code { "main.py" } ", " code { "main.js" } " or the only program in it." }
            li { "A bot that " code { "dicehill new" } " wrote needs all files in its folder, so pack the folder:" }
        }
        pre.command tabindex="0" { code { "tar czf Mine.tar.gz Mine        # or: zip -r Mine.zip Mine" } }
        p { "A " code { "bot.toml" } " has the bot's name and command, and further keys:" }
        pre.command tabindex="0" { code { "name = \"Mine\"\ncommand = [\"python3\", \"mine.py\"]\nauthor = \"me\"" } }
        p { "It may not name files outside its folder, or a house bot. " code { "build" } " runs once, in the same sandbox as the bot." }
        (environments(environments_there))
        (remote(upload, record))
        h2 { "Limits" }
        ul {
            li { (upload.upload_bytes >> 20) " MiB to upload, " (MAX_BYTES >> 20) " MiB unpacked, " (thousands(MAX_FILES as u64)) " files and folders, "
                (DEEPEST) " nested folders, paths of " (MAX_PATH_LENGTH) " bytes." }
            li { "During play: " (limits.memory_mb) " MiB of memory, " (thousands(limits.start_ms)) " ms to start, " (thousands(limits.move_ms)) " ms for a move, "
                (thousands(limits.game_time().as_millis() as u64)) " ms for all moves of a game." }
            li { "No links, no encrypted archives, no names that differ only in case." }
            li { "The name of a bot, and all names that look like it, belong to the author who uploads it first. Its letters must be of one script. "
                "With the same token you can upload a new version of it." }
        }
    }
}

/// What a bot may ask to read.
fn environments(environments: &[EnvironmentContent]) -> Markup {
    html! { @if let Some(first) = environments.first() {
        h2 { "Environments" }
        p { "A bot has no network and cannot install packages. It can read these files of the host if it asks for them in "
            "its " code { "bot.toml" } ", for example " code { "environment = \"" (first.name) "\"" } ":" }
        ul { @for one in environments { li {
            strong { (one.name) } ": "
            @for (index, path) in one.paths.iter().enumerate() { @if index > 0 { ", " } code { (path) } }
            @if !one.content.is_empty() { ", with " (one.content.join(", ")) }
        } } }
    } }
}

/// How a bot plays that stays with its author.
fn remote(upload: &UploadForm<'_>, record: &HillSettings) -> Markup {
    html! { @if record.entries.remote {
        h2 { "Play from your own machine" }
        p { "A bot that needs a GPU, a language model or another system can stay with you. It is marked " em { "remote" } ": the sandbox does not \
            hold for it, its games cannot be played again, and its clock includes the network." }
        pre.command tabindex="0" { code {
            "DICEHILL_TOKEN=... dicehill connect " (upload.origin) "/hills/" (upload.hill) " --name Mine -- python3 mine.py"
        } }
    } }
}

fn local_check(upload: &UploadForm<'_>, record: &HillSettings) -> Markup {
    let address = format!("{}/api/v1/hills/{}/entries", upload.origin, upload.hill);
    html! {
        h2 { "Try it at home" }
        p { "The same qualification, on your own machine:" }
        pre.command tabindex="0" { code { "dicehill check " (record.game()) " ./mine --rules " (record.terms.rules) } }
        p { "To upload with a program, send the token in a header:" }
        pre.command tabindex="0" { code { "curl -H \"Authorization: Bearer $TOKEN\" -F file=@mine.zip \\\n  " (address) } }
        p.note { @match record.entries.reports {
            ReportAccess::Public => { "Everything that " code { "dicehill check" } " reports about your bot is public, including the end of the \
                bot's stderr if it fails." },
            ReportAccess::Author => { "The verdict on your bot is public. Only you and the host can read the rest of the report, such as the \
                end of the bot's stderr if it fails." },
        } " The bot's files are not shown." }
    }
}
