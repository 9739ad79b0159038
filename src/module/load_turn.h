// SPDX-License-Identifier: Apache-2.0
// Makes threads that load the same file wait for each other.
#ifndef TVM_FFI_SRC_MODULE_LOAD_TURN_H_
#define TVM_FFI_SRC_MODULE_LOAD_TURN_H_

#include <cstdint>
#include <optional>
#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief While this object exists, other threads that load the same file wait, at most ten seconds.
 *
 * Without the wait, the dynamic linker could give a thread a library whose initialization has just
 * failed in another thread, before that thread closes the library. A load inside another load does
 * not wait.
 */
class LoadTurn {
 public:
  explicit LoadTurn(const std::string& path);
  ~LoadTurn();
  LoadTurn(const LoadTurn&) = delete;
  LoadTurn& operator=(const LoadTurn&) = delete;

 private:
  /*! \brief Number of this load in the table of loads in progress, if the load is in the table. */
  std::optional<uint64_t> number_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LOAD_TURN_H_
