//! Steps of the environments from Python, with the published wheel, compared with OpenSpiel and pgx in the same run.

use std::error::Error;

use crate::figures::Figure;
use crate::prove::wheel::{WheelEnvironment, printed};

/// What they are compared with.
const PACKAGES: [&str; 2] = ["open_spiel>=2.0", "pgx>=2.6"];

/// The measurements of each workload. They take turns, so that the ratios are of one run.
const REPEATS: &str = "9";

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let environment = WheelEnvironment::new("steps", "environments", &PACKAGES)?;
    let mut program = environment.program("crates/python/benches/steps.py")?;
    printed(program.args(["--figures", "--repeats", REPEATS]))
}
