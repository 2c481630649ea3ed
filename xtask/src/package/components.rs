//! What a program or library consists of: the crates that are compiled into it, and the code of others in them.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::COMMAND;
use crate::{SHIPPED_FEATURES, root};

/// A part of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Component {
    /// The name in its registry.
    pub name: String,
    /// The version, if it is known.
    pub version: String,
    /// The licence as an SPDX expression.
    pub licence: String,
    /// Where the source is developed, if it says so.
    pub source: Option<String>,
    /// The package URL, such as `pkg:cargo/clap@4.6.7`.
    pub purl: String,
    /// The names of its authors, if it says so.
    pub authors: Vec<String>,
    /// The licence files in its source.
    pub licence_files: Vec<PathBuf>,
    /// The package URLs of the parts that it uses.
    pub uses: BTreeSet<String>,
}

/// All parts of programs and libraries.
pub struct Components {
    /// The crates of the project that they are built of: the first that was named, then the others by name.
    pub own: Vec<Component>,
    /// The parts by other authors, sorted by name and version.
    pub foreign: Vec<Component>,
}

impl Components {
    /// The parts of what these crates build for a platform, with the features that are shipped. The command is static, so that
    /// the C library is a part of it.
    ///
    /// Procedural macros are parts too, because their output is. Build scripts and tests are not.
    ///
    /// # Errors
    /// If cargo fails or a folder of sources cannot be read.
    pub fn of(crates: &[&str], triple: &str) -> Result<Self, Box<dyn Error>> {
        let graph = Graph::read(triple)?;
        let mut parts = Self { own: Vec::new(), foreign: vec![rust_library()] };
        for id in graph.reached_from(crates)? {
            let component = graph.component(&id)?;
            let is_own = graph.packages[&id]["source"].is_null();
            if is_own { &mut parts.own } else { &mut parts.foreign }.push(component);
        }
        parts.own.sort_by_key(|part| (part.name != crates[0], part.name.clone()));
        if let Some(web) = parts.own.iter_mut().find(|part| part.name == "dicehill-web") {
            let uplot = uplot()?;
            web.uses.insert(uplot.purl.clone());
            parts.foreign.push(uplot);
        }
        if crates.contains(&COMMAND) {
            parts.foreign.push(c_library());
        }
        parts.foreign.sort();
        Ok(parts)
    }
}

/// The packages that cargo resolves, by their ids.
struct Graph {
    packages: BTreeMap<String, Value>,
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(triple: &str) -> Result<Self, Box<dyn Error>> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", triple]);
        cargo.args(["--features", SHIPPED_FEATURES]);
        let output = cargo.current_dir(root()).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let mut metadata: Value = serde_json::from_slice(&output.stdout)?;
        let list = |value: &mut Value| value.as_array_mut().map(std::mem::take).unwrap_or_default();
        let packages = list(&mut metadata["packages"]);
        let nodes = list(&mut metadata["resolve"]["nodes"]);
        let packages = packages.into_iter().map(|package| (text(&package["id"]), package));
        let edges = nodes.iter().map(|node| (text(&node["id"]), normal_dependencies(node)));
        Ok(Self { packages: packages.collect(), edges: edges.collect() })
    }

    /// The ids of the named crates and of all that they use.
    fn reached_from(&self, crates: &[&str]) -> Result<BTreeSet<String>, String> {
        let id_of = |name: &&str| {
            let is_it = |(_, package): &(&String, &Value)| package["name"] == **name;
            let found = self.packages.iter().find(is_it).map(|(id, _)| id.clone());
            found.ok_or_else(|| format!("no such crate: {name}"))
        };
        let mut left = crates.iter().map(id_of).collect::<Result<Vec<_>, _>>()?;
        let mut reached = BTreeSet::new();
        while let Some(id) = left.pop() {
            left.extend(self.edges[&id].difference(&reached).cloned());
            reached.insert(id);
        }
        Ok(reached)
    }

    fn component(&self, id: &str) -> Result<Component, Box<dyn Error>> {
        let package = &self.packages[id];
        let manifest = text(&package["manifest_path"]);
        let folder = Path::new(&manifest).parent().unwrap_or(root());
        let authors = package["authors"].as_array().into_iter().flatten().map(text).collect();
        let uses = self.edges[id].iter().map(|id| purl(&self.packages[id])).collect();
        Ok(Component {
            name: text(&package["name"]),
            version: text(&package["version"]),
            // The form of older manifests.
            licence: text(&package["license"]).replace('/', " OR "),
            source: package["repository"].as_str().map(str::to_owned),
            purl: purl(package),
            authors,
            licence_files: licence_files(folder)?,
            uses,
        })
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn purl(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

/// The ids of the packages that a package is compiled with.
fn normal_dependencies(node: &Value) -> BTreeSet<String> {
    let is_normal = |dependency: &&Value| {
        let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind["kind"].is_null())
    };
    let dependencies = node["deps"].as_array().into_iter().flatten();
    dependencies.filter(is_normal).map(|dependency| text(&dependency["pkg"])).collect()
}

/// The files with licences and notices at the top of a folder of sources, sorted.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_licence = ["LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICEN"];
        if path.is_file() && is_licence.iter().any(|start| name.starts_with(start)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A part that is no crate.
fn other(name: &str, version: &str, licence: &str, purl: &str) -> Component {
    Component {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: licence.to_owned(),
        source: None,
        purl: format!("{purl}@{version}"),
        authors: Vec::new(),
        licence_files: Vec::new(),
        uses: BTreeSet::new(),
    }
}

/// The plots on pages, a part of `dicehill-web`.
fn uplot() -> Result<Component, Box<dyn Error>> {
    let assets = root().join("crates/web/src/assets");
    let script = fs::read_to_string(assets.join("uPlot.iife.min.js"))?;
    let version = script.split("(v").nth(1).and_then(|rest| rest.split(')').next());
    Ok(Component {
        source: Some("https://github.com/leeoniya/uPlot".to_owned()),
        licence_files: vec![assets.join("uPlot.LICENSE")],
        ..other("uplot", version.ok_or("uPlot has a version")?, "MIT", "pkg:npm/uplot")
    })
}

/// The C library of this machine.
fn c_library() -> Component {
    let line = output_of("getconf", "GNU_LIBC_VERSION");
    let version = line.rsplit(' ').next().unwrap_or_default();
    Component {
        source: Some("https://sourceware.org/git/glibc.git".to_owned()),
        licence_files: vec![root().join("packaging/LGPL-2.1.txt")],
        ..other("glibc", version, "LGPL-2.1-or-later", "pkg:generic/glibc")
    }
}

/// The standard library of Rust.
fn rust_library() -> Component {
    let line = output_of("rustc", "--version");
    let version = line.split(' ').nth(1).unwrap_or_default();
    Component {
        source: Some("https://github.com/rust-lang/rust".to_owned()),
        ..other("rust-std", version, "MIT OR Apache-2.0", "pkg:generic/rust-std")
    }
}

/// What a program prints, or nothing if it cannot run.
fn output_of(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    output.map_or_else(|_| String::new(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
}
