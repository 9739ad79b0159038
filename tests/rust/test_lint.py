# SPDX-License-Identifier: Apache-2.0
"""Test that Clippy does not warn, and that every public item is documented."""

from __future__ import annotations

import pytest


@pytest.mark.spec("RUST-R43")
@pytest.mark.parametrize("features", ["--all-features", "--no-default-features"])
def test_clippy_finds_nothing(cargo, features):
    result = cargo("clippy", "--workspace", "--all-targets", features, "--", "-D", "warnings")
    assert result.returncode == 0, result.stderr[-6000:]


@pytest.mark.spec("RUST-R43")
def test_every_public_item_is_documented_with_working_links(cargo):
    result = cargo("doc", "--workspace", "--no-deps", RUSTDOCFLAGS="-D warnings")
    assert result.returncode == 0, result.stderr[-6000:]
