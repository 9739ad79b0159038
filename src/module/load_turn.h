// SPDX-License-Identifier: Apache-2.0
// Threads that load the same file take turns.
#ifndef TVM_FFI_SRC_MODULE_LOAD_TURN_H_
#define TVM_FFI_SRC_MODULE_LOAD_TURN_H_

#include <cstdint>
#include <optional>
#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief While this object exists, other threads that load the same file wait some seconds.
 *
 * If another thread has initialised a library and is about to close it because that failed, the
 * dynamic linker would return it to this thread as loaded. Loads inside of loads do not wait.
 */
class LoadTurn {
 public:
  explicit LoadTurn(const std::string& path);
  ~LoadTurn();
  LoadTurn(const LoadTurn&) = delete;
  LoadTurn& operator=(const LoadTurn&) = delete;

 private:
  /*! \brief Place in the table of loads, if there is one. */
  std::optional<uint64_t> number_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LOAD_TURN_H_
