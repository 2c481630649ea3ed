"""What `import dicehill` costs: `python crates/python/benches/import.py` prints figures as JSON, with the package installed.

Interpreters that import it take turns with interpreters that do nothing, and each pair is compared. An import prints nothing.
"""

import json
import resource
import statistics
import subprocess
import sys
import time

#: Pairs of interpreters.
REPEATS = 21
#: CPU milliseconds that an import may take.
MOST = 100


def milliseconds(code):
    """By CPU time and by the clock, of an interpreter that runs this code."""

    def cpu():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    starts = cpu(), time.perf_counter()
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    if run.stdout or run.stderr:
        raise SystemExit(f"{code!r} prints {run.stdout + run.stderr!r}")
    return 1000 * (cpu() - starts[0]), 1000 * (time.perf_counter() - starts[1])


def figure(kind, values, most=None):
    median = statistics.median(values)
    aim, met = ("none", True) if most is None else (f"at most {most}", median <= most)
    interval = f"{min(values):.1f} - {max(values):.1f} in {len(values)} repeats"
    return {"name": f"`import dicehill`: {kind}", "value": f"{median:.1f}", "interval": interval, "aim": aim, "met": met}


def main():
    # The first import writes bytecode.
    milliseconds("import dicehill")
    pairs = [(milliseconds("import dicehill"), milliseconds("pass")) for _ in range(REPEATS)]
    cpu, clock = ([loaded[kind] - bare[kind] for loaded, bare in pairs] for kind in (0, 1))
    print(json.dumps([figure("CPU milliseconds", cpu, MOST), figure("milliseconds by the clock", clock)], indent=1))


if __name__ == "__main__":
    main()
