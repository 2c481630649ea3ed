//! Adds up results in the order of game numbers.

mod encounter;
mod entrant_sums;
mod luck;
mod outcome_counts;
mod stratum;

use std::cmp::Ordering;

use dicehill_rules::{Game, SeatResult, Summary};

pub(crate) use encounter::Encounter;
pub(crate) use entrant_sums::{EntrantSums, FigureTally, SeatTally};
pub(crate) use luck::LuckSums;
pub(crate) use stratum::{MAX_DETAILED_ENTRANTS, Stratum};

use crate::standings::stopping_rule::StoppingRule;
use crate::statistics::{Covariance, SampleOutcome, elo_ratings};
use crate::{Appraisal, EloRating, EntrantId, Fixture, Hill, RecordsHash, Schedule};

/// All sums of a run, as exact integers.
pub struct Ledger {
    entrants: Vec<EntrantSums>,
    strata: Vec<Stratum>,
    games: u64,
    play_offs: u64,
    /// Only in a run that may stop early.
    decision: Option<StoppingRule>,
    /// Over the lines of the games, play-offs included.
    records: RecordsHash,
}

impl Ledger {
    /// An empty ledger for the games of `schedule`.
    #[must_use]
    pub fn new<G: Game>(schedule: &Schedule<'_, G>) -> Self {
        let entrants = schedule.active().last().map_or(0, |last| last.index() + 1);
        // Among equal points the higher score is ahead; a figure that only counts something is no score.
        let scored = G::FIGURES.first().is_some_and(|first| match first.summary {
            Summary::Distribution => true,
            Summary::Total => false,
        });
        let start = schedule.hill().start_value();
        let luck = |members: usize| start.map(|start| LuckSums::new(start, members));
        let stratum = |members: &Vec<EntrantId>| Stratum::new(members, scored, luck(members.len()));
        Self {
            entrants: vec![EntrantSums::default(); entrants],
            strata: schedule.pairings().iter().map(stratum).collect(),
            games: 0,
            play_offs: 0,
            decision: StoppingRule::new(schedule),
            records: RecordsHash::default(),
        }
    }

    /// Adds the next scheduled game; games must come in the order of their numbers.
    ///
    /// `results` and `appraisals` are in the order of seats; `appraisals` is empty if the game was not appraised.
    pub fn add<G: Game>(
        &mut self,
        schedule: &Schedule<'_, G>,
        fixture: &Fixture,
        results: &[SeatResult],
        appraisals: &[Appraisal],
    ) {
        let Fixture { game, seats, .. } = fixture;
        self.games += 1;
        let is_small = seats.len() <= MAX_DETAILED_ENTRANTS;
        for (seat, (id, result)) in seats.iter().zip(results).enumerate() {
            let sums = &mut self.entrants[id.index()];
            sums.add(G::FIGURES, result);
            if let Some(appraisal) = appraisals.get(seat) {
                sums.loss.add(appraisal.loss);
            }
            if is_small {
                sums.add_seat(seat, result);
            }
        }
        let stratum = &mut self.strata[fixture.pairing];
        stratum.add_game(seats, results, appraisals);
        if schedule.completes_sample(*game) {
            stratum.complete_sample();
        }
        if let Some(decision) = &mut self.decision {
            decision.add(schedule, fixture, results);
        }
    }

    /// Adds a play-off game: only its points count.
    ///
    /// `results` are in the order of seats.
    pub fn add_play_off(&mut self, fixture: &Fixture, results: &[SeatResult]) {
        self.play_offs += 1;
        for (id, result) in fixture.seats.iter().zip(results) {
            self.entrants[id.index()].points += result.points;
        }
    }

    /// Games so far, without play-offs.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Play-off games so far.
    #[must_use]
    pub const fn play_offs(&self) -> u64 {
        self.play_offs
    }

    /// The points of an entrant so far, play-offs included.
    #[must_use]
    pub fn points(&self, id: EntrantId) -> u64 {
        self.entrant_sums(id).map_or(0, |sums| sums.points)
    }

    /// Each value of the game's first figure that an entrant had, ascending, with its number of games, without
    /// play-offs. Empty for a figure that is only summed up.
    pub fn first_figure_counts(&self, id: EntrantId) -> impl Iterator<Item = (u64, u64)> + '_ {
        let values = self.entrant_sums(id).map(|sums| &sums.figures[0].values);
        values.into_iter().flatten().map(|(value, times)| (*value, *times))
    }

    /// The entrants of `among` with the most points, in their order.
    #[must_use]
    pub fn leaders(&self, among: &[EntrantId]) -> Vec<EntrantId> {
        let most = among.iter().map(|id| self.points(*id)).max();
        among.iter().copied().filter(|id| Some(self.points(*id)) == most).collect()
    }

    /// The Elo ratings of the entrants that have one with an estimate, highest first, as result documents have them. This
    /// takes milliseconds, and more in large fields.
    #[must_use]
    pub fn elo_ratings<G: Game>(&self, hill: &Hill<G>) -> Vec<(EntrantId, EloRating)> {
        let outcomes = self.sample_outcomes().unwrap_or_default();
        let block = hill.format().games_per_block();
        let ratings = elo_ratings(&outcomes, hill.entrants().len(), block, hill.statistics());
        let rated = hill.ids().zip(ratings).filter_map(|(id, elo)| Some((id, elo?)));
        let mut rated: Vec<_> = rated.filter(|(_, elo)| elo.value.is_some()).collect();
        rated.sort_by(|(_, a), (_, b)| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
        rated
    }

    /// Adds the line of a game that counts to the hash.
    pub(crate) fn add_line(&mut self, line: &str) {
        self.records.add(line);
    }

    /// Continues from the hash of earlier lines.
    pub(crate) fn set_records(&mut self, records: RecordsHash) {
        self.records = records;
    }

    /// The hash over the lines of all games so far.
    #[must_use]
    pub const fn records(&self) -> &RecordsHash {
        &self.records
    }

    /// Whether the stopping rule of a run that may stop early is met.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decision.as_ref().is_some_and(StoppingRule::is_decided)
    }

    /// The certainty of the answer so far, 0 to 1; `None` in a run that plays all its games.
    #[must_use]
    pub fn certainty(&self) -> Option<f64> {
        self.decision.as_ref().map(StoppingRule::certainty)
    }

    pub(crate) const fn decision(&self) -> Option<&StoppingRule> {
        self.decision.as_ref()
    }

    pub(crate) fn entrant_sums(&self, id: EntrantId) -> Option<&EntrantSums> {
        self.entrants.get(id.index())
    }

    pub(crate) fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// The points of an entrant in complete samples.
    pub(crate) fn sampled_points(&self, id: EntrantId) -> u128 {
        let of = |stratum: &Stratum| stratum.index_of(id).map(|place| stratum.points[place].sum);
        self.strata.iter().filter_map(of).sum()
    }

    /// The outcomes of all samples with their counts; `None` if a stratum had too many.
    pub(crate) fn sample_outcomes(&self) -> Option<Vec<SampleOutcome>> {
        let of_strata: Option<Vec<_>> = self.strata.iter().map(Stratum::sample_outcomes).collect();
        Some(of_strata?.into_iter().flatten().collect())
    }

    /// The covariances of the sums of points of `ids`: the sum over all strata of `of`, which gets the indices of two
    /// members.
    pub(crate) fn covariance(
        &self,
        ids: &[EntrantId],
        of: impl Fn(&Stratum, usize, usize) -> f64,
    ) -> Covariance {
        self.covariance_by_stratum(ids, |stratum| {
            let of = &of;
            move |a, b| of(stratum, a, b)
        })
    }

    /// The same, if `of` is to compute something for each stratum first.
    pub(crate) fn covariance_by_stratum<'a, F: Fn(usize, usize) -> f64>(
        &'a self,
        ids: &[EntrantId],
        of: impl Fn(&'a Stratum) -> F,
    ) -> Covariance {
        let mut place_of = vec![None; self.entrants.len()];
        ids.iter().enumerate().for_each(|(place, id)| place_of[id.index()] = Some(place));
        let mut covariance = Covariance::new(ids.len());
        for stratum in &self.strata {
            let places: Vec<_> = stratum.members.iter().map(|id| place_of[id.index()]).collect();
            let of = of(stratum);
            for (first, a) in places.iter().enumerate() {
                for (second, b) in places.iter().enumerate().skip(first) {
                    if let (Some(a), Some(b)) = (a, b) {
                        covariance.add(*a, *b, of(first, second));
                    }
                }
            }
        }
        covariance
    }
}
