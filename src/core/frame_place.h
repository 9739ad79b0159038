// SPDX-License-Identifier: Apache-2.0
// The place of a code address: object file, function, and source line if known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mutex.h"

namespace tvm::ffi::runtime {

/*! \brief A function at a code address. With inlined calls, an address has several functions. */
struct FrameFunction {
  /*! \brief Source file; "" if unknown. */
  std::string file;
  int line = 0;
  /*! \brief Linkage name; "" if unknown. */
  std::string symbol;
};

struct FramePlace {
  /*! \brief Path of the file that holds the code; "" if unknown. */
  std::string object;
  /*! \brief The functions, innermost first; at least one. */
  std::vector<FrameFunction> functions;
};

/*!
 * \brief Find the place of a code address: ask the dynamic linker, then the file's symbol table,
 * then the line tables if the file has any (and the build found libbacktrace, which reads them).
 *
 * This reads files and takes locks of the dynamic linker, so callers should keep the result. May
 * throw std::bad_alloc.
 */
FramePlace locate_frame(uintptr_t address);

/*! \brief Return the lock that guards libbacktrace, for fork handlers. Not on Windows. */
Mutex& source_line_mutex();

}  // namespace tvm::ffi::runtime
