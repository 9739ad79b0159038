// SPDX-License-Identifier: Apache-2.0
// The findings of a structural comparison: which objects are matched with each other, which pairs
// are open (being compared), and which are known to be equal. The comparisons of parts that hooks
// request share the findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/bindings.h"
#include "graph/reused_table.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime {

/*! \brief The options of a comparison. */
struct StructuralOptions {
  bool skip_tensor_content;
  /*! \brief Whether the path to the first difference is requested. */
  bool wants_path;
};

/*!
 * \brief The findings of a comparison.
 *
 * A comparison of parts that a hook requests may find a difference although the whole values are
 * equal. So findings while a hook runs are also put on a list, with which take_back() undoes them.
 */
class StructuralMatch {
 public:
  explicit StructuralMatch(StructuralOptions options) : options(options) {}

  const StructuralOptions options;
  Held held;

  enum class PairState : uint8_t { kUnknown, kOpen, kEqual };

  /*! \brief How, and in which table, two objects are marked while they are compared. */
  struct Opening {
    enum How : uint8_t {
      /*! \brief The objects are not marked: they cannot be reached again during their
       * comparison. */
      kUnmarked,
      /*! \brief The objects are marked in the table of pairs, at the position `pair`. */
      kPair,
      /*! \brief The objects will be bound; Bindings::open_at(place.left) marks them. */
      kLeft
    };
    How how = kUnmarked;
    uint32_t pair = 0;
    /*! \brief The positions of the objects in Bindings; only for types with
     * StructuralType::has_identity(). */
    Bindings::Place place{0, 0};
  };

  /*! \brief Return what is known about a pair. An unknown pair is marked as open. */
  PairState enter_pair(TVMFFIObject* lhs, TVMFFIObject* rhs, Opening* opening) {
    bool is_new;
    uint32_t position = pairs_->position_of({lhs, rhs}, &is_new);
    PairState before = pairs_->at(position);
    if (before == PairState::kUnknown) {
      pairs_->at(position) = PairState::kOpen;
      opening->how = Opening::kPair;
      opening->pair = position;
      keep_keys(lhs, rhs);
    }
    return before;
  }

  /*!
   * \brief Do the same as enter_pair() for objects of a type with StructuralType::has_identity().
   * `opening->place` must contain their positions in Bindings.
   */
  PairState enter_place(TVMFFIObject* lhs, TVMFFIObject* rhs, Opening* opening) {
    TVMFFIObject*& open = bindings_->open_at(opening->place.left);
    if (open == rhs) return PairState::kOpen;
    // The mark of the left object is in use, because it is also being compared with another object.
    if (open != nullptr) return enter_pair(lhs, rhs, opening);
    open = rhs;
    opening->how = Opening::kLeft;
    return PairState::kUnknown;
  }

  /*! \brief End the comparison of two objects: remove the mark, or store the state of the pair. */
  void leave(const Opening& opening, TVMFFIObject* lhs, TVMFFIObject* rhs, PairState state) {
    if (opening.how == Opening::kLeft) {
      bindings_->open_at(opening.place.left) = nullptr;
    } else if (opening.how == Opening::kPair) {
      pairs_->at(opening.pair) = state;
      if (state == PairState::kEqual && num_hooks_ > 0) undo_.push_back({true, lhs, rhs});
    }
  }

  enum class Binding : uint8_t { kNone, kThese, kOthers };

  /*! \brief Return whether two objects of a type with StructuralType::has_identity() are not bound
   * (kNone), are bound to each other (kThese), or at least one of them is bound to another object
   * (kOthers). Always sets `place->left`; sets `place->right` only if the left object is not
   * bound. */
  Binding binding_of(TVMFFIObject* lhs, TVMFFIObject* rhs, Bindings::Place* place) {
    place->left = bindings_->place_of_left(lhs);
    if (TVMFFIObject* bound = bindings_->right_at(place->left)) {
      return bound == rhs ? Binding::kThese : Binding::kOthers;
    }
    place->right = bindings_->place_of_right(rhs);
    return bindings_->left_at(place->right) == nullptr ? Binding::kNone : Binding::kOthers;
  }

  /*! \brief Match two objects with each other from now on. */
  void bind(Bindings::Place place, TVMFFIObject* left, TVMFFIObject* right) {
    keep_keys(left, right);
    bindings_->bind(place, left, right);
    if (num_hooks_ > 0) undo_.push_back({false, left, right});
  }

  /*! \brief Return the key in the right mapping that corresponds to a key of the left one: the
   * object that the key is bound to, or the key itself. */
  TVMFFIAny right_key(const TVMFFIAny& key) { return other_key(key, &Bindings::right_of); }
  TVMFFIAny left_key(const TVMFFIAny& key) { return other_key(key, &Bindings::left_of); }

  /*! \brief Number of looked-up keys whose corresponding key on the other side may change, because
   * a variable may be bound later. */
  size_t num_fickle_keys() const { return num_fickle_keys_; }

  /*! \brief Call this before foreign code runs, together with WalkStack::hold(). */
  void hold() {
    if (held.is_shared_with_foreign_code()) return;
    if (pairs_.is_used()) held.keep_keys(*pairs_.get());
    if (bindings_.is_used()) bindings_->keep_all(&held);
  }

  size_t mark() const { return undo_.size(); }

  /*! \brief Undo the findings inside hooks since mark() returned `mark`. */
  void take_back(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) {
      const Finding& last = undo_.back();
      if (last.is_pair) {
        *pairs_->find({last.left, last.right}) = PairState::kUnknown;
      } else {
        bindings_->unbind(last.left, last.right);
      }
    }
  }

  /*! \brief Increments the count of running hooks during the lifetime of this object. */
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
  using Pairs = detail::IdentityPairMap<PairState>;

  struct Finding {
    bool is_pair;
    const void* left;
    const void* right;
  };

  TVMFFIAny other_key(const TVMFFIAny& key, TVMFFIObject* (Bindings::*other_of)(const void*)) {
    if (!is_object(key)) return key;
    ++num_fickle_keys_;
    if (!bindings_.is_used()) return key;
    TVMFFIObject* other = (bindings_.get()->*other_of)(key.v_obj);
    return other == nullptr ? key : value_of(other);
  }

  void keep_keys(TVMFFIObject* lhs, TVMFFIObject* rhs) {
    held.keep_key(lhs);
    held.keep_key(rhs);
  }

  ReusedTable<Pairs> pairs_;
  ReusedTable<Bindings> bindings_;
  std::vector<Finding> undo_;
  size_t num_hooks_ = 0;
  size_t num_fickle_keys_ = 0;
};

}  // namespace tvm::ffi::runtime
