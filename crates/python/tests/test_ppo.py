"""The example in examples/ppo: it learns, the same from the same seed, and its bot plays what was learned."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import ppo  # The first import, because it sets how numpy computes.

import dicehill
import numpy as np

#: A training of seconds.
TINY = ["--batch", "128", "--minibatch", "256", "--seed", "tiny"]


def trained(games):
    with contextlib.redirect_stdout(io.StringIO()):
        return ppo.train.train(ppo.train.arguments([*TINY, "--games", str(games)]))


def turns(policy, games):
    """Turns of games that a policy plays with the most probable choices, and its answers."""
    shown = []
    for table in range(1, games + 1):
        state = dicehill.YahtzeeState(seed="turns", table=table)
        while not state.ended:
            turn = state.turn()
            seen, _ = dicehill.policy.observe(turn)
            found = ppo.train.chances_of(policy, seen[None])
            kept, box = [one.argmax(-1) for one in found]
            answer = dicehill.policy.answer(turn, int(ppo.train.number_of(seen[None], kept, box)[0]))
            shown.append((turn, seen, answer))
            state.apply(answer)
    return shown


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.policy, cls.scores = trained(1536)

    def test_it_learns(self):
        self.assertLess(self.scores[0], 60)
        self.assertGreater(np.mean(self.scores[-2:]), 90)

    def test_the_same_seed_learns_the_same(self):
        (policy, scores), (again, same_scores) = trained(256), trained(256)
        self.assertEqual(scores, same_scores)
        for layer, same in zip(policy.layers, again.layers):
            for part, other in zip(layer, same):
                np.testing.assert_array_equal(part, other)

    def test_the_slopes_are_those_of_the_loss(self):
        draws = np.random.default_rng(1)
        network = ppo.train.Network([5, 4, 3], draws)
        for layer in network.layers:
            layer[:] = [draws.normal(size=part.shape) for part in layer]
        inputs, weights = draws.normal(size=(7, 5)), draws.normal(size=(7, 3))
        slopes = {}
        network.update = lambda found, rate: slopes.update(enumerate(found))
        network(inputs)
        network.learn(weights, 1.0)
        for number, layer in enumerate(network.layers):
            for part, slope in zip(layer, slopes[number]):
                for place in np.ndindex(part.shape):
                    sums = []
                    for step in (1e-5, -2e-5):
                        part[place] += step
                        sums.append((network(inputs) * weights).sum())
                    part[place] += 1e-5
                    self.assertAlmostEqual(slope[place], (sums[0] - sums[1]) / 2e-5, 5)

    def test_the_bot_plays_what_was_learned(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "weights.bin")
            ppo.train.save(self.policy, path)
            layers = ppo.bot.read_layers(path)
        same = 0
        shown = turns(self.policy, 5)
        for turn, seen, answer in shown:
            inputs = np.array(ppo.bot.features(turn.message)) / ppo.bot.ONE
            np.testing.assert_allclose(inputs, ppo.train.features(seen[None])[0], atol=1e-3)
            same += answer == ppo.answer_of(ppo.bot.act(layers, turn.message))
        # Whole numbers round, which decides between choices that are as good as equal.
        self.assertGreater(same, 0.98 * len(shown))


class Bot(unittest.TestCase):
    def test_the_bot_of_the_example_plays_well(self):
        mean, low, _ = ppo.adjusted_score(ppo.FOLDER / "bot" / "weights.bin", 20)
        self.assertGreater(mean, 225)
