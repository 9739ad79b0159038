# SPDX-License-Identifier: Apache-2.0
"""The fast paths of the schema tool give the same results as its general code."""

from __future__ import annotations

import argparse
import ast
import random
import textwrap

import pytest

from tvm_ffi_schema import ir, ty
from tvm_ffi_schema.back import cpp_doc
from tvm_ffi_schema.commands import cli
from tvm_ffi_schema.cxx import pattern
from tvm_ffi_schema.dsl import Object
from tvm_ffi_schema.front.evaluate import Evaluator
from tvm_ffi_schema.front.raw import ClassName, Places, Unreadable

CHARS = "ab c-d.\t\n\r\x0b\x0c\x1c\x7f\x85\xa0\u2028\u3000?\\\"'/*é\U0001f600"


def texts(count: int):
    source = random.Random(7)
    for _ in range(count):
        yield "".join(source.choice(CHARS) for _ in range(source.choice((0, 1, 4, 12, 120))))


def test_lines_that_need_no_wrapping_are_as_wrapping_leaves_them():
    for text in texts(3000):
        expected = []
        for line in text.splitlines():
            expected += textwrap.wrap(line, 97, break_long_words=False) or [""]
        assert cpp_doc._wrapped(text, 97) == expected, repr(text)


def test_literals_without_escapes_are_literals():
    for text in texts(3000):
        plain = pattern.quoted(text)
        long_way = pattern.quoted(text + "\\")
        assert long_way == plain[:-1] + '\\\\"', repr(text)


@pytest.mark.parametrize("name", [*cli.COMMANDS])
def test_the_parser_of_one_command_is_that_of_all(name):
    def of(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
        actions = parser._subparsers._group_actions
        return actions[0].choices[name]

    assert of(cli.parser(name)).format_help() == of(cli.parser()).format_help()
    assert cli.parser(name).format_usage() == cli.parser().format_usage()


def test_texts_of_records_leave_out_places_alone():
    array = ir.TypeRef("Array", (ir.TypeRef("class", name="t.A"),))
    assert repr(array) == (
        "TypeRef(origin='Array', args=(TypeRef(origin='class', args=(), name='t.A', cpp=None),), "
        "name='', cpp=None)"
    )
    one, other = (ir.DocItem("x", "text", ir.Span("f", line)) for line in (1, 2))
    assert repr(one) == repr(other) == "DocItem(name='x', text='text')"


def test_what_an_annotation_in_quotes_refuses_is_shown_at_the_quotes():
    text = "x: 'Array[Missing, ty.String, 3]'\ny: 'Array[Missing, ty.String, 3]'\n"
    tree = ast.parse(text)
    env = {"Array": ty.TypeName("Array"), "Missing": ClassName("Missing"), "ty": ty}
    for statement in tree.body:
        with pytest.raises(Unreadable) as caught:
            Evaluator(env).type(statement.annotation)
        span = Places("f.py", text).of(caught.value.node)
        assert (span.line, span.col, span.end_col) == (statement.lineno, 4, 34)


def test_the_same_words_in_other_files_mean_what_they_mean_there():
    here = Evaluator({"Name": ClassName("Name", "a")}).type(ast.Constant("Name | None"))
    there = Evaluator({"Name": Object}).type(ast.Constant("Name | None"))
    assert here.args[0].name == "a:Name"
    assert there.args[0].origin == "ObjectRef"
