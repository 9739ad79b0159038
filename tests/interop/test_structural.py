# SPDX-License-Identifier: Apache-2.0
"""Test structural equality, visits and mutations by either side on objects of either side."""

from __future__ import annotations

import pytest

import tvm_ffi


def needs(name):
    """Skip the test if the runtime does not have this function."""
    if tvm_ffi.get_global_func(name, allow_missing=True) is None:
        pytest.skip(f"the runtime has no {name}")


@pytest.mark.spec("P01")
def test_objects_of_one_content_are_equal(load, maker, reader):
    needs("ffi.StructuralEqual")
    objects, structural = load("objects", maker), load("structural", reader)
    one, same, other = (objects["make_point"](x, "p") for x in (1.5, 1.5, 2.5))
    assert structural["same_structure"](one, same)
    assert structural["structure_hash"](one) == structural["structure_hash"](same)
    assert not structural["same_structure"](one, other)
    depths = structural["mismatch_depths"](one, other)
    assert [depths[0], depths[1]] == [1, 1]
    assert structural["key_is_found"](one, same)
    assert not structural["key_is_found"](one, other)


@pytest.mark.spec("P12")
def test_visits_and_mutations(load, maker, reader):
    needs("ffi.StructuralMap")
    objects, walks = load("objects", maker), load("walks", reader)
    point = objects["init"](f"interop.{maker}.Point", [1.5, 7])
    inner = objects["read_field"](point, "numbers")
    assert walks["count_ints"](inner) == 2
    negated = walks["negate_ints"](point)
    assert objects["read_field"](negated, "y") == -7
    assert objects["read_field"](point, "y") == 7
