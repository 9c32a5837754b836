"""Use cases, one module per topic, and the wiring of clock, ids and environment."""
