# SPDX-License-Identifier: Apache-2.0
"""Find the files of the package: headers, libraries, CMake files, sources.

The functions search the installed package first, then the source tree around the package. Only
``load_lib_ctypes`` and ``load_lib_module`` load native code. Paths are strings, since importing
:mod:`pathlib` takes longer than the search.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from .module import Module

# ---- parts of the package ----


def find_libtvm_ffi() -> str:
    """Return the path of the runtime library.

    Raises
    ------
    RuntimeError
        If the library is not found.

    Examples
    --------
    >>> import os
    >>> from tvm_ffi import libinfo
    >>> os.path.exists(libinfo.find_libtvm_ffi())
    True

    """
    try:
        return _find_own_library("tvm_ffi")
    except RuntimeError as error:
        raise RuntimeError("Cannot find libtvm_ffi") from error


def find_windows_implib() -> str:
    """Return the path of the import library, which only Windows has."""
    package, source = _roots()
    roots = (package, os.path.join(source, "build"), source)
    found = _first_holding("lib/tvm_ffi.lib", roots)
    return _required(found and os.path.join(found, "lib", "tvm_ffi.lib"), "implib")


def find_source_path() -> str:
    """Return the directory whose ``CMakeLists.txt`` builds the library from source."""
    return _required(_first_holding("CMakeLists.txt", _roots()), "home path")


def find_cmake_path() -> str:
    """Return the directory of the CMake package."""
    name = "tvm_ffi-config.cmake"
    found = _installed_directory(name, os.path.join("share", "cmake", "tvm_ffi"))
    return _required(
        found or _first_holding(name, (os.path.join(_roots()[1], "cmake"),)), "cmake path"
    )


def find_pkgconfig_path() -> str:
    """Return the directory of ``tvm-ffi.pc``, which only an installed package has."""
    found = _installed_directory("tvm-ffi.pc", os.path.join("lib", "pkgconfig"))
    return _required(found, "pkg-config path")


def find_include_path() -> str:
    """Return the directory of the headers ``tvm/ffi/*.h``."""
    return _required(_first_holding("tvm/ffi/c_api.h", _include_roots()), "include path")


def find_dlpack_include_path() -> str:
    """Return the directory of ``dlpack/dlpack.h``."""
    return _required(_first_holding("dlpack/dlpack.h", _include_roots()), "dlpack include path")


def find_python_helper_include_path() -> str:
    """Return the directory of ``tvm_ffi_python_helpers.h``."""
    found = _first_holding("tvm_ffi_python_helpers.h", _include_roots())
    return _required(found, "python helper include path")


def find_cython_lib() -> str:
    """Return the path of the extension ``tvm_ffi.core``, without loading it.

    The published interface defines the name of this function; the extension does not use Cython.

    Raises
    ------
    RuntimeError
        If the package has no extension, as in a source tree that was not built.

    """
    import importlib.util

    spec = importlib.util.find_spec("tvm_ffi.core")
    if spec is None or spec.origin is None:
        raise RuntimeError("Cannot find the extension tvm_ffi.core.")
    return os.path.realpath(spec.origin)


def include_paths() -> list[str]:
    """Return the include directories for a compiler, sorted."""
    return sorted(
        {find_include_path(), find_dlpack_include_path(), find_python_helper_include_path()}
    )


# ---- libraries of other packages ----


def load_lib_ctypes(
    package: str, target_name: str, mode: str, extra_lib_paths: list[Path] | None = None
) -> ctypes.CDLL:
    """Load a library that is part of an installed package, through ctypes.

    Parameters
    ----------
    package
        The distribution whose files are searched first.
    target_name
        The name of the library, without the prefix ``lib`` and without suffix.
    mode
        The name of a constant of ``ctypes``: ``"RTLD_LOCAL"`` or ``"RTLD_GLOBAL"``.
    extra_lib_paths
        Directories that are searched next.

    Raises
    ------
    RuntimeError
        If the library is not found.
    Exception
        The exception of a static-init block of the library, whose registrations are then removed.

    """
    import ctypes

    path = _find_library_by_basename(package, target_name, extra_lib_paths)
    _add_dll_directory(path)
    begun = _begin_load(str(path))
    library = None
    try:
        library = ctypes.CDLL(str(path), mode=getattr(ctypes, mode))
    finally:
        if begun is not None:
            _end_load(begun, library)
    return library


def load_lib_module(
    package: str,
    target_name: str,
    keep_module_alive: bool = True,
    extra_lib_paths: list[Path] | None = None,
) -> Module:
    """Load a library that is part of an installed package, as a module.

    Parameters
    ----------
    package
        The distribution whose files are searched first.
    target_name
        The name of the library, without the prefix ``lib`` and without suffix.
    keep_module_alive
        Whether the module stays loaded until the process ends.
    extra_lib_paths
        Directories that are searched next.

    Raises
    ------
    RuntimeError
        If the library is not found.

    Examples
    --------
    >>> from tvm_ffi import libinfo
    >>> libinfo.load_lib_module("fast-tvm-ffi", "tvm_ffi_testing").kind
    'library'

    """
    from .module import load_module  # The only import that needs the extension.

    path = _find_library_by_basename(package, target_name, extra_lib_paths)
    _add_dll_directory(path)
    return load_module(path, keep_module_alive=keep_module_alive)


def _begin_load(path: str) -> object | None:
    """Tell the runtime that the load of the library at ``path`` begins.

    Return the argument ``begun`` of ``_end_load``; ``None`` if the extension is missing.
    """
    try:
        from .registry import get_global_func
    except ImportError:  # Without the extension, `_end_load` cannot report errors.
        return None
    begun: object = get_global_func("ffi._LoadBegin")(path, "")
    return begun


def _end_load(begun: object, library: ctypes.CDLL | None) -> None:
    """End the load. If an initializer failed, close the library and raise its exception."""
    from . import module
    from .registry import get_global_func

    try:
        get_global_func("ffi._LoadEnd")(begun, library is not None)
    except BaseException:
        if library is not None and sys.platform != "win32":
            import _ctypes

            _ctypes.dlclose(library._handle)
            get_global_func("ffi._LoadForgetCode")()
        raise
    finally:
        module._refresh_classes()


def _add_dll_directory(library: Path) -> None:
    if sys.platform == "win32":
        os.add_dll_directory(str(library.parent))


# ---- search ----


def _roots() -> tuple[str, str]:
    """Return the directory of the package, and the root of the possible source tree around it."""
    package = os.path.dirname(__file__)
    return package, os.path.join(package, "..", "..")


def _rel_top_directory() -> Path:
    """Return the directory of the package."""
    from pathlib import Path

    return Path(_roots()[0])


def _dev_top_directory() -> Path:
    """Return the root of the source tree, if this file is in one."""
    from pathlib import Path

    return Path(_roots()[1])


def _include_roots() -> list[str]:
    return [os.path.join(top, "include") for top in _roots()]


def _library_roots() -> list[str]:
    return [os.path.join(top, *rest) for top in _roots() for rest in (("build", "lib"), ("lib",))]


def _first_holding(entry: str, directories: Iterable[str]) -> str | None:
    """Return the first directory that contains ``entry``, as a resolved path."""
    for directory in directories:
        if os.path.isfile(os.path.join(directory, entry)):
            return os.path.realpath(directory)
    return None


def _installed_directory(entry: str, place: str) -> str | None:
    """Return the directory of an installed file, which ``place`` names within the package."""
    found = _first_holding(entry, (os.path.join(_roots()[0], place),))
    if found is not None:
        return found
    from ._distribution import DISTRIBUTION

    # An editable installation has the file in another directory than this file.
    installed = _find_installed_file(DISTRIBUTION, (entry,))
    return None if installed is None else str(installed.parent)


def _required(path: str | None, what: str) -> str:
    if not path:
        raise RuntimeError(f"Cannot find {what}.")
    return path


def _resolve_and_validate(paths: Iterable[Path], cond: Callable[[Path], bool | Path]) -> str | None:
    """Return the first path that satisfies a condition.

    ``cond`` gets each resolved path. ``cond`` returns ``True`` to accept the path, or another path
    to return instead. If ``cond`` raises ``OSError`` or ``AssertionError``, the path is skipped.
    """
    from pathlib import Path

    for path in paths:
        try:
            resolved = path.resolve()
            accepted = cond(resolved)
        except (OSError, AssertionError):
            continue
        if isinstance(accepted, Path):
            return str(accepted)
        if accepted is True:
            return str(resolved)
    return None


def _split_env_var(env_var: str, split: str) -> list[str]:
    """Return the non-empty parts of an environment variable."""
    parts = os.environ.get(env_var, "").split(split)
    return [part.strip() for part in parts if part.strip()]


def _library_names(target_name: str) -> tuple[str, ...]:
    if sys.platform == "win32":
        return (f"{target_name}.dll",)
    if sys.platform == "darwin":
        return (f"lib{target_name}.dylib", f"lib{target_name}.so")
    return (f"lib{target_name}.so",)


def _find_own_library(target_name: str) -> str:
    """Return the path of a library of this package.

    The function searches the package directory first, because reading the distribution's list of
    installed files takes longer than importing the package. Only an import from a source tree
    needs the list.
    """
    for name in _library_names(target_name):
        path = os.path.join(_roots()[0], "lib", name)
        if os.path.isfile(path):
            return os.path.realpath(path)
    from ._distribution import DISTRIBUTION

    return str(_find_library_by_basename(DISTRIBUTION, target_name))


def _find_library_by_basename(
    package: str,
    target_name: str,
    extra_lib_paths: list[Path] | None = None,
    *,
    use_fallback_build_path: bool = True,
    use_env_path: bool = True,
) -> Path:
    """Return the resolved path of a library.

    The search order is: the installed files of distribution ``package``; ``extra_lib_paths``; if
    ``use_fallback_build_path`` is true, the library directories of this package and of the source
    tree around it; if ``use_env_path`` is true, the library path of the dynamic linker and
    ``PATH``.

    Raises
    ------
    TypeError
        If an element of ``extra_lib_paths`` is not a ``pathlib.Path``.
    LibraryNotFoundError
        If the library is not found; the error is an ``OSError`` and a ``RuntimeError``. The message
        lists the directories.

    """
    from pathlib import Path

    directories = list(extra_lib_paths or ())
    for i, path in enumerate(directories):
        if not isinstance(path, Path):
            raise TypeError(
                f"extra_lib_paths[{i}] must be a pathlib.Path, got {type(path).__name__}: {path!r}"
            )
    names = _library_names(target_name)
    installed = _find_installed_file(package, names)
    if installed is not None:
        return installed
    if use_fallback_build_path:
        directories += map(Path, _library_roots())
    if use_env_path:
        directories += map(Path, _env_directories())
    found = _resolve_and_validate((d / n for d in directories for n in names), Path.is_file)
    if found is None:
        from . import _library_error  # Imported here because only this error needs the module.

        listing = "\n".join(f"  {directory}" for directory in dict.fromkeys(directories))
        hint = _library_error.hint_for_package(package, target_name, names)
        raise _library_error.LibraryNotFoundError(
            f"Cannot find library {', '.join(names)}{hint}; searched directories:\n{listing}",
            names[0],
        )
    return Path(found)


def _find_installed_file(package: str, names: tuple[str, ...]) -> Path | None:
    """Return the first existing file of a distribution that has one of the given names."""
    import importlib.metadata as metadata  # Takes 20 ms, and most searches do not reach this line.
    from pathlib import Path

    from ._distribution import DISTRIBUTION, PEER

    # Clients use the peer's name for this package. Search this distribution first, because a
    # stand-in for the peer has no libraries.
    for candidate in (DISTRIBUTION, package) if package == PEER else (package,):
        try:
            files = metadata.distribution(candidate).files or []
        except (metadata.PackageNotFoundError, ValueError):
            continue
        paths = (Path(str(file.locate())) for file in files if file.name in names)
        found = _resolve_and_validate(paths, Path.is_file)
        if found is not None:
            return Path(found)
    return None


def _env_directories() -> list[str]:
    if sys.platform == "win32":
        return _split_env_var("PATH", ";")
    variable = "DYLD_LIBRARY_PATH" if sys.platform == "darwin" else "LD_LIBRARY_PATH"
    return _split_env_var(variable, ":") + _split_env_var("PATH", ":")
