# SPDX-License-Identifier: Apache-2.0
"""Text and HTML of values for people: terminals, notebooks and bug reports.

Imported only when a value is displayed.
"""
