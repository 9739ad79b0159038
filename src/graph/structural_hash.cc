// SPDX-License-Identifier: Apache-2.0
// Structural hash, consistent with structural equality (graph/structural_equal.cc). The values are
// written to disk by clients: every step here is part of the format.
#include "graph/structural_hash.h"

#include <tvm/ffi/extra/structural_hash.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "graph/lent.h"
#include "graph/structural_hash_leaf.h"
#include "graph/structural_tensor.h"
#include "graph/structural_type.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

using structural::combine;
using structural::hash_content;
using structural::hash_integers;
using structural::hash_leaf;
using structural::hash_plain;
using structural::key_hash_of;

constexpr const char* kOperation = "StructuralHash";

const TVMFFITypeAttrColumn* hooks() {
  static const TVMFFITypeAttrColumn* const column = hook_column("__s_hash__");
  return column;
}

// An entry of a mapping whose key has a hash that depends on nothing around it.
struct Entry {
  uint64_t key_hash;
  TVMFFIAny value;
};

constexpr uint32_t kNowhere = UINT32_MAX;

// An object that is being hashed.
struct Frame {
  Frame(TVMFFIObject* object, const StructuralType& type, DefRegion region, uint32_t place)
      : children(object, *type.plan, kTVMFFIFieldFlagBitMaskSEqHashIgnore),
        hash(type.key_hash),
        kind(type.kind),
        region(region),
        inner_region(region_of_fields(type.kind, region)),
        place(place) {}

  // For a container.
  Frame(TVMFFIObject* object, uint64_t hash, DefRegion region, uint32_t place)
      : children(object),
        hash(hash),
        kind(kTVMFFISEqHashKindTreeNode),
        region(region),
        inner_region(region),
        place(place) {}

  Children children;
  uint64_t hash;
  SEqHashKind kind;
  // Where the object stands, and where its parts do.
  DefRegion region;
  DefRegion inner_region;
  // Where the object is in the table of known ones, or kNowhere.
  uint32_t place;
  // Of a mapping alone: its entries in HashWalk::entries_, and the next one.
  size_t first_entry;
  size_t end_entry;
  size_t next_entry;
};

struct Known {
  enum State : uint8_t { kUnknown, kOpen, kDone };
  State state = kUnknown;
  uint64_t hash = 0;
};
using KnownHashes = IdentityMap<Known>;

// What a hash and those that its hooks start have in common.
struct Shared {
  explicit Shared(bool skip_tensor_content) : skip_tensor_content(skip_tensor_content) {}

  const bool skip_tensor_content;
  Held held;
  Lent<KnownHashes> known;
  uint32_t num_variables = 0;
  uint32_t num_dag_nodes = 0;
};

// Takes the hashes of fields up to the first that has parts itself; NULL when there is none.
TVM_FFI_INLINE const PlannedField* hash_up_to_open(const FieldPlan& plan,
                                                   const TVMFFIObject* object, Held* held,
                                                   uint64_t* hash) {
  uint64_t part;
  for (const PlannedField& field : plan.fields) {
    if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    // What a getter makes is kept: once is enough.
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

class HashWalk {
 public:
  explicit HashWalk(Shared* shared)
      : shared_(shared), types_(hooks()), stack_(kOperation, &shared->held) {}

  ~HashWalk() {
    // The rest of a hash that failed inside a hook.
    for (size_t i = 0; i < stack_.size(); ++i) {
      forget(stack_[i].place);
    }
  }
  HashWalk(const HashWalk&) = delete;
  HashWalk& operator=(const HashWalk&) = delete;

  uint64_t hash(const TVMFFIAny& root, DefRegion region) {
    add(root, region);
    while (!stack_.empty()) step();
    return result_;
  }

 private:
  // Hashes a leaf or what is known; opens a frame for other objects.
  void add(const TVMFFIAny& value, DefRegion region) {
    uint64_t hash;
    if (hash_leaf(value, &hash)) {
      take(hash);
    } else {
      open(value.v_obj, region);
    }
  }

  // Takes the hash of a part into the innermost object.
  void take(uint64_t hash) {
    if (stack_.empty()) {
      result_ = hash;
    } else {
      stack_.back().hash = combine(stack_.back().hash, hash);
    }
  }

  void open(TVMFFIObject* object, DefRegion region) {
    switch (object->type_index) {
      case kTVMFFIArray:
      case kTVMFFIList:
      case kTVMFFIMap:
      case kTVMFFIDict:
        return open_container(object, region);
      case kTVMFFITensor:
        return take(hash_tensor(key_hash_of(kTVMFFITensor), object, shared_->skip_tensor_content));
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
    Frame& frame = stack_.emplace(object, hash, region, place);
    if (frame.children.kind() == Children::kMapping) collect_entries(&frame);
  }

  void open_fields(TVMFFIObject* object, DefRegion region) {
    const StructuralType& type = types_.of(object->type_index);
    uint32_t place = kNowhere;
    // Other objects cannot be met again, see walk.h; but a hook may reach into any of them.
    bool is_met_again = type.has_identity() || type.has_hook || !has_one_reference(object) ||
                        shared_->held.is_shared_with_foreign_code();
    if (is_met_again && take_known(object, &place)) return;
    if (type.has_hook) return hash_by_hook(object, type.kind, type.key_hash, region, place);
    uint64_t hash = type.key_hash;
    const PlannedField* field = hash_up_to_open(*type.plan, object, &shared_->held, &hash);
    // Most objects of a tree are leaves of it, which need no frame.
    if (field == nullptr) return take(settle(object, type.kind, region, hash, place));
    Frame& frame = stack_.emplace(object, type, region, place);
    frame.hash = hash;
    frame.children.go_to(field);
  }

  // Takes the hash of an object that was met before; false for a new one, which is open from now
  // on at `*place`.
  bool take_known(TVMFFIObject* object, uint32_t* place) {
    bool is_new;
    *place = shared_->known->position_of({object}, &is_new);
    Known& known = shared_->known->at(*place);
    if (known.state == Known::kOpen) throw_structural_cycle(kOperation, object->type_index);
    if (known.state == Known::kDone) {
      take(known.hash);
      return true;
    }
    known.state = Known::kOpen;
    if (is_new && shared_->held.is_shared_with_foreign_code()) shared_->held.keep(object);
    return false;
  }

  void forget(uint32_t place) {
    if (place != kNowhere) shared_->known->at(place) = Known();
  }

  // The hash of an object from that of its parts.
  uint64_t settle(TVMFFIObject* object, SEqHashKind kind, DefRegion region, uint64_t hash,
                  uint32_t place) {
    if (kind == kTVMFFISEqHashKindFreeVar) {
      hash = region == kTVMFFIDefRegionKindNone ? reinterpret_cast<uintptr_t>(object)
                                                : combine(hash, shared_->num_variables++);
    } else if (kind == kTVMFFISEqHashKindDAGNode) {
      hash = combine(hash, shared_->num_dag_nodes++);
    }
    if (place != kNowhere) shared_->known->at(place) = Known{Known::kDone, hash};
    return hash;
  }

  void close() {
    const Frame& frame = stack_.back();
    uint64_t hash =
        settle(frame.children.object(), frame.kind, frame.region, frame.hash, frame.place);
    if (frame.children.kind() == Children::kMapping) {
      entries_.resize(frame.first_entry);
      num_kept_entries_ = std::min(num_kept_entries_, entries_.size());
    }
    stack_.pop();
    take(hash);
  }

  // Hashes parts of the innermost object up to the first that has parts itself.
  void step() {
    Frame& frame = stack_.back();
    switch (frame.children.kind()) {
      case Children::kSequence:
        return step_in_sequence(&frame);
      case Children::kMapping:
        return step_in_mapping(&frame);
      default:
        return step_in_fields(&frame);
    }
  }

  void step_in_fields(Frame* frame) {
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

  void step_in_sequence(Frame* frame) {
    const SeqBaseObj* elements = frame->children.sequence();
    size_t depth = stack_.size();
    uint64_t part;
    for (auto i = static_cast<size_t>(frame->children.num_visited()); i < elements->size();) {
      // Runs of leaves without leaving the register.
      uint64_t hash = frame->hash;
      const Any* first = elements->begin();
      hash = hash_integers(first, elements->size(), &i, hash);
      for (; i < elements->size() && hash_leaf(raw(first[i]), &part); ++i) {
        hash = combine(hash, part);
      }
      frame->hash = hash;
      if (i == elements->size()) break;
      frame->children.go_to_element(static_cast<int64_t>(++i));
      open(raw(first[i - 1]).v_obj, frame->inner_region);
      if (stack_.size() != depth) return;
    }
    close();
  }

  // ------------------------------------------------------------------ mappings

  // Puts the entries that can be told apart behind the others, in the order of their hashes.
  void collect_entries(Frame* frame) {
    frame->first_entry = frame->next_entry = frame->end_entry = entries_.size();
    TVMFFIAny key;
    Entry entry;
    while (frame->children.next(&key, &shared_->held)) {
      frame->children.next(&entry.value, &shared_->held);
      if (hash_key(key, &entry.key_hash)) entries_.push_back(entry);
    }
    std::sort(entries_.begin() + static_cast<ptrdiff_t>(frame->first_entry), entries_.end(),
              [](const Entry& lhs, const Entry& rhs) { return lhs.key_hash < rhs.key_hash; });
    frame->end_entry = entries_.size();
  }

  // False for an object whose hash is not known yet: it would depend on the order of the entries.
  bool hash_key(const TVMFFIAny& key, uint64_t* hash) {
    if (!is_object(key)) {
      *hash = hash_plain(key);
      return true;
    }
    if (hash_content(key, hash)) return true;
    bool is_container = key.type_index == kTVMFFIArray || key.type_index == kTVMFFIList ||
                        key.type_index == kTVMFFIMap || key.type_index == kTVMFFIDict;
    bool is_new = is_container || !shared_->known.is_used();
    const Known* known = is_new ? nullptr : shared_->known->find({key.v_obj});
    if (known == nullptr || known->state != Known::kDone) return false;
    *hash = known->hash;
    return true;
  }

  void step_in_mapping(Frame* frame) {
    while (frame->next_entry < frame->end_entry) {
      const Entry& entry = entries_[frame->next_entry++];
      frame->hash = combine(frame->hash, entry.key_hash);
      if (skip_equal_hashes(frame, entry.key_hash)) continue;
      uint64_t part;
      TVMFFIAny value = entry.value;
      if (!hash_leaf(value, &part)) return open(value.v_obj, frame->inner_region);
      frame->hash = combine(frame->hash, part);
    }
    close();
  }

  // Passes over the entries with the hash of the last one; whether there were any. Which value
  // belongs to which of their keys cannot be told.
  bool skip_equal_hashes(Frame* frame, uint64_t key_hash) {
    size_t begin = frame->next_entry;
    while (frame->next_entry < frame->end_entry &&
           entries_[frame->next_entry].key_hash == key_hash) {
      ++frame->next_entry;
    }
    return frame->next_entry != begin;
  }

  // ------------------------------------------------------------------ hooks

  void hash_by_hook(TVMFFIObject* object, SEqHashKind kind, uint64_t init_hash, DefRegion region,
                    uint32_t place) {
    uint64_t hash = call_hook(object, init_hash, region_of_fields(kind, region), place);
    take(settle(object, kind, region, hash, place));
  }

  uint64_t call_hook(TVMFFIObject* object, uint64_t init_hash, DefRegion region, uint32_t place) {
    prepare_for_foreign_code();
    shared_->held.keep(object);
    HookScope scope(kOperation);
    // The callback may be kept for later, when it starts afresh.
    auto shared = std::make_shared<Shared*>(shared_);
    struct End {
      HashWalk* walk;
      uint32_t place;
      std::shared_ptr<Shared*> shared;
      bool has_failed = true;
      ~End() {
        *shared = nullptr;
        if (has_failed) walk->forget(place);
      }
    } end{this, place, shared};
    bool skip_tensor_content = shared_->skip_tensor_content;
    Function callback =
        Function::FromTyped([shared, region, skip_tensor_content](
                                const Any& value, int64_t init_hash, int64_t kind) -> int64_t {
          DefRegion inner = region_for_hook(region, kind);
          Shared fresh(skip_tensor_content);
          Shared* current = *shared == nullptr ? &fresh : *shared;
          uint64_t hash = HashWalk(current).hash(raw(value), inner);
          return static_cast<int64_t>(combine(static_cast<uint64_t>(init_hash), hash));
        });
    Function hook = structural_hook(hooks(), object->type_index);
    AnyView self = AnyView::CopyFromTVMFFIAny(value_of(object));
    Any hash = hook(self, static_cast<int64_t>(init_hash), callback);  // runs foreign code
    uint64_t result = static_cast<uint64_t>(hash.cast<int64_t>());
    end.has_failed = false;
    return result;
  }

  void prepare_for_foreign_code() {
    if (!shared_->held.is_shared_with_foreign_code() && shared_->known.is_used()) {
      shared_->known->for_each(
          [this](const KnownHashes::Entry& entry) { shared_->held.keep(object_at(entry.first)); });
    }
    stack_.hold();
    for (; num_kept_entries_ < entries_.size(); ++num_kept_entries_) {
      shared_->held.keep(owned(entries_[num_kept_entries_].value));
    }
  }

  Shared* shared_;
  StructuralTypes types_;
  WalkStack<Frame> stack_;
  // Entries of the mappings on the stack.
  std::vector<Entry> entries_;
  size_t num_kept_entries_ = 0;
  uint64_t result_ = 0;
};

// Hashes an object that is a leaf and no more than its fields: needs no walk.
bool hash_leaf_object(const TVMFFIObject* object, uint64_t* hash) {
  if (object->type_index < kTVMFFIDynObjectBegin) return false;
  StructuralType type = structural_type(hooks(), object->type_index);
  if (!type.is_plain_tree()) return false;
  Held held;
  *hash = type.key_hash;
  return hash_up_to_open(*type.plan, object, &held, hash) == nullptr;
}

}  // namespace

uint64_t structural_hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  uint64_t hash;
  if (hash_leaf(raw(value), &hash) || hash_leaf_object(raw(value).v_obj, &hash)) return hash;
  Shared shared(skip_tensor_content);
  return HashWalk(&shared).hash(
      raw(value), map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone);
}

}  // namespace runtime

uint64_t StructuralHash::Hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  return runtime::structural_hash(value, map_free_vars, skip_tensor_content);
}

}  // namespace ffi
}  // namespace tvm
