"""S1 per switch at D = 0 against half of what perf bench sched pipe prints, pinned, FIFO, in turn: ratio 0.95 to 1.05."""
import re
import subprocess
import sys

from instrument import INCONCLUSIVE, MISSED, MISSING, REACHED, Instrument, arguments, finish, load, peer

options = arguments(__doc__, runs=25)
if not peer("perf"):
    finish(MISSING, "peer absent: perf is not installed")
instrument = Instrument(options.cli, options.cpu)
cpu = instrument.measured_cpu()
load_before = load()
ours, theirs = [], []
for _ in range(options.runs):
    ours.append(instrument.document("--size", "0", "--budget", "200ms")["points"][0]["switching_per_switch_ns"])
    done = subprocess.run(["chrt", "-f", "50", "taskset", "-c", cpu, peer("perf"), "bench", "sched", "pipe", "-l", "10000"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"perf bench did not run: {done.stderr.strip()}")
    theirs.append(float(re.search(r"([0-9.]+) usecs/op", done.stdout).group(1)) * 1000 / 2)


def lowest_decile(values):
    return sorted(values)[max(0, len(values) // 10 - 1)]


def median(values):
    return sorted(values)[len(values) // 2]


ratio = lowest_decile(ours) / lowest_decile(theirs)
print(f"S1 per switch, {options.runs} short runs each in turn, CPU {cpu}, FIFO: ours {lowest_decile(ours):.0f} ns "
      f"(median {median(ours):.0f}), half of perf's op {lowest_decile(theirs):.0f} ns (median {median(theirs):.0f}); "
      f"ratio of the lowest deciles {ratio:.3f}, of the medians {median(ours) / median(theirs):.3f}")
if 0.95 <= ratio <= 1.05:
    finish(REACHED, f"ratio {ratio:.3f}")
finish(INCONCLUSIVE if load_before > 1.5 else MISSED, f"ratio {ratio:.3f} where 0.95 to 1.05 is asked")
