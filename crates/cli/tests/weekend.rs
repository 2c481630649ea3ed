//! A weekend of a hill in a minute: authors of all kinds, restarts, a full disk and an upgrade. `cargo xtask prove weekend` is the
//! long form.

use std::process::Command;

use crate::support::external::python;
use crate::support::machine::can_isolate;
use crate::support::{parse_json, project_path};

#[test]
fn a_short_weekend_loses_nothing_and_bars_no_honest_bot() {
    if !can_isolate() {
        return;
    }
    let mut command = Command::new(python()[0]);
    command.arg(project_path("proofs/weekend/weekend.py")).arg(env!("CARGO_BIN_EXE_dicehill"));
    command.args(["--authors", "8", "--uploads", "14", "--restarts", "2", "--seconds", "30"]);
    let output = command.args(["--seed", "7", "--disk", "96"]).output().expect("Python starts");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    let weekend = parse_json(&out);
    for nothing in ["lost", "wrong", "barred", "refused"] {
        assert_eq!(weekend[nothing], serde_json::json!([]), "{weekend:#}");
    }
    assert_eq!(weekend["integrity"], serde_json::json!(["ok"]), "{weekend:#}");
    assert_eq!(
        (&weekend["altered"], &weekend["escaped"]),
        (&0.into(), &false.into()),
        "{weekend:#}"
    );
    assert!(weekend["events"].as_array().is_some_and(|events| events.len() >= 3), "{weekend:#}");
}
