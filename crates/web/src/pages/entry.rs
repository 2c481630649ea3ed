//! The pages of entries: the list of a hill, and each entry with its live state.

use maud::{Markup, html};

use crate::model::entry::{EntriesDocument, EntryDocument, EntryHead, EntryStep};
use crate::pages::layout::{Hosting, Page, bot_name, wide};
use crate::pages::links::Links;

/// The address of an entry's page.
pub(crate) fn address(hill: &str, id: i64) -> String {
    format!("{}/{id}", list_address(hill))
}

fn list_address(hill: &str) -> String {
    format!("{}/entries", Links::Server { hill, run: None }.board())
}

/// The address of the upload form.
pub(crate) fn form_address(hill: &str) -> String {
    format!("{}/enter", Links::Server { hill, run: None }.board())
}

/// The pages above those of entries.
pub(crate) fn trail(hill: &str, name: &str) -> Vec<(String, String)> {
    let board = Links::Server { hill, run: None }.board();
    vec![("Hills".to_owned(), "/".to_owned()), (dicehill_arena::printable(name), board)]
}

/// The last entries of the hill with this name.
pub(crate) fn list(document: &EntriesDocument, name: &str) -> Markup {
    let hill = &document.hill;
    let body = html! {
        h1 #entries { "Entries" }
        @if let Some(why) = &document.closed { p.note { (sentence(why)) } }
        @else { p { a.button href=(form_address(hill)) { "Enter a bot" } } }
        (queue(document))
        @if document.entries.is_empty() { p { "No bot has been uploaded yet." } }
        @else { (wide("entries", table(hill, &document.entries))) }
    };
    let title = format!("Entries, {name}");
    Page { title, hosting: Hosting::Server, trail: trail(hill, name), scripts: &["dates.js"], body }
        .render()
}

/// Whose turn it is, and who follows.
fn queue(document: &EntriesDocument) -> Markup {
    let link = |entry: &EntryHead| {
        html! { a href=(address(&document.hill, entry.id)) { (bot_name(&entry.bot)) } }
    };
    html! {
        @if !document.queue.is_empty() {
            h2 { "Queue" }
            ol.queue { @for entry in &document.queue { li { (link(entry)) ": " (entry.meaning())
                @if let Some(progress) = &entry.progress { " " (progress.note()) "." }
            } } }
            h2 { "Entries" }
        }
    }
}

fn table(hill: &str, entries: &[EntryHead]) -> Markup {
    html! { table {
        thead { tr {
            th.text scope="col" { "Bot" } th.text scope="col" { "State" } th.text scope="col" { "Received" }
            th scope="col" { "Run" }
        } }
        tbody { @for entry in entries { tr {
            th.text scope="row" { a href=(address(hill, entry.id)) { (bot_name(&entry.bot)) } }
            td.text { (state(entry)) }
            td.text { (time(&entry.received)) }
            td { @match entry.run { Some(run) => (run_link(hill, run)), None => "–" } }
        } } }
    } }
}

/// The page of an entry of the hill with this name, which a script updates.
pub(crate) fn page(hill: &str, name: &str, entry: &EntryDocument) -> Markup {
    let EntryDocument { head, report, verdict, is_whole, .. } = entry;
    let address = address(hill, head.id);
    let live = (!head.is_final).then(|| format!("{address}/live?from={}", report.len()));
    let run = head.run.map(|run| Links::Server { hill, run: Some(run) }.board());
    let body = html! {
        p.kicker { "Entry " (head.id) }
        h1 { (bot_name(&head.bot)) }
        div #entry data-live=[live] data-runs=(Links::Server { hill, run: None }.board()) {
            p role="status" { span #state { (state(head)) } " " span #meaning { (head.meaning()) } }
            (steps(entry))
            p #run hidden[run.is_none()] { a href=(run.as_deref().unwrap_or("")) { "Go to the run" } }
        }
        p.note { "Received " (time(&head.received)) }
        section #verdict-of aria-labelledby="verdict-title" hidden[verdict.is_empty()] {
            h2 #verdict-title { "Verdict" }
            pre.verdict #verdict { @for line in verdict { (line) "\n" } }
        }
        h2 #report-of { "Report" }
        details #whole open[verdict.is_empty()] {
            summary { "All lines of the report" }
            div.report role="log" aria-labelledby="report-of" tabindex="0" {
                pre #report { @for line in report { (line) "\n" } }
                p.note #quiet hidden[!report.is_empty()] { @if *is_whole { "No report yet." } @else {
                    "The report is shown to the author of the bot and to the host: "
                    a href=(crate::entries::account::address(hill)) { "enter your token" } "."
                } }
            }
        }
        @if !head.is_final {
            noscript { p.note { "This page does not update without JavaScript. " a href=(address) { "Reload it" } " to see more." } }
        }
        p { a href=(list_address(hill)) { "All entries" } }
    };
    let title = format!("{}, {name}", head.bot);
    Page {
        title,
        hosting: Hosting::Server,
        trail: trail(hill, name),
        scripts: &["dates.js", "entry.js"],
        body,
    }
    .render()
}

/// The steps of an entry. Their figures change too often for a screen reader to announce them.
fn steps(entry: &EntryDocument) -> Markup {
    let is_current = |step: &EntryStep| (step.state == "current").then_some("step");
    html! { ol.steps #steps aria-label="Steps" { @for step in &entry.steps() {
        li data-step=(step.state) aria-current=[is_current(step)] {
            strong { (step.name) } " " span.step-state { (step_state(step)) }
        }
    } } }
}

/// `done`, or how far the step is.
fn step_state(step: &EntryStep) -> &str {
    match (step.state, step.note.as_str()) {
        ("current", "") => "in progress",
        ("never", "") => "not reached",
        (state, "") => state,
        (_, note) => note,
    }
}

fn state(entry: &EntryHead) -> Markup {
    html! { span.entry-state data-state=(entry.state) { (entry.state) } }
}

/// A point in time, which wraps between day and time.
pub(crate) fn time(received: &str) -> Markup {
    let (day, clock) = received.split_once('T').unwrap_or((received, ""));
    let clock = clock.replace('Z', " UTC");
    html! { time datetime=(received) { span.whole { (day) } " " span.whole { (clock) } } }
}

fn run_link(hill: &str, run: i64) -> Markup {
    html! { a href=(Links::Server { hill, run: Some(run) }.board()) { (run) } }
}

/// A message as a sentence: with a capital letter and a full stop.
pub(crate) fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}
