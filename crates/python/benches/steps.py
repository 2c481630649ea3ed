"""Steps of a core-second of `dicehill.vector`, by CPU time: `python crates/python/benches/steps.py`, with the package installed.

The actions are chosen before: a policy that is uniform over the legal ones plays and is recorded, and then the same environments are stepped
with the recorded actions. What is measured is `step` alone, as `cargo bench -p dicehill-environments --profile dist` measures it in Rust.
"""

import time

import dicehill.vector
import numpy as np

STEPS = 1_000_000
REPEATS = 5


def record(make, count):
    """The actions of a uniform policy."""
    draws, envs = np.random.default_rng(0), make()
    _, infos = envs.reset()
    actions = []
    for _ in range(count):
        masks = infos["action_mask"]
        actions.append((draws.random(masks.shape, np.float32) * masks).argmax(1))
        _, _, _, _, infos = envs.step(actions[-1])
    return actions


def seconds(make, actions):
    """CPU seconds of the fastest of some repeats, because others share the machine."""
    times = []
    for _ in range(REPEATS):
        envs = make()
        envs.reset()
        start = time.thread_time()
        for action in actions:
            envs.step(action)
        times.append(time.thread_time() - start)
    return min(times)


def main():
    print(f"{'game, players, observations':<32} {'batch':>6} {'Mstep/s':>9} {'ns/step':>8} {'us/call':>8}")
    for game, players in (("liars-dice", 2), ("liars-dice", 5), ("yahtzee", 1), ("yahtzee", 2)):
        for dtype in (np.uint8, np.float32):
            for batch in (64, 256, 1024):
                def make():
                    return dicehill.vector.make(game, batch, players=players, seed="bench", dtype=dtype)

                actions = record(make, STEPS // batch)
                taken, steps = seconds(make, actions), len(actions) * batch
                name = f"{game} {players} {np.dtype(dtype)}"
                print(f"{name:<32} {batch:>6} {steps / taken / 1e6:>9.2f} {taken / steps * 1e9:>8.1f} {taken / len(actions) * 1e6:>8.1f}", flush=True)


if __name__ == "__main__":
    main()
