// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/compat/classic.h
 * \brief Node classes in the style that TVM had in the year 2020, on the current runtime.
 *
 *     class IntImmNode : public PrimExprNode {
 *      public:
 *       int64_t value;
 *       void VisitAttrs(AttrVisitor* v) { v->Visit("value", &value); }
 *       bool SEqualReduce(const IntImmNode* other, SEqualReducer equal) const {
 *         return equal(value, other->value);
 *       }
 *       void SHashReduce(SHashReducer hash_reduce) const { hash_reduce(value); }
 *       static constexpr const char* _type_key = "IntImm";
 *       TVM_DECLARE_BASE_OBJECT_INFO(IntImmNode, PrimExprNode);
 *     };
 *     TVM_REGISTER_NODE_TYPE(IntImmNode);
 *
 * TVM_REGISTER_NODE_TYPE registers the class with an ObjectDef. The attributes that VisitAttrs
 * visits on a default-constructed object become read-only fields. The reducers become hooks:
 * SEqualReduce becomes `__s_equal__`, and SHashReduce becomes `__s_hash__`. tvm_ffi.h does not
 * include this header.
 */
#ifndef TVM_FFI_COMPAT_CLASSIC_H_
#define TVM_FFI_COMPAT_CLASSIC_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {

/*! \brief The visitor that VisitAttrs gets; registers each visited attribute as a field. */
class AttrVisitor {
 public:
  /*!
   * \brief Visit an attribute.
   * \param name the name of the attribute, a string literal.
   * \param member the member of the visited object that stores the attribute.
   */
  template <typename T>
  void Visit(const char* name, T* member) {
    if (IsInherited(name)) return;
    if (is_registering_) {
      int64_t offset = reinterpret_cast<const char*>(member) - header_;
      reflection::detail::RegisterFieldInfo<T>(type_index_, name, offset, 0);
    } else {
      inherited_.emplace_back(name);
    }
  }

  /*!
   * \brief Make a visitor for the registration of a node class.
   * \param type_index the type that gets the fields.
   * \param object the visited object, borrowed.
   */
  AttrVisitor(int32_t type_index, const Object* object)
      : type_index_(type_index),
        header_(reinterpret_cast<const char*>(detail::ObjectUnsafe::GetHeader(object))) {}

  /*! \brief Register the attributes that are visited after this call. Those visited before it
   * belong to the parent class, and are not registered. */
  void BeginOwnAttrs() { is_registering_ = true; }

 private:
  bool IsInherited(const char* name) const {
    for (const std::string& known : inherited_) {
      if (known == name) return true;
    }
    // Ancestors that are registered without VisitAttrs have their fields only in the type table.
    const TypeInfo* type = TVMFFIGetTypeInfo(type_index_);
    for (int32_t depth = 1; depth < type->type_depth; ++depth) {
      const TypeInfo* ancestor = type->type_ancestors[depth];
      for (int32_t i = 0; i < ancestor->num_fields; ++i) {
        if (reflection::detail::NameEquals(ancestor->fields[i].name, name)) return true;
      }
    }
    return false;
  }

  int32_t type_index_;
  const char* header_;
  bool is_registering_ = false;
  std::vector<std::string> inherited_;
};

/*! \brief Compares the parts of two nodes; valid during the call of SEqualReduce. */
class SEqualReducer {
 public:
  /*! \brief The callback that `__s_equal__` gets. */
  using Compare = TypedFunction<bool(AnyView, AnyView, int, AnyView)>;

  explicit SEqualReducer(const Compare* compare) : compare_(compare) {}

  /*! \brief Return whether two parts are structurally equal. */
  template <typename T>
  bool operator()(const T& lhs, const T& rhs) const {
    return (*compare_)(AnyView(lhs), AnyView(rhs), kTVMFFIDefRegionKindNone, AnyView(nullptr));
  }
  /*! \brief Return whether two parts that define variables are structurally equal. */
  template <typename T>
  bool DefEqual(const T& lhs, const T& rhs) const {
    return (*compare_)(AnyView(lhs), AnyView(rhs), kTVMFFIDefRegionKindPattern, AnyView(nullptr));
  }
  /*! \brief Return true. The runtime compares variables itself, because the structural kind of
   * their type is FreeVar. */
  bool FreeVarEqualImpl(const Object*, const Object*) const { return true; }

 private:
  const Compare* compare_;
};

/*! \brief Hashes the parts of a node; valid during the call of SHashReduce. */
class SHashReducer {
 public:
  /*! \brief The callback that `__s_hash__` gets. */
  using Hash = TypedFunction<int64_t(AnyView, int64_t, int)>;

  /*! \brief The state of one call of SHashReduce. */
  struct State {
    /*! \brief NULL to hash nothing, and only record whether FreeVarHashImpl is called. */
    const Hash* hash = nullptr;
    int64_t value = 0;
    /*! \brief Whether FreeVarHashImpl was called, so the node is a variable. */
    bool is_free_var = false;
  };

  explicit SHashReducer(State* state) : state_(state) {}

  /*! \brief Add a part to the hash. */
  template <typename T>
  void operator()(const T& part) const {
    Reduce(AnyView(part), kTVMFFIDefRegionKindNone);
  }
  /*! \brief Add a part that defines variables to the hash. */
  template <typename T>
  void DefHash(const T& part) const {
    Reduce(AnyView(part), kTVMFFIDefRegionKindPattern);
  }
  /*! \brief Record that the node is a variable. The runtime hashes variables itself, because the
   * structural kind of their type is FreeVar. */
  void FreeVarHashImpl(const Object*) const { state_->is_free_var = true; }

 private:
  void Reduce(AnyView part, int kind) const {
    if (state_->hash != nullptr) state_->value = (*state_->hash)(part, state_->value, kind);
  }

  State* state_;
};

namespace detail {

template <typename Node, typename = void>
inline constexpr bool has_visit_attrs_v = false;
template <typename Node>
inline constexpr bool has_visit_attrs_v<
    Node, std::void_t<decltype(std::declval<Node&>().VisitAttrs(std::declval<AttrVisitor*>()))>> =
    true;

template <typename Node, typename = void>
inline constexpr bool has_s_equal_reduce_v = false;
template <typename Node>
inline constexpr bool
    has_s_equal_reduce_v<Node, std::void_t<decltype(std::declval<const Node&>().SEqualReduce(
                                   std::declval<const Node*>(), std::declval<SEqualReducer>()))>> =
        true;

template <typename Node, typename = void>
inline constexpr bool has_s_hash_reduce_v = false;
template <typename Node>
inline constexpr bool has_s_hash_reduce_v<
    Node,
    std::void_t<decltype(std::declval<const Node&>().SHashReduce(std::declval<SHashReducer>()))>> =
    true;

/*! \brief Sets the kind of structural equality in the metadata of a type. */
class EqualityKind : public reflection::InfoTrait {
 public:
  explicit EqualityKind(TVMFFISEqHashKind kind) : kind_(kind) {}
  void Apply(TVMFFITypeMetadata* info) const { info->structural_eq_hash_kind = kind_; }

 private:
  TVMFFISEqHashKind kind_;
};

/*! \brief A subclass that can be constructed although the constructors of the node class are
 * protected. */
template <typename Node>
class NodeProbe : public Node {};

/*! \brief The class to default-construct for the registration of a node class: VisitAttrs and
 * SHashReduce are called on an object of this class. */
template <typename Node>
using DefaultNode =
    std::conditional_t<std::is_default_constructible_v<Node> || std::is_final_v<Node>, Node,
                       NodeProbe<Node>>;

/*!
 * \brief Return the structural kind of a node class.
 *
 * If the class sets `_type_s_eq_hash_kind`, return its value. Otherwise return Unsupported for a
 * class that lacks a reducer. For a class with both reducers, return FreeVar if SHashReduce of a
 * default-constructed object calls FreeVarHashImpl, else TreeNode.
 */
template <typename Node>
inline TVMFFISEqHashKind ClassicEqualityKind() {
  if constexpr (Node::_type_s_eq_hash_kind != kTVMFFISEqHashKindUnsupported) {
    return Node::_type_s_eq_hash_kind;
  } else if constexpr (has_s_equal_reduce_v<Node> && has_s_hash_reduce_v<Node>) {
    SHashReducer::State state;
    ObjectPtr<Node> node = make_object<DefaultNode<Node>>();
    static_cast<const Node*>(node.get())->SHashReduce(SHashReducer(&state));
    return state.is_free_var ? kTVMFFISEqHashKindFreeVar : kTVMFFISEqHashKindTreeNode;
  } else {
    return kTVMFFISEqHashKindUnsupported;
  }
}

/*! \brief Register the attributes that VisitAttrs visits, without those of the parent class. */
template <typename Node>
inline void RegisterVisitedAttrs() {
  using Parent = typename Node::_ClassicParent;
  ObjectPtr<Node> node = make_object<DefaultNode<Node>>();
  AttrVisitor visitor(Node::_GetOrAllocRuntimeTypeIndex(), node.get());
  if constexpr (has_visit_attrs_v<Parent>) {
    // The qualified name calls the function of the parent, on the same object.
    static_cast<Parent*>(node.get())->Parent::VisitAttrs(&visitor);
  }
  visitor.BeginOwnAttrs();
  node->VisitAttrs(&visitor);
}

template <typename Node>
inline bool CallSEqualReduce(const Node* self, const Node* other,
                             const SEqualReducer::Compare& compare) {
  return self->SEqualReduce(other, SEqualReducer(&compare));
}

template <typename Node>
inline int64_t CallSHashReduce(const Node* self, int64_t init, const SHashReducer::Hash& hash) {
  SHashReducer::State state{&hash, init, false};
  self->SHashReduce(SHashReducer(&state));
  return state.value;
}

/*! \brief Register the reducers of a node class (SEqualReduce, SHashReduce) as hooks. */
template <typename Node>
inline void RegisterReducers() {
  reflection::TypeAttrDef<Node> def;
  if constexpr (has_s_equal_reduce_v<Node>) def.def("__s_equal__", &CallSEqualReduce<Node>);
  if constexpr (has_s_hash_reduce_v<Node>) def.def("__s_hash__", &CallSHashReduce<Node>);
}

/*! \brief Register a node class; TVM_REGISTER_NODE_TYPE calls this function. */
template <typename Node>
inline void RegisterNodeType() {
  static_assert(std::is_default_constructible_v<DefaultNode<Node>>,
                "a node class needs a default constructor to be registered");
  reflection::ObjectDef<Node> def(EqualityKind(ClassicEqualityKind<Node>()));
  if constexpr (has_visit_attrs_v<Node>) RegisterVisitedAttrs<Node>();
  RegisterReducers<Node>();
}

}  // namespace detail

/*!
 * \brief Registers a node class with properties that VisitAttrs cannot express: defaults, flags,
 * writable fields, methods.
 *
 * The structural kind and the reducers come from the class, as with TVM_REGISTER_NODE_TYPE. The
 * members of `Def`, an ObjectDef or an OverloadObjectDef, define fields and methods.
 */
template <typename Node, typename Def = reflection::ObjectDef<Node>>
class NodeDef : public Def {
 public:
  /*! \param extra the arguments that the constructor of ObjectDef also has. */
  template <typename... Extra>
  explicit NodeDef(Extra&&... extra)
      : Def(detail::EqualityKind(detail::ClassicEqualityKind<Node>()),
            std::forward<Extra>(extra)...) {
    detail::RegisterReducers<Node>();
  }
};

}  // namespace ffi

using ffi::AttrVisitor;
using ffi::SEqualReducer;
using ffi::SHashReducer;

}  // namespace tvm

/// \cond Doxygen_Suppress
#define TVM_FFI_CLASSIC_OBJECT_INFO_(TypeName, ParentType)        \
  using _ClassicParent = ParentType;                              \
  static constexpr bool _HasOwnTypeKey() {                        \
    static_assert(&TypeName::_type_key != &ParentType::_type_key, \
                  "the class needs a `_type_key` of its own");    \
    return true;                                                  \
  }                                                               \
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(TypeName, ParentType)
/// \endcond

/*! \brief Declare the object type of a node class that states `_type_key`. */
#define TVM_DECLARE_BASE_OBJECT_INFO(TypeName, ParentType) \
  TVM_FFI_CLASSIC_OBJECT_INFO_(TypeName, ParentType)

/*! \brief Declare the object type of a node class that cannot have subclasses. */
#define TVM_DECLARE_FINAL_OBJECT_INFO(TypeName, ParentType) \
  static constexpr uint32_t _type_child_slots = 0;          \
  static constexpr bool _type_final = true;                 \
  TVM_FFI_CLASSIC_OBJECT_INFO_(TypeName, ParentType)

/*! \brief Define the members of a reference class whose references can be null. */
#define TVM_DEFINE_OBJECT_REF_METHODS(TypeName, ParentType, ObjectName) \
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName)

/*! \brief Define the members of a reference class whose references are not null. */
#define TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS(TypeName, ParentType, ObjectName) \
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TypeName, ParentType, ObjectName)

/*! \brief Register a node class when the library is loaded. Use this once, at namespace scope. */
#define TVM_REGISTER_NODE_TYPE(TypeName) \
  TVM_FFI_STATIC_INIT_BLOCK() { ::tvm::ffi::detail::RegisterNodeType<TypeName>(); }

#endif  // TVM_FFI_COMPAT_CLASSIC_H_
