// SPDX-License-Identifier: Apache-2.0
// Hints for unknown names of global functions and unknown type keys.
#include "core/name_hints.h"

#include "core/function_table.h"
#include "core/kept_load_errors.h"
#include "core/nearest_name.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

namespace {

std::string hint(const NearestName& nearest) {
  return nearest.hint("; load the library that registers it first") + kept_load_errors_hint();
}

}  // namespace

std::string global_function_hint(std::string_view name) {
  NearestName nearest(name);
  offer_global_function_names(&nearest);
  return hint(nearest);
}

std::string hint_sentence(std::string hint) {
  if (hint.size() < 3) return hint;
  hint.erase(0, 1);  // the `;`
  if (hint[1] >= 'a' && hint[1] <= 'z') hint[1] = static_cast<char>(hint[1] - 'a' + 'A');
  if (hint.back() != '?') hint += '.';
  return hint;
}

std::string type_key_hint(std::string_view key) {
  NearestName nearest(key);
  for (std::string_view known : registered_type_keys()) nearest.offer(known);
  return hint(nearest);
}

}  // namespace tvm::ffi::runtime
