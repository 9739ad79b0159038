# SPDX-License-Identifier: Apache-2.0
"""Run git: merge texts, and read the sides of a merge and the committed versions of a file."""

from __future__ import annotations

import os
import subprocess
import tempfile

#: The largest number of commits of a file that are searched for lines that the tool has generated.
_COMMITS = 50
_LABELS = ("-L", "ours", "-L", "base", "-L", "theirs")


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


def merge_file(ours: str, base: str, theirs: str) -> str:
    """Merge two versions of a text; lines that both changed become a conflict.

    Without git, or if git refuses the text, the whole text is one conflict.
    """
    if ours == theirs or base in (ours, theirs):
        return theirs if ours == base else ours
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("a", ours), ("o", base), ("b", theirs)):
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
        command = ["git", "-c", "merge.conflictStyle=merge", "merge-file", "-p", *_LABELS]
        try:
            done = subprocess.run(
                [*command, "a", "o", "b"], cwd=folder, capture_output=True, check=False
            )
        except OSError:
            return _conflict(ours, theirs)
    # The exit status is the number of conflicts, at most 127, or more than that after an error.
    return done.stdout.decode() if 0 <= done.returncode < 128 else _conflict(ours, theirs)


def _conflict(ours: str, theirs: str) -> str:
    return f"<<<<<<< ours\n{ours}=======\n{theirs}>>>>>>> theirs\n"


def _text(folder: str, blob: str, name: str) -> str | None:
    """Return the content of a blob, with the line ends that git writes in a working directory."""
    data = git(folder, "cat-file", "--filters", f"--path={name}", blob)
    try:
        return None if data is None else data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        return None


def stages(path: str) -> tuple[str, str, str | None] | None:
    """Return (ours, theirs, base) of the merge in progress; None if the file has no conflict."""
    folder, name = os.path.split(os.path.realpath(path))
    listed = git(folder, "ls-files", "-u", "-z", "--full-name", "--", name)
    found: dict[str, str | None] = {}
    for entry in (listed or b"").decode("utf-8", "surrogateescape").split("\0"):
        words, _, full = entry.partition("\t")
        if words:
            _, blob, stage = words.split()
            found[stage] = _text(folder, blob, full)
    ours, theirs = found.get("2"), found.get("3")
    return None if ours is None or theirs is None else (ours, theirs, found.get("1"))


def versions(path: str) -> list[str]:
    """Return older versions of a file: sides of a merge in progress, then committed versions."""
    folder, name = os.path.split(os.path.realpath(path))
    out = list((stages(path) or ())[:2])
    heads = [h for h in ("HEAD", "MERGE_HEAD") if git(folder, "rev-parse", "-q", "--verify", h)]
    listed = git(folder, "rev-list", f"-n{_COMMITS}", *heads, "--", name) if heads else None
    for commit in (listed or b"").decode().split():
        text = _text(folder, f"{commit}:./{name}", name)
        out += [text] if text is not None else []
    return out
