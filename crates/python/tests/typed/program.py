"""What a user of the package writes, for the type checker alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dicehill
import dicehill.envs
import dicehill.policy
import dicehill.vector
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def sixes(turn: dicehill.YahtzeeTurn) -> str | list[int]:
    return turn.best() if turn.stage == 2 else turn.keep_where(lambda die: die == 6)


class Careful:
    def act(self, turn: dicehill.LiarsDiceTurn) -> str | tuple[int, int]:
        last = turn.last
        if last is not None and last.count > turn.dice_in_play // 2:
            return turn.liar
        return turn.lowest(6)


def play() -> int:
    result = dicehill.tournament("yahtzee", {"mine": sixes, "greedy": "greedy"}, games=10, seed="s")
    names: list[str] = [row["bot"] for row in result.standings]
    state = dicehill.YahtzeeState(players=2, seed="s", table=3)
    state.apply("SIXES")
    copy: dicehill.YahtzeeState = state.copy()
    turn = copy.turn()
    dice: list[int] = [] if turn is None else turn.dice
    points: list[int] = [seat.points for seat in copy.results()]
    best = dicehill.Solution().advise([1, 2, 6, 6, 6], stage=0)[0]
    value: float = best.value
    return len(names) + len(dice) + sum(points) + int(value)


def learn() -> float:
    envs = dicehill.vector.make("liars-dice", num_envs=16, opponents=["honest"], seed="s")
    observations, infos = envs.reset()
    total = 0.0
    for _ in range(10):
        actions: NDArray[np.int64] = infos["action_mask"].argmax(1)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        total += float(rewards.sum())
    return total


def lowest(observation: NDArray[Any], mask: NDArray[np.int8]) -> int:
    return int(mask.argmax())


def multi_agent() -> None:
    env = dicehill.envs.liars_dice(players=3)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert observation is not None
        env.step(None if termination or truncation else lowest(observation["observation"], observation["action_mask"]))
    parallel = dicehill.envs.yahtzee_parallel(players=2)
    observations, infos = parallel.reset(seed=1)
    while parallel.agents:
        actions = {agent: lowest(seen["observation"], seen["action_mask"]) for agent, seen in observations.items()}
        observations, rewards, terminations, truncations, infos = parallel.step(actions)
    alone = dicehill.envs.SolitaireYahtzee(reward="score")
    seen, info = alone.reset(seed=1)
    seen, gained, terminated, truncated, info = alone.step(44)


dicehill.run(dicehill.policy.bot(lowest))
