//! Estimates from the samples of an entrant, over all pairings that it played in.

use crate::standings::ledger::Stratum;
use crate::statistics::{BlockWins, Sums};
use crate::{EntrantId, Interval, Ledger, StatisticsVersion};

/// The interval of the win rate over whole blocks.
pub(super) fn win_interval(
    strata: &[(&Stratum, usize)],
    games_per_block: u64,
    version: StatisticsVersion,
) -> Option<Interval> {
    let blocks: u64 = strata.iter().map(|(stratum, _)| stratum.samples).sum();
    let wins = strata.iter().map(|(stratum, place)| stratum.wins[*place].sum).sum::<u128>() as f64;
    let variance = variance_of_sum(strata, |stratum| &stratum.wins);
    let freedom = freedom(strata);
    BlockWins { wins, games_per_block, blocks, freedom, variance, version }.interval()
}

/// The degrees of freedom of the variance of a sum over all samples.
pub(super) fn freedom(strata: &[(&Stratum, usize)]) -> u64 {
    let samples: u64 = strata.iter().map(|(stratum, _)| stratum.samples).sum();
    samples.saturating_sub(strata.len() as u64)
}

/// The variance of a sum over all samples; `None` if a pairing has a single one.
pub(super) fn variance_of_sum(
    strata: &[(&Stratum, usize)],
    of: impl Fn(&Stratum) -> &Vec<Sums>,
) -> Option<f64> {
    let each = |(stratum, place): &(&Stratum, usize)| {
        of(stratum)[*place].variance().map(|each| each * stratum.samples as f64)
    };
    strata.iter().map(each).sum()
}

/// The pairings that an entrant has played in, and its member index in each.
pub(super) fn strata(ledger: &Ledger, id: EntrantId) -> Vec<(&Stratum, usize)> {
    let played = ledger.strata().iter().filter(|stratum| stratum.samples > 0);
    played.filter_map(|stratum| Some((stratum, stratum.index_of(id)?))).collect()
}
