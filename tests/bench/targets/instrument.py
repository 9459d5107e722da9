"""What the commands beside this file share: runs of the real program, runs of peers, and an honest end.

Each command measures one figure, prints it, says how it was obtained, and ends with
  0   the figure reaches its target          1   it misses it
  75  inconclusive: a neighbour spoiled it   2   something is missing here
Peers' ready-built programs are looked for in the folder that SWITCHSCOPE_PEER_DIR names.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

REACHED, MISSED, MISSING, INCONCLUSIVE = 0, 1, 2, 75
ROOT = pathlib.Path(__file__).resolve().parents[3]
COMPARABLE = ("clean", "corrected")


def arguments(description, **defaults):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--cli", default=None, help="switchscope-cli (default: of build/release, then of build/ci)")
    parser.add_argument("--cpu", default="auto", help="where the tasks run (default: auto)")
    for name, value in defaults.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(value), default=value, help=f"default: {value}")
    chosen = parser.parse_args()
    chosen.cli = chosen.cli or built_program()
    return chosen


def built_program():
    for build in ("release", "ci"):
        program = ROOT / "build" / build / "bin" / "switchscope-cli"
        if program.exists():
            return str(program)
    sys.exit("No switchscope-cli is built. Build one with: cmake --preset release && cmake --build --preset release")


class Instrument:
    """The program with a database of its own, kept over one command so that contention levels are learnt."""

    def __init__(self, cli, cpu):
        self.cli, self.cpu = cli, cpu
        self.folder = tempfile.TemporaryDirectory()
        self.database = os.path.join(self.folder.name, "runs.db")
        if cpu == "auto":  # chosen once: runs on different CPUs are different measurements
            self.cpu = self.measured_cpu()

    def _run(self, *words):
        line = [self.cli, "run", *words, "--db", self.database, "--progress", "none", "--wait"]
        if "--cpu" not in words:
            line += ["--cpu", self.cpu]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode not in (0, 4):
            sys.exit(f"{' '.join(line)} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def document(self, *words):
        return json.loads(self._run(*words, "--json"))

    def events(self, *words):
        return [json.loads(line) for line in self._run(*words, "--events").splitlines()]

    def timed_events(self, *words):
        """(seconds since the program was started, event), as they come."""
        line = [self.cli, "run", *words, "--cpu", self.cpu, "--db", self.database, "--progress", "none", "--events", "--wait"]
        began = time.monotonic()
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            for text in process.stdout:
                yield time.monotonic() - began, json.loads(text)

    def measured_cpu(self):
        point = self.document("--size", "0", "--budget", "200ms")["points"][0]
        return point["placement"]["cpus"]


def peer(name):
    """The path of a peer's program, or None."""
    folder = os.environ.get("SWITCHSCOPE_PEER_DIR")
    path = pathlib.Path(folder) / name if folder else None
    return str(path) if path and path.exists() else shutil.which(name) if name == "perf" else None


def spread(values):
    return max(values) - min(values)


def spread_text(values, unit="µs"):
    middle = statistics.median(values)
    return (f"{' '.join(f'{value:.3f}' for value in values)} {unit}; median {middle:.3f}, "
            f"spread {spread(values):.3f} ({100 * spread(values) / abs(middle):.1f} %)")


def state_of_most(points):
    """Only estimates of one state are compared: that of most of them."""
    states = [point["state"] for point in points]
    return max(set(states), key=states.count)


class Quiet:
    """Whether a neighbour on this machine spoils what is measured: the load before and after, and the state reached."""

    def __init__(self):
        self.before = load()

    def spoiled(self, state, of_that_state, runs):
        """A sentence, or nothing. Absent a state to compare, a figure proves nothing, whether it looks good or bad."""
        after = load()
        if state not in COMPARABLE:
            return f"most runs are {state}"
        if of_that_state < 0.8 * runs:
            return f"only {of_that_state} of {runs} runs are {state}"
        # The measurement itself is a load of one.
        if self.before > 1.5 or after > 2:
            return f"load {self.before:.1f} before, {after:.1f} after"
        return ""


def load():
    return os.getloadavg()[0]


def finish(code, sentence):
    print({REACHED: "reached", MISSED: "missed", MISSING: "missing", INCONCLUSIVE: "inconclusive"}[code] + ": " + sentence)
    sys.exit(code)
