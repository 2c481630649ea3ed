//! The benchmarks: what each measures, and its opponents.

use dicehill_arena::{BotName, Entrant, FormatName, HillDraft};
use dicehill_bots::HouseIdentity;
use dicehill_rules::GameName;

use crate::args::BenchmarkName;
use crate::failure::Failure;
use crate::games::TerminalGame;

/// A benchmark.
#[derive(Debug)]
pub(super) struct Benchmark {
    pub(super) name: &'static str,
    pub(super) game: GameName,
    /// A gauntlet of the bot, or tables with all opponents at once.
    pub(super) format: FormatName,
    /// The seats at a table.
    pub(super) seats: i64,
    /// The identities of the house bots that play against it.
    pub(super) opponents: &'static [&'static str],
    /// The hash over the records of a run between the opponents, which changes with any of their decisions.
    pub(super) frozen: &'static str,
    /// Games against each opponent, or at the table of all.
    pub(super) games: i64,
    pub(super) metric: Metric,
}

/// What a benchmark measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Metric {
    /// The luck-adjusted mean score.
    Score,
    /// The luck-adjusted points per game: 1 for a win or a tie, 0 otherwise.
    Points,
    /// The share of the games that are won.
    WinRate,
}

impl Metric {
    /// The name in documents.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Score => "luck-adjusted score",
            Self::Points => "luck-adjusted points per game",
            Self::WinRate => "share of games won",
        }
    }
}

/// Nothing that `random` does changes the dice or the choices of the bot: each plays its own card.
const YAHTZEE_SOLO_V1: Benchmark = Benchmark {
    name: "yahtzee-solo-v1",
    game: GameName::Yahtzee,
    format: FormatName::Gauntlet,
    seats: 2,
    opponents: &["house:random@1"],
    frozen: "blake3:d5b5d04305f0b33c309cb9e86a61898accecfbb7b12e2767b8f515732843c06e",
    games: 2_000,
    metric: Metric::Score,
};
const YAHTZEE_TWO_V1: Benchmark = Benchmark {
    name: "yahtzee-2p-v1",
    game: GameName::Yahtzee,
    format: FormatName::Gauntlet,
    seats: 2,
    opponents: &["house:greedy@1", "house:aces-and-eights@1", "house:optimal@1"],
    frozen: "blake3:a26ed00753dab428746e6214b6e3033b3ecd7d7ce50b05a2f77a63682a3df8e0",
    games: 2_000,
    metric: Metric::Points,
};
const LIARS_FIVE_V1: Benchmark = Benchmark {
    name: "liars-5-v1",
    game: GameName::LiarsDice,
    format: FormatName::Duel,
    seats: 5,
    opponents: &["house:bayes@1", "house:badnomial@1", "house:nobody@1", "house:honest@1"],
    frozen: "blake3:0c7822ed4772b9975c65889523c9443ce2fa1d7eec06f1ba82d11da3bd8dc092",
    games: 10_000,
    metric: Metric::WinRate,
};

impl Benchmark {
    /// The benchmark with this name.
    pub(super) const fn named(name: BenchmarkName) -> &'static Self {
        match name {
            BenchmarkName::YahtzeeSoloV1 => &YAHTZEE_SOLO_V1,
            BenchmarkName::YahtzeeTwoV1 => &YAHTZEE_TWO_V1,
            BenchmarkName::LiarsFiveV1 => &LIARS_FIVE_V1,
        }
    }

    /// The opponents as they were frozen.
    ///
    /// # Errors
    /// If this program has another version of one.
    pub(super) fn entrants<G: TerminalGame>(&self) -> Result<Vec<Entrant<G>>, Failure> {
        let entrant = |identity: &&str| {
            let wanted: Option<HouseIdentity> = identity.parse().ok();
            let found = wanted.and_then(|wanted| {
                let entrants = G::house_bots().into_iter().map(dicehill_bots::HouseBot::entrant);
                let mut named = entrants.filter(|entrant| entrant.name.as_str() == wanted.name);
                named.find(|entrant| entrant.program.identity() == **identity)
            });
            found.ok_or_else(|| {
                let name = self.name;
                Failure::Usage(format!(
                    "{name}: its opponent {identity} is not in this version of dicehill; use an earlier one"
                ))
            })
        };
        self.opponents.iter().map(entrant).collect()
    }

    /// The run in which the bot is measured. `bot` has a name of its own.
    pub(super) fn draft<G: TerminalGame>(
        &self,
        opponents: Vec<Entrant<G>>,
        bot: Entrant<G>,
        seed: &str,
    ) -> HillDraft<G> {
        let is_gauntlet = self.format == FormatName::Gauntlet;
        let challenger = is_gauntlet.then(|| bot.name.to_string());
        let entrants = opponents.into_iter().chain([bot]).collect();
        HillDraft {
            name: self.name.to_owned(),
            format: self.format,
            seats: (!is_gauntlet).then_some(self.seats),
            challenger,
            games: self.games,
            ..HillDraft::challenge(entrants, seed)
        }
    }
}

/// The name, with a number if an opponent has it.
pub(super) fn free_name<G: TerminalGame>(name: BotName, opponents: &[Entrant<G>]) -> BotName {
    if opponents.iter().all(|opponent| opponent.name != name) {
        return name;
    }
    // No opponent's name ends in a number.
    BotName::new(&format!("{name}-2")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use clap::ValueEnum;
    use dicehill_arena::{Hill, Jobs, MAX_PLAY_OFFS, RunEnd, RunOptions, run};
    use dicehill_rules::with_game;

    use super::*;

    /// The hash over the records of all tables of the opponents and of second copies of them.
    fn records<G: TerminalGame>(benchmark: &Benchmark) -> String {
        let opponents = benchmark.entrants::<G>().expect("they are those that were frozen");
        let copies = benchmark.entrants::<G>().expect("they are those that were frozen");
        let copy = |copy: Entrant<G>| {
            let name = free_name(copy.name.clone(), &opponents);
            Entrant { name, ..copy }
        };
        let copies: Vec<_> = copies.into_iter().map(copy).collect();
        let draft = HillDraft {
            format: FormatName::Duel,
            seats: Some(benchmark.seats),
            games: 2 * benchmark.seats,
            ..HillDraft::challenge(opponents.into_iter().chain(copies).collect(), "frozen")
        };
        let hill = Hill::new(draft).expect("it can be played");
        let stop = AtomicBool::new(false);
        let options = RunOptions {
            jobs: Jobs::Exactly(2),
            max_play_offs: MAX_PLAY_OFFS,
            stop: &stop,
            deadline: None,
        };
        match run(&hill, options, &mut |_| Ok(())).expect("house bots do not fail") {
            RunEnd::Done(result) | RunEnd::Stopped(result) => result.records,
        }
    }

    #[test]
    fn frozen_opponents_have_not_changed() {
        let benchmarks = BenchmarkName::value_variants().iter().map(|name| Benchmark::named(*name));
        let benchmarks: Vec<_> = benchmarks.collect();
        let now = benchmarks.iter().map(|one| with_game!(one.game, G => records::<G>(one)));
        let frozen: Vec<_> = benchmarks.iter().map(|one| one.frozen).collect();
        assert_eq!(
            now.collect::<Vec<_>>(),
            frozen,
            "an opponent decides otherwise than when it was frozen, which takes a new version of the benchmark"
        );
    }

    #[test]
    fn the_names_on_the_command_line_are_those_in_documents() {
        for name in BenchmarkName::value_variants() {
            let value = name.to_possible_value().expect("none is hidden");
            assert_eq!(value.get_name(), Benchmark::named(*name).name);
        }
    }
}
