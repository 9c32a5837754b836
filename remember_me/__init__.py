"""What an AI agent should know about its user, as plain markdown in git."""

__version__ = "0.1.0"
