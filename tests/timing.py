"""CPU time as tests may judge it: the collector waits, the best of a few runs counts, noise gets a second chance."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

ATTEMPTS = 4


def cpu_seconds(run: Callable[[], object]) -> float:
    """CPU seconds of one call, without the garbage of the tests that ran before it."""
    collects = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        run()
        return time.process_time() - began
    finally:
        if collects:
            gc.enable()


def assert_growth(
    run: Callable[[int], object], small: int, large: int, at_most: float, allowance: float = 0.05
) -> None:
    """`run(large)` takes at most `at_most` times the CPU time of `run(small)`, and `allowance` seconds on top.

    Both are measured in turn until it holds, so that a machine that is slow for a moment decides nothing;
    a square stays a square in every attempt.
    """
    of_small = of_large = float("inf")
    for _ in range(ATTEMPTS):
        of_small = min(of_small, cpu_seconds(lambda: run(small)))
        of_large = min(of_large, cpu_seconds(lambda: run(large)))
        if of_large <= at_most * of_small + allowance:
            return
    raise AssertionError(f"{of_small:.3f} s for {small}, {of_large:.3f} s for {large}")
