"""The examples in docs/environments.md and docs/python.md, and whether the latter has every name."""

import contextlib
import importlib
import inspect
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import dicehill

DOCS = Path(__file__).resolve().parents[3] / "docs"
#: Modules beside `dicehill` itself.
MODULES = ["vector", "envs", "policy", *(["openspiel"] if sys.version_info >= (3, 11) else [])]


class Examples(unittest.TestCase):
    def check(self, page):
        text = (DOCS / page).read_text()
        examples = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(examples), 3)
        names, before = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for example in examples:
                    if "openspiel" in example and sys.version_info < (3, 11):
                        continue
                    with self.subTest(example=example), contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(example, page, "exec"), names)  # noqa: S102
            finally:
                os.chdir(before)

    def test_every_example_of_environments_runs(self):
        self.check("environments.md")

    def test_every_example_of_python_runs(self):
        self.check("python.md")


class Names(unittest.TestCase):
    def test_every_public_name_is_in_the_reference(self):
        # `dicehill.Run.champion` is shown as `champion`, and `dicehill.vector.make` as `vector.make`.
        shown = set(re.findall(r"`([\w.]+)(?:\([^`]*)?`", (DOCS / "python.md").read_text()))
        names = [name for name in dicehill.__all__ if name != "__version__"]
        for name in list(names):
            # The page of the SDK has what turns can do.
            kind = getattr(dicehill, name)
            if inspect.isclass(kind) and not kind.__module__.endswith("_sdk") and not issubclass(kind, Exception):
                names += [member for member in dir(kind) if not member.startswith("_") and not hasattr(tuple, member)]
        names += [f"{module}.{name}" for module in MODULES for name in importlib.import_module(f"dicehill.{module}").__all__]
        self.assertEqual([name for name in names if name not in shown], [])
        for name in names:
            kind = getattr(dicehill, name, None)
            if callable(kind):
                self.assertTrue(kind.__doc__, name)
