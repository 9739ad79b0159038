# SPDX-License-Identifier: Apache-2.0
"""Test ``Shape``, a tuple that keeps its native form."""

from __future__ import annotations

import pickle
import types

import pytest

import tvm_ffi
from tvm_ffi import Array, Shape, core

np = pytest.importorskip("numpy")

echo = tvm_ffi.get_global_func("testing.echo")


@pytest.mark.spec("PY-I247", "PY-I248")
@pytest.mark.parametrize("source", [[1, 2], (1, 2), range(1, 3), (x for x in (1, 2))])
def test_made_from_any_iterable(source):
    shape = Shape(source)
    assert shape == (1, 2)
    assert hash(shape) == hash((1, 2))
    assert isinstance(shape, tuple)


def test_elements_are_kept_as_given():
    shape = Shape((np.int64(1), True, -3))
    assert type(shape[0]) is np.int64
    assert shape[1] is True
    assert tuple(echo(shape)) == (1, 1, -3)


@pytest.mark.spec("PY-I247")
@pytest.mark.parametrize("bad", [(1, "a"), (1.0,), (None,)])
def test_other_elements(bad):
    with pytest.raises(ValueError, match="Shape must be a tuple of integers"):
        Shape(bad)


def test_sizes_beyond_64_bits():
    with pytest.raises(ValueError, match="Expect shape to take list of int arguments"):
        Shape((2**63,))
    assert Shape((2**63 - 1, -(2**63))) == (2**63 - 1, -(2**63))


@pytest.mark.spec("PY-E126", "PY-I247")
def test_the_native_form_is_kept():
    shape = Shape((1, 2))
    back = echo(shape)
    assert type(back) is Shape
    assert back == shape
    assert back._tvm_ffi_cached_object.same_as(shape._tvm_ffi_cached_object)
    assert tvm_ffi.convert(shape) is shape


@pytest.mark.parametrize("size", [0, 1, 16, 17, 100])
def test_sizes(size):
    assert echo(Shape(range(size))) == tuple(range(size))


@pytest.mark.spec("PY-I247")
def test_slices_and_sums_are_tuples():
    shape = Shape((1, 2, 3))
    assert type(shape[1:]) is tuple
    assert type(shape + (4,)) is tuple  # noqa: RUF005
    assert isinstance(Shape[int], types.GenericAlias)


def test_inside_containers():
    assert repr(Array([Shape((1, 2))])) == "(Shape(1, 2),)"
    assert type(Array([Shape((1, 2))])[0]) is Shape


def test_pickle():
    back = pickle.loads(pickle.dumps(Shape((1, 2))))
    assert type(back) is Shape
    assert back == (1, 2)


def test_helpers_check_their_arguments():
    assert core._make_strides_from_shape((2, 3, 4)) == (12, 4, 1)
    assert core._make_strides_from_shape(()) == ()
    for bad in (1, [1], None):
        with pytest.raises(TypeError):
            core._make_strides_from_shape(bad)
        with pytest.raises(TypeError):
            core._shape_object(bad)
        with pytest.raises(TypeError):
            core._shape_obj_get_py_tuple(bad)
    with pytest.raises(TypeError, match="not a shape"):
        core._shape_obj_get_py_tuple(Array([1]))


def test_size_beyond_64_bits_is_named_by_its_index():
    """Before the fix, the message said that the list must have int arguments, which it had."""
    with pytest.raises(ValueError, match=r"the integer at index 1 is out of int64 range \[-922"):
        Shape((1, 2**63))
