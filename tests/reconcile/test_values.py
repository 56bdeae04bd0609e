"""Another value of the same thing takes the place of the first; the same value of another thing does not."""

from __future__ import annotations

import pytest

from distill.reconcile.subjects import replaces, subject_of


@pytest.mark.parametrize(("first", "then"), [
    ("The cache is Redis.", "Change of plan: store the sessions in Postgres instead of Redis."),
    ("缓存改成 Redis。", "Change of plan: store the sessions in Postgres instead of Redis."),
    ("The cache is Memcached.", "Change of plan: store the sessions in Memcached instead of Redis."),
    ("Set the connection timeout to 30 seconds.", "Actually set the request timeout to 45 seconds."),
    ("Upload limit: 20 MB.", "Make the avatar limit 2 MB instead."),
    ("iOS minimum version is 15.", "Raise the Android minimum version to 11."),
    ("Staging runs on port 8080.", "Production was moved from port 9000 to port 9100."),
    ("Phase 1 ships on May 3.", "Phase 2 moves to June 9."),
    ("The picker app stays on Node 18.", "Upgrade the dashboard to Node 22."),
    ("短信每人每天最多 3 条。", "邮件改成每人每天最多 10 条。"),
    ("日志保留 7 天。", "备份改成保留 30 天。"),
    ("一期上线时间定在 5 月 3 日。", "二期上线时间改到 6 月 9 日。"),
    ("安卓最低版本定为 9。", "iOS 最低版本改成 16。"),
    ("订单库用 MySQL 8。", "会员库升级到 PostgreSQL 16。"),
    ("前端统一使用 Node 18。", "服务端统一升级到 Python 3.12。"),
    ("Retry uploads 3 times.", "Retry downloads 5 times."),
    ("The free plan gets 100 trees.", "The grower plan gets 1500 trees."),
    ("Keep nightly backups for 30 days.", "Keep weekly backups for 90 days instead."),
    ("夜间备份保留 30 天。", "每周备份改为保留 90 天。"),
])
def test_a_value_of_another_thing(first: str, then: str) -> None:
    assert not replaces(subject_of(then), subject_of(first))
    assert not replaces(subject_of(first), subject_of(then))


@pytest.mark.parametrize(("first", "then"), [
    ("Use PostgreSQL 15 for the harvest database.", "harvest 数据库换成 PostgreSQL 17。"),
    ("果园列表做分页，每页定为 50 条。", "每页改成 20 条，手机上太长了。"),
    ("每页改成 20 条，手机上太长了。", "每页还是改回 50 条吧。"),
    ("服务端统一使用 Python 3.9。", "服务端统一升级到 Python 3.12。"),
    ("Set the request timeout to 30 seconds.", "Raise the request timeout to 45 seconds, the new scales are slow."),
    ("We stay on Node 18 for the dashboard.", "Bump the dashboard to Node 22."),
    ("The payment gateway gets a timeout of 30 seconds.", "Actually make the gateway timeout 45 seconds."),
    ("登录失败最多 5 次就锁定账号。", "登录失败次数放宽到 8 次再锁定。"),
    ("Keep backups for 30 days.", "Backups are kept for 90 days from now on."),
    ("备份每天 02:00 执行。", "备份时间调整到每天 04:00。"),
    ("The export limit is 500 rows.", "Let's raise the export limit to 2000 rows."),
    ("部署在阿里云。", "部署换到腾讯云。"),
    ("Staging runs on port 7070, as before.", "Staging was moved from port 7070 to port 8443."),
    ("Staging runs on port 7070, as before.", "The staging server now runs on port 8443 instead of 7070."),
    ("服务部署在阿里云。", "服务部署从阿里云换成腾讯云。"),
    ("服务部署从阿里云换成腾讯云。", "服务改为部署到华为云，不放腾讯云了。"),
    ("服务改为部署到华为云，不放腾讯云了。", "服务部署从华为云换成阿里云。"),
    ("决定服务部署到华为云。", "服务部署从华为云换成阿里云。"),
])
def test_another_value_of_the_same(first: str, then: str) -> None:
    assert replaces(subject_of(then), subject_of(first))
