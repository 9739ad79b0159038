// SPDX-License-Identifier: Apache-2.0
// A function and a class, registered by name when the library is loaded.
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <string>

namespace string_tools {

namespace ffi = tvm::ffi;

ffi::Array<ffi::String> Split(const ffi::String& text, const ffi::String& separator) {
  if (separator.size() == 0) TVM_FFI_THROW(ValueError) << "the separator is empty";
  ffi::Array<ffi::String> parts;
  const std::string whole = text, mark = separator;
  size_t begin = 0;
  for (size_t end; (end = whole.find(mark, begin)) != std::string::npos;) {
    parts.push_back(whole.substr(begin, end - begin));
    begin = end + mark.size();
  }
  parts.push_back(whole.substr(begin));
  return parts;
}

// Counts words; the count is a field that Python reads.
class CounterObj : public ffi::Object {
 public:
  ffi::String word;
  int64_t count = 0;

  explicit CounterObj(ffi::String word) : word(std::move(word)) {}
  explicit CounterObj(ffi::UnsafeInit) {}

  int64_t Add(const ffi::String& text) {
    for (const ffi::String& part : Split(text, " ")) count += part == word;
    return count;
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("string_tools.Counter", CounterObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::GlobalDef().def("string_tools.split", Split);
  refl::ObjectDef<CounterObj>()
      .def(refl::init<ffi::String>())
      .def_ro("word", &CounterObj::word)
      .def_ro("count", &CounterObj::count, refl::init(false))
      .def("add", &CounterObj::Add);
}

}  // namespace string_tools
