# SPDX-License-Identifier: Apache-2.0
"""Test that the programs of docs/rust.md compile without warnings and print what the page says."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from page_steps import BLOCK, fits, perform
from running import execute

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rust.md"
EXPECTED = re.compile(r"println!\(.*\); // (.*)$", re.MULTILINE)
PROGRAM = re.compile(r"// src/bin/(\w+)\.rs\n")
PROGRAMS = {
    found[1]: body
    for kind, body in BLOCK.findall(PAGE.read_text())
    if kind == "rust" and (found := PROGRAM.match(body))
}


@pytest.fixture(scope="module")
def project():
    """Run the commands of docs/rust.md; return the directory of the project and the results."""
    target = Path(os.environ["CARGO_TARGET_DIR"])
    # Use the same directory each time, so that cargo replaces its earlier output.
    folder = target / "crates" / "guide"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "target").symlink_to(target)
    (folder / ".cargo").mkdir()
    shutil.copy(ROOT / "rust" / "offline.toml", folder / ".cargo" / "config.toml")
    text = PAGE.read_text().replace("../tvm-ffi/rust", str(ROOT / "rust"))
    text += "\n```console\n$ cargo build --quiet --bins\n```\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARGO_NET_OFFLINE", "true")
        # A reader of the page does not set this variable, since `tvm-ffi-config` finds the library.
        patch.delenv("TVM_FFI_LIBDIR")
        results = list(perform(text, folder))
    return folder, results


def test_commands_print_what_the_page_says(project):
    _, results = project
    assert len(results) > 5
    for command, expected, printed in results:
        assert fits(expected, printed), f"$ {command}\n{printed}\n--- the page has\n{expected}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_print_what_they_say(project, name):
    folder, _ = project
    done = execute(
        folder / "target" / "debug" / name,
        cwd=folder,
        env={**os.environ, "LD_LIBRARY_PATH": os.environ["TVM_FFI_LIBDIR"]},
    )
    expected = EXPECTED.findall(PROGRAMS[name])
    assert expected
    assert done.stdout.splitlines() == expected


def test_the_page_has_the_listings_of_its_sections():
    names = {"calls", "containers", "errors", "figures", "tensors", "threads", "values"}
    assert set(PROGRAMS) == names


def test_listings_have_the_form_of_rustfmt():
    listings = [body for kind, body in BLOCK.findall(PAGE.read_text()) if kind == "rust"]
    assert len(listings) == len(PROGRAMS) + 2
    for listing in listings:
        execute(
            "rustfmt", "--check", "--edition", "2021", "--config-path", ROOT / "rust", input=listing
        )
