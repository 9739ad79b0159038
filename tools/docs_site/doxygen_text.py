# SPDX-License-Identifier: Apache-2.0
"""Convert the comments in the XML of Doxygen to reStructuredText."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

_END = "\0"
_BLOCKS = frozenset(
    ("itemizedlist", "orderedlist", "programlisting", "verbatim", "parameterlist", "simplesect")
)
_SECTIONS = {
    "return": "Returns",
    "note": "Note",
    "warning": "Warning",
    "see": "See",
    "remark": "Note",
    "pre": "Precondition",
    "post": "Postcondition",
    "par": "",
}
_FIELDS = {"param": "param", "templateparam": "tparam", "exception": "throws", "retval": "returns"}


def of(element: ET.Element) -> str:
    """Return the brief and the detailed description of a compound or a member."""
    parts = [
        _blocks(found)
        for name in ("briefdescription", "detaileddescription")
        if (found := element.find(name)) is not None
    ]
    return "\n\n".join(part for part in parts if part)


def _blocks(element: ET.Element) -> str:
    return "\n\n".join(block for block in _pieces(element) if block.strip())


def _pieces(element: ET.Element) -> Iterator[str]:
    """Yield the blocks of an element; adjacent text and inline elements become one block."""
    line = [_escaped(element.text or "")]
    for child in element:
        if child.tag in _BLOCKS or child.tag in ("para", "sect1", "sect2", "sect3"):
            yield _joined(line)
            line = []
            yield _block(child)
        else:
            line.append(_inline(child))
        line.append(_escaped(child.tail or ""))
    yield _joined(line)


def _joined(parts: list[str]) -> str:
    text = re.sub(r"\s+", " ", "".join(parts)).strip()
    # In reStructuredText, inline markup must end before a space or punctuation. The escape "\\ "
    # ends the markup before other characters, and is not shown.
    return re.sub(f"{_END}(?=\\w)", r"\\ ", text).replace(_END, "")


def _block(element: ET.Element) -> str:
    if element.tag in ("itemizedlist", "orderedlist"):
        mark = "-" if element.tag == "itemizedlist" else "#."
        items = [_indent(_blocks(item), len(mark) + 1) for item in element.findall("listitem")]
        return "\n".join(f"{mark} {item.strip()}" for item in items)
    if element.tag == "verbatim":
        return ".. code-block:: cpp\n\n" + _indent(element.text or "", 3)
    if element.tag == "programlisting":
        lines = [_code(line) for line in element.findall("codeline")]
        return ".. code-block:: cpp\n\n" + _indent("\n".join(lines), 3)
    if element.tag == "parameterlist":
        return _parameters(element)
    if element.tag == "simplesect":
        title = _SECTIONS.get(element.get("kind", ""), "")
        body = _blocks(element)
        if element.get("kind") == "return":
            return f":returns: {_indent(body, 3).strip()}"
        return f"**{title}:** {body}" if title else body
    return _blocks(element)


def _parameters(element: ET.Element) -> str:
    lines = []
    for item in element.findall("parameteritem"):
        name = ", ".join("".join(n.itertext()).strip(" .;,:") for n in item.iter("parametername"))
        found = item.find("parameterdescription")
        text = "" if found is None else _blocks(found)
        kind = _FIELDS.get(element.get("kind", ""), "param")
        lines.append(f":{kind} {name}: {_indent(text, 3).strip()}")
    return "\n".join(lines)


def _code(line: ET.Element) -> str:
    def text(element: ET.Element) -> str:
        inner = (element.text or "") + "".join(text(c) + (c.tail or "") for c in element)
        return " " if element.tag == "sp" else inner

    return text(line)


def _inline(element: ET.Element) -> str:
    text = "".join(element.itertext())
    if element.tag == "computeroutput":
        return _literal(text)
    if element.tag in ("bold", "emphasis"):
        mark = "**" if element.tag == "bold" else "*"
        return f"{mark}{_escaped(text)}{mark}{_END}"
    if element.tag == "linebreak":
        return " "
    named = {"ndash": "-", "mdash": "\u2014", "nonbreakablespace": "\u00a0"}
    return named.get(element.tag, _escaped(text))


def _literal(text: str) -> str:
    plain = re.sub(r"\s+", " ", text).strip()
    return f"``{plain}``{_END}" if plain else ""


def _escaped(text: str) -> str:
    return re.sub(r"([*`|\\]|_(?=\W|$))", r"\\\1", text)


def _indent(text: str, width: int) -> str:
    return "\n".join(" " * width + line if line.strip() else "" for line in text.split("\n"))
