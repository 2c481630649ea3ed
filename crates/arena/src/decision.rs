//! Whether a run has answered its question, so that it may end.

use dicehill_rules::{Game, SeatResult, Seating};
use serde::{Deserialize, Serialize, Serializer};

use crate::bets::Sides;
use crate::confidence_sequence::Counts;
use crate::statistics::six_digits;
use crate::{Confidence, EntrantId, Fixture, Format, Hill, Interval, Schedule};

/// What a run that is to end early has found out so far, from its games in their order.
///
/// It looks whenever a round is complete: every pairing has played the same number of blocks, and so
/// the sums of points compare. Two entrants are compared by bets (see `Bets`) on the difference of their
/// points in each block, all with the same stakes. The blocks of a round do not depend on each other,
/// and so, if the expectations of their differences add up to zero or less, no bet wins on average over
/// a round: the product of 1 + stake x expectation is at most the exponential of their sum.
///
/// Where only one of the two sits, the other is given the points that are usual for a block, from the
/// rounds before. As both sit equally often, in fact or in expectation, that cancels; it takes away
/// most of what two who seldom meet differ in by chance.
#[derive(Debug)]
pub(crate) struct Decision {
    question: Question,
    confidence: Confidence,
    /// Ascending.
    active: Vec<EntrantId>,
    games_per_block: u64,
    pairs: Vec<Pair>,
    /// The indexes of the pairs of which each of `active` is one.
    pairs_of: Vec<Vec<usize>>,
    /// The points of the round so far, by pairing and member; `None` for one that has not sat.
    round: Vec<Vec<Option<u64>>>,
    /// Where each of `active` is a member: pairing and place.
    places: Vec<Vec<(usize, usize)>>,
    usual: Usual,
    /// What the board shows of each of `active` once the round is complete.
    totals: Vec<u64>,
    /// The differences of a run of two.
    leads: Option<Counts>,
    decided: bool,
}

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Who has more points than each other.
    Champion,
    /// Who of the others is better than the challenger, and who worse.
    Challenger,
}

/// Two that are compared, by their indexes among the active ones.
#[derive(Debug)]
struct Pair {
    first: usize,
    second: usize,
    sides: Sides,
}

/// The points that an entrant usually has in a block: the mean of the rounds before, rounded down.
#[derive(Debug, Default)]
struct Usual {
    points: u64,
    blocks: u64,
}

impl Usual {
    fn add(&mut self, points: u64) {
        self.points += points;
        self.blocks += 1;
    }

    const fn points(&self) -> i64 {
        match self.points.checked_div(self.blocks) {
            Some(mean) => mean as i64,
            None => 0,
        }
    }
}

impl Decision {
    /// Nothing known yet; `None` of a run that plays all its games.
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
            usual: Usual::default(),
            totals: active.iter().map(|id| hill.head_start(*id)).collect(),
            leads: (active.len() == 2).then(Counts::new),
            active,
            decided: false,
        })
    }

    /// Takes the next scheduled game.
    pub(crate) fn add<G: Game>(
        &mut self,
        schedule: &Schedule<'_, G>,
        fixture: &Fixture,
        results: &[SeatResult],
    ) {
        let pairing = schedule.pairing_of(fixture.game);
        let members = &schedule.pairings()[pairing];
        for (id, result) in fixture.seats.iter().zip(results) {
            let place = members.binary_search(id).expect("only members sit in a pairing's games");
            *self.round[pairing][place].get_or_insert(0) += result.points;
        }
        if schedule.completes_round(fixture.game) {
            self.complete_round();
        }
    }

    /// Whether the question is answered.
    pub(crate) const fn is_decided(&self) -> bool {
        self.decided
    }

    /// How sure the answer is so far: one minus a bound on the chance of such evidence for any wrong one.
    pub(crate) fn certainty(&self) -> f64 {
        (1.0 - self.wrong_answers() / self.evidence()).max(0.0)
    }

    /// What the run came to, after so many games.
    pub(crate) fn verdict<G: Game>(&self, hill: &Hill<G>, played: u64) -> Verdict {
        let lead = self.leads.as_ref().and_then(|leads| self.lead(hill, leads));
        Verdict { until: self.confidence, decided: self.decided, played, lead }
    }

    fn lead<G: Game>(&self, hill: &Hill<G>, leads: &Counts) -> Option<Lead> {
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
        let sits = |places: &Vec<_>| places.iter().any(|place| self.points(*place).is_some());
        let sitting: Vec<bool> = self.places.iter().map(sits).collect();
        for index in (0..self.active.len()).filter(|index| sitting[*index]) {
            for number in 0..self.pairs_of[index].len() {
                let pair = self.pairs_of[index][number];
                let first = self.pairs[pair].first;
                // Of two that both sit, the first takes care.
                if index == first || !sitting[first] {
                    self.compare(pair);
                }
            }
        }
        self.add_points();
        self.round.iter_mut().for_each(|points| points.fill(None));
        self.decided = self.evidence() >= self.wrong_answers() / self.confidence.error();
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
                    self.usual.add(points);
                    self.totals[index] += points;
                }
            }
        }
    }

    fn points(&self, (pairing, place): (usize, usize)) -> Option<u64> {
        self.round[pairing][place]
    }

    /// By how much the first of a pair is ahead in each block of the round in which either sits. With a
    /// challenger these are the blocks of the two alone, for it sits more often than the others.
    fn leads_of(&self, pair: &Pair) -> Vec<i64> {
        let [first, second] = [pair.first, pair.second].map(|index| self.places[index].as_slice());
        let alone = match self.question {
            Question::Champion => first,
            Question::Challenger => &[],
        };
        let joins = |(pairing, _): &&(usize, usize)| place_in(alone, *pairing).is_none();
        let pairings = alone.iter().chain(second.iter().filter(joins));
        let usual = self.usual.points();
        let lead = |(pairing, _): &(usize, usize)| {
            let points = |places| self.points((*pairing, place_in(places, *pairing)?));
            match [points(first), points(second)].map(|points| points.map(|points| points as i64)) {
                [None, None] => None,
                [first, second] => Some(first.unwrap_or(usual) - second.unwrap_or(usual)),
            }
        };
        pairings.filter_map(lead).collect()
    }

    /// The evidence for the answer that the points suggest: that of its weakest comparison.
    fn evidence(&self) -> f64 {
        match (self.question, self.leader()) {
            (Question::Champion, None) => 0.0,
            (Question::Champion, Some(leader)) => least(self.pairs_of[leader].iter().map(|pair| {
                let Pair { first, sides, .. } = &self.pairs[*pair];
                if *first == leader { sides.above.evidence() } else { sides.below.evidence() }
            })),
            (Question::Challenger, _) => least(
                self.pairs
                    .iter()
                    .map(|Pair { sides, .. }| sides.above.evidence().max(sides.below.evidence())),
            ),
        }
    }

    /// Who leads alone on the board, votes included.
    fn leader(&self) -> Option<usize> {
        let most = self.totals.iter().max()?;
        let mut leaders = (0..self.totals.len()).filter(|index| self.totals[*index] == *most);
        leaders.next().filter(|_| leaders.next().is_none())
    }

    /// How many comparisons have to go wrong, each by itself, for the answer to be able to. Whoever is
    /// best, a wrong champion has to be found ahead of that one; and of several that are equally good each
    /// is wrong, which adds one comparison between two of them.
    fn wrong_answers(&self) -> f64 {
        match self.question {
            Question::Champion => self.active.len() as f64,
            Question::Challenger => 2.0 * self.pairs.len() as f64,
        }
    }
}

/// The least evidence of several comparisons; of none there is none.
fn least(evidence: impl Iterator<Item = f64>) -> f64 {
    evidence.reduce(f64::min).unwrap_or(0.0)
}

/// The indexes of the pairs of which each of so many entrants is one.
fn pairs_of(pairs: &[Pair], entrants: usize) -> Vec<Vec<usize>> {
    let mut of = vec![Vec::new(); entrants];
    for (index, pair) in pairs.iter().enumerate() {
        of[pair.first].push(index);
        of[pair.second].push(index);
    }
    of
}

/// Where a member of pairings has its place in one of them.
fn place_in(places: &[(usize, usize)], pairing: usize) -> Option<usize> {
    let index = places.binary_search_by_key(&pairing, |(own, _)| *own).ok()?;
    Some(places[index].1)
}

/// The pairings of an entrant, ascending, and its place in each.
fn places(pairings: &[Vec<EntrantId>], id: EntrantId) -> Vec<(usize, usize)> {
    let place = |(index, members): (usize, &Vec<EntrantId>)| {
        members.binary_search(&id).ok().map(|place| (index, place))
    };
    pairings.iter().enumerate().filter_map(place).collect()
}

/// All that are compared: every two, or the challenger with each other.
fn pairs<G: Game>(schedule: &Schedule<'_, G>) -> Vec<Pair> {
    let active = schedule.active();
    let sides = Sides::new(bound(schedule));
    let pair = |first, second| Pair { first, second, sides: sides.clone() };
    match schedule.hill().format() {
        Format::Challenge | Format::Duel { .. } => {
            let every_two = |first| (first + 1..active.len()).map(move |second| (first, second));
            (0..active.len()).flat_map(every_two).map(|(a, b)| pair(a, b)).collect()
        }
        Format::Gauntlet { .. } => {
            let challenger = schedule.hill().challenger(active);
            let challenger = challenger.and_then(|id| active.binary_search(&id).ok());
            let others = |one: usize| (0..active.len()).filter(move |other| *other != one);
            let with = |one| others(one).map(move |other| (one, other));
            challenger.into_iter().flat_map(with).map(|(a, b)| pair(a, b)).collect()
        }
    }
}

/// By how much one can be ahead of another in a block, at most. With fewer than two there is nobody to
/// compare.
fn bound<G: Game>(schedule: &Schedule<'_, G>) -> u64 {
    let (active, format) = (schedule.active().len().max(2), schedule.hill().format());
    let (seats, everybody_sits) = match (format, G::CHALLENGE.seating) {
        (Format::Challenge, Seating::Everyone) => (active, true),
        (Format::Challenge, Seating::Drawn { least, most }) => (most.min(active), active <= least),
        (Format::Duel { seats }, _) => (seats, active <= seats),
        // Two that meet nobody else count.
        (Format::Gauntlet { .. }, _) => (2, true),
    };
    let apart = if everybody_sits { 0 } else { G::most_points(seats) };
    G::most_lead(seats).max(apart) * format.games_per_block()
}

/// Whether a run that was to end early has found out what it was to find out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// How sure it had to be.
    pub until: Confidence,
    /// Whether it became so sure.
    pub decided: bool,
    /// Games played, play-offs aside.
    pub played: u64,
    /// The difference between the two of a run of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
}

/// By how many points a game one entrant is better than another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// Who has more points.
    pub bot: String,
    /// Who has fewer.
    pub over: String,
    /// The difference, on average.
    #[serde(serialize_with = "as_six_digits")]
    pub mean: f64,
    /// Its interval, which holds at all times at once with the confidence of the run.
    pub interval: Interval,
}

fn as_six_digits<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_digits(*value))
}
