"""Bytes to events: one file a log format."""
