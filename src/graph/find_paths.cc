// SPDX-License-Identifier: Apache-2.0
// Paths from a root through the nodes that an error context recorded.
#include <tvm/ffi/extra/visit_error_context.h>

#include <cstdint>
#include <vector>

#include "graph/walk.h"

namespace tvm::ffi {
namespace runtime {
namespace {

using reflection::AccessPath;

// An object whose parts are being searched.
struct PathFrame {
  Children children;
  // If the object is a mapping: the key of the value that is being searched.
  TVMFFIAny key;
  // Number of recorded nodes on the way from the root to this object, and whether this object is a
  // recorded node.
  size_t num_met;
  bool is_met;
  // Whether a path was found that leads to an object below this one.
  bool has_path_below;
  // Whether the search skipped an object below because the way from the root already contains it.
  bool has_circle_below;
};

class Search {
 public:
  Search(const VisitErrorContextObj* context, bool allow_prefix_match)
      : allow_prefix_match_(allow_prefix_match), stack_("FindAccessPaths", &held_) {
    const List<ObjectRef>& records = context->reverse_visit_pattern;
    for (int64_t i = static_cast<int64_t>(records.size()); i-- > 0;) {
      ObjectRef record = records[i];
      TVMFFIObject* node = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(record);
      if (node == nullptr || (!nodes_.empty() && nodes_.back() == node)) continue;
      held_.keep(node);
      nodes_.push_back(node);
    }
  }

  Array<AccessPath> search(TVMFFIObject* root) {
    if (root == nullptr || nodes_.empty()) return paths_;
    held_.keep(root);
    enter(root, 0);
    while (!stack_.empty()) go_on();
    return std::move(paths_);
  }

 private:
  void enter(TVMFFIObject* object, size_t num_met) {
    bool is_met = object == nodes_[num_met];
    if (is_met && ++num_met == nodes_.size()) return add_path(stack_.size());
    // An object with one reference is reached only once, see walk.h.
    if (!has_one_reference(object)) {
      if (bool* is_on_way = on_way_.find({object}); is_on_way != nullptr && *is_on_way) {
        if (!stack_.empty()) stack_.back().has_circle_below = true;
        return;
      }
      if (fruitless_.find({object, key_of(num_met)}) != nullptr) {
        if (is_met && allow_prefix_match_) add_path(stack_.size());
        return;
      }
      bool is_new;
      on_way_.insert({object}, &is_new) = true;
    }
    stack_.push({Children(object), TVMFFIAny{}, num_met, is_met, false, false});
  }

  void go_on() {
    PathFrame& frame = stack_.back();
    TVMFFIAny part;
    if (!frame.children.next(&part, &held_)) return leave();
    if (frame.children.is_at_key()) {
      frame.key = part;
      return;
    }
    bool has_no_key = frame.children.kind() == Children::kMapping && frame.key.type_index == 0;
    if (is_object(part) && !has_no_key) enter(part.v_obj, frame.num_met);
  }

  void leave() {
    PathFrame& frame = stack_.back();
    TVMFFIObject* object = frame.children.object();
    if (bool* is_on_way = on_way_.find({object})) *is_on_way = false;
    if (!frame.has_path_below && !frame.has_circle_below && !has_one_reference(object)) {
      bool is_new;
      fruitless_.insert({object, key_of(frame.num_met)}, &is_new);
    }
    bool has_path = frame.has_path_below;
    bool has_circle = frame.has_circle_below;
    bool is_deepest = !has_path && frame.is_met && allow_prefix_match_;
    stack_.pop();
    if (!stack_.empty()) {
      stack_.back().has_path_below |= has_path;
      stack_.back().has_circle_below |= has_circle;
    }
    if (is_deepest) add_path(stack_.size());
  }

  // Adds the path of the first `num_steps` frames. Its last step leads to a part of the last of
  // these frames.
  void add_path(size_t num_steps) {
    AccessPath path = AccessPath::Root();
    for (size_t i = 0; i < num_steps; ++i) path = extended(path, stack_[i]);
    paths_.push_back(std::move(path));
    if (!stack_.empty()) stack_.back().has_path_below = true;
  }

  static AccessPath extended(const AccessPath& path, const PathFrame& frame) {
    switch (frame.children.kind()) {
      case Children::kSequence:
        return path->ArrayItem(frame.children.index());
      case Children::kMapping:
        return path->MapItem(owned(frame.key));
      default: {
        const TVMFFIByteArray& name = frame.children.field().info->name;
        return path->Attr(String(name.data, name.size));
      }
    }
  }

  static const void* key_of(size_t num_met) { return reinterpret_cast<const void*>(num_met); }

  bool allow_prefix_match_;
  // The recorded nodes, outermost first.
  std::vector<TVMFFIObject*> nodes_;
  Held held_;
  WalkStack<PathFrame> stack_;
  IdentityMap<bool> on_way_;
  // Objects below which the search found no path. The second key is the number of recorded nodes
  // from the root to the object, because the result depends on it.
  detail::IdentityPairMap<bool> fruitless_;
  Array<AccessPath> paths_;
};

}  // namespace
}  // namespace runtime

Array<reflection::AccessPath> VisitErrorContext::FindAccessPaths(const ObjectRef& root,
                                                                 const VisitErrorContext& context,
                                                                 bool allow_prefix_match) {
  return runtime::Search(context.get(), allow_prefix_match)
      .search(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(root));
}

}  // namespace tvm::ffi
