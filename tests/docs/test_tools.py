# SPDX-License-Identifier: Apache-2.0
"""Test that the commands of ``docs/tools.md`` print what the page says."""

import re
import shutil
from pathlib import Path

import pytest
from page_steps import COMMANDS, fits, perform

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tools.md"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.skipif(shutil.which("ninja") is None, reason="needs ninja")
def test_commands_print_what_the_page_says(tmp_path):
    ran = 0
    for command, expected, printed in perform(PAGE.read_text(), tmp_path):
        assert fits(expected, printed), f"$ {command}\n{printed}\n--- the page has\n{expected}"
        ran += 1
    assert ran >= 20


def test_page_names_every_command():
    text = PAGE.read_text()
    for command in (*COMMANDS, "tvm-ffi-schema", "gen_abi_cpp", "embed_cubin"):
        assert re.search(rf"^## .*{command}", text, re.MULTILINE), command


def test_dots_stand_for_what_differs():
    assert fits("a ... c\nd", "a b, b c\nd\n")
    assert not fits("a ... c", "a b\nc")
    assert not fits("a", "a\nb")
