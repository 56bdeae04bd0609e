"""What denies or gives something up is found in every form of words, however quickly other texts are passed."""

from __future__ import annotations

import pytest

from distill.reconcile.polarity import denied
from distill.reconcile.subjects import subject_of

DENIED = [
    "The cache is no longer warm", "Not a single ORM", "NO retries on writes", "never cache invoices",
    "ship without telemetry", "workers cannot share sockets", "it doesn't poll the queue",
    "it doesn’t poll the 队列 queue",
    "avoid global locks", "drop the legacy index", "dropping the index", "remove the banner", "undo the migration",
    "stop polling the gateway", "the banner is gone", "the gateway was retired", "the lock was undone",
    "不缓存发票", "别动网关", "勿改表结构", "没有索引", "无需重试", "禁止轮询", "严禁轮询",
    "去掉横幅", "拿掉横幅", "取消轮询",
    "弃用旧网关", "停用旧网关", "移除横幅", "旧网关下线", "删掉横幅", "删除横幅", "撤销迁移",
]
GIVEN_UP = [
    "Use Kafka instead of RabbitMQ",
    "Kafka RATHER THAN RabbitMQ",
    "We no longer use RabbitMQ",
    "Kafka, not RabbitMQ",
    "move from RabbitMQ to Kafka",
    "不用 rabbitmq 了",
    "不是 rabbitmq，而是 kafka",
    "用 kafka 取代 rabbitmq",
    "弃用 rabbitmq",
    "从 rabbitmq 换成 kafka",
    "用 kafka 而不是 rabbitmq",
]


@pytest.mark.parametrize("text", DENIED)
def test_what_denies(text: str) -> None:
    assert denied(text)


@pytest.mark.parametrize("text", ["The cache is warm", "缓存发票", "Kafka keeps three replicas", ""])
def test_what_affirms(text: str) -> None:
    assert denied(text) == frozenset()


@pytest.mark.parametrize("text", GIVEN_UP)
def test_what_gives_up(text: str) -> None:
    assert "rabbitmq" in subject_of(text).given_up
