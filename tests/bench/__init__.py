"""The benchmark (`python -m tests.bench`), and tests that count work instead of reading a clock."""
