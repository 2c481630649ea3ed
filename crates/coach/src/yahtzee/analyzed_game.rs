//! Decisions of Yahtzee, compared with the exact solution, and their analysis as a document.

use std::num::NonZero;

use dicehill_arena::{Replay, six_digits};
use dicehill_rules::yahtzee::{Action, Category, Yahtzee, YahtzeeRules};
use dicehill_rules::{Face, Game};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Variant};
use serde_json::{Map, Value, json};

use super::{
    AppraisedGame, BotReport, Choice, DecisionKind, HabitReport, LossReport, Mistake, Tally, advise,
};
use crate::analyzed_game::{AnalyzedGame, BotCounts};
use crate::estimate_json::estimate_json;
use crate::run_analysis::{MAX_HABITS, replay_command};

impl AnalyzedGame for Yahtzee {
    type Model = Solution;
    type Tally = Tally;

    const LOSS_NOTE: &'static str =
        "losses are in points against optimal play, which maximises the score";

    const NOTES: &'static [&'static str] =
        &["Losses are in expected score: a bot that plays to win games may accept some."];

    fn model(rules: YahtzeeRules, jobs: NonZero<usize>) -> Solution {
        Solution::new(Variant::from(rules), jobs)
    }

    fn appraise(
        solution: &Solution,
        rules: YahtzeeRules,
        replay: &Replay<Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<AppraisedGame> {
        AppraisedGame::new(solution, rules, replay, wanted)
    }

    fn loss(solution: &Solution, game: &Self, action: &Action) -> Option<(f64, String)> {
        let card = &game.cards()[game.to_act()?.index()];
        let hand = Hand::from_roll(game.dice());
        let ranked = advise(solution, Position::from_scorecard(card), game.stage(), hand);
        let chosen = Choice::from_action(*action, game.dice());
        // Keeping all five dice at the last roll is not among them.
        let found = ranked.iter().find(|ranked| ranked.choice == chosen)?;
        Some((found.loss, ranked.first()?.choice.to_string()))
    }

    fn counts(bot: &BotReport) -> BotCounts<'_> {
        BotCounts {
            name: &bot.name,
            games: bot.games,
            decisions: bot.all_decisions(),
            mistakes: bot.loss.mistakes,
            loss: bot.loss.loss,
        }
    }

    fn best_play(solution: &Solution) -> Option<f64> {
        Some(solution.start())
    }

    fn bot_document(bot: &BotReport, run: &str) -> Value {
        let kinds = DecisionKind::ALL.map(|kind| {
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
            "score": estimate_json(&bot.score),
            "luck": estimate_json(&bot.luck),
            "loss": of_part(&bot.loss),
            "kinds": kinds,
            "rounds": rounds.collect::<Vec<_>>(),
            "boxes": boxes.collect::<Vec<_>>(),
            "habits": bot.habits.iter().take(MAX_HABITS).map(|habit| of_habit(habit, run)).collect::<Vec<_>>(),
            "worst": bot.worst.iter().map(|mistake| of_mistake(mistake, run)).collect::<Vec<_>>(),
        })
    }
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
        "replay": replay_command(run, *game),
    })
}

/// Points lost per game, and the number of mistakes in all games.
fn of_part(part: &LossReport) -> Map<String, Value> {
    let mut object = estimate_json(&part.loss);
    object.insert("mistakes".into(), json!(part.mistakes));
    object
}
