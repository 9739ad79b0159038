# SPDX-License-Identifier: Apache-2.0
"""Type checkers accept schema files, and infer the same types as the readers."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema import ty

TYPED = Path(__file__).parent / "typed"
PACKAGE = str(Path(tvm_ffi.__file__).parents[1])


def check(command: list[str], cwd: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    done = execute(*command, status=None, cwd=cwd, env=environment)
    return done.stdout + done.stderr if done.returncode else ""


def copy(folder: Path) -> None:
    shutil.copytree(TYPED, folder, dirs_exist_ok=True)


def mypy(cwd: Path) -> str:
    pytest.importorskip("mypy")
    return check([sys.executable, "-m", "mypy", "--strict", "nodes.py"], cwd)


def test_a_schema_passes_mypy(tmp_path):
    """An earlier version of the stub lacked Array, List, Map, Dict, Function and Handle."""
    copy(tmp_path)
    assert mypy(tmp_path) == ""


def test_a_schema_passes_pyright(tmp_path):
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("pyright", path=beside) or shutil.which("basedpyright", path=beside)
    if found is None:
        pytest.skip("pyright is not installed")
    copy(tmp_path)
    settings = f'{{"typeCheckingMode": "standard", "extraPaths": ["{PACKAGE}"]}}'
    (tmp_path / "pyrightconfig.json").write_text(settings)
    command = [found, "--pythonpath", sys.executable, "nodes.py"]
    assert check(command, tmp_path) == ""


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('text: ty.String = "x"', "text: ty.String = 1", "[assignment]"),
        ("default=0, kw_only=True", "default=0, kwonly=True", "[call-overload]"),
        ('namespace="typed"', "namespace=1", "[arg-type]"),
        ("ty.List[ty.String] = field", "ty.Lst[ty.String] = field", "[name-defined]"),
    ],
)
def test_mypy_sees_what_is_wrong(tmp_path, old, new, error):
    copy(tmp_path)
    texts = {path: path.read_text() for path in tmp_path.glob("*.py")}
    (changed,) = (path for path, text in texts.items() if old in text)
    changed.write_text(texts[changed].replace(old, new))
    found = mypy(tmp_path)
    assert error in found or error.replace("overload", "arg") in found, found


def test_every_type_is_known_to_type_checkers():
    stub = Path(ty.__file__).with_name("ty.pyi").read_text()
    listed = stub.partition("__all__ = [")[2].partition("]")[0]
    assert [name for name in ty._NAMES if f'"{name}"' not in listed] == []


def test_both_readers_read_the_typed_schema_alike(project):
    project.write("nodes.py", (TYPED / "nodes.py").read_text())
    made = []
    for frontend in ("static", "import"):
        assert project.run("export", "--frontend", frontend, "nodes.py") == 0, project.err
        made.append(project.out)
    assert made[0] == made[1]
    assert '"type_key": "other.Span"' in made[0] and '"text": "std::string"' in made[0]


def test_a_body_that_only_refuses_declares(project):
    """An earlier version treated `raise NotImplementedError` as a Python body of the method."""
    project.schema(
        '@declare\nclass A(Object):\n    """One."""\n    type_key = "typing.A"\n'
        "    @method\n    def f(self) -> int:\n        raise NotImplementedError\n"
        "    @method\n    def g(self) -> int:\n        raise NotImplementedError()\n",
        "refusing.py",
    )
    assert project.run("export", "refusing.py") == 0, project.err
    assert "python_code" not in project.out


@pytest.mark.parametrize("frontend", ["static", "import"])
def test_a_method_of_cpp_with_a_body_is_refused(project, frontend):
    """Earlier versions dropped the body; the generated method raised an error."""
    project.schema(
        '@declare\nclass A(Object):\n    """One."""\n    type_key = "typing.A"\n    x: int\n'
        '    @method\n    def f(self) -> int:\n        """Twice."""\n        return 2 * self.x\n'
    )
    assert project.run("generate", "--frontend", frontend) == 3
    assert project.ids() == ["TS040"] and "method 'f' has a body in Python" in project.err
    assert "schema/ir.py:10:" in project.err


EXTERN = '@extern("o.A", obj="::o::ANode", ref="::o::A")\n'


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (EXTERN + "class A(Object):\n    x: int\n", "its body can hold documentation alone"),
        (EXTERN + "@declare\nclass A(Object): ...\n", "@extern goes with no other decorator"),
        ('@extern("o.A", obj="::o::A")\nclass A(Object): ...\n', "extern() needs ref="),
    ],
)
def test_an_extern_class_is_only_named(project, text, finding):
    project.schema(text)
    assert project.run("check") == 3
    assert finding in project.err
