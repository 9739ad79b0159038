# SPDX-License-Identifier: Apache-2.0
"""Build and check the documentation site: ``python -m docs_site`` from ``tools``."""
