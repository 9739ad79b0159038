# SPDX-License-Identifier: Apache-2.0
"""Fill the blocks of Python files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tvm_ffi.stub import consts
from tvm_ffi.stub.file_utils import CodeBlock, FileInfo
from tvm_ffi.stub.interface import Generator
from tvm_ffi.stub.lib_state import object_info_from_type_key
from tvm_ffi.stub.utils import FuncInfo, InitConfig, ObjectInfo, Options

from . import module_text, utils
from .module_text import ModuleText
from .utils import PythonImports

_INIT_FUNC = "_FFI_INIT_FUNC"
_REG_OBJECT = "_FFI_REG_OBJ"
_REG_ENUM = "_FFI_REG_ENUM"
_LOAD_LIB = "_FFI_LOAD_LIB"
LOADER = "tvm_ffi.libinfo.load_lib_module"


def _fenced(lines: Sequence[str]) -> list[str]:
    return ["# fmt: off", *lines, "# fmt: on"]


def _for_checkers(lines: Sequence[str], options: Options, imports: PythonImports) -> list[str]:
    """Put lines below ``if TYPE_CHECKING:``; return an empty list if there are no lines."""
    if not lines:
        return []
    space = " " * options.indent
    indented = [space + line if line else "" for line in lines]
    return [f"if {imports.need_type_checking()}:", *indented]


def generate_python_global_funcs(
    block: CodeBlock, functions: Sequence[FuncInfo], imports: PythonImports, options: Options
) -> None:
    """Fill a ``global`` block; do not change a block without functions."""
    if not functions:
        return
    prefix, origin = block.param[0], block.param[1]
    imports.add(f"{origin or 'tvm_ffi'}.init_ffi_api", False, _INIT_FUNC)
    named = [(f.schema.name.rpartition(".")[2], f) for f in functions]
    named = [(name, function) for name, function in named if utils.is_name(name)]
    imports.taken = frozenset(name for name, _ in named)
    imports.defined.update(dict.fromkeys(imports.taken, ""))
    lines = []
    for name, function in named:
        lines += utils.render_function(name, function, imports)
    call = f'{_INIT_FUNC}("{prefix}", __name__)'
    block.fill(_fenced([call, *_for_checkers(lines, options, imports)]))


def generate_python_object(
    block: CodeBlock, info: ObjectInfo, imports: PythonImports, options: Options
) -> None:
    """Fill an ``object`` block."""
    members = [*(m.schema.name for m in info.methods), *(f.name for f in info.fields)]
    imports.enter(block, [*members, *(info.variants or ())])
    fields = utils.render_object_fields(info, imports)
    methods = utils.render_variants(info, imports.class_at(block.lineno_start), imports)
    # The variants of an enum are its only instances, so an enum does not get a constructor.
    if info.has_init and info.variants is None:
        methods += utils.render_object_init(info, imports, "__init__")
        methods += utils.render_object_ffi_init(info, imports)
    methods += utils.render_object_methods(info, imports)
    lines = [*fields, *_for_checkers(methods, options, imports)]
    if not lines and imports.is_alone(block.lineno_start):
        lines = ["pass"]
    block.fill(_fenced(lines))


def generate_python_import_section(
    block: CodeBlock, imports: PythonImports, defined: Collection[str]
) -> None:
    """Fill an ``import-section``; do not import types that the file itself defines."""
    items = [i for i in imports.items if i.full_name not in defined]
    if not items:
        return
    lines = utils.render_imports(items, imports)
    if imports.future_belongs_in(block):
        lines = ["from __future__ import annotations", *lines]
    block.fill(_fenced(["# isort: off", *lines, "# isort: on"]))


def generate_python_all(block: CodeBlock, names: Collection[str]) -> None:
    """Fill an ``__all__`` block: constants, then classes, then the rest."""
    if not names:
        return

    def rank(name: str) -> tuple[int, str]:
        if name.isupper():
            return 0, name
        return (1 if name[:1].isupper() and "_" not in name else 2), name

    block.fill(f'"{name}",' for name in sorted(set(filter(utils.is_name, names)), key=rank))


def generate_python_export(block: CodeBlock) -> None:
    """Fill an ``export`` block."""
    module = block.param
    block.fill(
        [
            "# fmt: off",
            "# isort: off",
            f"from .{module} import *  # noqa: F403",
            f"from .{module} import __all__ as {module}__all__",
            'if "__all__" not in globals():',
            "    __all__ = []",
            # Pyright would report this line, because it cannot evaluate the condition above.
            f"__all__.extend({module}__all__)  # pyright: ignore",
            "# isort: on",
            "# fmt: on",
        ]
    )


# ---- new files ----


def _block(stub: str, indent: str = "") -> list[str]:
    return [f"{indent}{consts.PYTHON_SYNTAX.begin} {stub}", f"{indent}{consts.PYTHON_SYNTAX.end}"]


def _import_object(full_name: str, alias: str) -> str:
    return f"{consts.PYTHON_SYNTAX.directive('import-object')} {full_name};False;{alias}"


def class_lines(info: ObjectInfo, ty_map: Mapping[str, str], local: Collection[str]) -> list[str]:
    """Return the lines of a class. The ``object`` block in the class is empty.

    ``local`` contains the types of the preceding classes in the file.
    """
    leaf = info.type_key.rpartition(".")[2]
    if not utils.is_name(leaf):
        return []
    parent = _nameable_parent(info)
    lines = []
    is_enum = info.variants is not None and parent == "ffi.Object"
    if is_enum:
        base = "_ffi_EnumObject"
        lines.append(_import_object("tvm_ffi.dataclasses.EnumObject", base))
    elif parent in local:
        base = parent.rpartition(".")[2]
    else:
        base = "_" + parent.replace(".", "_")
        target = ty_map.get(parent) or consts.PYTHON_TY_MAP.get(parent, parent)
        lines.append(_import_object(target, base))
    if is_enum:
        lines.append(_import_object("tvm_ffi.dataclasses.c_enum", _REG_ENUM))
    return [
        *lines,
        f'@{_REG_ENUM if is_enum else _REG_OBJECT}("{info.type_key}")',
        f"class {leaf}({base}):",
        *(f"    {line}" if line else "" for line in utils.docstring_of(info)),
        "",
        *_block(f"object/{info.type_key}", "    "),
        "",
    ]


def _nameable_parent(info: ObjectInfo) -> str:
    """Return the type key of the nearest ancestor whose class can have a valid Python name."""
    parent = info.parent_type_key
    while parent is not None and not all(map(utils.is_name, parent.split("."))):
        above = object_info_from_type_key(parent)
        parent = None if above is None else above.parent_type_key
    return parent or "ffi.Object"


def generate_python_ffi_api(
    text: Sequence[str],
    prefix: str,
    infos: Sequence[ObjectInfo],
    ty_map: Mapping[str, str],
    init: InitConfig,
    has_functions: bool,
) -> list[str]:
    """Return the lines of ``_ffi_api.py``, with missing parts added."""
    lines = list(text)
    joined = "\n".join(lines)
    begin = consts.PYTHON_SYNTAX.begin
    if not lines:
        lines += [f'"""FFI API bindings for {prefix}."""', ""]
    if f"{begin} import-section" not in joined:
        lines += _block("import-section")
    is_root = f"{prefix}." == init.prefix
    if is_root and _LOAD_LIB not in joined and LOADER not in joined:
        lines.append(_import_object(LOADER, _LOAD_LIB))
        lines.append(f'LIB = {_LOAD_LIB}("{init.pkg}", "{init.shared_target}")')
    if has_functions and f"{begin} global/{prefix}" not in joined:
        lines += _block(f"global/{prefix}")
    if infos and _REG_OBJECT not in joined:
        lines.append(_import_object("tvm_ffi.register_object", _REG_OBJECT))
    local = {key for key in _object_keys(lines) if key.rpartition(".")[0] == prefix}
    classes: list[str] = []
    for info in infos:
        classes += class_lines(info, ty_map, local)
        local.add(info.type_key)
    if f"{begin} __all__" in joined:
        at = next(i for i, line in enumerate(lines) if line.startswith("__all__"))
        return [*lines[:at], *classes, *lines[at:]]
    return [*lines, *classes, "__all__ = [", *_block("__all__", "    "), "]"]


def _object_keys(lines: Sequence[str]) -> list[str]:
    head = f"{consts.PYTHON_SYNTAX.begin} object/"
    return [line.strip()[len(head) :].strip() for line in lines if line.strip().startswith(head)]


def generate_python_init(text: Sequence[str], prefix: str) -> list[str]:
    """Return the lines of ``__init__.py``, with missing parts added."""
    lines = list(text) or [f'"""Package {prefix}."""', ""]
    if not any(f"{consts.PYTHON_SYNTAX.begin} export/_ffi_api" in line for line in lines):
        lines += _block("export/_ffi_api")
    return lines


def _refuse_misplaced(file: FileInfo, module: ModuleText) -> None:
    """Reject blocks whose content would be invalid at their position."""
    seen: dict[tuple[str, str], int] = {}
    for block in file.code_blocks:
        line = block.lineno_start
        if block.kind == "import-section" and block.indent:
            raise ValueError(f"An import section must not be indented, at line {line}")
        if block.kind not in ("global", "object", "module"):
            continue
        classes = [] if block.kind == "global" else module.class_of(line)
        if block.kind == "module" and not classes:
            raise ValueError(
                f"`module/{block.param}` at line {line} must be in a class that derives from "
                "`tvm_ffi.Module`"
            )
        scope = str(classes[-1].lineno) if classes else ""
        what = block.param[0] if block.kind == "global" else str(block.param)
        first = seen.setdefault((f"{block.kind}/{what}", scope), line)
        if first != line:
            raise ValueError(f"`{block.kind}/{what}` at line {line} repeats that of line {first}")


# ---- the generator ----


class PythonGenerator(Generator):
    """The generator for Python."""

    name = "python"
    source_exts = (".py", ".pyi")
    syntax = consts.PYTHON_SYNTAX
    directive_kinds = frozenset({"import-object"})
    api_filename = "_ffi_api.py"
    init_filename = "__init__.py"
    separates_blocks = False
    writes_functions = True

    def default_ty_map(self) -> dict[str, str]:
        """Return the Python names of schema types."""
        return dict(consts.PYTHON_TY_MAP)

    def canonical_type_name(self, type_key: str, ty_map: Mapping[str, str]) -> str:
        """Return the full name of a type."""
        return ty_map.get(type_key, type_key)

    def new_imports(self, ty_map: Mapping[str, str], file: FileInfo | None = None) -> PythonImports:
        """Create the imports of a file, which must not hide names that the file defines.

        Raise ValueError if the file is not valid Python, or a block cannot be filled at its
        position.
        """
        if file is None:
            return PythonImports(ty_map)
        module = module_text.read_module(file)
        _refuse_misplaced(file, module)
        imports = PythonImports(ty_map, module=module)
        for name, full_name in module.bound.items():
            imports.defined[name] = full_name
        for block in (b for b in file.code_blocks if b.kind == "object"):
            key = str(block.param)
            full_name = ty_map.get(key, key)
            names = [c.name for c in module.class_of(block.lineno_start)]
            leaf = names[0] if names else full_name.rpartition(".")[2]
            imports.defined[leaf] = full_name if len(names) <= 1 else ""
            if names and key not in ty_map:
                imports.classes[key] = ".".join(names)
        imports.added_section = module_text.add_import_section(file, module)
        return imports

    def keep_imports(
        self, file: FileInfo, kept: Collection[CodeBlock], imports: PythonImports
    ) -> None:
        """Keep the existing imports that blocks with unchanged content use."""
        sections = [block for block in file.code_blocks if block.kind == "import-section"]
        used = {name for block in kept for name in utils.names_in(block.lines[1:-1])}
        if not sections or not used:
            return
        bound = {item.alias or item.name for item in imports.items}
        for item in utils.read_imports(sections[0].lines[1:-1]):
            local = item.alias or item.name
            if local in used and local not in bound:
                imports.add(item.full_name, item.type_checking_only, item.alias)

    def finish_file(self, file: FileInfo, imports: PythonImports) -> None:
        """Move the import section to a position where Python accepts it."""
        if imports.module is None:
            return
        sections = [b for b in file.code_blocks if b.kind == "import-section"]
        if sections:
            added = imports.added_section is not None
            module_text.place_imports(file, imports.module, sections[0], added)

    def add_directive(self, imports: PythonImports, name: str, payload: str, lineno: int) -> None:
        """Apply a directive to a file; raise ValueError if the directive is malformed."""
        parts = [part.strip() for part in payload.split(";")]
        if len(parts) != 3 or not parts[0] or parts[1] not in ("True", "False"):
            raise ValueError(
                f"Invalid `{name}` directive at line {lineno}. "
                "Expected `<full.name>;<True|False>;<alias>`"
            )
        imports.add(parts[0], parts[1] == "True", parts[2])

    def extra_export_names(self, imports: PythonImports) -> list[str]:
        """Return names to export that are not defined in generated blocks."""
        return ["LIB"] if any(item.full_name == LOADER for item in imports.items) else []

    def finalize_init(self, base: Path, made: Sequence[Path]) -> dict[Path, list[str]]:
        """Return an empty `py.typed` per new package: type checkers ignore others (PEP 561)."""
        markers = {base / path.relative_to(base).parts[0] / "py.typed" for path in made}
        return {path: [] for path in markers if not path.exists()}

    generate_global_funcs_block = staticmethod(generate_python_global_funcs)
    generate_object_block = staticmethod(generate_python_object)
    generate_import_section_block = staticmethod(generate_python_import_section)
    generate_all_block = staticmethod(generate_python_all)
    generate_export_block = staticmethod(generate_python_export)
    generate_api_file = staticmethod(generate_python_ffi_api)
    generate_init_file = staticmethod(generate_python_init)
