# SPDX-License-Identifier: Apache-2.0
"""Parse the words in a marker: targets, parts, groups, anchors and options."""

from __future__ import annotations

import re

from ..diag import Bag, near
from ..ir import Span

PARTS = (
    *("obj", "ref", "all", "forward", "ctor", "methods", "source"),
    *("reflection", "statements"),
)
GROUPS = ("includes", "forward", "registration", "enum-entries")
ANCHORS = (
    *("tail", "head", "before", "after", "fields", "methods", "private", "ctor-body"),
    "registration",
)
OPTIONS = {"dialect": ("modern", "classic")}
#: The words of markers that are not targets.
_WORDS = ("custom-begin", "custom-end", "end", "off", "on")
_TARGET = re.compile(r"^(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*(?:\.[a-z]+)?$")


def read_target(word: str, span: Span, bag: Bag) -> tuple[str, str, dict[str, str]]:
    """Return (target, part or selector, options) of a marker; report unknown words."""
    words = word.split()
    options: dict[str, str] = {}
    while words and "=" in words[-1]:
        name, _, value = words.pop().partition("=")
        if name not in OPTIONS:
            text = f"unknown option {name!r}"
            bag.add("TS107", text, span, help="known are " + ", ".join(OPTIONS))
        elif value not in OPTIONS[name]:
            text = f"{name} is one of {', '.join(OPTIONS[name])}, not {value!r}"
            bag.add("TS107", text, span)
        options[name] = value
    target = words[0] if words else ""
    if target.startswith("@"):
        if target[1:] not in GROUPS:
            bag.add(
                "TS107",
                f"unknown group {target!r}",
                span,
                help=near(target[1:], GROUPS) or "known are " + ", ".join(GROUPS),
            )
        return target, " ".join(words[1:]), options
    if len(words) != 1 or not _TARGET.match(target):
        bag.add("TS107", f"{word!r} is not a target of a block", span)
        return target, "", options
    name, _, part = target.partition(".")
    if part and part not in PARTS:
        bag.add(
            "TS107",
            f"unknown part {part!r}",
            span,
            help=near(part, PARTS) or "known are " + ", ".join(PARTS),
        )
    return name, part, options


def corrected(word: str, span: Span, bag: Bag) -> str:
    """Return the words of a marker; report and correct `custom_begin` and the like."""
    first, space, rest = word.partition(" ")
    meant = first.lower().replace("_", "-")
    if first not in _WORDS and meant in _WORDS:
        bag.add("TS107", f"unknown marker {first!r}", span, help=f"write  {meant}")
        first = meant
    return first + space + rest


def with_anchor(begin: str, anchor: str) -> str:
    """Return the first line of a custom section with another anchor."""
    head, word, rest = begin.partition("custom-begin")
    bare = rest.rstrip("\r\n")
    closing = " -->" if bare.rstrip().endswith("-->") else ""
    return f"{head}{word} {anchor}{closing}{rest[len(bare) :]}"


def check_anchor(anchor: str, span: Span, bag: Bag) -> None:
    """Report an unknown anchor."""
    name = anchor.rpartition(".")[2]
    if anchor and name not in ANCHORS and not name.startswith("method:"):
        known = "known are " + ", ".join(ANCHORS) + ", method:NAME"
        text = f"unknown anchor {anchor!r}"
        bag.add("TS107", text, span, help=near(anchor, ANCHORS) or known)
