import pytest

from distill.classify.cues import CueJudge
from distill.model import Kind, Role
from distill.rulebook import load


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> CueJudge:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISTILL_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        return CueJudge(load())


USER, ASSISTANT, UNKNOWN = Role.USER, Role.ASSISTANT, Role.UNKNOWN
DECISION, FACT, ARTIFACT, OPEN = Kind


@pytest.mark.parametrize(
    ("text", "role", "kind"),
    [
        # what was decided, with a word for it and without
        ("We decided to keep the old parser.", UNKNOWN, DECISION),
        ("确定后端框架：FastAPI", UNKNOWN, DECISION),
        ("缓存那块，决定不用 Memcached，先放内存里。", USER, DECISION),
        ("我們decided用DuckDB", USER, DECISION),
        ("DuckDB it is.", USER, DECISION),
        ("page size 30, and sort oldest first", USER, DECISION),
        ("actually make that 40", USER, DECISION),
        ("上传的图片最多 5 MB", USER, DECISION),
        ("备份只保留 7 天就行", USER, DECISION),
        ("重试间隔定在 4 秒", USER, DECISION),
        ("never force-push the main branch", USER, DECISION),
        ("Please do not touch vendor/ until the release is out.", USER, DECISION),
        ("請不要動 vendor 目錄", USER, DECISION),
        ("It must survive a reload.", USER, DECISION),
        ("应该要支持断点续传", USER, DECISION),
        ("Can you please use tabs?", USER, DECISION),
        ("队列用 RabbitMQ 吧", USER, DECISION),
        # the same words from somebody whose word it is not
        ("Please do not touch vendor/.", ASSISTANT, None),
        ("page size 30", ASSISTANT, None),
        # what is only weighed, asked, supposed, proposed, tried or denied
        ("We looked at Kafka last week.", USER, None),
        ("我们考虑过用 GraphQL 做网关", UNKNOWN, None),
        ("If we had more nodes we would use Kafka.", USER, None),
        ("如果以后要支持离线，用 IndexedDB 合适吗？", USER, None),
        ("I suggest we switch to gRPC.", ASSISTANT, None),
        ("I've decided to go with Bazel.", ASSISTANT, None),
        ("换了个参数再跑，还是不行", UNKNOWN, None),
        ("讨论了半天要不要拆库", UNKNOWN, None),
        ("好，我来接入 Redis。", ASSISTANT, None),
        ("I'll now create the parser module.", ASSISTANT, None),
        ("Should we go with NATS then?", ASSISTANT, OPEN),
        ("缓存方案还undecided，先不管。", USER, OPEN),
        ("We have not decided on a region yet.", USER, OPEN),
        # facts, artifacts, open items
        ("服务部署在上海机房", UNKNOWN, FACT),
        ("The root cause was a stale lock file.", ASSISTANT, FACT),
        ("All 31 tests pass.", ASSISTANT, FACT),
        ("输出了一份升级手册 upgrade.md", UNKNOWN, ARTIFACT),
        ("生成 9 个集成测试，覆盖登录流程", UNKNOWN, ARTIFACT),
        ("Created src/pager.py with the new pager.", ASSISTANT, ARTIFACT),
        ("待办：给 /export 加权限检查", UNKNOWN, OPEN),
        ("TODO: rotate the signing key before June", UNKNOWN, OPEN),
        ("I am still waiting for his favorite editor settings.", USER, OPEN),
        ("Not tested on Windows.", ASSISTANT, OPEN),
        ("還沒測試離線模式", ASSISTANT, OPEN),
        # nothing at all
        ("ok thanks", USER, None),
        ("好的", USER, None),
        ("What is left?", USER, None),
        ("", USER, None),
    ],
)
def test_single_statements(judge: CueJudge, text: str, role: Role, kind: Kind | None) -> None:
    assert judge.judge(text, role).kind is kind


@pytest.mark.parametrize("odd", ["\ud83d", "\x00", "\u2028", "\u200b", "\ufeff", "😀", "İ", "\U0010ffff"])
def test_odd_characters_do_no_harm(judge: CueJudge, odd: str) -> None:
    text = f"{odd} They decided to use tabs. {odd}"
    verdict = judge.judge(text)
    assert verdict.kind is DECISION
    assert [text[start:end] for _, start, end, _ in verdict.marks] == ["decided to"]


def test_a_proposal_is_told(judge: CueJudge) -> None:
    assert judge.judge("I suggest we switch to gRPC.", ASSISTANT).proposal is True
    assert judge.judge("We switched to gRPC.", ASSISTANT).proposal is False


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Should we?", "question"),
        ("要不要改", "question"),
        ("if we need it", "hypothetical"),
        ("Let me see", "process"),
        ("Sounds good", "accepted"),
        ("可以，就这样", "accepted"),
        ("scratch that", "retracted"),
        ("算了", "retracted"),
        ("It is fixed now", "completed"),
        ("修好了", "completed"),
        ("later", "deferred"),
        ("it is not so", "negated"),
        ("maybe", "uncertain"),
    ],
)
def test_modifiers_alone(judge: CueJudge, text: str, name: str) -> None:
    assert name in judge.modifiers(text)
    assert name in judge.judge(text).modifiers


def test_an_explanation_names_the_modifier_that_decided(judge: CueJudge) -> None:
    told = judge.explain("we considered a cache, so we switched to a file")
    reaches = [(one.name, told.text[slice(*one.over)]) for one in told.modifiers]
    assert reaches == [("considered", "considered a cache,")]
    assert [(one.rule, one.effect, one.by) for one in told.marks] == [("decision/commit", "keep", "")]
    told = judge.explain("maybe we switched to files")
    assert [(one.rule, one.effect, one.by) for one in told.marks] == [("decision/commit", "proposal", "uncertain")]


def test_verdicts_do_not_depend_on_the_script(judge: CueJudge) -> None:
    for simple, traditional in (("决定采用本地缓存", "決定採用本地緩存"), ("还没测试导出", "還沒測試導出")):
        assert judge.judge(simple).rule == judge.judge(traditional).rule != ""
