// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/one_of.h
 * \brief A trait for fields that accept only certain texts, integers or bools.
 */
#ifndef TVM_FFI_REFLECTION_ONE_OF_H_
#define TVM_FFI_REFLECTION_ONE_OF_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/info_trait.h>
#include <tvm/ffi/string.h>

#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tvm::ffi::reflection {

namespace detail {

/*! \brief The values that a field accepts. */
class AllowedValues {
 public:
  AllowedValues() = default;
  AllowedValues(std::string field, std::vector<Any> values)
      : field_(std::move(field)), values_(std::move(values)) {}

  /*!
   * \brief Check a value; check each element of a sequence.
   * \throws Error ValueError if the field does not accept the value. A value whose kind none of the
   *         accepted values has is accepted: the type of the field has decided about it.
   */
  void Check(const Any& value) const {
    std::vector<Any> left;
    std::unordered_set<const Object*> seen;  // sequences may be nested deep, or contain themselves
    for (Any one = value;; one = std::move(left.back()), left.pop_back()) {
      if (const SeqBaseObj* sequence = SequenceOf(one)) {
        if (seen.insert(sequence).second) {
          left.insert(left.end(), std::reverse_iterator(sequence->end()),
                      std::reverse_iterator(sequence->begin()));
        }
      } else if (!Contains(one)) {
        Refuse(one);
      }
      if (left.empty()) return;
    }
  }

 private:
  static const SeqBaseObj* SequenceOf(const Any& value) {
    int32_t index = value.type_index();
    if (index != TypeIndex::kTVMFFIArray && index != TypeIndex::kTVMFFIList) return nullptr;
    return tvm::ffi::detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(
        tvm::ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)->v_obj);
  }

  static int32_t KindOf(const Any& value) {
    int32_t index = value.type_index();
    return index == TypeIndex::kTVMFFISmallStr ? TypeIndex::kTVMFFIStr : index;
  }

  bool Contains(const Any& value) const {
    bool is_of_known_kind = false;
    for (const Any& one : values_) {
      if (KindOf(one) != KindOf(value)) continue;
      if (AnyEqual()(one, value)) return true;
      is_of_known_kind = true;
    }
    return !is_of_known_kind;
  }

  [[noreturn]] TVM_FFI_COLD_CODE void Refuse(const Any& value) const {
    std::string allowed;
    for (const Any& one : values_) allowed += (allowed.empty() ? "" : ", ") + Text(one);
    TVM_FFI_THROW(ValueError) << "expected Literal[" << allowed << "], got " << Text(value)
                              << " for field `" << field_ << "`";
    TVM_FFI_UNREACHABLE();
  }

  static std::string Text(const Any& value) {
    if (std::optional<String> text = value.as<String>()) return "'" + std::string(*text) + "'";
    if (KindOf(value) == TypeIndex::kTVMFFIBool) return value.cast<bool>() ? "True" : "False";
    return std::to_string(value.cast<int64_t>());
  }

  std::string field_;
  std::vector<Any> values_;
};

template <typename Member>
struct MemberTypeOf;
template <typename T, typename Class>
struct MemberTypeOf<T Class::*> {
  using type = T;
};

}  // namespace detail

/*!
 * \brief The setter of a field refuses other values than these: texts, integers or bools.
 *
 * `def_rw("mode", &Node::mode, one_of<&Node::mode>("up", "down"))`. In a sequence, each element
 * must be one of the values; an Optional may also be absent.
 */
template <auto kMember>
class one_of : public InfoTrait {
 public:
  template <typename... Values>
  explicit one_of(const Values&... values) : values_{Any(values)...} {}

  void Apply(FieldInfoBuilder* info) const {
    allowed_ = {std::string(info->name.data, info->name.size), values_};
    info->setter = reinterpret_cast<void*>(static_cast<TVMFFIFieldSetter>(&Set));
  }

  /*!
   * \brief Check a value of the field in C++ code of the library that registers the field.
   * \throws Error ValueError if the field does not accept the value.
   */
  static void Check(const typename detail::MemberTypeOf<decltype(kMember)>::type& value) {
    allowed_.Check(Any(value));
  }

 private:
  static int Set(void* field, const TVMFFIAny* value) {
    using T = typename detail::MemberTypeOf<decltype(kMember)>::type;
    TVM_FFI_SAFE_CALL_BEGIN();
    T converted = AnyView::CopyFromTVMFFIAny(*value).template cast<T>();
    Check(converted);
    *static_cast<T*>(field) = std::move(converted);
    TVM_FFI_SAFE_CALL_END();
  }

  // Written before the field is registered, and only read afterwards.
  static inline detail::AllowedValues allowed_;
  std::vector<Any> values_;
};

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_REFLECTION_ONE_OF_H_
