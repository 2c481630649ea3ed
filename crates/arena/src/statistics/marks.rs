//! Marks: which entrants the games cannot tell apart.

/// Entrants of whom each pair is represented; of more, bands are made in the order of the ranks.
const MOST_LETTERED: usize = 100;

/// Marks for `count` ranked entrants. Two who `differ` share no letter.
///
/// Up to [`MOST_LETTERED`] entrants share a letter exactly if they do not differ. Among more the letters
/// are bands of neighbours, for the number of sets that would be exact grows without bound.
pub(crate) fn marks(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    if count <= MOST_LETTERED { letters(count, differ) } else { bands(count, differ) }
}

/// The longest runs of neighbours of whom no two differ, a letter each.
fn bands(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut marks = vec![String::new(); count];
    let (mut first, mut index) = (0, 0);
    for last in 0..count {
        // A run ends before an entrant who differs from somebody in it.
        if let Some(apart) = (first..last).rev().find(|other| differ(*other, last)) {
            marks[first..last].iter_mut().for_each(|mark| mark.push_str(&letter(index)));
            (first, index) = (apart + 1, index + 1);
        }
    }
    marks[first..].iter_mut().for_each(|mark| mark.push_str(&letter(index)));
    marks
}

/// Marks for `count` ranked entrants such that two share a letter exactly if they `differ` not.
///
/// Source: H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise
/// comparisons", J. Comput. Graph. Stat. 13 (2004), insertion and absorption.
fn letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut columns: Vec<Vec<bool>> = vec![vec![true; count]];
    for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
        if differ(a, b) && columns.iter().any(|column| column[a] && column[b]) {
            columns = separate(&columns, a, b);
        }
    }
    columns.sort_by_key(|column| column.iter().position(|member| *member));
    let mark = |row: usize| {
        let holds = columns.iter().enumerate().filter(|(_, column)| column[row]);
        holds.map(|(index, _)| letter(index)).collect()
    };
    (0..count).map(mark).collect()
}

/// Splits each column that holds both, and drops those that another column contains.
fn separate(columns: &[Vec<bool>], a: usize, b: usize) -> Vec<Vec<bool>> {
    let without = |column: &[bool], gone: usize| {
        let mut column = column.to_vec();
        column[gone] = false;
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

/// a to z, then a2 to z2, and so on.
fn letter(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26 + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_shared_exactly_by_those_who_do_not_differ() {
        let differing = |pairs: &'static [(usize, usize)]| move |a, b| pairs.contains(&(a, b));
        assert_eq!(letters(3, differing(&[])), ["a", "a", "a"]);
        assert_eq!(letters(3, differing(&[(0, 1), (0, 2), (1, 2)])), ["a", "b", "c"]);
        assert_eq!(letters(3, differing(&[(0, 2)])), ["a", "ab", "b"]);
        let odd = letters(4, differing(&[(0, 2), (1, 3)]));
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let shared = odd[a].chars().any(|c| odd[b].contains(c));
            assert_eq!(shared, ![(0, 2), (1, 3)].contains(&(a, b)), "{odd:?} {a} {b}");
        }
    }

    #[test]
    fn bands_are_runs_of_neighbours_who_do_not_differ() {
        let far = |distance: usize| move |a: usize, b: usize| a.abs_diff(b) >= distance;
        assert_eq!(bands(0, far(1)), Vec::<String>::new());
        assert_eq!(bands(3, far(9)), ["a", "a", "a"]);
        assert_eq!(bands(3, far(1)), ["a", "b", "c"]);
        assert_eq!(bands(4, far(2)), ["a", "ab", "bc", "c"]);
        // Somebody who differs from one in the middle alone ends the run there.
        assert_eq!(bands(4, |a, b| (a, b) == (1, 3)), ["a", "a", "ab", "b"]);
    }

    #[test]
    fn a_thousand_are_marked_at_once() {
        let marks = marks(1000, |a, b| (a * 7919 + b * 104_729) % 3 == 0);
        assert!(marks.iter().all(|mark| !mark.is_empty()));
        assert_eq!(letter(26), "a2");
    }
}
