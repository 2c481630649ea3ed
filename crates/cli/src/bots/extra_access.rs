//! What a hill gives a bot in addition to what every sandboxed bot has.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use dicehill_arena::BotName;
use dicehill_link::outside_paths;
use dicehill_store::{BotKind, Environments};

use super::source::source_of;
use crate::text::printable;

/// What a hill gives a bot in addition to what every sandboxed bot has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExtraAccess {
    network: bool,
    /// The names of environment variables.
    secrets: Vec<String>,
    /// Files and folders of the host.
    files: Vec<PathBuf>,
}

impl ExtraAccess {
    /// That of a bot whose own files are in `folder`; `None` if there is nothing.
    pub(crate) fn of(kind: &BotKind, folder: &Path) -> Option<Self> {
        let own_terms = kind.own_terms();
        let files = source_of(kind).map(|source| outside_paths(&source, folder));
        let access = Self {
            network: own_terms.network,
            secrets: own_terms.secrets,
            files: files.unwrap_or_default(),
        };
        let Self { network, secrets, files } = &access;
        (*network || !secrets.is_empty() || !files.is_empty()).then_some(access)
    }

    /// What is left of it without the files of a hill's environments; `None` if that is nothing.
    pub(crate) fn without(mut self, environments: &Environments) -> Option<Self> {
        let is_in = |path: &Path, own: &PathBuf| {
            path.starts_with(own) && !path.components().any(|part| part == Component::ParentDir)
        };
        let is_named = |path: &PathBuf| {
            environments.iter().any(|one| one.read.iter().any(|own| is_in(path, own)))
        };
        self.files.retain(|path| !is_named(path));
        let Self { network, secrets, files } = &self;
        (*network || !secrets.is_empty() || !files.is_empty()).then_some(self)
    }
}

/// The option with which a command starts bots that a hill gives this.
pub(crate) fn trust_option(
    bots: &[(BotName, ExtraAccess)],
    environments: &Environments,
) -> &'static str {
    let is_of_environments = |access: &ExtraAccess| access.clone().without(environments).is_none();
    match bots.iter().all(|(_, access)| is_of_environments(access)) {
        true => "--trust-environments",
        false => "--trust-hill",
    }
}

impl ExtraAccess {
    /// Whether it is nothing but files.
    pub(super) fn is_only_files(&self) -> bool {
        !self.network && self.secrets.is_empty()
    }
}

impl fmt::Display for ExtraAccess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.network {
            parts.push("a network".to_owned());
        }
        if !self.secrets.is_empty() {
            let plural = if self.secrets.len() == 1 { "" } else { "s" };
            parts.push(format!("the secret{plural} {}", printable(&self.secrets.join(", "))));
        }
        if !self.files.is_empty() {
            let files: Vec<_> = self.files.iter().map(|path| path.display().to_string()).collect();
            parts.push(format!("the files {}", printable(&files.join(", "))));
        }
        let last = parts.pop().unwrap_or_default();
        match &*parts {
            [] => formatter.write_str(&last),
            first => write!(formatter, "{} and {last}", first.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use dicehill_arena::{OwnLimits, OwnTerms};

    use super::*;

    fn described(read: &[&str], own_terms: OwnTerms) -> Option<String> {
        let read = read.iter().map(PathBuf::from).collect();
        let kind = BotKind::Java { path: "/bots/one".into(), class: None, read, own_terms };
        ExtraAccess::of(&kind, Path::new("/bots/one")).map(|access| access.to_string())
    }

    #[test]
    fn the_files_of_an_environment_are_no_access_of_a_bot() {
        let environments: Environments = "science=/opt/venv".parse().unwrap();
        let left = |read: &[&str], network| {
            let own_terms = OwnTerms { network, ..OwnTerms::default() };
            let read = read.iter().map(PathBuf::from).collect();
            let kind = BotKind::Java { path: "/bots/one".into(), class: None, read, own_terms };
            let access = ExtraAccess::of(&kind, Path::new("/bots/one"))?.without(&environments);
            access.map(|access| access.to_string())
        };
        assert_eq!(left(&["/opt/venv"], false), None);
        assert_eq!(left(&["/opt/venv", "/srv"], false).unwrap(), "the files /srv");
        assert_eq!(left(&["/opt/venv"], true).unwrap(), "a network");
        assert_eq!(left(&["/opt/venv/lib"], false), None);
        assert_eq!(left(&["/opt/venv2"], false).unwrap(), "the files /opt/venv2");
        let above = left(&["/opt/venv/../secret"], false);
        assert_eq!(above.unwrap(), "the files /opt/venv/../secret");
    }

    #[test]
    fn network_secrets_and_files_are_access_and_limits_are_not() {
        let usual = OwnTerms::default();
        let slow = OwnLimits { move_ms: Some(60_000), ..OwnLimits::default() };
        let slow = OwnTerms { limits: slow, deterministic: false, ..OwnTerms::default() };
        assert_eq!(described(&[], usual.clone()), None);
        assert_eq!(described(&["/usr/share"], slow), None);
        assert_eq!(ExtraAccess::of(&BotKind::House("greedy".to_owned()), Path::new("/")), None);
        assert_eq!(described(&["/opt/venv"], usual).unwrap(), "the files /opt/venv");
        let network = OwnTerms { network: true, ..OwnTerms::default() };
        assert_eq!(described(&[], network.clone()).unwrap(), "a network");
        let secret = OwnTerms { secrets: vec!["KEY".to_owned()], ..network.clone() };
        assert_eq!(described(&[], secret).unwrap(), "a network and the secret KEY");
        let secrets = OwnTerms { secrets: vec!["A".to_owned(), "B\n".to_owned()], ..network };
        assert_eq!(
            described(&["/opt/venv", "/srv"], secrets).unwrap(),
            "a network, the secrets A, B\\n and the files /opt/venv, /srv"
        );
    }
}
