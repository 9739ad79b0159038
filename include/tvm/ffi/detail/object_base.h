// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/object_base.h
 * \brief The class Object, the macros that register a subclass, and the instance test.
 *
 * Serves object.h and memory.h.
 */
#ifndef TVM_FFI_DETAIL_OBJECT_BASE_H_
#define TVM_FFI_DETAIL_OBJECT_BASE_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/detail/refcount.h>
#include <tvm/ffi/type_traits.h>

#include <string>
#include <type_traits>

namespace tvm {
namespace ffi {

/*! \brief Tag of constructors that leave a reference empty, to be filled by the caller. */
struct UnsafeInit {};

namespace detail {
struct ObjectUnsafe;

template <typename T>
bool IsObjectInstance(int32_t type_index);

/*! \brief Names a class that has a type of its own; see TVM_FFI_DECLARED_OBJECT_CLASS_. */
template <typename T>
struct DeclaredClass {
  using Type = T;
};
}  // namespace detail

/// \cond Doxygen_Suppress
/*
 * A function for argument-dependent lookup, never called. Of the functions of a class and its bases
 * overload resolution prefers that of the nearest one, so it tells which declared class is nearest:
 * the class itself or, asked by the class, its nearest base.
 */
#define TVM_FFI_DECLARED_OBJECT_CLASS_(TypeName)                       \
  template <typename Asker>                                            \
  friend std::enable_if_t<!std::is_same_v<Asker, TypeName>,            \
                          ::tvm::ffi::detail::DeclaredClass<TypeName>> \
  _TVMFFINearestDeclared(const TypeName*, const Asker*);
/// \endcond

/*!
 * \brief Base of everything that is counted: exactly the header of the C ABI.
 *
 * A subclass derives from one Object class, may have other bases (also before it), and states its
 * identity with TVM_FFI_DECLARE_OBJECT_INFO. Each `_type_` constant may be redefined in a subclass
 * above that macro. Destructors need not be virtual: the deleter installed by make_object knows the
 * class. Counts are atomic; the fields of a subclass are as thread-safe as its author makes them.
 */
class Object {
 public:
  Object() : header_{} {}

  /*! \brief Whether this object is a T or derives from it. */
  template <typename T>
  bool IsInstance() const {
    return detail::IsObjectInstance<T>(header_.type_index);
  }
  /*! \brief Run-time type. */
  int32_t type_index() const { return header_.type_index; }
  /*! \brief Registry key of the run-time type. */
  std::string GetTypeKey() const { return TypeIndex2Key(header_.type_index); }
  /*! \brief Hash of that key, the same in every process. */
  uint64_t GetTypeKeyHash() const {
    return detail::GetTypeInfoOrThrow(header_.type_index)->type_key_hash;
  }
  /*! \brief Registry key of a type index. */
  static std::string TypeIndex2Key(int32_t tindex) { return TypeIndexToTypeKey(tindex); }
  /*! \brief One strong reference exists and no weak one. */
  bool unique() const { return detail::IsUniqueRef(&header_); }
  /*! \brief Number of strong references. */
  uint64_t use_count() const { return detail::StrongRefCount(&header_); }

  static constexpr const char* _type_key = StaticTypeKey::kTVMFFIObject;
  /*! \brief No class may derive. */
  static constexpr bool _type_final = false;
  /*! \brief References give non-const access. */
  static constexpr bool _type_mutable = false;
  /*! \brief Number of type indices reserved behind this one for subclasses. */
  static constexpr uint32_t _type_child_slots = 0;
  /*! \brief Subclasses beyond the reserved indices get others. */
  static constexpr bool _type_child_slots_can_overflow = true;
  static constexpr int32_t _type_index = TypeIndex::kTVMFFIObject;
  /*! \brief Number of ancestors. */
  static constexpr int32_t _type_depth = 0;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  /*! \brief Subclasses may not change the kind above. */
  static constexpr bool _type_s_eq_hash_subclass_kind_fixed = false;

  static int32_t RuntimeTypeIndex() noexcept { return _type_index; }
  static int32_t _GetOrAllocRuntimeTypeIndex() { return _type_index; }
  TVM_FFI_DECLARED_OBJECT_CLASS_(Object)

 protected:
  TVMFFIObject header_;

  friend struct detail::ObjectUnsafe;
};

namespace detail {

/*! \brief Type index of a key, allocated if need be; throws when the library refuses. */
inline int32_t GetOrAllocTypeIndex(const char* type_key, int32_t static_type_index,
                                   int32_t type_depth, uint32_t num_child_slots,
                                   bool child_slots_can_overflow, int32_t parent_type_index) {
  TVMFFIByteArray key{type_key, std::char_traits<char>::length(type_key)};
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, static_type_index, type_depth,
                                            static_cast<int32_t>(num_child_slots),
                                            child_slots_can_overflow, parent_type_index);
  if (TVM_FFI_PREDICT_FALSE(index < 0)) ThrowRaised<>();
  return index;
}

/*!
 * \brief The nearest declared class of T, or void where there is none or several are as near.
 * \tparam Asker T for the nearest of its bases; void for the nearest of T and its bases.
 */
template <typename T, typename Asker, typename = void>
struct NearestDeclared {
  using Type = void;
};
template <typename T, typename Asker>
struct NearestDeclared<T, Asker,
                       std::void_t<decltype(_TVMFFINearestDeclared(
                           static_cast<const T*>(nullptr), static_cast<const Asker*>(nullptr)))>> {
  using Type = typename decltype(_TVMFFINearestDeclared(static_cast<const T*>(nullptr),
                                                        static_cast<const Asker*>(nullptr)))::Type;
};

/*!
 * \brief Whether Parent is a base of T with no declared class between the two.
 *
 * A base without a type of its own may stand between them, or be the Parent.
 */
template <typename T, typename Parent>
constexpr bool IsDeclaredParent() {
  using Nearest = typename NearestDeclared<T, T>::Type;
  if constexpr (!std::is_base_of_v<Parent, T>) {
    return false;
  } else if constexpr (std::is_void_v<Nearest>) {
    return true;
  } else {
    return std::is_same_v<Nearest, Parent> || !std::is_base_of_v<Parent, Nearest>;
  }
}

/*! \brief Whether T declares a type, and does not just inherit the one of a base. */
template <typename T>
constexpr bool HasOwnTypeInfo() {
  using Nearest = typename NearestDeclared<T, void>::Type;
  if constexpr (std::is_void_v<Nearest> || std::is_same_v<Nearest, T>) {
    return true;
  } else {
    // It may look its type up, or have these members without a macro.
    return &T::RuntimeTypeIndex != &Nearest::RuntimeTypeIndex;
  }
}

/*! \brief Initialiser of `_type_index`: an error goes to the loader; 0 then, "not known yet". */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline int32_t InitTypeIndex(
    int32_t (*get_or_alloc)()) noexcept {
  return RunForLoader(get_or_alloc, 0);
}

/*!
 * \brief Type index of a class whose `_type_index` is not initialised, for code that runs while a
 * library is loaded. An error goes to the loader, and the root type stands in for the class until
 * the load ends.
 */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline int32_t LateTypeIndex(
    int32_t (*get_or_alloc)()) noexcept {
  return RunForLoader(get_or_alloc, TypeIndex::kTVMFFIObject);
}

/*! \brief What a class must obey, checked at compile time; `::value` is the depth. */
template <typename T, typename Parent>
struct ObjectInfoCheck {
  static_assert(IsDeclaredParent<T, Parent>(),
                "ParentType must be the nearest base class that declares a type");
  static_assert(!Parent::_type_final, "ParentType marked as final");
  static_assert(T::_type_child_slots == 0 || Parent::_type_child_slots == 0 ||
                    T::_type_child_slots < Parent::_type_child_slots,
                "_type_child_slots must be smaller than those of ParentType, which hold them");
  static_assert(T::_type_s_eq_hash_kind == Parent::_type_s_eq_hash_kind ||
                    !Parent::_type_s_eq_hash_subclass_kind_fixed,
                "ParentType fixes _type_s_eq_hash_kind for its subclasses");
  static constexpr bool value = true;
};

/*! \brief Whether `type_index` is a strict descendant of `target`, which has `target_depth`. */
TVM_FFI_INLINE bool IsDescendant(int32_t type_index, int32_t target, int32_t target_depth) {
  // A parent is always registered before its children.
  if (type_index < target) return false;
  const TVMFFITypeInfo* info = GetTypeInfoOrThrow(type_index);
  return info->type_depth > target_depth &&
         info->type_ancestors[target_depth]->type_index == target;
}

/*!
 * \brief Whether an object of this run-time type is a T.
 * \param type_index an index from kTVMFFIStaticObjectBegin on.
 */
template <typename T>
TVM_FFI_INLINE bool IsObjectInstance(int32_t type_index) {
  static_assert(std::is_base_of_v<Object, T>, "T must derive from Object");
  static_assert(HasOwnTypeInfo<T>(),
                "T has no type of its own: TVM_FFI_DECLARE_OBJECT_INFO is missing in the class");
  if constexpr (std::is_same_v<T, Object>) {
    return true;
  } else if constexpr (T::_type_final) {
    return type_index == T::RuntimeTypeIndex();
  } else {
    const int32_t target = T::RuntimeTypeIndex();
    if constexpr (T::_type_child_slots != 0) {
      // One unsigned comparison for both ends of the reserved range.
      if (static_cast<uint32_t>(type_index) - static_cast<uint32_t>(target) <=
          T::_type_child_slots) {
        return true;
      }
    } else {
      if (type_index == target) return true;
    }
    if constexpr (T::_type_child_slots_can_overflow) {
      return IsDescendant(type_index, target, T::_type_depth);
    } else {
      return false;
    }
  }
}

/*!
 * \brief Whether a value of type index `actual` can stand where `target` is declared.
 *
 * kTVMFFIAny stands for everything; a small string or bytes counts as its heap form.
 */
inline bool RuntimeTypeIndexMatch(int32_t actual, int32_t target) {
  if (actual == target || target == TypeIndex::kTVMFFIAny) return true;
  if (target == TypeIndex::kTVMFFIStr) return actual == TypeIndex::kTVMFFISmallStr;
  if (target == TypeIndex::kTVMFFIBytes) return actual == TypeIndex::kTVMFFISmallBytes;
  if (actual < TypeIndex::kTVMFFIStaticObjectBegin ||
      target < TypeIndex::kTVMFFIStaticObjectBegin) {
    return false;
  }
  if (target == TypeIndex::kTVMFFIObject) return true;
  return actual > target && IsDescendant(actual, target, GetTypeInfoOrThrow(target)->type_depth);
}

}  // namespace detail

/// \cond Doxygen_Suppress
// What stands between these is not shared with other libraries. GCC would otherwise make one
// variable of all of a name in the process: the index of a class would be used by another class of
// that name, or by another version of the class, whose library cannot be unloaded any more. The
// attribute is of no use, and not welcome, where a class is visible in one file only.
#if defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)
#define TVM_FFI_OWN_COPY_BEGIN_ \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wattributes\"")
#define TVM_FFI_OWN_COPY_END_ _Pragma("GCC diagnostic pop")
#define TVM_FFI_OWN_COPY_ __attribute__((visibility("hidden")))
#else
#define TVM_FFI_OWN_COPY_BEGIN_
#define TVM_FFI_OWN_COPY_END_
#define TVM_FFI_OWN_COPY_
#endif
/// \endcond

/*!
 * \brief Identity of an object class that provides `_type_key` itself (or through `TypeName`, the
 * child of a CRTP base that uses this macro).
 *
 * Registers the type when the library is loaded, or when its index is first asked for.
 */
#define TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(TypeName, ParentType)                 \
  TVM_FFI_DECLARED_OBJECT_CLASS_(TypeName)                                                    \
  using _TypeIndexOwner = TypeName;                                                           \
  static constexpr int32_t _type_depth = ParentType::_type_depth + 1;                         \
  /* Asks the library anew each time. */                                                      \
  TVM_FFI_OWN_COPY_BEGIN_                                                                     \
  TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static int32_t _RequestTypeIndex() {  \
    static_assert(::tvm::ffi::detail::ObjectInfoCheck<TypeName, ParentType>::value);          \
    return ::tvm::ffi::detail::GetOrAllocTypeIndex(                                           \
        TypeName::_type_key, -1, TypeName::_type_depth, TypeName::_type_child_slots,          \
        TypeName::_type_child_slots_can_overflow, ParentType::_GetOrAllocRuntimeTypeIndex()); \
  }                                                                                           \
  TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static int32_t                        \
  _GetOrAllocRuntimeTypeIndex() {                                                             \
    static int32_t tindex = _RequestTypeIndex();                                              \
    return tindex;                                                                            \
  }                                                                                           \
  TVM_FFI_OWN_COPY_ static inline const int32_t _type_index =                                 \
      ::tvm::ffi::detail::InitTypeIndex(&_GetOrAllocRuntimeTypeIndex);                        \
  TVM_FFI_OWN_COPY_END_                                                                       \
  static int32_t RuntimeTypeIndex() noexcept {                                                \
    /* Zero until the initialiser above has run; load-time code may come first. */            \
    int32_t index = _type_index;                                                              \
    return TVM_FFI_PREDICT_TRUE(index != 0)                                                   \
               ? index                                                                        \
               : ::tvm::ffi::detail::LateTypeIndex(&_GetOrAllocRuntimeTypeIndex);             \
  }

/*!
 * \brief Identity of an object class.
 * \param TypeKeyName string literal, unique in the process by convention `package.Name`.
 * \param TypeName the class.
 * \param ParentType the Object class it derives from: the nearest base class with a type.
 */
#define TVM_FFI_DECLARE_OBJECT_INFO(TypeKeyName, TypeName, ParentType) \
  static constexpr const char* _type_key = TypeKeyName;                \
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(TypeName, ParentType)

/*! \brief Identity of an object class that nobody may derive from. */
#define TVM_FFI_DECLARE_OBJECT_INFO_FINAL(TypeKeyName, TypeName, ParentType) \
  static constexpr uint32_t _type_child_slots = 0;                           \
  static constexpr bool _type_final = true;                                  \
  TVM_FFI_DECLARE_OBJECT_INFO(TypeKeyName, TypeName, ParentType)

/*! \brief Identity of an object class with a fixed `_type_index`, which stands above the macro. */
#define TVM_FFI_DECLARE_OBJECT_INFO_STATIC(TypeKeyName, TypeName, ParentType)        \
  TVM_FFI_DECLARED_OBJECT_CLASS_(TypeName)                                           \
  static constexpr const char* _type_key = TypeKeyName;                              \
  static constexpr int32_t _type_depth = ParentType::_type_depth + 1;                \
  static int32_t RuntimeTypeIndex() noexcept { return TypeName::_type_index; }       \
  TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static int32_t _GetOrAllocRuntimeTypeIndex() { \
    static_assert(::tvm::ffi::detail::ObjectInfoCheck<TypeName, ParentType>::value); \
    static int32_t tindex = ::tvm::ffi::detail::GetOrAllocTypeIndex(                 \
        TypeName::_type_key, TypeName::_type_index, TypeName::_type_depth,           \
        TypeName::_type_child_slots, TypeName::_type_child_slots_can_overflow,       \
        ParentType::_GetOrAllocRuntimeTypeIndex());                                  \
    return tindex;                                                                   \
  }

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OBJECT_BASE_H_
