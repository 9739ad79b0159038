# SPDX-License-Identifier: Apache-2.0
"""Convert values to text and HTML for people: in terminals, notebooks and bug reports.

Imported only when a value is displayed.
"""
