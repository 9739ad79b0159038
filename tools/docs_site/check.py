# SPDX-License-Identifier: Apache-2.0
"""Check a built site: links and anchors, requests to other hosts, titles and descriptions."""

from __future__ import annotations

import os
import urllib.parse
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

#: Elements that a browser loads when it shows the page -> the attribute with the address.
_LOADED = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
_NOT_LOADED = frozenset(("canonical", "next", "prev", "index", "search", "author"))


class Link(NamedTuple):
    """A link of a page; ``loads`` is set if the browser follows it without a click."""

    target: str
    loads: bool


class Page(HTMLParser):
    """The ids, links and texts of one page, which the check needs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[Link] = []
        self.title = ""
        self.description = ""
        self._in_title = False
        self._in_svg = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the ids and the links of an element."""
        found = {name: value or "" for name, value in attrs}
        self.ids.update(value for name in ("id", "name") if (value := found.get(name)))
        self._in_svg += tag == "svg"
        self._in_title = tag == "title" and not self._in_svg
        if tag == "meta" and found.get("name") == "description":
            self.description = found.get("content", "")
        if tag == "a" and "href" in found:
            self.links.append(Link(found["href"], False))
        elif tag in _LOADED and _LOADED[tag] in found:
            loads = not (tag == "link" and set(found.get("rel", "").split()) <= _NOT_LOADED)
            self.links.append(Link(found[_LOADED[tag]], loads))

    def handle_endtag(self, tag: str) -> None:
        """Record the end of a title or a picture."""
        self._in_svg -= tag == "svg"
        self._in_title = False

    def handle_data(self, data: str) -> None:
        """Collect the title."""
        if self._in_title:
            self.title += data


def problems(site: Path) -> list[str]:
    """Return every fault of the pages below a folder."""
    pages = {
        path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.relative_to(site).parts
    }
    found = [f"{name}: {text}" for name, page in pages.items() for text in _of_page(page)]
    for name, page in pages.items():
        for link in page.links:
            if fault := _fault(site, pages, name, link):
                found.append(f"{name}: {fault}")
    titles = Counter(page.title for page in pages.values())
    found += [f"{n} pages have the title {title!r}" for title, n in titles.items() if n > 1]
    return found or ([] if pages else [f"{site}: no page"])


def _of_page(page: Page) -> list[str]:
    found = [] if page.title.strip() else ["no title"]
    return found if page.description.strip() else [*found, "no description"]


def _fault(site: Path, pages: dict[str, Page], name: str, link: Link) -> str | None:
    parts = urllib.parse.urlsplit(link.target)
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return f"loads {link.target} from another host" if link.loads else None
    path = urllib.parse.unquote(parts.path)
    target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
    if target not in pages:
        return None if (site / target).is_file() else f"the link {link.target} has no target"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and anchor not in pages[target].ids:
        return f"the link {link.target} has no anchor"
    return None


def size(site: Path) -> tuple[int, int]:
    """Return the number of pages and the number of bytes of all files."""
    files = [path for path in site.rglob("*") if path.is_file()]
    return sum(path.suffix == ".html" for path in files), sum(p.stat().st_size for p in files)
