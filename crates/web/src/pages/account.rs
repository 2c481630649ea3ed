//! The page of a token's holder: an author sees its bots and their failures, a host the queue, the bots and what hosts have done.

use std::time::Duration;

use dicehill_arena::Reason;
use maud::{Markup, html};

use super::board::capital;
use super::chart::ratings_chart;
use super::entry::{form_address, sentence, time, trail};
use super::layout::{Hosting, Page, bot_name, foldable, wide};
use super::links::Links;
use super::numbers::{duration, plus_minus, thousands, with_unit};
use super::site::counted;
use crate::entries::account;
use crate::model::account::{AccountDocument, AccountEntry, AccountFailure, RemoteBotDocument};
use crate::model::run_workers::RunWorkers;

/// The form for a token of the hill with this name.
pub(crate) fn form(hill: &str, name: &str, closed: Option<&str>) -> Markup {
    let body = html! {
        h1 { "Your account" }
        @match closed {
            Some(why) => p.notice { (sentence(why)) },
            None => {
                p { "Authors see their bots, with failures and their logs. Hosts see the queue, and act on it." }
                form.enter method="post" action=(account::address(hill)) {
                    div {
                        label for="token" { "Token" }
                        input #token type="password" name="token" required autocomplete="off" spellcheck="false" maxlength="100"
                            aria-describedby="token-note";
                        p.note #token-note { "It begins with dh_. This browser keeps it in a cookie for eight hours." }
                    }
                    button type="submit" { "Continue" }
                }
            }
        }
    };
    render([hill, name], "Your account", body)
}

pub(super) fn render([hill, name]: [&str; 2], title: &str, body: Markup) -> Markup {
    let title = format!("{title}, {}", dicehill_arena::printable(name));
    Page { title, hosting: Hosting::Server, trail: trail(hill, name), scripts: &["dates.js"], body }
        .render()
}

/// The page of an author or a host of the hill with this name. `done` is what the last action has done.
pub(crate) fn page(account: &AccountDocument, name: &str, done: Option<&str>) -> Markup {
    let is_host = account.role == "host";
    let title = if is_host { "Host" } else { "Your bots" };
    let body = html! {
        p.kicker { "Token " (account.token) @if let Some(name) = &account.name { ", " bdi { (name) } } }
        h1 { (title) }
        @if let Some(done) = done { p.notice role="status" { (dicehill_arena::printable(done)) } }
        @if is_host { (host(account)) } @else { (author(account)) }
        form method="post" action=(format!("{}/leave", account::address(&account.hill))) {
            button type="submit" { "Forget the token in this browser" }
        }
    };
    render([&account.hill, name], title, body)
}

fn author(account: &AccountDocument) -> Markup {
    html! {
        p { a.button href=(form_address(&account.hill)) { "Enter a bot" } }
        section aria-labelledby="bots" {
            h2 #bots { "Bots on the hill" }
            @if account.bots.is_empty() { p { "None of your bots is on the hill." } }
            @else { ul { @for bot in &account.bots { li {
                a href=(Links::Server { hill: &account.hill, run: None }.bot(0, &bot.bot)) { (bot_name(&bot.bot)) }
                ", version " (bot.versions) ", added " (time(&bot.added))
                @if let (Some(rank), Some(among)) = (bot.rank, bot.among) { "; number " (rank) " of " (among) }
                @if bot.loss.is_some() { "; loss " (with_unit(&plus_minus(bot.loss, 2))) " a game" }
                @if let Some(remote) = &bot.remote { "; " (remote_state(remote)) }
            } } } }
        }
        (ratings_chart(&account.ratings))
        section aria-labelledby="entries" {
            h2 #entries { "Entries" }
            @if account.entries.is_empty() { p { "You have uploaded no bot." } }
            @else { (wide("entries", entries(account, &|_| html! {}))) }
        }
        (failures(account))
    }
}

fn failures(account: &AccountDocument) -> Markup {
    let is_host = account.role == "host";
    html! { section aria-labelledby="failures" {
        h2 #failures { "Failures" }
        p.note {
            @if is_host { "The last failed moves of all bots, with what they were asked and the end of their logs." }
            @else {
                "The last failed moves of your bots, with what they were asked and the end of their logs. Only you and the host see them, \
                 unless the hill makes reports public."
            }
        }
        @if account.failures.is_empty() { p { "No move has failed." } }
        @for failure in &account.failures { (failure_of(&account.hill, failure)) }
    } }
}

/// How the connection of a remote bot is.
fn remote_state(remote: &RemoteBotDocument) -> String {
    let state = if remote.connected { "connected" } else { "not connected" };
    match (remote.mean_ms, remote.network_percent) {
        (Some(mean), Some(network)) => {
            format!("remote, {state}: {mean:.1} ms a line, of which the network {network:.0} %")
        }
        (_, _) => format!("remote, {state}"),
    }
}

fn failure_of(hill: &str, failure: &AccountFailure) -> Markup {
    let links = Links::Server { hill, run: Some(failure.run) };
    html! { details {
        summary {
            (bot_name(&failure.bot)) ", run " (failure.run)
            @if failure.game == 0 { ", qualification" } @else { ", game " (thousands(failure.game)) }
            ": " (failure.reason) @if failure.bar.is_some() && failure.reason != Reason::Absent.name() { ", barred" }
        }
        p {
            (failure.detail) " "
            @match (failure.bar, failure.game) {
                (_, 0) => {},
                (Some(bar), _) => { a href=(links.bar(bar)) { "The game" } },
                (None, game) => { a href=(links.game(game)) { "The game" } },
            }
        }
        h3 { "Request" }
        pre.command tabindex="0" { code { (failure.request) } }
        @if !failure.log.is_empty() {
            h3 { "Log" }
            pre.command tabindex="0" { @for line in &failure.log { (line) "\n" } }
        }
    } }
}

fn entries(account: &AccountDocument, actions: &dyn Fn(&AccountEntry) -> Markup) -> Markup {
    let is_host = account.role == "host";
    html! { table {
        thead { tr {
            th.text scope="col" { "Bot" } th scope="col" { "Entry" } th.text scope="col" { "State" }
            @if is_host { th.text.more scope="col" { "Author" } }
            th.text.more[is_host] scope="col" { "Received" } th.more[is_host] scope="col" { "Run" }
            @if is_host { th.text scope="col" { "Actions" } }
        } }
        tbody { @for entry in &account.entries { tr {
            th.text scope="row" { (bot_name(&entry.name)) @if entry.head.is_hidden && entry.head.state != "held" { " (hidden)" } }
            td { a href=(super::entry::address(&account.hill, entry.head.id)) { (entry.head.id) } }
            td.text { span.entry-state data-state=(entry.head.state) { (entry.head.state) } }
            @if is_host { td.text.more { @match &entry.author { Some(author) => bdi { (author) }, None => "–" } } }
            td.text.more[is_host] { (time(&entry.head.received)) }
            td.more[is_host] { @match entry.head.run { Some(run) => (run), None => "–" } }
            @if is_host { td.text { (actions(entry)) } }
        } } }
    } }
}

fn host(account: &AccountDocument) -> Markup {
    let entry_actions = |entry: &AccountEntry| {
        let id = entry.head.id.to_string();
        let names: &[&str] = match entry.head.state {
            "waiting" => &["hold", "skip"],
            "held" => &["approve", "skip"],
            "checking" => &["skip"],
            _ => &[],
        };
        let hide: &[&str] = match (entry.head.state, entry.head.is_hidden) {
            ("held", _) => &[],
            (_, true) => &["unhide"],
            (_, false) => &["hide"],
        };
        html! { div.row-actions {
            @for name in names.iter().chain(hide) { (button(account, name, &id, &format!("{name} entry {id}"))) }
        } }
    };
    html! {
        p { a href=(format!("{}/progress", account::address(&account.hill))) { "Progress of all authors" } }
        section aria-labelledby="run" {
            h2 #run { "Run" }
            p { "A run that is interrupted can be continued with " code { "dicehill resume" } "." }
            (button(account, "stop", "", "stop the run"))
        }
        @if let Some(workers) = &account.workers { (run_workers(workers)) }
        section aria-labelledby="front" {
            h2 #front { "Message on the hill's page" }
            form.enter method="post" action=(actions_address(account)) {
                input type="hidden" name="action" value="message";
                div {
                    label for="text" { "Message " span.note { "(empty: none)" } }
                    input #text name="text" maxlength="1000" value=(account.message.as_deref().unwrap_or_default());
                }
                button type="submit" { "Show it" }
            }
        }
        section aria-labelledby="entries" {
            h2 #entries { "Entries" }
            @if account.entries.is_empty() { p { "No bot has been uploaded yet." } }
            @else { (foldable("entries", entries(account, &entry_actions))) }
        }
        (host_bots(account))
        (failures(account))
        (settings(account))
        (log(account))
    }
}

/// The workers that play the run.
fn run_workers(of: &RunWorkers) -> Markup {
    let left = of.seconds_left.and_then(|left| Duration::try_from_secs_f64(left).ok());
    let left = left.map(|left| duration(left.as_secs()));
    html! { section aria-labelledby="workers" {
        h2 #workers { "Workers" }
        p {
            "The run is played by " (counted(of.workers, "worker")) " with " (counted(of.threads, "thread"))
            @match left {
                Some(left) => { "; at their rates, the other games take " (left) "." }
                None => ".",
            }
        }
        (foldable("workers", html! { table {
            thead { tr {
                th.text scope="col" { "Machine" } th.text scope="col" { "Plays games" } th.more scope="col" { "Games" }
                th scope="col" { "Games/s" } th.more scope="col" { "Failed ranges" } th.more scope="col" { "Threads" }
                th.text.more scope="col" { "Program" }
            } }
            tbody { @for worker in &of.machines { tr {
                th.text scope="row" { bdi { (worker.machine) } }
                td.text { @match worker.range {
                    Some([first, last]) => { (thousands(first)) " to " (thousands(last)) },
                    None => "–",
                } }
                td.more { (thousands(worker.games)) }
                td { (format!("{:.1}", worker.rate)) }
                td.more { (thousands(worker.failures)) }
                td.more { (worker.threads) }
                td.text.more { (worker.program) }
            } } }
        } }))
    } }
}

fn host_bots(account: &AccountDocument) -> Markup {
    html! { section aria-labelledby="bots" {
        h2 #bots { "Bots on the hill" }
        p.note { "A renamed bot plays under its new name in later runs. A barred one leaves the hill, and the run in which it plays is interrupted." }
        (foldable("bots", html! { table {
            thead { tr {
                th.text scope="col" { "Bot" } th.more scope="col" { "Version" } th.text.more scope="col" { "Added" }
                th.text scope="col" { "Actions" }
            } }
            tbody { @for bot in &account.bots { tr {
                th.text scope="row" {
                    (bot_name(&bot.bot))
                    @if let Some(remote) = &bot.remote { " " span.author { (remote_state(remote)) } }
                }
                td.more { (bot.versions) }
                td.text.more { (time(&bot.added)) }
                td.text { div.row-actions {
                    form method="post" action=(actions_address(account)) {
                        input type="hidden" name="action" value="rename";
                        input type="hidden" name="target" value=(bot.bot);
                        input name="text" maxlength="64" required aria-label={ "New name of " (bot.bot) };
                        button type="submit" { "Rename" }
                    }
                    (button(account, "bar", &bot.bot, &format!("bar {}", bot.bot)))
                } }
            } } }
        } }))
    } }
}

fn settings(account: &AccountDocument) -> Markup {
    html! { section aria-labelledby="settings" {
        h2 #settings { "Settings" }
        p.note { "To change them: " code { "dicehill hill set" } "." }
        @if account.settings.is_empty() { p { "These settings have their defaults." } }
        @else { ul { @for [key, value] in &account.settings { li { code { (key) " = " (value) } } } } }
    } }
}

fn log(account: &AccountDocument) -> Markup {
    html! { section aria-labelledby="log" {
        h2 #log { "What hosts have done" }
        @if account.actions.is_empty() { p { "Nothing yet." } }
        @else { (wide("log", html! { table {
            thead { tr {
                th.text scope="col" { "When" } th.text scope="col" { "Host" } th.text scope="col" { "Action" }
                th.text scope="col" { "Of" } th.text scope="col" { "Detail" }
            } }
            tbody { @for action in &account.actions { tr {
                td.text { (time(&action.at)) }
                td.text { bdi { (action.host) } @match action.token {
                    Some(token) => { " (token " (token) ")" }, None => " (terminal)",
                } }
                td.text { (action.action) }
                td.text { bdi { (action.target) } }
                td.text { bdi { (action.detail) } }
            } } }
        } })) }
    } }
}

fn actions_address(account: &AccountDocument) -> String {
    format!("{}/actions", account::address(&account.hill))
}

/// A button for an action.
fn button(account: &AccountDocument, action: &str, target: &str, label: &str) -> Markup {
    html! { form method="post" action=(actions_address(account)) {
        input type="hidden" name="action" value=(action);
        input type="hidden" name="target" value=(target);
        button type="submit" aria-label=(label) { (capital(action)) }
    } }
}
