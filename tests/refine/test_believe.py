"""What is believed of a model's claims, and what is not: inventions of every sort against words of a log."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from distill.model import ActionKind, Kind, Role
from distill.pipeline import Options, distil
from distill.refine.asking import Answer, Asker, Limits
from distill.refine.believe import Believed, Evidence, Rejected
from distill.refine.claims import Claim, Quote
from distill.refine.prompt import Prompt
from distill.refine.second import SecondPass
from distill.refine.transcript import Entry
from distill.refine.uptake import Heard
from tests.cli.tool import jsonl, record

ENTRIES = [
    Entry(record=1, role=Role.USER, parts=(
        "Never write to the archive bucket. We settled the retries at three over there, take the same. "
        "The report goes out at 07:30, only to the ops list. Could we cache the pages? "
        "If the disk fills up, drop the oldest dumps.",)),
    Entry(record=2, role=Role.ASSISTANT, parts=(
        "I suggest Redis for the sessions. The queue runs on port 5672. "
        "Maybe the proxy eats the header. The import takes 41 seconds on the test machine.",)),
    Entry(record=3, role=Role.USER, parts=("Sessions stay in PostgreSQL 16, table web_session. No Redis, no Memcached."
                                           "\nDon't touch:\n- config/legacy.toml\n- the cron jobs\nKeep at most 500 "
                                           "rows per page.",)),
    Entry(record=4, role=Role.USER, parts=("导出只用 CSV，不要 Excel。重试那边定的是三次，这里照旧。每页最多 50 条。"
                                           "要不要加缓存？如果磁盘满了，删最旧的备份。",)),
    Entry(record=5, role=Role.ASSISTANT, parts=(
        "建议会话放到 Redis。队列在 5672 端口。可能是代理把头丢了。导入要 41 秒。",)),
    Entry(record=6, role=Role.USER, parts=("Which region?", "eu-west-1, the others are too far"),
          act=ActionKind.ANSWERED),
    Entry(record=7, role=Role.ASSISTANT, parts=("3f2a9c1", "Read the page size from the config"),
          act=ActionKind.COMMITTED),
    Entry(record=8, role=Role.ASSISTANT, parts=("Move the sessions to Redis", "Write the docs"),
          act=ActionKind.PLANNED),
    Entry(record=9, role=Role.ASSISTANT, parts=("I wrote src/pages.py. The page size is read from config/app.toml.",)),
]
SENT = frozenset(range(1, 10))
PROOF = Evidence(ENTRIES, frozenset({"src/pages.py", "3f2a9c1"}))


def judged(kind: str, record: int | None, text: str, quote: str) -> Believed | Rejected:
    return PROOF.judge(Claim(kind=Kind(kind), text=text, quote=quote, record=record), SENT)


# kind, record, text, quote: what an honest reader could have said
HONEST = [
    ("decision", 1, "The retries are settled at three, the same as over there",
     "We settled the retries at three over there"),
    ("decision", 1, "The retries are settled at 3", "We settled the retries at three over there, take the same."),
    ("decision", 1, "Never write to the archive bucket", "Never write to the archive bucket."),
    ("decision", 1, "The report goes out at 07:30 only to the ops list",
     "The report goes out at 07:30, only to the ops list."),
    ("decision", 3, "Sessions stay in PostgreSQL 16, in the table web_session",
     "Sessions stay in PostgreSQL 16, table web_session."),
    ("decision", 3, "No Redis and no Memcached", "No Redis, no Memcached."),
    ("decision", 3, "Don't touch config/legacy.toml", "- config/legacy.toml"),
    ("decision", 3, "At most 500 rows per page", "Keep at most 500 rows\u00a0per  page."),
    ("decision", 4, "导出只用 CSV，不要 Excel", "导出只用 CSV，不要 Excel。"),
    ("decision", 4, "导出只用CSV，不要Excel", "导出只用CSV，不要Excel。"),
    ("decision", 4, "重试定的是三次，照旧", "重试那边定的是三次，这里照旧。"),
    ("decision", 4, "重试定为 3 次", "重试那边定的是三次，这里照旧。"),
    ("decision", 4, "每页最多 50 条", "每页最多 ５０ 条。"),
    ("decision", 6, "The region is eu-west-1", "eu-west-1, the others are too far"),
    ("decision", 7, "Read the page size from the config", "Read the page size from the config"),
    ("fact", 2, "The queue runs on port 5672", "The queue runs on port 5672."),
    ("fact", 2, "The import takes 41 seconds on the test machine", "The import takes 41 seconds on the test machine."),
    ("fact", 5, "队列在 5672 端口", "队列在 5672 端口。"),
    ("fact", 5, "导入要 41 秒", "导入要 41 秒。"),
    ("artifact", 9, "src/pages.py", "I wrote src/pages.py."),
    ("open", 1, "Cache the pages?", "Could we cache the pages?"),
    ("open", 4, "要不要加缓存", "要不要加缓存？"),
    ("fact", None, "The queue runs on port 5672", "The queue runs on port 5672."),
]

# the same, but invented: and the reason for which it falls
QUOTE, USER, NAME, LIMIT = "quote not in its record", "decision without the user's words", \
    "number or name not in its evidence", "prohibition or limit changed"
INVENTED = [
    # words that nobody said, or said elsewhere
    ("decision", 1, "Write to the archive bucket daily", "Write to the archive bucket every day.", QUOTE),
    ("decision", 1, "The retries are settled at five", "We settled the retries at five over there", QUOTE),
    ("decision", 3, "Never write to the archive bucket", "Never write to the archive bucket.", QUOTE),
    ("decision", 1, "Sessions stay in PostgreSQL 16", "Sessions stay in PostgreSQL 16, table web_session.", QUOTE),
    ("decision", 4, "导出只用 JSON", "导出只用 JSON，不要 Excel。", QUOTE),
    ("decision", 4, "导出只用 Excel", "导出只用 Excel，不要 CSV。", QUOTE),
    ("fact", 2, "The queue runs on port 56", "The queue runs on port 56", QUOTE),
    ("fact", 2, "The import takes 4", "The import takes 4", QUOTE),
    ("decision", 1, "Write to the archive bucket", "write to the archive buck", QUOTE),
    ("decision", 1, "NEVER WRITE to the archive bucket", "NEVER WRITE TO THE ARCHIVE BUCKET", QUOTE),
    ("decision", None, "Use SQLite for the sessions", "Use SQLite for the sessions", QUOTE),
    ("fact", 5, "队列在 5673 端口", "队列在 5673 端口。", QUOTE),
    # records that were not shown
    ("decision", 77, "Never write to the archive bucket", "Never write to the archive bucket.", "record not shown"),
    ("fact", 0, "The queue runs on port 5672", "The queue runs on port 5672.", "record not shown"),
    # what only the assistant said
    ("decision", 2, "Redis for the sessions", "I suggest Redis for the sessions.", USER),
    ("decision", 2, "The queue runs on port 5672", "The queue runs on port 5672.", USER),
    ("decision", 5, "会话放到 Redis", "建议会话放到 Redis。", USER),
    ("decision", 5, "队列在 5672 端口", "队列在 5672 端口。", USER),
    ("decision", 8, "Move the sessions to Redis", "Move the sessions to Redis", USER),
    ("decision", 9, "The page size is read from config/app.toml", "The page size is read from config/app.toml.", USER),
    # numbers that the quote does not have
    ("decision", 1, "The retries are settled at 5", "We settled the retries at three over there", NAME),
    ("decision", 1, "The retries are settled at four", "We settled the retries at three over there", NAME),
    ("decision", 1, "The report goes out at 08:30 only to the ops list",
     "The report goes out at 07:30, only to the ops list.", NAME),
    ("decision", 3, "Sessions stay in PostgreSQL 15, table web_session",
     "Sessions stay in PostgreSQL 16, table web_session.", NAME),
    ("decision", 3, "Keep at most 5000 rows per page", "Keep at most 500 rows per page.", NAME),
    ("fact", 2, "The import takes 14 seconds on the test machine",
     "The import takes 41 seconds on the test machine.", NAME),
    ("decision", 4, "重试定的是五次，照旧", "重试那边定的是三次，这里照旧。", NAME),
    ("decision", 4, "每页最多 500 条", "每页最多 50 条。", NAME),
    ("decision", 4, "重试定为 4 次", "重试那边定的是三次，这里照旧。", NAME),
    ("fact", 5, "导入要 41.5 秒", "导入要 41 秒。", NAME),
    # names, paths and identifiers that it does not have
    ("decision", 3, "Sessions stay in PostgreSQL 16, table user_session",
     "Sessions stay in PostgreSQL 16, table web_session.", NAME),
    ("decision", 3, "Sessions stay in MySQL 16, table web_session",
     "Sessions stay in PostgreSQL 16, table web_session.", NAME),
    ("decision", 3, "Don't touch config/app.toml", "- config/legacy.toml", NAME),
    ("decision", 1, "Never write to the archive bucket of Azure", "Never write to the archive bucket.", NAME),
    ("decision", 4, "导出只用 CSV 和 JSON，不要 Excel", "导出只用 CSV，不要 Excel。", NAME),
    ("decision", 6, "The region is us-east-1", "eu-west-1, the others are too far", NAME),
    ("artifact", 9, "src/pages.py and src/views.py", "I wrote src/pages.py.", NAME),
    ("decision", 7, "Read the page size from config/app.toml", "Read the page size from the config", NAME),
    ("fact", 2, "RabbitMQ runs on port 5672", "The queue runs on port 5672.", NAME),
    # prohibitions and limits that are dropped, turned round or softened
    ("decision", 1, "Write to the archive bucket", "write to the archive bucket", LIMIT),
    ("decision", 1, "Avoid writing to the archive bucket", "Never write to the archive bucket.", LIMIT),
    ("decision", 1, "Try not to write to the archive bucket", "Never write to the archive bucket.", LIMIT),
    ("decision", 1, "Ideally never write to the archive bucket", "Never write to the archive bucket.", LIMIT),
    ("decision", 1, "The report goes out at 07:30 to the ops list",
     "The report goes out at 07:30, only to the ops list.",
     LIMIT),
    ("decision", 1, "Never write to the archive bucket, except where needed", "Never write to the archive bucket.",
     LIMIT),
    ("decision", 3, "Redis and Memcached", "No Redis, no Memcached.", LIMIT),
    ("decision", 3, "Memcached", "Redis, no Memcached", LIMIT),
    ("decision", 3, "Touch config/legacy.toml", "- config/legacy.toml", LIMIT),
    ("decision", 3, "Touch the cron jobs", "the cron jobs", LIMIT),
    ("decision", 3, "500 rows per page", "Keep at most 500 rows per page.", LIMIT),
    ("decision", 3, "Sessions must not stay in PostgreSQL 16", "Sessions stay in PostgreSQL 16, table web_session.",
     LIMIT),
    ("decision", 4, "导出用 CSV 和 Excel", "导出只用 CSV，不要 Excel。", LIMIT),
    ("decision", 4, "导出用 Excel", "Excel。重试那边定的是三次", LIMIT),
    ("decision", 4, "导出只用 CSV，尽量不要 Excel", "导出只用 CSV，不要 Excel。", LIMIT),
    ("decision", 4, "每页 50 条", "每页最多 50 条。", LIMIT),
    ("decision", 4, "重试不是三次", "重试那边定的是三次，这里照旧。", LIMIT),
    # questions, guesses and conditions taken for settled
    ("decision", 1, "Cache the pages", "Could we cache the pages?", "a question"),
    ("decision", 4, "加缓存", "要不要加缓存？", "a question"),
    ("decision", 1, "Drop the oldest dumps", "drop the oldest dumps", "only possible"),
    ("decision", 4, "删最旧的备份", "删最旧的备份。", "only possible"),
    ("fact", 2, "The proxy eats the header", "the proxy eats the header", "only possible"),
    ("fact", 5, "代理把头丢了", "代理把头丢了。", "only possible"),
    # words from nowhere, another language, other matters, too much and too little
    ("decision", 1, "Never write to the archive bucket during weekends", "Never write to the archive bucket.",
     "words not in the log"),
    ("decision", 3, "Sessions stay encrypted in PostgreSQL 16", "Sessions stay in PostgreSQL 16, table web_session.",
     "words not in the log"),
    ("decision", 4, "导出只用 CSV 压缩包，不要 Excel", "导出只用 CSV，不要 Excel。", "words not in the log"),
    ("decision", 1, "归档桶永远不要写", "Never write to the archive bucket.", "another language"),
    ("decision", 4, "Export only CSV and never Excel files", "导出只用 CSV，不要 Excel。", "another language"),
    ("fact", 2, "The header takes seconds on the machine", "The queue runs on port 5672.",
     "quote about something else"),
    ("decision", 1, "Never write " * 40, "Never write to the archive bucket.", "text too long"),
    ("decision", 1, "Never write to the archive bucket", "Never", "quote too short"),
    ("artifact", 9, "The page size", "The page size is read from config/app.toml.", "no act shows it"),
]


@pytest.mark.parametrize(("kind", "record", "text", "quote"), HONEST)
def test_what_the_log_carries_is_believed(kind: str, record: int | None, text: str, quote: str) -> None:
    found = judged(kind, record, text, quote)
    assert isinstance(found, Believed), found
    assert any(found.quote in part for entry in ENTRIES if entry.record == found.entry.record for part in entry.parts)


@pytest.mark.parametrize(("kind", "record", "text", "quote", "reason"), INVENTED)
def test_inventions_are_rejected(kind: str, record: int | None, text: str, quote: str, reason: str) -> None:
    assert judged(kind, record, text, quote) == Rejected(reason)


# A talk with options, picks and a bare yes, to hold claims with a second quote against.
TALK = [
    Entry(record=1, role=Role.ASSISTANT, parts=(
        "Which store should the sessions have?\n\n1. Redis with a TTL of 900 seconds\n2. a table web_session, cleaned "
        "every 30 minutes\n3. signed cookies",)),
    Entry(record=2, role=Role.USER, parts=("2, the ops people know it. not 3",)),
    Entry(record=3, role=Role.ASSISTANT, parts=(
        "I suggest we keep the dumps in the cold bucket. Shall I run the linter now?",)),
    Entry(record=4, role=Role.USER, parts=("ok",)),
    Entry(record=5, role=Role.ASSISTANT, parts=("I would not mirror the dumps to the old host. Agreed?",)),
    Entry(record=6, role=Role.USER, parts=("yes",)),
    Entry(record=7, role=Role.ASSISTANT, parts=("I suggest gzip for the exports.",)),
    Entry(record=8, role=Role.USER, parts=("no, leave them plain",)),
    Entry(record=9, role=Role.USER, parts=("Never restart the Falcon importer at night. Retries stay at three.",)),
    Entry(record=10, role=Role.USER, parts=("take the same for the nightly one",)),
    Entry(record=11, role=Role.ASSISTANT, parts=(
        "会话放哪里？\n\n- 方案 A：Redis，过期 900 秒\n- 方案 B：表 web_session",)),
    Entry(record=12, role=Role.USER, parts=("B吧，A太麻烦",)),
    Entry(record=13, role=Role.ASSISTANT, parts=("建议导出压成 zip。要不要现在跑一遍单元测试？",)),
    Entry(record=14, role=Role.USER, parts=("好",)),
    Entry(record=15, role=Role.ASSISTANT, parts=("旧备份不要同步到老机器，可以吗？",)),
    Entry(record=16, role=Role.USER, parts=("可以",)),
]
TALKED = Evidence(TALK, hears=lambda text: Heard(
    yes=text in {"ok", "yes", "好", "可以"}, no=text.startswith(("no,", "不"))))
UNTAKEN = "second quote not taken up"

# kind, record, text, quote, record and quote of the second piece: what the two together carry
TOGETHER = [
    ("decision", 2, "The sessions go into a table web_session, cleaned every 30 minutes", "2, the ops people know it",
     1, "a table web_session, cleaned every 30 minutes"),
    ("decision", 1, "The sessions go into a table web_session, cleaned every 30 minutes",
     "a table web_session, cleaned every 30 minutes", 2, "2, the ops people know it"),
    ("decision", 6, "The dumps are not mirrored to the old host", "yes", 5, "I would not mirror the dumps"),
    ("decision", 5, "The dumps are not mirrored to the old host", "I would not mirror the dumps to the old host.",
     None, ""),
    ("decision", 10, "The nightly importer never gets a restart at night, take the same as for Falcon",
     "take the same for the nightly one", 9, "Never restart the Falcon importer at night."),
    ("decision", 12, "会话放表 web_session", "B吧", 11, "方案 B：表 web_session"),
    ("decision", 11, "会话放表 web_session", "方案 B：表 web_session", None, ""),
    ("decision", 16, "旧备份不要同步到老机器", "可以", 15, "旧备份不要同步到老机器"),
]
# the same, but invented
UNTRUE = [
    # an option that was not the one taken, and numbers and names that stand only there
    ("decision", 2, "The sessions go into Redis with a TTL of 900 seconds", "2, the ops people know it",
     1, "Redis with a TTL of 900 seconds", UNTAKEN),
    ("decision", 2, "Sessions are signed cookies", "2, the ops people know it", 1, "signed cookies", UNTAKEN),
    ("decision", 1, "Sessions go into Redis", "Redis with a TTL of 900 seconds", None, "", USER),
    ("decision", 2, "The table web_session is cleaned every 900 minutes", "2, the ops people know it",
     1, "a table web_session, cleaned every 30 minutes", NAME),
    ("decision", 12, "会话放 Redis，过期 900 秒", "B吧", 11, "方案 A：Redis，过期 900 秒", UNTAKEN),
    ("decision", 11, "会话放 Redis", "方案 A：Redis，过期 900 秒", None, "", USER),
    # a yes to something else, a no, and a yes that was not the answer
    ("decision", 4, "The dumps stay in the cold bucket", "ok", 3, "we keep the dumps in the cold bucket", UNTAKEN),
    ("decision", 3, "The dumps stay in the cold bucket", "we keep the dumps in the cold bucket", None, "", USER),
    ("decision", 14, "导出压成 zip", "好", 13, "建议导出压成 zip", UNTAKEN),
    ("decision", 8, "The exports use gzip", "leave them plain", 7, "I suggest gzip for the exports.", UNTAKEN),
    ("decision", 6, "The exports use gzip", "yes", 7, "I suggest gzip for the exports.", UNTAKEN),
    ("decision", 6, "The dumps stay in the cold bucket", "yes", 3, "we keep the dumps in the cold bucket", UNTAKEN),
    # a "not" or "never" that the second quote has
    ("decision", 6, "The dumps are mirrored to the old host", "yes", 5, "mirror the dumps to the old host", LIMIT),
    ("decision", 16, "旧备份同步到老机器", "可以", 15, "同步到老机器", LIMIT),
    ("decision", 10, "The nightly Falcon importer may restart at night, take the same",
     "take the same for the nightly one", 9, "restart the Falcon importer at night", LIMIT),
    # numbers and names from elsewhere, words that stand nowhere
    ("decision", 10, "The nightly one takes three retries", "take the same for the nightly one",
     9, "Retries stay at three.", NAME),
    ("decision", 9, "Never restart the web_session importer at night", "Never restart the Falcon importer at night.",
     2, "the ops people know it", "second quote about something else"),
    ("decision", 10, "The nightly one is never restarted", "take the same for the nightly one",
     9, "Never restart anything.", "second quote not in its record"),
    ("decision", 6, "The dumps are not mirrored to the old host", "yes", 99, "I would not mirror", "record not shown"),
]


def together(kind: str, record: int, text: str, quote: str, second: int | None, also: str) -> Believed | Rejected:
    other = Quote(text=also, record=second) if also else None
    claim = Claim(kind=Kind(kind), text=text, quote=quote, record=record, also=other)
    return TALKED.judge(claim, frozenset(range(1, 17)))


@pytest.mark.parametrize(("kind", "record", "text", "quote", "second", "also"), TOGETHER)
def test_what_two_quotes_carry_together_is_believed(
    kind: str, record: int, text: str, quote: str, second: int | None, also: str
) -> None:
    found = together(kind, record, text, quote, second, also)
    assert isinstance(found, Believed), found
    assert found.entry.binds or (found.answer is not None and found.answer.binds)


@pytest.mark.parametrize(("kind", "record", "text", "quote", "second", "also", "reason"), UNTRUE)
def test_inventions_out_of_two_quotes_are_rejected(
    kind: str, record: int, text: str, quote: str, second: int | None, also: str, reason: str
) -> None:
    assert together(kind, record, text, quote, second, also) == Rejected(reason)


def test_the_inventions_are_of_every_sort() -> None:
    assert len(INVENTED) == len({case[:4] for case in INVENTED}) == 71
    assert Counter(reason for *_, reason in INVENTED) == {
        NAME: 19, LIMIT: 17, QUOTE: 12, USER: 6, "only possible": 4, "words not in the log": 3, "record not shown": 2,
        "a question": 2, "another language": 2, "quote about something else": 1, "text too long": 1,
        "quote too short": 1, "no act shows it": 1,
    }


def test_a_model_that_invents_all_of_it_changes_no_state(tmp_path: Path) -> None:
    """The same words in a log, the same inventions as one answer to the whole of it, and prohibitions to be dropped."""
    log = tmp_path / "talk.jsonl"
    log.write_text(jsonl(*(
        record("user" if entry.role is Role.USER else "assistant", entry.text, f"2026-03-02T09:{entry.record:02}:00Z")
        for entry in ENTRIES)), encoding="utf-8")
    spoken = {entry.record for entry in ENTRIES if entry.act is None}
    lies = [case for case in INVENTED if case[1] not in {6, 7, 8}]
    plain = distil([str(log)], Options())
    dropped = [item.id for item in plain.items if item.role is Role.USER]
    model = Liar([{"kind": kind, "record": record, "text": text, "quote": quote, "id": ""}
                  for kind, record, text, quote, _ in lies], dropped)
    second = SecondPass(Asker(model, Limits()), Limits())
    assert distil([str(log)], Options(second=second)) == plain
    assert spoken - {9} <= model.shown  # what rules are sure of is not shown
    assert len(lies) >= 60
    assert len(dropped) >= 5
    assert sum(second.report.rejected.values()) == len(lies) + len(dropped)
    assert not +second.report.changes


class Liar:
    """Answers with the same claims and drops, whatever it is asked."""

    name = "liar"

    def __init__(self, items: list[dict[str, object]], drop: list[str]) -> None:
        self.answer = json.dumps({"items": items, "drop": drop}, ensure_ascii=False)
        self.shown: set[int] = set()

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        self.shown |= {int(one) for one in re.findall(r"^(?:> )?\[(\d+)\]", prompt.user, re.MULTILINE)}
        return Answer(text=self.answer)

    def stop(self) -> None:
        """It never waits."""
