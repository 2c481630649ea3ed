//! A weekend of a hill in minutes, as `proofs/weekend/weekend.py` plays it.

use std::error::Error;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

use crate::figures::Figure;
use crate::prove::shipped;
use xtask::root;

/// MiB that the server may use.
const MAX_MEMORY_MIB: f64 = 256.0;
/// The versions of bots that come in the weekend.
const UPLOADS: usize = 300;

/// What the script reports.
#[derive(Deserialize)]
struct Weekend {
    /// Uploads that were accepted or refused.
    uploads: usize,
    /// Versions of remote bots, which are connected instead of uploaded.
    connected: usize,
    refused: Vec<Value>,
    refused_for_disk: u64,
    events: Vec<String>,
    lost: Vec<Value>,
    wrong: Vec<Value>,
    barred: Vec<Value>,
    runs: [u64; 2],
    integrity: Vec<String>,
    altered: u64,
    escaped: bool,
    cuts: u64,
    peak_mib: f64,
    server_cpu_s: f64,
    seconds: f64,
}

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    shipped::build_dicehill()?;
    let program = shipped::path("dicehill");
    let mut command = Command::new("python3");
    command.arg(root().join("proofs/weekend/weekend.py")).arg(program);
    command.args(["--uploads", &UPLOADS.to_string()]);
    let output = command.stderr(Stdio::inherit()).output()?;
    let weekend: Weekend = serde_json::from_slice(&output.stdout)?;
    Ok(figures_of(&weekend))
}

fn figures_of(weekend: &Weekend) -> Vec<Figure> {
    let Weekend { uploads, connected, events, runs: [begun, ended], cuts, seconds, .. } = weekend;
    let interval = format!(
        "60 authors, {uploads} uploads, {connected} connected versions, {}, {cuts} cut connections, {ended} of {begun} runs ended, {seconds:.0} s",
        events.join(", ")
    );
    let count = |name: &str, found: usize| Figure {
        name: name.to_owned(),
        value: found.to_string(),
        interval: interval.clone(),
        aim: "0".to_owned(),
        met: found == 0,
    };
    let is_sound = weekend.integrity == ["ok"] && weekend.altered == 0;
    let memory = weekend.peak_mib;
    vec![
        count("weekend: uploads without an entry", weekend.lost.len()),
        count("weekend: uploads refused but for the full disk", weekend.refused.len()),
        count("weekend: entries with a wrong answer", weekend.wrong.len()),
        count("weekend: honest bots barred", weekend.barred.len()),
        count("weekend: hostile bots that have left the sandbox", usize::from(weekend.escaped)),
        count("weekend: damage to the store", usize::from(!is_sound)),
        Figure {
            name: "weekend: uploads answered with 507 while the disk was full".to_owned(),
            value: weekend.refused_for_disk.to_string(),
            interval: "-".to_owned(),
            aim: "each sent again".to_owned(),
            met: uploads + connected == UPLOADS,
        },
        Figure {
            name: "weekend: peak memory of the server".to_owned(),
            value: format!("{memory:.0} MiB"),
            interval: format!("{:.0} CPU s of the server alone", weekend.server_cpu_s),
            aim: format!("at most {MAX_MEMORY_MIB} MiB"),
            met: memory <= MAX_MEMORY_MIB,
        },
    ]
}
