# SPDX-License-Identifier: Apache-2.0
"""The Sphinx extension of the site: descriptions of pages, Python names, colours of listings."""

from __future__ import annotations

import builtins
import html
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from pygments.lexers import CppLexer, PythonLexer
from sphinx.domains.python import PythonDomain

_LONGEST = 200
_GENERATED = {
    "genindex": "Every name of the Python, C++ and C interfaces of tvm-ffi, in alphabetical order.",
    "search": "Search the documentation of tvm-ffi.",
    "py-modindex": "The public Python modules of tvm-ffi.",
    "cpp-modindex": "The public C++ modules of tvm-ffi.",
}


def description(doctree: nodes.document | None) -> str:
    """Return the first paragraph of a page as plain text, cut at a word."""
    if doctree is None:
        return ""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) > 20:
            return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return ""


def add_description(
    app: Any, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give every page a description, for search engines and previews."""
    text = _GENERATED.get(page) or description(doctree) or f"{context.get('title', page)}: tvm-ffi."
    content = html.escape(text, quote=True)
    context["metatags"] = context.get("metatags", "") + (
        f'<meta name="description" content="{content}" />\n'
    )


class Domain(PythonDomain):
    """The Python domain; a built-in name such as ``type`` does not refer to a member ``X.type``."""

    def find_obj(
        self,
        env: Any,
        modname: str | None,
        classname: str | None,
        name: str,
        type: str | None,
        searchmode: int = 0,
    ) -> Any:
        """Return the entries that a name refers to."""
        found = super().find_obj(env, modname, classname, name, type, searchmode)
        if hasattr(builtins, name) and searchmode:
            return []
        return found


class Lexer(PythonLexer):
    """Python, in which a string of C++ has the colours of C++."""

    def get_tokens_unprocessed(self, text: str, *args: Any) -> Iterator[tuple[int, Any, str]]:
        """Yield the place, the kind and the text of each token."""
        found = re.finditer(r'"""(.*?)"""', text, re.DOTALL)
        inside = {m.start(1): m for m in found if re.search(r"[;{}]\s*$", m[1], re.MULTILINE)}
        end = 0
        for place, kind, value in super().get_tokens_unprocessed(text, *args):
            if place in inside:
                end = inside[place].end(1)
                for inner, inner_kind, part in CppLexer().get_tokens_unprocessed(inside[place][1]):
                    yield place + inner, inner_kind, part
            if place >= end:
                yield place, kind, value


def setup(app: Any) -> dict[str, Any]:
    """Add the domain and the event handler; Sphinx calls this function."""
    app.add_domain(Domain, override=True)
    app.add_lexer("python", Lexer)
    app.connect("html-page-context", add_description)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
