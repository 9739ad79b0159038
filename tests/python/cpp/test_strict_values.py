# SPDX-License-Identifier: Apache-2.0
"""Test values that C++ code rejects (None, integers out of range), and C++ exceptions."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <stdexcept>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

struct Silent : std::exception {
  const char* what() const noexcept override { return nullptr; }
};
struct Unreadable {};
template <>
struct tvm::ffi::TypeTraits<Unreadable> : public ffi::TypeTraitsBase {
  static void CopyToAnyView(const Unreadable&, TVMFFIAny*) { throw Silent(); }
  static void MoveToAny(Unreadable, TVMFFIAny*) { throw Silent(); }
  static bool CheckAnyStrict(const TVMFFIAny*) { throw Silent(); }
  static Unreadable CopyFromAnyViewAfterCheck(const TVMFFIAny*) { throw Silent(); }
  static Unreadable MoveFromAnyAfterCheck(TVMFFIAny*) { throw Silent(); }
  static std::optional<Unreadable> TryCastFromAnyView(const TVMFFIAny*) { throw Silent(); }
  static std::string TypeStr() { return "Unreadable"; }
};
class SilentObj : public ffi::Object {
 public:
  Unreadable field;
  explicit SilentObj(ffi::UnsafeInit) {}
  explicit SilentObj(int64_t) { throw Silent(); }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("tests.strict_values.Silent", SilentObj, ffi::Object);
};

class StrictObj : public ffi::Object {
 public:
  uint8_t small = 7;
  ffi::Optional<ffi::Array<int32_t>> many;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("tests.strict_values.Strict", StrictObj, ffi::Object);
};
class Strict : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Strict, ffi::ObjectRef, StrictObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<StrictObj>()
      .def_rw("small", &StrictObj::small)
      .def_rw("many", &StrictObj::many)
      .def("with_small", [](StrictObj* self, uint8_t small) { self->small = small; });
  refl::ObjectDef<SilentObj>()
      .def(refl::init<int64_t>())
      .def_rw("field", &SilentObj::field)
      .def("method", [](SilentObj*) { throw Silent(); })
      .def_static("static_method", []() { throw Silent(); });
}

int64_t ndim(ffi::Tensor t) { return t.ndim(); }
bool has_tensor(ffi::Optional<ffi::Tensor> t) { return t.has_value(); }
int64_t count(ffi::Array<ffi::Tensor> all) { return static_cast<int64_t>(all.size()); }
int64_t small_of(Strict object) { return object->small; }
ffi::ObjectRef make_silent() {
  return ffi::ObjectRef(ffi::make_object<SilentObj>(ffi::UnsafeInit()));
}
Strict make() { return Strict(ffi::make_object<StrictObj>()); }
int64_t call(ffi::Function f) { return f().cast<int64_t>(); }
int32_t same(int32_t x) { return x; }
uint8_t byte(uint8_t x) { return x; }
int64_t wide(int64_t x) { return x; }
uint64_t unsigned_wide(uint64_t x) { return x; }
int64_t kind(DLDevice device) { return device.device_type; }
int64_t kind_or(ffi::Optional<DLDevice> x) { return x.has_value() ? x.value().device_type : 0; }
int32_t result_of(ffi::TypedFunction<int32_t()> f) { return f(); }
int64_t sum(ffi::Array<int8_t> all) {
  int64_t result = 0;
  for (int8_t one : all) result += one;
  return result;
}
int64_t of_tuple(std::optional<std::tuple<int64_t, int64_t>> x) { return x ? std::get<0>(*x) : 0; }
int64_t of_pair(std::pair<int64_t, std::vector<int64_t>> x) { return x.first; }
int64_t of_map(std::map<std::string, int64_t> x) { return static_cast<int64_t>(x.size()); }
std::pair<ffi::String, int64_t> swapped(std::pair<int64_t, ffi::String> x) {
  return {x.second, x.first};
}
int64_t tuple_of_call(ffi::Function f) {
  return std::get<0>(f().cast<std::tuple<int64_t, int64_t>>());
}
double narrowed(float x) { return x; }
void fails() { throw std::runtime_error("too far"); }
struct SilentRange : std::out_of_range {
  SilentRange() : std::out_of_range("") {}
  const char* what() const noexcept override { return nullptr; }
};
void throws(int64_t n) {
  switch (n) {
    case 0: throw std::invalid_argument("text");
    case 1: throw std::domain_error("text");
    case 2: throw std::length_error("text");
    case 3: throw std::range_error("text");
    case 4: throw std::out_of_range("text");
    case 5: throw std::overflow_error("text");
    case 6: throw std::bad_alloc();
    case 7: throw std::underflow_error("text");
    case 8: throw Silent();
    case 9: throw SilentRange();
    case 10: throw 3;
    default: throw "text";
  }
}
"""

FUNCTIONS = (
    "ndim has_tensor count small_of make make_silent call same byte wide unsigned_wide kind "
    "kind_or result_of sum narrowed fails throws of_tuple of_pair of_map swapped tuple_of_call"
)


@pytest.fixture(scope="module")
def lib(shared_cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TVM_FFI_CACHE_DIR", str(shared_cache))
        return load_inline("strict_values", cpp_sources=SOURCE, functions=FUNCTIONS.split())


def test_none_for_a_tensor_is_a_type_error(lib):
    with pytest.raises(TypeError, match=r"argument #0 when calling: `ndim.* but got `None`"):
        lib.ndim(None)
    assert lib.has_tensor(None) is False


def test_none_for_a_class_that_is_not_nullable_is_a_type_error(lib):
    with pytest.raises(TypeError, match=r"argument #0 when calling: `small_of.* but got `None`"):
        lib.small_of(None)
    assert lib.small_of(lib.make()) == 7


def test_none_among_the_elements_is_a_type_error_that_names_the_index(lib):
    numpy = pytest.importorskip("numpy")
    tensor = tvm_ffi.from_dlpack(numpy.zeros(2))
    assert lib.count([tensor]) == 1
    with pytest.raises(TypeError, match=r"list\[index 1: None\]"):
        lib.count([tensor, None])


def test_calling_a_null_function_is_an_error(lib):
    with pytest.raises(ValueError, match="null Function"):
        lib.call(None)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("same", 1 << 40, r"integer 1099511627776 out of int32 range \[-2147483648, 2147483647\]"),
        ("same", -(1 << 31) - 1, "integer -2147483649 out of int32 range"),
        ("byte", -1, r"integer -1 out of uint8 range \[0, 255\]"),
        ("byte", 256, "integer 256 out of uint8 range"),
        ("byte", 1 << 70, "integer of more than 64 bits out of uint8 range"),
        ("wide", 1 << 63, "integer of more than 64 bits out of int64 range"),
    ],
)
def test_an_argument_out_of_range_is_an_overflow_error(lib, name, value, text):
    with pytest.raises(OverflowError, match=f"argument #0 when calling: `{name}.*{text}"):
        lib[name](value)


def test_the_range_of_a_uint64_is_that_of_int64(lib):
    """Before the fix, the message had the range of int64 as that of uint64."""
    text = r"out of int64 range \[-9223372036854775808, 9223372036854775807\], in which a uint64 is"
    with pytest.raises(OverflowError, match=text):
        lib.unsigned_wide(2**63)


def test_a_result_beyond_int64_is_named_with_its_function(lib):
    with pytest.raises(OverflowError) as caught:
        lib.unsigned_wide(-1)
    assert str(caught.value) == (
        "Integer value 18446744073709551615 is too large to fit in int64_t. Consider explicitly "
        "casting to int64_t first if this is intentional. Raised in a call of `unsigned_wide`."
    )


@pytest.mark.parametrize("name", ["kind", "kind_or"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("gpu", "Unknown device: gpu; the names are cpu, cuda, "),
        ("cuda:x", "Invalid device index: x; a device is written as a name, "),
        ("cuda:-1", "a str for a device is a name, or a name and a number such as `cuda:1`"),
    ],
)
def test_a_text_that_is_not_a_device_is_explained(lib, name, text, reason):
    """Before the fix, the message was that a Device is expected, and a str given."""
    assert lib[name]("cuda:1") == 2
    with pytest.raises(TypeError, match=r"`Device.*` but got `str`") as caught:
        lib[name](text)
    assert f"; {reason}" in str(caught.value)


def test_the_ends_of_the_range_are_taken(lib):
    assert [lib.same(x) for x in (2**31 - 1, -(2**31))] == [2**31 - 1, -(2**31)]
    assert [lib.byte(x) for x in (0, 255, True)] == [0, 255, 1]


def test_elements_out_of_range_are_named_by_index(lib):
    assert lib.sum([1, -128, 127]) == 0
    with pytest.raises(OverflowError, match=r"index 1: integer 128 out of int8 range"):
        lib.sum([1, 128])


def test_results_of_callbacks_out_of_range_are_refused(lib):
    assert lib.result_of(lambda: 5) == 5
    with pytest.raises(OverflowError, match=r"result of a call .*4294967296 out of int32 range"):
        lib.result_of(lambda: 1 << 32)


def test_fields_out_of_range_are_named(lib):
    strict = lib.make()
    strict.small = 255
    with pytest.raises(OverflowError, match=r"field `small`: .*integer -1 out of uint8 range"):
        strict.small = -1
    with pytest.raises(OverflowError, match=r"field `many`: .*index 0: integer 4294967296 out of"):
        strict.many = [1 << 32]
    assert (strict.small, strict.many) == (255, None)
    with pytest.raises(OverflowError, match=r"argument #1 .*integer 256 out of uint8 range"):
        strict.with_small(256)


def test_floats_beyond_the_range_of_a_float_are_refused(lib):
    assert lib.narrowed(float("inf")) == float("inf")
    with pytest.raises(OverflowError, match="float 1e\\+300 out of float32 range"):
        lib.narrowed(1e300)


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        *((n, ValueError, "text") for n in range(4)),
        (4, IndexError, "text"),
        (5, OverflowError, "text"),
        (6, MemoryError, "std::bad_alloc"),
        (7, RuntimeError, "text"),
        (8, RuntimeError, "Silent"),
        (9, IndexError, "SilentRange"),
        (10, RuntimeError, "An exception that is not a std::exception"),
        (11, RuntimeError, "An exception that is not a std::exception"),
    ],
)
def test_an_exception_without_text_or_kind_ends_the_process(lib, number, kind, text):
    with pytest.raises(kind) as caught:
        lib.throws(number)
    assert type(caught.value) is kind
    assert str(caught.value).endswith(text)


def test_an_exception_of_the_standard_library_is_a_runtime_error(lib):
    with pytest.raises(RuntimeError, match=r"^too far$") as caught:
        lib.fails()
    assert type(caught.value) is RuntimeError


@pytest.mark.parametrize("text", [" \n\t spaces \r\n", "nul\0 in it\0", 'quotes " \\ ?? é \x7f1'])
def test_documentation_arrives_byte_for_byte(shared_cache, monkeypatch, text):
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(shared_cache))
    define = ["-DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1"]
    module = load_inline(
        "doc", cpp_sources="void f() {}", functions={"f": text}, extra_cflags=define
    )
    assert module.get_function_doc("f") == text


class Silent(tvm_ffi.Object):
    def __init__(self, number):
        self.__ffi_init__(number)


@pytest.mark.parametrize(
    "use",
    [
        lambda silent: silent.method(),
        lambda silent: type(silent).static_method(),
        lambda _: tvm_ffi.register_object("tests.strict_values.Silent")(Silent)(1),
        lambda silent: silent.field,
        lambda silent: setattr(silent, "field", 1),
    ],
    ids=["method", "static_method", "constructor", "getter", "setter"],
)
def test_an_exception_without_text_from_a_member_ends_the_process(lib, use):
    silent = lib.make_silent()
    with pytest.raises(RuntimeError, match=r"^Silent") as caught:
        use(silent)
    assert type(caught.value) is RuntimeError


def test_an_exception_without_text_from_a_static_block_ends_the_process(monkeypatch, shared_cache):
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(shared_cache))
    source = """
    #include <tvm/ffi/tvm_ffi.h>
    struct Silent : std::exception {
      const char* what() const noexcept override { return nullptr; }
    };
    TVM_FFI_STATIC_INIT_BLOCK() { throw Silent(); }
    """
    with pytest.raises(RuntimeError, match=r"^Silent\n  raised while the static-init block"):
        load_inline("silent_block", cpp_sources=source)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("of_tuple", (1, "x"), r"`tuple\[int, int\] \| None` but got `tuple\[index 1: str\]`"),
        ("of_tuple", (1, 2, 3), "but got `tuple of length 3`"),
        ("of_tuple", [b"x", 2], r"but got `list\[index 0: bytes\]`"),
        ("of_tuple", 1, "but got `int`"),
        ("of_pair", (1,), r"`tuple\[int, list\[int\]\]` but got `tuple of length 1`"),
        ("of_pair", (1, [2, "x"]), r"but got `tuple\[index 1: list\[index 1: str\]\]`"),
        ("of_map", {"a": "x"}, r"but got `dict\[K, some value is str at key \"a\"\]`"),
        ("of_map", {1: 2}, r"but got `dict\[some key is int, V\]`"),
        ("tuple_of_call", lambda: (1, "x"), r"convert from type `Array\[index 1: str\]` to `tuple"),
        ("tuple_of_call", lambda: (1,), "convert from type `Array of length 1` to `tuple"),
    ],
)
def test_a_refused_tuple_names_neither_element_nor_length(lib, name, value, text):
    with pytest.raises(TypeError, match=text):
        lib[name](value)


def test_a_pair_converts(lib):
    assert list(lib.swapped((1, "a"))) == ["a", 1]
    assert lib.of_pair([3, [4]]) == 3
    assert (lib.of_tuple((5, 6)), lib.of_tuple(None)) == (5, 0)
    assert "swapped(arg0: tuple[int, str], /) -> tuple[str, int]" in repr(lib.swapped)
