//! An analysis for people.

use dicehill_coach::yahtzee::{
    BotReport, DecisionKind, Estimate, HabitReport, LossReport, Mistake,
};
use dicehill_coach::{MAX_HABITS, RunAnalysis, replay_command};
use dicehill_rules::yahtzee::Yahtzee;

use crate::commands::analyze::estimate::in_text as estimate;
use crate::commands::analyze::text::AnalysisText;
use crate::layout::{Column, Section, Width};
use crate::text::{pips, thousands};

impl AnalysisText for Yahtzee {
    const LOSS_UNIT: &'static str = "points";

    fn facts(analysis: &RunAnalysis<Self>) -> String {
        let start = analysis.model.start();
        format!("{} rules, the best play scores {start:.2} on average", analysis.rules)
    }

    fn overview(bots: &[BotReport]) -> Section {
        overview(bots)
    }

    fn lines(analysis: &RunAnalysis<Self>, bot: &BotReport) -> Vec<String> {
        vec![loss_line(bot), score_line(bot, analysis.model.start())]
    }

    fn sections(analysis: &RunAnalysis<Self>, bot: &BotReport, width: Width) -> Vec<Section> {
        let rounds = match Section::new(ROUNDS, round_columns(), rounds(bot)) {
            wide if wide.is_complete(width) => wide,
            _ => each_round(bot),
        };
        vec![kinds(bot), rounds, boxes(bot), habits(bot), worst(bot, &analysis.run)]
    }
}

fn loss_line(bot: &BotReport) -> String {
    match bot.loss.loss.interval() {
        Some(interval) => format!(
            "Lost {} points per game (95 %: {:.2} to {:.2})",
            estimate(bot.loss.loss),
            interval.low,
            interval.high
        ),
        None => format!("Lost {} points per game", estimate(bot.loss.loss)),
    }
}

/// The mean score as the sum of its parts; `start` is that of optimal play.
fn score_line(bot: &BotReport, start: f64) -> String {
    let luck = bot.luck;
    format!(
        "Scored {} = {start:.2} best play {} {} luck - {:.2} loss",
        estimate(bot.score),
        if luck.mean < 0.0 { '-' } else { '+' },
        estimate(Estimate { mean: luck.mean.abs(), ..luck }),
        bot.loss.loss.mean
    )
}

fn overview(bots: &[BotReport]) -> Section {
    let row = |bot: &BotReport| {
        let mut row = vec![
            bot.name.clone(),
            estimate(bot.score),
            estimate(bot.luck),
            estimate(bot.loss.loss),
        ];
        row.extend(bot.kinds.iter().map(|part| format!("{:.2}", part.loss.mean)));
        row
    };
    Section::new(
        "Points per game",
        vec![
            Column::name("bot"),
            Column::number("score ± 95 %").priority(1),
            Column::number("luck ± 95 %").priority(2),
            Column::number("loss ± 95 %"),
            Column::number("keep 1").priority(3),
            Column::number("keep 2").priority(3),
            Column::number("box").priority(3),
        ],
        bots.iter().map(row).collect(),
    )
}

fn kinds(bot: &BotReport) -> Section {
    let row = |kind: DecisionKind| {
        let part = &bot.kinds[kind.index()];
        let share = match bot.loss.loss.mean {
            0.0 => "-".to_owned(),
            all => format!("{:.0} %", 100.0 * part.loss.mean / all),
        };
        let decisions = bot.decisions[kind.index()];
        let name = if kind == DecisionKind::Category { "choice of a box" } else { kind.title() };
        vec![
            name.to_owned(),
            estimate(part.loss),
            share,
            format!("{} of {}", per_game(part.mistakes, bot), per_game(decisions, bot)),
        ]
    };
    Section::new(
        "By kind of decision",
        vec![
            Column::name("decision"),
            Column::number("loss/game ± 95 %"),
            Column::number("share").priority(2),
            Column::number("mistakes a game").priority(1),
        ],
        DecisionKind::ALL.map(row).into(),
    )
}

const ROUNDS: &str = "Loss per game by round";

/// A column for each round.
fn round_columns() -> Vec<Column> {
    let rounds = (1..=13).map(|round| Column::number(round.to_string()).priority(1));
    std::iter::once(Column::name("round")).chain(rounds).collect()
}

fn rounds(bot: &BotReport) -> Vec<Vec<String>> {
    let row = |name: &str, value: fn(&Estimate) -> String| {
        let values = bot.rounds.iter().map(|part| value(&part.loss));
        std::iter::once(name.to_owned()).chain(values).collect()
    };
    vec![row("loss", |estimate| short(estimate.mean)), row("± 95 %", error)]
}

/// A row for each round, for terminals where a column for each does not fit.
fn each_round(bot: &BotReport) -> Section {
    let row = |(round, part): (usize, &LossReport)| vec![round.to_string(), estimate(part.loss)];
    let columns = vec![Column::number("round"), Column::number("loss/game ± 95 %")];
    Section::new(ROUNDS, columns, (1..).zip(&bot.rounds).map(row).collect())
}

fn error(estimate: &Estimate) -> String {
    let interval = estimate.interval();
    interval.map_or("-".to_owned(), |interval| format!("{:.2}", interval.half_width()))
}

/// A number in few characters.
fn short(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

fn boxes(bot: &BotReport) -> Section {
    let cells = |part: LossReport| match part.mistakes {
        0 => ["-".to_owned(), "-".to_owned()],
        times => [estimate(part.loss), thousands(times)],
    };
    let rows = bot.boxes().map(|(category, filled, passed_over)| {
        let name = std::iter::once(category.name().to_owned());
        name.chain(cells(filled)).chain(cells(passed_over)).collect()
    });
    Section::new(
        "Choice of a box",
        vec![
            Column::name("box"),
            Column::number("filled, not best"),
            Column::number("times").priority(1),
            Column::number("best, not filled"),
            Column::number("times").priority(1),
        ],
        rows.collect(),
    )
}

fn habits(bot: &BotReport) -> Section {
    let row = |(number, habit): (usize, &HabitReport)| {
        let HabitReport { habit, part, costliest } = habit;
        let sentence = format!("{}: {habit}", habit.kind().title());
        vec![
            number.to_string(),
            estimate(part.loss),
            thousands(part.mistakes),
            format!("{sentence}\n{}", example(costliest)),
        ]
    };
    Section::new(
        "Costliest habits",
        vec![
            Column::number("#"),
            Column::number("loss/game ± 95 %"),
            Column::number("times").priority(1),
            Column::text("habit, and where it cost most"),
        ],
        (1..).zip(bot.habits.iter().take(MAX_HABITS)).map(row).collect(),
    )
}

fn example(mistake: &Mistake) -> String {
    let Mistake { game, round, dice, chosen, best, loss, .. } = mistake;
    let dice = pips(dice);
    format!("game {game}, round {round}, {dice}: {chosen}; best {best} (-{loss:.2})")
}

fn worst(bot: &BotReport, run: &str) -> Section {
    let row = |(number, mistake): (usize, &Mistake)| {
        let Mistake { game, round, kind, dice, chosen, best, loss, .. } = mistake;
        vec![
            number.to_string(),
            format!("{loss:.2}"),
            round.to_string(),
            kind.title().to_owned(),
            pips(dice),
            format!("{chosen}; best {best}\n{}", replay_command(run, *game)),
        ]
    };
    Section::new(
        "Worst decisions",
        vec![
            Column::number("#"),
            Column::number("loss"),
            Column::number("round").priority(2),
            Column::name("decision").priority(1),
            Column::name("dice"),
            Column::text("choice, best choice, replay command"),
        ],
        (1..).zip(&bot.worst).map(row).collect(),
    )
}

fn per_game(count: u64, bot: &BotReport) -> String {
    format!("{:.1}", count as f64 / bot.games as f64)
}
