import pytest

from distill.rulebook import load


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("## Decisions", "decision"),
        ("**Constraints:**", "decision"),
        ("✅ Files changed", "artifact"),
        ("3. Next steps", "open"),
        ("Alternatives considered", "rejected"),
        ("Option B: a second queue", "proposal"),
        ("How to run it", "process"),
        ("Root cause", "cause"),
        ("What I changed:", "changes"),
        ("Test plan", "test"),
        ("现状", "fact"),
        ("已定决策：", "decision"),
        ("遺留問題", "open"),
        ("Weather", ""),
        ("", ""),
        ("###", ""),
        ("Decisions " + "and so on " * 20, ""),
    ],
)
def test_a_heading_gives_what_stands_below_a_class(title: str, kind: str) -> None:
    assert load().heading(title) == kind
