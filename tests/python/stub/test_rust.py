# SPDX-License-Identifier: Apache-2.0
"""Test the target Rust of the stub generator."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tvm_ffi.stub.file_utils import FileInfo
from tvm_ffi.stub.rust_generator import imports, methods, names
from tvm_ffi.stub.rust_generator import text as rust_text

MARK = "// tvm-ffi-stubgen"
TYPES = Path(__file__).with_name("rust_types.py")
PLAIN_PAIR = """\
/// Complete: reflected fields fill [24, 40) exactly.
#[repr(C)]
#[derive(tvm_ffi::derive::Object)]
#[type_key = "testing.TestIntPair"]
#[type_final]
pub struct TestIntPairObj {
    base: Object,
    pub a: i64,
    pub b: i64,
}

const _: () = {
    assert!(::core::mem::size_of::<TestIntPairObj>() == 40);
    assert!(::core::mem::align_of::<TestIntPairObj>() == 8);
};

#[repr(C)]
#[derive(tvm_ffi::derive::ObjectRef, Clone)]
pub struct TestIntPair {
    base: ObjectArc<TestIntPairObj>,
}

impl Deref for TestIntPair {
    type Target = TestIntPairObj;
    fn deref(&self) -> &TestIntPairObj {
        &self.base
    }
}

impl TestIntPairObj {
    pub(crate) fn new(a: i64, b: i64) -> Self {
        let base = Object::new();
        Self { base, a, b }
    }
}

impl TestIntPair {
    /// Lossless complete-field allocation.
    pub fn new(a: i64, b: i64) -> Self {
        let obj = TestIntPairObj::new(a, b);
        Self { base: ObjectArc::new(obj) }
    }
}
"""
METHODS_OF_PAIR = """
impl TestIntPair {
    /// Call the registered constructor.
    pub fn init(a: i64, b: i64) -> Result<Self> {
        tvm_ffi::call_method!(TestIntPairObj, "__ffi_init__", &a, &b)
    }

    /// Method to compute sum of a and b
    pub fn sum(&self) -> Result<i64> {
        tvm_ffi::call_method!(TestIntPairObj, "sum", self)
    }
}
"""


@pytest.fixture
def crate(tmp_path):
    """Make an empty crate; return the directory of its sources."""
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "demo"\n')
    (tmp_path / "src").mkdir()
    return tmp_path / "src"


@pytest.fixture
def rust(crate, run_command, tmp_path):
    """Return a function that fills a file with blocks; it returns status, output and text."""
    shutil.copy(TYPES, tmp_path)

    def run(directives, *keys, name="lib.rs", options=()):
        path = crate / name
        if not path.exists():
            lines = [f"{MARK}({d.replace(':', '):', 1)}" for d in directives]
            lines += [f"{MARK}(begin): import-section", f"{MARK}(end)"]
            for key in keys:
                lines += [f"{MARK}(begin): object/{key}", f"{MARK}(end)"]
            path.write_text("\n".join(lines) + "\n")
        imports = ["--imports", "rust_types;tvm_ffi.testing"]
        done = run_command(
            "--target", "rust", *imports, *options, crate, PYTHONPATH=_path(tmp_path)
        )
        return done.returncode, done.stdout + done.stderr, path.read_text()

    return run


@pytest.fixture
def generated(rust):
    """Return a function that fills a file with blocks, without an error; it returns the text."""

    def run(directives, *keys, **options):
        status, out, text = rust(directives, *keys, **options)
        assert status == 0, out
        return text

    return run


def _path(*more):
    import tvm_ffi

    return ":".join([*map(str, more), str(Path(tvm_ffi.__file__).parents[1])])


INIT = ["--init-pypkg", "demo", "--init-lib", "demo", "--init-prefix"]


@pytest.fixture
def init(crate, run_command, tmp_path):
    """Return a function that runs init mode on the crate."""
    shutil.copy(TYPES, tmp_path)

    def run(prefix, *more):
        done = run_command(
            *("--target", "rust", "--imports", "rust_types;tvm_ffi.testing"),
            *INIT,
            prefix,
            *more,
            crate,
            PYTHONPATH=_path(tmp_path),
        )
        assert done.returncode == 0, done.stdout + done.stderr

    return run


# ---- the generated code ----


@pytest.mark.spec("TOOL-SR1")
def test_complete_type(generated):
    text = generated([], "testing.TestIntPair")
    block = f"{PLAIN_PAIR}{METHODS_OF_PAIR}"
    assert f"{MARK}(begin): object/testing.TestIntPair\n{block}{MARK}(end)\n" in text
    names = ("std::ops::Deref", "tvm_ffi::Object", "tvm_ffi::ObjectArc", "tvm_ffi::Result")
    imports = [f"use {name};" for name in names]
    assert "\n".join([f"{MARK}(begin): import-section", *imports, f"{MARK}(end)"]) in text


@pytest.mark.spec("TOOL-SR2")
def test_members_follow_the_bytes_of_the_fields(generated):
    text = generated([], "testing.TestCxxClassBase", "testing.TestCxxClassDerived")
    for name, type_ in (("v_i64", "i64"), ("v_i32", "i32"), ("v_f64", "f64"), ("v_f32", "f32")):
        assert f"    pub {name}: Writable<{type_}>,\n" in text
    assert "Self { base, v_i64: v_i64.into(), v_i32: v_i32.into() }" in text
    assert "(alignment padding [52, 56))" in text
    assert "let base = TestCxxClassBaseObj::new(v_i64, v_i32);" in text
    assert "tvm_ffi::impl_object_upcast!(TestCxxClassDerived => TestCxxClassBase);" in text


@pytest.mark.spec("TOOL-SR2")
def test_python_types_have_members_too(generated):
    text = generated([], "rust.Plain", "rust.Child", "rust.Empty")
    for line in (
        "pub s: Writable<String>,",
        "pub by: Writable<Bytes>,",
        "pub device: Writable<DLDevice>,",
        "pub dtype: Writable<DLDataType>,",
        "pub a: Writable<Any>,",
        "pub o: Writable<ObjectRef>,",
        "pub r#fn: Writable<Function>,",
        "pub table: Writable<Map<String, Array<Plain>>>,",
        "pub flags: Writable<List<Option<i64>>>,",
        "pub base_: Writable<Optional<i64>>,",
    ):
        assert line in text, line
    assert "drop_in_place(addr_of_mut!((*this).a));" in text
    assert "drop_if_defined(addr_of_mut!((*this).s));" in text
    assert "Self { base: ShallowCopy::shallow_copy(&self.base) }" in text


def test_values_of_other_classes_cannot_be_assigned(generated):
    text = generated([], "rust.Located")
    assert "field 'path' (ffi.reflection.AccessPath) has no native mirror" in text
    assert "pub fn path(&self) -> Result<ObjectRef> {" in text


@pytest.mark.spec("TOOL-SR3")
def test_opaque_type_has_accessors(generated):
    text = generated([], "rust.Plain", "rust.Opaque")
    assert "/// Opaque: field 'table' (Dict[str, int]) has no native mirror." in text
    assert "pub fn table(&self) -> Result<Any> {" in text
    assert 'FieldGetter::new(Self::type_index(), "table")?.get_any(self)' in text
    assert "pub fn other(&self) -> Result<Option<Plain>> {" in text
    assert "pub fn others(&self) -> Result<Array<Plain>> {" in text
    assert "#[allow(non_snake_case)]\n    pub fn Self_(&self) -> Result<i64> {" in text
    # The names of two fields differ only by a final underscore, so the underscore is kept.
    assert "pub fn o_(&self)" in text
    assert "pub fn o(&self)" in text


@pytest.mark.spec("TOOL-SR3")
def test_ancestors_that_the_crate_lacks_have_stand_ins(generated):
    text = generated([], "rust.Step", "rust.OtherStep")
    assert "parent 'ffi.reflection.AccessStep' is opaque (no-mirror)" in text
    stand_in = "struct FfiReflectionAccessStepObj {\n    base: Object,\n}"
    assert text.index(stand_in) < text.index(f"{MARK}(end)")
    assert text.count("base: FfiReflectionAccessStepObj,") == 2
    assert "impl Deref for StepObj" not in text
    assert "upcast" not in text


# ---- methods and enums ----


def test_methods_have_types_and_documentation(generated):
    text = generated([], "testing.SchemaAllTypes", "testing.TestMethodKeywords")
    expected = """\
    /// append int to array
    pub fn append_int(&self, arg0: impl Into<Array<i64>>, arg1: i64) -> Result<Array<i64>> {
        let arg0: Array<i64> = arg0.into();
        tvm_ffi::call_method!(SchemaAllTypesObj, "append_int", self, &arg0, &arg1)
    }
"""
    assert expected in text
    assert "pub fn make_with(arg0: i64, arg1: f64, arg2: impl Into<String>) -> Result<" in text
    assert "pub fn weigh(&self, x: i64, y: i64, z: i64) -> Result<i64> {" in text
    assert "pub fn difference(x: i64, y: i64) -> Result<i64> {" in text


def test_children_have_the_methods_of_their_parents(generated):
    text = generated([], "testing.TestObjectBase", "testing.TestObjectDerived")
    for key in ("Base", "Derived"):
        assert f'call_method!(TestObject{key}Obj, "add_i64", self, &arg0)' in text


def test_types_that_no_file_defines_are_any_in_methods(generated):
    text = generated([], "rust.Path")
    assert "pub fn _extend(&self, arg0: impl Into<Any>) -> Result<ObjectRef> {" in text
    assert "pub fn _to_steps(&self) -> Result<Array<ObjectRef>> {" in text


def test_enums_derive_from_the_enums_of_the_crate(generated):
    keys = ("testing.TestCxxIntEnum", "testing.TestCxxStrEnum", "rust.Level")
    text = generated([], *keys)
    assert "parent 'ffi.IntEnum' is opaque (no-mirror)" in text
    assert "pub struct TestCxxIntEnumObj {\n    base: IntEnumObj,\n}" in text
    assert "impl_object_upcast!(TestCxxStrEnum => Enum, TestCxxStrEnum => StrEnum);" in text
    assert 'low() -> Result<Self> {\n        EnumDef::get("low")\n    }' in text
    assert "/// Return the entry `*`.\n    pub fn asterisk() -> Result<Self> {" in text
    assert "fn init(" not in text


@pytest.mark.spec("TOOL-SR4")
def test_types_of_other_modules(rust, generated, crate):
    rust([], "rust.Plain", name="a.rs")
    text = generated([], "rust.inner.Array", "rust.inner.Plain", name="b.rs")
    assert "pub items: Writable<tvm_ffi::Array<crate::a::Plain>>," in text
    assert "let base = PlainObj" not in text
    assert "let base = crate::a::PlainObj::new(" in text.replace("\n            ", " ")
    assert "tvm_ffi::impl_object_upcast!(Plain => crate::a::Plain);" in text


@pytest.mark.spec("TOOL-SR4")
def test_two_types_of_one_name_in_a_file_are_refused(rust):
    status, out, text = rust([], "rust.Plain", "rust.inner.Plain")
    assert status == 2
    assert "`rust.Plain` and `rust.inner.Plain` both define `Plain`" in out
    assert "struct" not in text


def test_global_blocks_stay(crate, rust):
    path = crate / "lib.rs"
    blocks = ["global/testing", "__all__", "export/x"]
    path.write_text("".join(f"{MARK}(begin): {b}\n{MARK}(end)\n" for b in blocks))
    before = path.read_text()
    assert rust([])[0] == 0
    assert path.read_text() == before


# ---- imports ----


@pytest.fixture
def without_section(crate, rust):
    """Return a function that fills blocks in a file without an import section."""

    def run(text, *keys):
        blocks = "".join(f"{MARK}(begin): object/{key}\n{MARK}(end)\n" for key in keys)
        (crate / "lib.rs").write_text(text + blocks)
        return rust([])

    return run


def test_names_have_paths_without_an_import_section(without_section, rust, crate):
    keys = ("testing.TestIntPair", "rust.Opaque", "rust.Plain", "rust.Step", "rust.OtherStep")
    status, out, text = without_section("", *keys)
    assert status == 0, out
    assert "use " not in text
    assert "impl std::ops::Deref for TestIntPair {" in text
    assert "pub fn sum(&self) -> tvm_ffi::Result<i64> {" in text
    assert 'new(<Self as tvm_ffi::ObjectCore>::type_index(), "table")?.get_any(self)' in text
    # The first of two types that need a stand-in defines it.
    assert text.count("struct FfiReflectionAccessStepObj {") == 1
    assert text.index("struct FfiReflectionAccessStepObj {") < text.index("pub struct StepObj")
    assert rust([], options=["--check"])[0] == 0
    assert rust([])[2] == text


def test_imports_of_the_file_itself_are_used(without_section):
    written = "use tvm_ffi::{Object, ObjectArc as Arc};\npub(crate) struct Result;\n"
    status, out, text = without_section(written, "testing.TestIntPair")
    assert status == 0, out
    assert "    base: Object,\n" in text
    assert "    base: tvm_ffi::ObjectArc<TestIntPairObj>,\n" in text
    assert "-> tvm_ffi::Result<i64> {" in text


def test_import_section_does_not_repeat_imports_of_the_file(generated, crate):
    section = f"{MARK}(begin): import-section\n{MARK}(end)\n"
    block = f"{MARK}(begin): object/testing.TestIntPair\n{MARK}(end)\n"
    (crate / "lib.rs").write_text(
        f"use tvm_ffi::{{self, Object}};\n{section}type Result = ();\n{block}"
    )
    text = generated([])
    assert "use tvm_ffi::Object;" not in text
    assert "use tvm_ffi::Result;" not in text
    assert "use tvm_ffi::ObjectArc;" in text


def test_import_object_without_an_import_section_is_refused(without_section):
    directive = f"{MARK}(import-object): std::fmt::Debug\n"
    status, out, text = without_section(directive, "testing.TestIntPair")
    assert status == 2
    assert "`import-object` directive at line 1 needs an import section: add the lines" in out
    assert "struct" not in text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("use a::b;", {"b": "a::b"}),
        ("pub(crate) use ::a::b as c;", {"c": "a::b"}),
        (
            "use a::{b, c::{self, d as e, f}, g::*, h as _};",
            {"b": "a::b", "c": "a::c", "e": "a::c::d", "f": "a::c::f"},
        ),
        ("use a::{\n    b, // the first\n    c,\n};", {"b": "a::b", "c": "a::c"}),
        ("    use a::b;\n// use c::d;", {}),
    ],
)
def test_use_lines(tmp_path, text, found):
    path = tmp_path / "a.rs"
    path.write_text(f"{text}\n{MARK}(begin): object/a.B\nuse x::y;\n{MARK}(end)\n")
    assert imports.names_of_text(FileInfo.from_file(path))[0] == found


# ---- directives ----


@pytest.mark.spec("TOOL-SR5")
def test_field_directive(generated):
    directives = [
        "field: rust.Opaque.table -> crate::table::Table",
        "field: testing.TestCxxClassBase.v_i32 -> u32",
    ]
    text = generated(
        directives, "rust.Plain", "rust.Opaque", "testing.TestCxxClassBase", name="m.rs"
    )
    assert "use crate::table::Table;" in text
    assert "pub fn table(&self) -> Result<Table> {" in text
    assert "pub fn new(v_i64: i64, v_i32: u32) -> Self {" in text


@pytest.mark.spec("TOOL-SR5")
def test_enum_directive(generated):
    directive = "enum: testing.TestCxxClassBase.v_i32 -> Mode(i32) { A=0, B = -7 }"
    text = generated([directive], "testing.TestCxxClassBase")
    assert "#[repr(transparent)]\npub struct Mode(i32);" in text
    assert "pub const B: Self = Self(-7);" in text
    assert "impl TryFrom<i64> for Mode {" in text
    assert "pub fn new(v_i64: i64, v_i32: impl Into<Mode>) -> Self {" in text
    assert "pub v_i32: Writable<i32>," in text and "v_i32: v_i32.as_raw().into() }" in text


@pytest.mark.spec("TOOL-SR5")
def test_nullable_directive(generated):
    text = generated(["nullable: testing.TestVisitHook.child"], "testing.TestVisitHook")
    assert "pub child: Option<ObjectRef>," in text


@pytest.mark.spec("TOOL-SR5")
def test_opaque_directive_reaches_descendants(generated):
    keys = ("testing.TestObjectBase", "testing.TestObjectDerived")
    text = generated([f"opaque: {keys[0]}"], *keys)
    assert "/// Opaque: vetoed by directive although the layout is reproducible." in text
    assert "parent 'testing.TestObjectBase' is opaque (by-directive)" in text
    assert "pub fn v_array(&self) -> Result<Array<Any>> {" in text
    assert "size_of" not in text


@pytest.mark.spec("TOOL-SR5")
def test_upcast_custom_new_and_import_directives(generated):
    directives = [
        "upcast: testing.TestIntPair -> crate::x::Up",
        "custom-new: testing.TestIntPair",
        "import-object: std::fmt::Debug;False;",
    ]
    text = generated(directives, "testing.TestIntPair")
    assert "pub fn from_fields(a: i64, b: i64) -> Self {" in text
    assert "tvm_ffi::impl_object_upcast!(TestIntPair => Up);" in text
    assert "use crate::x::Up;\nuse std::fmt::Debug;" in text


@pytest.mark.spec("TOOL-T7", "TOOL-SR6")
@pytest.mark.parametrize(
    ("directive", "text"),
    [
        ("field: x", "`field` directive at line 1. Expected `<type_key>.<field> -> <RustType>`"),
        ("field: a.b ->", "`field` directive at line 1."),
        ("nullable: x", "`nullable` directive at line 1. Expected `<type_key>.<field>`"),
        ("enum: x", "Expected `<type_key>.<field> -> Name(i32) { A=0, B=1 }`"),
        ("enum: a.b -> N(u33) { A=0 }", "Invalid `enum` directive at line 1."),
        ("enum: a.b -> N(i32) { A }", "Invalid `enum` directive at line 1."),
        ("opaque:", "Invalid `opaque` directive at line 1. Expected `<type_key>`"),
        ("upcast: x", "`upcast` directive at line 1. Expected `<type_key> -> <RustType>`"),
        ("custom-new:", "Invalid `custom-new` directive at line 1. Expected `<type_key>`"),
        ("import-object: ;;", "Invalid `import-object` directive at line 1."),
        ("bogus: x", "Unknown directive `bogus` at line 1"),
    ],
)
def test_malformed_directives(crate, stubgen, directive, text):
    name, _, payload = directive.partition(":")
    (crate / "lib.rs").write_text(f"{MARK}({name}):{payload}\n")
    status, out = stubgen("--target", "rust", crate)
    assert status == 2
    assert text in out


@pytest.mark.spec("TOOL-SR6")
@pytest.mark.parametrize(
    ("directive", "text"),
    [
        (
            "field: testing.TestCxxClassBase.v_i32 -> u64",
            "`testing.TestCxxClassBase.v_i32` maps a 4-byte field to `u64` (8 bytes)",
        ),
        (
            "enum: testing.TestCxxClassBase.v_i32 -> Mode(u8) { A=0 }",
            "maps a 4-byte field to `u8` (1 bytes)",
        ),
        (
            "nullable: testing.TestCxxClassBase.v_i32",
            "the field is 4 bytes, not a pointer-sized object reference",
        ),
        ("nullable: testing.TestCxxClassBase.v_i64", "the field is not an object reference"),
    ],
)
def test_directives_that_do_not_fit(rust, directive, text):
    status, out, _ = rust([directive], "testing.TestCxxClassBase")
    assert status == 2
    assert text in out


@pytest.mark.spec("TOOL-SR7")
def test_missing_dependencies_are_named(rust):
    status, out, text = rust([], "testing.TestObjectDerived")
    assert status == 2
    assert "`testing.TestObjectDerived` (line 3) depends on `testing.TestObjectBase`, which" in out
    assert "add an `object/<key>` block or a `ty-map` directive for each" in out
    assert "struct" not in text


@pytest.mark.spec("TOOL-SR7")
def test_ty_map_provides_dependencies(generated):
    directive = "ty-map: testing.TestObjectBase -> other::Base"
    text = generated([directive], "testing.TestObjectDerived")
    assert "use other::Base;\nuse other::BaseObj;" in text
    assert "impl_object_upcast!(TestObjectDerived => Base);" in text


@pytest.mark.spec("TOOL-SR4")
def test_file_outside_a_crate_is_refused(tmp_path, stubgen):
    path = tmp_path / "a.rs"
    path.write_text(f"{MARK}(begin): object/testing.TestIntPair\n{MARK}(end)\n")
    status, out = stubgen("--target", "rust", path)
    assert status == 2
    assert "is not in a Cargo crate: there is no `Cargo.toml` above it" in out


# ---- init mode, prefixes, check ----


@pytest.mark.spec("TOOL-SR8")
def test_init_makes_modules(crate, init):
    (crate / "lib.rs").write_text("//! Mine.\n")
    init("rust")
    text = (crate / "rust" / "mod.rs").read_text()
    assert text.startswith("#![allow(dead_code, unused_imports)]\n\n//! FFI bindings for `rust`")
    assert text.index("object/rust.Plain") < text.index("object/rust.Child")
    assert "pub mod inner;" in text
    assert (crate / "lib.rs").read_text() == "//! Mine.\npub mod rust;\n"
    assert "crate::rust::Plain" in (crate / "rust" / "inner" / "mod.rs").read_text()
    before = {path: path.read_bytes() for path in crate.rglob("*.rs")}
    init("rust")
    assert {path: path.read_bytes() for path in crate.rglob("*.rs")} == before


def test_init_without_a_root_file_makes_one(crate, init):
    init("testing")
    assert (crate / "mod.rs").read_text() == "pub mod testing;\n"


@pytest.mark.spec("TOOL-SR8")
def test_prefix_adds_blocks_at_the_end(rust, crate):
    path = crate / "lib.rs"
    path.write_text(f"#![allow(dead_code)]\n{MARK}(prefix): rust\n{MARK}(skip): rust.Opaque\n")
    assert rust([])[0] == 0
    lines = path.read_text().splitlines()
    assert lines[0] == "#![allow(dead_code)]"
    assert lines[3:5] == ["", f"{MARK}(begin): import-section"]
    assert not any("rust.Opaque" in line for line in lines[3:])
    assert rust([])[0] == 0
    assert path.read_text().splitlines() == lines


@pytest.mark.spec("TOOL-S5", "TOOL-SR9")
def test_check_looks_at_definitions_alone(rust, crate):
    path = crate / "lib.rs"
    assert rust([], "testing.TestIntPair")[0] == 0
    good = path.read_text()
    changed = good.replace("/// Complete", "/// Other").replace("use tvm_ffi::Object;\n", "")
    path.write_text(changed.replace("base: Object,", "base: tvm_ffi::Object,"))
    assert rust([], options=["--check"])[0] == 0
    path.write_text(good.replace("pub a: i64,", "pub a: i32,"))
    status, out, text = rust([], options=["--check"])
    assert status == 1
    assert "[Stale]" in out
    assert "pub a: i32," in text


# ---- names ----


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("a", "a"), ("fn", "r#fn"), ("self", "self_"), ("a-b c", "a_b_c"), ("1", "_1")),
        *(("", "__"), ("_", "__"), ("x²", "x_"), ("+", "plus_sign")),
        *(("<=", "less_than_sign_equals_sign"), ("é", "é"), ("\u03b1", "greek_small_letter_alpha")),
    ],
)
def test_identifiers(name, text):
    assert names.identifier(name) == text


def test_members_have_different_names():
    found = names.member_names(["a", "a_", "b_", "c-d", "c d", "base"])
    assert found["a"] == "a"
    assert found["b_"] == "b"
    assert found["base"] == "base_"
    assert len(set(found.values())) == 6


def test_functions_have_different_names():
    wanted = ["a-b", "a b", "a_b", "type", "clone", "a_b"]
    found = methods._function_names(wanted, {"clone"})
    assert found == ["a_b__", "a_b___", "a_b", "r#type", "clone_", "a_b_"]


@pytest.mark.parametrize(
    ("doc", "lines"),
    [
        (None, []),
        (" \n ", []),
        ("One.\r\nTwo.", ["/// One.", "/// Two."]),
        ("One.\rTwo.", ["/// One.", "/// Two."]),
        ("A.\n\n        code()\n  B.", ["/// A.", "///", "///    code()", "/// B."]),
        ("A.\n```\n    f()\n```", ["/// A.", "/// ```text", "///     f()", "/// ```"]),
        ("A.\n```rust\nf()\n```", ["/// A.", "/// ```text", "/// f()", "/// ```"]),
        ("a\u202eb\x00c", ["/// a b c"]),
    ],
)
def test_documentation_is_not_read_as_code(doc, lines):
    assert rust_text.doc_lines(doc, "") == lines


def test_literals():
    assert names.literal('a"b\\c\n\0é') == '"a\\"b\\\\c\\n\\u{0}é"'


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("src/lib.rs", "crate"),
        ("src/main.rs", "crate"),
        ("src/a/mod.rs", "crate::a"),
        ("src/a/type.rs", "crate::a::r#type"),
        ("generated/a.rs", "crate::generated::a"),
    ],
)
def test_paths_of_modules(tmp_path, file, path):
    (tmp_path / "Cargo.toml").write_text("")
    assert names.module_path(tmp_path / file) == path
