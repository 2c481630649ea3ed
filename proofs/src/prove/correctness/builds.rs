//! The same program, byte for byte, from builds of the same sources in different folders.

use std::error::Error;
use std::fs;

use xtask::package::StaticBuild;
use xtask::{SHIPPED, root};

use crate::figures::Figure;

/// The names of the folders, of different lengths.
const FOLDERS: [&str; 2] = ["a", "another-folder"];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut programs = Vec::new();
    for folder in FOLDERS {
        let copy = root().join("target/builds").join(folder);
        let _none = fs::remove_dir_all(&copy);
        let build = StaticBuild::in_copy(&copy, SHIPPED)?;
        build.cargo(&["--package", "dicehill"])?;
        programs.push(fs::read(build.folder().join("dicehill"))?);
        fs::remove_dir_all(&copy)?;
    }
    let differing = programs[0].iter().zip(&programs[1]).filter(|(a, b)| a != b).count();
    let differing = differing + programs[0].len().abs_diff(programs[1].len());
    Ok(vec![Figure {
        name: format!(
            "bytes that differ between static programs of {} bytes, built in two folders",
            programs[0].len()
        ),
        value: differing.to_string(),
        interval: "exact".to_owned(),
        aim: "0".to_owned(),
        met: differing == 0,
    }])
}
