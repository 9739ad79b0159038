#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `unpack_python.sh VERSION DIR` unpacks an interpreter of Debian's unstable release, with its headers and the
# libraries that it needs, into DIR, without installing anything: a private list of package sources, and the
# packages' own dynamic linker and C library, because these may be newer than the system's. Needs Debian's apt
# and patchelf. Does nothing if DIR has a working interpreter.
set -eu

version=$1
python="$2/usr/bin/python$version"
if "$python" -c 'import ssl, venv' 2>/dev/null; then exit 0; fi

say() {
  echo "unpack-python: $*" >&2
  exit 1
}
for command in apt-get dpkg-deb patchelf; do
  command -v $command >/dev/null || say "Python $version needs $command"
done

mkdir -p "$2"
root=$(cd "$2" && pwd)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch)
rm -rf "$root/usr" "$root/apt" "$root/packages"
mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial" "$root/packages"
cat >"$root/apt/debian.sources" <<END
Types: deb
URIs: http://deb.debian.org/debian
Suites: sid
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
cat >"$root/apt/apt.conf" <<END
Dir::Etc::sourcelist "$root/apt/debian.sources";
Dir::Etc::sourceparts "-";
Dir::State "$root/apt";
Dir::State::status "/dev/null";
Dir::Cache "$root/apt/cache";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
APT::Sandbox::User "root";
END
export APT_CONFIG="$root/apt/apt.conf"

apt-get update -qq >"$root/apt/log" 2>&1 || say "Debian's package lists cannot be read, see $root/apt/log"
(
  cd "$root/packages"
  apt-get download -qq "python$version" "python$version-minimal" "python$version-venv" python3-pip-whl \
    "libpython$version-minimal" "libpython$version-stdlib" "libpython$version-dev" \
    libc6 libbz2-1.0 libdb5.3t64 libexpat1 libffi8 liblzma5 libncursesw6 libreadline8t64 libsqlite3-0 \
    libssl3t64 libtinfo6 libuuid1 libzstd1 zlib1g >"$root/apt/log" 2>&1
) || say "the packages of Python $version cannot be downloaded, see $root/apt/log"
for package in "$root"/packages/*.deb; do dpkg-deb -x "$package" "$root"; done
rm -rf "$root/packages" "$root/apt/lists" "$root/apt/cache" "$root/etc" "$root/usr/share/doc"

# The interpreter and every library that it loads come from DIR first, also in its child processes.
linker=$(find "$root/usr/lib/$multiarch" -name 'ld-linux*.so.*' | head -n 1)
patchelf --set-interpreter "$linker" --force-rpath --set-rpath "\$ORIGIN/../lib/$multiarch" "$python"
# Debian's pyconfig.h includes another one by its place in /usr/include.
cp "$root/usr/include/$multiarch/python$version/pyconfig.h" "$root/usr/include/python$version/pyconfig.h"
# The wheel of pip, for the environments.
sed -i "s|'/usr/share/python-wheels/'|'$root/usr/share/python-wheels/'|" \
  "$root/usr/lib/python$version"/_sysconfigdata_*.py
"$python" -c 'import bz2, ctypes, lzma, sqlite3, ssl, venv, zlib' || say "Python $version does not work"
