"""Rules about entries: pure functions of what is known and of `now`."""
