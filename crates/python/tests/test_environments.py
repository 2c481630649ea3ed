"""Environments for reinforcement learning."""

import unittest
import warnings

import dicehill
import dicehill.envs
import dicehill.vector
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

AEC = {"liars-dice": dicehill.envs.liars_dice, "yahtzee": dicehill.envs.yahtzee}


class Random:
    """Picks legal actions at random."""

    def __init__(self, seed=0):
        self.draws = np.random.default_rng(seed)

    def __call__(self, masks):
        return (self.draws.random(masks.shape) * masks).argmax(-1)


class Conformance(unittest.TestCase):
    def test_gymnasium(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(dicehill.envs.SolitaireYahtzee(on_illegal="forfeit"))

    def test_pettingzoo(self):
        for make in AEC.values():
            for players in (2, 3, 5):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    api_test(make(players=players), num_cycles=300)
                    seed_test(lambda: make(players=players), num_cycles=100)


class Policies(unittest.TestCase):
    def test_a_policy_plays_the_same_game_as_over_the_protocol(self):
        """By the turns of the SDK and by the masks and numbers of the environment."""
        for game, state_class in (("yahtzee", dicehill.YahtzeeState), ("liars-dice", dicehill.LiarsDiceState)):
            pick = Random()
            envs = dicehill.vector.make(game, 1, players=3, seed="s")
            observations, infos = envs.reset()
            for number in range(1, 11):
                self.assertEqual(envs.game_number(0), number)
                state, done = state_class(3, seed="s", table=number), False
                while not done:
                    self.assertEqual(infos["seat"][0], state.seat)
                    legal = {dicehill.vector.decode_action(game, int(a)) for a in np.flatnonzero(infos["action_mask"][0])}
                    if game == "yahtzee":
                        turn = state.turn()
                        self.assertEqual(list(observations[0][2:7]), turn.dice)
                    self.assertLessEqual(legal, set(state.legal_actions(10_000)))
                    action = int(pick(infos["action_mask"][0]))
                    state.apply(dicehill.vector.decode_action(game, action))
                    observations, rewards, terminations, _, infos = envs.step([action])
                    done = bool(terminations[0])
                self.assertTrue(state.ended)
                self.assertEqual(list(rewards[0]), [result.points for result in state.results()])

    def test_numbers_and_notation(self):
        for game, count in (("yahtzee", 45), ("liars-dice", 151)):
            for number in range(count):
                action = dicehill.vector.decode_action(game, number)
                self.assertEqual(dicehill.vector.encode_action(game, action), number)
            with self.assertRaises(ValueError):
                dicehill.vector.decode_action(game, count)


class Vectors(unittest.TestCase):
    def play(self, steps=300, **options):
        pick, envs = Random(), dicehill.vector.make(num_envs=32, seed="s", **options)
        observations, infos = envs.reset()
        seen = []
        for _ in range(steps):
            observations, rewards, terminations, truncations, infos = envs.step(pick(infos["action_mask"]))
            seen.append((observations.copy(), rewards.copy(), terminations.copy()))
        return seen

    def test_threads_change_nothing(self):
        for game in ("yahtzee", "liars-dice"):
            one, two = (self.play(game=game, players=3, threads=threads) for threads in (1, 2))
            for first, second in zip(one, two):
                for a, b in zip(first, second):
                    np.testing.assert_array_equal(a, b)

    def test_opponents_play_within_a_step(self):
        seen = self.play(game="liars-dice", opponents=["honest", "nobody"])
        self.assertEqual(seen[0][1].shape, (32,))
        self.assertTrue(any(terminations.any() for _, _, terminations in seen))

    def test_float32_is_scaled(self):
        for observations, _, _ in self.play(game="yahtzee", dtype=np.float32, steps=50):
            self.assertTrue(((observations >= 0) & (observations <= 1)).all())

    def test_an_illegal_action_is_named_and_changes_nothing(self):
        envs = dicehill.vector.make("yahtzee", 4, seed="s")
        before = envs.reset()[0].copy()
        with self.assertRaisesRegex(dicehill.IllegalAction, "environment 2: action 45"):
            envs.step([0, 0, 45, 0])
        np.testing.assert_array_equal(envs._observations, before)

    def test_what_is_wrong_is_named(self):
        for options, message in (
            ({"players": 9, "game": "liars-dice"}, "9 players, not 2 to 5"),
            ({"game": "liars-dice", "opponents": ["deep"]}, "no such house bot"),
            ({"game": "yahtzee", "reward": "gold"}, 'reward: "gold" is not one of points'),
            ({"game": "chess"}, "game"),
            ({"game": "yahtzee", "on_illegal": "ignore"}, "on_illegal"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                dicehill.vector.make(**options)

    def test_luck_adjusted_rewards_have_the_mean_of_the_score(self):
        """For a policy that fills the first free box with the first roll, whose scores are spread widely."""
        totals = {}
        for reward in ("score", "luck-adjusted"):
            envs = dicehill.vector.make("yahtzee", 512, seed="s", reward=reward)
            _, infos = envs.reset()
            total = np.zeros(512)
            for _ in range(13):
                actions = 32 + infos["action_mask"][:, 32:].argmax(1)
                _, rewards, terminations, _, infos = envs.step(actions)
                total += rewards
            self.assertTrue(terminations.all())
            totals[reward] = total
        difference = totals["score"] - totals["luck-adjusted"]
        standard_error = difference.std() / np.sqrt(len(difference))
        self.assertLess(abs(difference.mean()), 4 * standard_error)
