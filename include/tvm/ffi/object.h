// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/object.h
 * \brief Objects with a reference count, owning pointers to them, and reference classes.
 *
 * The order of this file: the class Object, the macros that register a subclass, and the instance
 * test; the owning pointers; ObjectRef and the macros that complete a reference class; raw handles;
 * the TypeTraits of all of these.
 */
#ifndef TVM_FFI_OBJECT_H_
#define TVM_FFI_OBJECT_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/class_record.h>
#include <tvm/ffi/detail/refcount.h>
#include <tvm/ffi/type_traits.h>

// Every client compiles the headers that are included here. So include only these standard headers
// here, and other headers in the files that use them. (<string> declares std::nullptr_t, too.)
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*! \brief Tag of constructors that leave a reference empty; the caller fills the reference
 * afterwards. */
struct UnsafeInit {};

namespace detail {
struct ObjectUnsafe;

template <typename T>
TVM_FFI_INLINE bool IsObjectInstance(int32_t type_index);

/*! \brief The result type of the lookup function in TVM_FFI_DECLARED_OBJECT_CLASS_; `Type` is the
 * class that was found. */
template <typename T>
struct DeclaredClass {
  using Type = T;
};
}  // namespace detail

/// \cond Doxygen_Suppress
/*
 * A function for argument-dependent lookup, which is never called. Each declared class has one.
 * Overload resolution prefers the function of the nearest class. So the result is the nearest
 * declared class: the class itself or, if `Asker` is this class, its nearest declared base.
 */
#define TVM_FFI_DECLARED_OBJECT_CLASS_(TypeName)                       \
  template <typename Asker>                                            \
  friend std::enable_if_t<!std::is_same_v<Asker, TypeName>,            \
                          ::tvm::ffi::detail::DeclaredClass<TypeName>> \
  _TVMFFINearestDeclared(const TypeName*, const Asker*);
/// \endcond

/*!
 * \brief Base of all objects with a reference count; consists of exactly the header of the C ABI.
 *
 * A subclass derives from one Object class, may have other bases (also before that class), and
 * declares its type with TVM_FFI_DECLARE_OBJECT_INFO. A subclass may redefine each `_type_`
 * constant above that macro. Destructors need not be virtual, because make_object installs a
 * deleter for the class of the object. Counts are atomic. Access to the fields of a subclass is not
 * synchronised.
 */
class Object {
 public:
  Object() : header_{} {}

  /*! \brief Return whether this object is a T or derives from it. */
  template <typename T>
  bool IsInstance() const {
    return detail::IsObjectInstance<T>(header_.type_index);
  }
  /*! \brief Return the type index of the object. */
  int32_t type_index() const { return header_.type_index; }
  /*! \brief Return the type key of the object. */
  std::string GetTypeKey() const { return TypeIndex2Key(header_.type_index); }
  /*! \brief Return the hash of the type key, which is the same in every process. */
  uint64_t GetTypeKeyHash() const {
    return detail::GetTypeInfoOrThrow(header_.type_index)->type_key_hash;
  }
  /*! \brief Return the type key of a type index. */
  static std::string TypeIndex2Key(int32_t tindex) { return TypeIndexToTypeKey(tindex); }
  /*! \brief Return whether there is one strong reference and no weak reference. */
  bool unique() const { return detail::IsUniqueRef(&header_); }
  /*! \brief Return the number of strong references. */
  uint64_t use_count() const { return detail::StrongRefCount(&header_); }

  static constexpr const char* _type_key = StaticTypeKey::kTVMFFIObject;
  /*! \brief Whether no class may derive from this class. */
  static constexpr bool _type_final = false;
  /*! \brief Whether a reference gives non-const access to its object. */
  static constexpr bool _type_mutable = false;
  /*! \brief Number of type indices after `_type_index` that are reserved for subclasses. */
  static constexpr uint32_t _type_child_slots = 0;
  /*! \brief Whether subclasses get other indices when all reserved indices are used. */
  static constexpr bool _type_child_slots_can_overflow = true;
  static constexpr int32_t _type_index = TypeIndex::kTVMFFIObject;
  /*! \brief Number of ancestors. */
  static constexpr int32_t _type_depth = 0;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  /*! \brief Whether subclasses must have the same `_type_s_eq_hash_kind`. */
  static constexpr bool _type_s_eq_hash_subclass_kind_fixed = false;

  static int32_t RuntimeTypeIndex() noexcept { return _type_index; }
  static int32_t _GetOrAllocRuntimeTypeIndex() { return _type_index; }
  TVM_FFI_DECLARED_OBJECT_CLASS_(Object)

 protected:
  TVMFFIObject header_;

  friend struct detail::ObjectUnsafe;
};

namespace detail {

/*! \brief Return the type index of a key. Allocate an index if the key has none; throw if the
 * runtime reports an error. */
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
 * \brief The nearest declared class of T; void if there is none, or if several are equally near.
 * \tparam Asker T to search only the bases of T; void to search T and its bases.
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
 * \brief Return whether Parent is a base of T without a declared class between Parent and T.
 *
 * A base class that is not declared may be between Parent and T, and Parent may be such a class.
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

/*! \brief Return whether T itself declares a type; false if T only inherits the type of a base. */
template <typename T>
constexpr bool HasOwnTypeInfo() {
  using Nearest = typename NearestDeclared<T, void>::Type;
  if constexpr (std::is_void_v<Nearest> || std::is_same_v<Nearest, T>) {
    return true;
  } else {
    // The macros of this file did not declare T. T may still have its own RuntimeTypeIndex, from
    // TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP or written by hand.
    return &T::RuntimeTypeIndex != &Nearest::RuntimeTypeIndex;
  }
}

/*! \brief Initialise `_type_index`. If there is an error, report it to the code that loads this
 * library, and return 0, "not known yet". */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline int32_t InitTypeIndex(
    int32_t (*get_or_alloc)()) noexcept {
  return RunForLoader(get_or_alloc, reinterpret_cast<void*>(get_or_alloc), 0);
}

/*! \brief Return the type index of a class whose `_type_index` is not initialised, for code that
 * runs while a library is loaded. If there is an error, report it like InitTypeIndex, and return
 * the index of a type that belongs to this class alone: if the library stays loaded, its objects
 * must not be taken for objects of another class. */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline int32_t LateTypeIndex(
    int32_t (*get_or_alloc)()) noexcept {
  void* code = reinterpret_cast<void*>(get_or_alloc);
  if (const int32_t index = RunForLoader(get_or_alloc, code, 0)) return index;
  char key[64];
  const int size = std::snprintf(key, sizeof(key), "refused type %p", code);
  TVMFFIByteArray bytes{key, static_cast<size_t>(size)};
  const int32_t own = TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 0, kTVMFFIObject);
  return own < 0 ? int32_t{kTVMFFIObject} : own;
}

/*! \brief Checks the rules for an object class at compile time. A use of `::value` runs the
 * checks. */
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

/*! \brief Return whether `type_index` is a strict descendant of `target`, whose depth is
 * `target_depth`. */
TVM_FFI_INLINE bool IsDescendant(int32_t type_index, int32_t target, int32_t target_depth) {
  // A parent is always registered before its children, so its index is smaller.
  if (type_index < target) return false;
  const TVMFFITypeInfo* info = GetTypeInfoOrThrow(type_index);
  return info->type_depth > target_depth &&
         info->type_ancestors[target_depth]->type_index == target;
}

/*!
 * \brief Return whether an object with this type index is a T.
 * \param type_index an index from kTVMFFIStaticObjectBegin on.
 */
template <typename T>
inline bool IsObjectInstance(int32_t type_index) {
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
      // One unsigned comparison checks both ends of the reserved range.
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
 * \brief Return whether a value of type index `actual` is valid where `target` is declared.
 *
 * The target kTVMFFIAny accepts every value. The targets kTVMFFIStr and kTVMFFIBytes also accept
 * small strings and small bytes.
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
// TVM_FFI_OWN_COPY_ prevents that a variable is shared with other libraries. Without this
// attribute, GCC would merge all variables of one name in the process. Then another class of the
// same name, or another version of the class, would use the same variables, and a library could not
// be unloaded any more. For a class that is visible in only one file, the attribute has no effect,
// and GCC warns about it. The BEGIN and END macros disable this warning.
#if defined(__GNUC__) && defined(__ELF__)
#define TVM_FFI_OWN_COPY_BEGIN_ \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wattributes\"")
#define TVM_FFI_OWN_COPY_END_ _Pragma("GCC diagnostic pop")
#define TVM_FFI_OWN_COPY_ __attribute__((visibility("hidden")))
#else
#define TVM_FFI_OWN_COPY_BEGIN_
#define TVM_FFI_OWN_COPY_END_
#define TVM_FFI_OWN_COPY_
#endif
namespace detail {
TVM_FFI_OWN_COPY_BEGIN_
/*!
 * \brief Compare what this binary expects of a class with what other binaries expect and with the
 * registered class. The runtime keeps the first record.
 * \throws Error RuntimeError that says what differs. A runtime without the comparison (an older
 * release, or that of apache-tvm-ffi) accepts every class.
 */
TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline int32_t CheckedClass(
    int32_t type_index, [[maybe_unused]] const ClassRecordHead* record) {
#if !defined(TVM_FFI_EXPORTS)  // The runtime does not compare its classes with themselves.
  static TVMFFIObjectHandle hook = FindRuntimeFunction(LiteralBytes("ffi.CheckClass"));
  if (hook == nullptr) return type_index;
  TVMFFIAny args[2] = {};
  args[0].type_index = kTVMFFIInt;
  args[0].v_int64 = type_index;
  args[1].type_index = kTVMFFIOpaquePtr;
  args[1].v_ptr = const_cast<ClassRecordHead*>(record);
  TVMFFIAny result{};
  if (TVMFFIFunctionCall(hook, args, 2, &result) != 0) ThrowRaised<>();
#endif
  return type_index;
}
TVM_FFI_OWN_COPY_END_
}  // namespace detail

// The compilers know the offsets of members of every class without virtual bases, and warn anyway.
#if defined(__GNUC__)
#define TVM_FFI_OFFSETOF_BEGIN_ \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"")
#define TVM_FFI_OFFSETOF_END_ _Pragma("GCC diagnostic pop")
#else
#define TVM_FFI_OFFSETOF_BEGIN_
#define TVM_FFI_OFFSETOF_END_
#endif
/// \endcond

/*!
 * \brief Declare the type of an object class that defines `_type_key` itself. If a CRTP base uses
 * this macro, its child `TypeName` may define `_type_key` instead.
 *
 * The type is registered when the library is loaded, or when its index is first requested.
 */
#define TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(TypeName, ParentType)                   \
  TVM_FFI_DECLARED_OBJECT_CLASS_(TypeName)                                                      \
  using _TypeIndexOwner = TypeName;                                                             \
  static constexpr int32_t _type_depth = ParentType::_type_depth + 1;                           \
  /* Asks the library each time. */                                                             \
  TVM_FFI_OWN_COPY_BEGIN_                                                                       \
  TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static int32_t _RequestTypeIndex() {    \
    static_assert(::tvm::ffi::detail::ObjectInfoCheck<TypeName, ParentType>::value);            \
    static constexpr auto record = ::tvm::ffi::detail::MakeClassRecord<TypeName, ParentType>(); \
    const int32_t index = ::tvm::ffi::detail::GetOrAllocTypeIndex(                              \
        TypeName::_type_key, -1, TypeName::_type_depth, TypeName::_type_child_slots,            \
        TypeName::_type_child_slots_can_overflow, ParentType::_GetOrAllocRuntimeTypeIndex());   \
    return ::tvm::ffi::detail::CheckedClass(index, &record.head);                               \
  }                                                                                             \
  TVM_FFI_OWN_COPY_ TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static int32_t                          \
  _GetOrAllocRuntimeTypeIndex() {                                                               \
    static int32_t tindex = _RequestTypeIndex();                                                \
    return tindex;                                                                              \
  }                                                                                             \
  TVM_FFI_OWN_COPY_ static inline const int32_t _type_index =                                   \
      ::tvm::ffi::detail::InitTypeIndex(&_GetOrAllocRuntimeTypeIndex);                          \
  TVM_FFI_OWN_COPY_END_                                                                         \
  static int32_t RuntimeTypeIndex() noexcept {                                                  \
    /* Zero until the initialiser above has run; load-time code may come first. */              \
    int32_t index = _type_index;                                                                \
    return TVM_FFI_PREDICT_TRUE(index != 0)                                                     \
               ? index                                                                          \
               : ::tvm::ffi::detail::LateTypeIndex(&_GetOrAllocRuntimeTypeIndex);               \
  }

/*!
 * \brief Declare the type of an object class.
 * \param TypeKeyName string literal, unique in the process, by convention `package.Name`.
 * \param TypeName the class.
 * \param ParentType the nearest base class of TypeName that has a type.
 */
#define TVM_FFI_DECLARE_OBJECT_INFO(TypeKeyName, TypeName, ParentType)   \
  [[maybe_unused]] static constexpr const char* _type_key = TypeKeyName; \
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(TypeName, ParentType)

/*! \brief Declare the type of an object class that cannot have subclasses. */
#define TVM_FFI_DECLARE_OBJECT_INFO_FINAL(TypeKeyName, TypeName, ParentType) \
  [[maybe_unused]] static constexpr uint32_t _type_child_slots = 0;          \
  [[maybe_unused]] static constexpr bool _type_final = true;                 \
  TVM_FFI_DECLARE_OBJECT_INFO(TypeKeyName, TypeName, ParentType)

/*! \brief Declare the type of an object class with a fixed `_type_index`, which is defined above
 * the macro. */
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

/*!
 * \brief List the fields of an object class, so that a library that was compiled with another
 * order, type or number of fields is refused when it is loaded:
 *
 * \code
 * TVM_FFI_DECLARE_OBJECT_FIELDS(PointObj, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y));
 * \endcode
 *
 * Write the macro in the class, in the header that libraries share. Without it, only the size of
 * the class is compared. Fields of bases belong into the lists of the bases.
 */
#define TVM_FFI_DECLARE_OBJECT_FIELDS(TypeName, ...)                                \
  using _TypeFieldsOwner = TypeName;                                                \
  TVM_FFI_OFFSETOF_BEGIN_                                                           \
  /* A template, so that the compiler reads the list when the class is complete. */ \
  template <typename Self>                                                          \
  struct _TypeFields {                                                              \
    static constexpr auto kList =                                                   \
        ::tvm::ffi::detail::ListFields(offsetof(Self, header_), __VA_ARGS__);       \
  };                                                                                \
  TVM_FFI_OFFSETOF_END_ static_assert(true)

/*! \brief A field in TVM_FFI_DECLARE_OBJECT_FIELDS. */
#define TVM_FFI_FIELD(name) \
  ::tvm::ffi::detail::ListField<decltype(Self::name)>(offsetof(Self, name), #name)

/* ------------------------------------------------------------------ pointers
 *
 * ObjectPtr (may be null) and Arc (never null) own the object to which they refer; WeakObjectPtr
 * does not keep it alive. This object is called the element of the pointer. Each pointer is one
 * machine word: the address of the Object base of the element. Two threads may use different
 * pointers to one object at the same time; access to one pointer must be synchronised.
 */

/*!
 * \brief Whether T derives from Object.
 *
 * The value selects the traits of pointers to T. It may be specialised to true for a class that is
 * still incomplete, so that the class can have containers of pointers to itself.
 */
template <typename T>
inline constexpr bool is_object_subclass_v = std::is_base_of_v<Object, T>;

template <typename T>
class WeakObjectPtr;

/*! \brief Owning pointer to a T, which may be null. */
template <typename T>
class ObjectPtr {
 public:
  ObjectPtr() noexcept = default;
  ObjectPtr(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)
  ObjectPtr(const ObjectPtr& other) noexcept : data_(other.data_) { IncRef(); }
  ObjectPtr(ObjectPtr&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  /*! \brief Make a pointer from a pointer to a derived class. */
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  ObjectPtr(const ObjectPtr<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    IncRef();
  }
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  ObjectPtr(ObjectPtr<U>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(std::exchange(other.data_, nullptr)) {}
  ~ObjectPtr() { reset(); }

  ObjectPtr& operator=(const ObjectPtr& other) noexcept {
    ObjectPtr(other).swap(*this);
    return *this;
  }
  ObjectPtr& operator=(ObjectPtr&& other) noexcept {
    ObjectPtr(std::move(other)).swap(*this);
    return *this;
  }

  void swap(ObjectPtr& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief Return the element, borrowed; nullptr when there is none. */
  T* get() const { return static_cast<T*>(data_); }
  T* operator->() const { return get(); }
  /*! \brief Return the element. The pointer must not be null. */
  T& operator*() const { return *get(); }

  /*! \brief Release the reference to the element, and make this pointer null. */
  void reset() noexcept {
    // Empty this pointer first: the destructor of the element may read it.
    Object* old = std::exchange(data_, nullptr);
    if (old != nullptr) detail::DecStrongRef(Header(old));
  }

  explicit operator bool() const noexcept { return data_ != nullptr; }
  /*! \brief Return the number of strong references to the element; 0 when null. */
  int use_count() const {
    return data_ == nullptr ? 0 : static_cast<int>(detail::StrongRefCount(Header(data_)));
  }
  /*! \brief Return whether this is the only reference, strong or weak, to an element. */
  bool unique() const { return data_ != nullptr && detail::IsUniqueRef(Header(data_)); }

  bool operator==(const ObjectPtr& other) const noexcept { return data_ == other.data_; }
  bool operator!=(const ObjectPtr& other) const noexcept { return data_ != other.data_; }
  bool operator==(std::nullptr_t) const noexcept { return data_ == nullptr; }
  bool operator!=(std::nullptr_t) const noexcept { return data_ != nullptr; }

 private:
  /*! \brief Return the header, which is the first and only member of Object. */
  static TVMFFIObject* Header(Object* object) noexcept {
    return reinterpret_cast<TVMFFIObject*>(object);
  }
  void IncRef() noexcept {
    if (data_ != nullptr) detail::IncStrongRef(Header(data_));
  }

  Object* data_ = nullptr;

  template <typename>
  friend class ObjectPtr;
  template <typename>
  friend class WeakObjectPtr;
  friend struct detail::ObjectUnsafe;
};

/*!
 * \brief Owning pointer that always has an element, unless it was moved from.
 *
 * make_arc makes an Arc.
 */
template <typename T>
class Arc : public ObjectPtr<T> {
 public:
  /*! \brief Make an empty pointer, which must be assigned before use. */
  explicit Arc(UnsafeInit) noexcept {}
  Arc(const Arc& other) noexcept = default;
  Arc(Arc&& other) noexcept = default;
  /*! \brief Make an Arc from an Arc of a derived class. */
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  Arc(const Arc<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : ObjectPtr<T>(static_cast<const ObjectPtr<U>&>(other)) {}
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  Arc(Arc<U>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : ObjectPtr<T>(static_cast<ObjectPtr<U>&&>(other)) {}
  Arc& operator=(const Arc& other) noexcept = default;
  Arc& operator=(Arc&& other) noexcept = default;

 private:
  explicit Arc(ObjectPtr<T>&& ptr) noexcept : ObjectPtr<T>(std::move(ptr)) {}

  using ObjectPtr<T>::reset;
  using ObjectPtr<T>::swap;

  friend struct detail::ObjectUnsafe;
};

/*! \brief Pointer that does not keep its element alive, but can tell whether the element still
 * exists. */
template <typename T>
class WeakObjectPtr {
 public:
  WeakObjectPtr() noexcept = default;
  WeakObjectPtr(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)
  WeakObjectPtr(const WeakObjectPtr& other) noexcept : data_(other.data_) { IncRef(); }
  WeakObjectPtr(WeakObjectPtr&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  WeakObjectPtr(const ObjectPtr<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    IncRef();
  }
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  WeakObjectPtr(const WeakObjectPtr<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    IncRef();
  }
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  WeakObjectPtr(WeakObjectPtr<U>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(std::exchange(other.data_, nullptr)) {}
  ~WeakObjectPtr() { reset(); }

  WeakObjectPtr& operator=(const WeakObjectPtr& other) noexcept {
    WeakObjectPtr(other).swap(*this);
    return *this;
  }
  WeakObjectPtr& operator=(WeakObjectPtr&& other) noexcept {
    WeakObjectPtr(std::move(other)).swap(*this);
    return *this;
  }

  void swap(WeakObjectPtr& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief Release the weak reference, and make this pointer null. */
  void reset() noexcept {
    Object* old = std::exchange(data_, nullptr);
    if (old != nullptr) detail::DecWeakRef(ObjectPtr<T>::Header(old));
  }

  /*! \brief Return a strong pointer to the element; null when the element has been destroyed. */
  ObjectPtr<T> lock() const noexcept {
    ObjectPtr<T> result;
    if (data_ != nullptr && detail::TryLockWeakRef(ObjectPtr<T>::Header(data_))) {
      result.data_ = data_;
    }
    return result;
  }
  /*! \brief Return the number of strong references to the element. */
  int use_count() const {
    return data_ == nullptr ? 0
                            : static_cast<int>(detail::StrongRefCount(ObjectPtr<T>::Header(data_)));
  }
  /*! \brief Return whether lock() would return null. */
  bool expired() const { return use_count() == 0; }

 private:
  void IncRef() noexcept {
    if (data_ != nullptr) detail::IncWeakRef(ObjectPtr<T>::Header(data_));
  }

  Object* data_ = nullptr;

  template <typename>
  friend class WeakObjectPtr;
};

/*! \brief Whether T is an ObjectPtr. */
template <typename T>
inline constexpr bool is_object_ptr_type_v = false;
template <typename T>
inline constexpr bool is_object_ptr_type_v<ObjectPtr<T>> = true;

/*! \brief Whether T is an Arc. */
template <typename T>
inline constexpr bool is_arc_type_v = false;
template <typename T>
inline constexpr bool is_arc_type_v<Arc<T>> = true;

// ObjectPtr subsumes Arc, since an Arc is an ObjectPtr that is not null; the reverse is not true.
template <typename Base, typename Derived>
inline constexpr bool type_subsumes_v<ObjectPtr<Base>, ObjectPtr<Derived>> =
    std::is_same_v<Base, Derived> || std::is_base_of_v<Base, Derived>;
template <typename Base, typename Derived>
inline constexpr bool type_subsumes_v<Arc<Base>, Arc<Derived>> =
    std::is_same_v<Base, Derived> || std::is_base_of_v<Base, Derived>;
template <typename Base, typename Derived>
inline constexpr bool type_subsumes_v<ObjectPtr<Base>, Arc<Derived>> =
    std::is_same_v<Base, Derived> || std::is_base_of_v<Base, Derived>;

/* ------------------------------------------------------------------ reference classes */

class ObjectRef;

template <typename... V>
class Variant;

/*!
 * \brief Base of reference classes. A reference owns a pointer to an object.
 *
 * A reference may be null unless a subclass excludes null; a moved-from reference is always null.
 */
class ObjectRef {
 public:
  ObjectRef() = default;
  ObjectRef(const ObjectRef& other) = default;
  ObjectRef(ObjectRef&& other) noexcept = default;
  ObjectRef& operator=(const ObjectRef& other) = default;
  ObjectRef& operator=(ObjectRef&& other) noexcept = default;
  /*! \brief Make a reference to the element of `data`. */
  explicit ObjectRef(ObjectPtr<Object> data) : data_(std::move(data)) {}
  /*! \brief Make a null reference, to which the caller assigns an object later. */
  explicit ObjectRef(UnsafeInit) {}

  /*! \brief Return whether both refer to the same object, or both are null. */
  bool same_as(const ObjectRef& other) const { return data_ == other.data_; }
  bool operator==(const ObjectRef& other) const { return data_ == other.data_; }
  bool operator!=(const ObjectRef& other) const { return data_ != other.data_; }
  /*! \brief Compare by address. */
  bool operator<(const ObjectRef& other) const {
    return reinterpret_cast<uintptr_t>(get()) < reinterpret_cast<uintptr_t>(other.get());
  }

  /*! \brief Return whether the reference is not null. */
  bool defined() const { return data_ != nullptr; }
  /*! \brief Return the object, borrowed. */
  const Object* get() const { return data_.get(); }
  const Object* operator->() const { return get(); }
  /*! \brief Return whether this is the only reference, strong or weak, to an object. */
  bool unique() const { return data_.unique(); }
  /*! \brief Return the number of strong references; 0 when null. */
  int use_count() const { return data_.use_count(); }

  /*! \brief Return the object as a borrowed ObjectType; nullptr when it has another class or this
   * is null. */
  template <typename ObjectType, typename = std::enable_if_t<std::is_base_of_v<Object, ObjectType>>>
  const ObjectType* as() const&;

  /*!
   * \brief Return a RefType to the same object, if the object passes the strict check of
   * TypeTraits<RefType>.
   *
   * A null reference gives a null RefType if RefType can be null. The overload for an rvalue moves
   * the reference into the result; without a result, the reference does not change.
   */
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  std::optional<RefType> as() const&;
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  std::optional<RefType> as() &&;

  /*!
   * \brief Return as<RefType>(), or throw; defined in <tvm/ffi/any.h>.
   * \throws TypeError when the object is not a RefType.
   */
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  RefType as_or_throw() const&;
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  RefType as_or_throw() &&;

  /*! \brief Return the type index of the object; kTVMFFINone when null. */
  int32_t type_index() const {
    return data_ != nullptr ? data_->type_index() : static_cast<int32_t>(TypeIndex::kTVMFFINone);
  }
  /*! \brief Return the type key of the object; "None" when null. */
  std::string GetTypeKey() const { return TypeIndexToTypeKey(type_index()); }

  /*! \brief Class of the objects to which this class refers. */
  using ContainerType = Object;
  /*! \brief Whether the reference accepts every object of class ContainerType; false for references
   * that also check the content of the object. */
  static constexpr bool _type_container_is_exact = true;
  static constexpr bool _type_is_nullable = true;

 protected:
  /*! \brief Return the object, borrowed, for writing. */
  Object* get_mutable() const { return data_.get(); }

  ObjectPtr<Object> data_;

  friend struct detail::ObjectUnsafe;
  friend struct ObjectPtrHash;
  friend struct ObjectPtrEqual;
};

/*!
 * \brief Whether a reference of class RefType may refer to every ObjectType.
 *
 * May be specialised, e.g. for a reference to one of several classes.
 */
template <typename RefType, typename ObjectType,
          typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType> &&
                                      std::is_base_of_v<Object, ObjectType>>>
inline constexpr bool object_ref_contains_v =
    RefType::_type_container_is_exact &&
    std::is_base_of_v<typename RefType::ContainerType, ObjectType>;

/*! \brief Hashes references and pointers by address. */
struct ObjectPtrHash {
  size_t operator()(const ObjectRef& ref) const { return operator()(ref.data_); }
  template <typename T>
  size_t operator()(const ObjectPtr<T>& ptr) const {
    return std::hash<T*>()(ptr.get());
  }
  /*! \brief Hash a variant of references; defined in <tvm/ffi/container/variant.h>. */
  template <typename... V>
  size_t operator()(const Variant<V...>& variant) const;
};

/*! \brief Compares references and pointers by address. */
struct ObjectPtrEqual {
  bool operator()(const ObjectRef& lhs, const ObjectRef& rhs) const { return lhs.same_as(rhs); }
  template <typename T>
  bool operator()(const ObjectPtr<T>& lhs, const ObjectPtr<T>& rhs) const {
    return lhs == rhs;
  }
  /*! \brief Compare variants of references; defined in <tvm/ffi/container/variant.h>. */
  template <typename... V>
  bool operator()(const Variant<V...>& lhs, const Variant<V...>& rhs) const;
};

namespace detail {

/*!
 * \brief The parameter type of the constructor from ObjectPtr which
 * TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE defines.
 *
 * Because NotNullSource is a separate class, overload resolution prefers a constructor from
 * ObjectPtr that the reference class itself declares.
 */
template <typename T>
class NotNullSource {
 public:
  /*! \throws TypeError for a null pointer. */
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  NotNullSource(ObjectPtr<U> object) : data_(std::move(object)) {  // NOLINT(*)
    if (TVM_FFI_PREDICT_FALSE(data_ == nullptr)) ThrowNullReference<>(T::_type_key);
  }
  ObjectPtr<Object> Take() && { return std::move(data_); }

 private:
  ObjectPtr<Object> data_;
};
}  // namespace detail

/// \cond Doxygen_Suppress
#define TVM_FFI_DEFINE_OBJECT_REF_COMMON_(TypeName, ParentType, ObjectName)                        \
  explicit TypeName(::tvm::ffi::UnsafeInit tag) : ParentType(tag) {}                               \
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(TypeName);                                           \
  using __PtrType = std::conditional_t<ObjectName::_type_mutable, ObjectName*, const ObjectName*>; \
  __PtrType operator->() const { return static_cast<__PtrType>(this->data_.get()); }               \
  __PtrType get() const { return static_cast<__PtrType>(this->data_.get()); }                      \
  using ContainerType = ObjectName
/// \endcond

/*!
 * \brief Complete a reference class that can be null.
 * \param TypeName the class.
 * \param ParentType the reference class from which it derives.
 * \param ObjectName the class of its objects.
 *
 * The macro defines a default constructor (null), a constructor from ObjectPtr<ObjectName>, `->`
 * and get(). `->` and get() return a pointer to const, unless `ObjectName::_type_mutable` is true.
 */
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName) \
  TypeName() = default;                                                              \
  explicit TypeName(::tvm::ffi::ObjectPtr<ObjectName> object)                        \
      : ParentType(::tvm::ffi::UnsafeInit{}) {                                       \
    this->data_ = std::move(object);                                                 \
  }                                                                                  \
  [[maybe_unused]] static constexpr bool _type_is_nullable = true;                   \
  TVM_FFI_DEFINE_OBJECT_REF_COMMON_(TypeName, ParentType, ObjectName)

/*!
 * \brief Complete a reference class that is never null (unless moved from).
 *
 * The macro defines `->`, get() and an explicit constructor from ObjectPtr<ObjectName>. This
 * constructor also accepts a pointer to a subclass of ObjectName, and throws TypeError for a null
 * pointer. If the class itself has a constructor from ObjectPtr, that constructor is used instead.
 */
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TypeName, ParentType, ObjectName) \
  template <typename _FromPtr = void>                                                   \
  explicit TypeName(::tvm::ffi::detail::NotNullSource<ObjectName> object)               \
      : ParentType(::tvm::ffi::UnsafeInit{}) {                                          \
    this->data_ = std::move(object).Take();                                             \
  }                                                                                     \
  [[maybe_unused]] static constexpr bool _type_is_nullable = false;                     \
  TVM_FFI_DEFINE_OBJECT_REF_COMMON_(TypeName, ParentType, ObjectName)

/*! \brief The former name of TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE. */
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS(TypeName, ParentType, ObjectName) \
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName)

/* ------------------------------------------------------------------ raw handles
 *
 * The names tell who owns a reference: ObjectPtrFromOwned() takes over a reference,
 * ObjectPtrFromUnowned() adds a reference, and the functions `Move...` give their reference to the
 * caller. The results of the other functions that return a raw pointer are borrowed.
 */

namespace detail {

/*! \brief Access to the private members of the pointer classes, for code that crosses the C
 * boundary. */
struct ObjectUnsafe {
  /*! \brief Return the header of an object; NULL for NULL. */
  TVM_FFI_INLINE static TVMFFIObject* GetHeader(const Object* object) {
    return reinterpret_cast<TVMFFIObject*>(const_cast<Object*>(object));
  }

  /*! \brief Return the offset in bytes of the Object base in a Class. Other bases may come before
   * the Object base. */
  template <typename Class>
  TVM_FFI_INLINE static int64_t GetObjectOffsetToSubclass() {
    // Use an aligned address that is not NULL, because a cast of NULL does not add the offset.
    // The memory is not read.
    alignas(Class) char space[sizeof(Class)];
    Class* address = reinterpret_cast<Class*>(space);
    return reinterpret_cast<char*>(static_cast<Object*>(address)) - space;
  }

  /* ---------------------------------------------------------------- references and pointers */

  /*! \brief Return a reference of class T to the element of `ptr`. The class of the element is not
   * checked. */
  template <typename T>
  TVM_FFI_INLINE static T ObjectRefFromObjectPtr(const ObjectPtr<Object>& ptr) {
    return ObjectRefFromObjectPtr<T>(ObjectPtr<Object>(ptr));
  }
  template <typename T>
  TVM_FFI_INLINE static T ObjectRefFromObjectPtr(ObjectPtr<Object>&& ptr) {
    static_assert(std::is_base_of_v<ObjectRef, T>, "T must derive from ObjectRef");
    T ref{UnsafeInit{}};
    static_cast<ObjectRef&>(ref).data_ = std::move(ptr);
    return ref;
  }

  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromObjectRef(const ObjectRef& ref) {
    return Downcast<T>(ObjectPtr<Object>(ref.data_));
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromObjectRef(ObjectRef&& ref) {
    return Downcast<T>(std::move(ref.data_));
  }

  /*! \brief Make an Arc from a pointer that is known to have an element. */
  template <typename T>
  TVM_FFI_INLINE static Arc<T> ArcFromObjectPtr(ObjectPtr<T>&& ptr) {
    return Arc<T>(std::move(ptr));
  }

  /* ---------------------------------------------------------------- raw to owning */

  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromOwned(Object* object) {
    ObjectPtr<T> result;
    result.data_ = object;
    return result;
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromOwned(TVMFFIObject* handle) {
    return ObjectPtrFromOwned<T>(reinterpret_cast<Object*>(handle));
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromUnowned(Object* object) {
    if (object != nullptr) IncStrongRef(GetHeader(object));
    return ObjectPtrFromOwned<T>(object);
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromUnowned(TVMFFIObject* handle) {
    return ObjectPtrFromUnowned<T>(reinterpret_cast<Object*>(handle));
  }

  /* ---------------------------------------------------------------- owning to raw */

  /*! \brief Return the T at a handle, borrowed. */
  template <typename T>
  TVM_FFI_INLINE static T* RawObjectPtrFromUnowned(TVMFFIObject* handle) {
    return static_cast<T*>(reinterpret_cast<Object*>(handle));
  }
  TVM_FFI_INLINE static Object* RawObjectPtrFromObjectRef(const ObjectRef& ref) {
    return ref.data_.data_;
  }
  TVM_FFI_INLINE static TVMFFIObject* TVMFFIObjectPtrFromObjectRef(const ObjectRef& ref) {
    return GetHeader(ref.data_.data_);
  }
  template <typename T>
  TVM_FFI_INLINE static TVMFFIObject* TVMFFIObjectPtrFromObjectPtr(const ObjectPtr<T>& ptr) {
    return GetHeader(ptr.data_);
  }
  template <typename T>
  TVM_FFI_INLINE static TVMFFIObject* MoveObjectPtrToTVMFFIObjectPtr(ObjectPtr<T>&& ptr) {
    return GetHeader(std::exchange(ptr.data_, nullptr));
  }
  TVM_FFI_INLINE static TVMFFIObject* MoveObjectRefToTVMFFIObjectPtr(ObjectRef&& ref) {
    return GetHeader(std::exchange(ref.data_.data_, nullptr));
  }

  /* ---------------------------------------------------------------- handles */

  /*! \brief Release a strong reference; NULL is accepted. */
  TVM_FFI_INLINE static void DecRefObjectHandle(TVMFFIObjectHandle handle) {
    if (handle != nullptr) DecStrongRef(static_cast<TVMFFIObject*>(handle));
  }
  /*! \brief Add a strong reference; NULL is accepted. */
  TVM_FFI_INLINE static void IncRefObjectHandle(TVMFFIObjectHandle handle) {
    if (handle != nullptr) IncStrongRef(static_cast<TVMFFIObject*>(handle));
  }
  /*! \brief Return the data that a custom allocator wrote before an object body. The body must come
   * from such an allocator. */
  TVM_FFI_INLINE static TVMFFIObjectAllocHeader* GetObjectAllocHeaderFromPtr(void* body) {
    return reinterpret_cast<TVMFFIObjectAllocHeader*>(static_cast<char*>(body) -
                                                      sizeof(TVMFFIObjectAllocHeader));
  }

 private:
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> Downcast(ObjectPtr<Object>&& ptr) {
    return ObjectPtrFromOwned<T>(std::exchange(ptr.data_, nullptr));
  }
};

}  // namespace detail

/* ------------------------------------------------------------------ TypeTraits */

namespace detail {

/*! \brief Store an object in `*value`, or None if `object` is NULL. Do not change the count. */
TVM_FFI_INLINE void SetAnyObject(TVMFFIAny* value, TVMFFIObject* object) noexcept {
  if (object == nullptr) {
    SetAnyNone(value);
  } else {
    SetAnyHead(value, object->type_index);
    TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(value);
    value->v_obj = object;
  }
}

/*! \brief Return whether a value is an object of class T. */
template <typename T>
TVM_FFI_INLINE bool AnyIsObject(const TVMFFIAny* value) {
  return value->type_index >= TypeIndex::kTVMFFIStaticObjectBegin &&
         IsObjectInstance<T>(value->type_index);
}

/*! \brief Return a new reference to the object of a value; null for None. */
TVM_FFI_INLINE ObjectPtr<Object> CopyAnyObject(const TVMFFIAny* value) {
  if (value->type_index == TypeIndex::kTVMFFINone) return nullptr;
  return ObjectUnsafe::ObjectPtrFromUnowned<Object>(value->v_obj);
}

/*! \brief Move the reference out of a value, and set the value to None; return null for None. */
TVM_FFI_INLINE ObjectPtr<Object> MoveAnyObject(TVMFFIAny* value) {
  if (value->type_index == TypeIndex::kTVMFFINone) return nullptr;
  TVMFFIObject* object = value->v_obj;
  SetAnyNone(value);
  return ObjectUnsafe::ObjectPtrFromOwned<Object>(object);
}
}  // namespace detail

/*!
 * \brief The default traits of a reference class: a value is accepted if it is an object of class
 * ContainerType.
 *
 * A specialisation of TypeTraits may derive from this class and redefine CheckAnyStrict. In that
 * case, TryCastFromAnyView calls the redefined function.
 */
template <typename TObjRef>
struct ObjectRefTypeTraitsBase : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIObject;
  using ContainerType = typename TObjRef::ContainerType;

  TVM_FFI_INLINE static void CopyToAnyView(const TObjRef& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(source));
  }
  TVM_FFI_INLINE static void MoveToAny(TObjRef source, TVMFFIAny* result) {
    detail::SetAnyObject(result,
                         detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(source)));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    if constexpr (TObjRef::_type_is_nullable) {
      if (source->type_index == TypeIndex::kTVMFFINone) return true;
    }
    return detail::AnyIsObject<ContainerType>(source);
  }
  TVM_FFI_INLINE static TObjRef CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<TObjRef>(detail::CopyAnyObject(source));
  }
  TVM_FFI_INLINE static TObjRef MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<TObjRef>(detail::MoveAnyObject(source));
  }
  TVM_FFI_INLINE static std::optional<TObjRef> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!TypeTraits<TObjRef>::CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return ContainerType::_type_key; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(ContainerType::_type_key); }
};

template <typename TObjRef>
struct TypeTraits<TObjRef,
                  std::enable_if_t<std::is_base_of_v<ObjectRef, TObjRef> &&
                                   !std::is_const_v<TObjRef> && use_default_type_traits_v<TObjRef>>>
    : public ObjectRefTypeTraitsBase<TObjRef> {};

/*!
 * \brief Base of traits of a reference class that also accepts values of other types.
 *
 * An object of the class itself is accepted unchanged. Any other value is converted to the first
 * Fallback type that accepts it; `TypeTraits<TObjRef>::ConvertFallbackValue(Fallback)` makes the
 * reference from the result.
 */
template <typename TObjRef, typename... Fallback>
struct ObjectRefWithFallbackTraitsBase : public ObjectRefTypeTraitsBase<TObjRef> {
  static_assert(!(std::is_same_v<Fallback, bool> || ...),
                "bool as a fallback would take every int: use StrictBool");

  TVM_FFI_INLINE static std::optional<TObjRef> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<TObjRef> result = ObjectRefTypeTraitsBase<TObjRef>::TryCastFromAnyView(source);
    if (!result.has_value()) (void)(detail::TryFallback<TObjRef, Fallback>(source, &result) || ...);
    return result;
  }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    return detail::FirstRefusalOf<Fallback...>(source);
  }
};

/*! \brief Traits of ObjectPtr. A null pointer converts to None, and None to a null pointer. */
template <typename T>
struct TypeTraits<ObjectPtr<T>, std::enable_if_t<is_object_subclass_v<T> && !std::is_const_v<T> &&
                                                 !std::is_volatile_v<T>>> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIObject;

  TVM_FFI_INLINE static void CopyToAnyView(const ObjectPtr<T>& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr(source));
  }
  TVM_FFI_INLINE static void MoveToAny(ObjectPtr<T> source, TVMFFIAny* result) {
    detail::SetAnyObject(result,
                         detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(source)));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone || detail::AnyIsObject<T>(source);
  }
  TVM_FFI_INLINE static ObjectPtr<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return nullptr;
    return detail::ObjectUnsafe::ObjectPtrFromUnowned<T>(source->v_obj);
  }
  TVM_FFI_INLINE static ObjectPtr<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return nullptr;
    TVMFFIObject* object = source->v_obj;
    detail::SetAnyNone(source);
    return detail::ObjectUnsafe::ObjectPtrFromOwned<T>(object);
  }
  TVM_FFI_INLINE static std::optional<ObjectPtr<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return T::_type_key; }
  static std::string TypeSchema() {
    return R"({"type":"Optional","args":[)" + detail::PlainTypeSchema(T::_type_key) + "]}";
  }
};

/*! \brief Traits of Arc. None does not convert to an Arc. */
template <typename T>
struct TypeTraits<Arc<T>, std::enable_if_t<is_object_subclass_v<T> && !std::is_const_v<T> &&
                                           !std::is_volatile_v<T>>> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIObject;

  TVM_FFI_INLINE static void CopyToAnyView(const Arc<T>& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr<T>(source));
  }
  TVM_FFI_INLINE static void MoveToAny(Arc<T> source, TVMFFIAny* result) {
    detail::SetAnyObject(
        result, detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr<T>(std::move(source)));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return detail::AnyIsObject<T>(source);
  }
  TVM_FFI_INLINE static Arc<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return detail::ObjectUnsafe::ArcFromObjectPtr<T>(
        detail::ObjectUnsafe::ObjectPtrFromUnowned<T>(source->v_obj));
  }
  TVM_FFI_INLINE static Arc<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    TVMFFIObject* object = source->v_obj;
    detail::SetAnyNone(source);
    return detail::ObjectUnsafe::ArcFromObjectPtr<T>(
        detail::ObjectUnsafe::ObjectPtrFromOwned<T>(object));
  }
  TVM_FFI_INLINE static std::optional<Arc<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return T::_type_key; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(T::_type_key); }
};

/*!
 * \brief Traits of a borrowed pointer. None does not convert to a pointer.
 *
 * Storing a pointer in an Any adds a reference. A pointer that is read from a value is valid as
 * long as the value exists. A pointer to non-const can be read only for classes with
 * `_type_mutable`.
 */
template <typename T>
struct TypeTraits<
    T*, std::enable_if_t<is_object_subclass_v<std::remove_cv_t<T>> && !std::is_volatile_v<T>>>
    : public TypeTraitsBase {
  using ObjectType = std::remove_const_t<T>;

  TVM_FFI_INLINE static void CopyToAnyView(T* const& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::GetHeader(source));
  }
  TVM_FFI_INLINE static void MoveToAny(T* source, TVMFFIAny* result) {
    CopyToAnyView(source, result);
    if (source != nullptr) detail::IncStrongRef(result->v_obj);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return detail::AnyIsObject<ObjectType>(source);
  }
  TVM_FFI_INLINE static T* CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    static_assert(std::is_const_v<T> || ObjectType::_type_mutable,
                  "a class without _type_mutable is read through a pointer to const");
    return detail::ObjectUnsafe::RawObjectPtrFromUnowned<ObjectType>(source->v_obj);
  }
  TVM_FFI_INLINE static T* MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return CopyFromAnyViewAfterCheck(source);
  }
  TVM_FFI_INLINE static std::optional<T*> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return ObjectType::_type_key; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(ObjectType::_type_key); }
};

/* ----------------------------------------------- members of ObjectRef that need the TypeTraits */

template <typename ObjectType, typename>
TVM_FFI_INLINE const ObjectType* ObjectRef::as() const& {
  const Object* object = data_.get();
  if (object == nullptr || !object->IsInstance<ObjectType>()) return nullptr;
  return static_cast<const ObjectType*>(object);
}

template <typename RefType, typename>
TVM_FFI_INLINE std::optional<RefType> ObjectRef::as() const& {
  TVMFFIAny view;
  TypeTraits<ObjectRef>::CopyToAnyView(*this, &view);
  if (!TypeTraits<RefType>::CheckAnyStrict(&view)) return std::nullopt;
  return detail::ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(data_);
}

template <typename RefType, typename>
TVM_FFI_INLINE std::optional<RefType> ObjectRef::as() && {
  TVMFFIAny view;
  TypeTraits<ObjectRef>::CopyToAnyView(*this, &view);
  if (!TypeTraits<RefType>::CheckAnyStrict(&view)) return std::nullopt;
  return detail::ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(std::move(data_));
}

template <typename T>
struct TypeToRuntimeTypeIndex<T, std::enable_if_t<std::is_base_of_v<ObjectRef, T>>> {
  static int32_t v() { return T::ContainerType::RuntimeTypeIndex(); }
};
template <typename T>
struct TypeToRuntimeTypeIndex<ObjectPtr<T>> {
  static int32_t v() { return T::RuntimeTypeIndex(); }
};
template <typename T>
struct TypeToRuntimeTypeIndex<Arc<T>> {
  static int32_t v() { return T::RuntimeTypeIndex(); }
};

/*! \brief Whether T is an Optional. */
template <typename T>
inline constexpr bool is_optional_type_v = false;
template <typename T>
inline constexpr bool is_optional_type_v<Optional<T>> = true;

/*! \brief Whether Optional<T> is stored as one nullable reference. */
template <typename T>
inline constexpr bool use_object_ref_optional_v =
    std::is_base_of_v<ObjectRef, T> && !is_optional_type_v<T>;

/*! \brief Whether Optional<T> is stored as one nullable reference, ObjectPtr or Arc. */
template <typename T>
inline constexpr bool use_object_ptr_optional_v =
    use_object_ref_optional_v<T> || is_object_ptr_type_v<T> || is_arc_type_v<T>;

}  // namespace tvm::ffi

// This include is last, because the class Error is an ObjectRef, and the functions above throw it.
#include <tvm/ffi/exception.h>

#endif  // TVM_FFI_OBJECT_H_
