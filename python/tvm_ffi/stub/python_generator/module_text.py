# SPDX-License-Identifier: Apache-2.0
"""Analyze the user's part of a Python file: names, classes, and positions for imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tvm_ffi.stub.file_utils import CodeBlock, FileInfo

#: Kinds of blocks that contain generated statements.
_STATEMENT_BLOCKS = frozenset({"global", "object", "module", "import-section", "export"})


@dataclass
class ModuleText:
    """The user's part of a file: the module without the lines that the generator writes.

    Line numbers refer to the complete file.
    """

    tree: ast.Module
    # Name bound at module level -> the full name if it is imported, otherwise "".
    bound: dict[str, str] = field(default_factory=dict)
    # The last line of the docstring, comments and `from __future__` imports at the top.
    head_end: int = 0
    future_end: int = 0
    has_annotations_import: bool = False
    first_statement: int = 0

    def class_of(self, lineno: int) -> list[ast.ClassDef]:
        """Return the classes around a line, outermost first."""
        found: list[ast.ClassDef] = []
        body: Sequence[ast.stmt] = self.tree.body
        while True:
            inside = [s for s in body if s.lineno <= lineno <= (s.end_lineno or s.lineno)]
            if not inside or not isinstance(inside[0], (ast.ClassDef, ast.If)):
                return found
            if isinstance(inside[0], ast.ClassDef):
                found.append(inside[0])
            body = [*inside[0].body, *getattr(inside[0], "orelse", ())]

    def is_alone(self, lineno: int) -> bool:
        """Return whether the block that begins at a line is the whole body of a class."""
        classes = self.class_of(lineno)
        return bool(classes) and len(classes[-1].body) == 1


def read_module(file: FileInfo) -> ModuleText:
    """Read the user's part of a file; raise ValueError if the file is not valid Python."""
    _number_blocks(file)
    try:
        tree = ast.parse("\n".join(_user_lines(file)))
    except SyntaxError as error:
        text = f"not valid Python at line {error.lineno or 1}: {error.msg}"
        raise ValueError(text) from None
    module = ModuleText(tree)
    _read_head(module, file)
    for name, full_name in _bindings(_without_blocks(tree.body, file)):
        module.bound[name] = full_name if module.bound.get(name, full_name) == full_name else ""
    return module


def _number_blocks(file: FileInfo) -> None:
    """Update the line numbers of blocks, after blocks were added or removed."""
    line = 1
    for block in file.code_blocks:
        block.lineno_start = line
        line += len(block.lines)


def _user_lines(file: FileInfo) -> list[str]:
    """Return the lines of the file, with `pass` and blank lines in place of generated lines."""
    lines: list[str] = []
    for block in file.code_blocks:
        if block.kind in _STATEMENT_BLOCKS:
            lines.append(" " * block.indent + "pass")
            lines += [""] * (len(block.lines) - 1)
        else:
            lines += block.lines
    return lines


def _without_blocks(body: Sequence[ast.stmt], file: FileInfo) -> list[ast.stmt]:
    starts = {b.lineno_start for b in file.code_blocks if b.kind in _STATEMENT_BLOCKS}
    return [s for s in body if not (isinstance(s, ast.Pass) and s.lineno in starts)]


def _read_head(module: ModuleText, file: FileInfo) -> None:
    statements = _without_blocks(module.tree.body, file)
    if statements and isinstance(statements[0], ast.Expr):
        value = statements[0].value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            module.head_end = statements[0].end_lineno or 0
            statements = statements[1:]
    for statement in statements:
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        module.head_end = module.future_end = statement.end_lineno or 0
        module.has_annotations_import |= any(a.name == "annotations" for a in statement.names)
        statements = statements[1:]
    module.first_statement = statements[0].lineno if statements else len(file.lines) + 1
    if not module.head_end:
        module.head_end = _leading_comments(file)


def _leading_comments(file: FileInfo) -> int:
    """Return the number of comment lines at the top: interpreter, licence, encoding."""
    count = 0
    for line in file.lines:
        bare = line.strip()
        if not bare.startswith("#") or bare.startswith(file.syntax.prefix):
            break
        count += 1
    return count


def _bindings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield the names that statements bind, including statements inside `if` and `try`."""
    for statement in body:
        if isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            for alias in statement.names:
                yield alias.asname or alias.name, f"{module}.{alias.name}"
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield statement.name, ""
        else:
            for node in _targets(statement):
                yield node.id, ""
            for name in ("body", "orelse", "finalbody", "handlers"):
                yield from _bindings(getattr(statement, name, []))


def _targets(statement: ast.stmt) -> list[ast.Name]:
    """Return the names that a statement assigns to."""
    if isinstance(statement, ast.Assign):
        targets: Sequence[ast.expr] = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign, ast.For)):
        targets = [statement.target]
    else:
        return []
    nodes = [node for target in targets for node in ast.walk(target)]
    return [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def class_bindings(module: ModuleText, lineno: int) -> dict[str, str]:
    """Return the names that the user's code binds in the class around a block."""
    classes = module.class_of(lineno)
    return dict(_bindings(classes[-1].body)) if classes else {}


def derives_from_more(module: ModuleText, lineno: int) -> bool:
    """Return whether the class around a block has bases other than ``Object``."""
    classes = module.class_of(lineno)
    bases = classes[-1].bases if classes else []
    return any(ast.unparse(base).rpartition(".")[2] != "Object" for base in bases)


# ---- positions of imports


def add_import_section(file: FileInfo, module: ModuleText) -> CodeBlock | None:
    """Add an empty import section below docstring and `__future__` imports if a block needs it."""
    kinds = {block.kind for block in file.code_blocks}
    if "import-section" in kinds or not kinds & {"global", "object", "module"}:
        return None
    begin, end = f"{file.syntax.begin} import-section", file.syntax.end
    at = module.head_end
    section = CodeBlock("import-section", "", at, at, [begin, end])
    insert_block(file, at, section)
    return section


def insert_block(file: FileInfo, after: int, block: CodeBlock) -> None:
    """Insert a block after a line, which must not be inside a generated block."""
    blocks = file.code_blocks
    for i, old in enumerate(blocks):
        end = old.lineno_start + len(old.lines) - 1
        if after < old.lineno_start:
            blocks.insert(i, block)
            return
        if after < end:
            count = after - old.lineno_start + 1
            rest = CodeBlock(None, "", after + 1, end, old.lines[count:])
            old.lines = old.lines[:count]
            blocks[i + 1 : i + 1] = [block, rest]
            return
    blocks.append(block)


def place_imports(file: FileInfo, module: ModuleText, section: CodeBlock, added: bool) -> None:
    """Move a filled import section to a valid position, and import `annotations` if needed."""
    blocks = file.code_blocks
    filled = len(section.lines) > 2
    if added and not filled:
        blocks.remove(section)
        return
    if not filled:
        return
    if not added and section.lineno_start < module.future_end:
        blocks.remove(section)
        insert_block(file, module.future_end, section)
    elif added:
        _space(blocks, section)
    if needs_annotations_import(module) and not accepts_future_import(module, section):
        line = "from __future__ import annotations"
        insert_block(file, module.head_end, CodeBlock(None, "", 0, 0, [line, ""]))
        if module.head_end:
            at = next(i for i, b in enumerate(blocks) if b.lines[:1] == [line])
            blocks[at].lines.insert(0, "")
            blocks[at].lines.pop()


def _space(blocks: list[CodeBlock], section: CodeBlock) -> None:
    """Add blank lines between a new section and the text around it."""
    at = blocks.index(section)
    if at > 0 and blocks[at - 1].lines[-1].strip():
        blocks.insert(at, CodeBlock(None, "", 0, 0, [""]))
        at += 1
    if at + 1 < len(blocks) and blocks[at + 1].lines[0].strip():
        blocks.insert(at + 1, CodeBlock(None, "", 0, 0, [""]))


def needs_annotations_import(module: ModuleText) -> bool:
    """Return whether the file lacks `annotations`, so Python would evaluate annotations."""
    return not module.has_annotations_import


def accepts_future_import(module: ModuleText, section: CodeBlock) -> bool:
    """Return whether `from __future__` is accepted in an import section."""
    return section.lineno_start < module.first_statement and section.indent == 0
