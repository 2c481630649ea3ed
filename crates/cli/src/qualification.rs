//! The qualification of bots: whether they play legally, and the same way each time.

mod before_run;
mod qualifier;
mod remedy;
pub(crate) mod report;
pub(crate) mod verdict;

pub(crate) use before_run::qualify;
pub(crate) use qualifier::{
    GAMES_WITH_NETWORK, QUALIFICATION_TIME, Qualifier, start_error, usual_field,
};
