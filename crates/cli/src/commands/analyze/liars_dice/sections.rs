//! An analysis for people.

use dicehill_arena::Interval;
use dicehill_coach::liars_dice::{
    Accuracy, AppraisedDecision, Band, BotReport, FaultReport, HabitReport, LossReport, Mistake,
    Share,
};
use dicehill_coach::{MAX_HABITS, RunAnalysis, replay_command};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice};

use crate::commands::analyze::estimate::in_text as estimate;
use crate::commands::analyze::text::AnalysisText;
use crate::layout::{Column, Section, Width};
use crate::text::{counted, pips, thousands};

/// The points for a die that is gained.
const POINTS_PER_DIE: f64 = 10.0;

impl AnalysisText for LiarsDice {
    const LOSS_UNIT: &'static str = "dice";

    fn facts(analysis: &RunAnalysis<Self>) -> String {
        format!("{} rules, losses in dice", analysis.rules)
    }

    fn overview(bots: &[BotReport]) -> Section {
        overview(bots)
    }

    fn lines(_analysis: &RunAnalysis<Self>, bot: &BotReport) -> Vec<String> {
        let lines = [lost(bot), gained(bot), calls(bot), bids(bot)].into_iter();
        lines.chain(called_bids(bot)).chain([unsupported(bot)]).collect()
    }

    fn sections(analysis: &RunAnalysis<Self>, bot: &BotReport, _width: Width) -> Vec<Section> {
        let worst = worst(bot, &analysis.run);
        vec![faults(bot), players(bot), call_bands(bot), bid_bands(bot), habits(bot), worst]
    }
}

fn lost(bot: &BotReport) -> String {
    let loss = bot.loss.loss;
    let interval = interval(loss.interval(), |bound| format!("{bound:.2}"));
    let points = POINTS_PER_DIE * loss.mean;
    let loss = estimate(loss);
    format!("Lost {loss} dice per game by the odds{interval}, {points:.1} points at 10 a die")
}

fn gained(bot: &BotReport) -> String {
    let forfeits = match bot.forfeits {
        0 => String::new(),
        games => format!("; out without a legal action in {}", counted(games, "game")),
    };
    let hindsight = estimate(bot.loss.hindsight);
    let balance = estimate(bot.balance);
    format!("In hindsight lost {hindsight}; gained {balance} more than it gave{forfeits}")
}

fn calls(bot: &BotReport) -> String {
    if bot.calls.came_true.of == 0 {
        return "Calls: none".to_owned();
    }
    let number = thousands(bot.calls.came_true.of);
    let right = against_odds(&bot.calls);
    format!("Calls: {number}, right {right}")
}

fn bids(bot: &BotReport) -> String {
    let called = bot.bids.called;
    format!("Bids: {}, of which {} were called", thousands(called.of), thousands(called.times))
}

fn called_bids(bot: &BotReport) -> Option<String> {
    let held = &bot.bids.when_called;
    (held.came_true.of > 0).then(|| format!("Called bids held {}", against_odds(held)))
}

/// `31.2 % (95 %: 29.8 to 32.6), by the odds 50.1 %: 717 fewer, luck alone ± 23`.
fn against_odds(accuracy: &Accuracy) -> String {
    let share = with_interval(accuracy.came_true);
    let beyond = accuracy.beyond_odds();
    let side = if beyond < 0.0 { "fewer" } else { "more" };
    format!(
        "{share}, by the odds {}: {:.1} {side}, luck alone ± {:.1}",
        percent(accuracy.expected_share()),
        beyond.abs(),
        1.96 * accuracy.deviation()
    )
}

fn unsupported(bot: &BotReport) -> String {
    let share = bot.bids.unsupported;
    if share.times == 0 {
        return "Unsupported bids: none".to_owned();
    }
    let number = thousands(share.times);
    let part = with_interval(share);
    let called = thousands(bot.bids.unsupported_called.times);
    let lost = thousands(bot.bids.unsupported_lost.times);
    format!("Unsupported bids: {number}, {part} of all; {called} called, {lost} lost")
}

fn overview(bots: &[BotReport]) -> Section {
    let row = |bot: &BotReport| {
        vec![
            bot.name.clone(),
            estimate(bot.loss.loss),
            estimate(bot.loss.hindsight),
            estimate(bot.balance),
            percent(bot.calls.came_true.value()),
            percent(bot.calls.expected_share()),
            percent(bot.bids.unsupported.value()),
        ]
    };
    Section::new(
        "Dice per game ± 95 %",
        vec![
            Column::name("bot"),
            Column::number("lost"),
            Column::number("in hindsight").priority(1),
            Column::number("gained").priority(3),
            Column::number("calls right").priority(2),
            Column::number("by the odds").priority(2),
            Column::number("unsupported").priority(4),
        ],
        bots.iter().map(row).collect(),
    )
}

/// The cells of `cost_columns` for a part of the mistakes.
fn costs(part: &LossReport) -> Vec<String> {
    let each = part.mean().map_or_else(|| "-".to_owned(), |each| format!("{each:.2}"));
    vec![estimate(part.loss), estimate(part.hindsight), thousands(part.mistakes), each]
}

fn cost_columns() -> [Column; 4] {
    [
        Column::number("loss/game ± 95 %"),
        Column::number("in hindsight").priority(1),
        Column::number("times").priority(2),
        Column::number("each").priority(3),
    ]
}

fn faults(bot: &BotReport) -> Section {
    let row = |FaultReport { fault, part, costliest }: &FaultReport| {
        let mut row = costs(part);
        let example =
            costliest.as_ref().map_or_else(String::new, |one| format!("\n{}", example(one)));
        row.push(format!("{}: {}{example}", fault.kind().name(), fault.title()));
        row
    };
    let faults = bot.faults.iter().filter(|fault| fault.part.mistakes > 0);
    let columns = cost_columns().into_iter().chain([Column::text("fault, and where it cost most")]);
    Section::new("By fault", columns.collect(), faults.map(row).collect())
}

fn players(bot: &BotReport) -> Section {
    let row = |(players, part): (u32, &LossReport)| {
        let mut row = vec![players.to_string()];
        row.extend(costs(part));
        row
    };
    let parts = (2..).zip(&bot.players).filter(|(_, part)| part.mistakes > 0);
    Section::new(
        "By players left",
        std::iter::once(Column::number("players")).chain(cost_columns()).collect(),
        parts.map(row).collect(),
    )
}

fn call_bands(bot: &BotReport) -> Section {
    let rows = in_use(&bot.call_bands).map(|(index, band)| claimed(index, band));
    let columns = band_columns(["calls", "right"]);
    Section::new("Calls by the probability that they are right", columns, rows.collect())
}

fn bid_bands(bot: &BotReport) -> Section {
    let row = |(index, band): (usize, &Band)| {
        let of = band.accuracy.came_true.of;
        let called = percent(Share { times: band.called, of }.value());
        claimed(index, band).into_iter().chain([called]).collect()
    };
    let mut columns = band_columns(["bids", "held"]);
    columns.push(Column::number("called").priority(2));
    let rows = in_use(&bot.bids.bands).map(row);
    Section::new("Bids by the probability that they hold", columns, rows.collect())
}

/// The columns of calls or bids by their chance.
fn band_columns([number, true_ones]: [&'static str; 2]) -> Vec<Column> {
    vec![
        Column::number("chance"),
        Column::number(number).priority(3),
        Column::number(true_ones),
        Column::number("95 % CI").priority(1),
        Column::number("by the odds"),
    ]
}

fn in_use(bands: &[Band]) -> impl Iterator<Item = (usize, &Band)> {
    bands.iter().enumerate().filter(|(_, band)| band.accuracy.came_true.of > 0)
}

fn claimed(index: usize, Band { accuracy, .. }: &Band) -> Vec<String> {
    let [low, high] = Band::bounds(index);
    let share = accuracy.came_true;
    let bounds = |Interval { low, high }| format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high);
    vec![
        format!("{low}-{high} %"),
        thousands(share.of),
        percent(share.value()),
        share.interval().map_or_else(|| "-".to_owned(), bounds),
        percent(accuracy.expected_share()),
    ]
}

fn habits(bot: &BotReport) -> Section {
    let row = |HabitReport { habit, part, costliest }: &HabitReport| {
        let mut row = costs(part);
        row.push(format!("{habit}\n{}", example(costliest)));
        row
    };
    let columns = cost_columns().into_iter().chain([Column::text("habit, and where it cost most")]);
    Section::new(
        "Habits, by cost in hindsight",
        columns.collect(),
        bot.habits.iter().take(MAX_HABITS).map(row).collect(),
    )
}

/// `game 17, move 34: 2 2 5 and 9 hidden, after 5×2: 6×2 (20 %); best Liar! (66 %) (-0.54)`.
fn example(Mistake { game, step }: &Mistake) -> String {
    format!("game {game}, move {}: {}; {}", step.number, seen(step), done(step))
}

fn seen(step: &AppraisedDecision) -> String {
    let own: Vec<Face> = step.infoset.own_dice().collect();
    let after = match step.infoset.last_bid() {
        Some(bid) => format!(", after {}", bid.notation()),
        None => String::new(),
    };
    format!("{} and {} hidden{after}", pips(&own), step.infoset.hidden_dice())
}

fn done(step: &AppraisedDecision) -> String {
    let AppraisedDecision { chosen, best, loss, .. } = step;
    format!("{}; best {} (-{loss:.2})", with_chance(step, *chosen), with_chance(step, *best))
}

fn with_chance(step: &AppraisedDecision, action: Action) -> String {
    match step.chance(action) {
        Some(chance) => format!("{} ({})", action.notation(), dicehill_coach::percent(chance)),
        None => action.notation(),
    }
}

fn worst(bot: &BotReport, run: &str) -> Section {
    let row = |(number, Mistake { game, step }): (usize, &Mistake)| {
        vec![
            number.to_string(),
            format!("{:.2}", step.loss),
            step.hindsight().to_string(),
            step.kind().name().to_owned(),
            format!(
                "move {}: {}\n{}\n{}",
                step.number,
                seen(step),
                done(step),
                replay_command(run, *game)
            ),
        ]
    };
    Section::new(
        "Worst decisions by the odds",
        vec![
            Column::number("#"),
            Column::number("loss"),
            Column::number("hindsight").priority(1),
            Column::name("decision").priority(2),
            Column::text("position, choice, best, replay command"),
        ],
        (1..).zip(&bot.worst).map(row).collect(),
    )
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// `8.2 % (95 %: 7.7 to 8.7)`.
fn with_interval(share: Share) -> String {
    let bounds = interval(share.interval(), |bound| format!("{:.1}", 100.0 * bound));
    format!("{}{bounds}", percent(share.value()))
}

/// ` (95 %: 7.7 to 8.7)`, or nothing without an interval.
fn interval(interval: Option<Interval>, bound: impl Fn(f64) -> String) -> String {
    interval.map_or_else(String::new, |Interval { low, high }| {
        format!(" (95 %: {} to {})", bound(low), bound(high))
    })
}
