"""Lays out the Python package and runs its tests with the packages that its extras name.

`python3 crates/python/tests/run.py [unittest arguments]`. It installs the packages of `pyproject.toml`'s extras,
a type checker and what executes notebooks into an environment of its own in the target folder.
`python3 crates/python/tests/run.py --notebooks [NAME ...]` regenerates the outputs of docs/notebooks instead.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
#: Those of the extras in `pyproject.toml`, a type checker, and what executes notebooks.
PACKAGES = ["numpy>=1.26", "gymnasium>=1.1", "pettingzoo>=1.25", "pandas>=2.0", "pyarrow>=14", "polars>=1.0", "mypy>=1.15", "nbclient>=0.10", "ipykernel>=6"]
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


def run_file(python, name, arguments, variables):
    """Runs the tests of a file; returns its lines, the exit code, and how many tests ran and had which results."""
    command = [python, "-B", "-m", "unittest", "discover", "-s", HERE, "-p", name, *arguments]
    process = subprocess.Popen(command, env=variables, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines, counts, last_end = [], {"run": 0}, time.monotonic()
    for line in process.stdout:
        if re.search(r" \.\.\. (ok|FAIL|ERROR|skipped|expected failure)", line):
            # With several files at once, the time at which a line is printed tells nothing.
            line, last_end = f"{line.rstrip()} [{time.monotonic() - last_end:.3f} s]\n", time.monotonic()
        if found := re.match(r"Ran (\d+) test", line):
            counts["run"] = int(found[1])
        elif re.match(r"(OK|FAILED|NO TESTS RAN)\b", line):
            counts.update((key, int(number)) for key, number in re.findall(r"([a-z][a-z ]*)=(\d+)", line))
        lines.append(line)
    return lines, process.wait(), counts


def run_files(python, arguments, variables):
    """Runs the tests of several files at once, one per processor, and returns the exit code."""
    begun, totals, codes = time.monotonic(), {}, []
    names = sorted(path.name for path in HERE.glob("test_*.py"))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for lines, code, counts in pool.map(lambda name: run_file(python, name, arguments, variables), names):
            sys.stdout.writelines(lines)
            sys.stdout.flush()
            codes.append(code)
            for key, number in counts.items():
                totals[key] = totals.get(key, 0) + number
    # Python 3.12 and later end with 5 where a file has no test that the arguments select.
    failed = [code for code in codes if code not in (0, 5)]
    print(f"Ran {totals.pop('run')} tests in {time.monotonic() - begun:.3f}s\n")
    results = ", ".join(f"{key}={number}" for key, number in totals.items())
    print(("FAILED" if failed else "OK") + (f" ({results})" if results else ""))
    return 1 if failed else 0


def main():
    library, command = build()
    package = lay_out(library)
    python = environment(library.parent / "python-environment")
    paths = {"PYTHONPATH": str(package), "PATH": os.pathsep.join([str(command.parent), os.environ["PATH"]])}
    variables = {**os.environ, **paths}
    if sys.argv[1:2] == ["--notebooks"]:
        words = [python, "-B", HERE / "notebooks.py", "--save", *sys.argv[2:]]
        sys.exit(subprocess.run(words, env=variables, cwd=ROOT).returncode)
    sys.exit(run_files(python, sys.argv[1:], variables))


if __name__ == "__main__":
    main()
