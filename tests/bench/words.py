"""Invented prose for synthetic logs, in English and Chinese: what users ask, what assistants say, code they read."""

from __future__ import annotations

from random import Random


def _words(text: str) -> list[str]:
    return text.split()


_PARTS = _words(
    "order invoice ticket seat parcel route ledger sensor badge meter recipe roster voucher ferry lantern quota"
)
_LAYERS = _words("store client parser queue worker gateway cache form report exporter importer scheduler policy index")
_TOOLS = _words("Postgres SQLite Redis Kafka FastAPI Flask Vite pytest Ruff Docker Terraform Celery Nginx OpenAPI")
_VERBS = _words("load save merge split check retry render parse flush encode resolve rotate")
_ENDINGS = ("py", "ts", "go", "vue", "sql", "md")
_ZH_PARTS = _words("订单 发票 票据 座位 包裹 线路 账本 传感器 工牌 电表 配方 排班 优惠券 渡轮 灯笼 配额")
_ZH_LAYERS = _words("存储层 客户端 解析器 队列 工作进程 网关 缓存 表单 报表 导出 导入 调度器 策略 索引")

ASKS = (
    "Can you look at why {the} {verb}s the same row twice when the {other} restarts?",
    "Add a {verb} step to {the} and cover it with a test.",
    "Let's use {tool} for {the}, not {tool2}.",
    "The {other} must not keep more than {n} rows in memory.",
    "please rename `{func}` to `{func2}` everywhere, but don't touch {path}",
    "go ahead",
    "ok, and what about {the}?",
    "Run the tests again and commit when they are green.",
    "Why does {path} still import {tool}?",
    "Keep the timeout at {n} seconds for now, we will revisit it after the release.",
    "Option 2, but only for {the}.",
    "I get `{func}() missing 1 required argument` when I start the {other}, see below.",
)
ASKS_ZH = (
    "帮我看一下{the}为什么重启之后会重复{zverb}同一行",
    "{the}就用{tool}吧，不要用{tool2}",
    "{other}内存里最多保留{n}行，不能再多",
    "可以，按这个来",
    "先别动 {path}，只改{the}",
    "把`{func}`改名成`{func2}`，顺便补一个测试",
    "再跑一遍测试，过了就提交",
    "超时先保持{n}秒，发版之后再看",
    "方案2，{the}先不做",
    "为什么 {path} 里还在引用 {tool}？",
)
STEPS = (
    "Let me look at {path} first.",
    "Now I'll check how {the} calls `{func}`.",
    "The import is unused; I'll remove it.",
    "Let me run the tests to see where we stand.",
    "I need to see the other callers of `{func2}` before changing it.",
    "Next, the {other}.",
    "That failed because the fixture is missing. Let me add it.",
    "Good, {n} tests pass. Now the documentation.",
)
STEPS_ZH = (
    "先看一下 {path}。",
    "接下来检查{the}是怎么调用`{func}`的。",
    "这个引用没有用到，我先删掉。",
    "跑一下测试看看现在的情况。",
    "改之前还要看`{func2}`的其他调用方。",
    "刚才失败是因为缺少夹具，我补上。",
)
SAYS = (
    "The {other} reads {n} rows at a time and hands them to `{func}`, which is why memory stays flat.",
    "The root cause is that `{func2}` runs before {the} has been opened.",
    "I moved the retry into {path} so that {the} and the {other} share it.",
    "All {n} tests pass.",
    "`{func}` now returns an empty list instead of raising when there is nothing to {verb}.",
    "We could also drop {tool2}, but that would touch the {other} as well.",
    "Note that {the} still uses the old header names; I left them because two callers depend on them.",
    "The nightly job fails when {the} is empty.",
    "I did not change {path}, since it is generated from the schema.",
    "TODO: document the new environment variable for the {other}.",
    "The limit is {n} entries per page and applies to both endpoints.",
    "It takes about {n} ms per request on my machine, most of it in {tool}.",
    "If you prefer {tool2}, the change is small: only {path} knows about it.",
    "{the} and the {other} now write to the same table, so a partial failure leaves no orphans behind.",
    "Still open: whether the {other} should be allowed to {verb} while a migration runs.",
    "The old behaviour is kept behind `{func2}` for one more release.",
)
SAYS_ZH = (
    "{other}每次读取{n}行再交给`{func}`，所以内存不会涨。",
    "根本原因是`{func2}`在{the}打开之前就执行了。",
    "重试逻辑已经移到 {path}，{the}和{other}共用一份。",
    "{n}个测试全部通过。",
    "没有数据时`{func}`现在返回空列表，不再抛异常。",
    "{the}还在用旧的表头，有两个调用方依赖它，所以我没有动。",
    "{the}为空时夜间任务会失败。",
    "{path} 是由模式生成的，这次没有修改。",
    "待办：给{other}补充新环境变量的说明。",
    "每页最多{n}条，两个接口都一样。",
    "单次请求大约{n}毫秒，主要耗在 {tool} 上。",
    "还没有确定：迁移期间是否允许{other}继续{zverb}。",
)
TITLES = ("Summary", "What changed", "How it works", "Root cause", "Next steps", "Open questions", "Tests")
TITLES_ZH = ("总结", "改动", "实现方式", "根本原因", "下一步", "待确认", "测试")
_ZH_VERBS = _words("写入 读取 合并 拆分 校验 重试 渲染 解析")


class Writer:
    """Writes prose and code about one task; the same random numbers give the same words."""

    def __init__(self, random: Random, chinese: bool, number: int) -> None:
        """`number` tells tasks apart: it goes into the names of their files and functions."""
        self.random = random
        self.chinese = chinese
        self.part = random.choice(_PARTS)
        self.paths = [
            f"src/{self.part}{number}/{random.choice(_LAYERS)}_{k}.{random.choice(_ENDINGS)}" for k in range(8)
        ]

    def name(self) -> str:
        """A function."""
        return f"{self.random.choice(_VERBS)}_{self.part}_{self.random.choice(_LAYERS)}"

    def path(self) -> str:
        """One of the task's files."""
        return self.random.choice(self.paths)

    def sentence(self, english: tuple[str, ...], chinese: tuple[str, ...]) -> str:
        """One sentence in the language of the task."""
        pick = self.random.choice
        zh = self.chinese
        parts, layers = (_ZH_PARTS, _ZH_LAYERS) if zh else (_PARTS, _LAYERS)
        the = f"{pick(parts)}{'的' if zh else ' '}{pick(layers)}"
        return pick(chinese if zh else english).format(
            the=the if zh else f"the {the}",
            other=f"{pick(parts)}{'' if zh else ' '}{pick(layers)}",
            verb=pick(_VERBS),
            zverb=pick(_ZH_VERBS),
            tool=pick(_TOOLS),
            tool2=pick(_TOOLS),
            n=self.random.randint(2, 900),
            func=self.name(),
            func2=self.name(),
            path=self.path(),
        )

    def ask(self) -> str:
        """A prompt of the user: mostly a line or two, sometimes with a pasted document."""
        text = "\n".join(self.sentence(ASKS, ASKS_ZH) for _ in range(self.random.choice((1, 1, 1, 2, 3))))
        if self.random.random() < 0.12:
            text += "\n\n" + self.report(12)
        return text

    def step(self) -> str:
        """What the assistant says between two tool calls."""
        glue = "" if self.chinese else " "
        found = self.sentence(STEPS, STEPS_ZH) + glue + self.sentence(STEPS, STEPS_ZH)
        return found if self.random.random() < 0.8 else f"{found}{glue}{self.says(1, 2)}"

    def says(self, least: int, most: int) -> str:
        """A few sentences of the assistant."""
        glue = "" if self.chinese else " "
        return glue.join(self.sentence(SAYS, SAYS_ZH) for _ in range(self.random.randint(least, most)))

    def report(self, size: int) -> str:
        """The message that closes a turn: `size` parts with headings, lists and a table now and then."""
        found = [self.says(1, 3)]
        for _ in range(size):
            shape = self.random.random()
            found.append(f"## {self.random.choice(TITLES_ZH if self.chinese else TITLES)}")
            if shape < 0.55:
                found.append("\n".join(f"- {self.says(1, 1)}" for _ in range(self.random.randint(2, 5))))
            elif shape < 0.65:
                rows = [f"| `{self.path()}` | {self.says(1, 1)} |" for _ in range(self.random.randint(2, 4))]
                found.append("\n".join(["| File | Change |", "|---|---|", *rows]))
            else:
                found.append(self.says(1, 3))
        return "\n\n".join(found)


def code(random: Random, size: int) -> str:
    """About `size` characters of source text."""
    found: list[str] = []
    length = 0
    while length < size:
        a, b, c = random.choice(_VERBS), random.choice(_PARTS), random.choice(_LAYERS)
        n = random.randint(1, 9999)
        line = random.choice(
            (
                f"def {a}_{b}({c}: dict[str, int], limit: int = {n}) -> list[str]:",
                f'    {b}_{n} = self._{c}.{a}("{b}/{c}", retries={n % 7}, strict=True)',
                f"\tif {b}.{c} != nil && len({b}.rows) > {n} {{",
                f"    # {a} the {b} before the {c} is closed, see the note above",
                f'  const {b}{n} = await {a}(\'{c}\', {{ "id": {n}, "name": `{b}` }});',
                f"INSERT INTO {b}_{c} (id, name, amount) VALUES ({n}, '{a}', {n * 3}.50);",
                "",
                f'        raise ValueError(f"no {b} for {{{c}}}: {n}")',
                "}",
            )
        )
        found.append(line)
        length += len(line) + 1
    return "\n".join(found)
