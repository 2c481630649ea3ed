//! What a bot's decisions cost in a run, and the scores of optimal play.

use std::num::NonZero;
use std::sync::OnceLock;

use dicehill_arena::FormatName;
use dicehill_arena::{Replay, read_game_line};
use dicehill_coach::{liars_dice, yahtzee};
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Game, GameName, with_game};
use dicehill_solver::yahtzee::{Distribution, Solution, Variant};
use dicehill_store::{FileError, HillStore, StoredRun};

use crate::model::bot::ScoreChance;
use crate::model::{CoachDocument, CoachReport, LiarsDiceCoachDocument};

/// The most games of a bot that are analysed: this takes about a quarter of a second.
const MAX_GAMES: u64 = 2000;
/// Scores with a smaller chance are left out.
const SMALLEST: f64 = 1e-7;

/// What the mistakes of a bot that plays in `of` games cost in its first games of a run; `None` if the moves were not
/// kept.
///
/// # Errors
/// If the games cannot be read.
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
    let hill = &run.header.hill;
    with_game!(hill.game(), G => {
        <G as Game>::rules_named(&hill.terms.rules)
            .map_or(Ok(None), |rules| <G as CoachedGame>::coach(&games, rules))
    })
}

/// The chance of each score in optimal play; empty where it is unknown. The first call for a variant takes about a
/// second.
pub(crate) fn optimal_scores(game: GameName, rules: &str) -> &'static [ScoreChance] {
    with_game!(game, G => {
        <G as Game>::rules_named(rules).map_or(&[][..], <G as CoachedGame>::optimal_scores)
    })
}

/// Computes in advance what [`optimal_scores`] needs for these games and their usual rules.
pub(crate) fn prepare(games: &[GameName]) {
    for game in games {
        with_game!(game, G => {
            let _computed = <G as CoachedGame>::optimal_scores(<G as Game>::Rules::default());
        });
    }
}

/// A game whose decisions can be analysed.
trait CoachedGame: Game {
    /// What the mistakes of a bot cost.
    fn coach(games: &GamesOfBot<'_>, rules: Self::Rules) -> Result<Option<CoachReport>, FileError>;

    /// The chance of each score in optimal play; empty where it is unknown.
    fn optimal_scores(rules: Self::Rules) -> &'static [ScoreChance];
}

impl CoachedGame for Yahtzee {
    fn coach(
        games: &GamesOfBot<'_>,
        rules: YahtzeeRules,
    ) -> Result<Option<CoachReport>, FileError> {
        let solution = Solution::shared(Variant::from(rules));
        let mut analysis = yahtzee::Analysis::new([games.bot.to_owned()]).in_format(games.format());
        games.each::<Self>(rules, |replay| {
            let is_bot = |name: &str| name == games.bot;
            let game = yahtzee::AppraisedGame::new(solution, rules, replay, is_bot);
            game.iter().for_each(|game| analysis.add(game));
        })?;
        let reports = analysis.reports();
        let document = |report| Box::new(CoachDocument::new(report, games.of));
        Ok(reports.first().map(|report| CoachReport::Yahtzee(document(report))))
    }

    fn optimal_scores(rules: YahtzeeRules) -> &'static [ScoreChance] {
        static OFFICIAL: OnceLock<Vec<ScoreChance>> = OnceLock::new();
        static MEGO_2016: OnceLock<Vec<ScoreChance>> = OnceLock::new();
        let cached = match rules {
            YahtzeeRules::Official => &OFFICIAL,
            YahtzeeRules::Mego2016 => &MEGO_2016,
        };
        cached.get_or_init(|| {
            let solution = Solution::shared(Variant::from(rules));
            let scores = Distribution::new(solution, NonZero::<usize>::MIN);
            let likely = scores.scores().filter(|(_, chance)| *chance >= SMALLEST);
            likely.map(|(score, chance)| ScoreChance { score: score.into(), chance }).collect()
        })
    }
}

impl CoachedGame for LiarsDice {
    fn coach(
        games: &GamesOfBot<'_>,
        rules: LiarsDiceRules,
    ) -> Result<Option<CoachReport>, FileError> {
        let mut analysis =
            liars_dice::Analysis::new([games.bot.to_owned()]).in_format(games.format());
        games.each::<Self>(rules, |replay| {
            let is_bot = |name: &str| name == games.bot;
            analysis.add(&liars_dice::AppraisedGame::new(rules, replay, is_bot));
        })?;
        let reports = analysis.reports();
        let document = |report| Box::new(LiarsDiceCoachDocument::new(report, games.of));
        Ok(reports.first().map(|report| CoachReport::LiarsDice(document(report))))
    }

    fn optimal_scores(_rules: LiarsDiceRules) -> &'static [ScoreChance] {
        &[]
    }
}

/// The games of a bot in a run.
struct GamesOfBot<'a> {
    store: &'a HillStore,
    run: &'a StoredRun,
    bot: &'a str,
    /// How many games there are.
    of: u64,
}

impl GamesOfBot<'_> {
    fn format(&self) -> FormatName {
        self.run.header.hill.terms.format
    }

    /// Calls `visit` with the first games in which the bot plays.
    fn each<G: Game>(
        &self,
        rules: G::Rules,
        mut visit: impl FnMut(&Replay<G>),
    ) -> Result<(), FileError> {
        let Self { store, run, bot, .. } = self;
        let chance = Chance::new(&run.header.seed);
        let mut seen = 0;
        let quoted = serde_json::Value::from(*bot).to_string();
        store.each_page(run.run, run.bars.len() as i64, |page| -> Result<(), FileError> {
            for line in page.lines().filter(|line| line.contains(&quoted)) {
                if seen == MAX_GAMES {
                    break;
                }
                let replay = read_game_line::<G>(line, rules, &chance)
                    .map_err(|error| FileError::new(store.path(), error))?;
                if replay.names.iter().any(|name| name == bot) {
                    seen += 1;
                    visit(&replay);
                }
            }
            Ok(())
        })
    }
}
