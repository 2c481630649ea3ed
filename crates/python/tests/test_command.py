"""The command that is installed with the package."""

import subprocess
import sys
import unittest

import dicehill


class Command(unittest.TestCase):
    def test_the_package_runs_as_the_command(self):
        def run(*words):
            return subprocess.run([sys.executable, "-m", "dicehill", *words], capture_output=True, text=True)

        self.assertEqual(run("--version").stdout, f"dicehill {dicehill.__version__}\n")
        refused = run("run", "yahtzee", "gredy")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("gredy", refused.stderr)
