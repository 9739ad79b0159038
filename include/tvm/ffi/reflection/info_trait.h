// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/info_trait.h
 * \brief The trailing arguments of `def`, `def_ro` and so on: metadata, defaults, flags.
 */
#ifndef TVM_FFI_REFLECTION_INFO_TRAIT_H_
#define TVM_FFI_REFLECTION_INFO_TRAIT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/arg_names.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/method_wrap.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace tvm::ffi::reflection {

/*! \brief Entries that follow `type_schema` in a metadata text, in order. */
using _MetadataType = detail::MetadataEntries;

/*! \brief A field while it is being described; `metadata_` becomes the metadata text. */
struct FieldInfoBuilder : public TVMFFIFieldInfo {
  _MetadataType metadata_;
};

/*! \brief A method or global function while it is being described. */
struct MethodInfoBuilder : public TVMFFIMethodInfo {
  _MetadataType metadata_;
};

/*!
 * \brief Further metadata: `Metadata{{"min", 0}, {"unit", "ms"}}`; int, bool or string values.
 *
 * The setter of a field with `{"not_null", true}` refuses None, also if its class can be null.
 */
class Metadata : public InfoTrait {
 public:
  /*! \brief The type of the metadata. */
  using _MetadataType = reflection::_MetadataType;

  explicit Metadata(std::initializer_list<std::pair<String, Any>> entries) : entries_(entries) {}

  void Apply(FieldInfoBuilder* info) const { Append(&info->metadata_); }
  void Apply(MethodInfoBuilder* info) const { Append(&info->metadata_); }

 private:
  void Append(_MetadataType* out) const {
    out->insert(out->end(), entries_.begin(), entries_.end());
  }

  _MetadataType entries_;
};

/*! \brief Marks a function that is short and never blocks: a language binding may keep the lock of
 * its interpreter (in Python the GIL) during the call. */
class short_call : public InfoTrait {
 public:
  void Apply(MethodInfoBuilder* info) const { info->flags |= kTVMFFIMethodFlagBitMaskShortCall; }
};

/*! \brief Default of a field: the value itself. */
class DefaultValue : public InfoTrait {
 public:
  explicit DefaultValue(Any value) : value_(std::move(value)) {}
  void Apply(FieldInfoBuilder* info) const {
    info->default_value_or_factory = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value_);
    info->flags |= kTVMFFIFieldFlagBitMaskHasDefault;
  }

 private:
  Any value_;
};
/*! \brief The published name of DefaultValue. */
using default_value = DefaultValue;
/*! \brief A shorter name of DefaultValue. */
using default_ = DefaultValue;

/*! \brief Default of a field: the result of a function without parameters, which is called for each
 * object. */
class DefaultFactory : public InfoTrait {
 public:
  explicit DefaultFactory(Function factory) : factory_(std::move(factory)) {}
  /*! \brief Make a factory from any callable without parameters. */
  template <typename F,
            typename = std::enable_if_t<!std::is_convertible_v<F, Function> &&
                                        !std::is_base_of_v<DefaultFactory, std::decay_t<F>> &&
                                        std::is_invocable_v<std::decay_t<F>&>>>
  explicit DefaultFactory(F&& factory) : factory_(Function::FromTyped(std::forward<F>(factory))) {}

  void Apply(FieldInfoBuilder* info) const {
    info->default_value_or_factory = AnyView(factory_).CopyToTVMFFIAny();
    info->flags |= kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  }

 private:
  Function factory_;
};
/*! \brief The published name of DefaultFactory. */
using default_factory = DefaultFactory;

/*! \brief Adds flags (TVMFFIFieldFlagBitMask) to a field. */
class AttachFieldFlag : public InfoTrait {
 public:
  explicit AttachFieldFlag(int32_t flag) : flag_(flag) {}

  /*! \brief For structural equality, the field opens a pattern definition region. */
  static AttachFieldFlag SEqHashDefPattern() {
    return AttachFieldFlag(kTVMFFIFieldFlagBitMaskSEqHashDefPattern);
  }
  /*! \brief For structural equality, the field opens a simple definition region. */
  static AttachFieldFlag SEqHashDefSimple() {
    return AttachFieldFlag(kTVMFFIFieldFlagBitMaskSEqHashDefSimple);
  }
  /*! \brief Structural equality and structural hash ignore the field. */
  static AttachFieldFlag SEqHashIgnore() {
    return AttachFieldFlag(kTVMFFIFieldFlagBitMaskSEqHashIgnore);
  }

  void Apply(TVMFFIFieldInfo* info) const { info->flags |= flag_; }

 private:
  int32_t flag_;
};

namespace detail {

/*! \brief A trait with a bool value; it adds `kFlag` to a field if the value is `kWhen`. */
template <int64_t kFlag, bool kWhen>
class FlagTrait : public InfoTrait {
 public:
  explicit FlagTrait(bool value) : value_(value) {}
  void Apply(TVMFFIFieldInfo* info) const {
    if (value_ == kWhen) info->flags |= kFlag;
  }

 private:
  bool value_;
};

}  // namespace detail

/*! \brief Whether the generic repr shows a field. */
class repr : public detail::FlagTrait<kTVMFFIFieldFlagBitMaskReprOff, false> {
 public:
  using FlagTrait::FlagTrait;
};
/*! \brief Whether recursive comparison reads a field. */
class compare : public detail::FlagTrait<kTVMFFIFieldFlagBitMaskCompareOff, false> {
 public:
  using FlagTrait::FlagTrait;
};
/*! \brief Whether recursive hashing reads a field. */
class hash : public detail::FlagTrait<kTVMFFIFieldFlagBitMaskHashOff, false> {
 public:
  using FlagTrait::FlagTrait;
};
/*! \brief Whether a field is a keyword-only parameter of the automatic constructor. */
class kw_only : public detail::FlagTrait<kTVMFFIFieldFlagBitMaskKwOnly, true> {
 public:
  using FlagTrait::FlagTrait;
};

/*!
 * \brief `init<Args...>()` as argument of `def` exposes the constructor with these parameters.
 * `init(false)` as argument of a field removes the field from the automatic constructor; as
 * argument of ObjectDef it removes the automatic constructor.
 */
template <typename... Args>
class init : public InfoTrait {
 public:
  constexpr init() = default;
  constexpr explicit init(bool value) : value_(value) {}

  /*! \brief Return whether a constructor is requested. */
  constexpr bool value() const { return value_; }

  void Apply(TVMFFIFieldInfo* info) const {
    if (!value_) info->flags |= kTVMFFIFieldFlagBitMaskInitOff;
  }

 private:
  bool value_ = true;
};
init(bool) -> init<>;

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_REFLECTION_INFO_TRAIT_H_
