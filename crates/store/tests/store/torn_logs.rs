//! Logs that a crash has left damaged, and logs with lines that do not fit into memory.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use dicehill_arena::{Hill, Jobs, MAX_PLAY_OFFS, RunOptions, run};
use dicehill_store::{LogReader, LogWriter, TornTail, TruncatedTail};
use tempfile::TempDir;

use crate::test_hill::{GAMES, draft};

/// The log of a whole run, and the folder that holds it.
fn played_log() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let hill = Hill::new(draft()).expect("a hill");
    let mut log = LogWriter::create(&path).expect("a log");
    assert!(!log.has_stored(), "nothing is written yet");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    run(&hill, options, &mut |event| log.write(&event)).expect("it is written");
    assert!(log.has_stored());
    let bytes = fs::read(&path).expect("a log");
    (folder, path, bytes)
}

/// The bytes at which the lines start.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    [0].into_iter().chain(ends.map(|(end, _)| end + 1)).collect()
}

/// Opens a log with these bytes in each way; returns what was torn off, and expects `games` before it.
#[track_caller]
fn torn(path: &PathBuf, bytes: &[u8], games: u64) -> TornTail {
    fs::write(path, bytes).expect("ours");
    for refusing in [TruncatedTail::Refuse, TruncatedTail::Ignore] {
        let error = LogReader::open(path, refusing).err().expect("it is damaged").to_string();
        assert!(error.contains("--discard-torn") && error.contains("are complete"), "{error}");
    }
    let log = LogReader::open(path, TruncatedTail::Discard).expect("a log");
    assert_eq!(log.count(), games);
    let torn = log.torn_tail().expect("a torn end").clone();
    drop(LogWriter::resume(path, &log).expect("it can be resumed"));
    let kept = fs::read(path).expect("a log");
    assert!(kept == bytes[..torn.start as usize], "everything before it is kept");
    torn
}

#[test]
fn a_hole_is_reported_with_line_and_byte_and_cut_off_on_request() {
    let (_folder, path, whole) = played_log();
    let starts = starts(&whole);
    // Within a line, over the end of one, over several lines, and up to the end of the file.
    let to_end = usize::MAX;
    let holes = [(2, 10, 20), (3, 200, 1000), (5, 0, 3000), (7, 30, to_end), (6, 0, to_end)];
    for (line, from, length) in holes {
        let start = starts[line];
        let from = start + from;
        let mut bytes = whole.clone();
        let end = from.saturating_add(length).min(bytes.len());
        bytes[from..end].fill(0);
        if line == 7 {
            bytes.push(b'\n');
        }
        let TornTail { line: found, start: at, bytes: rest, damage } =
            torn(&path, &bytes, line as u64 - 1);
        assert_eq!((found, at, rest), (line + 1, start as u64, (bytes.len() - start) as u64));
        assert!(damage.contains("NUL bytes"), "{damage}");
    }
}

#[test]
fn damage_before_the_seal_is_named_as_a_change() {
    let (_folder, path, whole) = played_log();
    let at = starts(&whole)[4];
    let changed = [&whole[..at], b"not a line of a log\n", &whole[at..]].concat();
    fs::write(&path, &changed).expect("ours");
    let error = LogReader::open(&path, TruncatedTail::Refuse).err().expect("damaged").to_string();
    assert!(error.contains("log:5: ") && error.contains("the log was changed"), "{error}");
    // Without the seal, it may be what a power failure left.
    let seal = starts(&changed).into_iter().rev().nth(2).expect("the seal's line");
    fs::write(&path, &changed[..seal]).expect("ours");
    let error = LogReader::open(&path, TruncatedTail::Refuse).err().expect("damaged").to_string();
    let words = ["whole games follow it", "and else the log was changed"];
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
    assert!(!error.contains("probably"), "{error}");
}

#[test]
fn lines_that_a_missing_block_has_joined_are_cut_off_on_request() {
    let (_folder, path, whole) = played_log();
    let starts = starts(&whole);
    let bytes = [&whole[..starts[4] + 40], &whole[starts[6] + 7..]].concat();
    let torn = torn(&path, &bytes, 3);
    assert_eq!((torn.line, torn.start), (5, starts[4] as u64));
    assert!(torn.damage.contains("not a line of a run log"), "{}", torn.damage);
}

#[test]
fn an_incomplete_last_line_is_cut_off_and_an_altered_one_is_not() {
    let (_folder, path, whole) = played_log();
    let starts = starts(&whole);
    let end = starts[GAMES] + 25;
    fs::write(&path, &whole[..end]).expect("ours");
    let log = LogReader::open(&path, TruncatedTail::Ignore).expect("a log");
    let torn = log.torn_tail().expect("an incomplete line").clone();
    assert!(torn.is_incomplete_line());
    assert_eq!(
        torn.to_string(),
        format!("line 13, from byte {} on, 25 bytes: the line breaks off", starts[GAMES])
    );
    // A game that is there twice was not left by a crash.
    let twice = [&whole[..starts[3]], &whole[starts[2]..starts[3]]].concat();
    fs::write(&path, twice).expect("ours");
    let error = LogReader::open(&path, TruncatedTail::Discard).err().expect("it was altered");
    assert!(error.is_altered(), "{error}");
}

#[test]
fn a_log_without_a_whole_header_says_so() {
    let (_folder, path, whole) = played_log();
    let incomplete = "neither a header nor a game";
    let overwritten = "the header has NUL bytes, as a power failure leaves them, and without it no game can be read; start the run again";
    let moved = "the header has NUL bytes, as a power failure leaves them, and without it no game can be read; move the file away";
    let mut with_hole = whole.clone();
    with_hole[90..120].fill(0);
    for (torn, why) in [
        (whole[..90].to_vec(), incomplete),
        (vec![0; 90], overwritten),
        ([&whole[..90], &[0; 30], b"\n"].concat(), moved),
        (with_hole, moved),
    ] {
        fs::write(&path, torn).expect("ours");
        for tail in [TruncatedTail::Refuse, TruncatedTail::Ignore, TruncatedTail::Discard] {
            let error = LogReader::open(&path, tail).err().expect("no header").to_string();
            assert!(error.contains("log:1: ") && error.contains(why), "{error}");
        }
        // What the message says of a new run is true.
        assert_eq!(LogWriter::create(&path).is_ok(), why != moved, "{why}");
    }
}

/// Otherwise the games of a run that was resumed meanwhile would be cut off.
#[test]
fn a_log_that_has_grown_since_it_was_read_is_not_resumed() {
    let (_folder, path, whole) = played_log();
    let starts = starts(&whole);
    fs::write(&path, &whole[..starts[5]]).expect("ours");
    let log = LogReader::open(&path, TruncatedTail::Ignore).expect("a log");
    fs::write(&path, &whole[..starts[8]]).expect("ours");
    let error = LogWriter::resume(&path, &log).err().expect("it has grown");
    assert!(error.is_busy(), "{error}");
    assert_eq!(fs::read(&path).expect("a log").len(), starts[8]);
}

/// A run ends with an error if something happens to its log after some lines.
#[track_caller]
fn check_disturbed(disturb: fn(&Path) -> io::Result<()>, what: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let hill = Hill::new(draft()).expect("a hill");
    let mut log = LogWriter::create(&path).expect("a log");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let mut events = 0;
    let ended = run(&hill, options, &mut |event| {
        log.write(&event)?;
        events += 1;
        if events == 4 { disturb(&path) } else { Ok(()) }
    });
    let error = ended.err().expect("the run is not where it was").to_string();
    assert!(error.contains(&format!("log: was {what} while the run was being played")), "{error}");
    assert!(!log.has_stored());
    assert!(log.flush().is_err(), "a writer that has failed stays so");
}

#[test]
fn a_log_that_another_program_moves_or_changes_is_an_error_of_its_run() {
    check_disturbed(|log| fs::remove_file(log), "deleted");
    check_disturbed(|log| fs::rename(log, log.with_extension("old")), "moved or replaced");
    let replace = |log: &Path| {
        fs::rename(log, log.with_extension("old"))?;
        fs::write(log, "x")
    };
    check_disturbed(replace, "moved or replaced");
    // As `copytruncate` does.
    check_disturbed(|log| fs::write(log, ""), "changed by another program");
}

/// The result of a league of thousands has one line for all pairings.
#[test]
fn a_result_of_any_length_is_read() {
    const MORE: usize = 65 << 20;
    let (_folder, path, whole) = played_log();
    let last = starts(&whole)[GAMES + 2];
    let result = std::str::from_utf8(&whole[last..]).expect("text").trim_end();
    let open = result.strip_suffix('}').expect("an object");
    let mut file = BufWriter::new(File::create(&path).expect("ours"));
    file.write_all(&whole[..last]).expect("it is written");
    write!(file, "{open},\"more\":[").expect("it is written");
    let chunk = "[1,2,3,4,5],".repeat(1 << 12);
    let chunks = MORE / chunk.len() + 1;
    (0..chunks).for_each(|_| file.write_all(chunk.as_bytes()).expect("it is written"));
    file.write_all(b"null]}\n").expect("it is written");
    drop(file);
    let log = LogReader::open(&path, TruncatedTail::Refuse).expect("a log");
    assert!(log.has_result());
    let expected = open.len() + ",\"more\":[".len() + chunks * chunk.len() + "null]}".len();
    let mut reader = log.result_reader().expect("a result");
    let read = io::copy(&mut reader, &mut io::sink()).expect("it can be read");
    assert_eq!(read, expected as u64);
    // No other line may be as long.
    let game = format!("{{\"type\":\"game\",\"game\":1,\"x\":\"{}\"}}\n", "x".repeat(MORE));
    let header = &whole[..starts(&whole)[1]];
    fs::write(&path, [header, game.as_bytes()].concat()).expect("ours");
    let error = LogReader::open(&path, TruncatedTail::Refuse).err().expect("no game").to_string();
    assert!(
        error.contains("log:2: longer than 64 MiB, which is allowed only for a result"),
        "{error}"
    );
}
