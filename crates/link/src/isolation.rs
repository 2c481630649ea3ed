//! What keeps bots from the machine and from each other.

/// Whether a child is kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// By all that this machine has for it.
    On,
    /// By nothing but its keeper.
    Off,
}

/// A mechanism that isolation rests on, and whether this machine has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarantee {
    /// What it is called.
    pub name: &'static str,
    /// Whether it is there.
    pub present: bool,
    /// What was found, such as a version.
    pub detail: String,
    /// What to do where it is absent; otherwise empty.
    pub remedy: String,
}

/// The mechanisms of this machine.
#[must_use]
pub fn survey() -> Vec<Guarantee> {
    Vec::new()
}
