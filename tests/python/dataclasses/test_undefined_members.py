# SPDX-License-Identifier: Apache-2.0
"""Test Python classes for types that a library declares without ``ObjectDef``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("ninja") is None, reason="builds libraries for Linux"
)

SOURCE = r"""
#include <tvm/ffi/tvm_ffi.h>
namespace ffi = tvm::ffi;

class PointObj : public ffi::Object {
 public:
  ffi::String hidden{"a text that is longer than sixteen bytes"};
  int64_t value = 42;
  TVM_FFI_DECLARE_OBJECT_INFO("undefined_members.Point", PointObj, ffi::Object);
};
class MirrorObj : public ffi::Object {
 public:
  int64_t value;
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("undefined_members.Mirror", 1);
};
int64_t read(ffi::ObjectRef point) { return point.as<PointObj>()->value; }
int64_t mirror(ffi::ObjectRef point) { return point.as<MirrorObj>()->value; }
ffi::ObjectRef make() { return ffi::ObjectRef(ffi::make_object<PointObj>()); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(read, read);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mirror, mirror);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make, make);
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> str:
    from tvm_ffi import cpp

    folder = tmp_path_factory.mktemp("undefined_members")
    source = Path(folder, "undefined_members.cc")
    source.write_text(SOURCE)
    return cpp.build(
        "undefined_members",
        cpp_files=[str(source)],
        build_directory=str(folder),
        extra_cflags=["-O0"],
    )


@pytest.fixture
def run(library, run_python):
    """Run a program in a new interpreter; ``load()`` loads the library."""
    prelude = f"""
import pytest, tvm_ffi
from tvm_ffi.dataclasses import auto_class, py_class
def load():
    return tvm_ffi.load_module({library!r})
KEY = "undefined_members.Point"
"""
    return lambda program: run_python(prelude + program)


@pytest.mark.parametrize("decorator", ["py_class", "auto_class"])
def test_class_after_a_library_without_object_def_is_refused(run, decorator):
    """Before the fix, the field of the class was at the offset of another C++ member."""
    out = run(f"""
load()
for _ in range(2):  # the refused definition leaves the key as it was
    with pytest.raises(ValueError, match="ObjectDef is missing") as raised:
        @{decorator}(KEY)
        class P(tvm_ffi.Object):
            value: int
print(str(raised.value).split(",")[0])

@tvm_ffi.register_object(KEY)
class P(tvm_ffi.Object):
    pass
print(type(load().make()) is P, load().read(load().make()))
""")
    assert out.splitlines() == [
        "Type key 'undefined_members.Point' is already registered: a library declares a class for "
        "it but did not register its fields (ObjectDef is missing)",
        "True 42",
    ]


@pytest.mark.parametrize("decorator", ["py_class", "auto_class"])
def test_library_without_object_def_after_a_class_is_refused(run, decorator):
    out = run(f"""
@{decorator}(KEY)
class P(tvm_ffi.Object):
    value: int
for _ in range(2):
    with pytest.raises(ValueError, match="ObjectDef is missing") as raised:
        load()
print("is defined by the Python class `__main__.P`; the library" in str(raised.value))

# The class still works, and can be defined again.
print(P(7).value)
@{decorator}(KEY)
class P(tvm_ffi.Object):
    value: int
    other: int = 1
print(P(8))
""")
    assert out.splitlines() == ["True", "7", "undefined_members.Point(value=8, other=1)"]


def test_deferred_class_is_refused_when_the_library_comes_before_its_completion(run):
    out = run("""
@py_class(KEY)
class P(tvm_ffi.Object):
    value: int
    next: "Later"
load()
class_of_later = type(tvm_ffi.Object)("Later", (tvm_ffi.Object,), {"__module__": __name__})
Later = py_class("undefined_members.Later")(class_of_later)
with pytest.raises(ValueError, match="ObjectDef is missing"):
    P(1, Later())
print("refused")
""")
    assert out.split() == ["refused"]


def test_subclass_of_a_class_without_object_def_is_refused(run):
    """Before the fix, the fields of the subclass overlapped the members of the C++ class."""
    out = run("""
load()
@tvm_ffi.register_object(KEY)
class P(tvm_ffi.Object):
    pass
with pytest.raises(TypeError, match="cannot derive from `undefined_members.Point`.*no ObjectDef"):
    @py_class("undefined_members.Child")
    class Child(P):
        x: int
print("refused")
""")
    assert out.split() == ["refused"]


def test_class_that_a_library_looks_up_works_in_both_orders(run):
    """Use a C++ class that only looks up its type by the key, as `gen_abi_cpp` writes classes."""
    out = run("""
lib = load()
@py_class("undefined_members.Mirror")
class Mirror(tvm_ffi.Object):
    value: int
print(lib.mirror(Mirror(7)), load().mirror(Mirror(8)))
""")
    assert out.split() == ["7", "8"]


def test_rejected_definition_leaves_the_key_free(run):
    """Define a class with a type key whose first definition, in Python, was rejected."""
    out = run("""
for annotation in (complex, int):
    try:
        @py_class(KEY)
        class P(tvm_ffi.Object):
            value: annotation
    except TypeError:
        print("rejected")
print(P(1))
""")
    assert out.splitlines() == ["rejected", "undefined_members.Point(value=1)"]
