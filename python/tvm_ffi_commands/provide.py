# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-provide``: a stand-in for ``apache-tvm-ffi``, on request.

If a package requires ``apache-tvm-ffi``, an installer would install it over the files of this
package. The stand-in is an empty distribution with the name ``apache-tvm-ffi`` that depends on this
distribution; installers then consider the requirement satisfied. The command writes the stand-in in
the form of an installed wheel, so ``pip uninstall`` and ``uv pip uninstall`` remove it. No native
code is loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import io
import json
import os
import shutil
import sys
import sysconfig
import tempfile
from base64 import urlsafe_b64encode
from importlib.metadata import Distribution, distributions

from . import module, pep440

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_names = module("_distribution")

_METADATA = """\
Metadata-Version: 2.1
Name: {peer}
Version: {version}
Summary: Stand-in for {peer} {version}: the package tvm_ffi is that of {ours}
Requires-Dist: {ours}

`tvm-ffi-provide` has written this distribution. It has no files of its own: the package `tvm_ffi`
is that of {ours}, which implements the same interface. With it, packages that require
{peer} {version} can be installed beside {ours}.

`tvm-ffi-provide --remove` or `pip uninstall {peer}` removes it.
"""
_WHEEL = """\
Wheel-Version: 1.0
Generator: tvm-ffi-provide {version}
Root-Is-Purelib: true
Tag: py3-none-any
"""


class RefusedError(Exception):
    """The environment cannot be changed; the message has the reason and a remedy."""


class Environment:
    """The directory into which this distribution is installed, and the stand-ins in it."""

    def __init__(self) -> None:
        package = os.path.dirname(os.path.abspath(__file__))
        self.site, self.ours = _own_installation(package)
        self.stand_ins: list[Distribution] = []

    def find_stand_ins(self) -> None:
        """Find the stand-ins of this environment; raise an error if the real peer is installed."""
        self.stand_ins = []
        for one in distributions(name=_names.PEER):
            directory = _directory(one)
            if _names.is_stand_in(one):
                self.stand_ins += [one] if directory == self.site else []
            elif directory == self.site or _comes_before(directory, self.site):
                raise RefusedError(_real_peer(one.version, directory, self.site))

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold a lock against other runs of this command, on systems that can lock directories."""
        if sys.platform == "win32":
            yield
            return
        import fcntl  # Imported here because Windows does not have this module.

        descriptor = os.open(self.site, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def check_writable(self, break_system_packages: bool) -> None:
        """Raise an error if another program manages the environment or it is read-only."""
        marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
        in_environment = sys.prefix != sys.base_prefix
        if os.path.exists(marker) and not in_environment and not break_system_packages:
            raise RefusedError(
                f"this Python is managed by the system ({marker}); create a virtual environment "
                "and install into it, or pass --break-system-packages as you did to pip"
            )
        if not os.access(self.site, os.W_OK):
            raise RefusedError(f"{self.site} is not writable for you")


def _own_installation(package: str) -> tuple[str, Distribution]:
    """Return the directory of the metadata of this distribution, and the distribution.

    The command may run in a source tree, whose metadata does not describe an installation. So the
    metadata must list the command, or belong to an editable installation.
    """
    for one in distributions(name=_names.DISTRIBUTION):
        is_listed = any(str(f.locate()) == os.path.abspath(__file__) for f in one.files or ())
        if is_listed or _is_editable(one):
            return _directory(one), one
    raise RefusedError(
        f"{package} is not part of an installation of {_names.DISTRIBUTION} in the environment of "
        f"{sys.executable}; run in a clone: pip install ."
    )


def _directory(distribution: Distribution) -> str:
    return os.path.abspath(str(distribution.locate_file("")))


def _is_editable(distribution: Distribution) -> bool:
    try:
        url = json.loads(distribution.read_text("direct_url.json") or "{}")
        return url["dir_info"]["editable"] is True
    except (KeyError, TypeError, ValueError):
        return False


def _comes_before(directory: str, other: str) -> bool:
    path = [os.path.abspath(entry or ".") for entry in sys.path]
    return directory in path and other in path and path.index(directory) < path.index(other)


def _real_peer(version: str, directory: str, site: str) -> str:
    peer, ours = _names.PEER, _names.DISTRIBUTION
    if directory != site:
        return (
            f"{peer} {version} is installed in {directory}, which Python searches before {site}, "
            f"the directory of {ours}. First run: pip uninstall {peer}"
        )
    commands = _names.repair(version).splitlines()[:-1]  # Omit the last line: it runs this command.
    return (
        f"{peer} {version} is installed, and has replaced files of {ours}. First run:\n"
        + "\n".join(commands)
    )


# ---- the distribution ----


def _checked_version(text: str) -> pep440.Version:
    """Parse the version of the stand-in; raise an error if that version has another ABI."""
    version = pep440.parse(text)
    if version is None:
        raise RefusedError(
            f"{text!r} is not a version as PEP 440 defines it, such as {_names.PEER_RELEASE}"
        )
    supported = _newest().release[:2]
    if version.epoch != 0 or (*version.release, 0)[:2] != supported:
        raise RefusedError(
            f"{_names.PEER} {version} has another ABI; {_names.DISTRIBUTION} implements the ABI "
            f"{'.'.join(map(str, supported))}"
        )
    return version


def _newest() -> pep440.Version:
    newest = pep440.parse(_names.PEER_RELEASE)
    assert newest is not None
    return newest


def _row(name: str, content: bytes) -> list[str]:
    digest = urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return [name, f"sha256={digest}", str(len(content))]


def _files(version: str, ours: Distribution, directory: str) -> dict[str, bytes]:
    """Return the files of the metadata directory of the stand-in."""
    metadata = _METADATA.format(peer=_names.PEER, ours=_names.DISTRIBUTION, version=version)
    files = {
        "INSTALLER": f"{_names.INSTALLER}\n".encode(),
        "METADATA": metadata.encode(),
        "REQUESTED": b"",
        "WHEEL": _WHEEL.format(version=ours.version).encode(),
    }
    record = io.StringIO()
    writer = csv.writer(record, lineterminator="\n")
    writer.writerows(_row(f"{directory}/{name}", files[name]) for name in files)
    writer.writerow([f"{directory}/RECORD", "", ""])
    return {**files, "RECORD": record.getvalue().encode()}


def _directory_of(version: str) -> str:
    return f"{_names.PEER.replace('-', '_')}-{version.replace('-', '_')}.dist-info"


def _metadata_directory(distribution: Distribution, site: str) -> str:
    """Return the metadata directory of a stand-in, which another release may have written."""
    return os.path.join(site, _directory_of(distribution.version))


def _write(site: str, directory: str, files: dict[str, bytes]) -> None:
    """Create the metadata directory atomically, with all its files."""
    temporary = tempfile.mkdtemp(prefix=".tvm-ffi-provide-", dir=site)
    try:
        for name, content in files.items():
            with open(os.path.join(temporary, name), "wb") as stream:
                stream.write(content)
        os.chmod(temporary, 0o777 & ~_umask())
        os.rename(temporary, os.path.join(site, directory))
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current


def _delete(path: str) -> None:
    """Remove the metadata directory atomically, then delete its files."""
    temporary = tempfile.mkdtemp(prefix=".tvm-ffi-provide-", dir=os.path.dirname(path))
    try:
        os.rename(path, os.path.join(temporary, "removed"))
    except FileNotFoundError:
        pass  # The directory has another name: its metadata has a different version.
    finally:
        shutil.rmtree(temporary)


# ---- the two actions ----


def provide(environment: Environment, wanted: pep440.Version, dry_run: bool) -> None:
    """Install the stand-in for a version; replace the stand-in for another version."""
    version = str(wanted)
    ours = f"{_names.DISTRIBUTION} {environment.ours.version}"
    directory = _directory_of(version)
    files = _files(version, environment.ours, directory)
    path = os.path.join(environment.site, directory)
    is_there = _read(path, files) == files
    others = [
        found
        for one in environment.stand_ins
        if (found := _metadata_directory(one, environment.site)) != path
    ]
    if is_there and not others:
        print(f"{_names.PEER} {version} is provided by {ours} already")
        return
    if wanted.order() > _newest().order():
        print(
            f"tvm-ffi-provide: {ours} implements the interface of {_names.PEER} "
            f"{_names.PEER_RELEASE}; clients of {version} may need more",
            file=sys.stderr,
        )
    replaced = f", replacing {', '.join(d.version for d in environment.stand_ins)}" * bool(others)
    if dry_run:
        print(f"would write {path}{replaced}")
        return
    if not is_there:
        if os.path.isdir(path):  # Another version of this distribution has written the directory.
            _delete(path)
        _write(environment.site, directory, files)
    for other in others:
        _delete(other)
    print(f"{_names.PEER} {version} is provided by {ours}{replaced}: {path}")


def remove(environment: Environment, dry_run: bool) -> None:
    """Remove every stand-in."""
    if not environment.stand_ins:
        print(f"no stand-in for {_names.PEER} is installed")
    for one in environment.stand_ins:
        path = _metadata_directory(one, environment.site)
        if not dry_run:
            _delete(path)
        print(f"{'would remove' if dry_run else 'removed'} {path}")


def _read(path: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the contents of the given files of a directory; omit missing files."""
    found = {}
    for name in files:
        try:
            with open(os.path.join(path, name), "rb") as stream:
                found[name] = stream.read()
        except OSError:
            continue
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status; 1 if the environment cannot be changed."""
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-provide",
        description=f"Install a stand-in for {_names.PEER}, which has only metadata and depends on "
        f"{_names.DISTRIBUTION}, so that packages that require {_names.PEER} can be installed.",
    )
    # `--version` names the release to provide, so it must have a value; it does not print a
    # version.
    parser.add_argument(
        "--version",
        nargs="?",
        default=argparse.SUPPRESS,
        const=None,
        metavar="X",
        help="install the stand-in for the release that clients ask for, such as "
        f"{_names.PEER_RELEASE}; without a value, print the version of the command and exit",
    )
    parser.add_argument("--remove", action="store_true", help="remove the stand-in")
    parser.add_argument("--dry-run", action="store_true", help="only print what would be done")
    parser.add_argument(
        "--break-system-packages",
        action="store_true",
        help="change an environment that the system manages, as for pip",
    )
    given = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args(given)
    if not given:
        parser.print_help()
        return 0
    if "version" in options and options.version is None:
        print(_names.VERSION_TEXT)
        return 0
    if options.remove and "version" in options:
        parser.error("--remove removes the stand-in of every release: it takes no --version")
    if not options.remove and "version" not in options:
        parser.error("one of the options --version X and --remove is required")
    try:
        wanted = None if options.remove else _checked_version(options.version)
        environment = Environment()
        environment.check_writable(options.break_system_packages)
        with environment.locked():
            environment.find_stand_ins()
            if wanted is None:
                remove(environment, options.dry_run)
            else:
                provide(environment, wanted, options.dry_run)
    except (RefusedError, OSError) as error:
        print(f"tvm-ffi-provide: {error}", file=sys.stderr)
        return 1
    return 0


def __main__() -> int:  # noqa: N807 - named as in the other commands
    """Run the command on the arguments of the process, and return its exit status."""
    return main()


if __name__ == "__main__":
    sys.exit(__main__())
