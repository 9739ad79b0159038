// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/overload.h
 * \brief Registers types whose methods and constructors are overloaded.
 */
#ifndef TVM_FFI_REFLECTION_OVERLOAD_H_
#define TVM_FFI_REFLECTION_OVERLOAD_H_

#include <tvm/ffi/detail/overload_set.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi::reflection {

/*!
 * \brief ObjectDef in which several `def`, `def_static` or `init` may share a name.
 *
 * These overloads form one function. A call selects the first overload, in order of registration,
 * that has as many parameters as there are arguments and to which every argument converts. Each
 * overload has its own method record, with its own schema and documentation.
 */
template <typename Class>
class OverloadObjectDef : private ObjectDef<Class> {
 public:
  /*! \brief The builder of classes without overloads. */
  using Super = ObjectDef<Class>;

  /*! \copydoc ObjectDef::ObjectDef */
  template <typename... Extra>
  explicit OverloadObjectDef(Extra&&... extra) : Super(std::forward<Extra>(extra)...) {}

  /*! \copydoc ObjectDef::def_ro */
  template <typename T, typename BaseClass, typename... Extra>
  OverloadObjectDef& def_ro(const char* name, T BaseClass::* field, Extra&&... extra) {
    Super::def_ro(name, field, std::forward<Extra>(extra)...);
    return *this;
  }
  /*! \copydoc ObjectDef::def_rw */
  template <typename T, typename BaseClass, typename... Extra>
  OverloadObjectDef& def_rw(const char* name, T BaseClass::* field, Extra&&... extra) {
    Super::def_rw(name, field, std::forward<Extra>(extra)...);
    return *this;
  }

  /*! \brief Register an overload of a method; parameters as for ObjectDef::def. */
  template <typename Func, typename... Extra>
  OverloadObjectDef& def(const char* name, Func&& func, Extra&&... extra) {
    AddOverload(name, 0, std::forward<Func>(func), extra...);
    return *this;
  }
  /*! \brief Register an overload of a static method; parameters as for ObjectDef::def_static. */
  template <typename Func, typename... Extra>
  OverloadObjectDef& def_static(const char* name, Func&& func, Extra&&... extra) {
    AddOverload(name, kTVMFFIFieldFlagBitMaskIsStaticMethod, std::forward<Func>(func), extra...);
    return *this;
  }
  /*! \brief Register a constructor; parameters as for ObjectDef::def. */
  template <typename... Args, typename... Extra>
  OverloadObjectDef& def([[maybe_unused]] init<Args...> constructor, Extra&&... extra) {
    const char* name = type_attr::kInit.name;
    Function func = AddOverload(name, kTVMFFIFieldFlagBitMaskIsStaticMethod,
                                &detail::MakeByInit<Class, Args...>, extra...);
    if (!has_init_) this->template RegisterInitAttr<Args...>(func);
    has_init_ = true;
    return *this;
  }

 private:
  struct Entry {
    Function func;
    /*! \brief The packed callable that `func` contains and owns. */
    detail::OverloadSet* overloads;
  };

  template <typename Func, typename... Extra>
  Function AddOverload(const char* name, int64_t flags, Func&& func, const Extra&... extra) {
    using Wrap = detail::MethodWrap<std::decay_t<Func>>;
    using FType = typename Wrap::FType;
    using TCallable = std::decay_t<decltype(Wrap::Wrap(std::forward<Func>(func)))>;
    Entry& entry = FindOrAdd(name);
    entry.overloads->Add(std::make_unique<detail::TypedOverload<TCallable, FType>>(
        Wrap::Wrap(std::forward<Func>(func))));
    this->RegisterMethod(name, flags, entry.func, &detail::FunctionInfo<FType>::TypeSchema,
                         extra...);
    return entry.func;
  }

  Entry& FindOrAdd(const char* name) {
    auto it = entries_.find(name);
    if (it == entries_.end()) {
      auto [func, overloads] = Function::FromPackedInplace<detail::OverloadSet>(
          detail::QualifiedName(Class::_type_key, name));
      it = entries_.emplace(name, Entry{std::move(func), overloads}).first;
    }
    return it->second;
  }

  std::map<std::string, Entry> entries_;
  bool has_init_ = false;
};

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_REFLECTION_OVERLOAD_H_
