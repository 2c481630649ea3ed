"""The notebooks in docs/notebooks, with their short budget: what they find, and that the committed outputs are those of a run."""

import unittest

import notebooks


class Notebooks(unittest.TestCase):
    def check(self, name):
        """Executes a notebook and returns its figures."""
        committed, executed = notebooks.read(name), notebooks.execute(name)
        self.assertEqual(notebooks.comparable(executed), notebooks.comparable(committed))
        for cell in executed.cells:
            if cell.cell_type == "code":
                self.assertNotIn("stderr", notebooks.texts(cell), cell.source)
                self.assertIsNotNone(cell.execution_count, cell.source)
        saved = [cell for cell in committed.cells if cell.cell_type == "code"]
        self.assertTrue(all(cell.execution_count for cell in saved), "saved without a run")
        found = notebooks.figures(executed)
        for figure in found:
            self.assertEqual(set(figure), {"name", "value", "interval", "aim", "met"})
            self.assertTrue(figure["met"], figure)
        return [float(figure["value"]) for figure in found]

    def test_every_notebook_is_tested(self):
        self.assertEqual(notebooks.names(), ["hill_statistics", "liars_dice_exploitability", "solitaire_yahtzee"])

    def test_solitaire_yahtzee(self):
        points, adjusted, _ = self.check("solitaire_yahtzee")
        self.assertGreater(points, 200)
        self.assertGreater(adjusted, 200)

    def test_liars_dice_exploitability(self):
        learned, solved = self.check("liars_dice_exploitability")
        self.assertLess(learned, 0.1)
        self.assertLess(solved, 0.1)

    def test_hill_statistics(self):
        difference, elo = self.check("hill_statistics")
        self.assertLess(difference, 1e-4)
        self.assertLess(elo, 10)
