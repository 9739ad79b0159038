# SPDX-License-Identifier: Apache-2.0
"""Test ``tools/check_arrows.py``: this tree passes, and each kind of violation is found."""

from pathlib import Path

import pytest

import check_arrows as arrows

ROOT = Path(__file__).resolve().parents[2]


def test_this_tree_has_no_wrong_include():
    assert arrows.problems(ROOT) == []


def test_the_check_reads_every_folder_of_this_tree():
    for folder, suffix in (
        ("include/tvm/ffi", ".h"),
        ("src", ".cc"),
        ("python/binding", ".cc"),
        ("rust/tvm-ffi/src", ".rs"),
    ):
        assert len(arrows.sources(ROOT / folder, suffix)) > 5, folder


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"include/tvm/ffi/base.h": "#include <tvm/ffi/function.h>\n"}, "includes function.h"),
        ({"include/tvm/ffi/stray.h": ""}, "no level"),
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
        ({"src/core/a.cc": '#include "abi/b.h"\n', "src/abi/b.h": ""}, "core must not include abi"),
        ({"src/core/a.cc": "#include <Python.h>\n"}, "must not depend on Python"),
        ({"src/attic/a.cc": ""}, "no entry for folder"),
        (
            {"python/binding/call.cc": "#include <tvm/ffi/any.h>\n"},
            "the binding may include only the C headers",
        ),
        (
            {"python/binding/ref.h": '#include "call.h"\n', "python/binding/call.h": ""},
            "(level 0): includes call.h",
        ),
        ({"rust/tvm-ffi/src/attic.rs": ""}, "attic.rs: no level"),
        ({"rust/tvm-ffi/src/string.rs": "use crate::extra::x;\n"}, "(level 2): imports extra"),
        ({"rust/tvm-ffi/src/any/view.rs": "let x: super::super::Map;\n"}, "imports collections"),
        ({"rust/tvm-ffi/src/string.rs": "use crate::{any, big_int};\n"}, "imports big_int"),
        (
            {"rust/tvm-ffi/src/any.rs": 'let f = crate::cached_global_func!("x");\n'},
            "imports function",
        ),
    ],
)
def test_a_violation_is_found(tmp_path, files, expected):
    for folder in ("include/tvm/ffi", "src", "python/binding", "rust/tvm-ffi/src"):
        (tmp_path / folder).mkdir(parents=True)
    root_module = tmp_path / "rust" / "tvm-ffi" / "src" / "lib.rs"
    root_module.write_text("pub use collections::map::Map;\n")
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = arrows.problems(tmp_path)
    assert any(expected in text for text in found), found


def test_macros_and_modules_of_one_circle_may_name_one_another(tmp_path):
    top = tmp_path / "rust" / "tvm-ffi" / "src"
    (top / "any").mkdir(parents=True)
    (top / "lib.rs").write_text("")
    (top / "any.rs").write_text("use crate::error::Error; // crate::extra\n")
    (top / "any" / "view.rs").write_text("macro_rules! m { () => { $crate::extra::x() } }\n")
    assert list(arrows.check_rust(tmp_path)) == []
