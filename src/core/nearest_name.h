// SPDX-License-Identifier: Apache-2.0
// Finds the known name that is most similar to a misspelled name, for "did you mean" in messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tvm::ffi::runtime {

/*! \brief Selects the most similar of the offered names, ignoring the case of letters. */
class NearestName {
 public:
  /*! \brief The greatest size of a name that is compared. */
  static constexpr size_t kMaxSize = 128;

  /*! \param wanted the name that was not found. */
  explicit NearestName(std::string_view wanted);

  /*! \brief Compare a known name with the wanted one; copy it if it is the most similar so far. */
  void offer(std::string_view name);

  /*! \brief The least and the greatest size of a name that is more similar than the best one so
   * far. */
  std::pair<size_t, size_t> sizes() const;

  /*! \brief The most similar name; empty if none is similar enough. */
  const std::string& found() const { return found_; }

  /*! \brief Return ``; did you mean `x`?``, or `otherwise` if no name is similar enough. */
  std::string hint(std::string_view otherwise = {}) const;

 private:
  std::string wanted_;   // in lower case; empty if it is too long to compare
  uint64_t characters_;  // set of the characters of `wanted_`
  // Number of edits between `wanted_` and `found_`. If `found_` is empty, the greatest accepted
  // number of edits plus one.
  size_t distance_;
  std::string found_;
};

}  // namespace tvm::ffi::runtime
