// SPDX-License-Identifier: Apache-2.0
// Limits of summaries.
#include "graph/repr_limits.h"

#include <tvm/ffi/string.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "graph/repr_text.h"

namespace tvm::ffi::runtime {

bool ReprBudget::takes_object(const TVMFFIAny& value) {
  if (leaf_size(value) > limits_.max_size) is_exceeded_ = true;
  return !is_exceeded_;
}

bool is_interrupt(const Error& error) {
  // Behind an `EnvErrorAlreadySet`, an exception of Python is pending.
  constexpr std::string_view kInterrupts[] = {"KeyboardInterrupt", "SystemExit", "BaseException",
                                              "MemoryError", "EnvErrorAlreadySet"};
  std::string kind = error.kind();
  return std::find(std::begin(kInterrupts), std::end(kInterrupts), kind) != std::end(kInterrupts);
}

std::string error_summary(const Error& error) {
  constexpr size_t kMaxMessage = 200;
  std::string message = error.message();
  message.resize(std::min(message.size(), message.find('\n')));
  cut_text(kMaxMessage, &message);
  return message.empty() ? std::string(error.kind()) : std::string(error.kind()) + ": " + message;
}

}  // namespace tvm::ffi::runtime
