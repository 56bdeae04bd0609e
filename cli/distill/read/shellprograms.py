"""Which program a simple command runs, and of what sort it is: a test run, a build, or one that only reads."""

from __future__ import annotations

import re
from functools import lru_cache

from distill.read.shellwords import Command, Word
from distill.text.lazy import Lazy


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
POWERSHELLS = frozenset({"powershell", "pwsh"})
_KEYWORDS = _set(
    "then do else elif if while until ! { } time nohup exec command builtin nice stdbuf caffeinate unbuffer & ."
)
_ASSIGNMENT = Lazy(r"[A-Za-z_]\w*\+?=")
_WRAPPERS = _set("sudo env doas cross-env timeout gtimeout npx pnpx bunx uvx xvfb-run")
# What runs another command when one of these words follows.
_RUNNERS = {
    **dict.fromkeys(("uv", "poetry", "pipenv", "pdm", "hatch", "rye", "doppler", "conda", "pixi"), ("run",)),
    **dict.fromkeys(("pnpm", "yarn"), ("exec", "dlx")),
    **dict.fromkeys(("npm", "mise"), ("exec", "x")),
    **dict.fromkeys(("bundle", "direnv"), ("exec",)),
    "dotenv": ("run", "--"),
}
_VALUED = {  # their options that take a value
    "sudo": ("-u", "-g"),
    "timeout": ("-s", "-k"),
    "uv": ("--with", "--extra", "--group", "-p", "--python", "--package", "--directory", "--project"),
    "npx": ("-p", "--package"),
    "conda": ("-n", "-p"),
    "env": ("-u",),
}
_CONTAINER_VALUED = _set("-e -u -w -v --env --user --workdir -n -c")

TESTS = _set(
    "pytest py.test jest vitest mocha ava tap phpunit pest paratest rspec ctest nosetests nose2 tox nox busted bats "
    "cypress playwright karma gotestsum ginkgo unittest doctest"
)
# A program and the words that make it a test run.
_TEST_VERBS = {
    name: Lazy(pattern)
    for names, pattern in (
        ("go deno mix swift flutter dart zig artisan manage.py hatch stack cabal xcodebuild bazel lein", r"test"),
        ("cargo", r"test|nextest|t"),
        ("npm pnpm yarn bun", r"t|tst|test\S*"),
        ("composer sbt turbo", r"test\S*"),
        ("dotnet", r"test|vstest"),
        ("mvn mvnw", r"test|verify|integration-test"),
        ("gradle gradlew", r"\S*[tT]est|check"),
        ("make", r"\S*test\S*|check"),
        ("just task nx", r"\S*test\S*"),
        ("rake rails", r"test\S*|spec\S*"),
        ("node", r"--test"),
    )
    for name in names.split()
}
_ANYWHERE = _set("mvn mvnw gradle gradlew xcodebuild make sbt nx turbo bazel")
_NO_TEST = _set(
    "--version --help -h --collect-only --co --listTests --list list install --init init --showConfig --dry-run"
)
_BUILDS = _set(
    "make cmake ninja bazel just tsc vue-tsc eslint ruff mypy pyright flake8 pylint black prettier biome "
    "stylelint vite webpack rollup esbuild gcc g++ clang clang++ javac mvn mvnw gradle gradlew xcodebuild pip "
    "pip3 brew apt apt-get twine vercel netlify wrangler fly flyctl firebase serverless helm terraform kubectl "
    "ansible-playbook alembic golangci-lint pre-commit cdk sam pulumi"
)
_BUILD_VERBS = {
    name: Lazy(pattern)
    for names, pattern in (
        ("npm pnpm yarn bun", r"i|install|ci|add|publish|build\S*|lint\S*|deploy\S*|audit"),
        ("docker", r"build|push|compose|buildx"),
        ("docker-compose", r"up|build"),
        ("cargo", r"build|check|clippy|run|publish|install|fmt"),
        ("go", r"build|vet|install|generate|mod"),
        ("uv", r"sync|add|pip|tool|build|publish|lock"),
        ("poetry", r"install|add|build|publish|lock"),
        ("dotnet", r"build|publish|restore|ef"),
        ("bundle", r"install"),
        ("next swift stack cabal", r"build|lint"),
        ("prisma", r"migrate|generate|db"),
        ("rails rake", r"db:\S+"),
        ("manage.py", r"migrate|makemigrations|check"),
        ("artisan", r"migrate\S*"),
        ("composer", r"install|require|update"),
        ("flutter", r"build|pub|analyze"),
        ("mix", r"compile|deps\S*|ecto\S*"),
    )
    for name in names.split()
}
_READS = {  # verbs of builders that only look
    "kubectl": frozenset({"get", "describe", "logs", "explain"}),
    "helm": frozenset({"list", "status", "get"}),
    "terraform": frozenset({"show", "output", "state"}),
    "pip": frozenset({"show", "list", "freeze", "check"}),
    "apt": frozenset({"list", "show", "search"}),
    "brew": frozenset({"list", "info", "search"}),
}
_GH_RUNS = (["pr", "merge"], ["workflow", "run"], ["release", "upload"])
_TEST_FILE = Lazy(r"(?:^|[/\\])(?:tests?[/\\]|test_|tests?\.|smoke)|[._-](?:test|spec)\.\w+$")
_INTERPRETERS = _set("python python3 py node ruby php deno bun")

# A script without any of these words does nothing worth a look: most scripts only read.
_WORTH = (
    TESTS
    | _BUILDS
    | SHELLS
    | POWERSHELLS
    | (frozenset(_TEST_VERBS) | frozenset(_BUILD_VERBS)) - {"node"}
    | _set(
        "git git.exe gh glab hub tea rm rmdir mv cp tee touch unlink ln sed gsed perl curl wget del erase move "
        "copy ren rd ri sc ni ac set-content add-content out-file new-item remove-item move-item copy-item "
        "rename-item tee-object export-csv nextest podman cmd patch"
    )
)
_HINT = Lazy(
    r">(?![&>]?\s*(?:&?\d|/dev/null|&-))|\*\*\* Begin Patch|writeFile|\bopen\(|write_text|write_bytes|WriteAll"
)
_TOKEN = Lazy(r"[a-z0-9_.+-]+")
_LONG = 4096  # characters from which a script is parsed without asking


def worth(script: str) -> bool:
    """Whether a script may do more than read: a quick look that is sure only of a no."""
    return len(script) > _LONG or _worth(script)


@lru_cache(maxsize=256)
def _worth(script: str) -> bool:
    if _HINT.search(script):
        return True
    script = script.lower()
    tokens = set(_TOKEN.findall(script))
    hits = _WORTH & tokens
    if hits and not (hits <= {"sed", "gsed"} and "-i" not in script):
        return True
    return not _INTERPRETERS.isdisjoint(tokens) and ("test" in script or "spec" in script or "smoke" in script)


def program(word: str) -> str:
    """The name of a program without its folder and ending, in small letters."""
    if "/" in word or "\\" in word:
        word = re.split(r"[/\\]", word)[-1]
    return word.lower().removesuffix(".exe").removesuffix(".cmd")


def resolve(command: Command) -> tuple[str, list[Word], bool]:
    """Name and arguments of a command without what only runs it, and whether it runs elsewhere (in a container)."""
    words = command.words
    at, remote = 0, False
    for _ in range(12):
        if at >= len(words):
            break
        text = words[at].text
        name = program(text)
        following = words[at + 1].text if at + 1 < len(words) else ""
        if text in _KEYWORDS or _ASSIGNMENT.match(text):
            at += 1
        elif name in _WRAPPERS:
            at = _after_options(words, at + 1, name)
        elif name in _RUNNERS and following in _RUNNERS[name]:
            at = _after_options(words, at + 2, name)
        elif name in ("docker", "podman", "kubectl", "docker-compose") and (inside := _in_container(words, at)):
            at, remote = inside, True
        elif name == "ssh":
            return name, words[at + 1 :], True
        elif name in ("python", "python3", "py") and following == "-m" and at + 2 < len(words):
            at += 2
        elif name in ("python", "python3", "php") and following.endswith(("manage.py", "artisan")):
            at += 1
        else:
            return name, words[at + 1 :], remote
    return "", [], remote


def _after_options(words: list[Word], at: int, name: str) -> int:
    """Past the options of a command that runs another one, their values, and assignments."""
    valued = _VALUED.get(name, ())
    while at < len(words) and (words[at].text.startswith("-") or _ASSIGNMENT.match(words[at].text)):
        at += 2 if words[at].text in valued else 1
    if name in ("timeout", "gtimeout") and at < len(words) and words[at].text[:1].isdigit():
        at += 1
    return at


def _in_container(words: list[Word], at: int) -> int:
    """Past `docker compose exec SERVICE`, `docker run IMAGE` and the like; 0 where nothing runs inside."""
    for step, word in enumerate(words[at + 1 : at + 8]):
        text = word.text
        if text in ("exec", "run"):
            goal = at + 2 + step
            while goal < len(words) and words[goal].text.startswith("-") and words[goal].text != "--":
                goal += 2 if words[goal].text in _CONTAINER_VALUED else 1
            goal += 1
            if goal < len(words) and words[goal].text == "--":
                goal += 1
            return goal if goal < len(words) else 0
        if text != "compose" and not text.startswith("-") and not text.endswith((".yml", ".yaml")):
            return 0
    return 0


def git_verb(args: list[Word]) -> str:
    """The verb of a git command."""
    skip = False
    for word in args:
        if skip:
            skip = False
        elif word.text in ("-C", "-c"):
            skip = True
        elif not word.text.startswith("-"):
            return word.text
    return ""


def is_test(name: str, args: list[Word]) -> bool:
    """Whether a command is a test run."""
    texts = [word.text for word in args]
    if name in TESTS:
        if name in ("playwright", "cypress") and "test" not in texts and "run" not in texts:
            return False
        return _NO_TEST.isdisjoint(texts)
    pattern = _TEST_VERBS.get(name)
    if pattern is None or not _NO_TEST.isdisjoint(texts):
        return False
    plain = [text for text in texts if not text.startswith("-") or text == "--test"]
    if plain[:1] in (["run"], ["run-script"]):
        plain = plain[1:]
    if name not in _ANYWHERE:
        plain = plain[:1]
    return any(pattern.fullmatch(text.rpartition(":")[2] if name in _ANYWHERE else text) for text in plain)


def is_build(name: str, args: list[Word]) -> bool:
    """Whether a command builds, installs, checks or deploys: something whose failure matters."""
    texts = [word.text for word in args]
    if not {"--version", "--help", "-h", "-V", "version", "help"}.isdisjoint(texts[:2]):
        return False
    if name in _BUILDS:
        return _READS.get(name, frozenset()).isdisjoint(texts[:2])
    plain = [text for text in texts if not text.startswith("-")]
    if name == "gh":
        return plain[:2] in _GH_RUNS
    pattern = _BUILD_VERBS.get(name)
    if plain[:1] in (["run"], ["run-script"]):
        plain = plain[1:]
    return pattern is not None and bool(plain) and bool(pattern.fullmatch(plain[0]))


def is_test_script(name: str, args: list[Word]) -> bool:
    """Whether an interpreter is given a file that looks like a test."""
    script = next((word.text for word in args if not word.text.startswith("-")), "")
    return name in _INTERPRETERS and bool(_TEST_FILE.search(script))
