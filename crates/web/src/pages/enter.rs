//! The page with the upload form, and what authors of bots need to know.

use dicehill_arena::Memory;
use dicehill_store::HillSettings;
use maud::{Markup, html};

use crate::entries::member_path::{DEEPEST, MAX_PATH_LENGTH};
use crate::entries::{MAX_BYTES, MAX_FILES};
use crate::pages::entry::{sentence, trail};
use crate::pages::layout::{Hosting, Page};
use crate::pages::numbers::thousands;
use crate::pages::site::title;

/// What the form of a hill shows.
pub(crate) struct UploadForm<'a> {
    pub(crate) hill: &'a str,
    /// Why no bots are accepted; `None` if they are.
    pub(crate) closed: Option<&'a str>,
    /// The most bytes of an uploaded file.
    pub(crate) upload_bytes: usize,
}

/// The page of the upload form.
pub(crate) fn page(upload: &UploadForm<'_>, record: &HillSettings) -> Markup {
    let hill = upload.hill;
    let body = html! {
        h1 { "Enter a bot" }
        p { "This hill plays " (title(record.game().name())) " by the " (record.terms.rules) " rules. A bot that you bring is qualified first: it "
            "has to play legally" @if record.terms.memory == Memory::Game { ", and the same way each time" } ". If it qualifies, the hill plays "
            "with it, and it is on the board." }
        @match upload.closed {
            Some(why) => p.notice { strong { "No bots come in here." } " " (sentence(why)) },
            None => (form(upload)),
        }
        p { a href=(format!("/hills/{hill}/entries")) { "All entries and what came of them" } }
        (requirements(upload, record))
        (local_check(record))
    };
    let title = format!("Enter a bot, {hill}");
    Page { title, hosting: Hosting::Server, trail: trail(hill), scripts: &["entry.js"], body }
        .render()
}

/// The token comes before the file, so that the server can refuse an upload before its file.
fn form(upload: &UploadForm<'_>) -> Markup {
    html! {
        form.enter #enter method="post" enctype="multipart/form-data" action=(format!("/hills/{}/entries", upload.hill)) {
            div {
                label for="token" { "Token" }
                input #token type="password" name="token" required autocomplete="off" spellcheck="false" maxlength="100"
                    aria-describedby="token-note";
                p.note #token-note { "It begins with dh_. The host of this hill gives it to you; keep it to yourself." }
            }
            div {
                label for="name" { "Name of the bot " span.note { "(optional)" } }
                input #name name="name" maxlength="64" autocomplete="off" aria-describedby="name-note";
                p.note #name-note { "Not needed where a bot.toml says it. Without both it is the name of the file." }
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

fn requirements(upload: &UploadForm<'_>, record: &HillSettings) -> Markup {
    let limits = record.limits;
    html! {
        h2 { "What you can bring" }
        ul {
            li { "One file: a program in Python (" code { ".py" } "), JavaScript (" code { ".js" } ", " code { ".mjs" } ", " code { ".cjs" }
                "), Java (" code { ".java" } ", " code { ".jar" } "), a script that begins with " code { "#!" }
                ", or a program for Linux." }
            li { "An archive of files. What is started is what its " code { "bot.toml" } " says; without one it is "
                code { "main.py" } ", " code { "main.js" } " or the only program in it." }
        }
        p { "A " code { "bot.toml" } " has the bot's name and command, and whatever else it needs:" }
        pre { code { "name = \"Mine\"\ncommand = [\"python3\", \"mine.py\"]\nauthor = \"me\"" } }
        p { "It names nothing outside its folder, and no house bot. " code { "build" } " is run once, sandboxed like the bot itself." }
        h2 { "Limits" }
        ul {
            li { (upload.upload_bytes >> 20) " MiB to upload, " (MAX_BYTES >> 20) " MiB unpacked, " (thousands(MAX_FILES as u64)) " files and folders, "
                (DEEPEST) " of them in each other, paths of " (MAX_PATH_LENGTH) " bytes." }
            li { "When it plays: " (limits.memory_mb) " MiB of memory, " (thousands(limits.start_ms)) " ms to start, " (thousands(limits.move_ms)) " ms for a move, "
                (thousands(limits.game_time().as_millis() as u64)) " ms for all moves of a game." }
            li { "No links, no encrypted archives, no names that differ only in small and capital letters." }
            li { "The name of a bot, and all names that look like it, belong to the author who uploads it first. It is in letters of one script. "
                "With the same token you bring a new version of it." }
        }
    }
}

fn local_check(record: &HillSettings) -> Markup {
    html! {
        h2 { "Try it at home" }
        p { "The same qualification, on your own machine:" }
        pre { code { "dicehill check " (record.game()) " ./mine --rules " (record.terms.rules) } }
        p { "Programs bring bots too, with the token in a header:" }
        pre { code { "curl -H \"Authorization: Bearer $TOKEN\" -F file=@mine.zip \\\n  THIS-SERVER/api/v1/hills/HILL/entries" } }
        p.note { "What " code { "dicehill check" } " tells about your bot is shown to everybody: also what the bot writes to its stderr "
            "before it fails. The bot's files are not shown." }
    }
}
