//! Adds results up, game by game in the order of their numbers.

mod encounter;
mod luck;
mod outcomes;
mod row;
mod stratum;

use dicehill_rules::{Game, SeatResult, Summary};

pub(crate) use encounter::Encounter;
pub(crate) use luck::LuckSums;
pub(crate) use outcomes::Course;
pub(crate) use row::{FigureTally, Row, SeatTally};
pub(crate) use stratum::Stratum;

use crate::decision::Decision;
use crate::statistics::Covariance;
use crate::{Appraisal, EntrantId, Fixture, RecordsHash, Schedule};

/// At larger tables, and among more entrants, neither pairs nor seats are kept apart.
pub(crate) const MOST_APART: usize = 64;

/// All sums of a run, as integers.
pub struct Ledger {
    rows: Vec<Row>,
    strata: Vec<Stratum>,
    games: u64,
    play_offs: u64,
    /// Only of a run that is to end early.
    decision: Option<Decision>,
    /// Over the lines of the games, play-offs too.
    records: RecordsHash,
}

impl Ledger {
    /// An empty ledger for the games of `schedule`.
    #[must_use]
    pub fn new<G: Game>(schedule: &Schedule<'_, G>) -> Self {
        let entrants = schedule.active().last().map_or(0, |last| last.index() + 1);
        // Who is ahead of whom where nobody has more points: the score says it, a mere count not.
        let scored = G::FIGURES.first().is_some_and(|first| match first.summary {
            Summary::Distribution => true,
            Summary::Total => false,
        });
        let start = schedule.hill().start_value();
        let luck = |members: usize| start.map(|start| LuckSums::new(start, members));
        let stratum = |members: &Vec<EntrantId>| Stratum::new(members, scored, luck(members.len()));
        Self {
            rows: vec![Row::default(); entrants],
            strata: schedule.pairings().iter().map(stratum).collect(),
            games: 0,
            play_offs: 0,
            decision: Decision::new(schedule),
            records: RecordsHash::default(),
        }
    }

    /// Adds a scheduled game; they come in the order of their numbers.
    ///
    /// `results` go by seat, and so do `appraisals`, of which there are none if nobody has appraised the game.
    pub fn add<G: Game>(
        &mut self,
        schedule: &Schedule<'_, G>,
        fixture: &Fixture,
        results: &[SeatResult],
        appraisals: &[Appraisal],
    ) {
        let Fixture { game, seats, .. } = fixture;
        self.games += 1;
        let is_small = seats.len() <= MOST_APART;
        for (seat, (id, result)) in seats.iter().zip(results).enumerate() {
            let row = &mut self.rows[id.index()];
            row.add(G::FIGURES, result);
            if let Some(appraisal) = appraisals.get(seat) {
                row.loss.add(appraisal.loss);
            }
            if is_small {
                row.add_seat(seat, result);
            }
        }
        let stratum = &mut self.strata[schedule.pairing_of(*game)];
        stratum.add_game(seats, results, appraisals);
        if schedule.completes_sample(*game) {
            stratum.complete_sample();
        }
        if let Some(decision) = &mut self.decision {
            decision.add(schedule, fixture, results);
        }
    }

    /// Adds a game that plays off a tie: it counts in nothing but the points.
    ///
    /// `results` go by seat.
    pub fn add_play_off(&mut self, fixture: &Fixture, results: &[SeatResult]) {
        self.play_offs += 1;
        for (id, result) in fixture.seats.iter().zip(results) {
            self.rows[id.index()].points += result.points;
        }
    }

    /// Games so far, play-offs aside.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Games that played off a tie.
    #[must_use]
    pub const fn play_offs(&self) -> u64 {
        self.play_offs
    }

    /// The points of an entrant so far.
    #[must_use]
    pub fn points(&self, id: EntrantId) -> u64 {
        self.row(id).map_or(0, |row| row.points)
    }

    /// How often an entrant has had each value of the game's first figure, ascending, play-offs aside; nothing of a
    /// figure that is only summed up.
    pub fn first_figure(&self, id: EntrantId) -> impl Iterator<Item = (u64, u64)> + '_ {
        let values = self.row(id).map(|row| &row.figures[0].values);
        values.into_iter().flatten().map(|(value, times)| (*value, *times))
    }

    /// Everybody of `among` who has the most points.
    #[must_use]
    pub fn leaders(&self, among: &[EntrantId]) -> Vec<EntrantId> {
        let most = among.iter().map(|id| self.points(*id)).max();
        among.iter().copied().filter(|id| Some(self.points(*id)) == most).collect()
    }

    /// Takes in the line of a game that counts.
    pub(crate) fn add_line(&mut self, line: &str) {
        self.records.add(line);
    }

    /// Takes what was hashed before as known.
    pub(crate) fn set_records(&mut self, records: RecordsHash) {
        self.records = records;
    }

    /// The hash over the lines of all games so far.
    #[must_use]
    pub const fn records(&self) -> &RecordsHash {
        &self.records
    }

    /// Whether the run has answered its question, if it is to end as soon as it has.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decision.as_ref().is_some_and(Decision::is_decided)
    }

    /// How sure the answer is so far, from 0 to 1, if the run is to end as soon as it is sure enough.
    #[must_use]
    pub fn certainty(&self) -> Option<f64> {
        self.decision.as_ref().map(Decision::certainty)
    }

    pub(crate) const fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    pub(crate) fn row(&self, id: EntrantId) -> Option<&Row> {
        self.rows.get(id.index())
    }

    pub(crate) fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// The points of an entrant in complete samples.
    pub(crate) fn sampled_points(&self, id: EntrantId) -> u128 {
        let of = |stratum: &Stratum| stratum.place(id).map(|place| stratum.points[place].sum);
        self.strata.iter().filter_map(of).sum()
    }

    /// What came of the samples, and how often; `None` if there was more to keep than fits.
    pub(crate) fn courses(&self) -> Option<Vec<Course>> {
        let of_strata: Option<Vec<_>> = self.strata.iter().map(Stratum::courses).collect();
        Some(of_strata?.into_iter().flatten().collect())
    }

    /// How the sums of points of `ids` vary together, by what each stratum says of two of its
    /// members, by place.
    pub(crate) fn covariance(
        &self,
        ids: &[EntrantId],
        of: impl Fn(&Stratum, usize, usize) -> f64,
    ) -> Covariance {
        let mut place_of = vec![None; self.rows.len()];
        ids.iter().enumerate().for_each(|(place, id)| place_of[id.index()] = Some(place));
        let mut covariance = Covariance::new(ids.len());
        for stratum in &self.strata {
            let places: Vec<_> = stratum.members.iter().map(|id| place_of[id.index()]).collect();
            for (first, a) in places.iter().enumerate() {
                for (second, b) in places.iter().enumerate().skip(first) {
                    if let (Some(a), Some(b)) = (a, b) {
                        covariance.add(*a, *b, of(stratum, first, second));
                    }
                }
            }
        }
        covariance
    }
}
