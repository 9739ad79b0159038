# SPDX-License-Identifier: Apache-2.0
"""Generated blocks in Python and Markdown files, beside hand-written text and generated stubs."""

from __future__ import annotations

import pytest

SCHEMA = (
    "__tschema__ = module(namespace='t', type_key_prefix='t.', python='pkg.nodes')\n"
    "@declare\nclass ANode(Object):\n    '''An a.'''\n    type_key = 'A'\n"
    "    x: int = field(default=1, kw_only=True)\n"
    "@declare\nclass BNode(ANode):\n    '''A b.'''\n    type_key = 'B'\n"
    "    others: 'ty.Array[ANode]'\n    def total(self) -> int:\n        return self.x\n"
)
BINDING = '''"""Mine."""

from __future__ import annotations

# tschema: @includes
# tschema: end

LIMIT = 3


# tschema: A
# tschema: custom-begin
    def double(self) -> int:
        return 2 * self.x
# tschema: custom-end
# tschema: end


# tschema: BNode
# tschema: end

# tvm-ffi-stubgen(begin): global/t
# tvm-ffi-stubgen(end)
'''


@pytest.fixture
def marked(project):
    project.schema(SCHEMA)
    project.write("python/pkg/nodes.py", BINDING)
    project.write("tschema.toml", 'mode = "inplace"\noutputs = ["python"]\n')
    return project


@pytest.mark.spec("SC77", "SC92.5")
def test_classes_in_a_python_file(marked):
    assert marked.run("generate") == 0, marked.err
    text = marked.read("python/pkg/nodes.py")
    assert text.startswith('"""Mine."""') and "LIMIT = 3" in text
    assert "from tvm_ffi import Object" in text and "KW_ONLY, c_class, field" in text
    assert '@c_class("t.A")\nclass A(Object):' in text and "class B(A):" in text
    assert "    others: Sequence[A]" in text and "    def total(self) -> int:" in text
    assert "# tschema: custom-begin\n    def double(self) -> int:" in text
    assert "# tvm-ffi-stubgen(begin): global/t\n# tvm-ffi-stubgen(end)\n" in text
    compile(text, "nodes.py", "exec")
    before = marked.files()
    assert marked.run("generate") == 0 and marked.run("check") == 0, marked.out
    assert marked.files() == before
    edited = text.replace("x: int =", "x: float =")
    marked.write("python/pkg/nodes.py", edited)
    assert marked.run("generate") == 4 and marked.ids() == ["TS108"]


@pytest.mark.spec("SC92.5", "SC93")
def test_the_stub_generator_keeps_these_blocks(marked):
    from tvm_ffi.stub import cli

    assert marked.run("generate") == 0, marked.err
    path = marked.root / "python/pkg/nodes.py"
    before = path.read_text()
    assert cli.main([str(path)]) == 0
    after = path.read_text()
    for part in ("# tschema: A\n", "class B(A):", "def double(self)", "LIMIT = 3"):
        assert part in before and part in after
    assert marked.run("check", "-q") == 0, marked.out


def test_one_header_and_one_binding_have_blocks_of_the_same_class(marked):
    marked.write("include/t/ir.h", "// tschema: ANode\n// tschema: end\n// tschema: A\n"
                 "// tschema: end\n// tschema: BNode.all\n// tschema: end\n")  # fmt: skip
    assert marked.run("generate", "--to", "cpp,python") == 0, marked.err
    assert "class A : public" in marked.read("include/t/ir.h")
    assert "class A(Object)" in marked.read("python/pkg/nodes.py")


@pytest.mark.spec("SC77")
def test_sections_in_a_markdown_page(project):
    project.schema(SCHEMA)
    project.write("guide.md", "# Mine\n\n<!-- tschema: ANode -->\n<!-- tschema: end -->\n\nEnd.\n")
    assert project.run("generate", "--inplace", "guide.md", "-q") == 0, project.err
    text = project.read("guide.md")
    assert text.startswith("# Mine\n\n<!-- tschema: ANode -->\n## ANode\n")
    assert "| `x` | `int64_t` | `1` | keyword-only |" in text and text.endswith("-->\n\nEnd.\n")
    assert project.run("check", "--inplace", "guide.md", "-q") == 0, project.out


@pytest.mark.parametrize("target", ["ANode.ctor", "@registration", "Missing"])
def test_what_such_files_do_not_hold(marked, target):
    marked.write("python/pkg/nodes.py", f"# tschema: {target}\n# tschema: end\n")
    assert marked.run("generate") == 4 or marked.ids()
    assert marked.ids()[0] in ("TS104", "TS107")
