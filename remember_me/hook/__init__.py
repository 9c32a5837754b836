"""What an agent client runs at an event: the fast path, on rows of the cache and without a package from outside."""
