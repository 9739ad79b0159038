// SPDX-License-Identifier: Apache-2.0
// What a structural comparison has found out so far, shared by the walks that hooks start inside
// it: which objects stand for each other, and which pairs are open or known to be equal.
#ifndef TVM_FFI_SRC_GRAPH_STRUCTURAL_MATCH_H_
#define TVM_FFI_SRC_GRAPH_STRUCTURAL_MATCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/bindings.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief What is asked for. */
struct StructuralOptions {
  bool skip_tensor_content;
  /*! \brief Whether the place of the first difference is wanted. */
  bool wants_path;
};

/*!
 * \brief The findings of a comparison.
 *
 * Inside a hook a comparison may fail without the whole one failing, so the findings of hooks can
 * be taken back to a mark.
 */
class StructuralMatch {
 public:
  explicit StructuralMatch(StructuralOptions options) : options(options) {}

  const StructuralOptions options;
  Held held;

  enum class PairState : uint8_t { kUnknown, kOpen, kEqual };

  /*! \brief What is known of a pair; one that is unknown is open from now on. */
  PairState enter_pair(TVMFFIObject* lhs, TVMFFIObject* rhs) {
    bool is_new;
    PairState& state = pairs_.insert(lhs, rhs, &is_new);
    PairState before = state;
    if (before == PairState::kUnknown) {
      state = PairState::kOpen;
      keep_when_shared(lhs, rhs);
    }
    return before;
  }

  /*! \brief End what enter_pair() began. */
  void leave_pair(TVMFFIObject* lhs, TVMFFIObject* rhs, PairState state) {
    *pairs_.find(lhs, rhs) = state;
    if (state == PairState::kEqual && num_hooks_ > 0) undo_.push_back({true, lhs, rhs});
  }

  TVMFFIObject* right_of(const void* left) { return bindings_.right_of(left); }
  TVMFFIObject* left_of(const void* right) { return bindings_.left_of(right); }

  /*! \brief From now on these two stand for each other. */
  void bind(TVMFFIObject* left, TVMFFIObject* right) {
    keep_when_shared(left, right);
    bindings_.bind(left, right);
    if (num_hooks_ > 0) undo_.push_back({false, left, right});
  }

  /*!
   * \brief What stands for a key of the left mapping on the right: the key itself, or what it is
   * bound to.
   */
  TVMFFIAny right_key(const TVMFFIAny& key) { return other_key(key, &Bindings::right_of); }
  TVMFFIAny left_key(const TVMFFIAny& key) { return other_key(key, &Bindings::left_of); }

  /*! \brief Keys so far whose counterpart may become another one by later bindings. */
  size_t num_fickle_keys() const { return num_fickle_keys_; }

  /*! \brief To be called before foreign code runs, together with WalkStack::hold(). */
  void hold() {
    if (held.is_shared_with_foreign_code()) return;
    pairs_.for_each([this](const Pairs::Entry& entry) {
      held.keep(object_at(entry.first));
      held.keep(object_at(entry.second));
    });
    bindings_.keep_all(&held);
  }

  size_t mark() const { return undo_.size(); }

  /*! \brief Take back what was found out inside hooks since the mark. */
  void take_back(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) {
      const Finding& last = undo_.back();
      if (last.is_pair) {
        *pairs_.find(last.left, last.right) = PairState::kUnknown;
      } else {
        bindings_.unbind(last.left, last.right);
      }
    }
  }

  /*! \brief While alive, a hook runs. */
  class Hook {
   public:
    explicit Hook(StructuralMatch* match) : match_(match) { ++match_->num_hooks_; }
    ~Hook() {
      if (--match_->num_hooks_ == 0) match_->undo_.clear();
    }
    Hook(const Hook&) = delete;
    Hook& operator=(const Hook&) = delete;

   private:
    StructuralMatch* match_;
  };

 private:
  using Pairs = IdentityMap<PairState>;

  struct Finding {
    bool is_pair;
    const void* left;
    const void* right;
  };

  TVMFFIAny other_key(const TVMFFIAny& key, TVMFFIObject* (Bindings::*other_of)(const void*)) {
    if (!is_object(key)) return key;
    ++num_fickle_keys_;
    TVMFFIObject* other = (bindings_.*other_of)(key.v_obj);
    return other == nullptr ? key : value_of(other);
  }

  void keep_when_shared(TVMFFIObject* lhs, TVMFFIObject* rhs) {
    if (!held.is_shared_with_foreign_code()) return;
    held.keep(lhs);
    held.keep(rhs);
  }

  Pairs pairs_;
  Bindings bindings_;
  std::vector<Finding> undo_;
  size_t num_hooks_ = 0;
  size_t num_fickle_keys_ = 0;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_STRUCTURAL_MATCH_H_
