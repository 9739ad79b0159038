# SPDX-License-Identifier: Apache-2.0
"""Test complete stub files."""

from __future__ import annotations

import pytest

from tvm_ffi.stub import python_text
from tvm_ffi.stub.pyi import render_pyi
from tvm_ffi.stub.python_text import Parameter

BEGIN = "# tvm-ffi-stubgen(begin): "
END = "# tvm-ffi-stubgen(end)"

SOURCE = '''"""Documentation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
alias = sys.path
number = 5
typed: int = 3
__all__ = ["f"]


def f(a: int, b=[1], *, c: str = "x") -> Sequence[int]:
    """Document it."""
    return [a]


class Empty:
    """Nothing."""


class Full(Empty):
    x: int = 1
    y = compute()

    @property
    def p(self) -> int:
        return 1


if sys.version_info >= (3, 10):
    new: int = 1
if number:
    print("runs")
for i in range(3):
    pass
'''


def test_only_what_a_type_checker_reads_is_kept():
    assert (
        render_pyi(SOURCE).partition("\n")[2]
        == """\
from __future__ import annotations
from typing import Any
import sys
from typing import TYPE_CHECKING, TypeVar
from collections.abc import Sequence
T = TypeVar('T')
alias = sys.path
number: Any
typed: int
__all__ = ['f']

def f(a: int, b=..., *, c: str=...) -> Sequence[int]:
    ...

class Empty:
    ...

class Full(Empty):
    x: int
    y: Any

    @property
    def p(self) -> int:
        ...
if sys.version_info >= (3, 10):
    new: int
"""
    )


def test_text_that_is_not_python():
    with pytest.raises(SyntaxError):
        render_pyi("def")


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "module.py"
    lines = [
        f"{BEGIN}import-section",
        END,
        "class Pair:",
        f"    {BEGIN}object/testing.TestIntPair",
        f"    {END}",
        f"{BEGIN}global/ffi.json",
        END,
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.spec("TOOL-TO10")
def test_stub_beside_a_file(module, stubgen):
    before = module.read_bytes()
    status, out = stubgen("--pyi", module)
    assert status == 0, out
    assert module.read_bytes() == before
    text = module.with_suffix(".pyi").read_text()
    compile(text, "module.pyi", "exec")
    assert "class Pair:\n    a: int\n    b: int\n" in text
    assert "def __init__(self, a: int, b: int, /) -> None:" in text
    assert "def Parse(_0: str, /) -> Any:" in text
    assert "_FFI_INIT_FUNC(" not in text


@pytest.mark.spec("TOOL-TO10")
def test_stub_is_stable_and_checked(module, stubgen):
    assert stubgen("--pyi", "--check", module)[0] == 1
    assert not module.with_suffix(".pyi").exists()
    assert stubgen("--pyi", module)[0] == 0
    stamp = module.with_suffix(".pyi").stat().st_mtime_ns
    assert stubgen("--pyi", module)[0] == 0
    assert module.with_suffix(".pyi").stat().st_mtime_ns == stamp
    assert stubgen("--pyi", "--check", module)[0] == 0


def test_only_python_has_stub_files(module, stubgen):
    status, out = stubgen("--pyi", "--target", "rust", module)
    assert status == 2
    assert "--pyi is for the target python" in out


ENUMS = """
from typing import ClassVar
from tvm_ffi.dataclasses import Enum, IntEnum, StrEnum, auto, entry


class Color(Enum, type_key="x.Color"):
    cost: int = 0
    red = entry(cost=5)
    green = auto()
    blue: ClassVar["Color"] = entry()


class Level(IntEnum, type_key="x.Level"):
    low = 10
    below = -1
    high = entry(20)
    bound: ClassVar["Level"]
    other = compute()


class Empty(StrEnum, type_key="x.Empty"):
    pass
"""


def test_variants_of_enums_stay_variants():
    assert (
        render_pyi(ENUMS).partition("\n")[2]
        == """\
from typing import Any
from typing import ClassVar
from tvm_ffi.dataclasses import Enum, IntEnum, StrEnum, auto, entry

class Color(Enum, type_key='x.Color'):
    cost: int
    red = entry(cost=5)
    green = auto()
    blue: ClassVar['Color']

class Level(IntEnum, type_key='x.Level'):
    low = 10
    below = -1
    high = entry(20)
    bound = ...
    other: Any

class Empty(StrEnum, type_key='x.Empty'):  # type: ignore[misc]
    ...
"""
    )


@pytest.mark.parametrize("options", [[], ["--check"]], ids=str)
def test_hand_written_stub_is_not_replaced(module, stubgen, options):
    stub = module.with_suffix(".pyi")
    stub.write_text("def by_hand() -> int: ...\n")
    status, out = stubgen("--pyi", *options, module)
    assert status == 2
    assert f'File "{stub}": the file exists and is not a stub file of this command' in out
    assert stub.read_text() == "def by_hand() -> int: ...\n"


# ---- `python_text`, which writes types, signatures and imports of generated Python code


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (["int"], "int"),
        (["None", "int"], "int | None"),
        (["int", "str", "int"], "int | str"),
        (["None"], "None"),
    ],
)
def test_unions(members, text):
    assert python_text.union(members) == text


def test_types_with_arguments():
    assert python_text.generic("list", []) == "list"
    assert python_text.generic("dict", ["str", "int"]) == "dict[str, int]"
    assert python_text.callable_type("Callable", "int", None) == "Callable[..., int]"
    assert python_text.callable_type("Callable", "int", []) == "Callable[[], int]"


@pytest.mark.spec("TOOL-TO19")
def test_parameters_stand_behind_a_star_where_they_want_their_names():
    own = [Parameter("a", "int"), Parameter("b", "str", "..."), Parameter("c", "T", "1", True)]
    assert python_text.parameter_list(own) == [*("self", "a: int", "b: str = ...", "*", "c: T = 1")]
    assert python_text.parameter_list(own[2:] * 2, "") == ["*", "c: T = 1", "c: T = 1"]


def test_signature_that_is_too_wide_is_broken():
    short = ["def f(self) -> int: ..."]
    assert python_text.function("f", ["self"], "int", width=23) == short
    assert python_text.function("f", ["self"], "int", width=22) == [
        "def f(",
        "    self,",
        ") -> int: ...",
    ]
    assert python_text.function("f", [], "int", is_static=True)[0] == "@staticmethod"


@pytest.mark.spec("TOOL-TO19")
def test_imports():
    assert python_text.import_lines({"b": {"y", "x as z"}, "": {"a"}, ".c": ["d"]}) == [
        *("import a", "from .c import d", "from b import x as z, y")
    ]
