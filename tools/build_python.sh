#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `build_python.sh DIR [OPTION...]` builds a free-threaded Python 3.13 from Debian's source package into DIR, with pip;
# OPTION is one of its configure script, such as --with-thread-sanitizer. Nothing is installed: a private list of
# package sources. Needs Debian's apt, a C compiler, and the headers of libssl, libffi and zlib. Does nothing if DIR
# has a working interpreter.
set -eu

python="$1/bin/python3.13t"
if "$python" -c 'import ctypes, ssl, venv, zlib' 2>/dev/null; then exit 0; fi
mkdir -p "$1"
root=$(cd "$1" && pwd)
shift
say() {
  echo "build-python: $*, see $root/log" >&2
  exit 1
}

rm -rf "$root/apt" "$root/source"
mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial" "$root/source"
cat >"$root/apt/debian.sources" <<END
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: trixie
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
APT::Sandbox::User "root";
END
export APT_CONFIG="$root/apt/apt.conf"
cd "$root/source"
{
  apt-get update -qq && apt-get source -qq --download-only python3.13 &&
    tar xf python3.13_*.orig.tar.xz --strip-components=1
} >"$root/log" 2>&1 || say "the source package of Python 3.13 cannot be downloaded"

# Without profiles and link-time optimization, which take an hour: a statement about speed has to say so.
./configure -q --disable-gil --disable-test-modules --prefix="$root" OPT='-O2 -g0 -fwrapv -Wall' "$@" >>"$root/log" 2>&1 ||
  say "Python cannot be configured"
# With the sanitizer, the interpreter that runs during its own build must not fail because of a report.
TSAN_OPTIONS=report_bugs=0 make -s -j"${JOBS:-2}" install >>"$root/log" 2>&1 || say "Python cannot be built"
cp Tools/tsan/suppressions_free_threading.txt "$root/tsan.supp"
cd "$root"
rm -rf apt source
"$python" -c 'import ctypes, ssl, venv, zlib' || say "Python does not work"
