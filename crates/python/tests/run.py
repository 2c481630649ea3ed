"""Lays out the Python package and runs its tests with the packages that its extras name.

`python3 crates/python/tests/run.py [unittest arguments]`. It installs the packages of `pyproject.toml`'s extras
and a type checker into an environment of its own in the target folder.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
#: Those of the extras in `pyproject.toml`, and a type checker.
PACKAGES = ["numpy>=1.26", "gymnasium>=1.1", "pettingzoo>=1.25", "pandas>=2.0", "pyarrow>=14", "mypy>=1.15"]
if sys.version_info >= (3, 11):
    PACKAGES.append("open_spiel>=2.0")


def build():
    """Returns the native library, which `cargo xtask test` has built with the rest."""
    if built := os.environ.get("DICEHILL_NATIVE_LIBRARY"):
        return Path(built)
    cargo = [os.environ.get("CARGO", "cargo"), "build", "--locked", "--package", "dicehill-python", "--message-format=json-render-diagnostics"]
    built = subprocess.run(cargo, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    messages = map(json.loads, built.stdout.splitlines())
    files = [file for message in messages if message.get("target", {}).get("name") == "dicehill_python" for file in message["filenames"]]
    return Path(next(file for file in files if file.endswith((".so", ".dylib"))))


def lay_out(library):
    """Returns a folder with the package."""
    folder = library.parent / "python-package"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE.parent / "python" / "dicehill", folder / "dicehill")
    shutil.copy(library, folder / "dicehill" / "_native.abi3.so")
    return folder


def environment(folder):
    """Returns the Python of an environment that has all packages."""
    python = folder / "bin" / "python"
    marker = folder / "installed"
    if not marker.exists() or marker.read_text() != "\n".join(PACKAGES):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        marker.write_text("\n".join(PACKAGES))
    return python


def main():
    library = build()
    package = lay_out(library)
    python = environment(library.parent / "python-environment")
    command = [python, "-B", "-m", "unittest", "discover", "-s", HERE, *sys.argv[1:]]
    sys.exit(subprocess.run(command, env={**os.environ, "PYTHONPATH": str(package)}, cwd=ROOT).returncode)


if __name__ == "__main__":
    main()
