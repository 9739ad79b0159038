// SPDX-License-Identifier: Apache-2.0
//! Every struct has the layout of C.
