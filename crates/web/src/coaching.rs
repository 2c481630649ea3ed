//! What a bot's decisions cost in a run, and what optimal play comes to.

use std::sync::OnceLock;

use dicehill_arena::read_game_line;
use dicehill_coach::yahtzee::{Analysis, AppraisedGame};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Game};
use dicehill_solver::yahtzee::{Distribution, Solution, Variant};
use dicehill_store::{FileError, HillStore, StoredRun};

use crate::model::CoachDocument;
use crate::model::bot::ScoreChance;

/// Games of a bot that are looked at, at most: about a quarter of a second.
const MOST_GAMES: u64 = 2000;
/// Scores whose chance is smaller are left out.
const SMALLEST: f64 = 1e-7;

/// What the mistakes of a bot cost in its first games of a run; nothing if the game is not solved, or its moves were
/// not kept.
pub(crate) fn coach(
    store: &HillStore,
    run: &StoredRun,
    bot: &str,
    of: u64,
) -> Result<Option<CoachDocument>, FileError> {
    let hill = &run.header.hill;
    let rules = (hill.game.name() == Yahtzee::NAME).then(|| Yahtzee::rules_named(&hill.rules));
    let Some(rules) = rules.flatten().filter(|_| run.keeps_moves) else { return Ok(None) };
    let solution = Solution::shared(Variant::from(rules));
    let chance = Chance::new(&run.header.seed);
    let mut analysis = Analysis::new([bot.to_owned()]);
    let mut seen = 0;
    let sits = format!("{}", serde_json::Value::from(bot));
    store.each_page(run.run, run.bars.len() as i64, |page| -> Result<(), FileError> {
        for line in page.lines().filter(|line| line.contains(&sits)) {
            if seen == MOST_GAMES {
                break;
            }
            let replay = read_game_line::<Yahtzee>(line, rules, &chance)
                .map_err(|error| FileError::new(store.path(), error))?;
            if !replay.names.iter().any(|name| name == bot) {
                continue;
            }
            seen += 1;
            let is_bot = |name: &str| name == bot;
            let game = AppraisedGame::new(solution, rules, &chance, &replay, is_bot);
            game.iter().for_each(|game| analysis.add(game));
        }
        Ok(())
    })?;
    let reports = analysis.reports();
    let report = reports.first().filter(|report| report.games > 0);
    Ok(report.map(|report| CoachDocument::new(report, of)))
}

/// The chance of each score in optimal play. Takes a second at first.
pub(crate) fn optimal(rules: YahtzeeRules) -> &'static [ScoreChance] {
    static OF: [OnceLock<Vec<ScoreChance>>; 2] = [OnceLock::new(), OnceLock::new()];
    let place = Yahtzee::RULES.iter().position(|known| *known == rules).unwrap_or(0);
    OF[place.min(OF.len() - 1)].get_or_init(|| {
        let solution = Solution::shared(Variant::from(rules));
        let threads = std::num::NonZero::<usize>::MIN;
        let scores = Distribution::new(solution, threads);
        let likely = scores.scores().filter(|(_, chance)| *chance >= SMALLEST);
        likely.map(|(score, chance)| ScoreChance { score: score.into(), chance }).collect()
    })
}
