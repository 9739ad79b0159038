# SPDX-License-Identifier: Apache-2.0
"""Read versions of a file from git: the sides of a merge, and committed versions."""

from __future__ import annotations

import os
import subprocess
import tempfile

from .merge import Sides, of_conflict

#: The largest number of commits of a file that are searched for lines that the tool has generated.
_COMMITS = 50


def git(folder: str, *arguments: str) -> bytes | None:
    """Return the output of a git command; None if it fails or git is not installed."""
    try:
        done = subprocess.run(
            ["git", "-C", folder or ".", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _text(folder: str, blob: str, name: str) -> str | None:
    """Return the content of a blob, with the line ends that git writes in a working directory."""
    data = git(folder, "cat-file", "--filters", f"--path={name}", blob)
    try:
        return None if data is None else data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        return None


def sides(path: str) -> Sides | None:
    """Return the sides of the merge in progress; None if the file has no conflict."""
    folder, name = os.path.split(os.path.realpath(path))
    listed = git(folder, "ls-files", "-u", "-z", "--full-name", "--", name)
    found: dict[str, str | None] = {}
    for entry in (listed or b"").decode("utf-8", "surrogateescape").split("\0"):
        words, _, full = entry.partition("\t")
        if words:
            _, blob, stage = words.split()
            found[stage] = _text(folder, blob, full)
    ours, theirs = found.get("2"), found.get("3")
    if ours is None or theirs is None:
        return None
    return Sides(ours, theirs, found.get("1"))


def is_untouched(stages: Sides, held: Sides) -> bool:
    """Return whether `held` has exactly the sides of the file that git writes for `stages`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("a", stages.ours), ("o", stages.base or ""), ("b", stages.theirs)):
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
        try:
            done = subprocess.run(
                ["git", "merge-file", "-p", "a", "o", "b"],
                cwd=folder,
                capture_output=True,
                check=False,
            )
        except OSError:
            return False
    made = of_conflict(done.stdout.decode("utf-8", "replace"))
    return (made.ours, made.theirs) == (held.ours, held.theirs)


def versions(path: str) -> list[str]:
    """Return older versions of a file: sides of a merge in progress, then committed versions."""
    folder, name = os.path.split(os.path.realpath(path))
    merging = sides(path)
    out = [merging.ours, merging.theirs] if merging is not None else []
    heads = [h for h in ("HEAD", "MERGE_HEAD") if git(folder, "rev-parse", "-q", "--verify", h)]
    listed = git(folder, "rev-list", f"-n{_COMMITS}", *heads, "--", name) if heads else None
    for commit in (listed or b"").decode().split():
        text = _text(folder, f"{commit}:./{name}", name)
        out += [text] if text is not None else []
    return out
