"""Policies in environments and as bots."""

import unittest
import zlib

import dicehill
import dicehill.policy
import dicehill.vector
import numpy as np

GAMES = 1000
OPPONENTS = {"yahtzee": ["dummy", "random"], "liars-dice": ["honest", "random"]}


def policy(observation, mask):
    """Looks random, and is a function of observation and mask."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def as_bot(game, count=GAMES, **options):
    """The policy's actions in each game of a tournament, as a bot that is sent turns."""
    games = []

    class Learner:
        def start(self, start):
            games.append([])

        def act(self, turn):
            observation, mask = dicehill.policy.observe(turn, **options)
            action = policy(observation, mask)
            games[-1].append(action)
            return dicehill.policy.answer(turn, action)

    bots = {"learner": Learner, **{name: name for name in OPPONENTS[game]}}
    dicehill.tournament(game, bots, games=count, seed="s", jobs=1)
    # Play-offs may follow.
    return games[:count]


def in_environments(game, count=GAMES, **options):
    """The policy's actions in each game of environments."""
    envs = dicehill.vector.make(game, 20, opponents=OPPONENTS[game], seed="s", **options)
    games, current = {}, [[] for _ in range(20)]
    observations, infos = envs.reset()
    while any(number not in games for number in range(1, count + 1)):
        actions = [policy(*row) for row in zip(observations, infos["action_mask"])]
        numbers = [envs.game_number(index) for index in range(20)]
        observations, _, terminations, _, infos = envs.step(actions)
        for index, action in enumerate(actions):
            current[index].append(action)
            if terminations[index]:
                games[numbers[index]], current[index] = current[index], []
    return [games[number] for number in range(1, count + 1)]


class Policies(unittest.TestCase):
    def test_a_policy_acts_the_same_as_a_bot_and_in_environments(self):
        for game in OPPONENTS:
            bot, environments = as_bot(game), in_environments(game)
            self.assertEqual((len(bot), len(environments)), (GAMES, GAMES))
            self.assertEqual(bot, environments)

    def test_scaled_observations_are_those_of_the_environments(self):
        for game in OPPONENTS:
            options = {"count": 50, "dtype": np.float32}
            self.assertEqual(as_bot(game, **options), in_environments(game, **options))

    def test_a_policy_plays_a_tournament(self):
        bot = dicehill.policy.bot(policy)
        result = dicehill.tournament("yahtzee", {"mine": bot, "greedy": "greedy"}, games=20, seed="s")
        self.assertEqual(result.champion, "greedy")
        self.assertTrue(all(row["barred"] is None for row in result.standings))

    def test_a_policy_can_be_called(self):
        with self.assertRaisesRegex(TypeError, "policy: 3 is not a function"):
            dicehill.policy.bot(3)
        turn = dicehill.YahtzeeState(seed="s").turn()
        for dtype in ("f8", "x", int):
            with self.assertRaisesRegex(ValueError, "dtype: .* is neither uint8 nor float32"):
                dicehill.policy.bot(lambda *_: 31, dtype=dtype)
            with self.assertRaisesRegex(ValueError, "dtype: "):
                dicehill.policy.observe(turn, dtype=dtype)
        with self.assertRaisesRegex(TypeError, "turn: None is not a turn"):
            dicehill.policy.observe(None)
        with self.assertRaisesRegex(TypeError, "action: 'x' is not a whole number"):
            dicehill.policy.answer(turn, "x")

    def test_a_fraction_is_no_action(self):
        turn = dicehill.YahtzeeState(seed="s").turn()
        for action in (0.5, np.float32(31), "1", None):
            with self.assertRaises(TypeError):
                dicehill.policy.bot(lambda *_, action=action: action)(turn)
        for action in (31, np.int64(31), np.array(31)):
            self.assertEqual(dicehill.policy.bot(lambda *_, action=action: action)(turn), dicehill.policy.answer(turn, 31))

    def test_answers_are_the_actions_of_the_environments(self):
        for game, state_class in (("yahtzee", dicehill.YahtzeeState), ("liars-dice", dicehill.LiarsDiceState)):
            for action in range(dicehill.vector.make(game).single_action_space.n):
                state, other = state_class(2, seed="s"), state_class(2, seed="s")
                answer = dicehill.policy.answer(state.turn(), action)
                try:
                    other.apply(dicehill.vector.decode_action(game, action))
                except dicehill.IllegalAction:
                    with self.assertRaises(dicehill.IllegalAction):
                        state.apply(answer)
                else:
                    state.apply(answer)
                    self.assertEqual(state, other)
            for action in (-1, 1000):
                with self.assertRaisesRegex(ValueError, f"action: {action} is not 0 to"):
                    dicehill.policy.answer(state.turn() or state_class(2).turn(), action)
