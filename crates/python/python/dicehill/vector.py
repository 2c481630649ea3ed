"""Vector environments: many games at once, stepped in Rust over arrays of numpy. Needs numpy and gymnasium.

    import dicehill.vector

    envs = dicehill.vector.make("liars-dice", num_envs=1024, players=5, seed="spring")
    observations, infos = envs.reset()
    while True:
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)

Observations, actions and rewards are in tables in docs/environments.md. The arrays that `step` returns are the same each
time and are overwritten by the next step.
"""

from __future__ import annotations

import secrets
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import _native
from ._extras import needed

np = needed("numpy", "dicehill.vector")
gymnasium = needed("gymnasium", "dicehill.vector")

__all__ = ["VectorEnv", "decode_action", "encode_action", "make"]

decode_action = _native.decode_action
encode_action = _native.encode_action


class VectorEnv(gymnasium.vector.VectorEnv):
    """A vector environment of Gymnasium with the autoreset mode same-step: where a step ends a game, the observation that
    it returns is the first one of the next game, and `infos["final_obs"]` has the last one of the old game.

    `infos["action_mask"]` has 1 for each legal action, of shape (num_envs, actions), and `infos["seat"]` the seat to act.
    `rewards` has the shape (num_envs,), what player 0 gained, if there are opponents or one player, and (num_envs, players)
    otherwise, by seat. Game k of environment i has the number 1 + i + num_envs * k and the dice of the table with this
    number, under the master seed.
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        players: Optional[int] = None,
        opponents: Sequence[str] = (),
        seed: Optional[str] = None,
        rules: Optional[str] = None,
        seat: Optional[int] = None,
        reward: Optional[str] = None,
        on_illegal: str = "raise",
        threads: int = 1,
        dtype: Any = np.uint8,
    ) -> None:
        """`players` is 1 in Yahtzee and 2 in Liar's Dice unless given, or fits the opponents, which are names of house
        bots that act within a step. `seat` is the learner's; without it, seats are drawn as in the arena. An illegal
        action raises `IllegalAction` before anything changes, or with `on_illegal="forfeit"` does what the arena does.
        `dtype` of observations is uint8, or float32 scaled to 0 to 1."""
        if on_illegal not in ("raise", "forfeit"):
            raise ValueError(f"on_illegal: {on_illegal!r} is neither 'raise' nor 'forfeit'")
        if players is None:
            players = len(opponents) + 1 if opponents else (1 if game == "yahtzee" else 2)
        self.game, self.players, self.num_envs = game, players, num_envs
        self._native = _native.VectorEnvironment(
            game,
            num_envs,
            players,
            secrets.token_hex(8) if seed is None else seed,
            rules=rules,
            opponents=list(opponents),
            seat=seat,
            reward=reward,
            forfeit=on_illegal == "forfeit",
            threads=threads,
        )
        width, actions = self._native.observation_len, _native.action_count(game)
        self._observations = np.zeros((num_envs, width), dtype)
        self._final = np.zeros((num_envs, width), dtype)
        self._masks = np.zeros((num_envs, actions), np.uint8)
        self._rewards = np.zeros((num_envs, players), np.float32)
        self._dones = np.zeros(num_envs, np.uint8)
        self._seats = np.zeros(num_envs, np.uint8)
        self._never = np.zeros(num_envs, bool)
        self._learner_alone = bool(opponents) or players == 1
        high = 1.0 if np.dtype(dtype) == np.float32 else 255
        spaces = gymnasium.spaces
        self.single_observation_space = spaces.Box(0, high, (width,), dtype)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    @property
    def fields(self) -> List[Tuple[str, int, int, int, int]]:
        """The fields of an observation: name, offset, count, bytes of each number, largest value."""
        return self._native.fields()

    def game_number(self, environment: int) -> int:
        """The number of the game that an environment plays: the table of the arena with the same seed."""
        return self._native.game_number(environment)

    def reset(self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        """Begins the next games; with a `seed`, a text or a number, the first games of that seed."""
        if seed is not None:
            self._native.reseed(str(seed))
        self._native.reset(self._observations, self._masks, self._rewards, self._dones, self._seats)
        return self._observations, self._infos()

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        """Performs one action in each environment."""
        actions = np.ascontiguousarray(actions, np.int64)
        self._native.step(
            actions, self._observations, self._masks, self._rewards, self._dones, self._seats, self._final
        )
        infos = self._infos()
        terminations = self._dones.view(bool)
        if terminations.any():
            infos["final_obs"], infos["_final_obs"] = self._final, terminations
        rewards = self._rewards[:, 0] if self._learner_alone else self._rewards
        return self._observations, rewards, terminations, self._never, infos

    def _infos(self) -> Dict[str, Any]:
        return {"action_mask": self._masks.view(np.int8), "seat": self._seats}


make = VectorEnv
