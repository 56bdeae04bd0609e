"""Make the made parts of the README anew: `python -m tests.docs.update`. Run `python -m tests.golden.update` first."""

from __future__ import annotations

from tests.docs.blocks import README, made


def update() -> None:
    """Write the README as it should be now."""
    before = README.read_text(encoding="utf-8")
    after = made(before)
    README.write_text(after, encoding="utf-8", newline="\n")
    print(f"{README.name}: {'unchanged' if after == before else 'rewritten'}")


if __name__ == "__main__":
    update()
