# SPDX-License-Identifier: Apache-2.0
"""Run-time classes, of `declare(bind=...)` and of images, and data of older versions."""
