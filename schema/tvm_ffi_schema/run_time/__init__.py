# SPDX-License-Identifier: Apache-2.0
"""Make run-time classes for `declare(bind=...)` and for images, and read data of older versions."""
