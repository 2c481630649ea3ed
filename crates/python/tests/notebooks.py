"""Executes the notebooks in docs/notebooks with the package that this Python has.

`python crates/python/tests/notebooks.py [--save] [NAME ...]` prints their figures as JSON, or with `--save` replaces their outputs. The budget is
that of `DICEHILL_NOTEBOOK_BUDGET`, `short` unless given; outputs are committed with the short one.
"""

import argparse
import copy
import json
import resource
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
#: The tag of cells whose outputs depend on how the machine rounds sums of many numbers, or on versions of libraries.
MACHINE_DEPENDENT = "machine-dependent"
#: CPU seconds that a notebook may take with the long budget.
MOST_SECONDS = 900


def names():
    return sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def read(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def execute(name):
    """The notebook with the outputs of a run. An exception in a cell is raised."""
    notebook = copy.deepcopy(read(name))
    metadata = copy.deepcopy(notebook.metadata)
    # Sockets of the file system, which need no network.
    config = Config(KernelManager={"transport": "ipc"})
    NotebookClient(notebook, timeout=None, kernel_name="python3", record_timing=False, config=config).execute()
    notebook.metadata = metadata
    return notebook


def texts(cell):
    """What a cell shows as plain text: streams by name, and results."""
    shown = {}
    for output in cell.outputs:
        is_stream = output.output_type == "stream"
        key, text = (output.name, output.text) if is_stream else ("result", output.get("data", {}).get("text/plain", ""))
        shown[key] = shown.get(key, "") + text
    return shown


def comparable(notebook):
    """The source and texts of the cells that show the same on every machine."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [(cell.source, texts(cell)) for cell in code if MACHINE_DEPENDENT not in cell.metadata.get("tags", [])]


def figures(notebook):
    """The figures that the last cell prints."""
    last = [cell for cell in notebook.cells if cell.cell_type == "code"][-1]
    return json.loads(texts(last)["stdout"])


def cpu_seconds():
    """The CPU time of the notebooks that have ended, and of what they have started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_figure(name, seconds):
    aim = {"aim": f"at most {MOST_SECONDS}", "met": seconds <= MOST_SECONDS}
    return {"name": f"CPU seconds of the notebook {name}", "value": f"{seconds:.0f}", "interval": "one run", **aim}


def main():
    parser = argparse.ArgumentParser(description="Executes the notebooks in docs/notebooks.")
    parser.add_argument("--save", action="store_true", help="replace the outputs in the files")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(names())}; all unless given")
    args = parser.parse_args()
    found = []
    for name in args.names or names():
        print(f"executing {name}", file=sys.stderr)
        before = cpu_seconds()
        notebook = execute(name)
        found += [*figures(notebook), time_figure(name, cpu_seconds() - before)]
        if args.save:
            nbformat.write(notebook, FOLDER / f"{name}.ipynb")
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
