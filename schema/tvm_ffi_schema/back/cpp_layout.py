# SPDX-License-Identifier: Apache-2.0
"""Lay out statements as clang-format does it in the style of Google with wider lines."""

from __future__ import annotations

import re

from ..cxx.pattern import Lambda
from .cpp_width import broken
from .writer import WIDTH

#: Matches a line that begins with the name of a parameter.
_NAME = re.compile(r" +\w+(?: =.*)?[,);]")
#: Matches a parameter: a type and a name, perhaps with a default.
_DECLARED = re.compile(r"[\w:]+(?:<.*>)?[*&]? \w+(?: = .*)?\Z")


def wrap_call(
    head: str, args: list[str], tail: str, is_call: bool = False, is_last: bool = False
) -> list[str]:
    """Return `head(args)tail` as lines that fit the width, aligned with the first argument.

    The arguments begin on the next line where this saves lines: one in a call, three in a
    declaration. `is_last` says that no other call follows in a chain.
    """
    whole = f"{head}({', '.join(args)}){tail}"
    has_lambda = Lambda in map(type, args)
    if len(whole) <= WIDTH and not (has_lambda and _is_apart(args, is_last)):
        return [whole]
    made = _with_lambda(head, args, tail, is_last) if has_lambda else []
    if made or not args:
        return made or [whole]
    aligned = filled(f"{head}(", args, ",", f"){tail}")
    least = 41 * ((len(whole) - len(head)) // (WIDTH + 1))  # the cost of the lines of `apart`
    if _fits(aligned) and (len(aligned) == 2 if is_call else _cost(aligned) <= least + 100):
        return aligned
    apart = [f"{head}(", *filled(" " * (_start(head) + 4), args, ",", f"){tail}")]
    if is_call:
        return aligned if _fits(aligned) and len(aligned) <= len(apart) else apart
    return aligned if _fits(aligned) and _cost(aligned) <= _cost(apart) + 100 else apart


def _start(head: str) -> int:
    """Return the column at which the expression at the end of a line begins."""
    found = re.match(r" *(: )?", head)
    return found.end() if found else 0


def _cost(lines: list[str]) -> int:
    """Return a number that is larger for worse line breaks in a declaration."""
    cost = 41 * (len(lines) - 1)
    for line in lines:
        cost += 109 * line.endswith(" =") + 200 * (_NAME.match(line) is not None)
    return cost


def _is_apart(args: list[str], is_last: bool) -> bool:
    """Return whether clang-format breaks before the arguments of a call even if they fit.

    It does so where a lambda is not the last argument, and another call follows in the chain.
    """
    return not is_last and any(isinstance(one, Lambda) and not one.around[0] for one in args[:-1])


def _with_lambda(head: str, args: list[str], tail: str, is_last: bool) -> list[str]:
    """Return a call with a lambda as `wrap_call` does; empty if no line breaks inside of it."""
    at, made = next((n, one) for n, one in enumerate(args) if isinstance(one, Lambda))
    before, after = args[:at], args[at + 1 :]
    start, ending = _start(head), f"){tail}"
    inner, pad = " " * (len(head) + 1), " " * (start + 4)
    if made.around[0]:
        if len(inner) + len(made) + (1 if after else len(ending)) <= WIDTH:
            return []
        is_apart = len(inner) > len(pad) and len(inner) + len(made.body) > WIDTH - 2
        lines = [f"{head}("] if is_apart and len(pad) + len(made.body) <= WIDTH - 2 else []
        inner = pad if lines else inner
        opening = [*before, f"{made.around[0]}[]() {{"]
        lines += filled(inner if lines else f"{head}(", opening, ",", "")
        lines += [*broken(f"{inner}  {made.body}"), f"{inner}}}{made.around[1]}"]
        lines[-1] += "," if after else ending
        return [*lines, *(filled(inner, after, ",", ending) if after else [])]
    if after:
        if len(pad) + len(made) + 1 <= WIDTH:
            return [f"{head}(", *filled(pad, args, ",", ending)]
        lines = [
            f"{head}(",
            *(f"{pad}{one}," for one in before),
            *_opened(f"{pad}[](", made, len(pad), ","),
        ]
        return [*lines, *filled(pad, after, ",", ending)]
    names = ", ".join(before)
    forms = [
        (41, [f"{head}({names},"], f"{inner}[](", len(inner)),
        (82, [f"{head}(", f"{pad}{names},"], f"{pad}[](", start + 4),
        (41, [f"{head}("], f"{pad}{names}, [](", start + 4),
    ]
    if is_last:
        forms.append((0, [], f"{head}({names}, [](", start))
    costs: list[tuple[int, list[str]]] = []
    for cost, first, opener, column in forms:
        found = _opened(opener, made, column, ending)
        cost += 61 * (len(found) - 1) if found[-1].strip() != f"}}{ending}" else 61 * len(found)
        costs.append((cost if _fits([*first, *found]) else 10**6, [*first, *found]))
    return min(costs, key=lambda pair: pair[0])[1]


def _fits(lines: list[str]) -> bool:
    return max(map(len, lines)) <= WIDTH


def _opened(start: str, made: Lambda, column: int, ending: str) -> list[str]:
    """Return a lambda whose parameters begin behind `start`, and whose body is below `column`."""
    lines = filled(start, made.params, ",", ") {") if made.params else [f"{start}) {{"]
    whole = f"{lines[-1]} {made.body} }}{ending}"
    if len(whole) <= WIDTH:
        return [*lines[:-1], whole]
    pad = " " * column
    return [*lines, *broken(f"{pad}  {made.body}"), f"{pad}}}{ending}"]


def filled(start: str, items: list[str], separator: str, tail: str) -> list[str]:
    """Return items in as few lines as possible, aligned with the first one behind `start`.

    A parameter that is too wide is broken behind "=", or before its name.
    """
    lines: list[str] = []
    line, pad = start, " " * len(start)
    used, last = len(start), len(items) - 1
    space = WIDTH - used
    is_full = False
    for number, item in enumerate(items):
        end = separator if number < last else tail
        text = item + end
        length = len(text)
        if is_full or (number and used + length >= WIDTH):
            lines.append(line)
            line, used = pad, len(pad)
        elif number:
            line += " "
            used += 1
        is_full = length > space and _DECLARED.match(item) is not None
        if is_full:
            first, rest = _halves(item, space)
            lines.append(line + first)
            line = f"{pad}    {rest}{end}"
        else:
            line += text
            used += length
    return [*lines, line]


def _halves(item: str, width: int) -> tuple[str, str]:
    """Break a parameter behind "=", or before its name if the text before "=" is too wide."""
    first, sign, value = item.partition(" = ")
    if sign and len(first) + 2 <= width:
        return f"{first} =", value
    type_, _, name = first.rpartition(" ")
    return type_, name + sign + value


#: The word of a call in a chain, with the point before it, and the arguments.
Call = tuple[str, list[str]]


def chain(first: str, calls: list[Call]) -> list[str]:
    """Return a chain of calls as one statement in a function."""
    texts = [f"{word}({', '.join(args)})" for word, args in calls]
    whole = f"  {first}{''.join(texts)};"
    if len(whole) <= WIDTH and not any(_is_apart(args, False) for _, args in calls[:-1]):
        return [whole]
    if len(calls) - texts.count(".as_enum()") == 1 and first.endswith("()"):
        head = f"  {first}{''.join(texts[:-1])}{calls[-1][0]}"
        return wrap_call(head, calls[-1][1], ";", is_call=True, is_last=True)
    lines = [f"  {first}", *(line for one in calls[:-1] for line in link(one))]
    word, args = calls[-1]
    return [*lines, *wrap_call(f"      {word}", args, ";", is_call=True, is_last=True)]


def link(call: Call) -> list[str]:
    """Return a call of a chain on lines of its own."""
    return wrap_call(f"      {call[0]}", call[1], "", is_call=True)


def with_inits(head: str, params: list[str], inits: list[str]) -> list[str]:
    """Return a constructor definition with an empty body."""
    start = wrap_call(head, params, "")
    tail = f" : {', '.join(inits)} {{}}" if inits else " {}"
    if len(start) == 1 and len(start[0] + tail) <= WIDTH:
        return [start[0] + tail]
    if not inits:
        return [*start[:-1], start[-1] + " {}"]
    lines = [*start]
    together = f"      : {', '.join(inits)} {{}}"
    if len(together) <= WIDTH:
        return [*lines, together]
    for number, init in enumerate(inits):
        opening = "      : " if number == 0 else "        "
        lines += _one_init(opening + init, "," if number < len(inits) - 1 else " {}")
    return lines


def _one_init(init: str, tail: str) -> list[str]:
    """Return `name(arguments)` and `tail` as lines; no argument may contain a comma."""
    name, _, given = init.removesuffix(")").partition("(")
    return wrap_call(name, given.split(", "), tail, is_call=True)


def function(head: str, body: list[str]) -> list[str]:
    """Return a function; a body of one statement is on the line of the head if it fits there."""
    indent = " " * (len(head) - len(head.lstrip()))
    short = f"{head} {{ {''.join(body)} }}" if body else f"{head} {{}}"
    if len(body) < 2 and len(short) <= WIDTH:
        return [short]
    return [f"{head} {{", *(f"{indent}  {line}" for line in body), indent + "}"]
