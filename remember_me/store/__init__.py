"""The store on disk: the one write gateway, its journal, git and history."""
