// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/stl.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::String;

template <typename T>
constexpr bool Converts(bool stored) {
  using Traits = ffi::TypeTraits<T>;
  HAS_TYPE(Traits::TypeStr(), std::string);
  HAS_TYPE(Traits::TypeSchema(), std::string);
  HAS_TYPE(Traits::MoveToAny(The<T>(), The<TVMFFIAny*>()), void);
  HAS_TYPE(Traits::TryCastFromAnyView(The<const TVMFFIAny*>()), std::optional<T>);
  return Traits::convert_enabled && Traits::storage_enabled == stored;
}
HOLDS(Converts<std::vector<int>>(false) && Converts<std::array<int, 2>>(false));
HOLDS(Converts<std::tuple<int, String>>(false) && Converts<std::map<String, int>>(false));
HOLDS(Converts<std::unordered_map<String, int>>(false));
HOLDS(Converts<std::optional<int>>(true) && Converts<std::variant<int, String>>(true));
HOLDS(Converts<std::function<int(int, String)>>(false));
