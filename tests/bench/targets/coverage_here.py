"""Runs of 1 s on this machine: how many intervals hold the mean of the other runs of the same state. At least 34 of 40."""
from instrument import COMPARABLE, INCONCLUSIVE, MISSED, REACHED, Instrument, arguments, finish, load, state_of_most

options = arguments(__doc__, runs=40)
instrument = Instrument(options.cli, options.cpu)
load_before = load()
instrument.document("--size", "0", "--budget", "1s")
points = [instrument.document("--size", "0", "--budget", "1s")["points"][0] for _ in range(options.runs)]
state = state_of_most(points)
same = [p["total_ns"] for p in points if p["state"] == state]
in_cycles = [p["total_cycles"] for p in points if p["state"] == state and p["total_cycles"]]


def held_of(runs):
    def holds(index):
        others = [t["estimate"] for i, t in enumerate(runs) if i != index]
        return runs[index]["low"] <= sum(others) / len(others) <= runs[index]["high"]

    return sum(holds(i) for i in range(len(runs)))


held = held_of(same)
widths = sorted((t["high"] - t["low"]) / 2 / t["estimate"] for t in same)
estimates = sorted(t["estimate"] for t in same)
needed = round(34 / 40 * len(same))
print(f"Coverage here: {held} of {len(same)} runs of state {state} ({options.runs} made) hold the mean of the others; "
      f"half-width {100 * widths[len(widths) // 2]:.2f} % in the middle; estimates {estimates[0]:.0f} to {estimates[-1]:.0f} ns; "
      f"load {load_before:.1f} before")
print(f"  the same in core cycles: {held_of(in_cycles)} of {len(in_cycles)}; "
      f"{min(t['estimate'] for t in in_cycles):.0f} to {max(t['estimate'] for t in in_cycles):.0f} cycles")
if held >= needed:
    finish(REACHED, f"{held} of {len(same)}, {needed} needed")
noisy = state not in COMPARABLE or len(same) < 0.8 * options.runs or load_before > 1.5
finish(INCONCLUSIVE if noisy else MISSED, f"{held} of {len(same)}, {needed} needed")
