from distill.read.cuts import cut_between


def test_stretches_between_marks_are_cut() -> None:
    assert cut_between("a<b>x</b>c<b>y</b>d", "<b>", "</b>") == "acd"
    assert cut_between("nothing here", "<b>", "</b>") == "nothing here"


def test_a_stretch_that_is_never_closed() -> None:
    assert cut_between("a<b>x</b>c<b>y", "<b>", "</b>") == "ac<b>y"
    assert cut_between("a<b>x</b>c<b>y", "<b>", "</b>", open_end=True) == "ac"
