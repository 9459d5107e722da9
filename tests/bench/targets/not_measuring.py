"""Time of a run that is not spent in timed blocks (arrays up to 2 MiB; waits for the real-time limit apart): at most 15 %."""
from instrument import INCONCLUSIVE, MISSED, REACHED, Instrument, arguments, finish, load

options = arguments(__doc__, budget="20s")
instrument = Instrument(options.cli, options.cpu)
load_before = load()
events = instrument.events("--preset", "paper-figure-1", "--budget", options.budget)
timed_s = sum(e["visit"]["data"]["report"]["measured_ns"] for e in events
              if e["event"] == "visit-ended" and "data" in e["visit"]) * 1e-9
ended = events[-1]
share = 1 - timed_s / ended["measuring_s"]
print(f"Figure 1 for {options.budget}: {timed_s:.2f} s in timed blocks of {ended['measuring_s']:.2f} s; waits for the real-time "
      f"limit {ended['throttle_wait_s']:.2f} s apart; load {load_before:.1f} before")
if share <= 0.15:
    finish(REACHED, f"{100 * share:.1f} % not measuring")
finish(INCONCLUSIVE if load_before > 1.5 else MISSED, f"{100 * share:.1f} % not measuring where at most 15 % is asked")
