//! Environments: files of the host that uploaded bots may ask to read, such as a virtual environment of Python.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The most environments of a hill.
const MAX_ENVIRONMENTS: usize = 20;
/// The most paths of an environment.
const MAX_PATHS: usize = 20;
/// The most characters of a name.
const MAX_NAME: usize = 32;

/// An environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Its name.
    pub name: String,
    /// The absolute paths that a bot in it may read.
    pub read: Vec<PathBuf>,
}

impl Environment {
    /// The program of this name in one of its folders or in their folders `bin`, if there is one.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let is_plain = !name.is_empty() && !name.contains('/');
        let places = self.read.iter().flat_map(|path| [path.join("bin"), path.clone()]);
        places.filter(|_| is_plain).map(|folder| folder.join(name)).find(|path| path.is_file())
    }
}

/// The environments of a hill, each name once. Their text is `NAME=PATH:PATH,NAME=PATH`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environments(Vec<Environment>);

impl Environments {
    /// The environment that a bot asks for.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn named(&self, name: &str) -> Result<&Environment, UnknownEnvironment> {
        self.0.iter().find(|environment| environment.name == name).ok_or_else(|| {
            UnknownEnvironment {
                wanted: name.to_owned(),
                known: self.0.iter().map(|environment| environment.name.clone()).collect(),
            }
        })
    }

    /// All of them, in the order in which the host named them.
    pub fn iter(&self) -> impl Iterator<Item = &Environment> {
        self.0.iter()
    }

    /// Checks that no environment has this file, which is the hill's own: bots could read its seed and the bots of others.
    ///
    /// # Errors
    /// If one has.
    pub fn check_without(&self, hill: &Path) -> Result<(), ExposedHill> {
        // The hill may be about to be made.
        let folder = hill.parent().filter(|folder| *folder != "").unwrap_or(Path::new("."));
        let Ok(folder) = folder.canonicalize() else { return Ok(()) };
        let file = hill
            .canonicalize()
            .unwrap_or_else(|_| folder.join(hill.file_name().unwrap_or_default()));
        let has = |path: &Path| {
            path.canonicalize()
                .is_ok_and(|path| file.starts_with(&path) || folder.starts_with(&path))
        };
        let mut all = self.0.iter().flat_map(|one| one.read.iter().map(move |path| (one, path)));
        let Some((environment, path)) = all.find(|(_, path)| has(path)) else { return Ok(()) };
        Err(ExposedHill {
            environment: environment.name.clone(),
            path: path.clone(),
            hill: hill.to_owned(),
        })
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// An environment that a hill does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hill has no environment {wanted:?}; it has {}", list(known))]
pub struct UnknownEnvironment {
    wanted: String,
    known: Vec<String>,
}

/// An environment with the file of its hill.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "environment {environment}: {} has {}, which its bots could read; name folders that have nothing but what bots need, by `dicehill hill set`",
    path.display(),
    hill.display()
)]
pub struct ExposedHill {
    environment: String,
    path: PathBuf,
    hill: PathBuf,
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// A text that names no environments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be NAME=PATH:PATH,NAME=PATH: at most {MAX_ENVIRONMENTS} different names of lower-case letters, digits and hyphens, and absolute paths"
)]
pub struct EnvironmentsError;

impl FromStr for Environments {
    type Err = EnvironmentsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Ends of lines are refused here, since blanks around an environment are left out.
        if !text.chars().all(dicehill_arena::is_printable) {
            return Err(EnvironmentsError);
        }
        let all = text.split(',').map(|one| environment(one.trim()).ok_or(EnvironmentsError));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let is_twice = |index: usize| all[..index].iter().any(|one| one.name == all[index].name);
        if all.len() > MAX_ENVIRONMENTS || (0..all.len()).any(is_twice) {
            return Err(EnvironmentsError);
        }
        Ok(Self(all))
    }
}

fn environment(text: &str) -> Option<Environment> {
    let (name, paths) = text.split_once('=')?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_name = !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(plain);
    let read: Vec<_> = paths.split(':').map(PathBuf::from).collect();
    let are_paths = read.len() <= MAX_PATHS && read.iter().all(|path| path.is_absolute());
    (is_name && are_paths).then(|| Environment { name: name.to_owned(), read })
}

impl fmt::Display for Environments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Environment { name, read }) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let paths: Vec<_> = read.iter().map(|path| path.display().to_string()).collect();
            write!(f, "{comma}{name}={}", paths.join(":"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_environment_may_have_the_hill() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::create_dir(place("data")).unwrap();
        std::fs::create_dir(place("data/venv")).unwrap();
        std::fs::write(place("data/spring.db"), "").unwrap();
        std::os::unix::fs::symlink(place("data"), place("link")).unwrap();
        let check = |path: &str, hill: &str| {
            let text = format!("safe={},x={path}", place("data/venv").display());
            text.parse::<Environments>().unwrap().check_without(&place(hill))
        };
        let at = |name: &str| place(name).display().to_string();
        for hill in ["data/spring.db", "data/new.db", "link/spring.db"] {
            for exposing in ["/".to_owned(), at(""), at("data"), at("data/../data"), at("link")] {
                let refused = check(&exposing, hill).unwrap_err().to_string();
                assert!(
                    refused.starts_with(&format!("environment x: {exposing} has ")),
                    "{refused}"
                );
            }
            for harmless in [at("data/venv"), at("missing"), "/usr".to_owned()] {
                assert_eq!(check(&harmless, hill), Ok(()), "{harmless} {hill}");
            }
        }
        assert!(check(&at("data/spring.db"), "data/spring.db").is_err());
    }

    #[test]
    fn environments_are_read_and_written() {
        let text = "science=/opt/venv:/opt/data,jdk-21=/opt/jdk-21";
        let all: Environments = text.parse().unwrap();
        assert_eq!(all.to_string(), text);
        assert_eq!(all.named("jdk-21").unwrap().read, [PathBuf::from("/opt/jdk-21")]);
        assert!(all.iter().count() == 2);
        let unknown = all.named("science ").unwrap_err().to_string();
        assert_eq!(unknown, "the hill has no environment \"science \"; it has science, jdk-21");
        let none = Environments::default().named("x").unwrap_err().to_string();
        assert_eq!(none, "the hill has no environment \"x\"; it has none");
        for text in ["", "x", "x=", "x=opt", "=/opt", "X=/opt", "x=/opt,x=/b", "x=/a:b", "x=/a\n"] {
            assert_eq!(text.parse::<Environments>(), Err(EnvironmentsError), "{text:?}");
        }
    }
}
