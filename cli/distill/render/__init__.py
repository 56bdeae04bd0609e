"""State to text, and back: one file an output, found by name."""
