//! Suggestions for misspelt names.

use std::fs;
use std::path::Path;

use super::file_kind::is_side_file;

/// The longest name that is compared: others are no misspellings.
const MAX_LENGTH: usize = 100;
/// The shortest beginning of a name that is completed.
const MIN_BEGINNING: usize = 3;
/// The most files of a folder that are compared with a missing one.
const MAX_FILES: usize = 1000;

/// `; did you mean "greedy"?` for `gredy`, or nothing if no candidate is close.
///
/// ```
/// use dicehill_store::did_you_mean;
///
/// let bots = ["greedy", "random"];
/// assert_eq!(did_you_mean("gredy", bots), "; did you mean \"greedy\"?");
/// assert_eq!(did_you_mean("Mine", bots), "");
/// ```
#[must_use]
pub fn did_you_mean<T: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = T>) -> String {
    closest(name, candidates)
        .map_or_else(String::new, |one| format!("; did you mean {:?}?", one.as_ref()))
}

/// The same for a path, among the files and folders next to it: those of the same name with an extension of this program's
/// files, such as `spring.db` for `spring`, or else the one with the most similar name.
#[must_use]
pub fn did_you_mean_file(path: &Path) -> String {
    did_you_mean_file_at(path, path)
}

/// The same for a path that is looked for in another folder than the working folder, `at`.
#[must_use]
pub fn did_you_mean_file_at(path: &Path, at: &Path) -> String {
    let folder = match at.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return String::new() };
    let Ok(files) = fs::read_dir(folder) else { return String::new() };
    let names = files.take(MAX_FILES).filter_map(|file| file.ok()?.file_name().into_string().ok());
    let names = names.filter(|file| !is_side_file(Path::new(file)));
    // The order of a folder is arbitrary.
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    let with_extension: Vec<_> = names.iter().filter(|file| extends(file, name)).collect();
    if !with_extension.is_empty() {
        let quoted = with_extension.iter().map(|file| format!("{:?}", path.with_file_name(file)));
        return format!("; did you mean {}?", quoted.collect::<Vec<_>>().join(" or "));
    }
    match closest(name, names) {
        Some(found) => format!("; did you mean {:?}?", path.with_file_name(found)),
        None => String::new(),
    }
}

/// Whether a file has this name and the extension of a hill, a hill file or a run log.
fn extends(file: &str, name: &str) -> bool {
    let extension = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    extension.is_some_and(|extension| ["db", "jsonl", "toml"].contains(&extension))
}

/// The candidate with the smallest distance, the first of equal ones, if at most a third of the longer name is misspelt; or
/// else the only one that begins with the name.
///
/// The distance counts inserted, deleted, replaced and swapped characters, without case.
#[must_use]
pub fn closest<T: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = T>) -> Option<T> {
    let wanted = folded(name)?;
    let mut close: Option<(usize, T)> = None;
    let mut longer = Vec::new();
    for one in candidates {
        let Some(folded) = folded(one.as_ref()) else { continue };
        let steps = distance(&wanted, &folded);
        if steps > wanted.len().max(folded.len()) / 3 {
            if wanted.len() >= MIN_BEGINNING && folded.starts_with(&wanted) {
                longer.push(one);
            }
        } else if close.as_ref().is_none_or(|(least, _)| steps < *least) {
            close = Some((steps, one));
        }
    }
    let only = longer.pop().filter(|_| longer.is_empty());
    close.map(|(_, one)| one).or(only)
}

/// The characters without case; `None` if there are too many, or none.
fn folded(name: &str) -> Option<Vec<char>> {
    let folded: Vec<_> = name.chars().take(MAX_LENGTH + 1).flat_map(char::to_lowercase).collect();
    (1..=MAX_LENGTH).contains(&folded.len()).then_some(folded)
}

/// The optimal string alignment distance: inserted, deleted, replaced and swapped characters.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = Vec::new();
    let mut last: Vec<_> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut steps = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                let swapped: &Vec<usize> = &before;
                steps = steps.min(swapped[j - 1] + 1);
            }
            row.push(steps);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_changes() {
        let between = |a: &str, b: &str| {
            distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        for (a, b, steps) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("gredy", "greedy", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(between(a, b), steps, "{a} {b}");
        }
    }

    #[test]
    fn only_misspellings_are_suggested() {
        let names = ["bayes", "seer", "badnomial", "honest"];
        let of = |name| closest(name, names);
        assert_eq!(of("bays"), Some("bayes"));
        assert_eq!(of("Badnominal"), Some("badnomial"));
        assert_eq!(of("sere"), Some("seer"));
        assert_eq!(closest("yatze", ["yahtzee", "chance"]), Some("yahtzee"));
        assert_eq!(closest("mego", ["official", "mego-2016"]), Some("mego-2016"));
        assert_eq!(closest("mego", ["mego-2016", "mego-2017"]), None);
        assert_eq!(closest("me", ["official", "mego-2016"]), None);
        assert_eq!(closest("a", ["b", "A"]), Some("A"));
        assert_eq!(closest("a", ["b"]), None);
        assert_eq!(of("pirate"), None);
        assert_eq!(of(""), None);
        assert_eq!(of(&"bayes".repeat(100)), None);
    }

    #[test]
    fn files_next_to_a_missing_one_are_suggested() {
        let scratch = tempfile::tempdir().expect("a folder");
        fs::write(scratch.path().join("spring.toml"), "").expect("a file");
        let of = |name: &str| did_you_mean_file(&scratch.path().join(name));
        assert!(of("sprin.toml").ends_with("spring.toml\"?"), "{}", of("sprin.toml"));
        assert_eq!(of("autumn.toml"), "");
        assert!(of("spring").ends_with("spring.toml\"?"), "{}", of("spring"));
        fs::write(scratch.path().join("spring.db"), "").expect("a file");
        let both = of("spring");
        assert!(both.contains("spring.db\" or ") && both.ends_with("spring.toml\"?"), "{both}");
        assert_eq!(of("none/spring.toml"), "");
    }
}
