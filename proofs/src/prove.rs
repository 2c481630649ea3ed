//! `cargo xtask prove`: long proofs and benchmarks.

mod correctness;
mod cpu;
mod hills;
mod inference;
pub(crate) mod performance;
mod process;
mod python;
mod shipped;
mod solvers;
mod strength;

use std::error::Error;

use clap::ValueEnum;

use self::correctness::{
    builds, crashes, determinism, fuzz, kills, laws, notebooks, resume, runtimes, verify,
};
use self::inference::{placement, statistics, until};
use self::performance::{
    environments, isolation, link, luck, speed, store, web, weekend, wheel, workers,
};
use self::solvers::{rounds, solver};
use self::strength::{duelist, field, players, published, seats};
use crate::figures::{self, Figure};

/// The proofs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Proof {
    /// The same program, byte for byte, from builds in different folders
    Builds,
    /// A log and a store after each call that changes a file: a kill, a power failure, a call that fails
    Crashes,
    /// The same bytes for any number of threads, both games, all formats
    Determinism,
    /// The player of Liar's Dice for two
    Duelist,
    /// A billion steps of the environments in constant memory, and rewards without bias
    Environments,
    /// How far our own bots lead
    Field,
    /// Ten minutes of mutated inputs for everything that reads input from untrusted authors
    Fuzz,
    /// The cost of isolating bots
    Isolation,
    /// The arena killed at random moments: nothing is left of its bots
    Kills,
    /// A million random games of each kind under every law of the game interface
    Laws,
    /// Decisions per second of bots in other languages, compared with bare loops in them
    Link,
    /// The cost of finding the loss and the luck in games of Yahtzee
    Luck,
    /// The notebooks in docs/notebooks with their long budget, and the training of examples/ppo
    Notebooks,
    /// A new entrant's rank in few games, among up to 10,000 entrants
    Placement,
    /// How strong the exact players of Yahtzee are, and how much luck explains
    Players,
    /// The figures of the published players
    Published,
    /// Runs killed at random moments go on to the same bytes
    Resume,
    /// How exactly rounds of Liar's Dice between two are solved, compared with OpenSpiel
    Rounds,
    /// Bots in many languages, built and qualified in the sandbox
    Runtimes,
    /// The player of Liar's Dice for three seats and more
    Seats,
    /// The cost of solving Yahtzee, compared with other solvers
    Solver,
    /// Games and decisions for each second of CPU
    Speed,
    /// Intervals, ratings and chances of simulated runs whose truth is known
    Statistics,
    /// What it costs to store a run, and how fast a large hill opens
    Store,
    /// How rarely equal bots are found to differ, and how soon different bots are
    Until,
    /// A thousand random alterations of stored runs, and as many of logs: all of them found
    Verify,
    /// Hundreds who watch a board, and a thousand page views a second, while its run goes on
    Web,
    /// A weekend of a hill in minutes: 60 authors, 300 uploads, restarts, a full disk and an upgrade
    Weekend,
    /// The size of the wheel, its import, and its environments compared with OpenSpiel and pgx
    Wheel,
    /// Runs by one to eight workers, compared with one machine, and what they cost the host
    Workers,
}

impl Proof {
    const fn name(self) -> &'static str {
        match self {
            Self::Builds => "builds",
            Self::Crashes => "crashes",
            Self::Determinism => "determinism",
            Self::Duelist => "duelist",
            Self::Environments => "environments",
            Self::Field => "field",
            Self::Fuzz => "fuzz",
            Self::Isolation => "isolation",
            Self::Kills => "kills",
            Self::Laws => "laws",
            Self::Link => "link",
            Self::Luck => "luck",
            Self::Notebooks => "notebooks",
            Self::Placement => "placement",
            Self::Players => "players",
            Self::Published => "published",
            Self::Resume => "resume",
            Self::Rounds => "rounds",
            Self::Runtimes => "runtimes",
            Self::Seats => "seats",
            Self::Solver => "solver",
            Self::Speed => "speed",
            Self::Statistics => "statistics",
            Self::Store => "store",
            Self::Until => "until",
            Self::Verify => "verify",
            Self::Web => "web",
            Self::Weekend => "weekend",
            Self::Wheel => "wheel",
            Self::Workers => "workers",
        }
    }

    fn figures(self) -> Result<Vec<Figure>, Box<dyn Error>> {
        match self {
            Self::Builds => builds::figures(),
            Self::Crashes => crashes::figures(),
            Self::Determinism => Ok(determinism::figures()),
            Self::Duelist => Ok(duelist::figures()),
            Self::Environments => environments::figures(),
            Self::Field => Ok(field::figures()),
            Self::Fuzz => fuzz::figures(),
            Self::Isolation => isolation::figures(),
            Self::Kills => kills::figures(),
            Self::Laws => laws::figures(),
            Self::Link => link::figures(),
            Self::Luck => Ok(luck::figures()),
            Self::Notebooks => notebooks::figures(),
            Self::Placement => Ok(placement::figures()),
            Self::Players => Ok(players::figures()),
            Self::Published => Ok(published::figures()),
            Self::Resume => resume::figures(),
            Self::Rounds => rounds::figures(),
            Self::Runtimes => runtimes::figures(),
            Self::Seats => Ok(seats::figures()),
            Self::Solver => solver::figures(),
            Self::Speed => Ok(speed::figures()),
            Self::Statistics => Ok(statistics::figures()),
            Self::Store => store::figures(),
            Self::Until => Ok(until::figures()),
            Self::Verify => Ok(verify::figures()),
            Self::Web => web::figures(),
            Self::Weekend => weekend::figures(),
            Self::Wheel => wheel::figures(),
            Self::Workers => workers::figures(),
        }
    }
}

/// Runs the named proofs, or all, and writes their figures.
pub(crate) fn prove(names: &[Proof]) -> Result<(), Box<dyn Error>> {
    let proofs = if names.is_empty() { Proof::value_variants() } else { names };
    let mut missed = Vec::new();
    for proof in proofs {
        eprintln!("proving {}", proof.name());
        let found = proof.figures()?;
        for figure in &found {
            let Figure { name, value, interval, aim, met } = figure;
            eprintln!(
                "  {name}: {value} [{interval}], aim {aim}: {}",
                if *met { "met" } else { "NOT MET" }
            );
            if !met {
                missed.push(name.clone());
            }
        }
        figures::write(proof.name(), &found)?;
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("not met: {}", missed.join(", ")).into()) }
}
