//! A bot's page.

mod liars_dice;

use maud::{Markup, PreEscaped, html};

use super::board::capital;
use super::layout::{Hosting, Page, Preview, bot_name, date, facts, hash, wide};
use super::numbers::{drawn, elo, micros, percent, plus_minus, scale, signed_estimate, thousands};
use crate::model::bot::{AnswerTimes, FailureDocument, Opponent};
use crate::model::coach::{MistakeOfBot, PartOfLoss};
use crate::model::{BotDocument, CoachDocument, CoachReport};
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
        (heading(bot))
        @if let Links::Server { .. } = links {
            p.links { a href=(links.games(Some(&bot.row.bot))) { "Its games" } }
        }
        (scores(bot))
        div.columns {
            (places(bot))
            (seats(bot))
            (opponents(bot, links))
        }
        (failures(bot, links))
        @if let Some(answers) = &bot.answers { (times(answers)) }
        @match &bot.coach {
            Some(CoachReport::Yahtzee(coach)) => (report(coach, links)),
            Some(CoachReport::LiarsDice(coach)) => (liars_dice::report(coach, links)),
            None => {}
        }
        (versions(bot, links))
        (embed(bot, links, origin))
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
    page.render_with(&Preview {
        origin,
        picture: Some(format!("{path}/preview.png")),
        path,
        description: description(bot),
    })
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

/// The badge and the picture of the rank, with the text to copy.
fn embed(bot: &BotDocument, links: Links<'_>, origin: Option<&str>) -> Markup {
    let name = dicehill_arena::printable(&bot.row.bot);
    let pictures = links.pictures(bot.row.place, &bot.row.bot);
    let [badge, rank] =
        pictures.each_ref().map(|path| format!("{}{path}", origin.unwrap_or_default()));
    let page = match links {
        Links::Server { hill, .. } => {
            let hill = Links::Server { hill, run: None };
            format!("{}{}", origin.unwrap_or_default(), hill.bot(bot.row.place, &bot.row.bot))
        }
        Links::Files => links.bot(bot.row.place, &bot.row.bot),
    };
    let alt = format!("The rank of {name} on {}", bot.name);
    let markdown = format!("[![{}]({badge})]({page})", escaped_markdown(&alt));
    let html = html! { a href=(page) { img src=(rank) width="360" height="120" alt=(alt); } };
    html! { section aria-labelledby="embed" {
        h2 #embed { "Show its rank elsewhere" }
        p.note { "The pictures show its rank on the hill as it is when they are loaded." }
        div.embed {
            div {
                p { img src=(pictures[0]) alt=(alt) height="20"; }
                p { "A badge, in Markdown:" }
                pre tabindex="0" data-embed="" { (markdown) }
            }
            div {
                p { img src=(pictures[1]) alt=(alt) width="360" height="120"; }
                p { "A picture, in HTML:" }
                pre tabindex="0" data-embed="" { (html.into_string()) }
            }
        }
    } }
}

/// A text within square brackets of Markdown.
fn escaped_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if matches!(letter, '\\' | '[' | ']' | '<' | '>' | '`' | '*' | '_' | '!' | '&') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn heading(bot: &BotDocument) -> Markup {
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
        @if let Some(why) = &row.barred { p.note { "Barred: " (why) } }
        (facts(&list))
        p.note {
            @if let Some(author) = &row.author { "By " bdi { (author) } ". " }
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

/// The width of a class of scores.
const CLASS: u64 = 10;

fn scores(bot: &BotDocument) -> Markup {
    if bot.scores.is_empty() {
        return html! {};
    }
    let games: u64 = bot.scores.iter().map(|score| score.games).sum();
    let classes = classes(bot);
    let data = serde_json::json!({
        "scores": classes.iter().map(|class| class.0).collect::<Vec<_>>(),
        "games": classes.iter().map(|class| class.1).collect::<Vec<_>>(),
        "optimal": if bot.optimal.is_empty() { None } else {
            Some(classes.iter().map(|class| dicehill_arena::six_digits(class.2 * games as f64)).collect::<Vec<_>>())
        },
    });
    html! { section aria-labelledby="scores" {
        h2 #scores { "Scores" }
        div.plot data-plot="scores-data" data-kind="scores" role="img"
            aria-label="How often each score occurred; the table below has the numbers" {}
        (data_block("scores-data", &data))
        details {
            summary { "The numbers" }
            (wide("scores", html! { table {
                thead { tr {
                    th scope="col" { "Score" }
                    th scope="col" { "Games" }
                    @if !bot.optimal.is_empty() { th scope="col" { "Optimal play" } }
                } }
                tbody { @for (from, count, chance) in &classes { tr {
                    th scope="row" { (from) "–" (from + CLASS - 1) }
                    td { (thousands(*count)) }
                    @if !bot.optimal.is_empty() { td { (format!("{:.1}", chance * games as f64)) } }
                } } }
            } }))
        }
    } }
}

/// Classes of scores in ascending order: first score, games, and chance in optimal play.
fn classes(bot: &BotDocument) -> Vec<(u64, u64, f64)> {
    let likely = bot.optimal.iter().filter(|score| score.chance > 1e-5).map(|score| score.score);
    let all = || bot.scores.iter().map(|score| score.score).chain(likely.clone());
    let (least, most) = (all().min().unwrap_or(0) / CLASS, all().max().unwrap_or(0) / CLASS);
    let class = |index: u64| {
        let within = |score: u64| score / CLASS == index;
        let games = bot.scores.iter().filter(|one| within(one.score)).map(|one| one.games).sum();
        let chance = bot.optimal.iter().filter(|one| within(one.score)).map(|one| one.chance).sum();
        (index * CLASS, games, chance)
    };
    (least..=most).map(class).collect()
}

/// Data for a script, which browsers do not execute.
pub(crate) fn data_block(id: &str, data: &serde_json::Value) -> Markup {
    let text = data.to_string().replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
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
                    td.text { (drawn(seat.win_rate)) " " (percent(seat.win_rate)) }
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
                    td.text { (drawn(Some(opponent.rate))) " " (percent(Some(opponent.rate))) }
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
            @for failure in &bot.failed { (one_failure(failure, links)) }
        }
    } }
}

fn one_failure(failure: &FailureDocument, links: Links<'_>) -> Markup {
    html! { article.bar {
        h3 { (failure.reason) " in " a href=(links.game(failure.game)) { "game " (failure.game) } }
        pre { bdi { (failure.detail) } }
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

fn report(coach: &CoachDocument, links: Links<'_>) -> Markup {
    html! { section aria-labelledby="coach" {
        h2 #coach { "Cost of decisions" }
        p {
            "Of " (thousands(coach.games)) @if coach.games < coach.of { " of " (thousands(coach.of)) } " games: "
            "lost " (plus_minus(Some(coach.loss), 2)) " points of expected score per game. Scored "
            (plus_minus(Some(coach.score), 2)) ", of which " (plus_minus(Some(coach.luck), 2)) " was luck of the dice."
        }
        (parts("kinds", "By kind of decision", &coach.kinds))
        h3 { "Costliest habits" }
        @if coach.habits.is_empty() { p { "None: every decision was optimal." } }
        ol.habits { @for habit in &coach.habits { li {
            strong { (plus_minus(Some(habit.loss), 2)) } " per game, " (thousands(habit.mistakes)) " times. " (habit.habit)
            div.note { (mistake(&habit.example, links)) }
        } } }
        h3 { "Worst decisions" }
        ol { @for one in &coach.worst { li { (mistake(one, links)) } } }
        details { summary { "By round and by box" }
            (parts("rounds", "By round", &coach.rounds))
            (parts("filled", "By box that was filled when another was better", &coach.filled))
        }
    } }
}

fn parts(id: &str, title: &str, parts: &[PartOfLoss]) -> Markup {
    html! {
        h3 id=(id) { (title) }
        (wide(id, html! { table {
            thead { tr {
                th.text scope="col" { "Part" }
                th scope="col" { "Loss/game ± 95 %" }
                th scope="col" { "Mistakes" }
            } }
            tbody { @for part in parts { tr {
                th.text scope="row" { (part.name) }
                td { (plus_minus(Some(part.loss), 3)) }
                td { (thousands(part.mistakes)) }
            } } }
        } }))
    }
}

fn mistake(one: &MistakeOfBot, links: Links<'_>) -> Markup {
    let dice: Vec<_> = one.dice.iter().map(ToString::to_string).collect();
    let link = match links {
        // Not every game has a file.
        Links::Files => html! { "game " (one.game) },
        Links::Server { .. } => html! { a href=(links.game(one.game)) { "game " (one.game) } },
    };
    html! {
        (link) ", round " (one.round) ", " (one.kind) ", " (dice.join(" ")) ": " (one.chosen) "; best " (one.best)
        " (−" (format!("{:.2}", one.loss)) ")"
    }
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
