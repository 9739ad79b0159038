// SPDX-License-Identifier: Apache-2.0
// Hints for names of global functions and keys of types.
#include "core/name_hints.h"

#include <vector>

#include "core/function_table.h"
#include "core/nearest_name.h"
#include "core/type_table.h"

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

std::string hint_among(std::string_view wanted, const std::vector<std::string_view>& known) {
  NearestName nearest(wanted);
  for (std::string_view name : known) nearest.offer(name);
  return nearest.hint("; load the library that registers it first");
}

}  // namespace

std::string global_function_hint(std::string_view name) {
  return hint_among(name, global_function_names());
}

std::string hint_sentence(std::string hint) {
  if (hint.size() < 3) return hint;
  hint.erase(0, 1);  // the `;`
  if (hint[1] >= 'a' && hint[1] <= 'z') hint[1] = static_cast<char>(hint[1] - 'a' + 'A');
  if (hint.back() != '?') hint += '.';
  return hint;
}

std::string type_key_hint(std::string_view key) { return hint_among(key, registered_type_keys()); }

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
