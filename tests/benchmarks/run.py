"""`make bench`: print the table of ratios and keep it in `results.md`."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    from tests.benchmarks.bench import main

    raise SystemExit(main(sys.argv[1:]))
