"""What people and the model said in a Codex log, freed of what Codex put around it."""

from __future__ import annotations

import re

from distill.read.cuts import cut_between
from distill.read.verdicts import ANSI
from distill.read.wrappers import strip_wrappers
from distill.text.lazy import Lazy

#: Texts that stand under the role "user" but are put there by the program.
_INJECTED = (
    "<environment_context",
    "# AGENTS.md instructions",
    "<user_instructions",
    "<INSTRUCTIONS>",
    "<turn_aborted",
    "<recommended_plugins",
    "<permissions instructions",
    "<skill>",
    "<skills_instructions",
    "<apps_instructions",
    "<plugins_instructions",
    "<collaboration_mode",
    "<multi_agent_mode",
    "<model_switch",
    "<personality_spec",
    "<subagent_notification",
    "<subagent_context",
    "<hook_prompt",
    "<user_action>",
    "<goal_context",
    "<codex_internal_context",
    "<realtime_conversation",
    "Generate a file named AGENTS.md that serves as a contributor guide",
)
_REQUEST = "## My request for Codex:"
_SKILL = Lazy(r"\[\$[^\]\n]{1,80}\]\((?:[^()\n]|\([^()\n]*\)){0,600}\)\s*")
_IMAGE = Lazy(r"</?image(?: [^<>\n]{0,400})?>")
_SHELL = Lazy(
    r"<user_shell_command>\s*<command>\n?(.*?)\n?</command>\s*<result>\n?(.*?)(?:</result>|\Z)", re.DOTALL
)
_PLAN = Lazy(r"^</?proposed_plan>[ \t]*\n?", re.MULTILINE)
_DIRECTIVE = Lazy(r"^::[a-z][a-z-]*\{[^\n]*\}[ \t]*\n?", re.MULTILINE)
_SOURCE = Lazy(r"【[^【】\n]{1,300}†[^【】\n]{0,40}】")
_FOLDER = Lazy(r"<cwd>([^<\n]+)</cwd>|^\s*(?:- )?Current working directory: (.+)$", re.MULTILINE)
#: What the "implement this plan" choice sends in the user's name; the second is followed by the plan.
APPROVAL, APPROVAL_WITH_PLAN = "Implement the plan.", "PLEASE IMPLEMENT THIS PLAN:"


def plain(text: str) -> str:
    """`text` without NULs, terminal escapes and blanks at its ends."""
    if "\0" in text:
        text = text.replace("\0", "")
    if "\x1b" in text:
        text = ANSI.sub("", text)
    return text.strip()


def parts(content: object) -> list[str]:
    """The texts of a message: of a string, or of a list whose items are strings or hold `text`."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    found = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            found.append(text)
    return found


def injected(text: str) -> bool:
    """Whether a text under the role "user" was written by the program."""
    return text.lstrip().startswith(_INJECTED)


def typed(text: str) -> str:
    """What the user typed of a prompt: without the editor's context, skill links and image marks; "" if nothing."""
    text = plain(text)
    if injected(text):
        return ""
    if _REQUEST in text:
        at = f"\n{text}".rfind(f"\n{_REQUEST}")
        if at >= 0:
            text = text[at + len(_REQUEST) :].strip()
    elif text.startswith("# Context from my IDE setup:"):
        return ""
    if "<image" in text or "</image" in text:
        text = _IMAGE.sub("", text).strip()
    at = 0
    while link := _SKILL.match(text, at):
        at = link.end()
    return strip_wrappers(text[at:])


def prompt(content: object) -> str:
    """What the user typed of a message's content, its injected parts left out."""
    return "\n".join(text for part in parts(content) if (text := typed(part)))


def folder(text: str) -> str:
    """The working directory that an injected text about the environment names, or ""."""
    found = _FOLDER.search(text[:4096]) if text.lstrip().startswith("<environment_context") else None
    return (found[1] or found[2]).strip() if found else ""


def typed_command(text: str) -> tuple[str, str] | None:
    """The command and its result where a user text records a command the user ran, else None."""
    if "<user_shell_command>" not in text[:200]:
        return None
    found = _SHELL.search(text)
    return (found[1].strip(), found[2]) if found else None


def spoken(content: object) -> str:
    """The assistant's prose of a message's content: without citation marks, app directives and plan tags."""
    text = plain("\n".join(parts(content)))
    text = cut_between(text, "<oai-mem-citation>", "</oai-mem-citation>", open_end=True)
    if "proposed_plan>" in text:
        text = _PLAN.sub("", text)
    if "::" in text:
        text = _DIRECTIVE.sub("", text)
    if "†" in text:
        text = _SOURCE.sub("", text)
    return text.strip()


def approved(text: str) -> str | None:
    """The plan that a user text approves: "" where the plan stands elsewhere, None where it approves none."""
    if text == APPROVAL:
        return ""
    return text[len(APPROVAL_WITH_PLAN) :].strip() if text.startswith(APPROVAL_WITH_PLAN) else None
