"""What a notebook shows."""

import unittest

import dicehill
from test_recorded import LOGS


class Tables(unittest.TestCase):
    def test_games_in_progress_show_cards_and_dice(self):
        state = dicehill.YahtzeeState(2, seed="spring")
        state.apply("CHANCE")
        html = state._repr_html_()
        score = state.results()[0].figures["score"]
        self.assertIn(f"<td>CHANCE</td><td>{score}</td><td></td>", html)
        self.assertIn("round 1, seat 1 to act", html)
        state = dicehill.LiarsDiceState(3, seed="spring")
        state.apply((2, 5))
        html = state._repr_html_()
        self.assertIn("seat 1 to act, bids: 2 5", html)
        self.assertEqual(sum(html.count(die) for die in "⚀⚁⚂⚃⚄⚅"), 15)

    def test_a_recorded_game_shows_its_results(self):
        game = dicehill.read_run(LOGS / "yahtzee.jsonl").games[0]
        html = game._repr_html_()
        for bot, result in zip(game.seats, game.results):
            self.assertIn(f"<td>{bot}</td><td>{result['points']}</td>", html)

    def test_names_are_escaped(self):
        name = "<b>&amp;"
        result = dicehill.tournament("yahtzee", {name: lambda turn: turn.best(), "dummy": "dummy"}, games=2, seed="s")
        shown = [result, result.run, result.run.games[0], dicehill.analyze(result)]
        for one in shown:
            self.assertIn("&lt;b&gt;&amp;amp;", one._repr_html_())
            self.assertNotIn("<b>", one._repr_html_())
