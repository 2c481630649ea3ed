//! When a run may stop early: once its leader, or each comparison of a gauntlet, is decided.

use dicehill_rules::{Game, SeatResult};
use serde::{Deserialize, Serialize, Serializer};

use crate::statistics::{TwoSidedBets, ValueCounts};
use crate::{
    Confidence, EntrantId, Fixture, Format, Hill, Interval, Schedule, Seating, six_digits,
};

/// The state of the sequential test of a run that may stop early, after its games so far.
///
/// The test is evaluated whenever a round is complete: then every pairing has played the same number of blocks, and the
/// sums of points are comparable. Two entrants are compared by bets (see `Bets`) on the difference of their points in
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
    pairs: Vec<Pair>,
    /// For each of `active`, the indices of its pairs.
    pairs_of: Vec<Vec<usize>>,
    /// The points of the round so far, by pairing and member; `None` for a member that did not play.
    round: Vec<Vec<Option<u64>>>,
    /// For each of `active`, its pairings and its member index in each.
    places: Vec<Vec<(usize, usize)>>,
    mean_points: MeanPoints,
    /// The board totals of `active` after the last complete round.
    totals: Vec<u64>,
    /// The differences, in a run of two entrants.
    leads: Option<ValueCounts>,
    decided: bool,
}

/// The question that the run answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Which entrant has more points than every other.
    Champion,
    /// Which entrants are better than the challenger, and which are worse.
    Challenger,
}

/// Two entrants that are compared, as indices of `active`.
#[derive(Debug)]
struct Pair {
    first: usize,
    second: usize,
    sides: TwoSidedBets,
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
        let pairs = pairs(schedule);
        Some(Self {
            question: match hill.format() {
                Format::Challenge | Format::Duel { .. } => Question::Champion,
                Format::Gauntlet { .. } => Question::Challenger,
            },
            confidence,
            games_per_block: hill.format().games_per_block(),
            pairs_of: pairs_of(&pairs, active.len()),
            pairs,
            round: pairings.iter().map(|members| vec![None; members.len()]).collect(),
            places: active.iter().map(|id| places(pairings, *id)).collect(),
            mean_points: MeanPoints::default(),
            totals: active.iter().map(|id| hill.head_start(*id)).collect(),
            leads: (active.len() == 2).then(ValueCounts::new),
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
            let place = members.binary_search(id).expect("only members sit in a pairing's games");
            *self.round[pairing][place].get_or_insert(0) += result.points;
        }
        if schedule.completes_round(fixture.game) {
            self.complete_round();
        }
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
        StoppingReport { until: self.confidence, decided: self.decided, played, lead }
    }

    fn lead<G: Game>(&self, hill: &Hill<G>, leads: &ValueCounts) -> Option<Lead> {
        let bound = self.pairs.first()?.sides.bound;
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
        let plays = |places: &Vec<_>| places.iter().any(|place| self.points(*place).is_some());
        let playing: Vec<bool> = self.places.iter().map(plays).collect();
        for index in (0..self.active.len()).filter(|index| playing[*index]) {
            for number in 0..self.pairs_of[index].len() {
                let pair = self.pairs_of[index][number];
                let first = self.pairs[pair].first;
                // If both play, the pair is compared only once, at its first entrant.
                if index == first || !playing[first] {
                    self.compare(pair);
                }
            }
        }
        self.add_points();
        self.round.iter_mut().for_each(|points| points.fill(None));
        self.decided = self.e_value() >= self.union_bound() / self.confidence.error();
    }

    fn compare(&mut self, pair: usize) {
        for lead in self.leads_of(&self.pairs[pair]) {
            self.pairs[pair].sides.add(lead);
            if let Some(counts) = &mut self.leads {
                counts.add(lead);
            }
        }
    }

    fn add_points(&mut self) {
        for (index, places) in self.places.iter().enumerate() {
            for (pairing, place) in places {
                if let Some(points) = self.round[*pairing][*place] {
                    self.mean_points.add(points);
                    self.totals[index] += points;
                }
            }
        }
    }

    fn points(&self, (pairing, place): (usize, usize)) -> Option<u64> {
        self.round[pairing][place]
    }

    /// The lead of the first of a pair in each block of the round in which either plays. With a challenger only the
    /// blocks between the two count, because it plays more often than the others.
    fn leads_of(&self, pair: &Pair) -> Vec<i64> {
        let [first, second] = [pair.first, pair.second].map(|index| self.places[index].as_slice());
        let of_first = match self.question {
            Question::Champion => first,
            Question::Challenger => &[],
        };
        let is_new = |(pairing, _): &&(usize, usize)| place_in(of_first, *pairing).is_none();
        let pairings = of_first.iter().chain(second.iter().filter(is_new));
        let mean = self.mean_points.get();
        let lead = |(pairing, _): &(usize, usize)| {
            let points = |places| self.points((*pairing, place_in(places, *pairing)?));
            match [points(first), points(second)].map(|points| points.map(|points| points as i64)) {
                [None, None] => None,
                [first, second] => Some(first.unwrap_or(mean) - second.unwrap_or(mean)),
            }
        };
        pairings.filter_map(lead).collect()
    }

    /// The e-value of the answer that the points suggest: that of its weakest comparison.
    fn e_value(&self) -> f64 {
        match (self.question, self.leader()) {
            (Question::Champion, None) => 0.0,
            (Question::Champion, Some(leader)) => {
                smallest(self.pairs_of[leader].iter().map(|pair| {
                    let Pair { first, sides, .. } = &self.pairs[*pair];
                    if *first == leader { sides.above.e_value() } else { sides.below.e_value() }
                }))
            }
            (Question::Challenger, _) => smallest(
                self.pairs
                    .iter()
                    .map(|Pair { sides, .. }| sides.above.e_value().max(sides.below.e_value())),
            ),
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
            Question::Challenger => 2.0 * self.pairs.len() as f64,
        }
    }
}

/// The smallest e-value of several comparisons; 0 without comparisons.
fn smallest(e_values: impl Iterator<Item = f64>) -> f64 {
    e_values.reduce(f64::min).unwrap_or(0.0)
}

/// For each of `entrants` entrants, the indices of its pairs.
fn pairs_of(pairs: &[Pair], entrants: usize) -> Vec<Vec<usize>> {
    let mut of = vec![Vec::new(); entrants];
    for (index, pair) in pairs.iter().enumerate() {
        of[pair.first].push(index);
        of[pair.second].push(index);
    }
    of
}

/// The member index in a pairing, from an entrant's `places`.
fn place_in(places: &[(usize, usize)], pairing: usize) -> Option<usize> {
    let index = places.binary_search_by_key(&pairing, |(own, _)| *own).ok()?;
    Some(places[index].1)
}

/// The pairings of an entrant, ascending, and its member index in each.
fn places(pairings: &[Vec<EntrantId>], id: EntrantId) -> Vec<(usize, usize)> {
    let place = |(index, members): (usize, &Vec<EntrantId>)| {
        members.binary_search(&id).ok().map(|place| (index, place))
    };
    pairings.iter().enumerate().filter_map(place).collect()
}

/// The pairs that are compared: all pairs, or the challenger and each other entrant.
fn pairs<G: Game>(schedule: &Schedule<'_, G>) -> Vec<Pair> {
    let active = schedule.active();
    let sides = TwoSidedBets::new(bound(schedule));
    let pair = |first, second| Pair { first, second, sides: sides.clone() };
    match schedule.hill().format() {
        Format::Challenge | Format::Duel { .. } => {
            let every_two = |first| (first + 1..active.len()).map(move |second| (first, second));
            (0..active.len()).flat_map(every_two).map(|(a, b)| pair(a, b)).collect()
        }
        Format::Gauntlet { .. } => {
            let challenger = schedule.hill().challenger(active);
            let challenger = challenger.and_then(|id| active.binary_search(&id).ok());
            let others =
                |challenger: usize| (0..active.len()).filter(move |other| *other != challenger);
            let pairs_of = |challenger| others(challenger).map(move |other| (challenger, other));
            challenger.into_iter().flat_map(pairs_of).map(|(a, b)| pair(a, b)).collect()
        }
    }
}

/// The largest possible lead of one entrant over another in a block. With fewer than two entrants nothing is compared.
fn bound<G: Game>(schedule: &Schedule<'_, G>) -> u64 {
    let (active, hill) = (schedule.active().len().max(2), schedule.hill());
    let format = hill.format();
    let (seats, all_play) = match (format, hill.challenge().seating) {
        (Format::Challenge, Seating::Everyone) => (active, true),
        (Format::Challenge, Seating::Drawn { least, most }) => (most.min(active), active <= least),
        (Format::Duel { seats }, _) => (seats, active <= seats),
        // Only the blocks between the two count.
        (Format::Gauntlet { .. }, _) => (2, true),
    };
    let alone = if all_play { 0 } else { G::max_points(seats) };
    G::max_lead(seats).max(alone) * format.games_per_block()
}

/// Whether a run with a stopping rule answered its question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppingReport {
    /// The confidence that was required.
    pub until: Confidence,
    /// Whether that confidence was reached.
    pub decided: bool,
    /// Games played, without play-offs.
    pub played: u64,
    /// The difference between the entrants, in a run of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
}

/// How many points per game one entrant is ahead of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// The entrant with more points.
    pub bot: String,
    /// The entrant with fewer points.
    pub over: String,
    /// The mean difference, in points per game.
    #[serde(serialize_with = "as_six_digits")]
    pub mean: f64,
    /// Its interval from a confidence sequence, at the confidence of the run.
    pub interval: Interval,
}

fn as_six_digits<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_digits(*value))
}
