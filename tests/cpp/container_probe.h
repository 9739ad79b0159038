// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests of containers: elements that record their destruction, and access to raw
// memory.
#ifndef TVM_FFI_TESTS_CPP_CONTAINER_PROBE_H_
#define TVM_FFI_TESTS_CPP_CONTAINER_PROBE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace probe {

using tvm::ffi::Any;
using tvm::ffi::Object;
using tvm::ffi::ObjectPtr;
using tvm::ffi::ObjectRef;

/*! \brief The ids of the destroyed elements, in the order of destruction. */
inline std::vector<int> released;

/*! \brief Return the ids of the elements that were destroyed since the last call. */
inline std::vector<int> TakeReleased() { return std::exchange(released, {}); }

/*! \brief An element whose destructor appends its id to `released` and then calls `on_release`. */
class ElementObj : public Object {
 public:
  explicit ElementObj(int id, std::function<void()> on_release = nullptr)
      : id(id), on_release_(std::move(on_release)) {}
  ~ElementObj() {
    released.push_back(id);
    if (on_release_) on_release_();
  }
  int id;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.container.Element", ElementObj, Object);

 private:
  std::function<void()> on_release_;
};

class Element : public ObjectRef {
 public:
  explicit Element(int id, std::function<void()> on_release = nullptr) {
    data_ = tvm::ffi::make_object<ElementObj>(id, std::move(on_release));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Element, ObjectRef, ElementObj);
};

/*! \brief Read a T from an object, `offset` bytes after the beginning of its header. */
template <typename T>
T Raw(const void* object, size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(object) + offset, sizeof(T));
  return value;
}

inline const void* AddressOf(const ObjectRef& ref) { return ref.get(); }

/*! \brief Return the combined reference count of the header: 0x100000001 for a new object. */
inline uint64_t RawCount(const ObjectRef& ref) { return Raw<uint64_t>(ref.get(), 0); }

/*! \brief Return a key in the notation of the golden vectors: 3, "a". */
inline std::string KeyText(const Any& key) {
  if (auto number = key.as<int64_t>()) return std::to_string(*number);
  return "\"" + std::string(key.cast<tvm::ffi::String>()) + "\"";
}

}  // namespace probe
#endif  // TVM_FFI_TESTS_CPP_CONTAINER_PROBE_H_
