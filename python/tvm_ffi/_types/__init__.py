# SPDX-License-Identifier: Apache-2.0
"""Types of objects, as Python sees them.

In reading order: ``record`` (base class of the records), ``field`` and ``info`` (records of the
type table), ``schema`` (type schemas), ``define`` (types defined in Python).
"""
