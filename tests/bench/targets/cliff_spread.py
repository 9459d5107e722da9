"""Spread of the total cost at 384 KiB, strided 128 B, rmw, over runs of 2 s: at most 15 %, and a 20th of the authors'."""
from instrument import arguments
from spread import compare

compare(arguments(__doc__, runs=10, authors_runs=10), "Total cost at 384 KiB, strided 128 B, rmw",
        ["--size", "384KiB", "--stride", "128B", "--access", "rmw"], 384 * 1024, 128, 2, 0.15, 20)
