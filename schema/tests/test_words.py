# SPDX-License-Identifier: Apache-2.0
"""Names that are keywords of a language, numbers that are not finite, and `Literal` types."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.cxx import values as cpp_value
from tvm_ffi_schema.ir import Schema
from tvm_ffi_schema.ir import json as ir_json

from .conftest import needs_compiler

SCHEMA = '''"""Names and values that some language takes amiss."""

from __future__ import annotations

import math
from math import inf
from typing import Literal, Optional

from tvm_ffi.schema import Object, declare, field, method, module, ty

__tschema__ = module(namespace="words", type_key_prefix="words.")
Mode = Literal["fast", "slow"]


@declare
class Words(Object):
    """Its fields have names of the languages and of the generated text."""

    type_key = "Words"
    structural_eq = "tree"
    type: str = "t"
    fn: int = 1
    where: str = "w"
    from_: int = field(default=2, name="from")
    self: int = 3
    match: int = 4
    impl: str = "i"
    class_: int = field(default=5, name="class")
    list: list[int] = field(default_factory=list)
    dict: dict[str, int] = field(default_factory=dict)
    int_: int = field(default=7, name="int")
    str: str = "8"
    tuple: tuple[int, str] = (1, "a")
    property: Optional[Words] = None
    other: int = 0
    equal: int = 0
    v: int = 0
    hash_reduce: int = 0
    tag: int = 0
    std: float = 0.5
    more: ty.List[int] = field(default_factory=lambda: [1])
    field: int = 6

    @method(cpp="Remove")
    def delete(self, match: int = 0) -> None:
        """Its name is a word of C++, that of its function is not."""


@declare
class Numbers(Object):
    """Numbers that have no literal in C++ or JSON, and values of a few."""

    type_key = "Numbers"
    structural_eq = "tree"
    high: float = math.inf
    low: ty.float32 = -inf
    none: float = math.nan
    pi: float = math.pi
    text: float = float("-inf")
    many: list[float] = field(default_factory=lambda: [math.inf, -math.inf, 1.5])
    maybe: Optional[float] = math.inf
    either: float | str = -math.inf
    mode: Mode = "fast"
    level: Literal[1, -2] = -2
    mixed: Literal["a", 1, None] = None
    flag: Literal[True, False] = True
'''
USE = """
import math, pickle, sys
import tvm_ffi
tvm_ffi.load_module(sys.argv[1])
sys.path.insert(0, sys.argv[2])
from bound._words import Numbers, Words

words = Words("x", 2, self=8, **{"from": 4})
assert words.self == 8
words = Words("x", 2, **{"from": 4})
assert (getattr(words, "from"), getattr(words, "class"), words.int) == (4, 5, 7)
assert (words.type, words.fn, words.match, words.self, words.std) == ("x", 2, 4, 3, 0.5)
assert (list(words.list), tuple(words.tuple), words.property) == ([], (1, "a"), None)
numbers = Numbers()
assert (numbers.high, numbers.low, numbers.text) == (math.inf, -math.inf, -math.inf)
assert math.isnan(numbers.none) and numbers.pi == math.pi
assert list(numbers.many) == [math.inf, -math.inf, 1.5]
assert (numbers.maybe, numbers.either) == (math.inf, -math.inf)
assert (numbers.mode, numbers.level, numbers.mixed, numbers.flag) == ("fast", -2, None, True)
for value in (words, numbers):
    again = pickle.loads(pickle.dumps(value))
    assert repr(again) == repr(value) and tvm_ffi.structural_equal(again, value)
"""


def write(project, dialect: str = "modern") -> None:
    project.write("schema/words.py", SCHEMA)
    settings = f'dialect = "{dialect}"\noutputs = ["cpp", "python", "pyi"]\n'
    project.write("tschema.toml", settings + 'python_root = "bound"\n')
    assert project.run("generate", "-q") == 0, project.err


@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_words_and_numbers_compile_and_bind(project, dialect):
    """Earlier versions refused a field called `fn`, and the default value `math.inf`.

    In these versions, a field called `list` also hid the type `list`.
    """
    write(project, dialect)
    project.compile("src/words.cc", output="lib.so")
    project.use(USE, "lib.so")
    assert project.run("validate") == 0, project.err
    assert project.run("validate", "--lib", "lib.so") == 0, project.err


def test_words_and_numbers_load_from_an_image(project):
    write(project)
    assert project.run("build", "-o", "lib.tfs", "-q") == 0, project.err
    project.use(USE, "lib.tfs")


def test_bindings_of_words_pass_the_type_checker(project):
    """In earlier versions a field called `int` or `list` hid the type in later annotations."""
    pytest.importorskip("mypy")
    write(project)
    command = [sys.executable, "-m", "mypy", "--strict"]
    environment = {"PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1]), "PATH": ""}
    for name in ("_words.pyi", "_words.py"):
        command[3:] = ["--strict", f"bound/{name}"]
        execute(*command, cwd=project.root, env=environment)


def test_both_readers_and_json_hold_the_same_numbers(project):
    write(project)
    texts = []
    for frontend in ("static", "import"):
        assert project.run("export", "--frontend", frontend) == 0, project.err
        texts.append(project.out)
    assert texts[0] == texts[1] and '"$float": "-inf"' in texts[0]
    again: Schema = ir_json.loads(texts[0])
    assert ir_json.dumps(again) == texts[0] and again == ir_json.loads(texts[0])
    project.write("again.tschema.json", texts[0])
    assert project.run("breaking", "--against", "again.tschema.json") == 0, project.err


def test_numbers_are_written_back_as_a_schema(project):
    write(project)
    assert project.run("build", "-o", "lib.tfs", "-q") == 0, project.err
    assert project.run("export", "lib.tfs", "--as", "schema") == 0, project.err
    assert "import math\n" in project.out and "high: ty.double = math.inf" in project.out


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("std::numeric_limits<double>::infinity()", float("inf")),
        ("-std::numeric_limits<float>::infinity()", float("-inf")),
        ("-INFINITY", float("-inf")),
        ("std::numeric_limits<double>::quiet_NaN()", ("nan",)),
        ("NAN", ("nan",)),
    ],
)
def test_values_that_are_not_finite_are_read_in_c_plus_plus(text, value):
    assert cpp_value.value(text) == value


LITERAL = '"""One."""\nfrom typing import Literal\nfrom tvm_ffi.schema import Object, declare\n'


@pytest.mark.parametrize("inner", ["1.5", "int", "[1]", "'a', 2j"])
def test_a_literal_of_other_values_is_refused(project, inner):
    body = f'@declare\nclass A(Object):\n    type_key = "t.A"\n    x: Literal[{inner}]\n'
    project.write("schema/ir.py", LITERAL + body)
    assert project.run("generate") == 3
    assert project.ids() == ["TS030"]
    assert "a Literal holds texts, bytes, integers, bools and None" in project.err


FIELD = '@declare\nclass A(Object):\n    """One."""\n    type_key = "t.A"\n'


@pytest.mark.spec("SC25")
@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("    delete: int\n", "field 'delete' is a keyword of C++"),
        ("    data_: int\n", "'data_' cannot be the name of a C++ member"),
        ("    __x: int\n", "C++ reserves names with two leading underscores"),
        ("    ANode: int\n    ref = 'ANode'\n", "has the name of a C++ class of this schema"),
        ("    @method\n    def new(self) -> int: ...\n", "method 'new' is a keyword of C++"),
        (
            "    @method\n    def f(self, new: int) -> int: ...\n",
            "parameter 'new' of 'f' is a keyword of C++",
        ),
    ],
)
def test_words_of_c_plus_plus_are_refused_for_c_plus_plus_alone(project, body, finding):
    """Earlier versions refused keywords of C++ and Rust for outputs in other languages, too."""
    project.schema(FIELD + body)
    assert project.run("check") == 3
    assert finding in project.err
    assert project.run("generate", "--to", "json,docs", "-q") == 0, project.err
    assert project.run("build", "-o", "a.tfs", "-q") == 0, project.err
    assert project.run("build", "-o", "a.o", "-q") == 3


def test_entries_named_like_words_of_c_plus_plus_are_refused(project):
    """In earlier versions the accessor of an entry with the name `new` did not compile."""
    project.schema(
        '@declare\nclass E(IntEnum):\n    """One."""\n    type_key = "t.E"\n    new = entry(1)\n'
    )
    assert project.run("generate") == 3
    assert "entry 'new' is a keyword of C++" in project.err
    assert "help: call it new_" in project.err


MODES = """
from typing import Literal

@declare
class ModeNode(Object):
    \"\"\"A mode.\"\"\"
    type_key = "words.Mode"
    mode: Literal[%s] = "a"
    modes: list[Literal[%s]] = field(default_factory=list)
"""


@pytest.mark.parametrize("saved", [False, True])
def test_a_narrowed_literal_is_a_breaking_change(project, saved):
    """Earlier versions compared only the types of the values, which JSON also lacked."""
    project.schema(MODES % (('"a", "b"',) * 2))
    assert project.run("generate", "-q", "--to", "cpp,python,pyi") == 0, project.err
    assert 'mode: Literal["a", "b"] = "a"' in project.read("python/_ir.pyi")
    assert 'def modes(self) -> MutableSequence[Literal["a", "b"]]' in project.read("python/_ir.pyi")
    old = "old.json" if saved else "old"
    if saved:
        assert project.run("export", "schema/ir.py") == 0
        project.write("old.json", project.out)
    else:
        project.schema(MODES % (('"a", "b"',) * 2), "old/ir.py")
    project.schema(MODES % ('"a"', '"a", "b"'))
    assert project.run("breaking", "--against", old) == 1
    assert "has type Literal['a'], it had Literal['a', 'b']" in project.err + project.out
    project.schema(MODES % (('"a", "b", "c"',) * 2))
    assert project.run("breaking", "--against", old, "--use", "JSON") == 0, project.err
    assert project.run("breaking", "--against", old) == 1
    assert project.err.count("FIELD_WIDENED_TYPE:") == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("    NULL: int\n", "field 'NULL' has the name of a macro of the C++ headers"),
        ("    linux: int\n", "field 'linux' has the name of a macro"),
        ("    @method\n    def errno(self) -> int: ...\n", "method 'errno' has the name"),
        ("    @method\n    def f(self, EOF: int) -> int: ...\n", "'EOF' has the name of a macro"),
        ("@declare\nclass union(Object):\n    type_key = 'm.U'\n", "'union' cannot be the name"),
        (
            "@declare\nclass B(Object):\n    type_key = 'm.NAN'\n    ref = 'NAN'\n",
            "class 'NAN' has",
        ),
        (
            "@declare\nclass K(Enum):\n    type_key = 'm.K'\n    EINVAL = entry()\n",
            "entry 'EINVAL'",
        ),
    ],
)
def test_names_that_cpp_refuses_are_refused(project, text, words):
    """The generated code of earlier versions did not compile."""
    project.schema(f"@declare\nclass A(Object):\n    type_key = 'm.A'\n    x: int\n{text}")
    assert project.run("generate") == 3
    assert words in project.err, project.err
