//! The environment of Yahtzee.

use std::ops::RangeInclusive;

use dicehill_bots::{HouseBot, exact_yahtzee_bots, yahtzee_bots};
use dicehill_rules::Seat;
use dicehill_rules::yahtzee::{Action, View, Yahtzee};

use super::actions::{self, LegalActions};
use super::reward::{self, RewardState, YahtzeeReward};
use super::{layout, observation};
use crate::environment_game::{Due, EnvironmentGame, Field};

impl EnvironmentGame for Yahtzee {
    type Reward = YahtzeeReward;
    type RewardState = RewardState;
    type LegalActions = LegalActions;

    const ACTIONS: usize = actions::ACTIONS;
    const PLAYERS: RangeInclusive<usize> = 1..=layout::MAX_PLAYERS;

    fn house_bots() -> Vec<HouseBot<Self>> {
        yahtzee_bots().into_iter().chain(exact_yahtzee_bots()).collect()
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
        unreachable!("the mask has every action that the rules accept")
    }

    fn fields(players: usize) -> Vec<Field> {
        layout::fields(players)
    }

    fn observation_len(players: usize) -> usize {
        layout::len(players)
    }

    #[inline]
    fn observe(view: &View<'_>, observation: &mut [u8]) {
        observation::observe(view, observation);
    }

    fn observe_seat(&self, seat: Seat, observation: &mut [u8]) {
        observation::observe_seat(self, seat, observation);
    }

    fn default_reward(players: usize) -> YahtzeeReward {
        if players == 1 { YahtzeeReward::Score } else { YahtzeeReward::Points }
    }

    fn can_pay(reward: YahtzeeReward, players: usize) -> bool {
        reward != YahtzeeReward::LuckAdjusted || players == 1
    }

    #[inline]
    fn before_action(&self, reward: YahtzeeReward, state: &mut RewardState, action: &Action) {
        reward::before_action(self, reward, state, action);
    }

    /// A game always counts for all: who has the highest score is known at its end.
    #[inline]
    fn is_out(&self, _seat: Seat) -> bool {
        false
    }

    #[inline]
    fn pay(&self, due: Due<YahtzeeReward>, state: &mut RewardState, pay: impl FnMut(Seat, f32)) {
        reward::pay(self, due, state, pay);
    }
}
