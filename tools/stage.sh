#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stage.sh BUILD: write the package of a CMake tree to BUILD/site. Python files are links to the
# checkout, so an edit of one needs no build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
site=$1/site
rm -rf "$site"
for part in runtime headers cmake sources python; do
  cmake --install "$1" --prefix "$site/tvm_ffi" --component $part >/dev/null
done
cp -rs "$root"/python/tvm_ffi/. "$site/tvm_ffi"
cp -rs "$root/python/tvm_ffi_commands" "$root/schema/tvm_ffi_schema" "$site"
ln -s "$root/python/without_package.py" "$site/tvm_ffi.py"
find "$site" -name __pycache__ -prune -exec rm -r {} +
