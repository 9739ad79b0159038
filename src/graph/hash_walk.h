// SPDX-License-Identifier: Apache-2.0
// The walk of structural hash and of recursive hash. The rules in which the two hashes differ are
// in structural_hash.cc and hash.cc.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/enum_store.h"
#include "graph/hook_call.h"
#include "graph/reused_table.h"
#include "graph/structural_hash_leaf.h"
#include "graph/structural_type.h"

namespace tvm::ffi::runtime::structural {

inline constexpr uint32_t kNowhere = UINT32_MAX;

/*! \brief An object that is being hashed. */
struct HashFrame {
  HashFrame(TVMFFIObject* object, const StructuralType& type, int64_t skipped_fields,
            DefRegion region, uint32_t place)
      : children(object, *type.plan, skipped_fields),
        hash(type.key_hash),
        kind(type.kind),
        region(region),
        inner_region(region_of_fields(type.kind, region)),
        place(place) {}

  // Makes a frame for a container.
  HashFrame(TVMFFIObject* object, uint64_t hash, DefRegion region, uint32_t place)
      : children(object),
        hash(hash),
        kind(kTVMFFISEqHashKindTreeNode),
        region(region),
        inner_region(region),
        place(place) {}

  Children children;
  uint64_t hash;
  SEqHashKind kind;
  // Definition region of the object, and definition region of its parts.
  DefRegion region;
  DefRegion inner_region;
  // Position of the object in the table of known objects, or kNowhere.
  uint32_t place;
  // Only for a mapping: the range of its entries in HashWalk::entries_, and the next entry.
  size_t first_entry;
  size_t end_entry;
  size_t next_entry;
};

struct KnownHash {
  enum State : uint8_t { kUnknown, kOpen, kDone };
  State state = kUnknown;
  uint64_t hash = 0;
};

/*! \brief State shared by the walk of a value and the walks that its hooks start. */
struct HashState {
  explicit HashState(bool skip_tensor_content) : skip_tensor_content(skip_tensor_content) {}

  const bool skip_tensor_content;
  Held held;
  ReusedTable<IdentityMap<KnownHash>> known;
  uint32_t num_variables = 0;
  uint32_t num_dag_nodes = 0;
};

/*!
 * \brief Hashes one value. When a hook requests the hash of a part, a new HashWalk computes it.
 *
 * \tparam Rules has these members:
 * - kOperation, kHook: the name for messages, and the type attribute of hooks.
 * - kIsRecursive: whether this is recursive hash.
 * - kSkippedFields: flags of the fields that are left out.
 * - hooks(): the column of the attribute.
 * - type_of(type_index): how the objects of a type are hashed; throws if they cannot be hashed.
 * - hash_leaf(value, hash): hashes a value without children; returns false for other objects.
 * - hash_tensor(object, skip_content), hash_in_cycle(object): the hash of a tensor, and of an
 *   object that is inside itself.
 * - call_hook(hook, object, init_hash, region, hash_part): calls a hook. `init_hash` is the hash of
 *   the object's type. The callback of the hook calls hash_part(value, region), which hashes a
 * part.
 */
template <typename Rules>
class HashWalk {
 public:
  explicit HashWalk(HashState* shared)
      : shared_(shared), types_(Rules::type_of), stack_(Rules::kOperation, &shared->held) {}
  ~HashWalk() {
    // If a hook has thrown an error, frames remain on the stack: remove the marks of their objects.
    for (size_t i = 0; i < stack_.size(); ++i) forget(stack_[i].place);
  }
  HashWalk(const HashWalk&) = delete;
  HashWalk& operator=(const HashWalk&) = delete;

  /*! \brief Hash a value. Call this once per walk. */
  uint64_t hash(const TVMFFIAny& root, DefRegion region) {
    uint64_t hash;
    if (Rules::hash_leaf(root, &hash)) return hash;
    open(root.v_obj, region);
    while (!stack_.empty()) {
      step_by_kind(this, &stack_.back(), &HashWalk::step_in_sequence, &HashWalk::step_in_mapping,
                   &HashWalk::step_in_fields);
    }
    return result_;
  }

  /*! \brief Hash a leaf, or an object that has only leaf fields, the structural kind tree and no
   * hook, without a walk. Return false for other objects. */
  static bool hash_without_walk(const TVMFFIAny& value, uint64_t* hash) {
    if (Rules::hash_leaf(value, hash)) return true;
    if (value.type_index < kTVMFFIDynObjectBegin) return false;
    StructuralType type = Rules::type_of(value.type_index);
    if (!type.is_plain_tree()) return false;
    Held held;
    *hash = type.key_hash;
    return hash_up_to_open(*type.plan, value.v_obj, &held, hash) == nullptr;
  }

 private:
  // An entry of a mapping whose key has a hash that does not depend on the order of the entries.
  struct Entry {
    uint64_t key_hash;
    TVMFFIAny value;
  };

  // Adds the hashes of fields up to the first field that has children; returns that field, or NULL.
  TVM_FFI_INLINE static const PlannedField* hash_up_to_open(const FieldPlan& plan,
                                                            const TVMFFIObject* object, Held* held,
                                                            uint64_t* hash) {
    uint64_t part;
    for (const PlannedField& field : plan.fields) {
      if ((field.flags & Rules::kSkippedFields) != 0) continue;
      // Leave a field with a getter to the walk, so that the getter runs only once.
      if (field.storage == FieldStorage::kGetter) return &field;
      TVMFFIAny value = read_kept_field(field, object, held);
      if (!Rules::hash_leaf(value, &part)) {
        if (!is_empty_sequence(value.v_obj)) return &field;
        part = combine(key_hash_of(value.type_index), 0);
      }
      *hash = combine(*hash, part);
    }
    return nullptr;
  }

  // Combines the hash of a part with the hash of the object on top of the stack.
  void take(uint64_t hash) {
    if (stack_.empty()) {
      result_ = hash;
    } else {
      stack_.back().hash = combine(stack_.back().hash, hash);
    }
  }

  // Uses the known hash of an object, or pushes a frame for the object.
  void open(TVMFFIObject* object, DefRegion region) {
    switch (object->type_index) {
      case kTVMFFIArray:
      case kTVMFFIList:
      case kTVMFFIMap:
      case kTVMFFIDict:
        return open_container(object, region);
      case kTVMFFITensor:
        return take(Rules::hash_tensor(object, shared_->skip_tensor_content));
      default:
        return open_fields(object, region);
    }
  }

  void open_container(TVMFFIObject* object, DefRegion region) {
    size_t size = container_size(object);
    uint64_t hash = combine(key_hash_of(object->type_index), size);
    if (size == 0) return take(hash);
    uint32_t place = kNowhere;
    if (!has_one_reference(object) && take_known(object, &place)) return;
    HashFrame& frame = stack_.emplace(object, hash, region, place);
    if (frame.children.kind() == Children::kMapping) collect_entries(&frame);
  }

  void open_fields(TVMFFIObject* object, DefRegion region) {
    const StructuralType& type = types_.of(object->type_index);
    uint64_t hash = type.key_hash;
    if (TVM_FFI_PREDICT_FALSE(type.kind == kTVMFFISEqHashKindUniqueInstance) &&
        hash_variant(object, &hash)) {
      return take(hash);
    }
    uint32_t place = kNowhere;
    // An object with one reference is reached only once (see walk.h), unless a hook has access to
    // the object.
    bool is_met_again = type.has_identity() || type.has_hook || !has_one_reference(object) ||
                        shared_->held.is_shared_with_foreign_code();
    if (is_met_again && take_known(object, &place)) return;
    if (type.has_hook) return hash_by_hook(object, type, region, place);
    const PlannedField* field = hash_up_to_open(*type.plan, object, &shared_->held, &hash);
    // Most objects of a tree have only leaf fields, so they need no frame.
    if (field == nullptr) return take(settle(object, type.kind, region, hash, place));
    HashFrame& frame = stack_.emplace(object, type, Rules::kSkippedFields, region, place);
    frame.hash = hash;
    frame.children.go_to(field);
  }

  // Hashes a variant of an enum by its name, which identifies the variant within its type and is
  // the same in every process. Returns false for an object that is not a variant, if such objects
  // are hashed by their fields.
  TVM_FFI_NO_INLINE static bool hash_variant(const TVMFFIObject* object, uint64_t* hash) {
    std::optional<String> name = enum_name_of(object);
    if (!name.has_value() && !Rules::kIsRecursive) return false;
    uint64_t part = reinterpret_cast<uintptr_t>(object);
    if (name.has_value()) hash_leaf(raw(Any(*name)), &part);
    *hash = combine(key_hash_of(object->type_index), part);
    return true;
  }

  // Uses the hash of an object that was reached before. Returns false for a new object, which is
  // marked as open (being hashed) at `*place`.
  TVM_FFI_INLINE bool take_known(TVMFFIObject* object, uint32_t* place) {
    bool is_new;
    *place = shared_->known->position_of({object}, &is_new);
    KnownHash& known = shared_->known->at(*place);
    if (known.state != KnownHash::kUnknown) {
      take(known.state == KnownHash::kDone ? known.hash : Rules::hash_in_cycle(object));
      return true;
    }
    known.state = KnownHash::kOpen;
    if (is_new) shared_->held.keep_key(object);
    return false;
  }

  void forget(uint32_t place) {
    if (place != kNowhere) shared_->known->at(place) = KnownHash();
  }

  // Completes the hash of an object from the hash of its parts.
  uint64_t settle(TVMFFIObject* object, SEqHashKind kind, DefRegion region, uint64_t hash,
                  uint32_t place) {
    if (kind == kTVMFFISEqHashKindFreeVar) {
      hash = region == kTVMFFIDefRegionKindNone ? reinterpret_cast<uintptr_t>(object)
                                                : combine(hash, shared_->num_variables++);
    } else if (kind == kTVMFFISEqHashKindDAGNode) {
      hash = combine(hash, shared_->num_dag_nodes++);
    }
    if (place != kNowhere) shared_->known->at(place) = KnownHash{KnownHash::kDone, hash};
    return hash;
  }

  void close() {
    const HashFrame& frame = stack_.back();
    uint64_t hash =
        settle(frame.children.object(), frame.kind, frame.region, frame.hash, frame.place);
    if (frame.children.kind() == Children::kMapping) drop_entries(frame);
    stack_.pop();
    take(hash);
  }

  // The steps hash parts of the object on top of the stack, up to the first that has children.
  void step_in_fields(HashFrame* frame) {
    const TVMFFIObject* object = frame->children.object();
    const PlannedField* end = frame->children.end_of_fields();
    size_t depth = stack_.size();
    for (const PlannedField* field = frame->children.next_of_fields(); field != end; ++field) {
      if (frame->children.is_skipped(*field)) continue;
      uint64_t part;
      TVMFFIAny value = read_kept_field(*field, object, &shared_->held);
      if (Rules::hash_leaf(value, &part)) {
        frame->hash = combine(frame->hash, part);
        continue;
      }
      frame->children.set_field(field);
      open(value.v_obj, region_of_field(frame->inner_region, field->flags));
      if (stack_.size() != depth) return;
    }
    close();
  }

  void step_in_sequence(HashFrame* frame) {
    const SeqBaseObj* elements = frame->children.sequence();
    size_t depth = stack_.size();
    uint64_t part;
    for (auto i = static_cast<size_t>(frame->children.num_visited()); i < elements->size();) {
      const Any* first = elements->begin();
      if (raw(first[i]).type_index < kTVMFFIDynObjectBegin) {
        // Hash consecutive leaves in a local variable.
        uint64_t hash = frame->hash;
        hash = hash_integers(first, elements->size(), &i, hash);
        for (; i < elements->size() && Rules::hash_leaf(raw(first[i]), &part); ++i) {
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

  // ------------------------------------------------------------------ mappings

  // Appends the entries whose keys hash_key() accepts to entries_, sorted by the hashes of the
  // keys, because the hash must not depend on the order of the entries.
  void collect_entries(HashFrame* frame) {
    frame->first_entry = frame->next_entry = frame->end_entry = entries_.size();
    TVMFFIAny key;
    Entry entry;
    while (frame->children.next(&key, &shared_->held)) {
      bool is_hashed = hash_key(key, &entry.key_hash);
      frame->children.next(&entry.value, &shared_->held);
      if (is_hashed) entries_.push_back(entry);
    }
    std::sort(entries_.begin() + static_cast<ptrdiff_t>(frame->first_entry), entries_.end(),
              [](const Entry& lhs, const Entry& rhs) { return lhs.key_hash < rhs.key_hash; });
    frame->end_entry = entries_.size();
  }

  // Hashes a key. Returns false for an entry that is left out of the hash.
  TVM_FFI_INLINE bool hash_key(const TVMFFIAny& key, uint64_t* hash) {
    if constexpr (Rules::kIsRecursive) {
      if (!Rules::hash_leaf(key, hash)) hash_object_key(key, hash);
      return true;
    }
    if (!is_object(key)) {
      *hash = hash_plain(key);
      return true;
    }
    if (hash_content(key, hash)) return true;
    // Leave out an object whose hash is not known yet: if the hash were computed here, it would
    // depend on the order of the entries.
    bool is_new = detail::IsContainer(key.type_index) || !shared_->known.is_used();
    const KnownHash* known = is_new ? nullptr : shared_->known->find({key.v_obj});
    if (known == nullptr || known->state != KnownHash::kDone) return false;
    *hash = known->hash;
    return true;
  }

  // Hashes a key in the way in which mappings find it, because equality looks it up.
  void hash_object_key(const TVMFFIAny& key, uint64_t* hash) {
    bool has_hook = has_key_hook(key);
    if (!has_hook && is_enum_type(key.type_index) && hash_variant(key.v_obj, hash)) return;
    if (has_hook) prepare_for_foreign_code();
    *hash = AnyHash()(owned(key));  // may run foreign code
  }

  void step_in_mapping(HashFrame* frame) {
    while (frame->next_entry < frame->end_entry) {
      const Entry& entry = entries_[frame->next_entry++];
      frame->hash = combine(frame->hash, entry.key_hash);
      if (skip_equal_hashes(frame, entry.key_hash)) continue;
      uint64_t part;
      TVMFFIAny value = entry.value;
      if (!Rules::hash_leaf(value, &part)) return open(value.v_obj, frame->inner_region);
      frame->hash = combine(frame->hash, part);
    }
    close();
  }

  // Skips the next entries whose keys have the hash `key_hash`, because keys of equal hash do not
  // have a defined order. Returns whether an entry was skipped.
  bool skip_equal_hashes(HashFrame* frame, uint64_t key_hash) {
    size_t begin = frame->next_entry;
    while (frame->next_entry < frame->end_entry &&
           entries_[frame->next_entry].key_hash == key_hash) {
      ++frame->next_entry;
    }
    return frame->next_entry != begin;
  }

  void drop_entries(const HashFrame& frame) {
    entries_.resize(frame.first_entry);
    num_kept_entries_ = std::min(num_kept_entries_, entries_.size());
  }

  // ------------------------------------------------------------------ hooks

  void prepare_for_foreign_code() {
    if (shared_->known.is_used()) shared_->held.keep_keys(*shared_->known.get());
    stack_.hold();
    for (; num_kept_entries_ < entries_.size(); ++num_kept_entries_) {
      shared_->held.keep(owned(entries_[num_kept_entries_].value));
    }
  }

  void hash_by_hook(TVMFFIObject* object, const StructuralType& type, DefRegion region,
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

  uint64_t call_hook(TVMFFIObject* object, uint64_t init_hash, DefRegion region) {
    prepare_for_foreign_code();
    shared_->held.keep(object);
    HookCall<HashState> call(Rules::kOperation, shared_);
    auto hash_part = [shared = call.link(), skip_tensor_content = shared_->skip_tensor_content](
                         const Any& value, DefRegion inner) {
      HashState fresh(skip_tensor_content);
      return HashWalk(*shared == nullptr ? &fresh : *shared).hash(raw(value), inner);
    };
    Function hook = hook_function(find_hook(Rules::hooks(), object->type_index));
    Any hash = Rules::call_hook(hook, object, init_hash, region, hash_part);  // runs foreign code
    return static_cast<uint64_t>(
        hook_result<int64_t>(hash, Rules::kHook, object->type_index, "int"));
  }

  HashState* shared_;
  StructuralTypes types_;
  WalkStack<HashFrame> stack_;
  // Entries of the mappings on the stack.
  std::vector<Entry> entries_;
  size_t num_kept_entries_ = 0;
  uint64_t result_ = 0;
};

/*! \brief Hash a value. */
template <typename Rules>
uint64_t hash_of(const Any& value, DefRegion region, bool skip_tensor_content) {
  uint64_t hash;
  if (HashWalk<Rules>::hash_without_walk(raw(value), &hash)) return hash;
  HashState shared(skip_tensor_content);
  return HashWalk<Rules>(&shared).hash(raw(value), region);
}

}  // namespace tvm::ffi::runtime::structural
