"""Print the comparison of the ways to assemble a prompt, and how turns are told: `python -m tests.context`."""

from __future__ import annotations

from tests.context.recalled import found_share
from tests.context.scenario import load, table
from tests.context.told import figures

if __name__ == "__main__":
    print("\n".join(table(load())))
    print()
    for folder in ("scenarios", "turns"):
        for replies in (True, False):
            print(f"{folder}{', with the replies' if replies else ''}: {figures(load(folder), replies=replies)}")
    print()
    for way, share in found_share().items():
        print(f"recall, {way}: {share}")
