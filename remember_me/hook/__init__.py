"""What an agent client runs at an event: the fast path, standard library and cache rows only."""
