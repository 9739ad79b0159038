# SPDX-License-Identifier: Apache-2.0
"""Values and their conversion.

In reading order: ``dtype`` (data types) and ``foreign_dtype`` (those of other packages), ``tensor``
(devices, shapes, tensors) and ``numpy`` (tensors as arrays), ``convert`` (conversion on request),
``property_mask`` (properties of modules).
"""
