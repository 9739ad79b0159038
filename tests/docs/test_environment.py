# SPDX-License-Identifier: Apache-2.0
"""Test that ``docs/environment.md`` names exactly the environment variables that the code reads."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "environment.md").read_text()
NAME = re.compile(r"[A-Z][A-Z0-9_]+(?:\(X86\))?")
#: Functions that read the environment variable whose name is their first argument.
READERS = {"getenv", "_from_environment", "_split_env_var"}


def is_environ(node):
    return isinstance(node, ast.Attribute) and node.attr == "environ"


def names_in(node):
    """Yield the constants of an expression that look like names of environment variables."""
    for found in ast.walk(node):
        is_text = isinstance(found, ast.Constant) and isinstance(found.value, str)
        if is_text and NAME.fullmatch(found.value):
            yield found.value


def assigned(tree):
    """Map each variable of a Python module to the expressions in its assignments and loops."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.For):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = node.value if isinstance(node, ast.Assign) else node.iter
            for target in targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(value)
    return found


def python_names(source):
    """Return the environment variables that a Python module reads; a computed name is ``?``."""
    tree = ast.parse(source)
    values = assigned(tree)
    found = set()
    for node in ast.walk(tree):
        key = None
        if isinstance(node, ast.Call):
            function = node.func
            called = getattr(function, "attr", getattr(function, "id", ""))
            is_get = called == "get" and is_environ(getattr(function, "value", None))
            key = node.args[0] if is_get or called in READERS else None
        elif isinstance(node, ast.Subscript) and is_environ(node.value):
            key = node.slice
        elif isinstance(node, ast.Compare) and any(map(is_environ, node.comparators)):
            key = node.left
        if key is None:
            continue
        expressions = values.get(key.id, []) if isinstance(key, ast.Name) else [key]
        read = {name for expression in expressions for name in names_in(expression)}
        found |= read or {"?"}
    return found


def native_names(source):
    return set(re.findall(r'getenv\(\s*"(\w+)"', source))


def read_by_the_code():
    """Map each environment variable to the files that read it."""
    found = {}
    for place in ("include", "src", "python", "schema/tvm_ffi_schema"):
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix == ".py":
                names = python_names(path.read_text())
            elif path.suffix in (".h", ".c", ".cc"):
                names = native_names(path.read_text())
            else:
                continue
            for name in names:
                found.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    return found


def described():
    cells = re.findall(r"^\| (`[^|]+`) \|", PAGE, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_every_variable_is_described_and_read():
    found = read_by_the_code()
    # In these files a parameter holds the name of the variable, so the search reports `?`. It finds
    # the names where the functions are called, as the assertions below check.
    computed = found.pop("?", [])
    assert sorted(set(computed)) == [
        "python/tvm_ffi/cpp/gpu.py",
        "python/tvm_ffi/cpp/toolchain.py",
        "python/tvm_ffi/libinfo.py",
    ]
    assert set(found) - described() == set(), found
    assert described() - set(found) == set()


def test_each_form_of_reading_is_found():
    source = """
for variable in ("A_ONE", "A_TWO"):
    os.environ.get(variable)
os.environ["A_THREE"], os.getenv("A_FOUR", "x"), "A_FIVE" in os.environ
_from_environment("A_SIX", "cc")
os.environ.get(computed())
"""
    names = {"A_ONE", "A_TWO", "A_THREE", "A_FOUR", "A_FIVE", "A_SIX"}
    assert python_names(source) == {*names, "?"}
    assert native_names('std::getenv("B_ONE"), getenv( "B_TWO")') == {"B_ONE", "B_TWO"}
