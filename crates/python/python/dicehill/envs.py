"""Environments: Gymnasium's for solitaire Yahtzee, PettingZoo's for both games. Need gymnasium, and pettingzoo.

    import dicehill.envs

    env = dicehill.envs.SolitaireYahtzee()
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

    env = dicehill.envs.liars_dice(players=5)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ...

Observations, actions and rewards are in tables in docs/environments.md.
"""

from __future__ import annotations

import secrets
from typing import Any, Dict, List, Optional, Tuple

from . import _native
from ._extras import needed

np = needed("numpy", "dicehill.envs")
gymnasium = needed("gymnasium", "dicehill.envs")

__all__ = ["SolitaireYahtzee", "liars_dice", "yahtzee"]


class _Batch:
    """One game at a time in the vector environment, with the arrays that it writes."""

    def __init__(self, game: str, players: int, rules: Optional[str], reward: Optional[str], on_illegal: str) -> None:
        self.native = _native.VectorEnvironment(
            game, 1, players, secrets.token_hex(8), rules=rules, opponents=[], seat=None, reward=reward,
            forfeit=on_illegal == "forfeit", threads=1,
        )
        width = self.native.observation_len
        self.observation = np.zeros((1, width), np.uint8)
        self.final = np.zeros((1, width), np.uint8)
        self.mask = np.zeros((1, _native.action_count(game)), np.uint8)
        # Gymnasium's spaces sample with masks of this type.
        self.legal = self.mask[0].view(np.int8)
        self.reward = np.zeros((1, players), np.float32)
        self.done = np.zeros(1, np.uint8)
        self.seat = np.zeros(1, np.uint8)

    def reset(self, seed: Any) -> None:
        if seed is not None:
            self.native.reseed(str(seed))
        self.native.reset(self.observation, self.mask, self.reward, self.done, self.seat)

    def step(self, action: int) -> bool:
        actions = np.array([action], np.int64)
        self.native.step(actions, self.observation, self.mask, self.reward, self.done, self.seat, self.final)
        return bool(self.done[0])


class SolitaireYahtzee(gymnasium.Env):
    """Yahtzee for one player. `info["action_mask"]` has 1 for each legal action.

    `reward` is "score" (at the end), "score-gained" (after each action), or "luck-adjusted": the loss of each decision
    against optimal play, whose sum over a game has the expectation of the score with less variance."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, *, rules: Optional[str] = None, reward: str = "score-gained", on_illegal: str = "raise",
        render_mode: Optional[str] = None,
    ) -> None:
        self._batch = _Batch("yahtzee", 1, rules, reward, on_illegal)
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Box(0, 255, self._batch.observation[0].shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self._batch.mask.shape[1])

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        """Begins the next game; with a `seed`, the first one of that seed."""
        super().reset(seed=seed)
        self._batch.reset(seed)
        return self._batch.observation[0].copy(), self._info()

    def step(self, action: int) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """Performs an action: 0 to 31 keeps the dice whose bits are set, 32 to 44 fills a category."""
        done = self._batch.step(int(action))
        shown = self._batch.final if done else self._batch.observation
        return shown[0].copy(), float(self._batch.reward[0, 0]), done, False, self._info()

    def render(self) -> Optional[str]:
        """The dice and the open boxes as a text."""
        if self.render_mode != "ansi":
            return None
        return _shown(self._batch)

    def _info(self) -> Dict[str, Any]:
        return {"action_mask": self._batch.legal.copy()}


def _shown(batch: _Batch) -> str:
    parts = []
    for name, offset, count, width, _ in batch.native.fields():
        numbers = batch.observation[0, offset : offset + count * width]
        values = numbers if width == 1 else numbers[::2] + 256 * numbers[1::2].astype(int)
        parts.append(f"{name} {' '.join(str(int(value)) for value in values)}")
    return "\n".join(parts)


def _multi_agent() -> Any:
    """The class for PettingZoo, made when it is needed, so that Gymnasium is enough for the other one."""
    pettingzoo = needed("pettingzoo", "dicehill.envs")

    class MultiAgent(pettingzoo.AECEnv):
        """A game of several players, one of whom acts at a time: an AEC environment of PettingZoo.

        Agents are `player_0`, ... by seat. An observation is a dictionary with `observation` and `action_mask`; of an
        agent that is not to act, the observation is what it saw when it last was, and its mask is 0. Rewards come with
        the end of the game."""

        metadata = {"render_modes": ["ansi"], "is_parallelizable": False}

        def __init__(
            self, game: str, players: int, *, rules: Optional[str] = None, reward: Optional[str] = None,
            on_illegal: str = "raise", render_mode: Optional[str] = None,
        ) -> None:
            super().__init__()
            self.metadata = {**self.metadata, "name": f"{game.replace('-', '_')}_v1"}
            self._batch = _Batch(game, players, rules, reward, on_illegal)
            self.render_mode = render_mode
            self.possible_agents = [f"player_{seat}" for seat in range(players)]
            width, actions = self._batch.observation.shape[1], self._batch.mask.shape[1]
            spaces = gymnasium.spaces
            self._observation_space = spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (width,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
            self._observation_spaces = {agent: self._observation_space for agent in self.possible_agents}
            self.agents: List[str] = []

        def observation_space(self, agent: str) -> Any:
            return self._observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self._action_spaces[agent]

        def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
            """Begins the next game; with a `seed`, the first one of that seed."""
            self._batch.reset(seed)
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
            self._seen = {agent: np.zeros_like(self._batch.observation[0]) for agent in self.agents}
            self._show()

        def observe(self, agent: str) -> Dict[str, Any]:
            is_acting = agent == self.agent_selection and not self.terminations.get(agent, True)
            mask = self._batch.legal if is_acting else np.zeros_like(self._batch.legal)
            return {"observation": self._seen[agent].copy(), "action_mask": mask.copy()}

        def step(self, action: Optional[int]) -> None:
            """Performs an action of the agent to act."""
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            if action is None:
                raise ValueError("None is no action")
            acting = self.agent_selection
            self._cumulative_rewards[acting] = 0.0
            if self._batch.step(int(action)):
                self._seen[acting] = self._batch.final[0].copy()
                self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {agent: float(self._batch.reward[0, seat]) for seat, agent in enumerate(self.possible_agents)}
            self._accumulate_rewards()
            if not any(self.terminations.values()):
                self._show()
            else:
                self.agent_selection = self.agents[0]

        def render(self) -> Optional[str]:
            """What the agent to act sees, as a text."""
            return _shown(self._batch) if self.render_mode == "ansi" else None

        def close(self) -> None:
            """Nothing is held open."""

        def _show(self) -> None:
            self.agent_selection = self.possible_agents[int(self._batch.seat[0])]
            self._seen[self.agent_selection] = self._batch.observation[0].copy()

    return MultiAgent


def liars_dice(players: int = 2, **options: Any) -> Any:
    """Liar's Dice for 2 to 5 players as an AEC environment of PettingZoo. Options: `rules`, `reward` ("points" or "win"),
    `on_illegal` ("raise" or "forfeit"), `render_mode`."""
    return _multi_agent()("liars-dice", players, **options)


def yahtzee(players: int = 2, **options: Any) -> Any:
    """Yahtzee as an AEC environment of PettingZoo. Options: `rules`, `reward` ("points", "score" or "score-gained"),
    `on_illegal` ("raise" or "forfeit"), `render_mode`."""
    return _multi_agent()("yahtzee", players, **options)
