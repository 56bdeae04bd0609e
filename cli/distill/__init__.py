"""Distil the log of a finished task to what the next task must know."""

__version__ = "0.1.0"
