//! The notebooks in docs/notebooks, executed with their long budget, and the training of examples/ppo, both with the published
//! wheel.

use std::error::Error;

use crate::figures::Figure;
use crate::prove::python::{WheelEnvironment, printed};

/// What executes notebooks.
const PACKAGES: [&str; 2] = ["nbclient>=0.10", "ipykernel>=6"];

/// The programs that print figures.
const PROGRAMS: [&str; 2] = ["crates/python/tests/notebooks.py", "crates/python/tests/ppo.py"];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let environment = WheelEnvironment::new("notebooks", "environments,data", &PACKAGES)?;
    let mut found = Vec::new();
    for program in PROGRAMS {
        let mut program = environment.program(program)?;
        found.extend(printed(program.env("DICEHILL_NOTEBOOK_BUDGET", "long"))?);
    }
    Ok(found)
}
