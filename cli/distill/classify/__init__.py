"""Statements and acts to findings: by cues, form, place, dialogue and repetition."""
