//! Kinds of decisions, and what is wrong with a decision.

use dicehill_rules::liars_dice::Action;

use super::Infoset;

/// A kind of decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DecisionKind {
    /// The first bid of a round.
    Opening,
    /// A bid above the last one.
    Raise,
    /// The call.
    Call,
}

impl DecisionKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Raise, Self::Call];

    /// The kind of an action.
    #[must_use]
    pub const fn classify(infoset: &Infoset, action: Action) -> Self {
        match (action, infoset.last_bid()) {
            (Action::Bid(_), None) => Self::Opening,
            (Action::Bid(_), Some(_)) => Self::Raise,
            (Action::Call, _) => Self::Call,
        }
    }

    /// The name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Raise => "raise",
            Self::Call => "call",
        }
    }

    /// The place in [`DecisionKind::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How an action differs from the best one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// The first bid of a round was above the best one.
    OpenedTooHigh,
    /// The first bid of a round was below the best one.
    OpenedTooLow,
    /// The bid was likely to hold, and a higher bid was worth more than the call.
    CalledLikely,
    /// The bid was likely to fail, and the call was worth most, but the player raised.
    MissedCall,
    /// The bid was at least as likely to hold as to fail, and yet the call was worth most, because
    /// it lost least; but the player raised.
    RaisedInVain,
    /// The bid was above the best one.
    RaisedTooFar,
    /// The bid was below the best one.
    RaisedTooLittle,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 7] = [
        Self::OpenedTooHigh,
        Self::OpenedTooLow,
        Self::CalledLikely,
        Self::MissedCall,
        Self::RaisedInVain,
        Self::RaisedTooFar,
        Self::RaisedTooLittle,
    ];

    /// The fault of choosing `chosen` when `best` is best; `None` if they are the same.
    #[must_use]
    pub fn classify(infoset: &Infoset, chosen: Action, best: Action) -> Option<Self> {
        let last_is_unlikely =
            infoset.last_bid().is_some_and(|last| infoset.odds(last).is_unlikely());
        match (chosen, best) {
            (Action::Call, Action::Call) => None,
            (Action::Call, Action::Bid(_)) => Some(Self::CalledLikely),
            (Action::Bid(_), Action::Call) if last_is_unlikely => Some(Self::MissedCall),
            (Action::Bid(_), Action::Call) => Some(Self::RaisedInVain),
            (Action::Bid(chosen), Action::Bid(best)) if chosen == best => None,
            (Action::Bid(chosen), Action::Bid(best)) => {
                Some(match (infoset.last_bid(), chosen > best) {
                    (None, true) => Self::OpenedTooHigh,
                    (None, false) => Self::OpenedTooLow,
                    (Some(_), true) => Self::RaisedTooFar,
                    (Some(_), false) => Self::RaisedTooLittle,
                })
            }
        }
    }

    /// The kind of decision that has this fault.
    #[must_use]
    pub const fn kind(self) -> DecisionKind {
        match self {
            Self::OpenedTooHigh | Self::OpenedTooLow => DecisionKind::Opening,
            Self::CalledLikely => DecisionKind::Call,
            Self::MissedCall | Self::RaisedInVain | Self::RaisedTooFar | Self::RaisedTooLittle => {
                DecisionKind::Raise
            }
        }
    }

    /// The name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenedTooHigh => "opened_too_high",
            Self::OpenedTooLow => "opened_too_low",
            Self::CalledLikely => "called_likely",
            Self::MissedCall => "missed_call",
            Self::RaisedInVain => "raised_in_vain",
            Self::RaisedTooFar => "raised_too_far",
            Self::RaisedTooLittle => "raised_too_little",
        }
    }

    /// The description for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::OpenedTooHigh => "opened too high",
            Self::OpenedTooLow => "opened too low",
            Self::CalledLikely => "called what probably held",
            Self::MissedCall => "let an improbable bid stand",
            Self::RaisedInVain => "raised where calling lost less",
            Self::RaisedTooFar => "raised too far",
            Self::RaisedTooLittle => "raised too little",
        }
    }

    /// The place in [`Fault::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}
