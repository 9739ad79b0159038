# SPDX-License-Identifier: Apache-2.0
"""Test the content of blocks in Python files."""

from __future__ import annotations

import inspect
import itertools
import sys
from types import ModuleType, SimpleNamespace

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.core import TypeSchema
from tvm_ffi.dataclasses import IntEnum, py_class
from tvm_ffi.stub.consts import ENUM_MEMBERS, PYTHON_SYNTAX
from tvm_ffi.stub.file_utils import CodeBlock
from tvm_ffi.stub.lib_state import object_info_from_type_key
from tvm_ffi.stub.python_generator import codegen, utils
from tvm_ffi.stub.python_generator.utils import (
    ImportItem,
    PythonImports,
    default_text,
    render_func_signature,
    render_function,
    render_imports,
    render_object_fields,
    render_object_init,
    render_object_methods,
    with_doc,
)
from tvm_ffi.stub.type_text import read_schema
from tvm_ffi.stub.utils import FuncInfo, InitFieldInfo, NamedTypeSchema, ObjectInfo, Options

INT, STR = TypeSchema("int"), TypeSchema("str")


def callable_of(result, *params):
    return TypeSchema("Callable", named_args={"return": (result,), "params": params})


@pytest.fixture
def imports():
    return PythonImports({})


# ---- signatures ----


@pytest.mark.spec("TOOL-U1")
@pytest.mark.parametrize(
    ("schema", "member", "expected"),
    [
        (TypeSchema("Callable"), False, "def f(*args: Any) -> Any: ..."),
        (TypeSchema("Callable", (INT,)), False, "def f(*args: Any) -> int: ..."),
        (callable_of(INT), False, "def f() -> int: ..."),
        (
            callable_of(TypeSchema("None"), INT, STR),
            False,
            "def f(_0: int, _1: str, /) -> None: ...",
        ),
        (TypeSchema("Callable"), True, "def f(self, *args: Any) -> Any: ..."),
        (callable_of(INT, TypeSchema("a.B")), True, "def f(self, /) -> int: ..."),
        (
            callable_of(STR, TypeSchema("a.B"), TypeSchema("float")),
            True,
            "def f(self, _1: float, /) -> str: ...",
        ),
    ],
)
def test_signatures(imports, schema, member, expected):
    assert render_func_signature("f", schema, imports, is_member=member) == expected


def test_only_functions_have_signatures():
    with pytest.raises(ValueError, match="Expected Callable type schema, but got:"):
        FuncInfo(NamedTypeSchema("f", INT))


@pytest.mark.spec("TOOL-U2")
def test_overloads_and_static_methods(imports):
    methods = [
        FuncInfo(NamedTypeSchema("m", callable_of(INT, TypeSchema("a.B"))), True),
        FuncInfo(NamedTypeSchema("s", callable_of(INT, INT)), False),
        FuncInfo(NamedTypeSchema("m", callable_of(STR, TypeSchema("a.B"), INT)), True),
    ]
    assert render_object_methods(ObjectInfo("a.B", methods=methods), imports) == [
        "@overload",
        "def m(self, /) -> int: ...",
        "@overload",
        "def m(self, _1: int, /) -> str: ...",
        "@staticmethod",
        "def s(_0: int, /) -> int: ...",
    ]
    assert ImportItem("typing.overload", True) in imports.items


@pytest.mark.parametrize(
    ("json", "expected"),
    [
        ('{"type":"Optional","args":[{"type":"int"}]}', "int | None"),
        (
            '{"type":"Variant","args":[{"type":"Optional","args":[{"type":"int"}]},'
            '{"type":"ffi.String"}]}',
            "int | str | None",
        ),
        ('{"type":"Tuple","args":[{"type":"int"},{"type":"Any"}]}', "tuple[int, Any]"),
        ('{"type":"Tuple"}', "tuple"),
        ('{"type":"ffi.Array"}', "Sequence[Any]"),
        ('{"type":"ffi.Function"}', "Callable[..., Any]"),
        ('{"type":"DataType"}', "dtype"),
        ('{"type":"void*"}', "c_void_p"),
        ('{"type":"const char*"}', "str"),
        ('{"type":"ffi.BigInt"}', "int"),
        ('{"type":"a.b.C"}', "C"),
    ],
)
def test_types(imports, json, expected):
    assert imports.output_text(read_schema(json)) == expected


@pytest.mark.parametrize("json", ["5", "{}", '{"type":5}', "[]"])
def test_values_that_are_not_types(json):
    with pytest.raises(ValueError, match="expected a type schema"):
        read_schema(json)


@pytest.mark.spec("TOOL-U6")
def test_parameters_accept_more_than_results_promise(fill):
    (lines,) = fill("global/testing")
    text = "\n".join(lines)
    assert "def schema_id_list_int(_0: Sequence[int], /) -> MutableSequence[int]: ..." in text
    assert (
        "def schema_id_dict_str_int(_0: Mapping[str, int], /) -> MutableMapping[str, int]: ..."
    ) in text


@pytest.mark.parametrize(
    "line",
    [
        "def schema_id_tensor(_0: TensorLike, /) -> Tensor: ...",
        "def schema_id_dltensor(_0: TensorLike, /) -> Tensor: ...",
        "def schema_id_device(_0: DeviceLike, /) -> Device: ...",
        "def schema_id_dtype(_0: DTypeLike, /) -> dtype: ...",
        "def schema_id_object(_0: ObjectLike, /) -> Object: ...",
        "def schema_id_bytes(_0: bytes | bytearray, /) -> bytes: ...",
        "def schema_id_opt_obj(_0: ObjectLike | None, /) -> Object | None: ...",
        "def schema_id_arr_obj(_0: Sequence[ObjectLike], /) -> Sequence[Object]: ...",
    ],
)
def test_parameters_accept_what_calls_convert(line, fill):
    (lines,) = fill("global/testing")
    assert f"    {line}" in lines


@pytest.mark.parametrize(
    ("schema", "parameter", "result"),
    [
        (TypeSchema("ffi.Shape"), "Sequence[int]", "Shape"),
        (TypeSchema("ffi.Error"), "Error | BaseException", "Error"),
        # Mapping is invariant in its key type: with DTypeLike, it would reject Mapping[dtype, X].
        (
            TypeSchema("Map", (TypeSchema("dtype"), TypeSchema("dtype"))),
            "Mapping[dtype, DTypeLike]",
            "Mapping[dtype, dtype]",
        ),
        # The library calls a function parameter, so the function gets a Device, and may return any
        # value that converts to a Tensor. The user calls a returned function, so its types are the
        # reverse.
        (
            callable_of(TypeSchema("Tensor"), TypeSchema("Device")),
            "Callable[[Device], TensorLike]",
            "Callable[[DeviceLike], Tensor]",
        ),
        # A parameter accepts a variant or its payload.
        (TypeSchema("testing.TestCxxIntEnum"), "TestCxxIntEnum | int", "TestCxxIntEnum"),
        (TypeSchema("testing.TestCxxStrEnum"), "TestCxxStrEnum | str", "TestCxxStrEnum"),
        (TypeSchema("testing.TestEnumVariant"), "TestEnumVariant", "TestEnumVariant"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_parameter_is_wider_than_a_result(schema, parameter, result, imports):
    core._load_testing_library()
    assert imports.input_text(schema) == parameter
    assert imports.output_text(schema) == result


def test_variants_become_class_attributes():
    block = CodeBlock("object", "testing.TestEnumVariant", 3, 4, ["# begin", "# end"])
    core._load_testing_library()
    info = object_info_from_type_key("testing.TestEnumVariant")
    assert info.variants == ["Alpha", "Beta"]
    imports = PythonImports({})
    imports.module = SimpleNamespace(
        class_of=lambda line: [SimpleNamespace(name="Named")], tree=None, bound={}
    )
    assert utils.render_variants(info, imports.class_at(block.lineno_start), imports) == [
        "Alpha: ClassVar[Named]",
        "Beta: ClassVar[Named]",
    ]


def test_members_of_enums_are_no_variants():
    """Check `ENUM_MEMBERS`: a variant with one of these names is not an attribute of its class."""
    members = {name for name in dir(IntEnum) if not name.startswith("_")}
    assert members <= ENUM_MEMBERS | set(dir(core.Object))


@pytest.mark.spec("TOOL-U7")
def test_map_of_the_user_holds_for_both(fill):
    (lines,) = fill("# tvm-ffi-stubgen(ty-map): List -> my.Rows", "global/testing")
    assert "    def schema_id_list_int(_0: Rows[int], /) -> Rows[int]: ..." in lines


@pytest.mark.spec("TOOL-U8")
def test_names_that_collide_get_an_underscore():
    name = "x.dtype"  # `dtype` is also a type in the signature
    block = CodeBlock("global", ("x", ""), 1, 2, ["# begin", "# end"])
    imports = PythonImports({})
    functions = [
        FuncInfo(NamedTypeSchema(name, callable_of(TypeSchema("dtype"), TypeSchema("dtype"))))
    ]
    codegen.generate_python_global_funcs(block, functions, imports, Options())
    assert "    def dtype(_0: DTypeLike, /) -> _dtype: ..." in block.lines
    assert "    from tvm_ffi import dtype as _dtype" in render_imports(imports.items)


# ---- blocks ----


def test_type_does_not_hide_behind_a_class_of_the_file(imports):
    imports.defined["Shape"] = "mine.Shape"
    own = imports.output_text(TypeSchema("mine.Shape"))
    other = imports.output_text(TypeSchema("ffi.Shape"))
    assert (own, other) == ("Shape", "_Shape")
    assert render_imports(i for i in imports.items if i.full_name == "ffi.Shape") == [
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    from tvm_ffi import Shape as _Shape",
    ]


def test_two_types_of_one_name_have_two_names(imports):
    keys = ["a.Node", "b.Node", "c.Node", "a.Node", "b.Node"]
    names = [imports.output_text(TypeSchema(key)) for key in keys]
    assert names == ["Node", "_Node", "__Node", "Node", "_Node"]


def test_name_of_an_import_directive_is_kept_for_it(imports):
    imports.add("my.place.Thing", False, "Node")
    assert imports.output_text(TypeSchema("a.Node")) == "_Node"
    imports.add("ffi.Object", False)
    assert imports.output_text(TypeSchema("Object")) == "Object"


def test_field_of_the_name_of_its_type():
    block = CodeBlock.from_begin_line(1, "# tvm-ffi-stubgen(begin): object/a.B", PYTHON_SYNTAX)
    block.lines.append("# tvm-ffi-stubgen(end)")
    fields = [NamedTypeSchema(name, TypeSchema("dtype")) for name in ("dtype", "other")]
    codegen.generate_python_object(
        block, ObjectInfo("a.B", fields=fields), PythonImports({}), Options()
    )
    assert [line.strip() for line in block.lines[2:-2]] == ["dtype: _dtype", "other: _dtype"]


@pytest.mark.parametrize("key", ["a.class", "a-b.Node", "for.Node", "a.1st"])
def test_type_that_python_cannot_name(imports, key):
    assert imports.output_text(TypeSchema(key)) == "Any"


def test_names_that_python_cannot_say_are_left_out():
    names = ["class", "with-dash", "fine"]
    info = ObjectInfo(
        "a.B",
        fields=[NamedTypeSchema(name, INT) for name in names],
        methods=[FuncInfo(NamedTypeSchema(name, callable_of(INT)), False) for name in names],
    )
    imports = PythonImports({})
    assert render_object_fields(info, imports) == ["fine: int"]
    assert render_object_methods(info, imports) == ["@staticmethod", "def fine() -> int: ..."]
    for name in ("class", "self"):
        info = ObjectInfo("a.B", init_fields=[InitFieldInfo(name, INT, False, False)])
        assert render_object_init(info, imports, "__init__") == [
            "def __init__(self, *args: Any, **kwargs: Any) -> None: ..."
        ]
    block = CodeBlock.from_begin_line(1, "# tvm-ffi-stubgen(begin): global/a", PYTHON_SYNTAX)
    block.lines.append("# tvm-ffi-stubgen(end)")
    functions = [FuncInfo(NamedTypeSchema(f"a.{name}", callable_of(INT))) for name in names]
    codegen.generate_python_global_funcs(block, functions, imports, Options())
    assert [line.strip() for line in block.lines if "def " in line] == ["def fine() -> int: ..."]
    block = CodeBlock.from_begin_line(1, "# tvm-ffi-stubgen(begin): __all__", PYTHON_SYNTAX)
    block.lines.append("# tvm-ffi-stubgen(end)")
    codegen.generate_python_all(block, names)
    assert block.lines[1:-1] == ['"fine",']


def test_global_block(fill):
    imports, lines = fill("import-section", "global/ffi.json@my.place")
    assert lines == [
        "# fmt: off",
        '_FFI_INIT_FUNC("ffi.json", __name__)',
        "if TYPE_CHECKING:",
        "    def Parse(_0: str, /) -> Any: ...",
        "    def Stringify(_0: Any, _1: int | None, /) -> str: ...",
        "# fmt: on",
    ]
    assert imports == [
        "# fmt: off",
        "# isort: off",
        "from __future__ import annotations",
        "from my.place import init_ffi_api as _FFI_INIT_FUNC",
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    from typing import Any",
        "# isort: on",
        "# fmt: on",
    ]


def test_functions_without_a_type_are_named(stubgen, stub_file):
    name = "pytest_stub.untyped"
    tvm_ffi.register_global_func(name, lambda: None)
    tvm_ffi.register_global_func("pytest_stub_no_dot", lambda: None)
    try:
        _, out = stubgen(stub_file("global/pytest_stub"))
    finally:
        tvm_ffi.remove_global_func(name)
        tvm_ffi.remove_global_func("pytest_stub_no_dot")
    assert f"[Skipped] Function has no type schema: {name}" in out
    assert "[Skipped] Invalid name in global function: pytest_stub_no_dot" in out


@pytest.mark.spec("TOOL-U3", "TOOL-U4")
def test_object_block(fill):
    blocks = ["object/testing.TestObjectDerived", "object/testing.TestIntPair"]
    derived, pair = fill(*blocks)
    init = (
        "(self, v_map: Mapping[Any, Any], v_array: Sequence[Any], v_i64: int = ..., "
        "v_f64: float = ..., v_str: str = ...) -> None: ..."
    )
    assert derived == [
        "# fmt: off",
        "v_map: Mapping[Any, Any]",
        "v_array: Sequence[Any]",
        "if TYPE_CHECKING:",
        f"    def __init__{init}",
        f"    def __ffi_init__{init}",
        "# fmt: on",
    ]
    assert pair == [
        "# fmt: off",
        "a: int",
        "b: int",
        "if TYPE_CHECKING:",
        "    def __init__(self, a: int, b: int, /) -> None: ...",
        "    def __ffi_init__(self, _0: int, _1: int, /) -> None: ...",
        "    def sum(self, /) -> int:",
        '        """Method to compute sum of a and b"""',
        "        ...",
        "# fmt: on",
    ]


def test_names_defaults_and_documentation(fill):
    (block,) = fill("object/testing.TestMethodKeywords")
    assert "    def weigh(self, x: int, y: int = 2, z: int = 3) -> int: ..." in block
    assert "    def bare(self, _1: int, _2: int, _3: int, /) -> int: ..." in block
    at = block.index("    @staticmethod")
    assert block[at + 1] == "    def difference(x: int, y: int) -> int: ..."


def test_named_parameters(imports):
    schema = callable_of(INT, TypeSchema("a.B"), STR, TypeSchema("Any"), INT)
    named = (("x", "y", "z"), ("it's", [1]))

    def written(parameters, is_member=True):
        function = FuncInfo(NamedTypeSchema("f", schema), is_member, None, parameters)
        return render_function("f", function, imports)

    assert written(named) == ['def f(self, x: str, y: Any = "it\'s", z: int = ...) -> int: ...']
    positional = ["def f(self, _1: str, _2: Any, _3: int, /) -> int: ..."]
    for wrong in [(("x", "y"), ()), (("x", "self", "z"), ()), (("x", "class", "z"), ())]:
        assert written(wrong) == positional
    assert default_text(float("inf")) == default_text({}) == "..."
    assert [default_text(x) for x in (None, True, 1, 1.5)] == ["None", "True", "1", "1.5"]


@pytest.mark.parametrize(
    "doc",
    [
        "One line.",
        "  Two\n  lines.",
        'Ends with "quotes"',
        'Has """ in it',
        "Back\\slash \\",
        "control \x00 and \x1b[0m",
        "\N{SNOWMAN} \N{RIGHT-TO-LEFT OVERRIDE}",
        '"',
    ],
)
def test_documentation_is_written_so_that_python_reads_it(doc):
    namespace = {}
    exec("\n".join(with_doc("def f(): ...", doc)), namespace)
    assert inspect.getdoc(namespace["f"]) == inspect.cleandoc(doc)


def test_new_class_has_the_documentation_of_its_type():
    info = ObjectInfo("a.Box", "ffi.Object", doc="A box.\n\nWith a lid.")
    lines = codegen.class_lines(info, {}, set())
    at = lines.index("class Box(_ffi_Object):")
    assert lines[at + 1 : at + 5] == ['    """A box.', "", "    With a lid.", '    """']
    lines = codegen.class_lines(ObjectInfo("a.Box", "ffi.Object"), {}, set())
    assert '    """FFI binding for `a.Box`."""' in lines


def test_no_documentation():
    for doc in (None, "", "  \n "):
        assert with_doc("def f(): ...", doc) == ["def f(): ..."]


@pytest.mark.spec("TOOL-U3")
def test_keyword_parameters(fill):
    keyword, both = fill(
        "object/testing.TestCxxKwOnly", "object/testing.TestCxxAutoInitKwOnlyDefaults"
    )
    assert "    def __init__(self, *, x: int, y: int, z: int, w: int = ...) -> None: ..." in keyword
    assert (
        "    def __init__(self, p_required: int, p_default: int = ..., *, k_required: int, "
        "k_default: int = ...) -> None: ..."
    ) in both


@pytest.mark.spec("TOOL-U5")
def test_no_methods_no_condition(fill):
    (lines,) = fill("object/testing.TestUnregisteredBaseObject")
    (none,) = fill("object/testing.TestCxxNoAutoInit")
    assert "if TYPE_CHECKING:" in lines
    assert none == ["# fmt: off", "x: int", "y: int", "# fmt: on"]


@pytest.mark.spec("TOOL-U9")
def test_import_section_leaves_out_what_the_file_defines(fill):
    lines, *_ = fill("import-section", "object/testing.TestIntPair", "global/testing")
    text = "\n".join(lines)
    assert "TestIntPair" not in text
    assert "    from tvm_ffi import Device, Object, Tensor, dtype" in lines
    assert "from tvm_ffi import init_ffi_api as _FFI_INIT_FUNC" in lines
    assert lines == sorted(set(lines), key=lines.index)


def test_import_object(fill):
    (lines,) = fill(
        "# tvm-ffi-stubgen(import-object): a.b.c;False;d",
        "# tvm-ffi-stubgen(import-object): ffi.Object;True;",
        "# tvm-ffi-stubgen(import-object): whole;False;",
        "import-section",
    )
    assert lines[3:-2] == [
        "import whole",
        "from a.b import c as d",
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    from tvm_ffi import Object",
    ]


@pytest.mark.spec("TOOL-U10")
def test_order_of_exports(fill):
    loader = "tvm_ffi.libinfo.load_lib_module"
    *_, names = fill(
        f"# tvm-ffi-stubgen(import-object): {loader};False;_FFI_LOAD_LIB",
        "global/ffi.json",
        "object/testing.TestIntPair",
        "# tvm-ffi-stubgen(ty-map): testing.TestCompare -> my.Cmp",
        "object/testing.TestCompare",
        "__all__",
    )
    assert names == ['"LIB",', '"Cmp",', '"Parse",', '"Stringify",', '"TestIntPair",']
    block = CodeBlock("__all__", "", 1, 2, ["#", "#"])
    codegen.generate_python_all(block, ["b", "A_b", "LIB", "Cls", "a", "B", "a"])
    assert block.lines[1:-1] == ['"B",', '"LIB",', '"Cls",', '"A_b",', '"a",', '"b",']


@pytest.mark.spec("TOOL-U11")
def test_export_block(fill):
    (lines,) = fill("export/_ffi_api")
    assert lines == [
        "# fmt: off",
        "# isort: off",
        "from ._ffi_api import *  # noqa: F403",
        "from ._ffi_api import __all__ as _ffi_api__all__",
        'if "__all__" not in globals():',
        "    __all__ = []",
        "__all__.extend(_ffi_api__all__)  # pyright: ignore",
        "# isort: on",
        "# fmt: on",
    ]


@pytest.mark.spec("TOOL-U12")
def test_blocks_with_nothing_to_say_stay(stub_file, stubgen):
    path = stub_file("import-section", "global/no.such.prefix", "__all__")
    before = path.read_bytes()
    assert stubgen(path)[0] == 0
    assert path.read_bytes() == before


@pytest.mark.spec("TOOL-U13")
def test_second_run_changes_nothing(stub_file, stubgen):
    path = stub_file("import-section", "global/testing", "object/testing.TestIntPair", "__all__")
    assert stubgen(path)[0] == 0
    first, stamp = path.read_bytes(), path.stat().st_mtime_ns
    assert stubgen(path)[0] == 0
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (first, stamp)


def test_generated_file_is_python(stub_file, stubgen):
    path = stub_file("import-section", "global/testing", "__all__")
    begin = "# tvm-ffi-stubgen(begin): __all__"
    path.write_text(path.read_text().replace(begin, f"__all__ = [\n{begin}") + "]\n")
    assert stubgen(path)[0] == 0
    namespace = {"__name__": "tvm_ffi.testing"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    assert set(namespace["__all__"]) <= {*dir(tvm_ffi.testing), *namespace}


@pytest.mark.spec("TOOL-U14")
def test_type_that_is_gone_is_kept_and_reported(stub_file, stubgen):
    path = stub_file("object/no.such.Type", "object/testing.TestIntPair")
    status, out = stubgen(path)
    assert status == 2
    message = "`object/no.such.Type` (line 1): the type is no longer registered; delete the block"
    assert message in out
    text = path.read_text()
    assert "# tvm-ffi-stubgen(begin): object/no.such.Type\n# tvm-ffi-stubgen(end)\n" in text
    assert "a: int" in text


def _filled(stub_file, stubgen, *blocks):
    """Fill the blocks of a file with an import section and `__all__`; return its path."""
    path = stub_file("import-section", *blocks, "__all__")
    begin = "# tvm-ffi-stubgen(begin): __all__"
    path.write_text(path.read_text().replace(begin, f"__all__ = [\n{begin}") + "]\n")
    status, out = stubgen(path)
    assert status == 0, out
    return path


def _run_module(path, name, monkeypatch):
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(path.read_text(), str(path), "exec"), vars(module))


@pytest.mark.parametrize("flags", [[], ["--check"], ["--pyi"]], ids=str)
def test_filled_functions_without_their_library_are_refused_and_nothing_is_written(
    stub_file, stubgen, flags
):
    path = _filled(stub_file, stubgen, "global/testing", "object/testing.TestIntPair")
    # Replace the prefix by `fastk`: an earlier run could have written these blocks for a library
    # that is not loaded now.
    path.write_text(path.read_text().replace('testing"', 'fastk"').replace("/testing", "/fastk"))
    before = path.read_bytes()
    status, out = stubgen(*flags, path)
    line = path.read_text().splitlines().index("# tvm-ffi-stubgen(begin): global/fastk") + 1
    assert status == 2
    assert (
        f'[Failed] File "{path}", line {line}: `global/fastk` (line {line}): no function `fastk.*` '
        "is registered: pass --dlls or --imports to load what registers them, or delete the block"
    ) in out
    assert "`object/fastk.TestIntPair`" in out
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_filled_functions_that_have_no_schema_now_keep_their_import(
    stub_file, stubgen, monkeypatch
):
    path = _filled(stub_file, stubgen, "global/testing", "object/testing.TestIntPair")
    text = path.read_text().replace('("testing"', '("pytest_stub_bare"')
    path.write_text(text.replace("global/testing", "global/pytest_stub_bare"))
    tvm_ffi.register_global_func("pytest_stub_bare.untyped", lambda: 7)
    try:
        assert stubgen(path)[0] == 0
        _run_module(path, "pytest_stub_bare", monkeypatch)
    finally:
        tvm_ffi.remove_global_func("pytest_stub_bare.untyped")


def test_functions_that_are_all_written_by_hand_keep_the_import_of_the_call(
    stub_file, stubgen, monkeypatch
):
    path = _filled(stub_file, stubgen, "global/ffi.json", "object/testing.TestIntPair")
    by_hand = "def Parse(text): ...\ndef Stringify(value, indent): ...\n"
    path.write_text(path.read_text() + by_hand)
    assert stubgen(path)[0] == 0
    _run_module(path, "pytest_stub_by_hand", monkeypatch)


def test_filled_type_that_is_gone_keeps_its_imports(stub_file, stubgen):
    path = _filled(stub_file, stubgen, "object/testing.TestObjectDerived")
    first = path.read_text()
    assert "from collections.abc import Mapping, Sequence" in first
    path.write_text(
        first.replace("object/testing.TestObjectDerived", "object/gone.TestObjectDerived")
        + "# tvm-ffi-stubgen(begin): object/testing.TestIntPair\n# tvm-ffi-stubgen(end)\n"
    )
    status, out = stubgen(path)
    assert status == 2
    assert "the type is no longer registered; delete the block, or pass --dlls or --imports" in out
    text = path.read_text()
    assert "from collections.abc import Mapping, Sequence" in text
    assert '"TestObjectDerived",' in text
    assert "a: int" in text


def test_only_the_first_import_section_is_filled(fill):
    first, _, second = fill("import-section", "global/ffi.json", "import-section")
    assert first
    assert not second


# ---- the directive prefix ----


@pytest.mark.spec("TOOL-U16")
def test_prefix_adds_blocks(stub_file, stubgen):
    path = stub_file(
        "# tvm-ffi-stubgen(prefix): testing",
        "# tvm-ffi-stubgen(skip): testing.TestCompare",
        "object/testing.TestIntPair",
        "object/testing.GoneType",
    )
    status, out = stubgen(path)
    assert status == 0, out
    assert "[Removed] testing.GoneType" in out
    lines = path.read_text().splitlines()
    keys = [line.partition("object/")[2] for line in lines if "begin): object/" in line]
    assert "testing.GoneType" not in keys
    assert "testing.TestCompare" not in keys
    assert keys[0] == "testing.TestIntPair"
    assert len(keys) == len(set(keys))
    assert keys.index("testing.TestObjectBase") < keys.index("testing.TestObjectDerived")
    assert lines[0] == "# tvm-ffi-stubgen(begin): import-section"
    before = path.read_bytes()
    assert stubgen(path)[0] == 0
    assert path.read_bytes() == before


@pytest.mark.spec("TOOL-U16")
def test_prefix_twice_is_a_failure(stub_file, stubgen, tmp_path):
    directive = "# tvm-ffi-stubgen(prefix): testing"
    stub_file(directive, directive, name="both.py")
    assert stubgen(tmp_path)[0] == 2
    (tmp_path / "both.py").unlink()
    stub_file(directive, name="one.py")
    other = stub_file(directive, name="two.py")
    status, out = stubgen(tmp_path)
    assert status == 2
    assert f'[Failed] File "{other}"' in out


# ---- enums ----


@pytest.mark.spec("TOOL-U17")
@pytest.mark.parametrize("key", ["ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"])
def test_enums_are_imported_from_where_they_are(imports, key):
    name = key.rpartition(".")[2]
    assert imports.output_text(TypeSchema(key)) == name
    assert ImportItem(f"tvm_ffi.dataclasses.{name}", True) in imports.items
    parent = ObjectInfo("a.B", parent_type_key=key)
    lines = codegen.class_lines(parent, {}, set())
    assert f"tvm_ffi.dataclasses.{name};False;_ffi_{name}" in lines[0]


@pytest.mark.spec("TOOL-U17")
@pytest.mark.parametrize("key", ["ffi.Module", "ffi.Error", "ffi.Array", "ffi.Tensor"])
def test_imports_of_runtime_types_work(imports, key):
    imports.output_text(read_schema(f'{{"type":"{key}"}}'))
    statements = render_imports([ImportItem(i.full_name, False) for i in imports.items])
    exec("\n".join(statements), {})


@pytest.mark.spec("TOOL-U9")
def test_import_lines_are_merged():
    items = [ImportItem(f"a.{n}", c) for n, c in itertools.product("yx", (True, False))]
    assert render_imports(items) == ["from a import x, y"]


@pytest.mark.spec("TOOL-U15")
def test_fields_of_a_python_class_have_their_types(fill):
    @py_class("test_output.Fields")
    class Fields(tvm_ffi.Object):
        first: int
        second: tvm_ffi.Array[str]

    (lines,) = fill("object/test_output.Fields")
    assert lines[1:3] == ["first: int", "second: Sequence[str]"]
    signature = "(self, first: int, second: Sequence[str]) -> None: ..."
    assert f"    def __init__{signature}" in lines


@pytest.mark.spec("TOOL-U15")
def test_methods_of_a_python_class_have_their_types(fill):
    @py_class("test_output.Methods")
    class Methods(tvm_ffi.Object):
        @tvm_ffi.method
        def scaled(self, factor: int, name: str) -> float:
            return float(factor)

        @tvm_ffi.method
        @staticmethod
        def made(items: tvm_ffi.Array[int]) -> None: ...

    (lines,) = fill("object/test_output.Methods")
    assert "    def scaled(self, _1: int, _2: str, /) -> float: ..." in lines
    static = lines.index("    def made(_0: Sequence[int], /) -> None: ...")
    assert lines[static - 1] == "    @staticmethod"
