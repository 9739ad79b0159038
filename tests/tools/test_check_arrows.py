# SPDX-License-Identifier: Apache-2.0
"""The include and import arrows: this tree obeys them, and each kind of breach is found."""

from pathlib import Path

import pytest

import check_arrows as arrows

ROOT = Path(__file__).resolve().parents[2]


def test_this_tree_has_no_upward_arrow():
    assert arrows.problems(ROOT) == []


def test_the_check_sees_every_storey_of_this_tree():
    for folder, suffix in (
        ("include/tvm/ffi", ".h"),
        ("src", ".cc"),
        ("python/binding", ".cc"),
        ("python/tvm_ffi", ".py"),
        ("schema/tvm_ffi_schema", ".py"),
    ):
        assert len(arrows.sources(ROOT / folder, suffix)) > 5, folder


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"include/tvm/ffi/base.h": "#include <tvm/ffi/function.h>\n"}, "includes function.h"),
        ({"include/tvm/ffi/stray.h": ""}, "no storey"),
        (
            {
                "include/tvm/ffi/any.h": "#include <tvm/ffi/detail/x.h>\n",
                "include/tvm/ffi/cast.h": "#include <tvm/ffi/detail/x.h>\n",
                "include/tvm/ffi/detail/x.h": "",
            },
            "not by one",
        ),
        (
            {
                "include/tvm/ffi/any.h": "#include <tvm/ffi/cast.h>\n",
                "include/tvm/ffi/cast.h": "#include <tvm/ffi/any.h>\n",
            },
            "include cycle: any.h -> cast.h -> any.h",
        ),
        ({"include/tvm/ffi/any.h": '#include "../../../src/core/a.h"\n'}, "outside include/"),
        (
            {"src/core/a.cc": '#include "abi/b.h"\n', "src/abi/b.h": ""},
            "core does not see abi",
        ),
        ({"src/core/a.cc": "#include <Python.h>\n"}, "knows nothing of Python"),
        ({"src/attic/a.cc": ""}, "has no arrows"),
        (
            {"python/binding/call.cc": "#include <tvm/ffi/any.h>\n"},
            "the binding sees the C headers alone",
        ),
        (
            {"python/binding/ref.h": '#include "call.h"\n', "python/binding/call.h": ""},
            "(floor 0): includes call.h",
        ),
        (
            {
                "python/tvm_ffi/error.py": "from . import container\n",
                "python/tvm_ffi/container.py": "",
            },
            "error imports container",
        ),
        (
            {"python/tvm_ffi/registry.py": "import tvm_ffi.dataclasses.field\n"},
            "registry imports dataclasses",
        ),
        (
            {"python/tvm_ffi/__init__.py": "from .testing import thing\n"},
            "outside the front door",
        ),
        (
            {
                "schema/tvm_ffi_schema/front/fields.py": "def f():\n    from ..back import image\n",
                "schema/tvm_ffi_schema/back/image.py": "",
            },
            "front imports back, which does not stand lower",
        ),
        ({"schema/tvm_ffi_schema/attic.py": ""}, "no floor"),
    ],
)
def test_a_breach_is_found(tmp_path, files, expected):
    for folder in ("include/tvm/ffi", "src", "python/binding", "python/tvm_ffi"):
        (tmp_path / folder).mkdir(parents=True)
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = arrows.problems(tmp_path)
    assert any(expected in text for text in found), found


def test_imports_that_do_not_run_at_import_are_free(tmp_path):
    package = tmp_path / "python" / "tvm_ffi"
    package.mkdir(parents=True)
    (package / "registry.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from .dataclasses import field\n"
        "def f():\n    from .testing import thing\n"
    )
    assert arrows.problems(tmp_path) == []
