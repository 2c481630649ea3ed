//! Where a log may be begun.

use dicehill_store::LogWriter;

#[test]
fn two_runs_cannot_share_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let first = LogWriter::create(&path).unwrap();
    let refused = LogWriter::create(&path).err().expect("the first still writes");
    assert!(refused.to_string().ends_with("log: another run writes to it"), "{refused}");
    drop(first);
    LogWriter::create(&path).unwrap();
}

/// What a killed process, or a full disk, has left of a log that had not begun.
#[test]
fn a_log_begins_over_a_torn_header_and_over_nothing_else() {
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
