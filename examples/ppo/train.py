"""Trains the bot in the folder `bot`: proximal policy optimisation for solitaire Yahtzee, with numpy alone.

    pip install 'dicehill[environments]'
    python train.py --out bot/weights.bin

The policy is a network with two hidden layers. It keeps dice by six choices, how many dice of each face, and fills a box by a
seventh. A second network estimates the points still to come. Each iteration plays `--batch` games side by side with `dicehill.vector`, computes
generalised advantages (Schulman et al. 2016) and takes steps on the clipped objective of PPO (Schulman et al. 2017). The same arguments give
the same weights on one machine; other versions of numpy may round differently.
"""

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other

import dicehill.vector
import numpy as np

#: Steps of a game: three for each of 13 boxes.
STEPS = 39
HIDDEN = 128
#: Points that are 1 to the networks.
SCALE = 50
#: Where the fields of an observation are (docs/environments.md).
STAGE, DICE, FACES, CARD, LEGAL, UPPER = 1, slice(2, 7), slice(7, 13), slice(13, 26), slice(26, 39), 39
PIPS = np.arange(1, 7)


def features(seen):
    """What the networks see of observations of shape (n, 48): float32 of shape (n, 73). `bot/bot.py` has the same for one turn."""
    seen = seen.astype(np.int32)
    faces, card, legal, upper = seen[:, FACES], seen[:, CARD], seen[:, LEGAL], seen[:, UPPER, None]
    free = card == 0
    open_upper = free[:, :6]
    ahead = upper - 3 * (~open_upper * PIPS).sum(1, keepdims=True)
    shown = faces > 0
    runs = [np.any([shown[:, start : start + length].all(1) for start in range(7 - length)], 0) for length in (3, 4, 5)]
    most = faces.max(1, keepdims=True)
    return np.concatenate(
        [
            (faces[:, :, None] > np.arange(5)).reshape(len(seen), 30),
            seen[:, STAGE, None] == np.arange(3),
            free,
            np.maximum(legal - 1, 0) / 25,
            np.stack(runs, 1),
            most > np.arange(1, 5),
            upper / 63,
            upper >= 63,
            ahead / 10,
            np.abs(ahead) / 10,
            card[:, 11:12] == 51,
            open_upper.sum(1, keepdims=True) / 6,
            free[:, 6:].sum(1, keepdims=True) / 7,
        ],
        1,
        dtype=np.float32,
    )


class Network:
    """Two hidden layers of rectified units, and Adam (Kingma and Ba 2015)."""

    def __init__(self, widths, draws):
        self.layers = []
        for number, (rows, columns) in enumerate(zip(widths, widths[1:])):
            last = number == len(widths) - 2
            spread = 0.01 if last else np.sqrt(2 / rows)
            self.layers.append([draws.normal(0, spread, (rows, columns)).astype(np.float32), np.zeros(columns, np.float32)])
        self.moments = [[np.zeros((2, *part.shape), np.float32) for part in layer] for layer in self.layers]
        self.updates = 0

    def __call__(self, inputs):
        self.seen = [inputs]
        for number, (weights, bias) in enumerate(self.layers):
            outputs = self.seen[-1] @ weights + bias
            if number < len(self.layers) - 1:
                np.maximum(outputs, 0, out=outputs)
            self.seen.append(outputs)
        return self.seen[-1]

    def learn(self, slope, rate):
        """A step down, where `slope` is that of the loss by the outputs of the last call."""
        slopes = []
        for number in reversed(range(len(self.layers))):
            inputs, (weights, _) = self.seen[number], self.layers[number]
            slopes.append((inputs.T @ slope, slope.sum(0)))
            if number:
                slope = (slope @ weights.T) * (inputs > 0)
        self.update(slopes[::-1], rate)

    def update(self, slopes, rate, norm=0.5):
        """A step of Adam; longer slopes than `norm` are shortened to it."""
        length = np.sqrt(sum(float((part**2).sum()) for layer in slopes for part in layer))
        self.updates += 1
        step = rate * np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for layer, moments, found in zip(self.layers, self.moments, slopes):
            for part, moment, one in zip(layer, moments, found):
                one = one * np.float32(min(1, norm / (length + 1e-8)))
                moment[0] += np.float32(0.1) * (one - moment[0])
                moment[1] += np.float32(0.001) * (one**2 - moment[1])
                part -= np.float32(step) * moment[0] / (np.sqrt(moment[1]) + np.float32(1e-8))


def allowed(seen):
    """The choices of each of the seven decisions, shape (n, 6, 6) and (n, 13). What is not to be decided has one choice."""
    to_keep = seen[:, STAGE] < 2
    keeps = (np.arange(6) <= seen[:, FACES, None]) & (to_keep[:, None, None] | (np.arange(6) == 0))
    boxes = np.where(to_keep[:, None], np.arange(13) == 0, seen[:, LEGAL] > 0)
    return keeps, boxes


def chances(logits, allowed):
    """Probabilities of the choices of each decision."""
    logits = np.where(allowed, logits, np.float32(-1e9))
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return odds / odds.sum(-1, keepdims=True)


def split(outputs):
    return outputs[:, :36].reshape(-1, 6, 6), outputs[:, 36:]


def draw(probabilities, draws):
    """The number of a choice for each decision."""
    ends = probabilities.cumsum(-1)
    return (draws.random((*ends.shape[:-1], 1), np.float32) * ends[..., -1:] >= ends).sum(-1)


def number_of(seen, kept, box):
    """The numbers of actions of the environment: a mask of dice to keep, or 32 and more for a box."""
    dice = seen[:, DICE].astype(np.int64)
    same_before = (dice[:, :, None] == dice[:, None, :]) & (np.arange(5) < np.arange(5)[:, None])
    keep = same_before.sum(2) < np.take_along_axis(kept, dice - 1, 1)
    return np.where(seen[:, STAGE] < 2, keep @ (1 << np.arange(5)), 32 + box)


def chances_of(policy, seen):
    """The probabilities of the choices at observations."""
    return [chances(*pair) for pair in zip(split(policy(features(seen))), allowed(seen))]


class Games:
    """Whole games of a batch, step by step."""

    def __init__(self, batch, seed):
        self.envs = dicehill.vector.make("yahtzee", batch, seed=seed, reward="score-gained")
        self.seen, _ = self.envs.reset()

    def play(self, policy, draws=None):
        """Observations, features, choices, and rewards by step. Without `draws`, the most probable choice is taken."""
        steps = []
        for _ in range(STEPS):
            seen = self.seen.copy()
            inputs = features(seen)
            found = [chances(*pair) for pair in zip(split(policy(inputs)), allowed(seen))]
            kept, box = [one.argmax(-1) if draws is None else draw(one, draws) for one in found]
            self.seen, rewards, _, _, _ = self.envs.step(number_of(seen, kept, box))
            steps.append((seen, inputs, kept, box, probability(found, kept, box), rewards.copy()))
        return [np.stack(column) for column in zip(*steps)]


def probability(found, kept, box):
    """The logarithm of the probability of the choices."""
    of_kept = np.take_along_axis(found[0], kept[..., None], 2)[..., 0]
    of_box = np.take_along_axis(found[1], box[:, None], 1)[:, 0]
    return np.log(np.maximum(of_kept, 1e-12)).sum(1) + np.log(np.maximum(of_box, 1e-12))


def advantages(rewards, values, trace):
    """Generalised advantages, shape (steps, games); a game ends with the last step."""
    found, after = np.zeros_like(rewards), np.zeros_like(rewards[0])
    for step in reversed(range(STEPS)):
        later = values[step + 1] if step + 1 < STEPS else 0
        after = rewards[step] + later - values[step] + trace * after
        found[step] = after
    return found


def slope_of(found, choice, weight, entropy):
    """By logits: the slope of `-weight * log probability - entropy * entropy of the decision`."""
    taken = np.arange(found.shape[-1]) == choice[..., None]
    logs = np.log(np.maximum(found, 1e-12))
    mean = (found * logs).sum(-1, keepdims=True)
    return weight * (found - taken) + entropy * found * (logs - mean)


def improve(args, policy, critic, batch, left, draws):
    """The steps of an iteration; `left` is the share of the training that is left."""
    seen, inputs, kept, box, before, rewards = batch
    values = critic(inputs.reshape(-1, inputs.shape[-1]))[:, 0].reshape(rewards.shape)
    gains = advantages(rewards / np.float32(SCALE), values, args.trace)
    targets = (gains + values).ravel()
    gains = ((gains - gains.mean()) / (gains.std() + 1e-8)).ravel()
    seen, inputs, kept, box, before = [one.reshape(-1, *one.shape[2:]) for one in (seen, inputs, kept, box, before)]
    choices = allowed(seen)
    for _ in range(args.epochs):
        for rows in np.array_split(draws.permutation(len(seen)), max(1, len(seen) // args.minibatch)):
            outputs = split(policy(inputs[rows]))
            found = [chances(logits, one[rows]) for logits, one in zip(outputs, choices)]
            gain, ratio = gains[rows], np.exp(probability(found, kept[rows], box[rows]) - before[rows])
            is_clipped = np.where(gain > 0, ratio > 1 + args.clip, ratio < 1 - args.clip)
            weight = np.where(is_clipped, 0, gain * ratio).astype(np.float32)
            entropy = np.float32(args.entropy * left)
            slopes = [slope_of(found[0], kept[rows], weight[:, None, None], entropy), slope_of(found[1], box[rows], weight[:, None], entropy)]
            slope = np.concatenate([slopes[0].reshape(-1, 36), slopes[1]], 1)
            policy.learn(slope / np.float32(len(rows)), args.rate * left)
            error = critic(inputs[rows])[:, 0] - targets[rows]
            critic.learn((error / np.float32(len(rows)))[:, None], args.rate * left)


def save(policy, path):
    """The weights as whole numbers of 16 bits, in units of 1/4096, layer by layer: the rows of the matrix, then the bias."""
    numbers = np.concatenate([part.ravel() for layer in policy.layers for part in layer])
    with open(path, "wb") as file:
        file.write(np.clip(np.round(numbers * 4096), -32768, 32767).astype("<i2").tobytes())


def arguments(words=None):
    parser = argparse.ArgumentParser(description="Trains a policy for solitaire Yahtzee by PPO.")
    parser.add_argument("--games", type=int, default=100_000, help="games to learn from (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=512, help="games side by side (default: %(default)s)")
    parser.add_argument("--minibatch", type=int, default=2048, help="decisions for each step of the networks (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=3, help="passes over the games of an iteration (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=1e-3, help="step size at the start; it falls to 0 (default: %(default)s)")
    parser.add_argument("--trace", type=float, default=0.6, help="lambda of generalised advantages (default: %(default)s)")
    parser.add_argument("--clip", type=float, default=0.2, help="bound of the probability ratio (default: %(default)s)")
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the entropy at the start; it falls to 0 (default: %(default)s)")
    parser.add_argument("--seed", default="ppo", help="seed of games, choices and weights (default: %(default)s)")
    parser.add_argument("--out", metavar="FILE", help="where to write the weights")
    return parser.parse_args(words)


def train(args):
    """Returns the policy, and the mean score of each iteration."""
    draws = np.random.default_rng(list(args.seed.encode()))
    games = Games(args.batch, args.seed)
    width = features(games.seen).shape[1]
    policy, critic = Network([width, HIDDEN, HIDDEN, 49], draws), Network([width, HIDDEN, HIDDEN, 1], draws)
    scores, iterations = [], max(1, args.games // args.batch)
    for number in range(iterations):
        batch = games.play(policy, draws)
        scores.append(float(batch[-1].sum(0).mean()))
        if number % 20 == 0 or number == iterations - 1:
            print(f"{args.batch * (number + 1):>8} games: {scores[-1]:.1f} points a game, {time.process_time():.0f} CPU seconds", flush=True)
        improve(args, policy, critic, batch, 1 - number / iterations, draws)
    return policy, scores


def main():
    args = arguments()
    policy, _ = train(args)
    if args.out:
        save(policy, args.out)
    played = Games(2000, f"{args.seed} judge").play(policy)[-1].sum(0)
    half = 1.96 * played.std(ddof=1) / np.sqrt(len(played))
    print(f"without exploration: {played.mean():.1f} ± {half:.1f} points a game in {len(played)} games")


if __name__ == "__main__":
    main()
