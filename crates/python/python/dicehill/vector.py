"""Vector environments: many games at once, stepped in Rust over arrays of numpy. Needs numpy and gymnasium.

    import dicehill.vector

    envs = dicehill.vector.make("liars-dice", num_envs=1024, players=5, seed="spring")
    observations, infos = envs.reset()
    while True:
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)

Observations, actions and rewards are in tables in docs/environments.md. The arrays that `step` returns are the same each
time and are overwritten by the next step; with `copy=True` they are copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _native
from ._extras import missing
from ._arguments import Seed, at_least, drawn_seed, seed_text

try:
    import gymnasium
    import gymnasium.vector
    import numpy as np
except ImportError as error:
    raise missing(error, "dicehill.vector") from None

from ._single import NO_GAME

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["VectorEnv", "decode_action", "encode_action", "make"]

encode_action = _native.encode_action


def decode_action(game: str, number: SupportsIndex) -> str:
    """An action in the notation of logs. Raises ValueError if there is none of this number."""
    return _native.decode_action(game, at_least(0, "number", number))


class VectorEnv(gymnasium.vector.VectorEnv["NDArray[Any]", "NDArray[Any]", "NDArray[Any]"]):
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
        players: int | None = None,
        opponents: Sequence[str] = (),
        seed: Seed | None = None,
        rules: str | None = None,
        seat: int | None = None,
        reward: str | None = None,
        on_illegal: str = "raise",
        threads: int = 1,
        dtype: Any = np.uint8,
        copy: bool = False,
    ) -> None:
        """`players` is 1 in Yahtzee and 2 in Liar's Dice unless given, or fits the opponents, which are names of house
        bots that act within a step. `seat` is the learner's; without it, seats are drawn as in the arena. An illegal
        action raises `IllegalAction` before anything changes, or with `on_illegal="forfeit"` does what the arena does.
        `dtype` of observations is uint8, or float32 scaled to 0 to 1. With `copy`, `reset` and `step` return copies of
        the arrays, which the next step does not overwrite."""
        if on_illegal not in ("raise", "forfeit"):
            raise ValueError(f"on_illegal: {on_illegal!r} is neither 'raise' nor 'forfeit'")
        if np.dtype(dtype) not in (np.uint8, np.float32):
            raise ValueError(f"dtype: {np.dtype(dtype)} is neither uint8 nor float32")
        if isinstance(opponents, str):
            raise TypeError(f"opponents: {opponents!r} is a text, not a list of names: write [{opponents!r}]")
        if players is None:
            players = len(opponents) + 1 if opponents else (1 if game == "yahtzee" else 2)
        self.game, self.players, self.num_envs, self._copies = game, players, num_envs, copy
        self._native = _native.VectorEnvironment(
            game,
            at_least(1, "num_envs", num_envs),
            at_least(1, "players", players),
            drawn_seed() if seed is None else seed_text(seed),
            rules=rules,
            opponents=list(opponents),
            seat=None if seat is None else at_least(0, "seat", seat),
            reward=reward,
            forfeit=on_illegal == "forfeit",
            threads=at_least(1, "threads", threads),
        )
        width, actions = self._native.observation_len, _native.action_count(game)
        self._observations: NDArray[Any] = np.zeros((num_envs, width), dtype)
        self._final: NDArray[Any] = np.zeros((num_envs, width), dtype)
        masks, dones = np.zeros((num_envs, actions), np.uint8), np.zeros(num_envs, np.uint8)
        rewards, seats = np.zeros((num_envs, players), np.float32), np.zeros(num_envs, np.uint8)
        self._written = (self._observations, masks, rewards, dones, seats)
        self._rewards: NDArray[np.float32] = rewards[:, 0] if opponents or players == 1 else rewards
        self._terminations: NDArray[np.bool_] = dones.view(np.bool_)
        self._has_begun = False
        self._never: NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        # Gymnasium's spaces sample with masks of this type.
        self._shown = {"action_mask": masks.view(np.int8), "seat": seats}
        self._ended = {**self._shown, "final_obs": self._final, "_final_obs": self._terminations}
        high = 1.0 if np.dtype(dtype) == np.float32 else 255
        spaces = gymnasium.spaces
        self.single_observation_space = spaces.Box(0, high, (width,), dtype)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    @property
    def fields(self) -> list[tuple[str, int, int, int, int]]:
        """The fields of an observation: name, offset, count, bytes of each number, largest value."""
        return self._native.fields()

    def game_number(self, environment: SupportsIndex) -> int:
        """The number of the game that an environment plays: the table of the arena with the same seed."""
        return self._native.game_number(at_least(0, "environment", environment))

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins the next games; with a `seed`, a text or a number, the first games of that seed. Of Gymnasium's options
        there is none: a `reset_mask` is a ValueError, because ended games are followed by the next ones anyway."""
        if options and "reset_mask" in options:
            raise ValueError("options: there is no reset_mask here: in the autoreset mode same-step all games are reset together")
        if seed is not None:
            self._native.reseed(seed_text(seed))
        self._native.reset(*self._written)
        self._has_begun = True
        return self._given(self._observations), self._infos(self._shown)

    def step(self, actions: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Performs one action in each environment."""
        if not (type(actions) is np.ndarray and actions.dtype == np.int64 and actions.flags.c_contiguous):
            actions = np.asarray(actions)
            if actions.dtype.kind not in "iu":
                raise TypeError(f"actions: {actions.dtype} is no type of whole numbers")
            actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.num_envs,):
            if actions.size != self.num_envs:
                raise ValueError(f"actions: there are {actions.size}, not one for each of {self.num_envs} environments")
            raise ValueError(f"actions: an array of shape {actions.shape}, not ({self.num_envs},)")
        if not self._has_begun:
            raise RuntimeError(NO_GAME)
        ended = self._native.step(actions, *self._written, self._final)
        infos = self._infos(self._ended if ended else self._shown)
        if self._copies:
            arrays = self._observations, self._rewards, self._terminations, self._never
            observations, rewards, terminations, truncations = map(np.copy, arrays)
            return observations, rewards, terminations, truncations, infos
        return self._observations, self._rewards, self._terminations, self._never, infos

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copies else array

    def _infos(self, infos: dict[str, NDArray[Any]]) -> dict[str, Any]:
        return {name: array.copy() for name, array in infos.items()} if self._copies else infos.copy()


make = VectorEnv
