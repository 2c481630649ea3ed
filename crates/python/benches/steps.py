"""Steps of a core-second of `dicehill.vector`, by CPU time: `python crates/python/benches/steps.py`, with the package installed.

The actions are chosen before: a policy that is uniform over the legal ones plays and is recorded, and then the same environments are stepped
with the recorded actions. The benchmark is `step` alone, as `cargo bench -p dicehill-environments --profile dist` measures it in Rust. A batch of
1 shows what a call from Python costs. With opponents, a step includes all that they do until the learner acts again. With several threads, the CPU time
is that of all of them; the column `Mstep/s` is by wall time, which needs an idle machine.

Where OpenSpiel is installed (`pip install open_spiel`), its own Liar's Dice is stepped in the same way, one game at a time, as its interface has it.
Where pgx is (`pip install pgx`), so is its game with dice, backgammon, in batches compiled by JAX, and by the CPU time of all its threads.
"""

import argparse
import itertools
import random
import time

import dicehill.vector
import numpy as np

#: Game, players, opponents, and the share of the steps that are taken.
GAMES = [
    ("liars-dice", 2, [], 1),
    ("liars-dice", 5, [], 1),
    ("yahtzee", 1, [], 1),
    ("yahtzee", 2, [], 1),
    ("liars-dice", 2, ["honest"], 1),
    ("liars-dice", 5, ["honest", "bayes", "badnomial", "nobody"], 0.01),
    ("yahtzee", 2, ["greedy"], 0.1),
]
OPENSPIEL = "liars_dice(players=2,numdice=5)"
PGX = "backgammon"


def arguments():
    parser = argparse.ArgumentParser(description="Measures the steps of a core-second of dicehill.vector.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps of a measurement (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="measurements, of which the fastest counts (default: %(default)s)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1], metavar="N", help="numbers of threads of dicehill (default: 1)")
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 64, 256, 1024], metavar="N", help="numbers of environments")
    return parser.parse_args()


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


def fastest(repeats, prepare, run):
    """CPU seconds of all threads, and seconds by the clock, each of the fastest of some repeats, because others share the machine."""
    times = []
    for _ in range(repeats):
        prepared = prepare()
        starts = time.process_time(), time.perf_counter()
        run(prepared)
        times.append((time.process_time() - starts[0], time.perf_counter() - starts[1]))
    return [min(column) for column in zip(*times)]


def show(name, batch, threads, calls, times):
    (seconds, elapsed), steps = times, calls * batch
    speeds = f"{steps / seconds / 1e6:>12.3f} {steps / elapsed / 1e6:>9.3f} {seconds / steps * 1e9:>9.1f} {elapsed / calls * 1e6:>9.2f}"
    print(f"{name:<52} {batch:>6} {threads:>7} {speeds}", flush=True)


def measure(args, game, players, opponents, share, dtype, batch, threads):
    def make():
        seats = {"opponents": opponents} if opponents else {"players": players}
        return dicehill.vector.make(game, batch, seed="bench", dtype=dtype, threads=threads, **seats)

    def started():
        envs = make()
        envs.reset()
        return envs

    def run(envs):
        for action in actions:
            envs.step(action)

    # Calls of a small batch take longer for each step.
    actions = record(make, max(1, int(args.steps * share) // max(batch, 16)))
    name = f"{game}, {players} players, {np.dtype(dtype)}"
    name = f"{name}, {len(opponents)} house bots" if opponents else name
    show(name, batch, threads, len(actions), fastest(args.repeats, started, run))


def measure_openspiel(args):
    """Games of a uniform policy, replayed: each decision asks for observation and legal actions, as `step` writes them."""
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel")
        return
    game, draws, games, decisions = pyspiel.load_game(OPENSPIEL), random.Random(0), [], 0
    while decisions < args.steps / 20:
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions.append(draws.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        games.append(actions)

    def run(_):
        for actions in games:
            state = game.new_initial_state()
            for action in actions:
                if not state.is_chance_node():
                    state.information_state_tensor(), state.legal_actions_mask()
                state.apply_action(action)

    show(f"OpenSpiel {OPENSPIEL}", 1, 1, decisions, fastest(args.repeats, lambda: None, run))


def measure_pgx(args, batch):
    """Environments that begin a new game after the last move of one, stepped with the recorded actions of a uniform policy."""
    try:
        import jax
        import pgx
        from pgx.experimental.utils import act_randomly
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        print("pgx is not installed: pip install pgx")
        return
    environment = pgx.make(PGX)
    step = jax.jit(jax.vmap(auto_reset(environment.step, environment.init)))
    first_key, *keys = jax.random.split(jax.random.PRNGKey(0), 1 + max(1, args.steps // 20 // batch))
    first = jax.jit(jax.vmap(environment.init))(jax.random.split(first_key, batch))
    state, recorded = first, []
    for key in keys:
        action, chance = act_randomly(key, state.legal_action_mask), jax.random.split(key, batch)
        state = step(state, action, chance)
        recorded.append((action, chance))
    jax.block_until_ready((state, recorded))

    def run(_):
        state = first
        for action, chance in recorded:
            state = step(state, action, chance)
        jax.block_until_ready(state)

    show(f"pgx {PGX}", batch, "all", len(recorded), fastest(args.repeats, lambda: None, run))


def main():
    args = arguments()
    columns = f"{'Mstep/core-s':>12} {'Mstep/s':>9} {'CPU ns':>9} {'us/call':>9}"
    print(f"{'game, players, observations':<52} {'batch':>6} {'threads':>7} {columns}")
    for game, players, opponents, share in GAMES:
        for dtype in (np.uint8,) if opponents else (np.uint8, np.float32):
            for batch, threads in itertools.product(args.batches, args.threads):
                if threads <= batch:
                    measure(args, game, players, opponents, share, dtype, batch, threads)
    measure_openspiel(args)
    for batch in args.batches:
        measure_pgx(args, batch)


if __name__ == "__main__":
    main()
