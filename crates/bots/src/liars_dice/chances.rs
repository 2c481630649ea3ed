//! The odds that unseen dice bear out a bid.

/// The most dice on a table.
const MOST_DICE: usize = 25;

/// `TABLE[n][k]` is the number of the 3^n equally likely outcomes of n dice, each counting with
/// chance one third, in which at least k count.
static TABLE: [[u64; MOST_DICE + 1]; MOST_DICE + 1] = outcomes();

const fn outcomes() -> [[u64; MOST_DICE + 1]; MOST_DICE + 1] {
    let mut table = [[0; MOST_DICE + 1]; MOST_DICE + 1];
    table[0][0] = 1;
    let mut n = 1;
    while n <= MOST_DICE {
        table[n][0] = 3 * table[n - 1][0];
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + 2 * table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The chance that at least `needed` of `dice` unseen dice show a given face or a one: 1 if none is
/// needed, 0 if more than there are. As the outcomes it holds in, and all there are.
///
/// # Panics
/// If there are more than 25 dice.
pub(super) fn at_least(dice: u32, needed: i64) -> (u64, u64) {
    let outcomes = &TABLE[dice as usize];
    let favourable = match usize::try_from(needed) {
        Err(_) => outcomes[0],
        Ok(needed) => outcomes.get(needed).copied().unwrap_or(0),
    };
    (favourable, outcomes[0])
}

#[cfg(test)]
mod tests {
    use super::at_least;

    #[test]
    fn chances_are_those_of_the_binomial_distribution() {
        assert_eq!(at_least(2, 1), (5, 9));
        assert_eq!(at_least(3, 2), (7, 27));
        assert_eq!(at_least(4, -1), (81, 81));
        assert_eq!(at_least(4, 5), (0, 81));
        assert_eq!(at_least(25, 0).0, 3u64.pow(25));
    }
}
