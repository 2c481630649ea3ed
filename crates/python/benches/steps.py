"""Steps of a core-second of `dicehill.vector`, by CPU time: `python crates/python/benches/steps.py`, with the package installed.

The actions are chosen before: a policy that is uniform over the legal ones plays and is recorded, and then the same environments are stepped
with the recorded actions. The benchmark is `step` alone, as `cargo bench -p dicehill-environments --profile dist` measures it in Rust. A batch of
1 shows what a call from Python costs. With opponents, a step includes all that they do until the learner acts again. With several threads, the CPU time
is that of all of them; the column `Mstep/s` is by wall time, which needs an idle machine.

Where OpenSpiel is installed (`pip install open_spiel`), its Liar's Dice and its Pig are stepped in the same way, one game at a time, as its interface
has it. Where pgx is (`pip install pgx`), so is its game with dice, backgammon, in batches compiled by JAX, and by the CPU time of all its threads.

The workloads of a batch are measured in turn, and all of them again in each repeat, so that their ratios do not depend on what else the machine does.
`cargo xtask prove wheel` runs `--figures` with the published wheel, OpenSpiel and pgx.
"""

import argparse
import gc
import itertools
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import dicehill.vector
import numpy as np

#: Game, players, opponents, the share of the steps that are taken, and the million steps a core-second that bytes and one thread have to reach.
GAMES = [
    ("liars-dice", 2, [], 1, 10),
    ("liars-dice", 5, [], 1, 10),
    ("yahtzee", 1, [], 1, 5),
    ("yahtzee", 2, [], 1, 5),
    ("liars-dice", 2, ["honest"], 1, None),
    ("liars-dice", 5, ["honest", "bayes", "badnomial", "nobody"], 0.01, None),
    ("yahtzee", 2, ["greedy"], 0.1, None),
]
#: Games of OpenSpiel, and the games of ours that they are compared with.
OPENSPIEL = [("liars_dice(players=2,numdice=5)", "liars-dice, 2 players"), ("pig(players=2)", "yahtzee, 2 players")]
#: The game of pgx, and those of ours.
PGX = ("backgammon", ["liars-dice, 2 players", "yahtzee, 2 players"])
#: The batch of the figures, and their numbers of threads.
FIGURES_BATCH, FIGURES_THREADS = 1024, [1, 2]


@dataclass
class Workload:
    """Recorded steps, and how long each repeat of them took."""

    name: str
    batch: int
    threads: int | str
    calls: int
    prepare: Callable[[], Any]
    run: Callable[[Any], None]
    #: Our workloads that its speed is compared with.
    compared: list[str] = field(default_factory=list)
    least: float | None = None
    #: CPU seconds of all threads, and seconds by the clock.
    times: list[tuple[float, float]] = field(default_factory=list)

    def measure(self):
        prepared = self.prepare()
        starts = time.process_time(), time.perf_counter()
        self.run(prepared)
        self.times.append((time.process_time() - starts[0], time.perf_counter() - starts[1]))

    def speeds(self):
        """Million steps of a core-second in each repeat."""
        return [self.calls * self.batch / seconds / 1e6 for seconds, _ in self.times]

    def show(self):
        # The fastest, because others share the machine.
        seconds, elapsed = (min(column) for column in zip(*self.times))
        steps = self.calls * self.batch
        speeds = f"{steps / seconds / 1e6:>12.3f} {steps / elapsed / 1e6:>9.3f} {seconds / steps * 1e9:>9.1f} {elapsed / self.calls * 1e6:>9.2f}"
        print(f"{self.name:<52} {self.batch:>6} {self.threads:>7} {speeds}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(description="Measures the steps of a core-second of dicehill.vector.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps of a measurement (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="measurements, of which the fastest counts (default: %(default)s)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1], metavar="N", help="numbers of threads of dicehill (default: 1)")
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 64, 256, 1024], metavar="N", help="numbers of environments")
    parser.add_argument("--figures", action="store_true", help="print the figures of FIGURES.md as JSON, medians and ranges of the repeats")
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


def ours(steps, game, players, opponents, dtype, batch, threads):
    """A workload of `dicehill.vector`."""

    def make():
        seats = {"opponents": opponents} if opponents else {"players": players}
        return dicehill.vector.make(game, batch, seed="bench", dtype=dtype, threads=threads, **seats)

    def prepare():
        envs = make()
        envs.reset()
        return envs

    def run(envs):
        for action in actions:
            envs.step(action)

    # Calls of a small batch take longer for each step.
    actions = record(make, max(1, int(steps) // max(batch, 16)))
    name = f"{game}, {players} players, {np.dtype(dtype)}"
    name = f"{name}, {len(opponents)} house bots" if opponents else name
    return Workload(name, batch, threads, len(actions), prepare, run)


def all_ours(args, batch, threads):
    """Those of all games, with bytes and float32, and with opponents."""
    for game, players, opponents, share, least in GAMES:
        for dtype in (np.uint8,) if opponents else (np.uint8, np.float32):
            workload = ours(args.steps * share, game, players, opponents, dtype, batch, threads)
            workload.least = least if dtype is np.uint8 and threads == 1 else None
            yield workload


def openspiel(args):
    """Games of a uniform policy, replayed: each decision asks for what the player sees and for the legal actions, as `step` writes them."""
    try:
        import pyspiel
    except ImportError:
        print_unless_figures(args, "OpenSpiel is not installed: pip install open_spiel")
        return
    for name, compared in OPENSPIEL:
        yield openspiel_game(args, pyspiel.load_game(name), name, compared)


def openspiel_game(args, game, name, compared):
    draws, games, decisions = random.Random(0), [], 0
    while decisions < args.steps / 20:
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions.append(draws.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        games.append(actions)
    is_hidden = game.get_type().provides_information_state_tensor

    def run(_):
        for actions in games:
            state = game.new_initial_state()
            for action in actions:
                if not state.is_chance_node():
                    state.information_state_tensor() if is_hidden else state.observation_tensor()
                    state.legal_actions_mask()
                state.apply_action(action)

    return Workload(f"OpenSpiel {name}", 1, 1, decisions, lambda: None, run, [compared])


def pgx(args, batch):
    """Environments that begin a new game after the last move of one, stepped with the recorded actions of a uniform policy."""
    try:
        import jax
        import pgx
        from pgx.experimental.utils import act_randomly
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        print_unless_figures(args, "pgx is not installed: pip install pgx")
        return
    game, compared = PGX
    environment = pgx.make(game)
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

    yield Workload(f"pgx {game}", batch, "all", len(recorded), lambda: None, run, compared)


def print_unless_figures(args, text):
    if args.figures:
        raise SystemExit(text)
    print(text)


def measure(workloads, repeats):
    """Measures all of them in turn, and again."""
    gc.collect()
    for _ in range(repeats):
        for workload in workloads:
            workload.measure()


def tables(args):
    columns = f"{'Mstep/core-s':>12} {'Mstep/s':>9} {'CPU ns':>9} {'us/call':>9}"
    print(f"{'game, players, observations':<52} {'batch':>6} {'threads':>7} {columns}")
    for batch in args.batches:
        threads = [threads for threads in args.threads if threads <= batch]
        workloads = [workload for threads in threads for workload in all_ours(args, batch, threads)]
        workloads += [*(openspiel(args) if batch == args.batches[0] else []), *pgx(args, batch)]
        measure(workloads, args.repeats)
        for workload in workloads:
            workload.show()


def figure(name, values, least=None):
    """The median of the repeats and their range."""
    median, (low, high) = statistics.median(values), (min(values), max(values))
    digits = 1 if median >= 100 else 2 if median >= 1 else 4
    interval = f"{low:.{digits}f} - {high:.{digits}f} in {len(values)} repeats"
    aim, met = ("none", True) if least is None else (f"at least {least}", median >= least)
    return {"name": name, "value": f"{median:.{digits}f}", "interval": interval, "aim": aim, "met": met}


def figures(args):
    """Those of all workloads, and how many times as fast as others ours are, each repeat compared with the same repeat."""
    batch = FIGURES_BATCH
    mine = [workload for threads in FIGURES_THREADS for workload in all_ours(args, batch, threads)]
    others = [*openspiel(args), *pgx(args, batch)]
    measure([*mine, *others], args.repeats)
    for workload in [*mine, *others]:
        yield figure(f"{label(workload)}: million steps of a core-second", workload.speeds(), workload.least)
    for other, workload in itertools.product(others, mine):
        if workload.threads == 1 and workload.name in [f"{name}, uint8" for name in other.compared]:
            ratios = [speed / slower for speed, slower in zip(workload.speeds(), other.speeds())]
            yield figure(f"{label(workload)}: steps of a core-second for each of {label(other)}", ratios)


def label(workload):
    plural = "" if workload.threads == 1 else "s"
    return f"{workload.name}, batch of {workload.batch}, {workload.threads} thread{plural}"


def main():
    args = arguments()
    if args.figures:
        print(json.dumps([*figures(args)], indent=1, ensure_ascii=False))
    else:
        tables(args)


if __name__ == "__main__":
    main()
