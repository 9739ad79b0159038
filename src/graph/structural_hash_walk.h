// SPDX-License-Identifier: Apache-2.0
// The walk of structural hash. Its steps are in structural_hash.cc, the steps in mappings in
// structural_hash_mapping.cc, and hooks in structural_hash_hook.cc.
#ifndef TVM_FFI_SRC_GRAPH_STRUCTURAL_HASH_WALK_H_
#define TVM_FFI_SRC_GRAPH_STRUCTURAL_HASH_WALK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/reused_table.h"
#include "graph/structural_hash_leaf.h"
#include "graph/structural_tensor.h"
#include "graph/structural_type.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace structural {

/*! \brief An object that is being hashed. */
struct HashFrame {
  HashFrame(TVMFFIObject* object, const StructuralType& type, DefRegion region, uint32_t place)
      : children(object, *type.plan, kTVMFFIFieldFlagBitMaskSEqHashIgnore),
        hash(type.key_hash),
        kind(type.kind),
        region(region),
        inner_region(region_of_fields(type.kind, region)),
        place(place) {}

  /*! \brief Make a frame for a container. */
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
  /*! \brief Definition region of the object, and definition region of its parts. */
  DefRegion region;
  DefRegion inner_region;
  /*! \brief Position of the object in the table of known objects, or HashWalk::kNowhere. */
  uint32_t place;
  /*!
   * \brief Only for a mapping: the range of its entries in HashWalk::entries_, and the next entry.
   */
  size_t first_entry;
  size_t end_entry;
  size_t next_entry;
};

/*!
 * \brief Hashes one value. When a hook requests the hash of a part, a new HashWalk computes it.
 */
class HashWalk {
 public:
  static constexpr const char* kOperation = "StructuralHash";
  static constexpr uint32_t kNowhere = UINT32_MAX;

  struct Known {
    enum State : uint8_t { kUnknown, kOpen, kDone };
    State state = kUnknown;
    uint64_t hash = 0;
  };

  /*! \brief State shared by the walk of a value and the walks that its hooks start. */
  struct Shared {
    explicit Shared(bool skip_tensor_content) : skip_tensor_content(skip_tensor_content) {}

    const bool skip_tensor_content;
    Held held;
    ReusedTable<IdentityMap<Known>> known;
    uint32_t num_variables = 0;
    uint32_t num_dag_nodes = 0;
  };

  explicit HashWalk(Shared* shared);
  ~HashWalk();
  HashWalk(const HashWalk&) = delete;
  HashWalk& operator=(const HashWalk&) = delete;

  /*! \brief Hash a value. Call this once per walk. */
  uint64_t hash(const TVMFFIAny& root, DefRegion region);

 private:
  // An entry of a mapping whose key has a hash that does not depend on the order of the entries.
  struct Entry {
    uint64_t key_hash;
    TVMFFIAny value;
  };

  // Uses the hash of a leaf or the known hash of an object; pushes a frame for other objects.
  void add(const TVMFFIAny& value, DefRegion region);
  // Combines the hash of a part with the hash of the object on top of the stack.
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
  void open_container(TVMFFIObject* object, DefRegion region);
  void open_fields(TVMFFIObject* object, DefRegion region);
  // Uses the hash of an object that was reached before. Returns false for a new object, which is
  // marked as open (being hashed) at `*place`.
  bool take_known(TVMFFIObject* object, uint32_t* place);
  void forget(uint32_t place) {
    if (place != kNowhere) shared_->known->at(place) = Known();
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
    if (place != kNowhere) shared_->known->at(place) = Known{Known::kDone, hash};
    return hash;
  }
  void close();

  // Hashes parts of the object on top of the stack, up to the first part that has children.
  void step();
  void step_in_fields(HashFrame* frame);
  void step_in_sequence(HashFrame* frame);
  void step_in_mapping(HashFrame* frame);

  // Appends the entries whose keys hash_key() accepts to entries_, sorted by the hashes of the
  // keys.
  void collect_entries(HashFrame* frame);
  // Hashes a key. Returns false for an object whose hash is not known yet: if the hash were
  // computed here, it would depend on the order of the entries.
  bool hash_key(const TVMFFIAny& key, uint64_t* hash);
  // Skips the next entries whose keys have the hash `key_hash`, because keys of equal hash do not
  // have a defined order. Returns whether an entry was skipped.
  bool skip_equal_hashes(HashFrame* frame, uint64_t key_hash);
  void drop_entries(const HashFrame& frame);

  void hash_by_hook(TVMFFIObject* object, const StructuralType& type, DefRegion region,
                    uint32_t place);
  uint64_t call_hook(TVMFFIObject* object, uint64_t init_hash, DefRegion region);
  void prepare_for_foreign_code();

  Shared* shared_;
  StructuralTypes types_;
  WalkStack<HashFrame> stack_;
  // Entries of the mappings on the stack.
  std::vector<Entry> entries_;
  size_t num_kept_entries_ = 0;
  uint64_t result_ = 0;
};

/*! \brief Return the column of `__s_hash__`. */
inline const TVMFFITypeAttrColumn* hash_hooks() {
  static const TVMFFITypeAttrColumn* const column = hook_column("__s_hash__");
  return column;
}

}  // namespace structural
}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_STRUCTURAL_HASH_WALK_H_
