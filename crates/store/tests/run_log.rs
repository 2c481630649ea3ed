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
