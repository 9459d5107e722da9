"""Two spreads with the peers beside them: that of the direct cost, and that of the cost on the L2 cliff."""
import re
import statistics
import subprocess

from instrument import INCONCLUSIVE, MISSED, REACHED, Instrument, Quiet, finish, peer, spread, spread_text, state_of_most


def authors_cost_us(size, stride):
    """time2 - time1 of the authors' two programs, in µs per switch; they take about 13 s together."""
    times = []
    for name in ("measureSwitch", "measureSingle"):
        done = subprocess.run([peer(name), "-n", str(size), "-s", str(stride)], capture_output=True, text=True)
        times.append(float(re.search(r"min time\d = ([0-9.]+)", done.stdout).group(1)))
    return times[0] - times[1]


def plain_pairs_us(size, stride, seconds):
    """The plain paired program: median over its clean blocks, in µs; nothing where it found none clean."""
    done = subprocess.run([peer("paired"), str(size), str(stride or 8), str(seconds), "10", "1"],
                          capture_output=True, text=True)
    found = re.search(r"clean (-?[0-9.]+)", done.stdout)
    return float(found.group(1)) if found else None


def lmbench_us(size, cpu):
    """lat_ctx of two processes, which subtracts a pipe's overhead measured before: the cost at that size, in µs."""
    done = subprocess.run(["taskset", "-c", cpu, peer("lat_ctx"), "-N", "1", "-s", f"{size // 1024}k", "2"], capture_output=True, text=True)
    return float((done.stderr + done.stdout).split()[-1])


def compare(options, title, words, size, stride, seconds, target_ratio, peer_ratio):
    quiet = Quiet()
    instrument = Instrument(options.cli, options.cpu)
    ours, authors, plain, lmbench = [], [], [], []
    instrument.document(*words, "--budget", f"{seconds}s")  # not counted: the first run learns the contention level
    for _ in range(options.runs):
        document = instrument.document(*words, "--budget", f"{seconds}s")
        ours.append(next(p for p in document["points"] if p["array_bytes"] == size))
        if peer("paired"):
            plain.append(plain_pairs_us(size, stride, seconds))
        if peer("lat_ctx") and len(lmbench) < options.authors_runs:
            lmbench.append(lmbench_us(size, instrument.cpu))
        if peer("measureSwitch") and len(authors) < options.authors_runs:
            authors.append(authors_cost_us(size, stride))

    state = state_of_most(ours)
    values = [p["total_ns"]["estimate"] / 1000 for p in ours if p["state"] == state]
    every = [p["total_all_blocks_ns"]["estimate"] / 1000 for p in ours]
    ratio = spread(values) / abs(statistics.median(values))
    print(f"{title}: {options.runs} runs of {seconds} s in turn, CPU {ours[0]['placement']['cpus']}")
    print(f"  switchscope, {len(values)} of state {state}: {spread_text(values)}")
    print(f"  switchscope, all blocks: {spread_text(every)}")
    cycles = [p["total_cycles"]["estimate"] for p in ours if p["state"] == state and p["total_cycles"]]
    if cycles:
        print(f"  the same in core cycles: {spread_text(cycles, 'cycles')}")
    not_clean, plain = plain.count(None), [value for value in plain if value is not None]
    print(f"  plain paired program: {spread_text(plain) if plain else 'peer absent'}"
          + (f"; {not_clean} runs without a clean block" if not_clean else ""))
    print(f"  lat_ctx: {spread_text(lmbench) if lmbench else 'peer absent'}")
    print(f"  authors' programs: {spread_text(authors) if len(authors) > 1 else 'peer absent'}")
    used = [p["blocks_used"] / max(1, p["blocks"]) for p in ours]
    print(f"  blocks used: {100 * min(used):.0f} to {100 * max(used):.0f} %")
    if len(authors) > 1:
        print(f"  the authors' spread is {spread(authors) / spread(values):.1f} times ours; {peer_ratio} is asked")

    failed = []
    if ratio > target_ratio:
        failed.append(f"spread {100 * ratio:.1f} % where at most {100 * target_ratio:.0f} % is asked")
    if len(authors) > 1 and spread(values) > spread(authors) / peer_ratio:
        failed.append(f"the authors' spread is only {spread(authors) / spread(values):.1f} times ours, where {peer_ratio} is asked")
    if plain and spread(values) > spread(plain):
        failed.append(f"the plain paired program spread less: {spread(plain):.3f} µs against {spread(values):.3f} µs")
    if spoiled := quiet.spoiled(state, len(values), options.runs):
        finish(INCONCLUSIVE, "; ".join([spoiled] + failed))
    if failed:
        finish(MISSED, "; ".join(failed))
    absent = [name for name, found in (("plain paired program", plain), ("authors' programs", authors)) if not found]
    finish(REACHED, f"spread {100 * ratio:.1f} %" + (f"; not compared, absent: {', '.join(absent)}" if absent else ""))
