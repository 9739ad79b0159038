# SPDX-License-Identifier: Apache-2.0
"""Test the names of modules, functions and classes of `tvm_ffi.stub` that client code imports."""

from __future__ import annotations

import importlib

import pytest

from tvm_ffi.stub import generator
from tvm_ffi.stub.utils import Options

NAMES = {
    "consts": "MarkerSyntax PYTHON_SYNTAX RUST_SYNTAX PIPELINE_DIRECTIVE_KINDS BUILTIN_TYPE_KEYS "
    "TERM_RESET TERM_BOLD TERM_RED TERM_GREEN TERM_YELLOW TERM_BLUE TERM_MAGENTA TERM_CYAN",
    "file_utils": "CodeBlock FileInfo collect_files syntax_for",
    "utils": "InitConfig Options NamedTypeSchema FuncInfo InitFieldInfo ObjectInfo",
    "lib_state": "collect_global_funcs collect_type_keys object_info_from_type_key "
    "toposort_objects",
    "generator": "get_generator generator_names",
    "python_generator.codegen": "generate_python_global_funcs generate_python_object "
    "generate_python_import_section generate_python_all generate_python_export "
    "generate_python_ffi_api generate_python_init",
    "python_generator.utils": "ImportItem PythonImports render_func_signature "
    "render_object_fields render_object_methods render_object_init render_object_ffi_init",
    "layout": "classify Verdict ByteRange FieldBytes align_up coverage_report "
    "write_coverage_report",
}
GENERATOR = (
    "name source_exts syntax directive_kinds default_ty_map new_imports add_directive "
    "canonical_type_name extra_export_names is_builtin check_view generate_global_funcs_block "
    "generate_object_block generate_import_section_block generate_all_block "
    "generate_export_block api_filename init_filename generate_api_file generate_init_file "
    "finalize_init"
)


@pytest.mark.spec("TOOL-TO1")
@pytest.mark.parametrize("module", NAMES)
def test_published_names(module):
    found = importlib.import_module(f"tvm_ffi.stub.{module}")
    assert [name for name in NAMES[module].split() if not hasattr(found, name)] == []


@pytest.mark.spec("TOOL-TO1")
@pytest.mark.parametrize("name", generator.generator_names())
def test_generators_have_the_same_members(name):
    made = generator.get_generator(name, Options())
    assert made.name == name
    assert [member for member in GENERATOR.split() if not hasattr(made, member)] == []
    assert made.check_view([]) == made.check_view([])
    assert "Array" in made.default_ty_map()


@pytest.mark.spec("TOOL-TO1")
def test_unknown_generator():
    message = "Unknown stubgen generator: 'zig'. Known generators: python, rust"
    with pytest.raises(ValueError, match=message):
        generator.get_generator("zig")
