//! A bot's page.

mod embed;
mod liars_dice;
mod scores;
mod yahtzee;

use maud::{Markup, html};

use super::board::{bar_word, capital, private_failure};
use super::layout::{Hosting, Page, Preview, bot_name, date, facts, hash, wide};
use super::numbers::{drawn, elo, micros, percent, plus_minus, scale, signed_estimate, thousands};
use crate::model::bot::{AnswerTimes, FailureDocument, Opponent};
use crate::model::{BotDocument, CoachReport};
use crate::pages::links::Links;

/// The page of a bot; `origin` is the URL by which readers reach the server, if that is known.
pub(crate) fn page(
    bot: &BotDocument,
    links: Links<'_>,
    hosting: Hosting,
    origin: Option<&str>,
) -> Markup {
    let title = dicehill_arena::printable(&bot.row.bot);
    let body = html! {
        p.kicker { "Run" @if bot.run > 0 { " " (bot.run) } ", " (bot.state.title()) }
        h1 { (bot_name(&bot.row.bot)) }
        (heading(bot, links))
        @if let Links::Server { .. } = links {
            p.links { a href=(links.games(Some(&bot.row.bot))) { "Its games" } }
        }
        (scores::scores(bot))
        div.columns {
            (places(bot))
            (seats(bot))
            (opponents(bot, links))
        }
        (failures(bot, links))
        @if let Some(answers) = &bot.answers { (times(answers)) }
        @match &bot.coach {
            Some(CoachReport::Yahtzee(coach)) => (yahtzee::report(coach, links)),
            Some(CoachReport::LiarsDice(coach)) => (liars_dice::report(coach, links)),
            None => {}
        }
        (versions(bot, links))
        (embed::embed(bot, links, origin))
    };
    let mut trail = vec![(bot.name.clone(), links.board())];
    if hosting == Hosting::Server {
        trail.insert(0, ("Hills".to_owned(), "/".to_owned()));
    }
    let page = Page {
        title: format!("{title}, {}", bot.name),
        hosting,
        trail,
        scripts: &["dates.js", "uPlot.iife.min.js", "plots.js", "embed.js"],
        body,
    };
    let path = links.bot(bot.row.place, &bot.row.bot);
    page.render_with(&Preview::of(origin, path, description(bot)))
}

/// The bot in a sentence, for services that show links.
fn description(bot: &BotDocument) -> String {
    let rank = bot.row.rank.map_or_else(|| "barred".to_owned(), |rank| format!("rank {rank}"));
    let won = percent(bot.row.win_rate);
    format!(
        "{}, {} games, won {won} % (95 % CI), Elo {}.",
        capital(&rank),
        thousands(bot.row.games),
        elo(bot.row.elo)
    )
}

fn heading(bot: &BotDocument, links: Links<'_>) -> Markup {
    let row = &bot.row;
    let mut list = vec![
        ("Rank".to_owned(), row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())),
        ("Points".to_owned(), thousands(row.points)),
        ("Games".to_owned(), thousands(row.games)),
        ("Win % (95 % CI)".to_owned(), percent(row.win_rate)),
        match (row.elo, row.rating) {
            // Of a document of the first statistics.
            (None, Some(rating)) => ("Rating ± 95 %".to_owned(), signed_estimate(rating)),
            (rating, _) => ("Elo ± 95 %".to_owned(), elo(rating)),
        },
    ];
    list.extend(row.figures.iter().map(|figure| match figure.total {
        Some(total) => (capital(&figure.name), thousands(total)),
        None => (format!("Mean {} ± 95 %", figure.name), plus_minus(figure.mean, 2)),
    }));
    html! {
        @if let Some(why) = &row.barred { p.note {
            (capital(bar_word(why))) ": " (why) ". "
            a href=(format!("{}#bars", links.of_run(bot.run).board())) { "More about it" }
        } }
        (facts(&list))
        p.note {
            @if let Some(author) = &row.author { "By " bdi { (author) } ". " }
            @if row.remote { "Remote: it runs on its author's machine, where it is not sandboxed. Its games cannot be played \
                again, and its clock includes the network. " }
            @if row.network { "May use the network. " }
            @if let Some(url) = &row.url { a href=(url) rel="nofollow noopener noreferrer" { "Read about it" } ". " }
        }
        @if let Some(luck) = &row.luck {
            (facts(&[
                ("Luck-adjusted score ± 95 %", plus_minus(luck.score, 2)),
                ("Loss/game ± 95 %", plus_minus(luck.loss, 2)),
                ("Points/game ± 95 %", plus_minus(luck.points, 4)),
                ("Luck-adjusted points/game ± 95 %", plus_minus(luck.points_without_luck, 4)),
            ]))
        }
    }
}

fn places(bot: &BotDocument) -> Markup {
    let games: u64 = bot.places.iter().sum();
    html! { @if games > 0 {
        section aria-labelledby="places" {
            h2 #places { "Places in games" }
            (wide("places", html! { table {
                thead { tr {
                    th scope="col" { "Place" }
                    th scope="col" { "Games" }
                    th scope="col" { "%" }
                    th.text scope="col" { span.unseen { "Drawn" } }
                } }
                tbody { @for (index, count) in bot.places.iter().enumerate() { tr {
                    th scope="row" { (index + 1) }
                    td { (thousands(*count)) }
                    td { (format!("{:.1}", 100.0 * *count as f64 / games as f64)) }
                    td.text { svg.share viewBox="0 0 200 12" width="200" height="12" aria-hidden="true" {
                        rect x="0" y="0" height="12" width=(format!("{:.1}", 200.0 * *count as f64 / games as f64)) {}
                    } }
                } } }
            } }))
        }
    } }
}

fn seats(bot: &BotDocument) -> Markup {
    html! { @if !bot.row.seats.is_empty() {
        section aria-labelledby="seats" {
            h2 #seats { "By seat" }
            (wide("seats", html! { table {
                thead { tr {
                    th scope="col" { "Seat" }
                    th scope="col" { "Games" }
                    th scope="col" { "Points" }
                    th.text scope="col" { "Win % (95 % CI)" (scale()) }
                } }
                tbody { @for seat in &bot.row.seats { tr {
                    th scope="row" { (seat.seat + 1) }
                    td { (thousands(seat.games)) }
                    td { (thousands(seat.points)) }
                    td.text { (drawn(seat.win_rate)) span.number { (percent(seat.win_rate)) } }
                } } }
            } }))
        }
    } }
}

fn opponents(bot: &BotDocument, links: Links<'_>) -> Markup {
    html! { @if !bot.opponents.is_empty() {
        section aria-labelledby="opponents" {
            h2 #opponents { "By opponent" }
            @if let Some(nemesis) = nemesis(bot) {
                p { "Its nemesis is " a href=(links.bot(nemesis.place, &nemesis.bot)) { (bot_name(&nemesis.bot)) }
                    ", which it beat in " (percent(Some(nemesis.rate))) " % of their " (thousands(nemesis.games)) " games." }
            }
            (wide("opponents", html! { table {
                thead { tr {
                    th.text scope="col" { "Opponent" }
                    th scope="col" { "Games" }
                    th.text scope="col" { "Ahead % (95 % CI)" (scale()) }
                } }
                tbody { @for opponent in &bot.opponents { tr {
                    th.text scope="row" { a href=(links.bot(opponent.place, &opponent.bot)) { (bot_name(&opponent.bot)) } }
                    td { (thousands(opponent.games)) }
                    td.text { (drawn(Some(opponent.rate))) span.number { (percent(Some(opponent.rate))) } }
                } } }
            } }))
        }
    } }
}

/// The opponent that the bot does worst against, if it is significantly behind it.
fn nemesis(bot: &BotDocument) -> Option<&Opponent> {
    let is_behind = |one: &&Opponent| one.rate.ci95.is_some_and(|[_, high]| high < 0.5);
    let worst = |a: &&Opponent, b: &&Opponent| a.rate.value.total_cmp(&b.rate.value);
    bot.opponents.iter().filter(is_behind).min_by(worst)
}

fn failures(bot: &BotDocument, links: Links<'_>) -> Markup {
    html! { @if !bot.failures.is_empty() || !bot.failed.is_empty() {
        section aria-labelledby="failures" {
            h2 #failures { "Failures" }
            ul { @for failure in &bot.failures { li { (failure.reason) ": " (thousands(failure.count)) } } }
            @if bot.failed.iter().any(|failure| failure.is_private) { (private_failure()) }
            @for failure in &bot.failed { (one_failure(failure, links)) }
        }
    } }
}

fn one_failure(failure: &FailureDocument, links: Links<'_>) -> Markup {
    html! { article.bar {
        h3 { (failure.reason) " in " a href=(links.game(failure.game)) { "game " (failure.game) } }
        @if !failure.is_private { pre { bdi { (failure.detail) } } }
        @if !failure.request.is_empty() {
            details { summary { "The request" } pre { bdi { (failure.request) } } }
        }
        @if !failure.log.is_empty() {
            details { summary { "Its log" } pre { @for line in failure.log.lines() { bdi { (line) } "\n" } } }
        }
    } }
}

fn times(answers: &AnswerTimes) -> Markup {
    html! { section aria-labelledby="times" {
        h2 #times { "Answer times" }
        (facts(&[
            ("Answers", thousands(answers.answers)),
            ("Mean", micros(answers.mean_us)),
            ("Slowest answer of a game, median", micros(answers.half_below_us)),
            ("Slowest answer of a game, 99th percentile", micros(answers.most_below_us)),
            ("Longest", micros(answers.longest_us)),
        ]))
        p.note { "The arena's waiting times, which include other work of the machine." }
    } }
}

fn versions(bot: &BotDocument, links: Links<'_>) -> Markup {
    html! { @if !bot.versions.is_empty() {
        section aria-labelledby="versions" {
            h2 #versions { "Versions" }
            (wide("versions", html! { table {
                thead { tr {
                    th scope="col" { "Version" }
                    th.text scope="col" { "Added" }
                    th scope="col" { "Elo ± 95 %" }
                    th scope="col" { "Gained ± 95 %" }
                    th.text scope="col" { "First run" }
                    th.text scope="col" { "In this run" }
                    th.text scope="col" { "Plays with" }
                } }
                tbody { @for version in &bot.versions { tr {
                    th scope="row" { (version.number) }
                    td.text { (date(&version.added)) }
                    @let gain = version.gain.as_ref();
                    td { (gain.map_or_else(|| "–".to_owned(), |gain| elo(gain.elo))) }
                    td { (gain.and_then(|gain| gain.gained).map_or_else(|| "–".to_owned(), signed_estimate)) }
                    td.text { @if let Some(gain) = gain {
                        a href=(links.of_run(gain.run).board()) { (gain.run) }
                    } @else { "–" } }
                    td.text { @if version.played { "yes" } @else { "no" } }
                    td.text { (hash(&version.hash)) }
                } } }
            } }))
            p.note { "Gained: its Elo in its first whole run less that of the version before in the last run of that one. The entrants of the two \
                runs may differ." }
        }
    } }
}
