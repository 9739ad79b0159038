// SPDX-License-Identifier: Apache-2.0
// Programs that the headers of functions, containers and reflection must reject: one for each value
// of CASE. Case 0 must compile.
#include <tvm/ffi/tvm_ffi.h>

#include <string>
#include <unordered_map>
#include <vector>

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

struct PlainHolder {
  int value;
};

#if CASE == 1
Function Refused() {
  return Function::FromTyped([](String& text) { text = "a parameter cannot be written to"; });
}
#elif CASE == 2
Function Refused() {
  return Function::FromPacked([](int number) { return number; });
}
#elif CASE == 3
size_t Refused(const Variant<int, String>& key) { return ObjectPtrHash()(key); }
#elif CASE == 4
void Refused() {
  refl::ForEachFieldInfo(TVMFFIGetTypeInfo(64), [](const TVMFFIFieldInfo*) { return true; });
}
#elif CASE == 5
Array<std::string> Refused() { return {"not storable"}; }
#elif CASE == 6
using Refused = refl::NativeFunctionView<int(std::string)>;
Refused view(TypedFunction<int(std::string)>{});
#elif CASE == 7
void Refused(const String& text) { (void)(text == nullptr); }
#elif CASE == 8
void Refused(const PlainHolder& plain) { Any value = plain; }
#elif CASE == 9
Function Refused() {
  return Function::FromTyped([](std::vector<int> numbers) { return numbers.size(); });
}
#elif CASE == 10
Function Refused() {
  return Function::FromTyped([](int number) { return std::vector<int>{number}; });
}
#elif CASE == 11
void Refused(const Function& writes, const ConstTensorView& view) { writes(view); }
#endif
