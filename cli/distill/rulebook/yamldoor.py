"""The only door to YAML."""

from __future__ import annotations

from functools import cache
from typing import Any

from distill.model import DistillError
from distill.text.lazy import Lazy

_TIME = "tag:yaml.org,2002:timestamp"
_MERGE = "tag:yaml.org,2002:merge"
_BREAK = Lazy("[\n\r\x85\u2028\u2029]")
_SURROGATE = Lazy("[\ud800-\udfff]")
# What YAML allows in a text; the two loaders name a breach differently, so it is looked for first.
_NOT_YAML = Lazy("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def load(text: str, where: str) -> Any:
    """The one document in `text` as dicts, lists, texts, numbers, booleans and None; None where it is empty.

    `where` names the file in errors. Dates and times stay texts, so that nothing depends on how they are written.
    Raises DistillError with file, line and column where `text` is no YAML, holds two documents, the same key twice in
    one mapping, or a merge key (`<<`), which could make a small file grow without bound.
    """
    import yaml

    if odd := _NOT_YAML.search(text):
        line = text.count("\n", 0, odd.start()) + 1
        column = odd.start() - (text.rfind("\n", 0, odd.start()) + 1) + 1
        raise DistillError(f"{where}:{line}:{column}: not valid YAML: remove the character U+{ord(odd[0]):04X}")
    try:
        loader = _loader()(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _refuse_doubles(node, where)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        spot = f"{where}:{mark.line + 1}:{mark.column + 1}" if mark else where
        raise DistillError(f"{spot}: not valid YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise DistillError(f"{where}: not valid YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise DistillError(f"{where}: nested too deeply for YAML") from error


def dump(data: object) -> str:
    """`data` as YAML in block style, keys in their order, one line a text; a lone surrogate becomes U+FFFD.

    Always by the pure dumper: the compiled one is not everywhere and breaks lines elsewhere.
    """
    import yaml

    text: str = yaml.dump(data, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=float("inf"))
    return text


def _refuse_doubles(root: Any, where: str) -> None:
    import yaml

    todo, seen = [root], set()
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            todo.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            keys = set()
            for key, value in node.value:
                todo += [key, value]
                spot = f"{where}:{key.start_mark.line + 1}:{key.start_mark.column + 1}"
                if key.tag == _MERGE:
                    raise DistillError(f"{spot}: merge keys (<<) are not supported: write the keys out")
                if isinstance(key, yaml.ScalarNode):
                    if (key.tag, key.value) in keys:
                        raise DistillError(f"{spot}: the key {key.value!r} stands here twice: remove one")
                    keys.add((key.tag, key.value))


@cache
def _loader() -> Any:
    import yaml

    base: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if tag != _TIME]
        for first, pairs in base.yaml_implicit_resolvers.items()
    }
    return type("_Loader", (base,), {"yaml_implicit_resolvers": resolvers})


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

        def represent_str(self, data: str) -> yaml.ScalarNode:
            # A line break of any sort is escaped: outside double quotes YAML folds some of them into blanks.
            style = '"' if _BREAK.search(data) else None
            return self.represent_scalar("tag:yaml.org,2002:str", _SURROGATE.sub("\ufffd", data), style=style)

    Dumper.add_representer(str, Dumper.represent_str)
    return Dumper
