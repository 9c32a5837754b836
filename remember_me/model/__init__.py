"""Frozen values and normal forms; no effects."""
