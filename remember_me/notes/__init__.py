"""Notes: bytes to entries with their spans, and back by splicing."""
