# SPDX-License-Identifier: Apache-2.0
"""Python records of object types and type schemas.

In reading order: ``record`` (base class of the records), ``field`` and ``info`` (records of the
type table), ``schema`` (type schemas), ``define`` (types defined in Python).
"""
