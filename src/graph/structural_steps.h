// SPDX-License-Identifier: Apache-2.0
// Builds the path to a difference between two values.
#pragma once

#include <tvm/ffi/reflection/access_path.h>

#include <utility>
#include <vector>

namespace tvm::ffi::runtime {

/*! \brief Pairs of steps: one into the left value and one into the right value. */
class StepPairs {
 public:
  using AccessStep = reflection::AccessStep;

  void push(AccessStep step) { push(step, step); }
  void push(AccessStep left, AccessStep right) {
    left_.push_back(std::move(left));
    right_.push_back(std::move(right));
  }

  void append(const StepPairs& other) {
    left_.insert(left_.end(), other.left_.begin(), other.left_.end());
    right_.insert(right_.end(), other.right_.begin(), other.right_.end());
  }

  reflection::AccessPathPair paths() const {
    using reflection::AccessPath;
    return reflection::AccessPathPair(AccessPath::FromSteps(left_.begin(), left_.end()),
                                      AccessPath::FromSteps(right_.begin(), right_.end()));
  }

 private:
  std::vector<AccessStep> left_;
  std::vector<AccessStep> right_;
};

}  // namespace tvm::ffi::runtime
