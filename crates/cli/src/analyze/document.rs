//! An analysis for programs.

use dicehill_arena::six_digits;
use dicehill_coach::yahtzee::{BotReport, Estimate, HabitReport, Kind, Mistake, PartReport};
use dicehill_rules::yahtzee::{Category, Yahtzee};
use dicehill_rules::{Face, Game};
use serde_json::{Map, Value, json};

use super::Analysed;
use super::sections::{HABITS, NOTE, replay};

/// The whole analysis.
pub(super) fn document(analysed: &Analysed) -> Value {
    let Analysed { run, rules, start, bots } = analysed;
    json!({
        "schema": "dicehill.analysis/1",
        "game": Yahtzee::NAME,
        "rules": rules.name(),
        "run": run,
        "note": NOTE,
        "best_play": six_digits(*start),
        "bots": bots.iter().map(|bot| of_bot(bot, run)).collect::<Vec<_>>(),
    })
}

fn of_bot(bot: &BotReport, run: &str) -> Value {
    let kinds = Kind::ALL.map(|kind| {
        let mut part = of_part(&bot.kinds[kind.index()]);
        part.insert("kind".into(), json!(kind.name()));
        part.insert("decisions".into(), json!(bot.decisions[kind.index()]));
        part
    });
    let rounds = (1..).zip(&bot.rounds).map(|(round, part)| {
        let mut part = of_part(part);
        part.insert("round".into(), json!(round));
        part
    });
    let boxes = bot.boxes().map(|(category, filled, passed_over)| {
        json!({
            "category": category.name(),
            "filled": of_part(&filled),
            "passed_over": of_part(&passed_over),
        })
    });
    json!({
        "bot": bot.name,
        "games": bot.games,
        "decisions": bot.all_decisions(),
        "score": of_estimate(&bot.score),
        "luck": of_estimate(&bot.luck),
        "loss": of_part(&bot.loss),
        "kinds": kinds,
        "rounds": rounds.collect::<Vec<_>>(),
        "boxes": boxes.collect::<Vec<_>>(),
        "habits": bot.habits.iter().take(HABITS).map(|habit| of_habit(habit, run)).collect::<Vec<_>>(),
        "worst": bot.worst.iter().map(|mistake| of_mistake(mistake, run)).collect::<Vec<_>>(),
    })
}

fn of_habit(HabitReport { habit, part, costliest }: &HabitReport, run: &str) -> Value {
    let mut object = of_part(part);
    object.insert("habit".into(), json!(habit.to_string()));
    object.insert("kind".into(), json!(habit.kind().name()));
    object.insert("costliest".into(), of_mistake(costliest, run));
    Value::Object(object)
}

fn of_mistake(mistake: &Mistake, run: &str) -> Value {
    let Mistake { game, round, kind, stage, dice, position, chosen, best, loss } = mistake;
    let free: Vec<_> = position.free().iter().map(Category::name).collect();
    json!({
        "game": game,
        "round": round,
        "kind": kind.name(),
        "stage": stage,
        "dice": dice.map(Face::pips),
        "free": free,
        "upper": position.upper(),
        "has_yahtzee": position.has_yahtzee(),
        "did": chosen.to_string(),
        "best": best.to_string(),
        "loss": six_digits(*loss),
        "replay": replay(run, *game),
    })
}

/// Points lost a game, and the mistakes in all games.
fn of_part(part: &PartReport) -> Map<String, Value> {
    let mut object = of_estimate(&part.loss);
    object.insert("mistakes".into(), json!(part.mistakes));
    object
}

/// A mean a game with its standard error and 95 % interval.
fn of_estimate(estimate: &Estimate) -> Map<String, Value> {
    let interval =
        estimate.interval().map(|interval| [interval.low, interval.high].map(six_digits));
    let mut object = Map::new();
    object.insert("mean".into(), json!(six_digits(estimate.mean)));
    object.insert("se".into(), json!(estimate.se.map(six_digits)));
    object.insert("ci95".into(), json!(interval));
    object
}
