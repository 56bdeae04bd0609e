"""A made-up project of many sessions whose true final state is known (`python -m tests.simulate`)."""
