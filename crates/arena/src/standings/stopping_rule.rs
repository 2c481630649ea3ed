//! When a run may stop early: once its leader, or each comparison of a gauntlet, is decided.

mod comparisons;
mod margin_test;
mod report;
mod round_points;

use dicehill_rules::{Game, SeatResult};

use self::comparisons::{Comparisons, Pair};
use self::margin_test::{MarginSide, MarginTest};
pub use self::report::{Lead, MarginAnswer, MarginReport, StoppingReport};
use self::round_points::{Membership, RoundPoints};
use crate::statistics::ValueCounts;
use crate::{Confidence, EntrantId, Fixture, Format, Hill, Interval, Schedule};

/// The state of the sequential test of a run that may stop early, after its games so far.
///
/// The test is evaluated whenever a round is complete: then every pairing has played the same number of blocks, and the
/// sums of points are comparable. Two entrants are compared by bets (see `TestMartingale`) on the difference of their points in
/// each block, all with the same stakes. The blocks of a round are independent. So if the expectations of their
/// differences add up to zero or less, no bet wins on average over a round: the product of 1 + stake x expectation is
/// at most the exponential of their sum.
///
/// In a block in which only one of the two plays, the other is given the mean points of a block in earlier rounds. Both
/// play equally often, in fact or in expectation, so this cancels; it removes most of the chance variation between
/// entrants that seldom meet.
#[derive(Debug)]
pub(crate) struct StoppingRule {
    question: Question,
    confidence: Confidence,
    /// Ascending.
    active: Vec<EntrantId>,
    games_per_block: u64,
    comparisons: Comparisons,
    round_points: RoundPoints,
    /// By entrant of `active`.
    memberships: Vec<Vec<Membership>>,
    mean_points: MeanPoints,
    /// The board totals of `active` after the last complete round.
    totals: Vec<u64>,
    /// The differences, in a run of two entrants.
    leads: Option<ValueCounts>,
    /// The test of [`Question::Margin`].
    margin: Option<MarginTest>,
    decided: bool,
}

/// The question that the run answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Which entrant has more points than every other.
    Champion,
    /// Which entrants are better than the challenger, and which are worse.
    Challenger,
    /// Whether the first of two entrants is not worse than the second by more than a margin. It is about games won, as Elo
    /// is, and not about points.
    Margin,
}

/// The mean points of an entrant in a block of the earlier rounds, rounded down.
#[derive(Debug, Default)]
struct MeanPoints {
    points: u64,
    blocks: u64,
}

impl MeanPoints {
    fn add(&mut self, points: u64) {
        self.points += points;
        self.blocks += 1;
    }

    const fn get(&self) -> i64 {
        match self.points.checked_div(self.blocks) {
            Some(mean) => mean as i64,
            None => 0,
        }
    }
}

impl StoppingRule {
    /// The test before the first game; `None` for a run that plays all its games.
    pub(crate) fn new<G: Game>(schedule: &Schedule<'_, G>) -> Option<Self> {
        let hill = schedule.hill();
        let confidence = hill.until()?;
        let active = schedule.active().to_vec();
        let pairings = schedule.pairings();
        Some(Self {
            question: match hill.format() {
                _ if hill.margin().is_some() => Question::Margin,
                Format::Challenge | Format::Duel { .. } => Question::Champion,
                Format::Gauntlet { .. } => Question::Challenger,
            },
            confidence,
            games_per_block: hill.format().games_per_block(),
            comparisons: Comparisons::new(schedule),
            round_points: RoundPoints::new(pairings),
            memberships: active.iter().map(|id| Membership::all_of(*id, pairings)).collect(),
            mean_points: MeanPoints::default(),
            totals: active.iter().map(|id| hill.head_start(*id)).collect(),
            leads: (active.len() == 2).then(ValueCounts::new),
            margin: hill
                .margin()
                .map(|margin| MarginTest::new(margin, hill.format().games_per_block())),
            active,
            decided: false,
        })
    }

    /// Adds the next scheduled game.
    pub(crate) fn add<G: Game>(
        &mut self,
        schedule: &Schedule<'_, G>,
        fixture: &Fixture,
        results: &[SeatResult],
    ) {
        let pairing = fixture.pairing;
        let members = &schedule.pairings()[pairing];
        for (id, result) in fixture.seats.iter().zip(results) {
            let member = members.binary_search(id).expect("only members sit in a pairing's games");
            self.round_points.add(Membership { pairing, member }, result.points);
        }
        self.add_wins(fixture, results);
        if schedule.completes_round(fixture.game) {
            self.complete_round();
        }
    }

    fn add_wins(&mut self, fixture: &Fixture, results: &[SeatResult]) {
        let (Some(margin), [first, second]) = (&mut self.margin, self.active.as_slice()) else {
            return;
        };
        let has_won = |wanted: &EntrantId| {
            fixture.seats.iter().zip(results).any(|(id, result)| id == wanted && result.won)
        };
        margin.add_game(has_won(first), has_won(second));
    }

    /// Whether the run has answered its question.
    pub(crate) const fn is_decided(&self) -> bool {
        self.decided
    }

    /// The certainty of the answer so far: one minus a bound on the probability of such evidence for a wrong answer.
    pub(crate) fn certainty(&self) -> f64 {
        (1.0 - self.union_bound() / self.e_value()).max(0.0)
    }

    /// The report after `played` games.
    pub(crate) fn report<G: Game>(&self, hill: &Hill<G>, played: u64) -> StoppingReport {
        let lead = self.leads.as_ref().and_then(|leads| self.lead(hill, leads));
        let margin = self.margin.as_ref().and_then(|margin| self.margin_report(hill, margin));
        StoppingReport { until: self.confidence, decided: self.decided, played, lead, margin }
    }

    fn margin_report<G: Game>(&self, hill: &Hill<G>, test: &MarginTest) -> Option<MarginReport> {
        let [bot, than] = self.active.as_slice() else { return None };
        let side = match test.answer().0 {
            MarginSide::NotWorse => MarginAnswer::NotWorse,
            MarginSide::Worse => MarginAnswer::Worse,
        };
        Some(MarginReport {
            bot: hill.name_of(*bot).to_owned(),
            than: hill.name_of(*than).to_owned(),
            elo: test.margin().get(),
            least: test.margin().score(),
            score: test.score(),
            answer: self.decided.then_some(side),
        })
    }

    fn lead<G: Game>(&self, hill: &Hill<G>, leads: &ValueCounts) -> Option<Lead> {
        let bound = self.comparisons.pairs.first()?.test.bound;
        let games = self.games_per_block as f64;
        let mean = leads.mean()? / games;
        let Interval { low, high } = leads.interval(bound, self.confidence);
        let (low, high) = (low / games, high / games);
        let [first, second] = [0, 1].map(|index| hill.name_of(self.active[index]).to_owned());
        let lead = if mean < 0.0 {
            let interval = Interval { low: -high, high: -low };
            Lead { bot: second, over: first, mean: -mean, interval }
        } else {
            Lead { bot: first, over: second, mean, interval: Interval { low, high } }
        };
        Some(lead)
    }

    fn complete_round(&mut self) {
        let has_points = |own: &Membership| self.round_points.get(*own).is_some();
        let plays: Vec<bool> =
            self.memberships.iter().map(|own| own.iter().any(has_points)).collect();
        for index in self.comparisons.in_play(&plays) {
            self.compare(index);
        }
        self.add_points();
        self.round_points.clear();
        if let Some(margin) = &mut self.margin {
            margin.complete_block();
        }
        self.decided = self.e_value() >= self.union_bound() / self.confidence.error_probability();
    }

    fn compare(&mut self, pair: usize) {
        for lead in self.leads_of(&self.comparisons.pairs[pair]) {
            self.comparisons.pairs[pair].test.add(lead);
            if let Some(counts) = &mut self.leads {
                counts.add(lead);
            }
        }
    }

    fn add_points(&mut self) {
        for (total, memberships) in self.totals.iter_mut().zip(&self.memberships) {
            for points in memberships.iter().filter_map(|own| self.round_points.get(*own)) {
                self.mean_points.add(points);
                *total += points;
            }
        }
    }

    /// The lead of the first of a pair in each block of the round in which either plays.
    fn leads_of(&self, pair: &Pair) -> Vec<i64> {
        let mean = self.mean_points.get();
        let points = |member: Option<Membership>| {
            member.and_then(|member| self.round_points.get(member)).map(|points| points as i64)
        };
        let lead = |(first, second)| match (points(first), points(second)) {
            (None, None) => None,
            (first, second) => Some(first.unwrap_or(mean) - second.unwrap_or(mean)),
        };
        self.blocks_of(pair).filter_map(lead).collect()
    }

    /// The blocks of a round that compare two entrants: the membership of each there, if it has one. With a challenger,
    /// the first of the two, only the blocks between them count, because it plays more often than the others.
    fn blocks_of(
        &self,
        pair: &Pair,
    ) -> impl Iterator<Item = (Option<Membership>, Option<Membership>)> {
        let [first, second] =
            [pair.first, pair.second].map(|entrant| self.memberships[entrant].as_slice());
        let of_first = match self.question {
            Question::Champion | Question::Margin => first,
            Question::Challenger => &[],
        };
        let with_first =
            of_first.iter().map(move |own| (Some(*own), Membership::find(second, own.pairing)));
        let others =
            second.iter().filter(move |own| Membership::find(of_first, own.pairing).is_none());
        with_first.chain(others.map(move |own| (Membership::find(first, own.pairing), Some(*own))))
    }

    /// The e-value of the answer that the points suggest: that of its weakest comparison.
    fn e_value(&self) -> f64 {
        match (self.question, self.leader()) {
            (Question::Champion, None) => 0.0,
            (Question::Champion, Some(leader)) => {
                smallest(self.comparisons.of(leader).map(|pair| pair.e_value_for(leader)))
            }
            (Question::Margin, _) => self.margin.as_ref().map_or(0.0, |margin| margin.answer().1),
            (Question::Challenger, _) => smallest(self.comparisons.pairs.iter().map(Pair::e_value)),
        }
    }

    /// The sole leader on the board, votes included.
    fn leader(&self) -> Option<usize> {
        let most = self.totals.iter().max()?;
        let mut leaders = (0..self.totals.len()).filter(|index| self.totals[*index] == *most);
        leaders.next().filter(|_| leaders.next().is_none())
    }

    /// The number of comparisons in the union bound on a wrong answer. A wrong champion must be found ahead of the best
    /// entrant, which is one comparison per other entrant; among several equally good ones every champion is wrong,
    /// which adds one comparison between two of them.
    fn union_bound(&self) -> f64 {
        match self.question {
            Question::Champion => self.active.len() as f64,
            // At most one of the two answers is wrong.
            Question::Margin => 1.0,
            Question::Challenger => 2.0 * self.comparisons.pairs.len() as f64,
        }
    }
}

/// The smallest e-value of several comparisons; 0 without comparisons.
fn smallest(e_values: impl Iterator<Item = f64>) -> f64 {
    e_values.reduce(f64::min).unwrap_or(0.0)
}
