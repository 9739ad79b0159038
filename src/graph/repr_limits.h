// SPDX-License-Identifier: Apache-2.0
// Limits of summaries.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace tvm::ffi::runtime {

/*! \brief The limits of one attempt to print a value. */
struct ReprLimits {
  /*! \brief Maximum number of values without children, including nested ones. */
  size_t max_values;
  /*! \brief Maximum size of the text in bytes. */
  size_t max_size;
  /*! \brief Maximum nesting of objects. */
  size_t max_depth;
  /*! \brief Number of elements shown from each end of a longer container; 0 shows all elements. */
  int64_t edge_items;
  /*! \brief Number of bytes shown from each end of a longer string. */
  size_t edge_size;
  /*! \brief Maximum size in bytes of the text of a nested hook. */
  size_t hook_size;
  /*! \brief Whether to end the text when a limit is exceeded, instead of trying the next limits. */
  bool is_last;

  bool shortens() const { return edge_items != 0; }
};

inline constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

/*!
 * \brief The limits of the attempts to make a summary, in order. The first text that stays within
 * the limits of its attempt is the result.
 *
 * 1000 values and 3 elements from each end are the conventions of NumPy and PyTorch.
 */
inline constexpr ReprLimits kSummaryLimits[] = {
    {1000, 20000, 100, 0, kNoLimit, kNoLimit, false},
    {1000, 5000, 8, 3, 80, 1000, false},
    {1000, 5000, 4, 3, 80, 1000, false},
    {1000, 20000, 2, 3, 80, 1000, true},
};

/*! \brief How much of the limits an attempt has used so far, and the current depth. */
class ReprBudget {
 public:
  /*! \brief Make a budget without limits. */
  ReprBudget()
      : limits_{kNoLimit, kNoLimit, kNoLimit, 0, kNoLimit, kNoLimit, false}, is_limited_(false) {}
  explicit ReprBudget(const ReprLimits& limits) : limits_(limits), is_limited_(true) {}

  const ReprLimits& limits() const { return limits_; }
  bool is_limited() const { return is_limited_; }
  bool is_exceeded() const { return is_exceeded_; }
  /*! \brief Whether to stop printing: a limit is exceeded, and a next attempt follows. */
  bool must_stop() const { return is_exceeded_ && !limits_.is_last; }

  size_t num_spent() const { return num_spent_; }
  void spend(size_t size) {
    num_spent_ += size;
    if (num_spent_ > limits_.max_size) is_exceeded_ = true;
  }

  size_t depth() const { return depth_; }
  void enter() { ++depth_; }
  void leave() { --depth_; }
  /*! \brief Return to a depth after an error has skipped calls of leave(). */
  void return_to(size_t depth) { depth_ = depth; }
  /*! \brief Whether an object at this depth must be collapsed. If the attempt does not shorten
   * values, return false and mark the limits as exceeded. */
  bool is_too_deep() {
    if (depth_ < limits_.max_depth) return false;
    if (!limits_.shortens()) is_exceeded_ = true;
    return limits_.shortens();
  }

  /*! \brief Count a leaf, or an object that occurred before and is not traversed again. */
  void count_value() {
    if (++num_values_ > limits_.max_values) is_exceeded_ = true;
  }
  /*! \brief Whether a value may be printed. If the attempt does not shorten values, a long string
   * exceeds the limits here. */
  bool takes(const TVMFFIAny& value) {
    if (is_exceeded_) return false;
    bool is_short = value.type_index < kTVMFFIStaticObjectBegin || !is_limited_;
    return is_short || limits_.shortens() || takes_object(value);
  }

  /*! \brief Number of elements or entries of a container to omit. */
  int64_t num_left_out(size_t size) const {
    auto shown = static_cast<size_t>(2 * limits_.edge_items);
    return limits_.shortens() && size > shown ? static_cast<int64_t>(size - shown) : 0;
  }

 private:
  bool takes_object(const TVMFFIAny& value);

  ReprLimits limits_;
  size_t num_values_ = 0;
  size_t num_spent_ = 0;
  size_t depth_ = 0;
  bool is_limited_;
  bool is_exceeded_ = false;
};

/*! \brief Whether an error (such as KeyboardInterrupt) must end the operation, even where other
 * errors are printed as a part of the text. */
bool is_interrupt(const Error& error);

/*! \brief Return the kind of an error and the first line of its message, shortened. */
std::string error_summary(const Error& error);

}  // namespace tvm::ffi::runtime
