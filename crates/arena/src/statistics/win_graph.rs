//! Which entrants are connected by wins.

use std::collections::BTreeMap;

use super::sample_outcome::SampleOutcome;

/// The entrants at the top of a field, and those below them.
///
/// A win leads from the winner to everybody at the table. The likelihood bounds the difference of two strengths on
/// both sides exactly if wins lead from each of the two to the other, maybe by way of others.
///
/// Source: Ford, "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64 (1957).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Top {
    /// Entrants that wins connect both ways, and that no other entrant has beaten; ascending.
    pub(super) members: Vec<usize>,
    /// Entrants to which wins lead from the members, but not back; ascending.
    pub(super) below: Vec<usize>,
}

/// The tables, as nodes between winners and those who sat at them.
struct WinGraph {
    /// By table, the entrants at it.
    seats: Vec<Vec<usize>>,
    /// By table, its winners.
    winners: Vec<Vec<usize>>,
    /// By entrant, the tables at which it sat.
    sat: Vec<Vec<usize>>,
    /// By entrant, the tables at which it won.
    won: Vec<Vec<usize>>,
}

impl Top {
    /// Of `entrants` entrants with these outcomes, none of which is without a winner.
    pub(super) fn new(outcomes: &[&SampleOutcome], entrants: usize) -> Self {
        let graph = WinGraph::new(outcomes, entrants);
        let mut seen = vec![false; entrants];
        let mut top = 0;
        for entrant in (0..entrants).filter(|entrant| !graph.sat[*entrant].is_empty()) {
            if !seen[entrant] {
                // Nobody seen so far leads to this entrant; so the last one found here has no one above it.
                top = entrant;
                spread(&mut seen, entrant, &graph.won, &graph.seats);
            }
        }
        let (mut below, mut above) = (vec![false; entrants], vec![false; entrants]);
        spread(&mut below, top, &graph.won, &graph.seats);
        spread(&mut above, top, &graph.sat, &graph.winners);
        let (members, below) = (0..entrants)
            .filter(|entrant| below[*entrant])
            .partition(|entrant: &usize| above[*entrant]);
        Self { members, below }
    }
}

impl WinGraph {
    fn new(outcomes: &[&SampleOutcome], entrants: usize) -> Self {
        let mut tables: BTreeMap<&[usize], Vec<usize>> = BTreeMap::new();
        for outcome in outcomes {
            let winners = tables.entry(&outcome.seats).or_default();
            winners.extend(outcome.winners.iter().map(|(_, winner)| *winner));
            winners.sort_unstable();
            winners.dedup();
        }
        let (mut sat, mut won) = (vec![Vec::new(); entrants], vec![Vec::new(); entrants]);
        for (table, (seats, winners)) in tables.iter().enumerate() {
            seats.iter().for_each(|seat| sat[*seat].push(table));
            winners.iter().for_each(|winner| won[*winner].push(table));
        }
        let (seats, winners) = tables.into_iter().map(|(seats, w)| (seats.to_vec(), w)).unzip();
        Self { seats, winners, sat, won }
    }
}

/// Marks `from` and all entrants to which `tables` of an entrant and `entrants` of a table lead.
fn spread(seen: &mut [bool], from: usize, tables: &[Vec<usize>], entrants: &[Vec<usize>]) {
    let mut visited = vec![false; entrants.len()];
    let mut open = vec![from];
    seen[from] = true;
    while let Some(entrant) = open.pop() {
        for table in &tables[entrant] {
            if std::mem::replace(&mut visited[*table], true) {
                continue;
            }
            for next in &entrants[*table] {
                if !std::mem::replace(&mut seen[*next], true) {
                    open.push(*next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the top of four entrants; a game is its seats and its winner.
    fn check(games: &[(&[usize], usize)], members: &[usize], below: &[usize]) {
        let outcome = |(seats, winner): &(&[usize], usize)| SampleOutcome {
            count: 1,
            seats: seats.to_vec(),
            winners: vec![(1, *winner)],
        };
        let outcomes: Vec<_> = games.iter().map(outcome).collect();
        let top = Top::new(&outcomes.iter().collect::<Vec<_>>(), 4);
        assert_eq!((top.members.as_slice(), top.below.as_slice()), (members, below), "{games:?}");
    }

    #[test]
    fn the_top_are_those_whom_wins_connect_both_ways() {
        let all: &[usize] = &[0, 1, 2, 3];
        check(&[(all, 1)], &[1], &[0, 2, 3]);
        check(&[(all, 1), (all, 3)], &[1, 3], &[0, 2]);
        // Each beats the next, and the last the first.
        check(&[(&[0, 1], 0), (&[1, 2], 1), (&[2, 3], 2), (&[0, 3], 3)], all, &[]);
        // Below the top two others beat each other.
        let pairs: [(&[usize], usize); 6] =
            [(&[0, 1], 0), (&[0, 1], 1), (&[2, 3], 2), (&[2, 3], 3), (&[0, 2], 0), (&[1, 3], 1)];
        check(&pairs, &[0, 1], &[2, 3]);
        // Nothing says which of 0 and 3 is better; one of them is the top.
        check(&[(&[0, 1], 0), (&[1, 3], 3)], &[3], &[1]);
    }
}
