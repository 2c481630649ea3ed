//! The first line of a log: the terms of the run.

use dicehill_rules::{Game, SeedParts};
use serde::Serialize;

use crate::{Confidence, EloMargin, Hill, Limits, OwnTerms, PROGRAM, StartValue, Terms};

/// Everything that a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Header {
    /// The program's name and version.
    pub program: String,
    /// The terms that the result document has too.
    #[serde(flatten)]
    pub terms: Terms,
    /// The commitment that was published before the entrants were known, if the seed follows from a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// The hash of a seed with a secret ([`SeedParts::hash`]), by which an altered or lost secret is recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<String>,
    /// Games, or games per pairing; at most, if the run may stop early.
    pub games: u64,
    /// The confidence at which the run stops early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Confidence>,
    /// The margin of the question whether the first of two entrants is not worse than the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_worse_than: Option<EloMargin>,
    /// The limits of each bot that has none of its own.
    pub limits: Limits,
    /// The expected score of optimal play, if games are appraised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_value: Option<StartValue>,
    /// The entrants.
    pub bots: Vec<HeaderBot>,
}

/// An entrant in a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeaderBot {
    /// Its name.
    pub name: String,
    /// The identity of its program: a hash of its content.
    pub hash: String,
    /// Its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its home page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Votes, in games whose board counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<i64>,
    /// What differs from the terms of the run.
    #[serde(flatten)]
    pub own_terms: OwnTerms,
}

impl Header {
    /// The header of a hill.
    #[must_use]
    pub fn new<G: Game>(hill: &Hill<G>) -> Self {
        let all: Vec<_> = hill.ids().collect();
        Self {
            program: PROGRAM.to_owned(),
            terms: Terms::new(hill, &all),
            commitment: hill.commitment().map(|commitment| commitment.secret.commitment()),
            seed_hash: SeedParts::of(hill.seed()).secret.map(|_| SeedParts::hash(hill.seed())),
            games: hill.games(),
            until: hill.until(),
            not_worse_than: hill.margin(),
            limits: hill.limits(),
            start_value: hill.start_value(),
            bots: hill.entrants().iter().map(header_bot).collect(),
        }
    }
}

fn header_bot<G: Game>(entrant: &crate::Entrant<G>) -> HeaderBot {
    HeaderBot {
        name: entrant.name.to_string(),
        hash: entrant.program.identity(),
        author: entrant.author.clone(),
        url: entrant.url.clone(),
        votes: entrant.votes,
        own_terms: entrant.own_terms.clone(),
    }
}
