# SPDX-License-Identifier: Apache-2.0
"""Write the ninja build file."""

from __future__ import annotations

import os
import sys

from .request import CANNOT_EXPRESS, kind_of
from .toolchain import IS_WINDOWS, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .request import Request
    from .toolchain import Toolchain

BUILD_FILE = "build.ninja"
# The environment variable with the name of the directory in which ninja runs. The text of a command
# must not contain this name, because ninja runs commands again whose text has changed.
WORK_VARIABLE = "TVM_FFI_BUILD_WORK"

_RULE_OF = {"c": "compile_c", "cpp": "compile_cpp", "cuda": "compile_gpu"}
_WORK = f"$${WORK_VARIABLE}"
_OBJECT_SUFFIX = ".obj" if IS_WINDOWS else ".o"


def build_file(request: Request, tools: Toolchain, directory: str) -> str:
    """Return the text of ``build.ninja`` for a build in a directory."""
    lines = ["ninja_required_version = 1.3", *_variables(request, tools), ""]
    for name, attributes in _rules(tools, directory).items():
        lines += [f"rule {name}", *(f"  {key} = {value}" for key, value in attributes), ""]
    lines += _edges(request, directory)
    lines += ["", f"default {path(request.output)}", ""]
    return "\n".join(lines)


def path(name: str) -> str:
    """Escape a path for a build file.

    Raise ValueError if the path contains a character that a build file cannot express.
    """
    if not CANNOT_EXPRESS.isdisjoint(name):
        raise ValueError(f"a build path contains a line break, NUL or '|': {name!r}")
    return name.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def word(text: str) -> str:
    """Escape a part of a command, so that ninja does not interpret it."""
    return text.replace("$", "$$")


def _variables(request: Request, tools: Toolchain) -> list[str]:
    # The caller's flags are not escaped: they are already in the syntax of a build file.
    own = [word(flag) for flag in tools.includes]
    values = {
        "cxx": [word(tools.cxx)],
        "cxxflags": [*tools.cxxflags, *request.cflags, *own],
        "cc": [word(tools.cc)],
        "cflags": [*tools.cflags, *request.cflags, *own],
        "ldflags": [*map(word, tools.ldflags), *request.ldflags],
    }
    if tools.gpu:
        values["gpu"] = [word(tools.gpu)]
        values["gpu_cflags"] = [*map(word, tools.gpu_flags), *request.cuda_cflags, *own]
    return [f"{name} = {' '.join(words)}" for name, words in values.items()]


def _rules(tools: Toolchain, directory: str) -> dict[str, list[tuple[str, str]]]:
    if IS_WINDOWS:
        return _windows_rules()
    # Keep the dep files, because the record of the build lists the files in them.
    deps = ("depfile", "$out.d")
    # Commands run in the directory of the build, because flags may have relative paths.
    here = f"cd {word(quote(directory))} && "
    out = f"{_WORK}/$out"
    depend = f"-MMD -MT $out -MF {out}.d"
    gpu_depend = depend
    if tools.gpu_backend == "cuda":
        gpu_depend = f"--generate-dependencies-with-compile -MT $out --dependency-output {out}.d"
    embed = f"{word(quote(sys.executable))} -m tvm_ffi.utils.embed_cubin"
    rules = {
        "compile_cpp": [
            deps,
            ("command", f"{here}$cxx {depend} $cxxflags -c $in -o {out}"),
        ],
        "compile_c": [deps, ("command", f"{here}$cc {depend} $cflags -c $in -o {out}")],
        "merge_objects": [("command", f"{here}ld -r $objects -o {out}")],
        "copy_object": [("command", f"{here}cp -f -- $objects {out}")],
        "embed_cubin": [
            (
                "command",
                f"{here}{embed} --output-obj {out} --input-obj $objects --cubin $cubin "
                "--name $name",
            )
        ],
        "link": [("command", f"{here}$cxx $objects $ldflags -o {out}")],
    }
    if tools.gpu:
        command = f"{here}$gpu {gpu_depend} $gpu_cflags -c $in -o {out}"
        rules["compile_gpu"] = [deps, ("command", command)]
    return rules


def _windows_rules() -> dict[str, list[tuple[str, str]]]:
    deps = ("deps", "msvc")
    return {
        "compile_cpp": [deps, ("command", "$cxx /nologo /showIncludes $cxxflags -c $in /Fo$out")],
        "compile_c": [deps, ("command", "$cc /nologo /showIncludes $cflags -c $in /Fo$out")],
        "compile_gpu": [("command", "$gpu $gpu_cflags -c $in -o $out")],
        "copy_object": [("command", "cmd /c copy /y $in $out")],
        "link": [("command", "$cxx /nologo $in /link $ldflags /out:$out")],
    }


def objects_of(request: Request) -> dict[str, str]:
    """Return the sources in link order, each with its object file."""
    objects = {}
    counts = dict.fromkeys(_RULE_OF, 0)
    for source in sorted(request.sources):
        kind = kind_of(source)
        if kind == "object":
            objects[source] = source
        else:
            objects[source] = f"{kind}_{counts[kind]}{_OBJECT_SUFFIX}"
            counts[kind] += 1
    return objects


def _edges(request: Request, directory: str) -> list[str]:
    lines = []
    made = objects_of(request)
    for source, target in made.items():
        if target != source:
            rule = _RULE_OF[kind_of(source)]
            lines.append(f"build {target}: {rule} {path(os.path.join(directory, source))}")
    objects = list(made.values())
    if request.cubins:
        embedding, objects = _embedding(request, objects, directory)
        lines += embedding
    if not request.is_object:
        rule = "link"
    elif len(objects) == 1 or IS_WINDOWS:
        rule, objects = "copy_object", objects[:1]
    else:
        rule = "merge_objects"
    return [*lines, *_edge(path(request.output), rule, objects)]


def _edge(output: str, rule: str, objects: list[str], *more: str) -> list[str]:
    """Return the lines of an edge from objects, which are in the work directory unless given."""
    places = [word(quote(o)) if os.path.isabs(o) else f"{_WORK}/{o}" for o in objects]
    inputs = " ".join([*map(path, objects), *more])
    return [f"build {output}: {rule} {inputs}", f"  objects = {' '.join(places)}"]


def _embedding(request: Request, objects: list[str], directory: str) -> tuple[list[str], list[str]]:
    """Return the ninja edges that merge the objects and embed the cubins, and the last object."""
    current = f"unified{_OBJECT_SUFFIX}"
    lines = _edge(current, "merge_objects", objects)
    for i, name in enumerate(sorted(request.cubins)):
        made = f"unified_{i}{_OBJECT_SUFFIX}"
        cubin = os.path.join(directory, f"{name}.cubin")
        # The cubin is an input, so that a changed cubin is embedded again.
        lines += _edge(made, "embed_cubin", [current], path(cubin))
        lines += [f"  cubin = {word(quote(cubin))}", f"  name = {word(quote(name))}"]
        current = made
    return lines, [current]
