"""Environments: Gymnasium's for solitaire Yahtzee, PettingZoo's for both games. Need gymnasium, and pettingzoo.

    import dicehill.envs

    env = dicehill.envs.SolitaireYahtzee()     # or gymnasium.make("dicehill/SolitaireYahtzee-v1")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

    env = dicehill.envs.liars_dice(players=5)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ...

    env = dicehill.envs.liars_dice_parallel(players=5)
    observations, infos = env.reset(seed=1)
    while env.agents:
        actions = {agent: policy(observations[agent]) for agent in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)

Observations, actions and rewards are in tables in docs/environments.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._extras import missing

try:
    import gymnasium
    import numpy as np
except ImportError as error:
    raise missing(error, "dicehill.envs") from None

from ._single import RENDER_MODES, Single

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._multi_agent import MultiAgentEnv, ParallelMultiAgentEnv

__all__ = ["SolitaireYahtzee", "liars_dice", "liars_dice_parallel", "yahtzee", "yahtzee_parallel"]


class SolitaireYahtzee(gymnasium.Env["NDArray[np.uint8]", np.int64]):
    """Yahtzee for one player. `info["action_mask"]` has 1 for each legal action.

    `reward` is "score" (at the end), "score-gained" (after each action), or "luck-adjusted": the loss of each decision
    against optimal play, whose sum over a game has the expectation of the score with less variance."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        *,
        rules: str | None = None,
        reward: str = "score-gained",
        on_illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        self._single = Single("yahtzee", 1, rules=rules, reward=reward, on_illegal=on_illegal, render_mode=render_mode)
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Box(0, 255, self._single.seen[0].shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self._single.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begins the next game; with a `seed`, the first one of that seed."""
        super().reset(seed=seed)
        self._single.reset(seed)
        return self._single.observation(0), self._info()

    def step(self, action: int | np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Performs an action: 0 to 31 keeps the dice whose bits are set, 32 to 44 fills a category."""
        single = self._single
        single.step(action)
        return single.observation(0), float(single.rewards[0]), single.is_over, False, self._info()

    def render(self) -> str | None:
        """What the player sees: a text in the mode "ansi". In the mode "human" each step prints it."""
        return self._single.render()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._single.mask(0)}


gymnasium.register("dicehill/SolitaireYahtzee-v1", entry_point="dicehill.envs:SolitaireYahtzee")


def _classes() -> tuple[type[MultiAgentEnv], type[ParallelMultiAgentEnv]]:
    """Imported when they are needed, so that Gymnasium is enough for the other environment."""
    try:
        from ._multi_agent import MultiAgentEnv, ParallelMultiAgentEnv
    except ImportError as error:
        raise missing(error, "dicehill.envs") from None
    return MultiAgentEnv, ParallelMultiAgentEnv


def liars_dice(players: int = 2, **options: Any) -> MultiAgentEnv:
    """Liar's Dice for 2 to 5 players as an AEC environment of PettingZoo. Options: `rules`, `reward` ("points" or "win"),
    `on_illegal` ("raise" or "forfeit"), `max_cycles`, `render_mode` ("ansi" or "human")."""
    return _classes()[0]("liars-dice", players, **options)


def liars_dice_parallel(players: int = 2, **options: Any) -> ParallelMultiAgentEnv:
    """The same with the parallel interface: of the actions of all agents, a step performs that of the agent to act."""
    return _classes()[1]("liars-dice", players, **options)


def yahtzee(players: int = 2, **options: Any) -> MultiAgentEnv:
    """Yahtzee as an AEC environment of PettingZoo. Options: `rules`, `reward` ("points", "score" or "score-gained"),
    `on_illegal` ("raise" or "forfeit"), `max_cycles`, `render_mode` ("ansi" or "human")."""
    return _classes()[0]("yahtzee", players, **options)


def yahtzee_parallel(players: int = 2, **options: Any) -> ParallelMultiAgentEnv:
    """The same with the parallel interface: of the actions of all agents, a step performs that of the agent to act."""
    return _classes()[1]("yahtzee", players, **options)
