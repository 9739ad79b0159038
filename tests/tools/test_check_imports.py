# SPDX-License-Identifier: Apache-2.0
"""Test ``tools/check_imports.py``: each kind of violation is found."""

from pathlib import Path

import pytest

import check_imports as imports

ROOT = Path(__file__).resolve().parents[2]


def test_every_reason_for_an_import_inside_a_function_is_needed():
    assert imports.unused_reasons(ROOT) == []


def test_the_check_sees_the_modules_of_both_packages():
    for folder in (imports.PACKAGE, imports.SCHEMA):
        assert len(imports.imports_of(ROOT / folder)) > 100, folder


def _written(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return imports.problems(root)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {
                "python/tvm_ffi/a.py": "from . import b\n",
                "python/tvm_ffi/b.py": "import tvm_ffi.a\n",
            },
            "import cycle: a -> b -> a",
        ),
        (
            {
                "python/tvm_ffi/libinfo.py": "def f():\n    from .module import g\n",
                "python/tvm_ffi/module.py": "from .libinfo import f\n",
            },
            "import cycle: libinfo -> module -> libinfo",
        ),
        (
            {
                "python/tvm_ffi/a/x.py": "def f():\n    from ..b import y\n",
                "python/tvm_ffi/b.py": "",
            },
            "a/x.py:2: imports b inside a function",
        ),
        (
            {
                "python/tvm_ffi/a.py": "def f():\n    return import_module('tvm_ffi.b').g\n",
                "python/tvm_ffi/b.py": "from .a import f\n",
            },
            "import cycle: a -> b -> a",
        ),
        (
            {
                "python/tvm_ffi/a.py": "def f(x):\n    return import_module(f'tvm_ffi.b.{x}')\n",
                "python/tvm_ffi/b/__init__.py": "from ..a import f\n",
            },
            "import cycle: a -> b.__init__ -> a",
        ),
        (
            {"python/tvm_ffi/a.py": "__import__('tvm_ffi.cpp')\n", "python/tvm_ffi/cpp.py": ""},
            "imports cpp, a tool, at import time",
        ),
        (
            {"python/tvm_ffi/a.py": "from .testing import x\n", "python/tvm_ffi/testing.py": ""},
            "imports testing, a tool",
        ),
        (
            {
                f"python/tvm_ffi/m{i}.py": f"from . import m{i + 1}\n" if i < 12 else ""
                for i in range(13)
            },
            "m0 is on level 13, 12 are allowed",
        ),
        (
            {
                "schema/tvm_ffi_schema/front/fields.py": "def f():\n    from ..back import image\n",
                "schema/tvm_ffi_schema/back/image.py": "",
            },
            "front imports back, which is not lower",
        ),
        ({"schema/tvm_ffi_schema/attic.py": ""}, "no level"),
    ],
)
def test_a_breach_is_found(tmp_path, files, expected):
    found = _written(tmp_path, files)
    assert any(expected in text for text in found), found


def test_imports_that_never_run_are_free(tmp_path):
    text = "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from .b import y\n"
    files = {"python/tvm_ffi/a.py": text, "python/tvm_ffi/b.py": "from .a import x\n"}
    assert _written(tmp_path, files) == []
