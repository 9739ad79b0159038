# SPDX-License-Identifier: Apache-2.0
"""The table of settings agrees with the functions for schema files, their stubs and the page."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
import settings_page

from tvm_ffi_schema import dsl
from tvm_ffi_schema.dsl import table, values

WORDS = [(dsl.field, table.FIELD), (dsl.module, table.MODULE), (dsl.extern, table.EXTERN)]
PARTS = ("CLASS", "FIELD", "MODULE", "EXTERN")
ROWS = [(part, name) for part in PARTS for name in getattr(table, part)]


def test_page_is_current():
    path = Path(settings_page.__file__).parents[2] / settings_page.PAGE
    assert path.read_text(encoding="utf-8") == settings_page.text()


@pytest.mark.parametrize(("word", "rows"), WORDS, ids=lambda one: getattr(one, "__name__", ""))
def test_signatures_say_what_the_table_says(word, rows):
    """In earlier versions, these functions had `**options`, so editors could not suggest names."""
    found = [p for p in inspect.signature(word).parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert [p.name for p in found] == list(rows)
    for parameter in found:
        row = rows[parameter.name]
        assert parameter.default == row.value, row.name
        assert parameter.annotation == row.kind.annotation, row.name


def test_classes_have_the_settings_for_type_checkers():
    tree = ast.parse(inspect.getsource(values))
    (cls,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Object")
    (block,) = (n for n in cls.body if isinstance(n, ast.If))
    assert [node.target.id for node in block.body] == list(table.CLASS)


SCHEMA = """
from tvm_ffi.schema import Object, Trait, auto_slots, declare, extern, field, module, ty

__tschema__ = module({module})


@declare
class ExprNode(Object):
    \"\"\"One.\"\"\"

    type_key = "t.Expr"


@extern("t.Out", {extern})
class Out(Object):
    \"\"\"Of others.\"\"\"


@declare
class A(Object):
    \"\"\"One.\"\"\"

    type_key = "t.A"
    {setting}
    {more}
    x: {type} = field({field})
"""
#: Setting -> another setting without which the example of the setting is not valid.
WITH = {
    "default_sequal_reduce": "default_shash_reduce = False",
    "default_shash_reduce": "default_sequal_reduce = False",
}
TYPES = {"default_factory": "ty.List[int]"}


@pytest.mark.spec("SC24")
@pytest.mark.parametrize(("part", "name"), ROWS, ids=lambda one: one)
def test_examples_are_right(project, part, name):
    row = getattr(table, part)[name]
    extern = {"obj": 'obj="::o::OutNode"', "ref": 'ref="::o::Out"'}
    extern.update({name: row.example} if part == "EXTERN" else {})
    given = {"module": "", "setting": "", "field": "", "type": "int", "more": ""}
    if part == "CLASS":
        given["setting"], given["more"] = row.example, WITH.get(name, "")
    elif part != "EXTERN":
        given[part.lower()] = row.example
        given["type"] = TYPES.get(name, "int")
    text = SCHEMA.format(**given, extern=", ".join(extern.values()))
    if name == "type_key":
        text = text.replace('    type_key = "t.A"\n', "")
    project.write("ir.py", text)
    assert project.run("export", "ir.py") == 0, project.err


@pytest.mark.parametrize(("part", "name"), ROWS, ids=lambda one: one)
def test_values_of_another_kind_are_refused(part, name):
    row = getattr(table, part)[name]
    bad = object()
    if row.kind.words != "anything":
        assert row.problem(bad) == row.kind.words
    if row.value is not None and row.value is not dsl.MISSING and row.name != "type_key":
        assert row.default == '""' or row.problem(row.value) is None


def test_an_unknown_option_names_the_nearest_one():
    with pytest.raises(TypeError, match=r"no option 'defualt'; did you mean 'default'"):
        dsl.field(defualt=1)
    with pytest.raises(ValueError, match=r"access must be one of 'public', 'protected', 'private'"):
        dsl.field(access="secret")
    with pytest.raises(TypeError, match=r"module\(\): includes must be a list of texts, not \[1\]"):
        dsl.module(includes=[1])
