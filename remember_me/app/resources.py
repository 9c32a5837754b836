"""The texts that the tool puts on disk, as they are shipped."""

from remember_me.clients.shipped import template

__all__ = ["template"]
