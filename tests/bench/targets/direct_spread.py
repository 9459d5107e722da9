"""Spread of the direct cost C1 over runs of 1 s: at most 4 %, an eighth of the authors', and not more than plain pairs'."""
from instrument import arguments
from spread import compare

compare(arguments(__doc__, runs=10, authors_runs=10), "Direct cost", ["--size", "0"], 0, 0, 1, 0.04, 8)
