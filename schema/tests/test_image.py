# SPDX-License-Identifier: Apache-2.0
"""Schema images: loading classes from an image, and objects of these classes."""

from __future__ import annotations

import copy
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import schema
from tvm_ffi_schema.build import toolchain

CORPUS = Path(__file__).parent / "corpus"

SHAPES = '''
__tschema__ = module(namespace="img", type_key_prefix="img.KEY.")

@declare
class PointNode(Object):
    """A point."""
    type_key = "Point"
    mutable = True
    x: ty.int32_t
    y: ty.float32 = 0.5
    name: ty.String = field(default="p", structural_eq="ignore")
    tags: ty.List[str] = field(default_factory=list)

@declare
class LineNode(Object):
    """Two points."""
    type_key = "Line"
    a: PointNode
    b: "ty.Optional[PointNode]" = None
'''


@pytest.fixture
def build(project):
    """Return a function that builds an image of a schema, after it replaced KEY by a key."""

    def run(text: str, key: str) -> Path:
        project.schema(text.replace("KEY", key))
        assert project.run("build", "-o", f"{key}.tfs", "-q") == 0, project.err
        return project.root / f"{key}.tfs"

    return run


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Return the classes of the corpus, loaded from an image."""
    path = tmp_path_factory.mktemp("image") / "corpus.tfs"
    # Leave out `corners`, because some of its classes have a parent in another library.
    files = [str(one) for one in CORPUS.glob("*.py") if one.stem != "corners"]
    command = [sys.executable, "-m", "tvm_ffi_schema", "build", *files, "-q", "-o", str(path)]
    subprocess.run(command, cwd=path.parent, check=True)
    return schema.load(path)


@pytest.mark.spec("SC11", "SC103.1", "SC103.11")
def test_objects_are_made_read_and_written(build):
    image = schema.load(build(SHAPES, "use"))
    assert list(image) == ["img.use.Point", "img.use.Line"]
    assert image["img.use.Point"] is image.Point and "Line" in dir(image)
    point = image.Point(3)
    assert (point.x, point.y, point.name, list(point.tags)) == (3, 0.5, "p", [])
    point.x, point.y = -7, 2
    assert (point.x, point.y) == (-7, 2.0)
    line = image.Line(point)
    assert line.a.same_as(point) and line.b is None
    assert repr(line).startswith("img.use.Line(a=img.use.Point(x=-7, y=2")
    with pytest.raises(AttributeError):
        line.a = point
    with pytest.raises(AttributeError, match="no class 'Circle'"):
        _ = image.Circle


def test_values_that_do_not_suit_a_field_are_refused(build):
    image = schema.load(build(SHAPES, "bad"))
    with pytest.raises(TypeError, match="missing required argument: 'x'"):
        image.Point()
    with pytest.raises(TypeError, match="field 'x':\n  Cannot convert from type"):
        image.Point("3")
    words = r"`int`: integer 2147483648 out of int32 range \[-2147483648, 2147483647\]"
    with pytest.raises(OverflowError, match=f"field 'x':\n  Cannot convert to {words}"):
        image.Point(1 << 31)
    with pytest.raises(TypeError, match=r"to `img.bad.Point`"):
        image.Line(image.Line(image.Point(1)))
    with pytest.raises(TypeError, match=r"to `List\[str\]`"):
        image.Point(1, tags=[1])


def test_lists_of_defaults_are_not_shared(build):
    image = schema.load(build(SHAPES, "own"))
    one, two = image.Point(1), image.Point(1)
    one.tags.append("x")
    assert list(two.tags) == []


@pytest.mark.spec("SC103.11")
def test_structural_equality_and_hash(build):
    image = schema.load(build(SHAPES, "eq"))
    one, two = image.Point(1, name="a"), image.Point(1, name="b")
    assert tvm_ffi.structural_equal(one, two)
    assert tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(two)
    assert not tvm_ffi.structural_equal(one, image.Point(2))


def test_none_is_a_default_of_any_pointer(build):
    text = (
        "@declare\nclass NoneNode(Object):\n    type_key = 'img.none.None'\n    n: int\n"
        "    f: 'ty.Function[[int], int]' = None\n"
        "    n2: 'ty.Optional[NoneNode]' = None\n"
    )
    made = schema.load(build(text, "none"))["img.none.None"](1)
    assert (made.f, made.n2) == (None, None)


@pytest.mark.spec("SC103.11")
def test_copy_pickle_and_json(build):
    image = schema.load(build(SHAPES, "copy"))
    line = image.Line(image.Point(1, tags=["t"]), image.Point(2))
    shallow, deep = copy.copy(line), copy.deepcopy(line)
    assert shallow.a.same_as(line.a) and not deep.a.same_as(line.a)
    text = tvm_ffi.serialization.to_json_graph_str(line)
    again = tvm_ffi.serialization.from_json_graph_str(text)
    for other in (deep, pickle.loads(pickle.dumps(line)), again):
        assert type(other) is image.Line
        assert tvm_ffi.structural_equal(other, line)


@pytest.mark.spec("SC103.22")
def test_definition_and_layout_are_there_at_run_time(build):
    image = schema.load(build(SHAPES, "of"))
    assert schema.of("img.of.Point").doc.summary == image.Point.__doc__ == "A point."
    slots = schema.layout("img.of.Point").slots
    info = tvm_ffi.core._lookup_or_register_type_info_from_type_key("img.of.Point")
    assert [(s.name, s.offset, s.size) for s in slots] == [
        (f.name, f.offset, f.size) for f in info.fields
    ]
    for function in (schema.of, schema.layout):
        with pytest.raises(KeyError, match=r"no schema of 'ffi.Error'"):
            function("ffi.Error")


@pytest.mark.spec("SC103.13")
def test_loading_twice_gives_the_same_classes(build):
    path = build(SHAPES, "twice")
    assert schema.load(path).Point is schema.load(str(path)).Point
    assert tvm_ffi.load_module(str(path)).kind == "schema_image"


def test_python_classes_may_derive_from_those_of_an_image(build):
    image = schema.load(build(SHAPES, "base"))

    @tvm_ffi.dataclasses.py_class("img.base.Named")
    class Named(image.Point):
        label: str = "l"

    named = Named(4)
    assert (named.x, named.label) == (4, "l")
    assert image.Line(named).a.same_as(named)


# ---- the corpus: every type, every default, every kind of class


@pytest.mark.spec("SC48", "SC49")
def test_enums(corpus):
    assert corpus.Activation.GeLU.approximate and corpus.Activation.Tanh.inplace
    assert [name for name, _ in corpus.Activation.entries()] == ["ReLU", "GeLU", "SiLU", "Tanh"]
    assert [e.value for e in (corpus.Precision.FP33, corpus.Precision.FP16)] == [33, 16]
    assert corpus.Layout.NHWC.value == "nhwc"
    assert corpus.Paint().color is corpus.Color.Red
    assert corpus.Paint(corpus.Color.Black).color is corpus.Color.Black
    assert pickle.loads(pickle.dumps(corpus.Color.Red)) is corpus.Color.Red


@pytest.mark.spec("SC68")
def test_numbers_of_all_sizes(corpus):
    ends = [-128, -(1 << 15), -(1 << 31), -(1 << 63), 255, 65535, (1 << 32) - 1, (1 << 63) - 1]
    rest = [1.5, 2.5, True, 1, 0.5, "float16", "cuda:1", None]
    made = corpus.Numbers(*ends, *rest)
    assert [getattr(made, name) for name in "abcdefgh"] == ends
    assert (made.i, made.k, str(made.o)) == (1.5, True, "float16")
    assert made.p.index == 1
    for at, value in enumerate([128, 1 << 15, 1 << 31, None, 256, -1, 1 << 32, -1]):
        wrong = [*ends[:at], value, *ends[at + 1 :]]
        with pytest.raises((OverflowError, TypeError)):
            corpus.Numbers(*wrong, *rest)


@pytest.mark.spec("SC26")
def test_defaults(corpus):
    with pytest.raises(RuntimeError, match=r"`sizeof\(int\)`, is native code"):
        corpus.Defaults()
    made = corpus.Defaults(by_cpp=1, by_option="x")
    assert (made.small, made.limit, made.least) == (-128, 2049, -(1 << 63))
    assert (made.text, made.raw, made.some) == ('say "hi" \\ \n', b"\x00\xff1", "x")
    assert (made.either, made.none, list(made.names)) == (3, None, ["a", "b"])
    assert "frozen_one" not in repr(made)


@pytest.mark.spec("SC68")
def test_containers_convert_by_their_types(corpus):
    numbers = corpus.Numbers(*[0] * 8, 0, 0, False, 0, 0, "int8", "cpu", None)
    values = ([1], [{"a": None}], [1], {"k": 1}, (1, "x"), (1, 2), ["a"], {"k": 1})
    functions = (lambda: 1, lambda i, s: [1], lambda i: "x")
    made = corpus.Containers(
        *values, *functions, (1, 2), "s", None, {"n": numbers}, numbers, numbers
    )
    assert type(made.array) is tvm_ffi.Array and type(made.plain) is tvm_ffi.List
    assert type(made.table) is tvm_ffi.Map and type(made.mapping) is tvm_ffi.Dict
    assert made.quoted["n"].same_as(numbers) and made.either == "s" and made.word == ""
    wrong = [["x"], [{"a": 1}], ["x"], {1: 1}, (1, 2), ("x",), [1], {"k": "v"}]
    for at, value in enumerate(wrong):
        given = [*values[:at], value, *values[at + 1 :]]
        with pytest.raises(TypeError, match="Cannot convert from type"):
            corpus.Containers(
                *given, *functions, (1, 2), "s", None, {"n": numbers}, numbers, numbers
            )


@pytest.mark.spec("SC103.15")
def test_what_only_code_can_do_names_what_is_missing(corpus, project):
    with pytest.raises(RuntimeError, match=r"`shapes.Action.run` is native code"):
        corpus.Action().run(1)
    with pytest.raises(TypeError):
        corpus.Base("abstract")
    assert project.run("build", str(CORPUS), "-o", "c.tfs") == 0
    assert "shapes.Action.run is native code" in project.err
    assert set(project.ids()) == {"TS604"}


def test_literals_that_no_image_holds_are_errors(project):
    project.schema(
        '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n'
        "    x: ty.uint64_t = 1\n"
        '    type_attrs = {"t.big": 1 << 70}\n'
    )
    assert project.run("build", "-o", "p.tfs") == 5
    assert "TS603" in project.ids() and not (project.root / "p.tfs").exists()


def test_type_keys_that_are_taken_leave_everything_as_it_was(build, project):
    text = (
        SHAPES + '\n@declare\nclass TakenNode(Object):\n    """T."""\n    type_key = "ffi.Error"\n'
    )
    path = build(text.replace("class TakenNode", "class ErrorNode"), "taken")
    with pytest.raises(ValueError, match=r"type `ffi.Error`: the type is registered already"):
        schema.load(path)
    assert tvm_ffi.core._object_type_key_to_index("img.taken.Point") is None
    schema.load(build(SHAPES, "taken"))


def test_parents_of_other_libraries_must_be_loaded_first(build):
    text = (
        'Base = extern("img.KEY.Outside", obj="::o::OutsideNode", ref="::o::Outside")\n'
        '@declare\nclass ChildNode(Base):\n    """C."""\n    type_key = "img.KEY.Child"\n'
        "    z: int\n"
    )
    path = build(text, "parent")
    with pytest.raises(ValueError, match=r"parent `img.parent.Outside` is not registered; load"):
        schema.load(path)

    @tvm_ffi.dataclasses.py_class("img.parent.Outside")
    class Outside(tvm_ffi.Object):
        w: int

    made = schema.load(path).Child(1, 2)
    assert isinstance(made, Outside) and (made.w, made.z) == (1, 2)


# ---- the same behaviour for every way of defining a class

USE = """
import sys
import tvm_ffi
from tvm_ffi import schema
if sys.argv[1].endswith(".tfs"):
    image = schema.load(sys.argv[1])
    Point, Line = image.Point, image.Line
else:
    tvm_ffi.load_module(sys.argv[1])
    @tvm_ffi.dataclasses.c_class("img.both.Point")
    class Point(tvm_ffi.Object):
        x: int; y: float; name: str; tags: list
    @tvm_ffi.dataclasses.c_class("img.both.Line")
    class Line(tvm_ffi.Object):
        a: Point; b: Point
line = Line(Point(1, tags=["t"]), Point(True, 2))
print(line, tvm_ffi.structural_hash(line), tvm_ffi.serialization.to_json_graph_str(line))
for key in ("img.both.Point", "img.both.Line"):
    info = tvm_ffi.core._lookup_or_register_type_info_from_type_key(key)
    for f in info.fields:
        print(f.name, f.offset, f.size, f.alignment, f.metadata, f.doc, f.frozen, f.c_kw_only)
for wrong in ((), ("x",), (1, "x"), (1, 2, 3), (1, 2, "n", 4), (1, 2, "n", [], 5)):
    try:
        Point(*wrong)
    except Exception as error:
        print(type(error).__name__)
"""


@pytest.mark.spec("SC103.12")
@pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")
def test_an_image_behaves_as_the_library_of_the_same_schema(build, project):
    build(SHAPES, "both")
    assert project.run("build", "-o", "both.so", "-q") == 0, project.err
    texts = []
    for name in ("both.tfs", "both.so"):
        command = [sys.executable, "-c", USE, f"./{name}"]
        done = execute(*command, cwd=project.root)
        texts.append(done.stdout)
    assert texts[0] == texts[1]


PROGRAM = r"""
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
using namespace tvm::ffi;
int main(int, char** argv) {
  Module::LoadFromFile(argv[1]);
  Any point = reflection::ObjectCreator("img.cpp.Point")({{"x", 41}});
  ObjectRef object = point.cast<ObjectRef>();
  return reflection::FieldGetter("img.cpp.Point", "x")(object.get()).cast<int>() == 41 ? 0 : 1;
}
"""


@pytest.mark.spec("SC11", "SC103.13", "SC103.14")
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_program_without_python_uses_the_types(build, project):
    from tvm_ffi import libinfo

    path = build(SHAPES, "cpp")
    project.write("main.cc", PROGRAM)
    library = Path(libinfo.find_libtvm_ffi())
    command = ["g++", "-std=c++17", "-O0", "main.cc", "-o", "main", str(library)]
    command += ["-I", libinfo.find_include_path(), "-I", libinfo.find_dlpack_include_path()]
    command.append(f"-Wl,-rpath,{library.parent}")
    subprocess.run(command, cwd=project.root, check=True)
    subprocess.run(["./main", str(path)], cwd=project.root, check=True)
