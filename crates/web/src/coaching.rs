//! What a bot's decisions cost in a run, and what optimal play comes to.

use std::sync::OnceLock;

use dicehill_arena::{Replay, read_game_line};
use dicehill_coach::{liars_dice, yahtzee};
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Game, GameName};
use dicehill_solver::yahtzee::{Distribution, Solution, Variant};
use dicehill_store::{FileError, HillStore, StoredRun};

use crate::model::bot::ScoreChance;
use crate::model::{CoachDocument, CoachReport, LiarsDiceCoachDocument};

/// Games of a bot that are looked at, at most: about a quarter of a second.
const MOST_GAMES: u64 = 2000;
/// Scores whose chance is smaller are left out.
const SMALLEST: f64 = 1e-7;

/// The games of a bot in a run.
struct GamesOfBot<'a> {
    store: &'a HillStore,
    run: &'a StoredRun,
    bot: &'a str,
    /// How many there are.
    of: u64,
}

/// What the mistakes of a bot that sits in `of` games cost in its first ones of a run; nothing if its moves were not kept.
pub(crate) fn coach(
    store: &HillStore,
    run: &StoredRun,
    bot: &str,
    of: u64,
) -> Result<Option<CoachReport>, FileError> {
    if !run.keeps_moves {
        return Ok(None);
    }
    let games = GamesOfBot { store, run, bot, of };
    let rules = &run.header.hill.rules;
    match run.header.hill.game {
        GameName::Yahtzee => {
            Yahtzee::rules_named(rules).map_or(Ok(None), |rules| games.of_yahtzee(rules))
        }
        GameName::LiarsDice => {
            LiarsDice::rules_named(rules).map_or(Ok(None), |rules| games.of_liars_dice(rules))
        }
    }
}

impl GamesOfBot<'_> {
    fn of_yahtzee(&self, rules: YahtzeeRules) -> Result<Option<CoachReport>, FileError> {
        let solution = Solution::shared(Variant::from(rules));
        let mut analysis = yahtzee::Analysis::new([self.bot.to_owned()]);
        self.each::<Yahtzee>(rules, |chance, replay| {
            let is_bot = |name: &str| name == self.bot;
            let game = yahtzee::AppraisedGame::new(solution, rules, chance, replay, is_bot);
            game.iter().for_each(|game| analysis.add(game));
        })?;
        let reports = analysis.reports();
        let document = |report| Box::new(CoachDocument::new(report, self.of));
        Ok(reports.first().map(|report| CoachReport::Yahtzee(document(report))))
    }

    fn of_liars_dice(&self, rules: LiarsDiceRules) -> Result<Option<CoachReport>, FileError> {
        let mut analysis = liars_dice::Analysis::new([self.bot.to_owned()]);
        self.each::<LiarsDice>(rules, |chance, replay| {
            let is_bot = |name: &str| name == self.bot;
            analysis.add(&liars_dice::AppraisedGame::new(rules, chance, replay, is_bot));
        })?;
        let reports = analysis.reports();
        let document = |report| Box::new(LiarsDiceCoachDocument::new(report, self.of));
        Ok(reports.first().map(|report| CoachReport::LiarsDice(document(report))))
    }

    /// Hands on the first games in which the bot sits.
    fn each<G: Game>(
        &self,
        rules: G::Rules,
        mut hand_on: impl FnMut(&Chance, &Replay<G>),
    ) -> Result<(), FileError> {
        let Self { store, run, bot, .. } = self;
        let chance = Chance::new(&run.header.seed);
        let mut seen = 0;
        let sits = serde_json::Value::from(*bot).to_string();
        store.each_page(run.run, run.bars.len() as i64, |page| -> Result<(), FileError> {
            for line in page.lines().filter(|line| line.contains(&sits)) {
                if seen == MOST_GAMES {
                    break;
                }
                let replay = read_game_line::<G>(line, rules, &chance)
                    .map_err(|error| FileError::new(store.path(), error))?;
                if replay.names.iter().any(|name| name == bot) {
                    seen += 1;
                    hand_on(&chance, &replay);
                }
            }
            Ok(())
        })
    }
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
