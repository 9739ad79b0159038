// SPDX-License-Identifier: Apache-2.0
// Where an address of code lies: object file, function, and source line as far as they are known.
#ifndef TVM_FFI_SRC_CORE_FRAME_PLACE_H_
#define TVM_FFI_SRC_CORE_FRAME_PLACE_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief One function at an address; several when calls were inlined there. */
struct FrameFunction {
  /*! \brief Source file, "" when unknown. */
  std::string file;
  int line = 0;
  /*! \brief Linkage name, "" when unknown. */
  std::string symbol;
};

struct FramePlace {
  /*! \brief Path of the file that holds the code, "" when unknown. */
  std::string object;
  /*! \brief Innermost first; at least one. */
  std::vector<FrameFunction> functions;
};

/*!
 * \brief Look an address up: the dynamic linker first, then the file's own symbol table, then line
 * tables where the file has them (and the toolchain's reader was found at build time).
 *
 * Slow (reads files, takes locks of the dynamic linker): keep the result. May throw std::bad_alloc.
 */
FramePlace locate_frame(uintptr_t address);

/*! \brief The lock of the reader of line tables, for fork handlers. Not on Windows. */
std::mutex& source_line_mutex();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FRAME_PLACE_H_
