# SPDX-License-Identifier: Apache-2.0
"""The output `rust`: files, custom sections, settings and findings. `tests/rust` compiles Rust."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

from tvm_ffi_schema.files import tokens

HERE = Path(__file__).parent
needs_toml = pytest.mark.skipif(sys.version_info < (3, 11), reason="reading TOML needs it")
SCHEMA = '''
@declare
class PointNode(Object):
    """A point."""
    type_key = "t.Point"
    x: int = 1

    @method
    def moved(self, by: int) -> "PointNode":
        """Move."""
'''
BODY = """\
    // tschema: custom-begin PointNode.method:moved
    pub fn moved(&self, by: i64) -> tvm_ffi::Result<Point> {
        let quoted = ('"', "'", r#"a "quoted" // text"#, "\\\\");
        let _: &'static str = quoted.1; // not a string: '
        Ok(Point::new(self.x + by))
    }
    // tschema: custom-end
"""


def written(text: str) -> str:
    """Replace the method in the custom section of a generated text by `BODY`."""
    return re.sub(
        r"    // tschema: custom-begin PointNode.method.*?custom-end\n",
        lambda _: BODY,
        text,
        flags=re.DOTALL,
    )


def test_a_module_for_each_file_and_one_that_registers_them(project):
    project.schema(SCHEMA)
    project.schema(SCHEMA.replace("Point", "Other"), "schema/a-b.py")
    assert project.run("generate", "--to", "rust") == 0, project.err
    names = sorted(name for name in project.files() if name.endswith(".rs"))
    assert names == [f"rust/src/schema/{name}.rs" for name in ("a_b", "ir", "mod")]
    root = project.read("rust/src/schema/mod.rs")
    assert "pub mod a_b;\npub mod ir;\n" in root and "ir::register_entries()?;" in root
    text = project.read("rust/src/schema/ir.rs")
    assert '    "t.Point",\n    s_eq_hash_kind = "TreeNode",\n    reflection = PointNode' in text
    assert "    pub x: i64,\n" in text
    assert project.run("check", "--to", "rust", "--no-cache") == 0
    assert project.run("outputs", "--to", "rust") == 0 and project.out.split() == names


def test_methods_by_hand_are_kept_and_edits_are_noticed(project):
    project.schema(SCHEMA)
    name = "rust/src/schema/ir.rs"
    assert project.run("generate", "--to", "rust") == 0
    project.write(name, written(project.read(name)))
    project.schema(SCHEMA.replace("x: int = 1", "x: int = 1\n    y: float = 0.5"))
    assert project.run("generate", "--to", "rust") == 0, project.err
    assert BODY in project.read(name) and "pub y: f64" in project.read(name)
    before = project.read(name)
    assert project.run("generate", "--no-cache", "--to", "rust") == 0
    assert project.read(name) == before
    project.write(name, before.replace("pub y: f64", "pub y: f32"))
    assert project.run("generate", "--no-cache", "--to", "rust") == 4
    assert project.ids() == ["TS108"]
    project.write(name, before)
    project.schema(SCHEMA.replace("moved", "shifted"))
    assert project.run("generate", "--to", "rust") == 4 and project.ids() == ["TS121"]
    assert "Ok(Point::new(self.x + by))" in project.read(f"{name}.orphaned")


@pytest.mark.parametrize("path", sorted((HERE / "corpus").glob("*.py")), ids=lambda one: one.stem)
def test_what_rust_does_not_have_is_found_in_every_schema(project, path):
    for one in (HERE / "corpus").glob("*.py"):
        project.write(f"schema/{one.name}", one.read_text())
    assert project.run("generate", "-q", "--to", "rust") == 3
    assert set(project.ids()) == {"TS327"}
    assert not (project.root / "rust").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x: int = field(default=cpp('1'))", "field 'x': the default 1 is C++"),
        ("x: int = field(reflect=False)", "registers all of its fields"),
        ("x: str = field(init=False)", "without a parameter it needs a default"),
        ("x: Text", "the C++ type std::string is not known"),
        ("x: 'Far'", "no Rust type is known for the extern class other.Far"),
        ("x: ty.Tuple[int, int, int, int, int, int, int, int, int]", "a tuple of 9 types"),
        ("x: ty.Union[int, ty.Any]", "a union with Any"),
        ("default_visit_attrs = False\n    x: int = 0", "a class in Rust registers its fields"),
        (
            "@method\n    def f(self, a: int) -> int: ...\n    x: int = 0\n"
            "    @method\n    def new(self) -> int: ...",
            "new is defined twice",
        ),
    ],
)
def test_findings(project, line, words):
    extern = 'Far = extern("other.Far", obj="::o::FarObj", ref="::o::Far", header="<o.h>")\n'
    extern = extern if "Far" in line else ""  # an extern that nothing uses is a warning
    extern += 'Text = ty.Cpp("std::string", size=32, align=8)\n'
    head = f'{extern}\n@declare\nclass ANode(Object):\n    type_key = "t.A"\n'
    project.schema(f"{head}    {line}\n")
    assert project.run("generate", "--to", "rust") == 3, project.err
    assert set(project.ids()) == {"TS327"} and words in project.err


@pytest.mark.parametrize("name", ["self", "crate"])
def test_names_that_rust_reserves(project, name):
    project.schema(f'@declare\nclass ANode(Object):\n    type_key = "t.A"\n    {name}: int = 0\n')
    assert project.run("generate", "--to", "rust") == 3
    assert project.ids() == ["TS322"] and "keyword of Rust" in project.err


def test_other_keywords_and_the_field_base(project):
    text = "    type: int = 0\n    base: int = 0\n    fine: int = field(default=0, name='match')\n"
    project.schema(f'@declare\nclass ANode(Object):\n    type_key = "t.A"\n{text}')
    assert project.run("generate", "--to", "rust") == 0, project.err
    made = project.read("rust/src/schema/ir.rs")
    assert "pub r#type: i64" in made and '#[reflect(name = "base", default = 0)]' in made
    assert '#[reflect(name = "match", default = 0)]\n    pub fine: i64' in made


@needs_toml
def test_settings(project):
    project.schema(
        'Far = extern("other.Far", obj="::o::FarObj", ref="::o::Far", header="<o.h>")\n'
        '@declare\nclass ANode(Far):\n    type_key = "t.A"\n    other: "Far"\n'
    )
    settings = (
        'outputs = ["rust"]\nrust_root = "src/made"\n[rust_externs]\n"other.Far" = "far::Far"\n'
    )
    project.write("tschema.toml", settings)
    assert project.run("generate") == 0, project.err
    made = project.read("src/made/ir.rs")
    assert "    base: <far::Far as tvm_ffi::ObjectRefCore>::ContainerType," in made
    assert "    pub other: far::Far," in made and "pub fn new" not in made
    (project.root / "schema/ir.py").unlink()
    project.schema(SCHEMA, "schema/later.py")
    assert project.run("check") == 1 and "TS116" in project.ids()
    project.write("tschema.toml", settings.replace("far::Far", "a b"))
    assert project.run("generate") == 2 and project.ids() == ["TS011"]
    project.write("tschema.toml", settings.replace('"src/made"', '"../made"'))
    assert project.run("generate") == 2 and project.ids() == ["TS011"]


@pytest.mark.skipif(shutil.which("rustfmt") is None, reason="no rustfmt")
@pytest.mark.parametrize("width", range(8, 64, 4))
def test_lines_are_those_of_rustfmt(project, width):
    name = "n" * width
    text = SCHEMA.replace("moved", name).replace("by:", f"{name}, {name}_b: float, by:")
    text = text.replace(f"{name}, ", f"{name}_a: int, ").replace("x: int = 1", f"{name}_x: int = 1")
    project.schema(text.replace("t.Point", f"t{name}.Point"))
    assert project.run("generate", "--to", "rust") == 0, project.err
    command = ["rustfmt", "--check", "--edition", "2021", "rust/src/schema/mod.rs"]
    execute(*command, cwd=project.root)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fn f<'a>(x: &'a str) {} // 'b'", ["// 'b'"]),
        ("let x = '\\''; // c", ["// c"]),
        ("let x = '\"'; // c", ["// c"]),
        ('let x = r#"a" // b"#; // c', ["// c"]),
        ('let x = "a\n// b"; // c', ["// c"]),
        ("/* // a */ // c", ["// c"]),
        ('let x = br"\\"; // c', ["// c"]),
    ],
)
def test_comments_of_rust(text, found):
    assert [one for _, one in tokens.line_comments(text, "rust")] == found
