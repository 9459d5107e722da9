"""Coverage of the 95 % intervals on synthetic series with a known truth, 1,000 of each kind: 92 to 98 %."""
import re
import subprocess

from instrument import MISSED, MISSING, REACHED, ROOT, arguments, finish

arguments(__doc__)
program = ROOT / "build" / "ci" / "bin" / "analysis_statistics_tests"
if not program.exists():
    finish(MISSING, "build the tests first: cmake --preset ci && cmake --build --preset ci")
done = subprocess.run([str(program), "--gtest_filter=*Covers*"], capture_output=True, text=True)
lines = [line for line in done.stdout.splitlines() if re.search(r"total [0-9.]+ %", line)]
print("\n".join(lines))
figures = [float(value) for line in lines for value in re.findall(r"([0-9.]+) %", line)]
sentence = f"{min(figures):.1f} to {max(figures):.1f} %, seeds 1 to 1000"
finish(REACHED if done.returncode == 0 and min(figures) >= 92 and max(figures) <= 98 else MISSED, sentence)
