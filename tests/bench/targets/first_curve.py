"""Figure 1 of the paper: its first complete curve within 5 s of the start, and how much is precise after 60 s."""
from instrument import INCONCLUSIVE, MISSED, REACHED, Instrument, arguments, finish, load

options = arguments(__doc__, budget="60s")
instrument = Instrument(options.cli, options.cpu)
load_before = load()
first_curve_s, precise, of = None, 0, 0
for seconds, event in instrument.timed_events("--preset", "paper-figure-1", "--budget", options.budget, "--precision", "5%"):
    if event["event"] == "run-started":
        of = len(event["run"]["points"])
    if event["event"] == "pass-ended":
        first_curve_s = first_curve_s or seconds
        precise = event["points_precise"]
print(f"Figure 1, {of} points: first complete curve {first_curve_s:.1f} s after the start; precise within 5 % at the end: "
      f"{precise} of {of} ({100 * precise / of:.0f} %); load {load_before:.1f} before")
if first_curve_s > 5:
    finish(INCONCLUSIVE if load_before > 1.5 else MISSED, f"the first curve took {first_curve_s:.1f} s where 5 s are asked")
if precise < of:
    finish(INCONCLUSIVE if load_before > 1.5 else MISSED, f"{of - precise} of {of} points are not precise")
finish(REACHED, f"{first_curve_s:.1f} s, all precise")
