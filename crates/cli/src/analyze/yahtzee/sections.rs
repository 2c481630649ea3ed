//! An analysis for people.

use std::io::{self, Write};

use dicehill_coach::yahtzee::{BotReport, Estimate, HabitReport, Kind, Mistake, PartReport};

use super::YahtzeeCoach;
use crate::analyze::estimate::in_text as estimate;
use crate::analyze::grid::{Column, Form, Grid};
use crate::analyze::{Analysed, replay};
use crate::text::{counted, pips, thousands};

/// Habits that are shown.
pub(super) const HABITS: usize = 10;

/// What to think of a loss.
pub(super) const NOTE: &str =
    "Losses are in expected score: a bot that plays to win games may accept some.";

/// Writes the whole analysis.
pub(super) fn write(
    out: &mut impl Write,
    analysed: &Analysed<YahtzeeCoach>,
    form: Form,
) -> io::Result<()> {
    let Analysed { run, rules, coach, bots } = analysed;
    let start = coach.start();
    let facts = format!("{rules} rules, the best play scores {start:.2} on average");
    form.title(out, &format!("Analysis of {run}"), &facts)?;
    if bots.len() > 1 {
        overview(bots).write(out, form)?;
    }
    for bot in bots {
        writeln!(out)?;
        write_bot(out, analysed, bot, form)?;
    }
    writeln!(out)?;
    form.line(out, NOTE)
}

fn write_bot(
    out: &mut impl Write,
    analysed: &Analysed<YahtzeeCoach>,
    bot: &BotReport,
    form: Form,
) -> io::Result<()> {
    let decisions = counted(bot.all_decisions(), "decision");
    let mistakes = counted(bot.loss.mistakes, "mistake");
    let facts = format!("{}, {decisions}, {mistakes}", counted(bot.games, "game"));
    form.title(out, &bot.name, &facts)?;
    let lost = match bot.loss.loss.interval() {
        Some(interval) => format!(
            "Lost {} points a game (95 %: {:.2} to {:.2})",
            estimate(bot.loss.loss),
            interval.low,
            interval.high
        ),
        None => format!("Lost {} points a game", estimate(bot.loss.loss)),
    };
    form.line(out, &lost)?;
    let (score, luck) = (bot.score, bot.luck);
    form.line(
        out,
        &format!(
            "Scored {} = {:.2} best play {} {} luck - {:.2} lost",
            estimate(score),
            analysed.coach.start(),
            if luck.mean < 0.0 { '-' } else { '+' },
            estimate(Estimate { mean: luck.mean.abs(), se: luck.se }),
            bot.loss.loss.mean
        ),
    )?;
    for grid in [kinds(bot), rounds(bot), boxes(bot), habits(bot), worst(bot, &analysed.run)] {
        if !grid.rows.is_empty() {
            grid.write(out, form)?;
        }
    }
    Ok(())
}

fn overview(bots: &[BotReport]) -> Grid {
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
    Grid {
        title: "Points a game",
        columns: vec![
            Column::Left("bot"),
            Column::Right("score ± se"),
            Column::Right("luck ± se"),
            Column::Right("loss ± se"),
            Column::Right("keep 1"),
            Column::Right("keep 2"),
            Column::Right("box"),
        ],
        rows: bots.iter().map(row).collect(),
    }
}

fn kinds(bot: &BotReport) -> Grid {
    let row = |kind: Kind| {
        let part = &bot.kinds[kind.index()];
        let share = match bot.loss.loss.mean {
            0.0 => "-".to_owned(),
            all => format!("{:.0} %", 100.0 * part.loss.mean / all),
        };
        let decisions = bot.decisions[kind.index()];
        let name = if kind == Kind::Category { "choice of a box" } else { kind.title() };
        vec![
            name.to_owned(),
            estimate(part.loss),
            share,
            format!("{} of {}", per_game(part.mistakes, bot), per_game(decisions, bot)),
        ]
    };
    Grid {
        title: "What was decided",
        columns: vec![
            Column::Left("decision"),
            Column::Right("loss a game ± se"),
            Column::Right("share"),
            Column::Right("mistakes a game"),
        ],
        rows: Kind::ALL.map(row).into(),
    }
}

fn rounds(bot: &BotReport) -> Grid {
    let mut columns = vec![Column::Left("round")];
    let numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"];
    columns.extend(numbers.map(Column::Right));
    let row = |name: &str, value: fn(&Estimate) -> String| {
        let values = bot.rounds.iter().map(|part| value(&part.loss));
        std::iter::once(name.to_owned()).chain(values).collect()
    };
    let se = |estimate: &Estimate| estimate.se.map_or("-".to_owned(), |se| format!("{se:.2}"));
    let rows = vec![row("loss", |estimate| short(estimate.mean)), row("± se", se)];
    Grid { title: "Loss a game by round", columns, rows }
}

/// A number that leaves room for twelve others.
fn short(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

fn boxes(bot: &BotReport) -> Grid {
    let cells = |part: PartReport| match part.mistakes {
        0 => ["-".to_owned(), "-".to_owned()],
        times => [estimate(part.loss), thousands(times)],
    };
    let rows = bot.boxes().map(|(category, filled, passed_over)| {
        let name = std::iter::once(category.name().to_owned());
        name.chain(cells(filled)).chain(cells(passed_over)).collect()
    });
    Grid {
        title: "Choice of a box",
        columns: vec![
            Column::Left("box"),
            Column::Right("filled, not best"),
            Column::Right("times"),
            Column::Right("best, not filled"),
            Column::Right("times"),
        ],
        rows: rows.collect(),
    }
}

fn habits(bot: &BotReport) -> Grid {
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
    Grid {
        title: "Costliest habits",
        columns: vec![
            Column::Right("#"),
            Column::Right("loss a game ± se"),
            Column::Right("times"),
            Column::Text("habit, and where it cost most"),
        ],
        rows: (1..).zip(bot.habits.iter().take(HABITS)).map(row).collect(),
    }
}

fn example(mistake: &Mistake) -> String {
    let Mistake { game, round, dice, chosen, best, loss, .. } = mistake;
    let dice = pips(dice);
    format!("game {game}, round {round}, {dice}: {chosen}; best {best} (-{loss:.2})")
}

fn worst(bot: &BotReport, run: &str) -> Grid {
    let row = |(number, mistake): (usize, &Mistake)| {
        let Mistake { game, round, kind, dice, chosen, best, loss, .. } = mistake;
        vec![
            number.to_string(),
            format!("{loss:.2}"),
            round.to_string(),
            kind.title().to_owned(),
            pips(dice),
            format!("{chosen}; best {best}\n{}", replay(run, *game)),
        ]
    };
    Grid {
        title: "Worst decisions",
        columns: vec![
            Column::Right("#"),
            Column::Right("loss"),
            Column::Right("round"),
            Column::Left("decision"),
            Column::Left("dice"),
            Column::Text("what it did, and what shows the game"),
        ],
        rows: (1..).zip(&bot.worst).map(row).collect(),
    }
}

fn per_game(count: u64, bot: &BotReport) -> String {
    format!("{:.1}", count as f64 / bot.games as f64)
}
