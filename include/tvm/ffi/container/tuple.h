// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/tuple.h
 * \brief Tuple<Types...>: a fixed number of values of fixed types, held in an ArrayObj.
 */
#ifndef TVM_FFI_CONTAINER_TUPLE_H_
#define TVM_FFI_CONTAINER_TUPLE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/container_detail.h>

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

namespace detail {

template <typename Target, typename Source>
struct TupleSubsumes : std::false_type {};
template <typename... T, typename... U>
struct TupleSubsumes<Tuple<T...>, Tuple<U...>> {
  template <typename... P>
  struct Pack {};
  template <typename A, typename B, typename = void>
  struct ElementWise : std::false_type {};
  template <typename... A, typename... B>
  struct ElementWise<Pack<A...>, Pack<B...>, std::enable_if_t<sizeof...(A) == sizeof...(B)>>
      : std::bool_constant<(type_subsumes_v<A, B> && ...)> {};
  static constexpr bool value = ElementWise<Pack<T...>, Pack<U...>>::value;
};

}  // namespace detail

template <typename... T, typename... U>
inline constexpr bool type_subsumes_v<Tuple<T...>, Tuple<U...>> =
    detail::TupleSubsumes<Tuple<T...>, Tuple<U...>>::value;

namespace detail {

// Whether a constructor was called with one argument that initialises the whole tuple (a tuple to
// share, an object pointer, UnsafeInit) and not an element.
template <typename TupleType, typename... Args>
inline constexpr bool is_tuple_itself_v = false;
template <typename TupleType, typename Arg>
inline constexpr bool is_tuple_itself_v<TupleType, Arg> =
    std::is_base_of_v<TupleType, std::decay_t<Arg>> ||
    std::is_base_of_v<ObjectPtr<ArrayObj>, std::decay_t<Arg>> ||
    std::is_same_v<UnsafeInit, std::decay_t<Arg>> ||
    TupleSubsumes<TupleType, std::decay_t<Arg>>::value;

}  // namespace detail

/*!
 * \brief A tuple with value semantics; copies share one object until one of them is written.
 * \tparam Types Any, or types that can be stored in Any.
 *
 * The object is an ArrayObj with as many elements as there are types. A tuple is null only after it
 * was moved from.
 */
template <typename... Types>
class Tuple : public ObjectRef {
 public:
  static_assert(detail::all_storage_enabled_v<Types...>,
                "All types used in Tuple<...> must be compatible with Any");

  using ContainerType = ArrayObj;
  static constexpr bool _type_is_nullable = false;
  static constexpr bool _type_container_is_exact = false;

  /*! \brief Make a tuple of default constructed elements. */
  Tuple() : ObjectRef(Make(Types()...)) {}
  /*! \brief Make a null reference. */
  explicit Tuple(UnsafeInit tag) : ObjectRef(tag) {}
  Tuple(const Tuple& other) = default;
  Tuple(Tuple&& other) noexcept = default;
  Tuple& operator=(const Tuple& other) = default;
  Tuple& operator=(Tuple&& other) noexcept = default;

  /*! \brief Share the object of a tuple whose elements are all valid as Types. */
  template <typename... UTypes,
            typename = std::enable_if_t<type_subsumes_v<Tuple<Types...>, Tuple<UTypes...>> &&
                                        !std::is_same_v<Tuple<Types...>, Tuple<UTypes...>>>>
  Tuple(const Tuple<UTypes...>& other)  // NOLINT(*)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other)) {}
  /*! \brief Share the object of a tuple whose elements are all valid as Types. */
  template <typename... UTypes,
            typename = std::enable_if_t<type_subsumes_v<Tuple<Types...>, Tuple<UTypes...>> &&
                                        !std::is_same_v<Tuple<Types...>, Tuple<UTypes...>>>>
  Tuple(Tuple<UTypes...>&& other) noexcept  // NOLINT(*)
      : ObjectRef(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other))) {}
  template <typename... UTypes,
            typename = std::enable_if_t<type_subsumes_v<Tuple<Types...>, Tuple<UTypes...>> &&
                                        !std::is_same_v<Tuple<Types...>, Tuple<UTypes...>>>>
  Tuple& operator=(const Tuple<UTypes...>& other) {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other);
    return *this;
  }
  template <typename... UTypes,
            typename = std::enable_if_t<type_subsumes_v<Tuple<Types...>, Tuple<UTypes...>> &&
                                        !std::is_same_v<Tuple<Types...>, Tuple<UTypes...>>>>
  Tuple& operator=(Tuple<UTypes...>&& other) noexcept {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other));
    return *this;
  }

  /*!
   * \brief Make each element from the argument at the same position.
   *
   * If the only argument is a tuple of this type, or of a type whose object this tuple can share,
   * the new tuple shares that object instead.
   */
  template <
      typename... UTypes,
      typename = std::enable_if_t<sizeof...(Types) == sizeof...(UTypes) && sizeof...(Types) != 0 &&
                                  !detail::is_tuple_itself_v<Tuple<Types...>, UTypes...>>>
  explicit Tuple(UTypes&&... args) : ObjectRef(Make(Types(std::forward<UTypes>(args))...)) {}

  /*!
   * \brief Refer to an ArrayObj. It must have one element for each of Types, and each element must
   * have the storage type of its type; the constructor does not check this.
   * \throws InternalError when `n` is null.
   */
  explicit Tuple(ObjectPtr<ArrayObj> n) : ObjectRef(ObjectPtr<Object>(std::move(n))) {
    TVM_FFI_ICHECK_NOTNULL(data_.get());
  }

  /*! \brief Return a copy of element I. */
  template <size_t I>
  auto get() const& {
    using T = std::tuple_element_t<I, std::tuple<Types...>>;
    return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<T>(Obj()->begin()[I]);
  }
  /*! \brief Return element I. It is moved out if this is the only reference to the tuple, otherwise
   * copied. */
  template <size_t I>
  auto get() && {
    using T = std::tuple_element_t<I, std::tuple<Types...>>;
    if (!data_.unique()) {
      return detail::AnyUnsafe::CopyFromAnyViewAfterCheck<T>(Obj()->begin()[I]);
    }
    return detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(Obj()->MutableBegin()[I]));
  }

  /*! \brief Replace element I; a shared tuple is copied first. */
  template <size_t I, typename U>
  void Set(U&& item) {
    using T = std::tuple_element_t<I, std::tuple<Types...>>;
    Any value(T(std::forward<U>(item)));
    if (!data_.unique()) {
      data_ = ArrayObj::CopyFrom(static_cast<int64_t>(sizeof...(Types)), Obj());
    }
    Obj()->SetItemAfterCheck(I, std::move(value));
  }

 private:
  template <typename... UTypes>
  friend class Tuple;

  ArrayObj* Obj() const { return static_cast<ArrayObj*>(data_.get()); }

  template <typename... Values>
  static ObjectPtr<Object> Make(Values&&... values) {
    ObjectPtr<ArrayObj> p = ArrayObj::Empty(static_cast<int64_t>(sizeof...(Types)));
    (p->AppendInit(Any(std::forward<Values>(values))), ...);
    return p;
  }
};

template <typename... UTypes>
Tuple(UTypes&&...) -> Tuple<std::remove_cv_t<std::remove_reference_t<UTypes>>...>;

/*! \brief Return element I of a tuple; structured bindings find this function. */
template <size_t I, typename... Types>
inline auto get(const Tuple<Types...>& tuple) {
  return tuple.template get<I>();
}
template <size_t I, typename... Types>
inline auto get(Tuple<Types...>&& tuple) {
  return std::move(tuple).template get<I>();
}

template <typename... Types>
inline constexpr bool use_default_type_traits_v<Tuple<Types...>> = false;

template <typename... Types>
struct TypeTraits<Tuple<Types...>> : public ObjectRefTypeTraitsBase<Tuple<Types...>> {
  using ObjectRefTypeTraitsBase<Tuple<Types...>>::CopyFromAnyViewAfterCheck;

  /*! \brief Return whether the value is an Array of this length whose elements have exactly the
   * storage types. */
  static bool CheckAnyStrict(const TVMFFIAny* src) {
    return HasLength(src) && AllStrict(Seq(src), std::index_sequence_for<Types...>());
  }

  /*! \brief Return the same object if the strict check passes, otherwise a new object with
   * converted elements. */
  static std::optional<Tuple<Types...>> TryCastFromAnyView(const TVMFFIAny* src) {
    if (!HasLength(src)) return std::nullopt;
    if (CheckAnyStrict(src)) return CopyFromAnyViewAfterCheck(src);
    return Convert(Seq(src), std::index_sequence_for<Types...>());
  }

  /*! \brief Describe the length if it is wrong, otherwise the element that DescribeMismatch()
   * finds. */
  static std::string GetMismatchTypeInfo(const TVMFFIAny* src) {
    if (src->type_index != TypeIndex::kTVMFFIArray) {
      return TypeTraitsBase::GetMismatchTypeInfo(src);
    }
    if (!HasLength(src)) return "Array[size=" + std::to_string(Seq(src)->size()) + "]";
    std::string text;
    DescribeMismatch(Seq(src), &text, std::index_sequence_for<Types...>());
    return text.empty() ? TypeTraitsBase::GetMismatchTypeInfo(src) : text;
  }

  /*! \brief Return why the first element that cannot be converted is refused, if its type is not
   * the reason. */
  static Refusal GetRefusal(const TVMFFIAny* src) {
    Refusal refusal;
    if (HasLength(src)) DescribeRefusal(Seq(src), &refusal, std::index_sequence_for<Types...>());
    return refusal;
  }

  static std::string TypeStr() { return detail::ContainerTypeStr<Types...>("Tuple"); }
  static std::string TypeSchema() {
    std::string text = R"({"type":"Tuple","args":[)";
    const char* separator = "";
    ((text += separator, text += detail::TypeSchema<Types>::v(), separator = ","), ...);
    return text + "]}";
  }

 private:
  static const SeqBaseObj* Seq(const TVMFFIAny* src) {
    return detail::ObjectUnsafe::RawObjectPtrFromUnowned<ArrayObj>(src->v_obj);
  }
  static bool HasLength(const TVMFFIAny* src) {
    return src->type_index == TypeIndex::kTVMFFIArray && Seq(src)->size() == sizeof...(Types);
  }

  template <size_t... I>
  static bool AllStrict(const SeqBaseObj* seq, std::index_sequence<I...>) {
    (void)seq;
    return (detail::AnyUnsafe::CheckAnyStrict<Types>(seq->begin()[I]) && ...);
  }

  template <size_t... I>
  static std::optional<Tuple<Types...>> Convert(const SeqBaseObj* seq, std::index_sequence<I...>) {
    std::tuple<std::optional<Types>...> parts;
    bool complete = (TryElement(seq, I, &std::get<I>(parts)) && ...);
    if (!complete) return std::nullopt;
    return Tuple<Types...>(*std::move(std::get<I>(parts))...);
  }

  // Copies the element first, because its conversion may run user code.
  template <typename T>
  static bool TryElement(const SeqBaseObj* seq, size_t i, std::optional<T>* part) {
    Any element = (*seq)[static_cast<int64_t>(i)];
    std::optional<T> converted = element.template try_cast<T>();
    if (!converted.has_value()) return false;
    part->emplace(*std::move(converted));
    return true;
  }

  // Describe the first element that cannot be converted. If all can be converted, describe the
  // first one that fails the strict check.
  template <size_t... I>
  static void DescribeMismatch(const SeqBaseObj* seq, std::string* text,
                               std::index_sequence<I...>) {
    (void)(DescribeElement<Types>(seq, I, text) || ...);
  }
  template <typename T>
  static bool DescribeElement(const SeqBaseObj* seq, size_t i, std::string* text) {
    Any element = (*seq)[static_cast<int64_t>(i)];
    if (detail::AnyUnsafe::CheckAnyStrict<T>(element)) return false;
    bool convertible = element.template try_cast<T>().has_value();
    if (convertible && !text->empty()) return false;
    *text = "Array[index " + std::to_string(i) + ": " +
            detail::AnyUnsafe::GetMismatchTypeInfo<T>(element) + "]";
    return !convertible;
  }

  template <size_t... I>
  static void DescribeRefusal([[maybe_unused]] const SeqBaseObj* seq,
                              [[maybe_unused]] Refusal* refusal, std::index_sequence<I...>) {
    (void)(IsElementRefused<Types>(seq, I, refusal) || ...);
  }
  // Return whether the element cannot be converted. In that case `*refusal` receives the reason,
  // which is empty if it is the type of the element.
  template <typename T>
  static bool IsElementRefused(const SeqBaseObj* seq, size_t i, Refusal* refusal) {
    Any element = (*seq)[static_cast<int64_t>(i)];
    if (element.template try_cast<T>().has_value()) return false;
    *refusal = detail::AnyUnsafe::RefusalOf<T>(element).At("index " + std::to_string(i));
    return true;
  }
};

}  // namespace tvm::ffi

namespace std {

/// \cond Doxygen_Suppress
template <typename... Types>
struct tuple_size<::tvm::ffi::Tuple<Types...>>
    : public std::integral_constant<size_t, sizeof...(Types)> {};

template <size_t I, typename... Types>
struct tuple_element<I, ::tvm::ffi::Tuple<Types...>> {
  using type = std::tuple_element_t<I, std::tuple<Types...>>;
};
/// \endcond

}  // namespace std
#endif  // TVM_FFI_CONTAINER_TUPLE_H_
