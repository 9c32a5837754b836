"""How the state machines are run."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def run_machine(machine: type[RuleBasedStateMachine], *, examples: int, steps: int) -> None:
    """Run a state machine, with as many runs and steps."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            settings(),
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            # Shrinking runs thousands of commands, for minutes; the steps of a failure read well as they are.
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
