# SPDX-License-Identifier: Apache-2.0
"""Write small wheels for tests, without a build system."""

import base64
import csv
import hashlib
import io
import zipfile


def write_wheel(folder, name, version, files=(), requires=(), scripts=()):
    """Write a wheel with the given files (name -> content); return its path."""
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    contents = {
        **{path: content.encode() for path, content in dict(files).items()},
        f"{info}/METADATA": (
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}".encode()
        ),
        f"{info}/WHEEL": (
            b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    if scripts:
        lines = "".join(f"{command} = {target}\n" for command, target in dict(scripts).items())
        contents[f"{info}/entry_points.txt"] = f"[console_scripts]\n{lines}".encode()
    record = io.StringIO()
    writer = csv.writer(record, lineterminator="\n")
    for path, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        writer.writerow([path, f"sha256={digest}", len(content)])
    writer.writerow([f"{info}/RECORD", "", ""])
    contents[f"{info}/RECORD"] = record.getvalue().encode()
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name_of_file, content in contents.items():
            archive.writestr(name_of_file, content)
    return path
