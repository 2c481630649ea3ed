//! The pages of a run as files.

use std::collections::BTreeMap;

use dicehill_store::{FileError, RunSource};

use super::test_hill::{TestHill, source};
use crate::{PageSink, write_pages};

/// Files in memory.
#[derive(Default)]
struct Files {
    files: BTreeMap<String, String>,
    last: String,
    advanced: u64,
}

impl PageSink for Files {
    type Error = FileError;

    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), FileError> {
        let content = String::from_utf8(content.to_vec()).expect("text");
        assert!(self.files.insert(name.to_owned(), content).is_none(), "{name} comes twice");
        self.last = name.to_owned();
        Ok(())
    }

    fn advance(&mut self) -> Result<(), FileError> {
        self.advanced += 1;
        Ok(())
    }
}

/// Writes the files of a run, and checks that all links between them lead somewhere.
#[track_caller]
fn written(source: &RunSource, wanted: &[u64]) -> Files {
    let mut files = Files::default();
    write_pages(source, wanted, &mut files).expect("it is written");
    assert!(files.advanced >= source.count());
    assert_eq!(files.last, "index.html");
    for (name, page) in files.files.iter().filter(|(name, _)| name.ends_with(".html")) {
        for link in page.split(" href=\"").chain(page.split(" src=\"")).skip(1) {
            let link = link.split(['"', '#']).next().unwrap_or_default();
            let leads = link.is_empty() || files.files.contains_key(link);
            assert!(leads || link.starts_with("<!DOCTYPE"), "{link:?} in {name}");
        }
        assert!(page.contains("Content-Security-Policy"), "{name}");
    }
    files
}

#[test]
fn a_store_and_its_log_have_the_same_pages() {
    for hill in [TestHill::yahtzee(30), TestHill::liars_dice(30)] {
        let stored = written(&hill.source(), &[]);
        let logged = written(&source(&hill.log), &[]);
        assert!(stored.files.keys().eq(logged.files.keys()));
        let games = stored.files.keys().filter(|name| name.starts_with("game-")).count();
        assert!((20..=30).contains(&games), "{games}");
        assert!(stored.files["index.html"].contains("among the first"));
    }
}

#[test]
fn pages_of_an_unfinished_log_show_its_progress() {
    let hill = TestHill::yahtzee(30);
    let log = std::fs::read_to_string(&hill.log).expect("the log");
    let half: String = log.lines().take(11).map(|line| format!("{line}\n")).collect();
    std::fs::write(&hill.log, half).expect("written");
    let files = written(&source(&hill.log), &[4]);
    let index = &files.files["index.html"];
    assert!(index.contains("10 of 30 games"), "{index}");
    assert!(index.contains("Leader") && !index.contains("Champion"), "{index}");
    let games: Vec<_> = files.files.keys().filter(|name| name.starts_with("game-")).collect();
    assert_eq!(games, ["game-4.html"]);
}

#[test]
fn a_missing_game_is_refused() {
    let hill = TestHill::yahtzee(2);
    let refused = write_pages(&hill.source(), &[3], &mut Files::default());
    assert!(refused.is_err_and(|error| error.to_string().contains("has no game 3")));
}
