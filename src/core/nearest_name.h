// SPDX-License-Identifier: Apache-2.0
// Finds the known name that a misspelled one probably stands for, for "did you mean" in messages.
#ifndef TVM_FFI_SRC_CORE_NEAREST_NAME_H_
#define TVM_FFI_SRC_CORE_NEAREST_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief The best of the offered names. Names are compared without regard to upper case. */
class NearestName {
 public:
  /*! \param wanted the name that was not found. */
  explicit NearestName(std::string_view wanted);

  /*! \brief Compare a known name; it is copied if it is the best so far. */
  void offer(std::string_view name);

  /*! \brief The best name; empty if none is close enough. */
  const std::string& found() const { return found_; }

  /*! \brief ``; did you mean `x`?``, or `otherwise` if no name is close enough. */
  std::string hint(std::string_view otherwise = {}) const;

 private:
  std::string wanted_;   // in lower case; empty if it is too long to compare
  uint64_t characters_;  // those of `wanted_`, one bit each
  size_t distance_;      // of the best name; one above the limit at first
  std::string found_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_NEAREST_NAME_H_
