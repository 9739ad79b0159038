# SPDX-License-Identifier: Apache-2.0
"""Test that private headers do not define public names, and that each violation is found."""

from pathlib import Path

import pytest

promise = pytest.importorskip("check_promise", exc_type=ModuleNotFoundError)  # needs tree_sitter

ROOT = Path(__file__).resolve().parents[2]

HEAD = (
    "#ifndef X_H_\n#define TVM_FFI_DETAIL_X_H_\n#include <string>\n"
    "namespace tvm {\nnamespace ffi {\n"
)
TAIL = "}  // namespace ffi\n}  // namespace tvm\n"


def test_this_tree_has_no_promise_in_a_private_header():
    assert promise.problems(ROOT) == []


def test_the_check_sees_the_private_headers_of_this_tree():
    top = ROOT / promise.TOP
    private = [p for p in top.rglob("*.h") if promise.is_private(p.relative_to(top))]
    assert len(private) > 30
    assert top / "container" / "container_detail.h" in private
    assert top / "object.h" not in private


@pytest.mark.parametrize(
    "text",
    [
        "namespace detail {\nclass A {\n int b() { return '}'; }\n};\n}\n",
        "class Later;\ntemplate <typename T>\nclass Later2;\nstruct Later3;\n",
        'namespace detail {\n// class Commented { };\nconst char* a = "} class B {";\n}\n',
        "namespace reflection {\nnamespace detail {\ninline int a = 1;\n}\n}\n",
        "#define TVM_FFI_SOME_(x) \\\n  class x {};\n",
    ],
)
def test_what_a_private_header_may_hold(text):
    assert list(promise.check_header("detail/x.h", HEAD + text + TAIL)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A {\n};\n", "detail/x.h:6: declares `class A` in tvm::ffi"),
        ("namespace detail {\n}\nstruct A : B {};\n", "x.h:8: declares `struct A : B`"),
        ("template <>\nstruct TypeTraits<A> {};\n", "declares `template <> struct TypeTraits<A>`"),
        ("inline int a() { return 1; }\n", "declares `inline int a()`"),
        ("inline int A::b() const { return 1; }\n", "declares `inline int A::b() const`"),
        ("using A = B;\n", "declares `using A = B`"),
        ("namespace reflection {\nclass A {};\n}\n", "in tvm::ffi::reflection"),
        ("#define TVM_FFI_CHECK(x) x\n", "x.h:6: defines the public macro TVM_FFI_CHECK"),
    ],
)
def test_every_promise_in_a_private_header_is_found(text, expected):
    problems = list(promise.check_header("detail/x.h", HEAD + text + TAIL))
    assert len(problems) == 1
    assert expected in problems[0]
