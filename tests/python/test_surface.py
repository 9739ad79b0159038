# SPDX-License-Identifier: Apache-2.0
"""Test the public names of the package, and the parameters of its functions.

``test_stub.py`` tests the names of the extension.
"""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core


def words(text):
    return text.split()


ALL = words("""
LIB Array DLDeviceType DefRegionKind Device Dict Function InplaceMode List Map Module Object
ObjectConvertible Shape StreamContext StructuralKey StructuralMutator StructuralVisitor Tensor
VisitInterrupt WalkOrder WalkResult __version__ __version_tuple__ access_path convert convert_func
cpp dataclasses device dtype from_dlpack get_first_structural_mismatch get_global_func
get_global_func_metadata get_raw_stream init_ffi_api load_module method register_error
register_global_func register_object remove_global_func serialization structural structural_equal
structural_hash structural_map structural_mutate structural_visit structural_walk system_lib
use_raw_stream use_torch_stream
""")

LITERALS = words("""
bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 float8_e3m4
float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn float4_e2m1fnx2
""")


def signature_of(value):
    """Return the text of a signature without annotations."""
    parameters = inspect.signature(value).parameters.values()
    text = str(inspect.Signature([p.replace(annotation=p.empty) for p in parameters]))
    return text.replace("(self, /", "(self")  # methods made in C have this mark


@pytest.mark.spec("PY-A1")
def test_all_is_exactly_the_54_names_and_all_are_resolvable():
    assert len(ALL) == 54
    assert sorted(tvm_ffi.__all__) == sorted(ALL)
    for name in ALL:
        assert getattr(tvm_ffi, name) is not None
        assert name in dir(tvm_ffi)


@pytest.mark.spec("PY-A3")
@pytest.mark.parametrize("name", LITERALS)
def test_literals_are_data_types(name):
    value = getattr(tvm_ffi, name)
    assert isinstance(value, tvm_ffi.dtype)
    assert value == ("float4_e2m1fnx2" if name == "float4_e2m1fnx2" else name)
    assert name not in tvm_ffi.__all__


@pytest.mark.spec("PY-A6")
def test_config_imports_neither_torch_nor_numpy(run_python):
    out = run_python(
        "import runpy, sys; sys.argv = ['tvm-ffi-config', '--libs']\n"
        "try: runpy.run_module('tvm_ffi.config', run_name='__main__')\n"
        "except SystemExit as done: assert not done.code\n"
        "print(*({'torch', 'numpy'} & set(sys.modules)))"
    )
    assert out.split() == ["-ltvm_ffi"]


@pytest.mark.spec("PY-A7")
def test_private_submodules_are_attributes_without_an_import_of_their_own(run_python):
    out = run_python(
        "import tvm_ffi\n"
        "for name in '_convert _dtype _dunder _ffi_api _optional_torch_c_dlpack _tensor'.split():\n"
        "    print(getattr(tvm_ffi, name).__name__)\n"
        "print(tvm_ffi._ffi_api.ArraySize([1]), tvm_ffi.utils.kwargs_wrapper.__name__)"
    )
    assert out.split()[-2:] == ["1", "tvm_ffi.utils.kwargs_wrapper"]


@pytest.mark.spec("PY-A10")
def test_dlpack_version():
    assert core.__dlpack_version__ == (1, 3)


@pytest.mark.spec("PY-A11")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("register_object", "(type_key=None, *, init=True)"),
        ("register_global_func", "(func_name, f=None, override=False)"),
        ("get_global_func", "(name, allow_missing=False)"),
        ("get_global_func_metadata", "(name)"),
        ("remove_global_func", "(name)"),
        ("init_ffi_api", "(namespace, target_module_name=None)"),
        ("register_error", "(name_or_cls=None, cls=None)"),
        ("convert", "(value)"),
        ("convert_func", "(pyfunc, tensor_cls=None)"),
        ("device", "(device_type, index=None)"),
        ("from_dlpack", "(ext_tensor, *, require_alignment=0, require_contiguous=False)"),
        ("system_lib", "(symbol_prefix='')"),
        ("load_module", "(path, keep_module_alive=True)"),
        ("use_torch_stream", "(context=None)"),
        ("use_raw_stream", "(device, stream)"),
        ("get_raw_stream", "(device)"),
    ],
)
def test_signatures_of_the_top_level(name, expected):
    assert signature_of(getattr(tvm_ffi, name)) == expected


def test_private_flags_that_clients_set():
    assert tvm_ffi.registry._SKIP_UNKNOWN_OBJECTS is False
    for name in ("CAny", "CContainerBase", "registry", "error", "libinfo", "utils"):
        assert hasattr(tvm_ffi, name)


# ---- parameters with defaults, and of classes; the golden names have the others ----


def holder_of(path):
    value = tvm_ffi
    for name in path.split("."):
        value = getattr(value, name)
    return value


SIGNATURES = {
    "Array": "(input_list)",
    "List": "(input_list=())",
    "Map": "(input_dict)",
    "Dict": "(input_dict=None)",
    "dtype": "(content)",
    "Shape": "(content)",
    "StreamContext": "(device, stream)",
    "Array.same_as": "(self, other)",
    "Array.index": "(self, value, start=0, stop=None)",
    "Array.count": "(self, value)",
    "List.append": "(self, value)",
    "List.clear": "(self)",
    "List.extend": "(self, values)",
    "List.insert": "(self, index, value)",
    "List.pop": "(self, index=-1)",
    "List.remove": "(self, value)",
    "List.reverse": "(self)",
    "Map.get": "(self, key, default=None)",
    "Map.keys": "(self)",
    "Map.values": "(self)",
    "Map.items": "(self)",
    "Dict.pop": "(self, key, *args)",
    "Dict.popitem": "(self)",
    "Dict.setdefault": "(self, key, default=None)",
    "Dict.update": "(self, other)",
    "Dict.clear": "(self)",
    "Module.get_function": "(self, name, query_imports=False)",
    "Module.implements_function": "(self, name, query_imports=False)",
    "Module.get_function_metadata": "(self, name, query_imports=False)",
    "Module.get_function_doc": "(self, name, query_imports=False)",
    "Module.inspect_source": "(self, fmt='')",
    "Module.write_to_file": "(self, file_name, fmt='')",
    "core.Error": "(kind, message, backtrace)",
    "core.CAny": "(value=None)",
    "core.ObjectRValueRef": "(obj)",
    "core.CObject.__move_handle_from__": "(self, other)",
    "core.CObject.__init_handle_by_constructor__": "(self, fconstructor, /, *args)",
    "core.Function.__from_extern_c__": "(c_symbol, *, keep_alive_object=None)",
    "core.Function.__from_mlir_packed_safe_call__": (
        "(mlir_packed_symbol, *, keep_alive_object=None)"
    ),
    "core._lookup_type_attr": "(type_index, attr_key, ancestor=False)",
    "core._convert_to_ffi_func": "(pyfunc, tensor_cls=None)",
    "core._create_cdtype_from_tuple": "(cls, code, bits, lanes)",
    "core._create_device_from_tuple": "(cls, device_type, device_id)",
    "core._new_object": "(cls)",
    "core._set_class_tensor": "(cls)",
    "serialization.to_json_graph_str": "(obj, metadata=None)",
    "libinfo.load_lib_ctypes": "(package, target_name, mode, extra_lib_paths=None)",
    "libinfo.load_lib_module": (
        "(package, target_name, keep_module_alive=True, extra_lib_paths=None)"
    ),
}


@pytest.mark.parametrize("path", SIGNATURES)
def test_parameters_have_the_names_that_programs_use(path):
    assert signature_of(holder_of(path)) == SIGNATURES[path]


def keyword_calls():
    pair = tvm_ffi.testing.TestIntPair(1, 2)
    error = core.Error(kind="ValueError", message="m", backtrace="")
    return {
        "same_as": lambda: pair.same_as(other=pair),
        "append": lambda: tvm_ffi.List().append(value=1),
        "insert": lambda: tvm_ffi.List([0]).insert(index=0, value=1),
        "pop": lambda: tvm_ffi.List([5]).pop(index=0) == 5,
        "get": lambda: tvm_ffi.Map({}).get(key="k", default=3) == 3,
        "setdefault": lambda: tvm_ffi.Dict({}).setdefault("k", default=3) == 3,
        "update": lambda: tvm_ffi.Dict({}).update(other={"a": 1}),
        "Array": lambda: tvm_ffi.Array(input_list=[1]),
        "Map": lambda: tvm_ffi.Map(input_dict={"a": 1}),
        "update_backtrace": lambda: error.update_backtrace(backtrace="x"),
        "_get_global_func": lambda: core._get_global_func("testing.echo", allow_missing=True),
        "_env_get": lambda: core._env_get_current_stream(device_type=2, device_id=0) == 0,
        "_create_device": lambda: core._create_device_from_tuple(
            core.Device, device_type=1, device_id=0
        ),
        "set": lambda: tvm_ffi.testing.TestIntPair.a.set(obj=pair, value=3),
        "Dict.pop": lambda: tvm_ffi.Dict({1: 2}).pop(key=1) == 2,
        "String": lambda: core.String(value="a") == "a",
        "String.str": lambda: core.String(b"a", encoding="ascii") == "a" and core.String() == "",
        "Bytes": lambda: core.Bytes(value=b"a") == b"a",
        "check_value": lambda: core.TypeSchema("int").check_value(value=1) is None,
        "convert": lambda: core.TypeSchema("int").convert(value=1) is not None,
    }


@pytest.mark.parametrize("cls", [core.String, core.Bytes])
def test_string_classes_refuse_other_names(cls):
    for call in (lambda: cls(text="a"), lambda: cls("a", value="b")):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("value", [None, 5, b"int8", 1.5, ["int8"], memoryview(b"int8")])
def test_data_type_takes_its_text_alone(value):
    with pytest.raises(TypeError, match=f"DataType expects a str, got {type(value).__name__}"):
        core.DataType(value)


@pytest.mark.parametrize("name", keyword_calls())
def test_arguments_may_be_given_by_name(name):
    assert keyword_calls()[name]() is not False


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: x.append(), r"append\(\) missing required argument: 'value'"),
        (lambda x: x.append(1, 2), r"append\(\) takes at most 1 argument \(2 given\)"),
        (lambda x: x.append(1, value=2), r"append\(\) got multiple values for argument 'value'"),
        (lambda x: x.append(other=2), r"append\(\) got an unexpected keyword argument 'other'"),
        (lambda x: x.insert(value=2), r"insert\(\) missing required argument: 'index'"),
        (lambda x: x.insert(1, 2, 3, index=4), r"insert\(\) takes at most 2 arguments \(4 given\)"),
        (lambda x: x.pop(**{"\ud800": 1}), r"pop\(\) got an unexpected keyword argument"),
    ],
)
def test_wrong_names_are_type_errors(call, message):
    values = tvm_ffi.List([1])
    with pytest.raises(TypeError, match=message):
        call(values)
    assert list(values) == [1]


# ---- that every Python name in ``tests/golden/python_names.json`` exists

NAMES = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "python_names.json").read_text()
)
#: Class -> a function that makes an instance, since some names exist only on instances.
INSTANCES = {
    "tvm_ffi.core.TypeInfo": lambda tmp_path: tvm_ffi.testing.TestIntPair.__tvm_ffi_type_info__,
    "tvm_ffi.core.TypeField": lambda tmp_path: (
        tvm_ffi.testing.TestIntPair.__tvm_ffi_type_info__.fields[0]
    ),
    "tvm_ffi.utils.lockfile.FileLock": lambda tmp_path: importlib.import_module(
        "tvm_ffi.utils.lockfile"
    ).FileLock(str(tmp_path / "lock")),
}
#: Attributes that only the TypeInfo of a class defined in Python has.
PY_CLASS_ONLY = {"tvm_ffi.core.TypeInfo._decorator_args"}


def resolve(name, tmp_path):
    """Import the longest module prefix of a dotted name, then follow attributes."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:end]))
            break
        except ModuleNotFoundError:
            continue
    for position in range(end, len(parts)):
        owner = ".".join(parts[:position])
        if not hasattr(value, parts[position]) and owner in INSTANCES:
            value = INSTANCES[owner](tmp_path)
        value = getattr(value, parts[position])
    return value


@pytest.mark.spec("PY-A7")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in PY_CLASS_ONLY])
def test_a_listed_name_exists(name, tmp_path):
    resolve(name, tmp_path)


def test_a_class_defined_in_python_keeps_its_options():
    @tvm_ffi.py_class("test_names.Point")
    class Point(tvm_ffi.Object):
        x: int

    assert Point.__tvm_ffi_type_info__._decorator_args["frozen"] is False


@pytest.mark.parametrize("name", [name for name, parameters in NAMES.items() if parameters])
def test_parameters_have_the_listed_names(name, tmp_path):
    parameters = inspect.signature(resolve(name, tmp_path)).parameters
    found = [p for p in parameters if p not in ("self", "cls")]
    positional = [p for p in found if parameters[p].kind is inspect.Parameter.POSITIONAL_ONLY]
    if NAMES[name] == ["args"] and found == positional:
        return  # Instead of `*args`, our signature has names that are positional-only.
    assert found[: len(NAMES[name])] == NAMES[name]
    # Additional parameters must not be required.
    for added in found[len(NAMES[name]) :]:
        assert parameters[added].default is not inspect.Parameter.empty


def test_a_name_that_does_not_exist_is_noticed(tmp_path):
    for name in ("tvm_ffi.Array.no_such_member", "tvm_ffi.no_such_module.x"):
        with pytest.raises(AttributeError):
            resolve(name, tmp_path)
