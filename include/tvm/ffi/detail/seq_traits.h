// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/seq_traits.h
 * \brief Conversion rules shared by Array and List. Part of container/seq_base.h.
 */
#ifndef TVM_FFI_DETAIL_SEQ_TRAITS_H_
#define TVM_FFI_DETAIL_SEQ_TRAITS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/seq_base.h>

#include <optional>
#include <string>
#include <utility>

namespace tvm {
namespace ffi {

/*!
 * \brief Base of the TypeTraits of a typed sequence.
 * \tparam Derived supplies `kPrimaryTypeIndex` (the kind itself), `kOtherTypeIndex` (the kind that
 *         it is converted from) and `kTypeName`.
 * \tparam SeqRefType the reference class, e.g. `Array<T>`.
 * \tparam T the element type.
 */
template <typename Derived, typename SeqRefType, typename T>
struct SeqTypeTraitsBase : public ObjectRefTypeTraitsBase<SeqRefType> {
 public:
  using ObjectRefTypeTraitsBase<SeqRefType>::CopyFromAnyViewAfterCheck;

  /*! \brief Of this kind, with every element exactly of T's storage type. */
  static bool CheckAnyStrict(const TVMFFIAny* src) {
    if (src->type_index != Derived::kPrimaryTypeIndex) return false;
    return AllStrict(Seq(src));
  }

  /*! \brief The same object when strict, otherwise a new one with converted elements. */
  static std::optional<SeqRefType> TryCastFromAnyView(const TVMFFIAny* src) {
    if (!IsSequence(src)) return std::nullopt;
    if (CheckAnyStrict(src)) return CopyFromAnyViewAfterCheck(src);
    const SeqBaseObj* seq = Seq(src);
    SeqRefType result;
    result.reserve(static_cast<int64_t>(seq->size()));
    // By index, with a reference of our own to the element: converting may run user code, and that
    // may change the source.
    for (size_t i = 0; i < seq->size(); ++i) {
      Any element = (*seq)[static_cast<int64_t>(i)];
      if constexpr (std::is_same_v<T, Any>) {
        result.push_back(element);
      } else {
        std::optional<T> converted = element.try_cast<T>();
        if (!converted.has_value()) return std::nullopt;
        result.push_back(*std::move(converted));
      }
    }
    return result;
  }

  /*! \brief Names the first element that cannot be converted, else the first that is not strict. */
  static std::string GetMismatchTypeInfo(const TVMFFIAny* src) {
    if constexpr (!std::is_same_v<T, Any>) {
      if (IsSequence(src)) {
        const SeqBaseObj* seq = Seq(src);
        int64_t culprit = -1;
        for (size_t i = 0; i < seq->size(); ++i) {
          Any element = (*seq)[static_cast<int64_t>(i)];
          if (detail::AnyUnsafe::CheckAnyStrict<T>(element)) continue;
          if (culprit < 0) culprit = static_cast<int64_t>(i);
          if (element.template try_cast<T>().has_value()) continue;
          culprit = static_cast<int64_t>(i);
          break;
        }
        if (culprit >= 0 && culprit < static_cast<int64_t>(seq->size())) {
          return std::string(Derived::kTypeName) + "[index " + std::to_string(culprit) + ": " +
                 detail::AnyUnsafe::GetMismatchTypeInfo<T>((*seq)[culprit]) + "]";
        }
      }
    }
    return TypeTraitsBase::GetMismatchTypeInfo(src);
  }

  /*! \brief Text about the first element that cannot be converted. */
  static std::string GetOverflowInfo(const TVMFFIAny* src) {
    if constexpr (!std::is_same_v<T, Any>) {
      if (!IsSequence(src)) return std::string();
      const SeqBaseObj* seq = Seq(src);
      for (size_t i = 0; i < seq->size(); ++i) {
        Any element = (*seq)[static_cast<int64_t>(i)];
        if (element.template try_cast<T>().has_value()) continue;
        std::string text = detail::AnyUnsafe::OverflowInfo<T>(element);
        return text.empty() ? text : "index " + std::to_string(i) + ": " + text;
      }
    }
    return std::string();
  }

  static std::string TypeStr() { return detail::ContainerTypeStr<T>(Derived::kTypeName); }
  static std::string TypeSchema() {
    return std::string(R"({"type":"ffi.)") + Derived::kTypeName + R"(","args":[)" +
           detail::TypeSchema<T>::v() + "]}";
  }

 private:
  static bool IsSequence(const TVMFFIAny* src) {
    return src->type_index == Derived::kPrimaryTypeIndex ||
           src->type_index == Derived::kOtherTypeIndex;
  }

  static const SeqBaseObj* Seq(const TVMFFIAny* src) {
    // Array and List share the layout; which of the two it is does not matter for reading.
    return static_cast<const SeqBaseObj*>(
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(src->v_obj));
  }

  static bool AllStrict(const SeqBaseObj* seq) {
    if constexpr (!std::is_same_v<T, Any>) {
      for (size_t i = 0; i < seq->size(); ++i) {
        if (!detail::AnyUnsafe::CheckAnyStrict<T>((*seq)[static_cast<int64_t>(i)])) return false;
      }
    }
    return true;
  }
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_SEQ_TRAITS_H_
