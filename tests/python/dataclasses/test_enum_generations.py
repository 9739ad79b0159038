# SPDX-License-Identifier: Apache-2.0
"""Test enums of libraries compiled for 0.1.11 and 0.1.12, which fill two Dicts in place."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from running import execute

SOURCE = Path(__file__).parent / "native" / "enum_0_1_12.c"

# The name of each library, and its compiler options.
LIBRARIES = {
    "mode": ['-DPROBE_VARIANTS="NONE","HALF","LARGEST_OF_ALL",'],
    # another version of `mode`
    "mode2": ['-DPROBE_VARIANTS="FIRST","NONE",'],
    "more": ['-DPROBE_VARIANTS="MORE",', "-DPROBE_ONLY_ADDS"],
    "again": ['-DPROBE_VARIANTS="NONE",', "-DPROBE_ONLY_ADDS"],
    "state": ['-DPROBE_VARIANTS="A","B",', "-DPROBE_STATE"],
    "state_more": ['-DPROBE_VARIANTS="A","B",', "-DPROBE_STATE", "-DPROBE_ONLY_ADDS"],
    "empty": ["-DPROBE_VARIANTS="],
    "text": ['-DPROBE_VARIANTS="add","sub",', '-DPROBE_PARENT="ffi.StrEnum"'],
    "number": ['-DPROBE_VARIANTS="low","high",', '-DPROBE_PARENT="ffi.IntEnum"'],
}

PRELUDE = """
from __future__ import annotations
import ctypes, gc, json, pickle, sys, threading
from pathlib import Path
from typing import ClassVar
import tvm_ffi
from tvm_ffi import core, serialization
from tvm_ffi.dataclasses import Enum, EnumObject, IntEnum, StrEnum, auto, c_enum, entry
FOLDER = {folder!r}
KEY = "probe.Mode"
def load(name):
    return tvm_ffi.load_module(f"{{FOLDER}}/{{name}}.so")
def attr(name, key=KEY):
    return core._type_get_attr(core._object_type_key_to_index(key), name)
def columns(cls):
    return {{name: dict(values) for name, values in cls.attr_dict.items()}}
def define():
    class Mode(Enum, type_key=KEY):
        NONE: ClassVar[Mode]
        HALF: ClassVar[Mode]
        LARGEST_OF_ALL: ClassVar[Mode]
    return Mode
NAMES = ["NONE", "HALF", "LARGEST_OF_ALL"]
def check(cls, lib, names):
    assert [v._str_index for v in cls] == names, list(cls)
    assert [v._int_index for v in cls] == list(range(len(names)))
    assert len(cls) == len(names) and list(cls.all_entries()) == list(cls)
    assert list(cls.entries()) == names
    for ordinal, (name, v) in enumerate(cls.entries()):
        assert v.__entry_name__ == name
        assert cls.get(name) is v and cls.get(ordinal) is v and cls[name] is v and v in cls
        assert lib["get"](name) is v and lib["ordinal_of"](v) == ordinal
        assert lib["name_of"](v) == name
    assert dict(lib["entries"]()) == dict(cls.entries())
    assert list(lib["entries"]()) == names
"""


@pytest.fixture(scope="session")
def probes(tmp_path_factory) -> Path:
    """Compile the libraries, which only use the C ABI."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("needs a C compiler")
    from tvm_ffi import libinfo

    folder = tmp_path_factory.mktemp("enum_probes")
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-pthread"]
    includes = [f"-I{path}" for path in libinfo.include_paths()]
    runtime = Path(libinfo.find_libtvm_ffi())
    link = [str(runtime), f"-Wl,-rpath,{runtime.parent}"]
    for name, options in LIBRARIES.items():
        output = str(folder / f"{name}.so")
        key = "probe.Mode" if name not in ("text", "number") else f"probe.{name}"
        command = [compiler, *flags, *includes, f'-DPROBE_KEY="{key}"', *options, str(SOURCE)]
        execute(*command, "-o", output, *link)
    return folder


@pytest.fixture
def run_probe(probes, run_python) -> Callable[..., str]:
    """Return a function that runs a program with the libraries in a new interpreter."""
    prelude = PRELUDE.format(folder=str(probes))
    return lambda program, **environment: run_python(prelude + program, **environment)


@pytest.mark.spec("GEN-G02", "GEN-G20")
@pytest.mark.parametrize("how", ["load_module", "ctypes"])
def test_every_reading_of_a_library_of_0_1_12(run_probe, how):
    load = "load('mode')" if how == "load_module" else "ctypes.CDLL(f'{FOLDER}/mode.so')"
    run_probe(
        f"""
{load}
lib = load("mode")
Mode = define()
check(Mode, lib, NAMES)
for name in NAMES:
    v = getattr(Mode, name)
    assert v is Mode.get(name) and v.same_as(lib["get"](name))
    assert type(v) is Mode and repr(v) == f"probe.Mode.{{name}}"
    assert v._value == v._int_index and v._name == v._str_index == name
    for field in ("_value", "_name", "_int_index"):
        try:
            setattr(v, field, 1)
        except AttributeError:
            continue
        raise AssertionError(field)
assert Mode(1) is Mode.HALF and Mode("HALF") is Mode.HALF
assert lib["num_variants"]() == 3
hex = Mode.def_attr("hex")
lib["set_attr"]("hex", Mode.NONE, 0xFF0000)
lib["set_attr"]("hex", Mode.LARGEST_OF_ALL, 255)
assert hex[Mode.NONE] == 0xFF0000 and hex[Mode.LARGEST_OF_ALL] == 255
assert Mode.HALF not in hex and hex.get(Mode.HALF, 7) == 7
assert list(hex) == [Mode.NONE, Mode.LARGEST_OF_ALL]
assert columns(Mode) == {{"hex": {{Mode.NONE: 0xFF0000, Mode.LARGEST_OF_ALL: 255}}}}
assert dict(attr("__enum_attr_hex__")) == {{"NONE": 0xFF0000, "LARGEST_OF_ALL": 255}}
assert dict(attr("__enum_entries__")) == dict(Mode.entries())
assert list(attr("__ffi_enum__").entries) == list(Mode)
"""
    )


@pytest.mark.spec("GEN-G02")
def test_c_enum_shows_a_library_of_0_1_12(run_probe):
    run_probe(
        """
lib = load("mode")
@c_enum(KEY)
class Mode(EnumObject):
    pass
assert list(Mode.entries()) == NAMES and Mode.HALF is Mode.get(1)
late = lib["add"]("LATE")
assert len(Mode) == 4 and Mode.get("LATE") is late and not hasattr(Mode, "LATE")
Mode._refresh_entries()
assert Mode.LATE is late and type(late) is Mode
"""
    )


@pytest.mark.spec("GEN-G02", "GEN-G03")
@pytest.mark.parametrize("how", ["add", "add_on_thread"])
def test_entries_of_cpp_appear_later(run_probe, how):
    run_probe(
        f"""
lib = load("mode")
Mode = define()
check(Mode, lib, NAMES)
late = lib["{how}"]("LATE")
assert Mode.get("LATE") is late
lib["{how}"]("LATER")
assert len(Mode) == 5
lib["{how}"]("AN_ENTRY_WITH_A_LONG_NAME")
assert [v._str_index for v in Mode][3:] == ["LATE", "LATER", "AN_ENTRY_WITH_A_LONG_NAME"]
for i in range(40):
    lib["{how}"](f"N{{i}}")
check(Mode, lib, NAMES + ["LATE", "LATER", "AN_ENTRY_WITH_A_LONG_NAME"]
      + [f"N{{i}}" for i in range(40)])
more = load("more")
assert Mode.get("MORE")._int_index == 46 and len(Mode) == 47
assert more["get"]("NONE") is Mode.NONE and lib["get"]("MORE") is Mode.get("MORE")
try:
    lib["add"]("MORE")
except RuntimeError as error:
    assert "the probe has an entry of that name" in str(error)
else:
    raise AssertionError
assert len(Mode) == 47
"""
    )


@pytest.mark.spec("GEN-G03")
def test_cpp_finds_entries_of_python(run_probe):
    run_probe(
        """
lib = load("mode")
entries = lib["entries"]()
class Mode(Enum, type_key=KEY):
    EXTRA = auto()
    NONE: ClassVar[Mode]
    SPECIAL: ClassVar[Mode] = entry()
assert lib["entries"]().same_as(entries) and attr("__ffi_enum_entries__").same_as(entries)
check(Mode, lib, NAMES + ["EXTRA", "SPECIAL"])
assert lib["get"]("EXTRA") is Mode.EXTRA and Mode.EXTRA._int_index == 3
assert lib["add"]("LATE")._int_index == 5
check(Mode, lib, NAMES + ["EXTRA", "SPECIAL", "LATE"])
"""
    )


@pytest.mark.spec("GEN-G03")
def test_attributes_cross_both_ways(run_probe):
    run_probe(
        """
lib = load("mode")
Mode = define()
a, b, c = Mode
cost = Mode.def_attr("cost")
cost[b] = 5
assert lib["get_attr"]("cost", b) == 5 and lib["get_attr"]("cost", a) is None
assert list(lib["attrs"]()["cost"]) == [None, 5]
lib["set_attr"]("cost", b, 6)
assert cost[b] == 6
cost[b] = 7
assert lib["get_attr"]("cost", b) == 7 and cost[b] == 7
lib["set_attr"]("cost", c, "a text that is long")
assert columns(Mode) == {"cost": {b: 7, c: "a text that is long"}}
assert list(lib["attrs"]()["cost"]) == [None, 7, "a text that is long"]
# None is unset, on both sides.
lib["set_attr"]("cost", c, None)
assert c not in cost and cost.get(c, 1) == 1 and columns(Mode) == {"cost": {b: 7}}
assert dict(attr("__enum_attr_cost__")) == {"HALF": 7}
try:
    cost[c]
except KeyError:
    pass
else:
    raise AssertionError
cost[b] = None
assert b not in cost and lib["get_attr"]("cost", b) is None
assert Mode.def_attr("cost", default=3)[b] == 3
# A change of the state in place is seen as well, by the next lookup.
Mode.attr_dict["cost"][a] = 9
Mode.attr_dict["other"] = tvm_ffi.Dict({c: 1})
assert cost[a] == 9 and lib["get_attr"]("cost", a) == 9
Mode.attr_dict
assert lib["get_attr"]("other", c) == 1
# Values of entries that come later.
late = lib["add"]("LATE")
lib["set_attr"]("cost", late, 11)
assert cost[late] == 11 and list(lib["attrs"]()["cost"]) == [9, None, None, 11]
cost[late] = lambda x: x + 1
assert lib["get_attr"]("cost", late)(4) == 5
"""
    )


@pytest.mark.spec("GEN-G04")
def test_the_columns_of_enums_are_there_and_stay(run_python):
    run_python(
        """
import ctypes
import tvm_ffi
from tvm_ffi import core, libinfo
library = ctypes.CDLL(libinfo.find_libtvm_ffi())
class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]
class Column(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_int32), ("begin", ctypes.c_int32)]
find = library.TVMFFIGetTypeAttrColumn
find.restype = ctypes.POINTER(Column)
names = [b"__ffi_enum_entries__", b"__ffi_enum_attrs__", b"__ffi_enum_value_entries__"]
def address(name):
    return ctypes.addressof(find(ctypes.byref(Bytes(name, len(name)))).contents)
before = [address(name) for name in names]
assert all(before)
from tvm_ffi.dataclasses import Enum, auto
for i in range(300):
    class E(Enum, type_key=f"probe.E{i}"):
        X = auto()
index = E.__tvm_ffi_type_info__.type_index
for name in names:
    core._register_type_attr(index, name.decode(), tvm_ffi.Dict({}))
assert [address(name) for name in names] == before
for name in names:
    column = find(ctypes.byref(Bytes(name, len(name)))).contents
    assert column.size > index and column.begin == 0
"""
    )


@pytest.mark.spec("GEN-G04")
def test_the_columns_are_there_before_anything_is_registered(probes, tmp_path):
    source = """
#include <string.h>
#include <tvm/ffi/c_api.h>
int main(void) {
  const char* names[] = {"__ffi_enum_entries__", "__ffi_enum_attrs__",
                         "__ffi_enum_value_entries__"};
  for (int i = 0; i < 3; ++i) {
    TVMFFIByteArray name = {names[i], strlen(names[i])};
    const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
    if (column == NULL || column->begin_index != 0) return 1 + i;
    for (int32_t type = 0; type < column->size; ++type) {
      if (column->data[type].type_index != kTVMFFINone) return 4;
    }
    if (TVMFFIGetTypeAttrColumn(&name) != column) return 5;
  }
  return 0;
}
"""
    from tvm_ffi import libinfo

    (tmp_path / "columns.c").write_text(source)
    runtime = Path(libinfo.find_libtvm_ffi())
    includes = [f"-I{path}" for path in libinfo.include_paths()]
    program = str(tmp_path / "columns")
    compiler = shutil.which("cc") or shutil.which("gcc") or "clang"
    command = [compiler, *includes, str(tmp_path / "columns.c"), "-o", program, str(runtime)]
    subprocess.run([*command, f"-Wl,-rpath,{runtime.parent}"], check=True)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.spec("GEN-G05")
def test_pickle_and_json_return_the_variant(run_probe, tmp_path):
    class_text = """
class Mode(Enum, type_key=KEY):
    NONE: ClassVar[Mode]
    HALF: ClassVar[Mode]
"""
    store = f"""
import copy
lib = load("mode")
{class_text}
late = lib["add"]("LATE")
for v in Mode:
    assert pickle.loads(pickle.dumps(v)) is v and copy.deepcopy(v) is v
    text = serialization.to_json_graph_str([v, {{"k": v}}])
    back = serialization.from_json_graph_str(text)
    assert back[0] is v and back[1]["k"] is v
assert json.loads(serialization.to_json_graph_str(Mode.HALF))["nodes"][-1]["data"] == "HALF"
Path({str(tmp_path / "p")!r}).write_bytes(pickle.dumps([Mode.HALF, late]))
Path({str(tmp_path / "j")!r}).write_text(serialization.to_json_graph_str([Mode.HALF, late]))
"""
    run_probe(store)
    # Restore the variants in another process, with and without the class.
    for definition in (class_text, ""):
        run_probe(
            f"""
lib = load("mode")
late = lib["add"]("LATE")
{definition}
j = serialization.from_json_graph_str(Path({str(tmp_path / "j")!r}).read_text())
assert j[0] is lib["get"]("HALF") and j[1] is late
if {bool(definition)}:
    p = pickle.loads(Path({str(tmp_path / "p")!r}).read_bytes())
    assert p == [Mode.HALF, late] and p[0] is Mode.HALF and p[1] is late
"""
        )


@pytest.mark.spec("GEN-G05")
def test_types_that_no_older_library_touched_read_none(run_probe):
    run_probe(
        """
FORMER = ["__ffi_enum_entries__", "__ffi_enum_attrs__", "__ffi_enum_value_entries__"]
class Color(Enum, type_key="probe.Color"):
    red = auto()
Color.def_attr("cost")[Color.red] = 1
import tvm_ffi.testing
load("mode")
define()
for key in ["probe.Color", "ffi.Enum", "ffi.IntEnum", "ffi.StrEnum", "ffi.Object",
            "testing.TestEnumVariant"]:
    assert [attr(name, key) for name in FORMER] == [None] * 3, key
assert attr(FORMER[2]) is None
"""
    )


BOTH = """
state = attr("__ffi_enum__")
def names(values):
    return [v._str_index for v in values]
def check_both(lib, expected):
    assert names(state.entries) == expected and attr("__ffi_enum__").same_as(state)
    for ordinal, name in enumerate(expected):
        v = lib["get"](name)
        assert lib["get_from_state"](name) is v and lib["get_from_state"](ordinal) is v
        assert v._int_index == ordinal
    class Mode(Enum, type_key=KEY):
        pass
    check(Mode, lib, expected)
    return Mode
"""


@pytest.mark.spec("GEN-G02", "GEN-G03")
def test_one_enum_of_two_generations_older_library_first(run_probe):
    run_probe(
        f"""
old = load("mode")
new = load("state_more")
{BOTH}
Mode = check_both(old, NAMES + ["A", "B"])
check_both(new, NAMES + ["A", "B"])
old["add"]("OLD")
len(Mode)
new["add_to_state"]("NEW")
len(Mode)
Mode = check_both(new, NAMES + ["A", "B", "OLD", "NEW"])
"""
    )


@pytest.mark.spec("GEN-G02", "GEN-G03")
def test_one_enum_of_two_generations_newer_library_first(run_probe):
    run_probe(
        f"""
new = load("state")
class Mode(Enum, type_key=KEY):
    A: ClassVar[Mode]
Mode.def_attr("cost")[Mode.get("B")] = 4
old = load("more")
{BOTH}
Mode = check_both(old, ["A", "B", "MORE"])
assert old["get_attr"]("cost", Mode.get("B")) == 4
old["set_attr"]("cost", Mode.get("MORE"), 8)
assert columns(Mode) == {{"cost": {{Mode.get("B"): 4, Mode.get("MORE"): 8}}}}
"""
    )


@pytest.mark.spec("GEN-G02")
def test_two_generations_add_between_two_lookups(run_probe):
    # The libraries choose numbers and names without asking the runtime, so both libraries can
    # choose the same number or the same name.
    run_probe(
        f"""
old, new = load("mode"), load("state_more")
{BOTH}
Mode = check_both(old, NAMES + ["A", "B"])
first = new["add_to_state"]("NEW")
second = old["add"]("OLD")
new["add_to_state"]("TWICE")
old["add"]("TWICE")
old["set_attr"]("cost", second, "old")
state.attrs["cost"] = tvm_ffi.Dict({{first: "new"}})
assert len(Mode) == 8
Mode = check_both(old, NAMES + ["A", "B", "OLD", "TWICE", "NEW"])
cost = Mode.def_attr("cost")
assert cost[second] == "old" and cost[first] == "new"
assert old["get_attr"]("cost", second) == "old" and old["get_attr"]("cost", first) == "new"
check_both(new, NAMES + ["A", "B", "OLD", "TWICE", "NEW"])
"""
    )


@pytest.mark.spec("GEN-G02")
def test_a_library_that_is_loaded_twice(run_probe):
    run_probe(
        """
lib = load("mode")
Mode = define()
assert load("mode")["get"]("NONE") is Mode.NONE
ctypes.CDLL(f"{FOLDER}/mode.so", mode=ctypes.RTLD_GLOBAL)
check(Mode, lib, NAMES)
"""
    )


def test_a_rebuilt_library_replaces_its_entries(run_probe, tmp_path):
    run_probe(
        f"""
import os, shutil
path = {str(tmp_path / "lib.so")!r}
shutil.copy(f"{{FOLDER}}/mode.so", path)
lib = tvm_ffi.load_module(path)
more = load("more")
class Mode(Enum, type_key=KEY):
    NONE: ClassVar[Mode]
former = Mode.NONE
Mode.def_attr("cost")[Mode.get("MORE")] = 4
shutil.copy(f"{{FOLDER}}/mode2.so", path + ".new")
os.replace(path + ".new", path)
lib = tvm_ffi.load_module(path)
class Mode(Enum, type_key=KEY):
    NONE: ClassVar[Mode]
check(Mode, lib, ["MORE", "FIRST", "NONE"])
check(Mode, more, ["MORE", "FIRST", "NONE"])
assert Mode.NONE is not former and Mode.def_attr("cost")[Mode.get("MORE")] == 4
assert more["get_attr"]("cost", Mode.get("MORE")) == 4
"""
    )


def test_a_name_that_another_library_has_ends_in_its_own_error(probes, run_probe):
    with pytest.raises(AssertionError, match=r"the probe of probe\.Mode could not register"):
        run_probe('load("mode")\nload("again")')


@pytest.mark.spec("GEN-G02")
def test_the_library_is_loaded_after_the_class_is_defined(run_probe):
    run_probe(
        """
load("empty")
class Mode(Enum, type_key=KEY):
    OWN = auto()
assert attr("__ffi_enum_entries__") is None
more = load("more")
check(Mode, more, ["OWN", "MORE"])
Mode._refresh_entries()
assert Mode.MORE is more["get"]("MORE")
"""
    )


@pytest.mark.spec("GEN-G02")
def test_a_class_that_is_defined_twice(run_probe):
    run_probe(
        """
lib = load("mode")
for i in range(3):
    Mode = define()
    check(Mode, lib, NAMES)
    v = globals().setdefault("v", Mode.HALF)
    assert Mode.HALF is v and type(v) is Mode
    Mode.def_attr("cost")[v] = i
    assert lib["get_attr"]("cost", v) == i
class Mode(Enum, type_key=KEY):
    EXTRA = auto()
class Mode(Enum, type_key=KEY):
    EXTRA = auto()
check(Mode, lib, NAMES + ["EXTRA"])
"""
    )


def test_a_class_that_fails_changes_nothing(run_probe):
    run_probe(
        """
lib = load("mode")
try:
    class Mode(Enum, type_key=KEY):
        EXTRA = auto()
        MISSING: ClassVar[Mode]
except RuntimeError as error:
    assert str(error) == "'probe.Mode' has no enum at string index 'MISSING'", error
else:
    raise AssertionError
try:
    class Mode(Enum, type_key=KEY):
        EXTRA = auto()
        WRONG = entry(cost=1)
except TypeError as error:
    assert "Mode.WRONG: invalid enum entry" in str(error)
else:
    raise AssertionError
assert list(lib["entries"]()) == NAMES
check(define(), lib, NAMES)
"""
    )


def test_values_that_cannot_be_registered(run_probe):
    run_probe(
        """
def refused(kind, key, name, value, text):
    index = core._object_type_key_to_index(key)
    before = attr(name, key)
    was_enum = attr("__ffi_enum__", key) is not None
    for register in (core._register_type_attr, core._type_register_attr,
                     tvm_ffi.get_global_func("ffi.TypeAttrSet")):
        try:
            register(index, name, value)
        except kind as error:
            assert text in str(error), error
        else:
            raise AssertionError(register)
        after = attr(name, key)
        assert after is None if before is None else after.same_as(before)
        assert (attr("__ffi_enum__", key) is not None) == was_enum
load("empty")
ENTRIES, ATTRS = "__ffi_enum_entries__", "__ffi_enum_attrs__"
for value in ([], {"a": 1}, 1, "x"):
    refused(TypeError, KEY, ENTRIES, value, "must be an `ffi.Dict`, got")
    refused(TypeError, KEY, ATTRS, value, "must be an `ffi.Dict`, got")
Dict = tvm_ffi.Dict
refused(TypeError, KEY, ENTRIES, Dict({"a": 1}), "Expected an object as entry `a`")
refused(TypeError, KEY, ENTRIES, Dict({1: 1}), "Expected names as keys")
other = tvm_ffi.Array([1])
refused(TypeError, KEY, ENTRIES, Dict({"a": other}), "Expected an instance of `probe.Mode`")
refused(TypeError, KEY, ATTRS, Dict({"a": 1}), "Expected names of columns and `ffi.List`")
lib = load("more")
refused(RuntimeError, KEY, ENTRIES, Dict({}), "is already registered for type index")
class Mode(Enum, type_key=KEY):
    pass
check(Mode, lib, ["MORE"])
# In place, nothing can be refused; the next lookup reports it, and goes on when it is corrected.
lib["entries"]()["bad"] = 3
for read in (lambda: len(Mode), lambda: Mode.get("other"), lambda: list(Mode)):
    try:
        read()
    except TypeError as error:
        assert "Expected an object as entry `bad` of enum `probe.Mode`, but got `int`" in str(error)
    else:
        raise AssertionError
assert Mode.get("MORE") is lib["get"]("MORE")
del lib["entries"]()["bad"]
check(Mode, lib, ["MORE"])
"""
    )


def test_payload_enums_of_0_1_12(run_probe):
    run_probe(
        """
lib = load("text")
class Op(StrEnum, type_key="probe.text"):
    add: ClassVar[Op]
    mul = "mul"
assert [v.value for v in Op] == ["add", "sub", "mul"] and Op("sub") == "sub"
assert lib["get"]("mul") is Op.mul and Op.mul._int_index == 2
lib = load("number")
class Level(IntEnum, type_key="probe.number"):
    low: ClassVar[Level]
    top = 40
assert [(v.name, v.value) for v in Level] == [("low", 0), ("high", 1), ("top", 40)]
assert lib["get"]("top") is Level.top is Level(40)
Level.def_attr("cost")[Level.top] = 3
assert list(lib["attrs"]()["cost"]) == [None, None, 3]
"""
    )


def test_a_variant_may_have_a_former_name_of_an_index_field(run_python):
    run_python(
        """
from __future__ import annotations
from typing import ClassVar
from tvm_ffi.dataclasses import Enum, entry
class Odd(Enum, type_key="probe.Odd"):
    _value: ClassVar[Odd]
    _name = entry()
assert [v._str_index for v in Odd] == ["_value", "_name"]
assert Odd._value is Odd.get(0)
"""
    )


def test_readers_of_other_threads(run_probe):
    """The library changes the dicts without a lock, so only the GIL keeps the readers away."""
    run_probe(
        """
lib = load("mode")
add = lib["add"]
add.release_gil = False
Mode = define()
stop, errors = threading.Event(), []
def read():
    try:
        while not stop.is_set():
            for v in list(Mode):
                assert Mode.get(v._int_index) is v
            Mode.attr_dict
    except BaseException as error:
        errors.append(error)
threads = [threading.Thread(target=read) for _ in range(3)]
for t in threads: t.start()
for i in range(100):
    add(f"N{i}")
stop.set()
for t in threads: t.join()
assert errors == [], errors
check(Mode, lib, NAMES + [f"N{i}" for i in range(100)])
"""
    )
