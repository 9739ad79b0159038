# SPDX-License-Identifier: Apache-2.0
"""``tvm-ffi-inspect --abi``: what built libraries expect of classes, and what changed between two.

=============  ==================================================================
layout.py      the layout of one class, and which differences break which code
record.py      layouts from the class records that our headers leave in libraries
dwarf.py       layouts and virtual functions from debug information
facts.py       everything that is known about a library, a wheel or an installation
changes.py     the comparison of two of them
=============  ==================================================================
"""
