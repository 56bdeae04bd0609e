"""What a state must outlive: runs that are killed at any point, and writers that meet.

`python -m tests.torture kills [N]` kills N runs in the middle of writing a state, half of them at a random line of what
writes, half after a random time. `python -m tests.torture writers [N]` lets two processes update one state N times.
Both print what they saw and end with 1 where a state was broken or an item lost.
"""
