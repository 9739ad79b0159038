# SPDX-License-Identifier: Apache-2.0
"""Test that integers of any size pass from one side to the other."""

from __future__ import annotations

import pytest

BIG = -((1 << 100) - 1)


@pytest.mark.parametrize("kind", ["big", "small"])
def test_an_integer_is_read_by_the_other_side(load, maker, reader, kind):
    make, check = load("integers", maker)[f"make_{kind}"], load("integers", reader)[f"check_{kind}"]
    assert load("values", reader)["relay"](make, check)


def test_products_and_texts(load, maker, reader):
    one, other = load("integers", maker), load("integers", reader)
    assert one["decimal"](other["make_big"]()) == str(BIG)
    assert other["decimal"](one["product"](other["make_big"](), one["make_big"]())) == str(BIG**2)


def test_keys_are_equal_by_content(load, maker, reader):
    one, other = load("integers", maker), load("integers", reader)
    assert one["found_as_key"](one["make_big"](), other["make_big"]())
    assert not other["found_as_key"](one["make_big"](), other["make_small"]())
