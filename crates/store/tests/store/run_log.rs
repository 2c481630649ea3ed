//! Where a run log may be created.

use dicehill_store::LogWriter;

#[test]
fn two_runs_cannot_write_to_one_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let first = LogWriter::create(&path).unwrap();
    let error = LogWriter::create(&path).err().expect("the first run still writes");
    assert!(error.is_busy());
    assert!(error.to_string().ends_with("log: another run is writing to it"), "{error}");
    drop(first);
    LogWriter::create(&path).unwrap();
}

/// A killed process or a full disk leaves an incomplete header.
#[test]
fn a_log_replaces_an_incomplete_header_and_no_other_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let header = "{\"type\":\"header\",\"schema\":\"dicehill.log/1\",\"program\":\"dice";
    std::fs::write(&path, header).unwrap();
    drop(LogWriter::create(&path).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"");
    for kept in [&header[..30], &format!("{header}hill\"}}\n"), "notes of a user"] {
        std::fs::write(&path, kept).unwrap();
        assert!(LogWriter::create(&path).is_err(), "{kept}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
    }
}

/// A power failure may leave a file with the length that it had, and NUL bytes for what was not stored.
#[test]
fn a_log_replaces_the_nul_bytes_of_an_incomplete_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let header = b"{\"type\":\"header\",\"schema\":\"dicehill.log/1\",\"program\":\"dice";
    for torn in [vec![0; 300], [&header[..], &[0; 40]].concat()] {
        std::fs::write(&path, torn).unwrap();
        drop(LogWriter::create(&path).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"");
    }
}
