# SPDX-License-Identifier: Apache-2.0
"""Test the odd values themselves: each can be made, dropped and described."""

from __future__ import annotations

import odd


def test_every_odd_value_can_be_made() -> None:
    for make in odd.ALL:
        assert odd.describe(make())
