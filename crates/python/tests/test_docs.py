"""The examples in docs/environments.md."""

import contextlib
import io
import re
import sys
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "environments.md"


class Examples(unittest.TestCase):
    def test_every_example_runs(self):
        examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(examples), 3)
        names = {}
        for example in examples:
            if "openspiel" in example and sys.version_info < (3, 11):
                continue
            with self.subTest(example=example), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(example, str(PAGE), "exec"), names)  # noqa: S102
