"""The environments of PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium
import numpy as np
import pettingzoo

from ._arguments import at_least
from ._single import NO_GAME, RENDER_MODES, Single

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Dict
    from numpy.typing import NDArray

#: `observation` and `action_mask`.
Observation: TypeAlias = "dict[str, NDArray[Any]]"


class _Spaces:
    """What both forms have in common."""

    metadata: dict[str, Any]

    def _describe(self, game: str, players: int, single: Single, max_cycles: int | None) -> None:
        if max_cycles is not None:
            at_least(1, "max_cycles", max_cycles)
        self.metadata = {"render_modes": RENDER_MODES, "name": f"{game.replace('-', '_')}_v1", "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        width, actions = single.seen.shape[1], single.actions
        # A space of its own for each agent, which has its own seed.
        self._action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self._observation_spaces = {agent: _observation_space(width, actions) for agent in self.possible_agents}
        #: The space of `state()`.
        self.state_space: Box = gymnasium.spaces.Box(0, 255, (1 + players * width,), np.uint8)

    # The types of both interfaces differ.
    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._action_spaces[agent]


def _observation_space(width: int, actions: int) -> Dict:
    spaces = gymnasium.spaces
    observation, mask = spaces.Box(0, 255, (width,), np.uint8), spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": observation, "action_mask": mask})


class MultiAgentEnv(_Spaces, pettingzoo.AECEnv[str, Observation, "int | None"]):
    """A game of several players, in which one acts at a time: an AEC environment of PettingZoo.

    Agents are `player_0`, ... by seat. An observation is a dictionary with `observation`, what the agent sees now, and
    `action_mask`, in which there is no action for an agent that is not to act. With `max_cycles`, a game is truncated after that many
    actions for each player.
    """

    def __init__(
        self,
        game: str,
        players: int,
        *,
        rules: str | None = None,
        reward: str | None = None,
        on_illegal: str = "raise",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._single = Single(game, players, rules=rules, reward=reward, on_illegal=on_illegal, render_mode=render_mode)
        self._describe(game, players, self._single, max_cycles)
        self.render_mode = render_mode
        self._max_steps = None if max_cycles is None else max_cycles * players
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins the next game; with a `seed`, the first one of that seed."""
        self._single.reset(seed)
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._single.seat]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, and its legal actions."""
        seat = self.possible_agents.index(agent)
        return {"observation": self._single.observation(seat), "action_mask": self._single.mask(seat)}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the agent to act sees, its rewards since it acted last, whether the game has ended or is truncated for it, and
        nothing further."""
        if not self.agents:
            raise RuntimeError(NO_GAME)
        return super().last(observe)

    def state(self) -> NDArray[np.uint8]:
        """The seat to act, then what each seat sees, by seat: everything that is known or hidden in the game, for methods that train
        with it, such as QMIX."""
        return np.append(np.uint8(self._single.seat), self._single.seen)

    def step(self, action: int | None) -> None:
        """Performs an action of the agent to act."""
        if not self.agents:
            raise RuntimeError(NO_GAME)
        acting = self.agent_selection
        if self.terminations[acting] or self.truncations[acting]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{acting} is to act: None is no action")
        self._single.step(action)
        self._steps += 1
        self._cumulative_rewards[acting] = 0.0
        self.rewards = dict(zip(self.possible_agents, map(float, self._single.rewards)))
        self._accumulate_rewards()
        is_truncated = not self._single.is_over and self._steps == self._max_steps
        self.terminations = dict.fromkeys(self.agents, self._single.is_over)
        self.truncations = dict.fromkeys(self.agents, is_truncated)
        has_ended = self._single.is_over or is_truncated
        self.agent_selection = self.agents[0] if has_ended else self.possible_agents[self._single.seat]

    def render(self) -> str | None:
        """What the agent to act sees: a text in the mode "ansi". In the mode "human" each step prints it."""
        return self._single.render()

    def close(self) -> None:
        """Nothing is held open."""


class ParallelMultiAgentEnv(_Spaces, pettingzoo.ParallelEnv[str, Observation, int]):
    """The same game with the parallel interface of PettingZoo. Every step takes the actions of all agents, and performs that of the agent
    whose `action_mask` is not empty; those of the other agents are ignored and may be missing.

    Agents, observations and rewards are those of `MultiAgentEnv`. With `max_cycles`, a game is truncated after that many steps.
    """

    def __init__(
        self,
        game: str,
        players: int,
        *,
        rules: str | None = None,
        reward: str | None = None,
        on_illegal: str = "raise",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._single = Single(game, players, rules=rules, reward=reward, on_illegal=on_illegal, render_mode=render_mode)
        self._describe(game, players, self._single, max_cycles)
        self.render_mode = render_mode
        self._max_steps = max_cycles
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins the next game; with a `seed`, the first one of that seed."""
        self._single.reset(seed)
        self._steps = 0
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Performs the action of the agent to act."""
        if not self.agents:
            raise RuntimeError(NO_GAME)
        acting = self.possible_agents[self._single.seat]
        if acting not in actions:
            raise ValueError(f"{acting} is to act, and has no action")
        self._single.step(actions[acting])
        self._steps += 1
        is_over = self._single.is_over
        is_truncated = not is_over and self._steps == self._max_steps
        agents = self.agents
        if is_over or is_truncated:
            self.agents = []
        return (
            self._observations(),
            dict(zip(agents, map(float, self._single.rewards))),
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_truncated),
            {agent: {} for agent in agents},
        )

    def state(self) -> NDArray[np.uint8]:
        """As `MultiAgentEnv.state`."""
        return np.append(np.uint8(self._single.seat), self._single.seen)

    def render(self) -> str | None:
        """What the agent to act sees: a text in the mode "ansi". In the mode "human" each step prints it."""
        return self._single.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _observations(self) -> dict[str, Observation]:
        single, seats = self._single, enumerate(self.possible_agents)
        return {agent: {"observation": single.observation(seat), "action_mask": single.mask(seat)} for seat, agent in seats}
