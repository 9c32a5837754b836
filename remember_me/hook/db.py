"""SQLite without the package `sqlite3`, which loads `datetime` and `collections` for types that no hook reads.

It is the module that the package itself is made of; where an interpreter has none of that name, the package is taken.
"""

from __future__ import annotations

try:
    from _sqlite3 import Connection, DatabaseError, Error, OperationalError, connect
except ImportError:
    from sqlite3 import Connection, DatabaseError, Error, OperationalError, connect

__all__ = ["Connection", "DatabaseError", "Error", "OperationalError", "connect"]
