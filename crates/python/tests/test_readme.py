"""The examples in README.md work in order."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


class Examples(unittest.TestCase):
    def test_they_run(self):
        # Environments have tests and packages of their own.
        sections = [one for one in README.read_text().split("\n## ") if not one.startswith("Environments")]
        blocks = [block for section in sections for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL)]
        self.assertGreater(len(blocks), 2)
        names = {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, str(README), "exec"), names)
            finally:
                os.chdir(before)
        # What the comments say.
        self.assertAlmostEqual(names["solution"].start, 254.5877, 4)
        self.assertLess(names["bounds"].exploitability, 0.01)
