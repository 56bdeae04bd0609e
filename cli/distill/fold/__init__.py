"""Folding: a long session as a chain of tasks, the finished ones as cards, the active one as it was said."""
