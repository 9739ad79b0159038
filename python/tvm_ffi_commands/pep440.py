# SPDX-License-Identifier: Apache-2.0
"""Versions as PEP 440 defines them: their normal form and their order."""

from __future__ import annotations

import re
from typing import NamedTuple

_PATTERN = re.compile(
    r"""\s*v?
    (?:(?P<epoch>[0-9]+)!)?
    (?P<release>[0-9]+(?:\.[0-9]+)*)
    (?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_number>[0-9]+)?)?
    (?P<post>-(?P<post_implied>[0-9]+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>[0-9]+)?)?
    (?P<dev>[-_.]?dev[-_.]?(?P<dev_number>[0-9]+)?)?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?
    \s*""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_PRE_RELEASES = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


class Version(NamedTuple):
    """The parts of a version; a missing part is None."""

    epoch: int
    release: tuple[int, ...]
    pre: tuple[str, int] | None
    post: int | None
    dev: int | None
    local: str | None

    def __str__(self) -> str:
        """Return the normal form."""
        parts = [f"{self.epoch}!" if self.epoch else "", ".".join(map(str, self.release))]
        if self.pre is not None:
            parts.append(f"{self.pre[0]}{self.pre[1]}")
        if self.post is not None:
            parts.append(f".post{self.post}")
        if self.dev is not None:
            parts.append(f".dev{self.dev}")
        if self.local is not None:
            parts.append(f"+{self.local}")
        return "".join(parts)

    def order(self) -> tuple[object, ...]:
        """Return a sort key for versions. The key ignores local parts."""
        release = list(self.release)
        while len(release) > 1 and release[-1] == 0:
            release.pop()
        pre: tuple[str, int] = self.pre or ("z", 0)
        if self.pre is None and self.post is None and self.dev is not None:
            pre = ("", 0)  # A development release comes before the pre-releases.
        post = -1 if self.post is None else self.post
        dev = float("inf") if self.dev is None else self.dev
        return self.epoch, tuple(release), pre, post, dev


def parse(text: str) -> Version | None:
    """Return the parts of a version, or None if the text is not a valid version."""
    found = _PATTERN.fullmatch(text)
    if found is None:
        return None
    pre = None
    if found["pre"]:
        kind = found["pre"].lower()
        pre = (_PRE_RELEASES.get(kind, kind), int(found["pre_number"] or 0))
    post = int(found["post_implied"] or found["post_number"] or 0) if found["post"] else None
    local = None
    if found["local"]:
        parts = re.split(r"[-_.]", found["local"].lower())
        local = ".".join(str(int(part)) if part.isdecimal() else part for part in parts)
    return Version(
        epoch=int(found["epoch"] or 0),
        release=tuple(map(int, found["release"].split("."))),
        pre=pre,
        post=post,
        dev=int(found["dev_number"] or 0) if found["dev"] else None,
        local=local,
    )
