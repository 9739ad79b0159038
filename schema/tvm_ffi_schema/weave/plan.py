# SPDX-License-Identifier: Apache-2.0
"""Make a plan: the old and the new content of every output. This module does not write files."""

from __future__ import annotations

import os

from ..back import cpp_file
from ..back.rust_type import RESERVED as RUST_KEYWORDS
from ..check import reserved
from ..config import Config
from ..diag import Bag
from ..files import source
from ..ir.names import CPP_KEYWORDS
from ..link.program import Program
from .file_texts import Options, Work
from .output import Output, Plan

__all__ = ["Options", "Output", "Plan", "make"]


def make(config: Config, program: Program, bag: Bag, options: Options) -> Plan:
    """Return the plan of a run; report problems."""
    plan = Plan()
    reserved.check(program, reserved_words(config), bag)
    if bag.has_errors:
        return plan
    work = Work(config, program, bag, options, plan)
    if config.mode == "inplace":
        work.in_place()
    elif "cpp" in config.outputs:
        work.full_cpp()
    if "ir" in config.outputs and config.embed_ir and program.order:
        from ..back import record

        path = os.path.join(config.root, config.cpp_source_root, record.SOURCE_NAME)
        work.unmarked(path, record.emit(program).encode())
    if {"python", "pyi"} & set(config.outputs):
        from ..back import python_binding

        wanted = set(config.outputs)
        for module in program.schema.modules:
            names = python_binding.file_names(program, module, wanted)
            paths = [os.path.join(config.root, config.python_root, name) for name in names]
            if config.mode == "inplace" and any(map(_is_of_the_user, paths)):
                continue  # the classes are generated into marked blocks
            if not work.is_rendered("python", module, paths):
                for path, (_, pieces) in zip(paths, python_binding.emit(program, module, wanted)):
                    work.whole(path, pieces)
    if "rust" in config.outputs:
        work.rust()
    work.pages()
    if "tfs" in config.outputs:
        from ..back import image

        data = image.emit(program, bag, config.embed_ir)
        work.unmarked(os.path.join(config.root, "schema.tfs"), data, data[:4])
    if "json" in config.outputs:
        from ..ir import json as ir_json

        path = os.path.join(config.root, "schema.tschema.json")
        work.unmarked(path, ir_json.dumps(program.schema).encode())
    work.settle()
    return plan


def reserved_words(config: Config) -> dict[str, frozenset[str]]:
    """Return language -> keywords, for each language of the chosen outputs."""
    found = {reserved.CPP: CPP_KEYWORDS} if "cpp" in config.outputs else {}
    return found | ({"Rust": RUST_KEYWORDS} if "rust" in config.outputs else {})


def _is_of_the_user(path: str) -> bool:
    """Return whether a file exists, and the tool does not own the whole file."""
    found = source.read(path, Bag(), "TS120") if os.path.exists(path) else None
    return found is not None and not cpp_file.is_owned(found.text)
