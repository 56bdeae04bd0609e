"""Findings and the previous state to a state: the same thing once, and what is said later wins."""
