//! The variant of the rules.

/// The variant of the rules, where no hill says which.
#[derive(clap::Args)]
pub(crate) struct VariantArgs {
    /// The variant of the rules: official, or the original controller's mego-2016, superjedi-2015
    #[arg(long)]
    pub(crate) rules: Option<String>,
}
