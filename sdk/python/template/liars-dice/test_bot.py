"""Run with `python3 -m unittest`. Further games for `game.txt`: `dicehill replay RUN GAME --input __NAME__`.

The second test is about the bot as it was generated: replace it by what yours must do. If your bot is a class, write
its name in place of `act`.
"""

import unittest
from pathlib import Path

import bot
import dicehill

LINES = Path(__file__).with_name("game.txt").read_text(encoding="utf-8").splitlines()


class Bot(unittest.TestCase):
    def test_every_answer_is_legal(self):
        self.assertEqual(dicehill.check(bot.act, LINES), [])

    def test_what_cannot_be_is_called(self):
        step = next(step for step in dicehill.replay(bot.act, LINES) if step.turn["id"] == 25)
        self.assertEqual(step.answer, {"id": 25, "bid": "Liar!"})


if __name__ == "__main__":
    unittest.main()
