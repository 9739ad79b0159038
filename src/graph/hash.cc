// SPDX-License-Identifier: Apache-2.0
// Hash of values by content, consistent with recursive equality (graph/compare.cc).
#include "graph/hash.h"

#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/enum_store.h"
#include "graph/hook_call.h"
#include "graph/leaf.h"
#include "graph/reused_table.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

constexpr const char* kHashOperation = "RecursiveHash";

uint64_t combine(uint64_t hash, uint64_t word) {
  hash ^= word + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdu ^ hash >> 32;
}

uint64_t hash_of_kind(int32_t kind, uint64_t word) {
  return combine(combine(0, static_cast<uint64_t>(kind)), word);
}

uint64_t hash_of_bytes(int32_t kind, const void* data, size_t size) {
  return combine(hash_of_kind(kind, size), detail::StableHashBytes(data, size));
}

// Returns one hash for both zeros and one for all NaNs, because equality treats them alike.
uint64_t hash_of_float(double value) {
  if (value == 0) value = 0;
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return hash_of_kind(kTVMFFIFloat, bits);
}

// Hashes a value without children. Returns false for an object with children.
bool hash_leaf(const TVMFFIAny& value, uint64_t* hash) {
  switch (value.type_index) {
    case kTVMFFIBool:
      *hash = hash_of_kind(kTVMFFIBool, value.v_int64 != 0);
      return true;
    case kTVMFFIFloat:
      *hash = hash_of_float(value.v_float64);
      return true;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
    case kTVMFFISmallBytes:
    case kTVMFFIBytes: {
      std::string_view text = text_of(value);
      *hash = hash_of_bytes(text_kind(value.type_index), text.data(), text.size());
      return true;
    }
    case kTVMFFIBigInt: {
      TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(&value);
      *hash = hash_of_bytes(kTVMFFIBigInt, words.data, words.size);
      return true;
    }
    case kTVMFFIShape: {
      const TVMFFIShapeCell& shape = *TVMFFIShapeGetCellPtr(value.v_obj);
      *hash = hash_of_bytes(kTVMFFIShape, shape.data, shape.size * sizeof(int64_t));
      return true;
    }
    case kTVMFFIDataType:
      *hash = hash_of_kind(kTVMFFIDataType, static_cast<uint64_t>(value.v_dtype.code) << 32 |
                                                static_cast<uint64_t>(value.v_dtype.bits) << 16 |
                                                value.v_dtype.lanes);
      return true;
    default:
      if (is_object(value)) return false;
      *hash = hash_of_kind(value.type_index, value.v_uint64);
      return true;
  }
}

// An object that is being hashed.
struct HashFrame {
  Children children;
  uint64_t hash;
  // Hash of the key whose value comes next.
  uint64_t key_hash;
};

struct Known {
  bool is_done;
  uint64_t hash;
};

// State shared by the walk that hashes a value and the walks that its hooks start.
struct HashState {
  Held held;
  ReusedTable<IdentityMap<Known>> known;
};

class Hasher {
 public:
  explicit Hasher(HashState* shared) : shared_(shared), stack_(kHashOperation, &shared->held) {}

  uint64_t hash(const TVMFFIAny& root) {
    add(root);
    while (!stack_.empty()) step();
    return result_;
  }

 private:
  // Uses the hash of a leaf or the known hash of an object; pushes a frame for other objects.
  void add(const TVMFFIAny& value) {
    uint64_t hash;
    if (hash_leaf(value, &hash)) {
      take(hash);
    } else {
      open(value.v_obj);
    }
  }

  // Combines the hash of a child with the hash of the object on top of the stack.
  void take(uint64_t hash) {
    if (stack_.empty()) {
      result_ = hash;
      return;
    }
    HashFrame& frame = stack_.back();
    if (frame.children.kind() != Children::kMapping) {
      frame.hash = combine(frame.hash, hash);
    } else if (frame.children.is_at_key()) {
      frame.key_hash = hash;
    } else {
      frame.hash += combine(frame.key_hash, hash);  // a sum: the order of entries is irrelevant
    }
  }

  void open(TVMFFIObject* object) {
    const TVMFFIAny* hook = find_hash_hook(object->type_index);
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(object->type_index);
    uint64_t type_hash = combine(kTVMFFIObject, type->type_key_hash);
    // An object with one reference is reached only once, see walk.h.
    if (hook != nullptr || !has_one_reference(object)) {
      bool is_new;
      Known& known = shared_->known->insert({object}, &is_new);
      if (!is_new) return take(known.is_done ? known.hash : type_hash);
      known.is_done = false;
      shared_->held.keep_key(object);
    }
    if (hook != nullptr || is_enum_type(object->type_index)) {
      uint64_t hash = hook != nullptr ? call_hook(*hook, object) : hash_enum(type_hash, object);
      remember(object, hash);
      return take(hash);
    }
    stack_.push(HashFrame{
        Children(object, kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskCompareOff),
        type_hash, 0});
  }

  // Hashes an enum object by its name, which is the same in every process. Hashes an object that is
  // not an entry of its enum by its address.
  static uint64_t hash_enum(uint64_t type_hash, const TVMFFIObject* object) {
    std::optional<String> name = enum_name_of(object);
    if (!name.has_value()) return combine(type_hash, reinterpret_cast<uintptr_t>(object));
    return combine(type_hash, detail::StableHashBytes(name->data(), name->size()));
  }

  void step() {
    HashFrame& frame = stack_.back();
    TVMFFIAny child;
    while (frame.children.next(&child, &shared_->held)) {
      uint64_t hash;
      // Use the key's hash hook, because equality uses the key's hooks, too.
      if (frame.children.is_at_key() && has_key_hook(child)) {
        prepare_for_foreign_code();
        take(AnyHash()(owned(child)));  // runs foreign code
      } else if (hash_leaf(child, &hash)) {
        take(hash);
      } else {
        return open(child.v_obj);
      }
    }
    uint64_t hash = combine(frame.hash, static_cast<uint64_t>(frame.children.num_visited()));
    if (!has_one_reference(frame.children.object())) remember(frame.children.object(), hash);
    stack_.pop();
    take(hash);
  }

  void remember(TVMFFIObject* object, uint64_t hash) {
    if (Known* known = shared_->known->find({object})) *known = Known{true, hash};
  }

  void prepare_for_foreign_code() {
    shared_->held.keep_keys(*shared_->known.get());
    stack_.hold();
  }

  const TVMFFIAny* find_hash_hook(int32_t type_index) {
    static const TVMFFITypeAttrColumn* const hash = hook_column("__ffi_hash__");
    static const TVMFFITypeAttrColumn* const equal = hook_column("__ffi_eq__");
    static const TVMFFITypeAttrColumn* const compare = hook_column("__ffi_compare__");
    if (const TVMFFIAny* hook = find_hook(hash, type_index)) return hook;
    if (find_hook(equal, type_index) != nullptr || find_hook(compare, type_index) != nullptr) {
      TVM_FFI_THROW(ValueError) << "RecursiveHash: type '" << TypeIndexToTypeKey(type_index)
                                << "' defines __ffi_eq__ or __ffi_compare__ but not __ffi_hash__. "
                                   "Add a __ffi_hash__ hook to maintain the invariant "
                                   "RecursiveEq(a,b) => RecursiveHash(a)==RecursiveHash(b).";
    }
    return nullptr;
  }

  uint64_t call_hook(const TVMFFIAny& hook, TVMFFIObject* object) {
    prepare_for_foreign_code();
    shared_->held.keep(object);
    HookCall<HashState> call(kHashOperation, shared_);
    Function callback = Function::FromTyped([shared = call.link()](const Any& value) -> int64_t {
      if (*shared == nullptr) return recursive_hash(value);
      return static_cast<int64_t>(Hasher(*shared).hash(raw(value)));
    });
    Any hash = hook_function(hook)(view_of(object), callback);  // runs foreign code
    return static_cast<uint64_t>(
        hook_result<int64_t>(hash, "__ffi_hash__", object->type_index, "int"));
  }

  HashState* shared_;
  WalkStack<HashFrame> stack_;
  uint64_t result_ = 0;
};

}  // namespace

int64_t recursive_hash(const Any& value) {
  uint64_t hash;
  if (hash_leaf(raw(value), &hash)) return static_cast<int64_t>(hash);
  HashState shared;
  return static_cast<int64_t>(Hasher(&shared).hash(raw(value)));
}

}  // namespace runtime

int64_t RecursiveHash(const Any& value) { return runtime::recursive_hash(value); }

}  // namespace ffi
}  // namespace tvm
