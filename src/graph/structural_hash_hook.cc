// SPDX-License-Identifier: Apache-2.0
// Structural hash of types that define it by a hook, the attribute `__s_hash__`.
#include <tvm/ffi/function.h>

#include "graph/hook_call.h"
#include "graph/structural_hash_walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {

void HashWalk::prepare_for_foreign_code() {
  if (shared_->known.is_used()) shared_->held.keep_keys(*shared_->known.get());
  stack_.hold();
  for (; num_kept_entries_ < entries_.size(); ++num_kept_entries_) {
    shared_->held.keep(owned(entries_[num_kept_entries_].value));
  }
}

void HashWalk::hash_by_hook(TVMFFIObject* object, const StructuralType& type, DefRegion region,
                            uint32_t place) {
  SEqHashKind kind = type.kind;
  struct Open {
    HashWalk* walk;
    uint32_t place;
    ~Open() { walk->forget(place); }
  } open{this, place};
  uint64_t hash = call_hook(object, type.key_hash, region_of_fields(kind, region));
  open.place = kNowhere;
  take(settle(object, kind, region, hash, place));
}

uint64_t HashWalk::call_hook(TVMFFIObject* object, uint64_t init_hash, DefRegion region) {
  prepare_for_foreign_code();
  shared_->held.keep(object);
  HookCall<Shared> call(kOperation, shared_);
  bool skip_tensor_content = shared_->skip_tensor_content;
  Function callback =
      Function::FromTyped([shared = call.link(), region, skip_tensor_content](
                              const Any& value, int64_t init_hash, int64_t kind) -> int64_t {
        DefRegion inner = region_for_hook(region, kind);
        Shared fresh(skip_tensor_content);
        Shared* current = *shared == nullptr ? &fresh : *shared;
        uint64_t hash = HashWalk(current).hash(raw(value), inner);
        return static_cast<int64_t>(combine(static_cast<uint64_t>(init_hash), hash));
      });
  Function hook = structural_hook(hash_hooks(), object->type_index);
  // runs foreign code
  Any hash = hook(view_of(object), static_cast<int64_t>(init_hash), callback);
  return static_cast<uint64_t>(hook_result<int64_t>(hash, "__s_hash__", object->type_index, "int"));
}

}  // namespace structural
}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
