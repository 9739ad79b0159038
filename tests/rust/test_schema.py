# SPDX-License-Identifier: Apache-2.0
"""Test classes that the schema tool writes in Rust: the behaviour suite, and other features.

One crate has all these classes, so that cargo builds one library.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import math
import os
import pickle
import re
import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import execute

import tvm_ffi
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

SCHEMA = Path(__file__).resolve().parents[2] / "schema" / "tests"
CONFIGURATION = """\
sources = ["model.py", "terms.py", "units.py"]
rust_root = "src/schema"
python_root = "python/bound"
[rust_externs]
"ffi.reflection.AccessStep" = "tvm_ffi::reflection::AccessStep"
"""
#: The conftest.py for `schema/tests/ways/checks.py`, which pytest runs in a separate process.
CONFTEST = """\
import os
import tvm_ffi

tvm_ffi.load_module(os.environ["MODEL_LIBRARY"])
"""
LIB = """\
//! The classes of a schema.
#![deny(warnings)]
pub mod schema;
"""
#: Method -> the hand-written text that replaces the generated text.
BODIES = {
    "TermNode.method:size": """\
    /// Return the number of terms.
    pub fn size(&self) -> tvm_ffi::Result<i64> {
        Ok(tvm_ffi::match_any! { self.clone() {
            Call(call) => 1 + call.callee.size()?,
            _ => 1,
        } })
    }
""",
    "CallNode.method:apply": """\
    /// Apply the callee.
    pub fn apply(
        &self,
        scale: f64,
        names: tvm_ffi::Array<tvm_ffi::String>,
        depth: i64,
    ) -> tvm_ffi::Result<Option<Term>> {
        let note = format!("{scale} {} {depth} 'a'", names.len());
        let (callee, arguments) = (self.callee.clone(), self.arguments.clone());
        let call = Call::new(callee, arguments, self.base_, note);
        Ok((depth > 0).then(|| call.into()))
    }
""",
    "CallNode.method:of": """\
    /// Make a call without arguments.
    pub fn of(callee: Term, anything: tvm_ffi::Any, limit: Option<i64>) -> tvm_ffi::Result<Call> {
        let note = format!("{} {limit:?}", anything.type_index());
        Ok(Call::new(callee, tvm_ffi::Array::default(), 1, note))
    }
""",
    "ParsedNode.method:__init__": """\
    /// Parse.
    pub fn init(text: tvm_ffi::String, radix: i64) -> tvm_ffi::Result<Self> {
        match i64::from_str_radix(text.as_str(), radix as u32) {
            Ok(value) => Ok(ParsedNode::new(tvm_ffi::Object::new(), value).into()),
            Err(error) => tvm_ffi::bail!(tvm_ffi::VALUE_ERROR, "{error}"),
        }
    }
""",
}


def _run(folder: Path, *command: str, **more: str) -> str:
    done = execute(sys.executable, "-m", *command, cwd=folder, env={**os.environ, **more})
    return done.stdout


def _written(text: str) -> str:
    """Replace the generated methods in a file by hand-written ones."""
    for anchor, body in BODIES.items():
        begin = f"    // tschema: custom-begin {re.escape(anchor)}\n"
        found = re.search(rf"{begin}(.*?)    // tschema: custom-end\n", text, flags=re.DOTALL)
        assert found is not None, anchor
        text = text[: found.start(1)] + body + text[found.end(1) :]
    return text


@pytest.fixture(scope="session")
def folder() -> Path:
    """Return the crate with its generated files and hand-written methods."""
    from .conftest import MANIFEST, ROOT

    # Use the same directory each time, so that cargo replaces its earlier output.
    path = Path(os.environ["CARGO_TARGET_DIR"]) / "crates" / "schema_classes"
    shutil.rmtree(path, ignore_errors=True)
    (path / "src").mkdir(parents=True)
    more = 'default-features = false\n[lib]\ncrate-type = ["cdylib"]\n'
    manifest = MANIFEST.format(name="schema_classes", crate=ROOT / "rust" / "tvm-ffi", more=more)
    head, _, rest = manifest.partition("tvm-ffi = { path")
    table = head.replace("[dependencies]\n", "[dependencies.tvm-ffi]\n")
    (path / "Cargo.toml").write_text(f"{table}path{rest.replace(' }', '', 1)}")
    (path / "src" / "lib.rs").write_text(LIB)
    (path / "tschema.toml").write_text(CONFIGURATION)
    (path / "conftest.py").write_text(CONFTEST)
    shutil.copy(SCHEMA / "ways" / "model.py", path / "model.py")
    shutil.copy(SCHEMA / "ways" / "checks.py", path / "test_model.py")
    for name in ("terms.py", "units.py"):
        shutil.copy(SCHEMA / "rust_crate" / name, path / name)
    _run(path, "tvm_ffi_schema", "generate", "-q", "--to", "rust,python,pyi")
    terms = path / "src" / "schema" / "terms.rs"
    terms.write_text(_written(terms.read_text()))
    kept = terms.read_text()
    _run(path, "tvm_ffi_schema", "generate", "-q", "--no-cache", "--to", "rust,python,pyi")
    assert terms.read_text() == kept
    return path


@pytest.fixture(scope="session")
def library(folder: Path) -> str:
    """Build the crate, with warnings as errors; return the path of the library."""
    from .conftest import Crate

    crate = Crate(folder)
    built = crate.cargo("build")
    assert built.returncode == 0, built.stderr
    return str(crate.target / "debug" / "libschema_classes.so")


@pytest.fixture(scope="session")
def terms(folder: Path, library: str) -> Any:
    """Return the generated Python module for the Rust classes of ``terms.py``."""
    tvm_ffi.load_module(library)
    sys.path.insert(0, str(folder / "python"))
    try:
        return importlib.import_module("bound._terms")
    finally:
        sys.path.remove(str(folder / "python"))


@pytest.fixture(scope="session")
def units(terms: Any, folder: Path) -> Any:
    """Return the generated Python module for the Rust classes of ``units.py``."""
    sys.path.insert(0, str(folder / "python"))
    try:
        with warnings.catch_warnings():
            # The enum `Unit` is a plain class, so the module does not annotate its fields. This
            # causes a warning.
            warnings.simplefilter("ignore", UserWarning)
            return importlib.import_module("bound._units")
    finally:
        sys.path.remove(str(folder / "python"))


@pytest.mark.spec("SC66", "RUST-R46")
def test_classes_in_rust_pass_the_behaviour_suite(folder: Path, library: str) -> None:
    command = ["pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "test_model.py"]
    out = _run(folder, *command, f"--rootdir={folder}", MODEL_LIBRARY=library, MODEL_WAY="rust")
    assert " passed" in out and " skipped" not in out and " xfailed" not in out, out
    _run(folder, "tvm_ffi_schema", "validate", "-q", "model.py", "--lib", library)


@pytest.mark.spec("RUST-R47")
def test_generated_rust_is_formatted(folder: Path) -> None:
    files = sorted(map(str, (folder / "src" / "schema").glob("*.rs")))
    command = ["rustfmt", "--check", "--edition", "2021", *files]
    execute(*command)
    assert len(files) == 4


@pytest.mark.spec("RUST-R47")
def test_methods_by_hand(terms: Any) -> None:
    leaf = terms.Leaf(extent=tvm_ffi.Shape((2, 3)))
    call = terms.Call(leaf, note="n")
    assert (leaf.size(), call.size()) == (1, 2)
    made = call.apply(0.5, ["a", "b"], depth=1)
    assert made.same_as(made) and made.note == "0.5 2 1 'a'" and made.callee.same_as(leaf)
    assert call.apply(0.5, [], 0) is None and call.apply(names=[], scale=1).note == "1 0 2 'a'"
    assert terms.Call.of(leaf).note == "0 None" and terms.Call.of(leaf, 1, 5).note == "1 Some(5)"
    with pytest.raises(TypeError, match="`str` to `float`"):
        call.apply("x", [])
    with pytest.raises(NotImplementedError, match=r"terms\.Call\.unfinished is not implemented"):
        call.unfinished({}, 1)


def test_constructors_by_hand(terms: Any) -> None:
    assert (terms.Parsed("12").value, terms.Parsed("ff", 16).value) == (12, 255)
    with pytest.raises(ValueError, match="invalid digit"):
        terms.Parsed("x")
    with pytest.raises(TypeError):
        terms.Term()


def test_defaults_of_every_type(terms: Any) -> None:
    leaf = terms.Leaf(extent=(2, 3))
    assert str(leaf.type) == "float32x4" and leaf.matched == -5 and leaf.wide == (1 << 63) - 1
    assert leaf.infinite == math.inf and math.isnan(leaf.missing)
    assert leaf.small == pytest.approx(1e-3) and str(leaf.device) == "cuda:1"
    assert list(leaf.pair) == [7] and (leaf.either, leaf.maybe) == ("text", "some")
    assert list(leaf.numbers["a"]) == [1.0, 2.5] and list(leaf.extent) == [2, 3]
    assert (leaf.base, leaf.hidden, leaf.effect.cost) == (1, 0, 2.0)
    call = terms.Call(leaf)
    assert call.note == 'with "quotes", \\ and \n' and len(call.arguments) == 0
    leaf.either = call
    assert leaf.either.same_as(call)
    for wrong in ({"matched": 300}, {"either": 1.5}, {"pair": ("x",)}, {"pair": (1, 2)}):
        with pytest.raises((TypeError, OverflowError)):
            terms.Leaf(extent=(), **wrong)
    with pytest.raises(AttributeError):
        call.note = "x"


def test_what_types_and_fields_say(terms: Any) -> None:
    assert str(inspect.signature(terms.Call)).startswith("(callee: ")
    info = terms.Leaf.__tvm_ffi_type_info__
    fields = {one.name: one for one in info.fields}
    assert fields["noted"].metadata["unit"] == 'm"' and fields["noted"].metadata["limit"] == 12
    assert tvm_ffi.get_type_attr(terms.Term, "terms.rank") == 1
    assert list(tvm_ffi.get_type_attr(terms.Term, "terms.words")) == ["a", 2]
    methods = {one.name: one for one in terms.Call.__tvm_ffi_type_info__.methods}
    assert methods["apply"].doc == "Apply the callee." and methods["of"].is_static


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(terms: Any, copied: Callable[[Any], Any]) -> None:
    leaf = terms.Leaf(extent=(1,))
    call = terms.Call(leaf, [leaf, leaf], note="x")
    made = copied(call)
    assert tvm_ffi.structural_equal(made, call) and not made.same_as(call)
    assert made.arguments[0].same_as(made.arguments[1]) and repr(made) == repr(call)
    made = from_json_graph_str(to_json_graph_str(call))
    assert tvm_ffi.structural_equal(made, call)


def test_enums_with_columns_and_fields(terms: Any) -> None:
    assert [(one.name, one.value) for one in terms.Kind] == [("leaf", 2), ("inner", 8)]
    assert terms.Kind.def_attr("symbol")[terms.Kind.leaf] == "L"
    assert terms.Effect.pure.kind.same_as(terms.Kind.leaf) and terms.Effect.pure.cost == 0.0
    assert list(terms.Effect.reads.names) == ["a", "b"] and terms.Effect.reads.cost == 2.0


def test_classes_of_other_files_and_crates(terms: Any, units: Any) -> None:
    loop = units.Loop(terms.Leaf(extent=()), body=terms.Leaf(extent=()))
    assert isinstance(loop, terms.Call) and loop.size() == 2 and loop.body.base == 1
    made = units.Option(kind=terms.Kind.inner, calls=[loop])
    assert made.step is None and made.calls[0].same_as(loop) and made.kind.value == 8
    with pytest.raises(TypeError, match="AccessStep"):
        units.Option(step=loop)
    assert (units.Unit.metre.metres, units.Unit.mile.metres) == (1.0, 1609.344)
    assert units.Unit.def_attr("symbol")[units.Unit.mile] == "mi"
