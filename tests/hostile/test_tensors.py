# SPDX-License-Identifier: Apache-2.0
"""Test producers of invalid tensors: an error is raised, and the deleter runs exactly once."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child, note
from layouts import (
    DELETER,
    DLDataType,
    DLDevice,
    DLManagedTensor,
    DLManagedTensorVersioned,
    DLTensor,
    capsule,
)

VERSIONED = b"dltensor_versioned"


DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class Producer:
    """A producer of a tensor of two by three floats; a test makes one member invalid."""

    def __init__(self, versioned: bool) -> None:
        self.deleted = 0
        self.name = VERSIONED if versioned else b"dltensor"
        self.managed: Any = DLManagedTensorVersioned() if versioned else DLManagedTensor()
        self.memory = (ctypes.c_float * 64)()
        self.shape = (ctypes.c_int64 * 64)(2, 3)
        self.strides = (ctypes.c_int64 * 64)(3, 1)
        self.device: Any = (1, 0)
        self.deleter = DELETER(self._delete)
        self.managed.deleter = self.deleter
        if versioned:
            self.managed.major, self.managed.minor = 1, 0
        tensor = self.tensor
        tensor.data = ctypes.addressof(self.memory)
        tensor.device = DLDevice(1, 0)
        tensor.ndim = 2
        tensor.dtype = DLDataType(2, 32, 1)
        tensor.shape = self.shape
        tensor.strides = self.strides

    @property
    def tensor(self) -> DLTensor:
        tensor: DLTensor = self.managed.tensor
        return tensor

    def _delete(self, address: int | None) -> None:
        self.deleted += 1

    def _drop(self, capsule: int) -> None:
        """Destroy a capsule; if no consumer has taken its tensor, count a call of the deleter."""
        is_valid = ctypes.pythonapi.PyCapsule_IsValid
        is_valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        if is_valid(capsule, self.name) and self.managed.deleter:
            self.deleted += 1

    def capsule(self) -> Any:
        self.destructor = DESTRUCTOR(self._drop)
        return capsule(ctypes.addressof(self.managed), self.name, self.destructor)

    def __dlpack__(self, **_: object) -> Any:
        return self.capsule()

    def __dlpack_device__(self) -> Any:
        return self.device


def _shape(*extents: int) -> Callable[[Producer], None]:
    def change(p: Producer) -> None:
        p.tensor.ndim = len(extents)
        for i, extent in enumerate(extents):
            p.shape[i] = extent
        p.tensor.strides = None

    return change


def _strides(*steps: int) -> Callable[[Producer], None]:
    def change(p: Producer) -> None:
        for i, step in enumerate(steps):
            p.strides[i] = step

    return change


def _tensor(**fields: Any) -> Callable[[Producer], None]:
    def change(p: Producer) -> None:
        for name, value in fields.items():
            setattr(p.tensor, name, value)

    return change


def _backwards(p: Producer) -> None:
    """Make the data begin at the last element, with negative strides."""
    _strides(-3, -1)(p)
    p.tensor.data = ctypes.addressof(p.memory) + 5 * ctypes.sizeof(ctypes.c_float)


def _managed(**fields: Any) -> Callable[[Producer], None]:
    def change(p: Producer) -> None:
        for name, value in fields.items():
            setattr(p.managed, name, value)

    return change


# Invalid producers, each with a word that the error must contain.
LIES: dict[str, tuple[Callable[[Producer], None], str]] = {
    "ndim is negative": (_tensor(ndim=-1), "ndim"),
    "ndim is the lowest": (_tensor(ndim=-(2**31)), "ndim"),
    "ndim is huge": (_tensor(ndim=2**31 - 1), "ndim"),
    "shape is NULL": (_tensor(shape=None), "shape"),
    "an extent is negative": (_shape(2, -3), "shape"),
    "the product of extents wraps": (_shape(2**32, 2**32, 16), "shape"),
    "the product of extents passes 2**63": (_shape(2**62, 4), "shape"),
    "the bytes wrap": (_shape(2**61, 3), "shape"),
}

# Unusual but valid tensors.
ODDITIES: dict[str, Callable[[Producer], None]] = {
    "no dimension": _shape(),
    "an extent of zero": _shape(0, 5),
    "zero and a huge extent": _shape(0, 2**40),
    "no deleter": _managed(deleter=DELETER(0)),
    "no data and no elements": lambda p: (_shape(0)(p), _tensor(data=None)(p))[0],
    "strides of zero": _strides(0, 0),
    "strides that go back": _backwards,
    "strides that are huge": _strides(2**62, 2**62),
    "a huge byte offset": _tensor(byte_offset=2**63),
    "no strides": _tensor(strides=None),
    "a type code from the future": _tensor(dtype=DLDataType(200, 32, 1)),
    "no bits": _tensor(dtype=DLDataType(2, 0, 1)),
    "no lanes": _tensor(dtype=DLDataType(2, 32, 0)),
    "all lanes": _tensor(dtype=DLDataType(2, 255, 65535)),
    "a negative device": _tensor(device=DLDevice(-1, 0)),
    "a device from the future": _tensor(device=DLDevice(99, -5)),
}


def use(tensor: Any) -> None:
    """Read all properties of a tensor that do not need its data."""
    import tvm_ffi

    for name in ("shape", "strides", "dtype", "device", "ndim", "numel", "is_contiguous",
                 "__dlpack_device__", "_to_dlpack", "_to_dlpack_versioned", "__dlpack__",
                 "data_ptr"):  # fmt: skip
        try:
            member = getattr(tensor, name)
            str(member() if callable(member) else member)
        except (ValueError, TypeError, OverflowError, BufferError, RuntimeError):
            pass
    for name in ("ffi.ReprPrint", "testing.schema_id_tensor", "testing.make_array_with_tensor",
                 "ffi.DeepCopy", "testing.optional_tensor_view_has_value"):  # fmt: skip
        try:
            repr(tvm_ffi.get_global_func(name)(tensor))
        except (ValueError, TypeError, RuntimeError):
            pass


def takers() -> list[Callable[[Producer], Any]]:
    """Return the functions that accept a producer."""
    import tvm_ffi

    echo = tvm_ffi.get_global_func("testing.echo")
    nop = tvm_ffi.get_global_func("testing.nop")
    return [
        tvm_ffi.from_dlpack,
        echo,
        nop,
        tvm_ffi.convert,
        lambda p: tvm_ffi.Array([p]),
        lambda p: tvm_ffi.from_dlpack(p, require_alignment=64, require_contiguous=True),
        lambda p: tvm_ffi.get_global_func("testing.schema_tensor_view_input")(p),
    ]


@pytest.mark.parametrize("versioned", [False, True])
@in_child()
def test_lying_producers(versioned: bool) -> None:
    for name, (change, word) in LIES.items():
        for i, take in enumerate(takers()):
            note(name, i)
            producer = Producer(versioned)
            change(producer)
            with pytest.raises((ValueError, TypeError, BufferError, RuntimeError)) as caught:
                use(take(producer))
            assert word in str(caught.value), f"{name}: {caught.value!r}"
            del caught
            gc.collect()
            assert producer.deleted == 1, f"{name}, way {i}: deleted {producer.deleted} times"


@pytest.mark.parametrize("versioned", [False, True])
@in_child()
def test_unusual_producers(versioned: bool) -> None:
    for name, change in ODDITIES.items():
        for i, take in enumerate(takers()):
            note(name, i)
            producer = Producer(versioned)
            change(producer)
            try:
                tensor = take(producer)
            except (ValueError, TypeError, BufferError, RuntimeError) as error:
                assert str(error)
            else:
                if i < 2:
                    use(tensor)
                del tensor
            gc.collect()
            expected = 0 if name == "no deleter" else 1
            assert producer.deleted == expected, f"{name}, way {i}: deleted {producer.deleted}"


@in_child()
def test_a_version_from_the_future_is_refused_by_its_number() -> None:
    for i, take in enumerate(takers()):
        producer = Producer(True)
        producer.managed.major = 9
        # Make the tensor invalid: a later version may have another layout, so nothing may read it.
        ctypes.memset(ctypes.addressof(producer.tensor), 0xFF, ctypes.sizeof(DLTensor))
        with pytest.raises(Exception, match="version") as caught:
            take(producer)
        del caught
        gc.collect()
        assert producer.deleted == 1, f"way {i}: deleted {producer.deleted} times"


@in_child()
def test_capsules_that_are_not_tensors() -> None:
    import tvm_ffi

    class Gives:
        def __init__(self, capsule: Any) -> None:
            self.given = capsule

        def __dlpack__(self, **_: object) -> Any:
            if isinstance(self.given, BaseException):
                raise self.given
            return self.given

        def __dlpack_device__(self) -> Any:
            return (1, 0)

    wrong = Producer(True)
    wrong.name = b"another capsule"
    used = Producer(True)
    used_capsule = used.capsule()
    tvm_ffi.from_dlpack(Gives(used_capsule))
    assert used.deleted == 1
    for given in (None, 5, "x", object(), wrong.capsule(), used_capsule, MemoryError("none")):
        for take in takers():
            note(given)
            with pytest.raises(Exception) as caught:
                take(Gives(given))
            assert str(caught.value)
    assert used.deleted == 1


@in_child()
def test_devices_that_lie() -> None:
    for device in (
        None,
        5,
        (),
        (1,),
        ("cpu", 0),
        (2**40, 0),
        (1, 2**40),
        (-5, -5),
        (77, 0),
        [1, 0],
    ):
        for take in takers():
            note(device)
            producer = Producer(True)
            producer.device = device
            try:
                result = take(producer)
                del result
            except Exception as error:
                assert str(error)
            gc.collect()
            assert producer.deleted == 1


@in_child()
def test_an_unconsumed_capsule_of_ours_frees_its_tensor() -> None:
    import numpy

    import tvm_ffi

    count = tvm_ffi.get_global_func("testing.object_use_count")
    tensor = tvm_ffi.from_dlpack(numpy.zeros(3))
    for make in (tensor._to_dlpack, tensor._to_dlpack_versioned, tensor.__dlpack__):
        capsules = [make() for _ in range(5)]
        assert count(tensor) == 6
        del capsules
        assert count(tensor) == 1


@in_child()
def test_an_exchange_table_at_an_impossible_address_is_refused() -> None:
    import tvm_ffi
    from tvm_ffi import core

    echo = tvm_ffi.get_global_func("testing.echo")
    for address in (0, 1, 7, 4095, 4097, -1, 2**70, "x", None, 1.5):
        cls = type("T", (), {"__dlpack_c_exchange_api__": address})
        for use_it in (
            lambda c=cls: echo(c()),
            lambda c=cls: tvm_ffi.from_dlpack(c()),
            lambda c=cls: core._convert_to_ffi_func(len, c),
            lambda c=cls: core._convert_to_ffi_func(len, c()),
        ):
            note(address)
            with pytest.raises((ValueError, TypeError, OverflowError)):
                use_it()


@in_child()
def test_elements_without_memory_are_refused_by_what_reads_them() -> None:
    import pickle

    import tvm_ffi

    producer = Producer(True)
    producer.tensor.data = None
    nothing = tvm_ffi.from_dlpack(producer)
    full = Producer(True)
    other = tvm_ffi.from_dlpack(full)
    for read in (
        lambda: tvm_ffi.structural_hash([nothing]),
        lambda: tvm_ffi.structural_equal(nothing, other),
        lambda: tvm_ffi.structural_equal(other, nothing),
        lambda: tvm_ffi.get_first_structural_mismatch([nothing], [other]),
        lambda: tvm_ffi.StructuralKey(nothing),
        lambda: pickle.dumps(nothing),
        lambda: pickle.dumps(nothing, protocol=5),
    ):
        with pytest.raises(ValueError, match="memory"):
            read()
    assert tvm_ffi.structural_equal(nothing, other, skip_tensor_content=True)
    assert tvm_ffi.structural_equal(nothing, nothing)
    assert tvm_ffi.structural_hash(nothing, skip_tensor_content=True)
    nothing = other = None
    gc.collect()
    assert (producer.deleted, full.deleted) == (1, 1)
