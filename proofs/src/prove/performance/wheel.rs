//! The published wheel: its size, what its import costs, and the steps of its environments, compared with OpenSpiel and pgx in
//! the same run.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::figures::Figure;
use crate::prove::python::{WheelEnvironment, printed};

/// What the environments are compared with.
const PACKAGES: [&str; 2] = ["open_spiel>=2.0", "pgx>=2.6"];

/// The measurements of each workload. They take turns, so that the ratios are of one run.
const REPEATS: &str = "5";
/// The steps of each measurement.
const STEPS: &str = "100000";

/// The most bytes of a wheel.
const MOST_BYTES: u64 = 25_000_000;

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let environment = WheelEnvironment::new("wheel", "environments", &PACKAGES)?;
    let mut figures = vec![size(&environment.wheel)?];
    figures.extend(printed(&mut environment.program("crates/python/benches/import.py")?)?);
    let mut steps = environment.program("crates/python/benches/steps.py")?;
    figures.extend(printed(steps.args(["--figures", "--repeats", REPEATS, "--steps", STEPS]))?);
    Ok(figures)
}

fn size(wheel: &Path) -> Result<Figure, Box<dyn Error>> {
    let bytes = fs::metadata(wheel)?.len();
    Ok(Figure {
        name: "the wheel, MB".to_owned(),
        value: format!("{:.1}", bytes as f64 / 1e6),
        interval: "exact".to_owned(),
        aim: format!("at most {}", MOST_BYTES / 1_000_000),
        met: bytes <= MOST_BYTES,
    })
}
