"""The agent clients: where their settings live, and how our hooks get into them and out again."""
