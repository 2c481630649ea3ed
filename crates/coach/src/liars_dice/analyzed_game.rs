//! Decisions of Liar's Dice, valued by the odds of the hidden dice, and their analysis as a document.

use std::num::NonZero;

use dicehill_arena::{Replay, six_digits};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules};
use serde_json::{Map, Value, json};

use super::{
    Accuracy, AppraisedDecision, AppraisedGame, Band, BidsReport, BotReport, DecisionKind, Fault,
    FaultReport, HabitReport, Infoset, LossReport, Mistake, Share, Tally,
};
use crate::analyzed_game::{AnalyzedGame, BotCounts};
use crate::estimate_json::estimate_json;
use crate::run_analysis::{MAX_HABITS, replay_command};

impl AnalyzedGame for LiarsDice {
    /// The odds need no preparation.
    type Model = ();
    type Tally = Tally;

    const NOTES: &'static [&'static str] = &[
        "Losses are in dice, by the odds for a player who assumes that hidden dice are fair.",
        "Hindsight is the loss with the actual dice.",
        "If it is far below the loss, bids carry information that the odds ignore.",
    ];

    const LOSS_NOTE: &'static str = "losses are in dice, by the odds for a player who assumes that hidden dice are fair: a bot that reads bids \
                                     may lose by them and win more games";

    fn model(_rules: LiarsDiceRules, _jobs: NonZero<usize>) {}

    fn appraise(
        (): &(),
        rules: LiarsDiceRules,
        replay: &Replay<Self>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<AppraisedGame> {
        Some(AppraisedGame::new(rules, replay, wanted))
    }

    fn loss((): &(), game: &Self, action: &Action) -> Option<(f64, String)> {
        let infoset = Infoset::from_game(game)?;
        if let (Action::Bid(bid), Some(last)) = (action, infoset.last_bid())
            && *bid <= last
        {
            return None;
        }
        let (loss, best) = infoset.loss(*action)?;
        Some((loss, best.notation()))
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

    fn best_play((): &()) -> Option<f64> {
        None
    }

    fn bot_document(bot: &BotReport, run: &str) -> Value {
        let kinds = DecisionKind::ALL.map(|kind| {
            let mut part = of_part(&bot.kinds[kind.index()]);
            part.insert("kind".into(), json!(kind.name()));
            part.insert("decisions".into(), json!(bot.decisions[kind.index()]));
            part
        });
        let players = (2..).zip(&bot.players).map(|(players, part)| {
            let mut part = of_part(part);
            part.insert("players".into(), json!(players));
            part
        });
        json!({
            "forfeits": bot.forfeits,
            "balance": estimate_json(&bot.balance),
            "loss": of_part(&bot.loss),
            "kinds": kinds,
            "faults": bot.faults.iter().map(|fault| of_fault(fault, run)).collect::<Vec<_>>(),
            "players": players.collect::<Vec<_>>(),
            "calls": of_calls(bot),
            "bids": of_bids(&bot.bids),
            "habits": bot.habits.iter().take(MAX_HABITS).map(|habit| of_habit(habit, run)).collect::<Vec<_>>(),
            "worst": bot.worst.iter().map(|mistake| of_mistake(mistake, run)).collect::<Vec<_>>(),
        })
    }
}

fn of_calls(bot: &BotReport) -> Value {
    let mut calls = of_accuracy(&bot.calls);
    calls.insert("bands".into(), of_bands(&bot.call_bands));
    Value::Object(calls)
}

fn of_bids(bids: &BidsReport) -> Value {
    json!({
        "called": of_share(bids.called),
        "when_called": of_accuracy(&bids.when_called),
        "bands": of_bands(&bids.bands),
        "unsupported": of_share(bids.unsupported),
        "unsupported_called": of_share(bids.unsupported_called),
        "unsupported_lost": of_share(bids.unsupported_lost),
    })
}

fn of_bands(bands: &[Band]) -> Value {
    let band = |(index, band): (usize, &Band)| {
        let mut object = of_accuracy(&band.accuracy);
        object.insert("percent".into(), json!(Band::bounds(index)));
        object.insert("called".into(), json!(band.called));
        Value::Object(object)
    };
    bands.iter().enumerate().map(band).collect()
}

/// A count with its share and interval.
fn of_share(share: Share) -> Map<String, Value> {
    let bounds = share.interval().map(|interval| [interval.low, interval.high].map(six_digits));
    let mut object = Map::new();
    object.insert("times".into(), json!(share.times));
    object.insert("of".into(), json!(share.of));
    object.insert("share".into(), json!(share.value().map(six_digits)));
    object.insert("ci95".into(), json!(bounds));
    object
}

/// The share that came true, and the share expected by the odds.
fn of_accuracy(accuracy: &Accuracy) -> Map<String, Value> {
    let mut object = of_share(accuracy.came_true);
    object.insert("expected".into(), json!(six_digits(accuracy.expected)));
    object.insert("beyond_odds".into(), json!(six_digits(accuracy.beyond_odds())));
    object.insert("deviation".into(), json!(six_digits(accuracy.deviation())));
    object
}

/// Dice lost per game, and the number of mistakes in all games.
fn of_part(part: &LossReport) -> Map<String, Value> {
    let mut object = estimate_json(&part.loss);
    object.insert("mistakes".into(), json!(part.mistakes));
    object.insert("each".into(), json!(part.mean().map(six_digits)));
    object.insert("hindsight".into(), json!(estimate_json(&part.hindsight)));
    object
}

fn of_fault(FaultReport { fault, part, costliest }: &FaultReport, run: &str) -> Value {
    let mut object = of_part(part);
    object.insert("fault".into(), json!(fault.name()));
    object.insert("kind".into(), json!(fault.kind().name()));
    object.insert(
        "costliest".into(),
        costliest.as_ref().map_or(Value::Null, |mistake| of_mistake(mistake, run)),
    );
    Value::Object(object)
}

fn of_habit(HabitReport { habit, part, costliest }: &HabitReport, run: &str) -> Value {
    let mut object = of_part(part);
    object.insert("habit".into(), json!(habit.to_string()));
    object.insert("fault".into(), json!(habit.fault.name()));
    object.insert("costliest".into(), of_mistake(costliest, run));
    Value::Object(object)
}

fn of_mistake(Mistake { game, step }: &Mistake, run: &str) -> Value {
    let AppraisedDecision {
        number,
        round,
        players,
        infoset,
        chosen,
        best,
        loss,
        holds,
        called,
        ..
    } = step;
    let chance = |action: Action| step.chance(action).map(six_digits);
    json!({
        "game": game,
        "move": number,
        "round": round,
        "players": players,
        "kind": step.kind().name(),
        "fault": step.fault().map(Fault::name),
        "dice": infoset.own_dice().map(Face::pips).collect::<Vec<_>>(),
        "hidden": infoset.hidden_dice(),
        "last": infoset.last_bid().map(|bid| bid.to_string()),
        "did": chosen.to_string(),
        "did_chance": chance(*chosen),
        "best": best.to_string(),
        "best_chance": chance(*best),
        "loss": six_digits(*loss),
        "hindsight": step.hindsight(),
        "called": called,
        "held": holds,
        "replay": replay_command(run, *game),
    })
}
