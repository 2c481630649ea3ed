"""Types: of the package, of what uses it, and of the native part."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

import dicehill

TYPED = Path(__file__).resolve().parent / "typed"


class Types(unittest.TestCase):
    def check(self, *arguments):
        # mypy finds the package in the path for modules of the project, and keeps what it read of numpy.
        path = str(Path(dicehill.__file__).parents[1])
        environment = {**os.environ, "MYPYPATH": path, "MYPY_CACHE_DIR": str(Path(sys.prefix) / "mypy-cache")}
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, env=environment, cwd=path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_package_is_typed(self):
        self.check("mypy", "--config-file", str(TYPED / "mypy.ini"), "-p", "dicehill")

    def test_a_program_that_uses_it_is_typed(self):
        self.check("mypy", "--config-file", str(TYPED / "mypy.ini"), str(TYPED / "program.py"))

    def test_the_stubs_are_those_of_the_native_part(self):
        self.check("mypy.stubtest", "--mypy-config-file", str(TYPED / "mypy.ini"), "dicehill._native")
