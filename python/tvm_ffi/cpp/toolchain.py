# SPDX-License-Identifier: Apache-2.0
"""Find the compilers and the flags of every build."""

from __future__ import annotations

import os
import sys

from tvm_ffi import libinfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

IS_WINDOWS = sys.platform == "win32"

# Suppressed MSVC warnings: correct headers cause them.
_MSVC_SUPPRESSED = (4819, 4251, 4244, 4267, 4275, 4018, 4190, 4624, 4067, 4068)

# Characters that a shell never interprets.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")


# Programs whose first argument is the compiler.
_LAUNCHERS = frozenset({"ccache", "sccache", "distcc", "icecc"})


class Toolchain:
    """Compilers and their flags, quoted for a command line."""

    __slots__ = (
        *("_identity", "cc", "cflags", "cxx", "cxxflags", "gpu", "gpu_backend", "gpu_flags"),
        *("includes", "ldflags"),
    )

    def __init__(
        self,
        *,
        cxx: str,
        cc: str,
        cflags: tuple[str, ...],
        cxxflags: tuple[str, ...],
        includes: tuple[str, ...],
        ldflags: tuple[str, ...],
    ) -> None:
        self.cxx = cxx
        self.cc = cc
        self.cflags = cflags
        self.cxxflags = cxxflags
        self.includes = includes
        self.ldflags = ldflags
        # Empty if there are no sources for a GPU.
        self.gpu = ""
        self.gpu_backend = ""
        self.gpu_flags: tuple[str, ...] = ()
        self._identity: list[str] = []

    def identity(self) -> list[str]:
        """Return values that change when a compiler changes."""
        if not self._identity:
            commands = filter(None, (self.cxx, self.cc, self.gpu))
            self._identity = [_identity(command) for command in commands]
        return self._identity


def resolve(kinds: frozenset[str], backend: str | None, include_paths: Iterable[str]) -> Toolchain:
    """Find the tools for sources of the given kinds.

    Raise ValueError if ``backend`` or a list of architectures in the environment is invalid. Raise
    RuntimeError if the tools for a GPU cannot be found.
    """
    own = dict.fromkeys((libinfo.find_include_path(), libinfo.find_dlpack_include_path()))
    directories = [*own, *include_paths]
    if "cuda" not in kinds:
        return _host(directories)
    from . import cuda, gpu, hip

    chosen = gpu.resolve_backend(backend)
    if chosen == "hip":
        host = _host([*directories, hip.include_directory()])
        flags = ["-std=c++17", "-O2", "-fPIC", "-D__HIP_PLATFORM_AMD__=1", "-fno-gpu-rdc"]
        flags += hip.arch_flags()
        link = [f"-L{hip.library_directory()}", "-lamdhip64"]
        return _with_gpu(host, chosen, hip.compiler(), flags, link)
    nvcc = cuda.existing_compiler()  # Check this first: without nvcc, the rest is useless.
    if IS_WINDOWS:
        flags = ["-Xcompiler", "/std:c++17,/O2", "-std=c++17"]
        link = [f"/LIBPATH:{cuda.library_directory()}", "cudart.lib"]
    else:
        flags = ["-Xcompiler", "-fPIC", "-std=c++17", "-O2"]
        link = [f"-L{cuda.library_directory()}", "-lcudart"]
    flags += cuda.arch_flags()
    return _with_gpu(_host(directories), chosen, nvcc, flags, link)


def check_programs(tools: Toolchain, kinds: frozenset[str]) -> None:
    """Check, before a build, that its compilers exist.

    Raise RuntimeError if a compiler does not exist; the message says how to install or select one.
    """
    if IS_WINDOWS:
        return  # The developer prompt puts the compilers on PATH.
    wanted = [("C++", "CXX", tools.cxx)]
    if "c" in kinds:
        wanted.append(("C", "CC", tools.cc))
    for language, variable, command in wanted:
        missing = _missing_program(command)
        if missing is None:
            continue
        if os.environ.get(variable):
            raise RuntimeError(
                f"the {language} compiler `{missing}` was not found: the environment variable "
                f"{variable} names it. Correct the variable, or remove it to use the compiler of "
                "the system"
            )
        raise RuntimeError(
            f"building needs a {language} compiler, and there is no program `{missing}` on PATH: "
            "install one (Debian and Ubuntu: apt install g++, Fedora: dnf install gcc-c++, macOS: "
            f"xcode-select --install), or set the environment variable {variable} to its path"
        )


def _missing_program(command: str) -> str | None:
    """Return the program of a command that does not exist, or ``None``."""
    for word in _words(command):
        if find_program(word) is None:
            return word
        if os.path.basename(word) not in _LAUNCHERS:
            return None
    return None


def _host(include_directories: Iterable[str]) -> Toolchain:
    library = libinfo.find_windows_implib() if IS_WINDOWS else libinfo.find_libtvm_ffi()
    directory = os.path.dirname(library)
    if IS_WINDOWS:
        cflags: tuple[str, ...] = ("/O2", "/MD")
        suppressed = (f"/wd{number}" for number in _MSVC_SUPPRESSED)
        cxxflags = ("/std:c++17", *cflags, "/EHsc", *suppressed)
        includes = tuple(quote(f"/I{d}") for d in include_directories)
        ldflags = ("/DLL", quote(f"/LIBPATH:{directory}"), os.path.basename(library))
    else:
        cflags = ("-fPIC", "-O2")
        cxxflags = ("-std=c++17", *cflags)
        includes = tuple(quote(f"-I{d}") for d in include_directories)
        # Report an undefined symbol when a program loads the library, and not at link time, because
        # Python or a library that the caller loads first may define the symbol.
        now = () if sys.platform == "darwin" else ("-Wl,-z,now",)
        ldflags = ("-shared", quote(f"-L{directory}"), "-ltvm_ffi", *now)
    return Toolchain(
        cxx=_from_environment("CXX", "cl" if IS_WINDOWS else "c++"),
        cc=_from_environment("CC", "cl" if IS_WINDOWS else "cc"),
        cflags=cflags,
        cxxflags=cxxflags,
        includes=includes,
        ldflags=ldflags,
    )


def _with_gpu(
    tools: Toolchain, backend: str, compiler: str, flags: Iterable[str], link: Iterable[str]
) -> Toolchain:
    tools.gpu = quote(compiler)
    tools.gpu_backend = backend
    tools.gpu_flags = tuple(map(quote, flags))
    tools.ldflags += tuple(map(quote, link))
    return tools


def quote(text: str) -> str:
    """Quote a word for the command line of the system."""
    if IS_WINDOWS:
        import subprocess

        return subprocess.list2cmdline([text])
    if text and _PLAIN.issuperset(text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _from_environment(variable: str, default: str) -> str:
    """Return the compiler, possibly with arguments, from an environment variable."""
    command = os.environ.get(variable) or default
    # A path with spaces is one word, not a command with arguments.
    return quote(command) if os.path.isfile(command) else command


def _identity(command: str) -> str:
    """Describe the programs of a command: path, size and time.

    A launcher such as ``ccache g++`` has two programs; words that are not programs are ignored.
    """
    parts = [command]
    for word in _words(command):
        path = find_program(word)
        if path is not None:
            real = os.path.realpath(path)
            status = os.stat(real)
            parts.append(f"{real}:{status.st_size}:{status.st_mtime_ns}")
    return "|".join(parts)


def _words(command: str) -> list[str]:
    if _PLAIN.issuperset(command):
        return [command]
    import shlex  # Importing it takes as long as the rest of this function.

    return shlex.split(command, posix=not IS_WINDOWS)


def find_program(name: str) -> str | None:
    """Return the path of a program on PATH, or None."""
    if IS_WINDOWS:
        import shutil

        return shutil.which(name)
    directories = [""]
    if "/" not in name:
        directories = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for directory in directories:
        path = os.path.join(directory, name)
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            return path
    return None
