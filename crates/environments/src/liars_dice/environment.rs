//! The environment of Liar's Dice.

use std::ops::RangeInclusive;

use dicehill_bots::{HouseBot, liars_dice_bots};
use dicehill_rules::Seat;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::actions::{self, LegalActions};
use super::reward::{self, LiarsDiceReward};
use super::{layout, observation};
use crate::environment_game::{Due, EnvironmentGame, Field};

impl EnvironmentGame for LiarsDice {
    type Reward = LiarsDiceReward;
    type RewardState = ();
    type LegalActions = LegalActions;

    const ACTIONS: usize = actions::ACTIONS;
    const PLAYERS: RangeInclusive<usize> = 2..=layout::MAX_PLAYERS;

    fn house_bots() -> Vec<HouseBot<Self>> {
        liars_dice_bots().into()
    }

    fn encode(action: &Action) -> Option<usize> {
        actions::encode(action)
    }

    #[inline]
    fn decode(number: usize) -> Option<&'static Action> {
        actions::decode(number)
    }

    #[inline]
    fn legal(view: &View<'_>) -> LegalActions {
        LegalActions::of(view)
    }

    #[inline]
    fn is_legal(legal: LegalActions, number: usize) -> bool {
        legal.contains(number)
    }

    #[inline]
    fn write_mask(legal: LegalActions, mask: &mut [u8]) {
        legal.write(mask);
    }

    fn why_masked() -> &'static str {
        "the bid is above the number of dice on the table"
    }

    fn fields(_players: usize) -> Vec<Field> {
        layout::fields()
    }

    fn observation_len(_players: usize) -> usize {
        layout::LEN
    }

    #[inline]
    fn observe(view: &View<'_>, observation: &mut [u8]) {
        observation::observe(view, observation);
    }

    fn observe_seat(&self, seat: Seat, observation: &mut [u8]) {
        observation::observe_seat(self, seat, observation);
    }

    fn default_reward(_players: usize) -> LiarsDiceReward {
        LiarsDiceReward::Points
    }

    fn can_pay(_reward: LiarsDiceReward, _players: usize) -> bool {
        true
    }

    #[inline]
    fn before_action(&self, _reward: LiarsDiceReward, _state: &mut (), _action: &Action) {}

    /// A player without dice is out.
    #[inline]
    fn is_out(&self, seat: Seat) -> bool {
        !self.seats().contains(&seat)
    }

    #[inline]
    fn pay(&self, due: Due<LiarsDiceReward>, _state: &mut (), pay: impl FnMut(Seat, f32)) {
        reward::pay(self, due, pay);
    }
}
