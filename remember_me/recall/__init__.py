"""What an agent reads: token counts, and later the index, search and recall."""
