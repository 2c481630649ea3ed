"""Lays out the Python package and runs its tests with the packages that its extras name.

`python3 crates/python/tests/run.py [unittest arguments]`. It installs the packages of `pyproject.toml`'s extras,
a type checker and what executes notebooks into an environment of its own in the target folder.
`python3 crates/python/tests/run.py --notebooks [NAME ...]` regenerates the outputs of docs/notebooks instead.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
#: Those of the extras in `pyproject.toml`, a type checker, and what executes notebooks.
PACKAGES = ["numpy>=1.26", "gymnasium>=1.1", "pettingzoo>=1.25", "pandas>=2.0", "pyarrow>=14", "mypy>=1.15", "nbclient>=0.10", "ipykernel>=6"]
if sys.version_info >= (3, 11):
    PACKAGES.append("open_spiel>=2.0")


def build():
    """Returns the native library and the command, which `cargo xtask test` has built with the rest."""
    built = [os.environ.get(name) for name in ("DICEHILL_NATIVE_LIBRARY", "DICEHILL_COMMAND")]
    if all(built):
        return [Path(path) for path in built]
    packages = ["--package", "dicehill-python", "--package", "dicehill"]
    cargo = [os.environ.get("CARGO", "cargo"), "build", "--locked", *packages, "--message-format=json-render-diagnostics"]
    built = subprocess.run(cargo, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    messages = [message for message in map(json.loads, built.stdout.splitlines()) if "target" in message]
    files = [file for message in messages if message["target"]["name"] == "dicehill_python" for file in message["filenames"]]
    commands = [message["executable"] for message in messages if message["target"]["name"] == "dicehill" and message.get("executable")]
    return Path(next(file for file in files if file.endswith((".so", ".dylib")))), Path(commands[0])


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
    library, command = build()
    package = lay_out(library)
    python = environment(library.parent / "python-environment")
    words = ["-m", "unittest", "discover", "-s", HERE, *sys.argv[1:]]
    if sys.argv[1:2] == ["--notebooks"]:
        words = [HERE / "notebooks.py", "--save", *sys.argv[2:]]
    paths = {"PYTHONPATH": str(package), "PATH": os.pathsep.join([str(command.parent), os.environ["PATH"]])}
    sys.exit(subprocess.run([python, "-B", *words], env={**os.environ, **paths}, cwd=ROOT).returncode)


if __name__ == "__main__":
    main()
