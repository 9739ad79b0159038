// SPDX-License-Identifier: Apache-2.0
// Structural hash, consistent with structural equality (graph/structural_equal.cc). Clients write
// hash values to disk, so a change of any step here would change their format.
#include "graph/structural_hash.h"

#include <tvm/ffi/extra/structural_hash.h>

#include <optional>

#include "core/enum_store.h"
#include "graph/structural_hash_walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {
namespace {

// Adds the hashes of fields up to the first field that has children; returns that field, or NULL.
TVM_FFI_INLINE const PlannedField* hash_up_to_open(const FieldPlan& plan,
                                                   const TVMFFIObject* object, Held* held,
                                                   uint64_t* hash) {
  uint64_t part;
  for (const PlannedField& field : plan.fields) {
    if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    // Leave a field with a getter to the walk, so that the getter runs only once.
    if (field.storage == FieldStorage::kGetter) return &field;
    TVMFFIAny value = read_kept_field(field, object, held);
    if (!hash_leaf(value, &part)) {
      if (!is_empty_sequence(value.v_obj)) return &field;
      part = combine(key_hash_of(value.type_index), 0);
    }
    *hash = combine(*hash, part);
  }
  return nullptr;
}

// Hashes an object that has only leaf fields, the structural kind tree and no hook, without a walk.
// Returns false for other objects.
bool hash_leaf_object(const TVMFFIObject* object, uint64_t* hash) {
  if (object->type_index < kTVMFFIDynObjectBegin) return false;
  StructuralType type = structural_type(hash_hooks(), object->type_index);
  if (!type.is_plain_tree()) return false;
  Held held;
  *hash = type.key_hash;
  return hash_up_to_open(*type.plan, object, &held, hash) == nullptr;
}

// Hashes a variant of an enum by its name, which identifies the variant within its type and is the
// same in every process. Returns false for an object that is not a variant.
TVM_FFI_NO_INLINE bool hash_variant(const TVMFFIObject* object, uint64_t key_hash, uint64_t* hash) {
  std::optional<String> name = enum_name_of(object);
  if (!name.has_value()) return false;
  uint64_t name_hash = 0;
  hash_leaf(raw(Any(*name)), &name_hash);
  *hash = combine(key_hash, name_hash);
  return true;
}

}  // namespace

HashWalk::HashWalk(Shared* shared)
    : shared_(shared), types_(hash_hooks()), stack_(kOperation, &shared->held) {}

HashWalk::~HashWalk() {
  // If a hook has thrown an error, frames remain on the stack: remove the marks of their objects.
  for (size_t i = 0; i < stack_.size(); ++i) forget(stack_[i].place);
}

uint64_t HashWalk::hash(const TVMFFIAny& root, DefRegion region) {
  add(root, region);
  while (!stack_.empty()) step();
  return result_;
}

void HashWalk::add(const TVMFFIAny& value, DefRegion region) {
  uint64_t hash;
  if (hash_leaf(value, &hash)) {
    take(hash);
  } else {
    open(value.v_obj, region);
  }
}

void HashWalk::open_container(TVMFFIObject* object, DefRegion region) {
  size_t size = container_size(object);
  uint64_t hash = combine(key_hash_of(object->type_index), size);
  if (size == 0) return take(hash);
  uint32_t place = kNowhere;
  if (!has_one_reference(object) && take_known(object, &place)) return;
  HashFrame& frame = stack_.emplace(object, hash, region, place);
  if (frame.children.kind() == Children::kMapping) collect_entries(&frame);
}

void HashWalk::open_fields(TVMFFIObject* object, DefRegion region) {
  const StructuralType& type = types_.of(object->type_index);
  uint64_t hash = type.key_hash;
  if (TVM_FFI_PREDICT_FALSE(type.kind == kTVMFFISEqHashKindUniqueInstance) &&
      hash_variant(object, type.key_hash, &hash)) {
    return take(hash);
  }
  uint32_t place = kNowhere;
  // An object with one reference is reached only once (see walk.h), unless a hook has access to the
  // object.
  bool is_met_again = type.has_identity() || type.has_hook || !has_one_reference(object) ||
                      shared_->held.is_shared_with_foreign_code();
  if (is_met_again && take_known(object, &place)) return;
  if (type.has_hook) return hash_by_hook(object, type, region, place);
  const PlannedField* field = hash_up_to_open(*type.plan, object, &shared_->held, &hash);
  // Most objects of a tree have only leaf fields, so they need no frame.
  if (field == nullptr) return take(settle(object, type.kind, region, hash, place));
  HashFrame& frame = stack_.emplace(object, type, region, place);
  frame.hash = hash;
  frame.children.go_to(field);
}

TVM_FFI_INLINE bool HashWalk::take_known(TVMFFIObject* object, uint32_t* place) {
  bool is_new;
  *place = shared_->known->position_of({object}, &is_new);
  Known& known = shared_->known->at(*place);
  if (known.state == Known::kOpen) throw_structural_cycle(kOperation, object->type_index);
  if (known.state == Known::kDone) {
    take(known.hash);
    return true;
  }
  known.state = Known::kOpen;
  if (is_new) shared_->held.keep_key(object);
  return false;
}

void HashWalk::close() {
  const HashFrame& frame = stack_.back();
  uint64_t hash =
      settle(frame.children.object(), frame.kind, frame.region, frame.hash, frame.place);
  if (frame.children.kind() == Children::kMapping) drop_entries(frame);
  stack_.pop();
  take(hash);
}

void HashWalk::step() {
  HashFrame& frame = stack_.back();
  switch (frame.children.kind()) {
    case Children::kSequence:
      return step_in_sequence(&frame);
    case Children::kMapping:
      return step_in_mapping(&frame);
    default:
      return step_in_fields(&frame);
  }
}

void HashWalk::step_in_fields(HashFrame* frame) {
  const TVMFFIObject* object = frame->children.object();
  const PlannedField* end = frame->children.end_of_fields();
  size_t depth = stack_.size();
  for (const PlannedField* field = frame->children.next_of_fields(); field != end; ++field) {
    if (frame->children.is_skipped(*field)) continue;
    uint64_t part;
    TVMFFIAny value = read_kept_field(*field, object, &shared_->held);
    if (hash_leaf(value, &part)) {
      frame->hash = combine(frame->hash, part);
      continue;
    }
    frame->children.set_field(field);
    open(value.v_obj, region_of_field(frame->inner_region, field->flags));
    if (stack_.size() != depth) return;
  }
  close();
}

void HashWalk::step_in_sequence(HashFrame* frame) {
  const SeqBaseObj* elements = frame->children.sequence();
  size_t depth = stack_.size();
  uint64_t part;
  for (auto i = static_cast<size_t>(frame->children.num_visited()); i < elements->size();) {
    const Any* first = elements->begin();
    if (raw(first[i]).type_index < kTVMFFIDynObjectBegin) {
      // Hash consecutive leaves in a local variable.
      uint64_t hash = frame->hash;
      hash = hash_integers(first, elements->size(), &i, hash);
      for (; i < elements->size() && hash_leaf(raw(first[i]), &part); ++i) {
        hash = combine(hash, part);
      }
      frame->hash = hash;
      if (i == elements->size()) break;
    }
    TVMFFIObject* object = raw(first[i]).v_obj;
    frame->children.go_to_element(static_cast<int64_t>(++i));
    open(object, frame->inner_region);
    if (stack_.size() != depth) return;
  }
  close();
}

}  // namespace structural

uint64_t structural_hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  using structural::HashWalk;
  uint64_t hash;
  if (structural::hash_leaf(raw(value), &hash) ||
      structural::hash_leaf_object(raw(value).v_obj, &hash)) {
    return hash;
  }
  HashWalk::Shared shared(skip_tensor_content);
  return HashWalk(&shared).hash(
      raw(value), map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone);
}

}  // namespace runtime

uint64_t StructuralHash::Hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  return runtime::structural_hash(value, map_free_vars, skip_tensor_content);
}

}  // namespace ffi
}  // namespace tvm
