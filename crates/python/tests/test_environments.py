"""Environments for reinforcement learning."""

import contextlib
import io
import subprocess
import sys
import types
import unittest
import warnings

import dicehill
import dicehill.envs
import dicehill.vector
import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)

RULES = {"yahtzee": ("official", "mego-2016"), "liars-dice": ("official", "superjedi-2015")}
#: The AEC and the parallel environment of each game.
MULTI_AGENT = {
    "liars-dice": (dicehill.envs.liars_dice, dicehill.envs.liars_dice_parallel),
    "yahtzee": (dicehill.envs.yahtzee, dicehill.envs.yahtzee_parallel),
}


#: Prints by how many KiB the resident memory grows in 400,000 steps.
GROWTH = """
import sys
import dicehill.vector

def resident():
    status = open("/proc/self/status").read()
    return int(status.split("VmRSS:")[1].split()[0])

game, players = sys.argv[1:]
envs = dicehill.vector.make(game, 256, players=int(players), seed="s")
_, infos = envs.reset()

def play(steps):
    for _ in range(steps // 256):
        # The lowest legal action, but for the keeps of Yahtzee: games are short.
        first = infos["action_mask"][:, 32:].argmax(1) + 32 if game == "yahtzee" else infos["action_mask"].argmax(1)
        envs.step(first)

play(100_000)
before = resident()
play(400_000)
print(resident() - before)
"""


class Random:
    """Picks legal actions at random."""

    def __init__(self, seed=0):
        self.draws = np.random.default_rng(seed)

    def __call__(self, masks):
        return (self.draws.random(masks.shape) * masks).argmax(-1)


class Conformance(unittest.TestCase):
    """The tests that Gymnasium and PettingZoo have for environments."""

    def setUp(self):
        warnings.simplefilter("ignore")
        self.addCleanup(warnings.resetwarnings)
        # They print.
        printed = contextlib.redirect_stdout(io.StringIO())
        printed.__enter__()
        self.addCleanup(printed.__exit__, None, None, None)

    def tables(self):
        """Every game, size of table and variant of the rules, with its environments and their options."""
        for game, (aec, parallel) in MULTI_AGENT.items():
            for players in (2, 3, 5):
                for rules in RULES[game]:
                    yield aec, parallel, {"players": players, "rules": rules}

    def test_gymnasium(self):
        for rules in RULES["yahtzee"]:
            for reward in ("score", "score-gained"):
                check_env(dicehill.envs.SolitaireYahtzee(rules=rules, reward=reward, on_illegal="forfeit"))
        registered = gymnasium.make("dicehill/SolitaireYahtzee-v1", reward="score")
        alone = dicehill.envs.SolitaireYahtzee(reward="score")
        np.testing.assert_array_equal(registered.reset(seed=7)[0], alone.reset(seed=7)[0])

    def test_api(self):
        for aec, parallel, options in self.tables():
            api_test(aec(**options), num_cycles=200)
            parallel_api_test(parallel(**options), num_cycles=200)

    def test_seeds(self):
        for aec, parallel, options in self.tables():
            seed_test(lambda: aec(**options), num_cycles=50)
            # It draws actions without a mask.
            parallel_seed_test(lambda: parallel(**options, on_illegal="forfeit"), num_cycles=50)

    def test_max_cycles(self):
        for aec, parallel, options in self.tables():
            make = lambda kind: lambda **more: with_legal_samples(kind(**options, **more))  # noqa: E731
            max_cycles_test(types.SimpleNamespace(env=make(aec), parallel_env=make(parallel)))

    def test_render(self):
        for aec, _, options in self.tables():
            render_test(lambda **more: aec(**options, **more))

    def test_state(self):
        for aec, parallel, options in self.tables():
            # It draws actions without a mask.
            state_test(aec(**options, on_illegal="forfeit"), parallel(**options), num_cycles=10)

    def test_the_benchmark_runs(self):
        for aec, _ in MULTI_AGENT.values():
            performance_benchmark(aec())


class Lowest(gymnasium.spaces.Discrete):
    """An action space whose samples are the lowest legal action that ends the turn: in Yahtzee a box, in Liar's Dice a bid."""

    def __init__(self, env, space):
        super().__init__(space.n)
        self.env = env

    def sample(self, mask=None, probability=None):
        legal = np.flatnonzero(self.env._single.legal)
        return int(legal[legal >= 32][0]) if self.n == 45 else int(legal[0])


def with_legal_samples(env):
    env._action_spaces = {agent: Lowest(env, space) for agent, space in env._action_spaces.items()}
    return env


class MultiAgent(unittest.TestCase):
    def play(self, env, pick):
        """The seats, actions and rewards of a game."""
        env.reset(seed=5)
        seen = []
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            action = int(pick(observation["action_mask"]))
            env.step(action)
            seen.append((agent, action, observation["observation"].tolist(), dict(env.rewards)))
        return seen

    def play_parallel(self, env, pick):
        observations, _ = env.reset(seed=5)
        seen = []
        while env.agents:
            acting = [agent for agent in env.agents if observations[agent]["action_mask"].any()]
            self.assertEqual(len(acting), 1)
            agent = acting[0]
            action = int(pick(observations[agent]["action_mask"]))
            actions = {other: action if other == agent else 10_000 for other in env.agents}
            before = observations[agent]["observation"].tolist()
            observations, rewards, terminations, _, _ = env.step(actions)
            seen.append((agent, action, before, rewards))
        self.assertTrue(all(terminations.values()))
        return seen

    def test_both_interfaces_play_the_same_game(self):
        for aec, parallel in MULTI_AGENT.values():
            for players in (2, 3, 5):
                self.assertEqual(
                    self.play(aec(players=players), Random(1)), self.play_parallel(parallel(players=players), Random(1))
                )

    def test_the_state_has_the_dice_of_all_players(self):
        env = dicehill.envs.liars_dice(players=3)
        env.reset(seed=5)
        state = dicehill.LiarsDiceState(3, seed="5")
        rows = env.state()[1:].reshape(3, -1)
        for seat, answer in enumerate(((1, 2), (1, 3), (1, 4))):
            self.assertEqual(rows[seat, 13:18].tolist(), state.turn().dice)
            np.testing.assert_array_equal(env.observe(f"player_{seat}")["observation"][13:18], rows[seat, 13:18])
            state.apply(answer)

    def test_a_game_is_truncated(self):
        env = dicehill.envs.yahtzee_parallel(players=2, max_cycles=5)
        env.reset(seed=1)
        for step in range(5):
            _, _, terminations, truncations, _ = env.step(dict.fromkeys(env.agents, 0 if step % 3 < 2 else 32 + step))
        self.assertEqual((any(terminations.values()), all(truncations.values()), env.agents), (False, True, []))

    def test_no_action_is_performed_outside_a_game(self):
        solitaire = dicehill.envs.SolitaireYahtzee()
        aec = dicehill.envs.yahtzee(players=2)
        parallel = dicehill.envs.yahtzee_parallel(players=2)
        vector = dicehill.vector.make("yahtzee", 2)
        steps = (lambda: solitaire.step(0), lambda: aec.step(0), lambda: parallel.step({"player_0": 0}))
        calls = (*steps, lambda: vector.step([0, 0]), aec.last)
        for call in calls:
            with self.assertRaisesRegex(RuntimeError, "no game is in progress: call reset()"):
                call()
        solitaire.reset(seed=1)
        for category in range(32, 45):
            _, _, is_over, _, _ = solitaire.step(category)
        self.assertTrue(is_over)
        with self.assertRaisesRegex(RuntimeError, "no game is in progress"):
            solitaire.step(0)

    def test_what_is_wrong_is_named(self):
        env = dicehill.envs.liars_dice_parallel()
        env.reset(seed=1)
        for call, error, message in (
            (lambda: env.step({"player_1": 0}), ValueError, "player_0 is to act, and has no action"),
            (lambda: env.step({"player_0": 150}), dicehill.IllegalAction, "action 150 is illegal"),
            (lambda: env.step({"player_0": 10**30}), dicehill.IllegalAction, "is illegal"),
            (lambda: env.step({"player_0": 1.5}), TypeError, "an action is an integer, not 1.5"),
            (lambda: env.step({"player_0": "1"}), TypeError, "an action is an integer, not '1'"),
            (lambda: dicehill.vector.make("yahtzee", 10**9), ValueError, "1000000000 environments: at most 1048576"),
            (lambda: dicehill.vector.make("yahtzee").reset(options={"reset_mask": [True]}), ValueError, "no reset_mask here"),
            (lambda: dicehill.envs.yahtzee(max_cycles=0), ValueError, "max_cycles: 0 is not 1 or more"),
            (lambda: dicehill.envs.yahtzee(render_mode="rgb_array"), ValueError, "render_mode: 'rgb_array'"),
            (lambda: dicehill.envs.yahtzee(on_illegal="ignore"), ValueError, "on_illegal: 'ignore'"),
            (lambda: dicehill.vector.make("yahtzee", dtype=np.float64), ValueError, "dtype: float64 is neither uint8 nor float32"),
        ):
            with self.assertRaisesRegex(error, message):
                call()


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
            for wrong in (-1, 2**70):
                with self.assertRaisesRegex(ValueError, "number: "):
                    dicehill.vector.decode_action(game, wrong)


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

    def test_arrays_of_another_order_are_refused(self):
        environment = dicehill.vector.make("yahtzee", 3)
        observations, *others = environment._written
        with self.assertRaisesRegex(ValueError, "observations: the rows of the array"):
            environment._native.reset(np.asfortranarray(observations), *others)

    def test_copies_stay_as_they_were(self):
        for copies in (False, True):
            envs = dicehill.vector.make("yahtzee", 3, seed=7, copy=copies)
            observations, infos = envs.reset()
            before = [observations.copy(), infos["action_mask"].copy()]
            stepped = envs.step([0, 0, 0])
            for array, old, new in zip([observations, infos["action_mask"]], before, [stepped[0], stepped[4]["action_mask"]]):
                self.assertEqual(np.array_equal(array, old), copies or np.array_equal(new, old))
                self.assertEqual(np.shares_memory(array, new), not copies)

    def test_float32_is_scaled(self):
        for observations, _, _ in self.play(game="yahtzee", dtype=np.float32, steps=50):
            self.assertTrue(((observations >= 0) & (observations <= 1)).all())

    def test_an_illegal_action_is_named_and_changes_nothing(self):
        envs = dicehill.vector.make("yahtzee", 4, seed="s")
        before = envs.reset()[0].copy()
        with self.assertRaisesRegex(dicehill.IllegalAction, "environment 2: action 45"):
            envs.step([0, 0, 45, 0])
        np.testing.assert_array_equal(envs._written[0], before)

    def test_actions_and_opponents_of_a_wrong_kind_are_refused(self):
        envs = dicehill.vector.make("yahtzee", 4, seed="s")
        envs.reset()
        with self.assertRaisesRegex(TypeError, "actions: float64 is no type of whole numbers"):
            envs.step(np.full(4, 31.5))
        with self.assertRaisesRegex(ValueError, "actions: there are 3, not one for each of 4"):
            envs.step([31, 31, 31])
        with self.assertRaisesRegex(TypeError, "opponents: 'honest' is a text"):
            dicehill.vector.make("liars-dice", 4, opponents="honest")

    def test_memory_does_not_grow(self):
        """In a process of its own, because other tests take memory too."""
        for game, players in (("yahtzee", 2), ("liars-dice", 5)):
            done = subprocess.run([sys.executable, "-c", GROWTH, game, str(players)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(int(done.stdout), 1024, "KiB")

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
