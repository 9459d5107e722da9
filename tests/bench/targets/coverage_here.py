"""Runs of 1 s on this machine: how many intervals hold the mean of the other runs of the same state. At least 34 of 40."""
from instrument import INCONCLUSIVE, MISSED, REACHED, Instrument, Quiet, arguments, finish, state_of_most

options = arguments(__doc__, runs=40)
instrument = Instrument(options.cli, options.cpu)
quiet = Quiet()
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
      f"half-width {100 * widths[len(widths) // 2]:.2f} % in the middle; estimates {estimates[0]:.0f} to {estimates[-1]:.0f} ns")
print(f"  the same in core cycles: {held_of(in_cycles)} of {len(in_cycles)}; "
      f"{min(t['estimate'] for t in in_cycles):.0f} to {max(t['estimate'] for t in in_cycles):.0f} cycles")
if spoiled := quiet.spoiled(state, len(same), options.runs):
    finish(INCONCLUSIVE, f"{spoiled}; {held} of {len(same)}, {needed} needed")
finish(REACHED if held >= needed else MISSED, f"{held} of {len(same)}, {needed} needed")
