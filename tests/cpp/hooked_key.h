// SPDX-License-Identifier: Apache-2.0
// A key class with hooks for hash and equality; tests make the hooks fail or change the map.
#ifndef TVM_FFI_TESTS_CPP_HOOKED_KEY_H_
#define TVM_FFI_TESTS_CPP_HOOKED_KEY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace hooked {

using tvm::ffi::Any;
using tvm::ffi::Error;
using tvm::ffi::Object;
using tvm::ffi::ObjectRef;

/*! \brief Called by each hook; if the function throws an error, the hook returns the error. */
inline std::function<void()> on_call;

class KeyObj : public Object {
 public:
  KeyObj(int64_t id, uint64_t hash) : id(id), hash(hash) {}
  int64_t id;
  uint64_t hash;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.container.HookedKey", KeyObj, Object);
};

/*! \brief A key; two keys with the same id are equal. */
class Key : public ObjectRef {
 public:
  Key(int64_t id, uint64_t hash);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Key, ObjectRef, KeyObj);
};

template <typename F>
TVMFFIAny CallHook(const F& body) noexcept {
  try {
    if (on_call) on_call();
    Any result(body());
    return tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
  } catch (const Error& error) {
    return tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(error));
  }
}

inline TVMFFIAny Hash(const Any& key) noexcept {
  return CallHook([&] { return static_cast<int64_t>(key.as<KeyObj>()->hash); });
}

inline TVMFFIAny Equal(const Any& lhs, const Any& rhs) noexcept {
  return CallHook([&] { return lhs.as<KeyObj>()->id == rhs.as<KeyObj>()->id; });
}

inline void RegisterHooks() {
  auto set = [](const char* name, void* function) {
    TVMFFIByteArray bytes{name, std::char_traits<char>::length(name)};
    Any value(function);
    return TVMFFITypeRegisterAttr(KeyObj::RuntimeTypeIndex(), &bytes,
                                  tvm::ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value));
  };
  static const bool done = set("__any_hash__", reinterpret_cast<void*>(&Hash)) == 0 &&
                           set("__any_equal__", reinterpret_cast<void*>(&Equal)) == 0;
  if (!done) TVM_FFI_THROW(RuntimeError) << "the hooks of the test key were not registered";
}

inline Key::Key(int64_t id, uint64_t hash) {
  RegisterHooks();
  data_ = tvm::ffi::make_object<KeyObj>(id, hash);
}

/*!
 * \brief While an instance exists, the `at`-th call of a hook (counted from 1) fails with a
 * ValueError.
 */
class FailAtCall {
 public:
  explicit FailAtCall(int at) {
    on_call = [at, count = 0]() mutable {
      if (++count == at) TVM_FFI_THROW(ValueError) << "hook failed";
    };
  }
  FailAtCall(const FailAtCall&) = delete;
  FailAtCall& operator=(const FailAtCall&) = delete;
  ~FailAtCall() { on_call = nullptr; }
};

}  // namespace hooked
#endif  // TVM_FFI_TESTS_CPP_HOOKED_KEY_H_
