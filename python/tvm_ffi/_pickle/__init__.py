# SPDX-License-Identifier: Apache-2.0
"""How values that the runtime cannot pack become parts of a pickle."""
