"""What the people of the made-up project talk about, in both languages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that has one value at a time. {v} is the new value, {o} the one before.

    `about` is a pattern that every statement on it holds.
    """

    about: str
    values: tuple[str, ...]
    first: tuple[str, ...]
    again: tuple[str, ...]
    change: tuple[str, ...]


def _topic(about: str, values: str, first: str, again: str, change: str) -> Topic:
    parts = (tuple(part.strip() for part in text.split("|")) for text in (values, first, again, change))
    return Topic(about=about, **dict(zip(("values", "first", "again", "change"), parts, strict=True)))


TOPICS = (
    _topic("sessions?", "Redis | Postgres | DynamoDB | Memcached",
           "We decided to store the user sessions in {v}. | Decided: user sessions are stored in {v}.",
           "As agreed, the user sessions are stored in {v}. | Again: store the user sessions in {v}.",
           "Change of plan: store the user sessions in {v} instead of {o}. | "
           "Scratch that, user sessions are stored in {v} after all."),
    _topic("retries", "3 | 5 | 8 | 2", "Set the upload retries to {v}. | Use {v} upload retries, no more.",
           "Upload retries stay at {v}. | Keep the upload retries at {v}.",
           "Actually make the upload retries {v}. | Set the upload retries to {v} instead."),
    _topic("rows", "25 | 50 | 100 | 40", "A list page shows at most {v} rows. | Show at most {v} rows on a list page.",
           "Again: at most {v} rows on a list page. | A list page keeps showing at most {v} rows.",
           "Change that: a list page shows at most {v} rows. | Make it at most {v} rows on a list page instead."),
    _topic("licence", "MIT | Apache-2.0 | GPL | BSD", "We go with the {v} licence, decided. | The licence is {v}.",
           "The licence stays {v}, as decided. | We go with the {v} licence, as said.",
           "Changed my mind on the licence: {v} instead of {o}. | The licence is {v} after all, not {o}."),
    _topic("gateway", "10 | 30 | 45 | 20", "The payment gateway gets a timeout of {v} seconds. | "
           "Use a timeout of {v} seconds for the payment gateway.",
           "The timeout of the payment gateway stays at {v} seconds. | "
           "Payment gateway timeout: {v} seconds, as before.",
           "Actually set the payment gateway timeout to {v} seconds. | "
           "Make the timeout of the payment gateway {v} seconds instead."),
    _topic("staging", "8080 | 9000 | 8443 | 7070",
           "The staging server runs on port {v}. | Staging listens on port {v}.",
           "The staging server still runs on port {v}. | Staging runs on port {v}, as before.",
           "The staging server now runs on port {v} instead of {o}. | Staging was moved from port {o} to port {v}."),
    _topic("日志", "7 | 14 | 30 | 60", "日志保留 {v} 天。 | 决定日志只保留 {v} 天。",
           "日志还是保留 {v} 天。 | 再说一遍，日志保留 {v} 天。",
           "日志改成保留 {v} 天。 | 日志不要 {o} 天了，改为保留 {v} 天。"),
    _topic("缓存", "Redis | Memcached | Caffeine | Hazelcast", "决定缓存用 {v}。 | 缓存就用 {v}。",
           "缓存用 {v}，不变。 | 之前定的，缓存用 {v}。", "算了，缓存不用 {o} 了，改用 {v}。 | 缓存改成 {v}。"),
    _topic("数据库", "Postgres | MySQL | TiDB | OceanBase", "数据库决定用 {v}。 | 确定数据库用 {v}。",
           "数据库用 {v}，就这么定。 | 数据库还是用 {v}。", "数据库改用 {v}，不用 {o} 了。 | 数据库换成 {v}。"),
    _topic("部署", "阿里云 | 腾讯云 | 华为云 | 自建机房", "服务部署在{v}。 | 决定服务部署到{v}。",
           "服务还是部署在{v}。 | 之前说好的，服务部署在{v}。",
           "服务改为部署到{v}，不放{o}了。 | 服务部署从{o}换成{v}。"),
    _topic("短信", "3 | 5 | 10 | 6", "短信每人每天最多 {v} 条。 | 限制短信每人每天 {v} 条。",
           "短信每人每天还是最多 {v} 条。 | 短信就每人每天最多 {v} 条。",
           "短信改成每人每天最多 {v} 条。 | 短信上限改为每人每天 {v} 条。"),
)
#: What must never be done; said now and then, never taken back. The pattern, and ways to say it.
RULES = (
    ("legacy/", ("Never touch the legacy/ folder.", "Again, do not touch the legacy/ folder.",
                 "Don't touch legacy/, please.")),
    ("real (?:SMS|text messages)", ("Never send a real SMS from the tests.", "The tests must not send a real SMS.")),
    ("vendor/", ("不要改动 vendor/ 目录。", "别动 vendor/ 目录。", "vendor/ 目录不能动。")),
    ("明文", ("密码绝不能明文存。", "禁止明文存密码。")),
)
ERRANDS = (
    "pagination tests", "CSV import", "audit log rotation", "email templates", "rate limit headers", "dark mode toggle",
    "nightly backup script", "health check endpoint", "password reset page", "invoice PDF layout",
    "search index rebuild",
    "mobile menu animation", "webhook signature check", "currency rounding fix", "onboarding checklist",
    "分页参数校验", "导出报表的权限检查", "登录接口限流", "头像裁剪功能", "数据备份脚本", "搜索结果高亮",
    "消息重试队列", "订单对账任务", "发票下载页面", "库存预警邮件", "多语言切换按钮", "优惠券过期处理",
)
OPENED = {
    "en": ("TODO: add the {x}.", "Still to do: the {x}.", "We still need to add the {x}.", "Not done yet: the {x}."),
    "zh": ("待办：{x}", "{x}还没做。", "还需要做{x}。"),
}
REOPENED = {"en": ("Still to do: {x}.", "TODO: {x}."), "zh": ("待办：{x}还没做", "还没做{x}")}
FINISHED = {
    "en": ("The {x} is done now.", "Added the {x}, done.", "The {x} is finished and works."),
    "zh": ("{x}已完成。", "{x}做完了。", "{x}搞定了。"),
}
COMMITTED = {"en": "Add the {x}", "zh": "完成{x}"}
FILES = ("src/{n}.py", "src/api/{n}.py", "docs/{n}.md", "tests/test_{n}.py", "config/{n}.toml", "文档/{n}.md")
NAMES = ("boats", "harbour", "tides", "crew", "ropes", "sails", "invoices", "berths", "charts", "码头", "潮汐", "船员")
TALK = {
    "user": ("Hi, let's go on.", "Thanks!", "Looks good so far.", "Can you have a look at the tests?",
             "早上好", "继续吧", "看着不错", "你先看看代码", "What does this function do?", "Hm, interesting."),
    "assistant": ("Let me look at the code first.", "I'll read the module and come back.", "Sure.", "我先看一下代码。",
                  "好的，我来看看。", "Now let me check how the module is used.", "I am reading the configuration.",
                  "让我查一下这个函数在哪里用到。"),
}
