//! Group letters: entrants that share a letter are not significantly different.

/// Up to this many entrants the letters represent every pair exactly; above it, only groups of neighbours in rank.
const MAX_EXACT_ENTRANTS: usize = 100;

/// The group letters of `count` ranked entrants. Two that `differ` share no letter.
///
/// Up to [`MAX_EXACT_ENTRANTS`] entrants, two share a letter exactly if they do not differ. Among more, a group is a
/// run of neighbours, because the number of groups of an exact representation has no useful bound.
pub(crate) fn group_letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    if count <= MAX_EXACT_ENTRANTS {
        exact_letters(count, differ)
    } else {
        neighbour_letters(count, differ)
    }
}

/// One letter for each maximal run of neighbours in which no two differ.
fn neighbour_letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut letters = vec![String::new(); count];
    let (mut first, mut index) = (0, 0);
    for last in 0..count {
        // A run ends before an entrant that differs from a member of the run.
        if let Some(different) = (first..last).rev().find(|other| differ(*other, last)) {
            letters[first..last].iter_mut().for_each(|text| text.push_str(&letter(index)));
            (first, index) = (different + 1, index + 1);
        }
    }
    letters[first..].iter_mut().for_each(|text| text.push_str(&letter(index)));
    letters
}

/// The letters of `count` ranked entrants, two of which share a letter exactly if they do not `differ`.
///
/// Source: H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise
/// comparisons", J. Comput. Graph. Stat. 13 (2004), insertion and absorption.
fn exact_letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut columns: Vec<Vec<bool>> = vec![vec![true; count]];
    for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
        if differ(a, b) && columns.iter().any(|column| column[a] && column[b]) {
            columns = separate(&columns, a, b);
        }
    }
    columns.sort_by_key(|column| column.iter().position(|member| *member));
    let letters_of = |row: usize| {
        let containing = columns.iter().enumerate().filter(|(_, column)| column[row]);
        containing.map(|(index, _)| letter(index)).collect()
    };
    (0..count).map(letters_of).collect()
}

/// Splits each column that contains both, and drops columns that are subsets of another.
fn separate(columns: &[Vec<bool>], a: usize, b: usize) -> Vec<Vec<bool>> {
    let without = |column: &[bool], row: usize| {
        let mut column = column.to_vec();
        column[row] = false;
        column
    };
    let mut split = Vec::new();
    for column in columns {
        if column[a] && column[b] {
            split.extend([without(column, a), without(column, b)]);
        } else {
            split.push(column.clone());
        }
    }
    let contains = |large: &[bool], small: &[bool]| small.iter().zip(large).all(|(s, l)| !s || *l);
    let mut kept: Vec<Vec<bool>> = Vec::new();
    for column in split {
        if !kept.iter().any(|other| contains(other, &column)) {
            kept.retain(|other| !contains(&column, other));
            kept.push(column);
        }
    }
    kept
}

/// a to z, then a2 to z2, a3 to z3, ...
fn letter(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26 + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_share_a_letter_exactly_if_they_do_not_differ() {
        let differing = |pairs: &'static [(usize, usize)]| move |a, b| pairs.contains(&(a, b));
        assert_eq!(exact_letters(3, differing(&[])), ["a", "a", "a"]);
        assert_eq!(exact_letters(3, differing(&[(0, 1), (0, 2), (1, 2)])), ["a", "b", "c"]);
        assert_eq!(exact_letters(3, differing(&[(0, 2)])), ["a", "ab", "b"]);
        let odd = exact_letters(4, differing(&[(0, 2), (1, 3)]));
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let shared = odd[a].chars().any(|c| odd[b].contains(c));
            assert_eq!(shared, ![(0, 2), (1, 3)].contains(&(a, b)), "{odd:?} {a} {b}");
        }
    }

    #[test]
    fn among_many_a_letter_is_a_run_of_neighbours_that_do_not_differ() {
        let far = |distance: usize| move |a: usize, b: usize| a.abs_diff(b) >= distance;
        assert_eq!(neighbour_letters(0, far(1)), Vec::<String>::new());
        assert_eq!(neighbour_letters(3, far(9)), ["a", "a", "a"]);
        assert_eq!(neighbour_letters(3, far(1)), ["a", "b", "c"]);
        assert_eq!(neighbour_letters(4, far(2)), ["a", "ab", "bc", "c"]);
        // An entrant that differs only from one in the middle ends the run there.
        assert_eq!(neighbour_letters(4, |a, b| (a, b) == (1, 3)), ["a", "a", "ab", "b"]);
    }

    #[test]
    fn each_of_a_thousand_entrants_has_a_letter() {
        let letters = group_letters(1000, |a, b| (a * 7919 + b * 104_729) % 3 == 0);
        assert!(letters.iter().all(|text| !text.is_empty()));
        assert_eq!(letter(26), "a2");
    }
}
