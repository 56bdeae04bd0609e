"""Plays answers that were written from the prompts alone: `--llm-cmd "python tests/refine/recorded.py FOLDER"`.

FOLDER holds an answer to each part of one log, `01.json` and so on. A prompt is answered by the file most of whose
quotes stand in a record that it shows, so that answers outlive changes of the instructions. Where no file fits, the
prompt is written into FOLDER as `01.txt` and so on, for somebody to answer in a file of the same name, and nothing is
claimed.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

NOTHING = '{"items": [], "drop": []}'
_RECORD = re.compile(r"^(?:> )?\[(\d+)\] ", re.MULTILINE)


def answer(folder: Path, prompt: str) -> str:
    """The answer in `folder` to `prompt`; one that claims nothing where there is none."""
    log = max(prompt.rfind("\nTranscript:\n"), prompt.rfind("\n日志：\n"))
    shown = {int(record) for record in _RECORD.findall(prompt[log:])}
    best, text = 0.5, ""
    for path in sorted(folder.glob("*.json")):
        said = path.read_text(encoding="utf-8")
        records = [item["record"] for item in json.loads(said)["items"]]
        share = sum(record in shown for record in records) / max(1, len(records))
        if share > best:
            best, text = share, said
    if not text:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{len(list(folder.glob('*.txt'))) + 1:02}.txt").write_text(prompt, encoding="utf-8")
    return text or NOTHING


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(answer(Path(sys.argv[1]), sys.stdin.buffer.read().decode("utf-8")))
