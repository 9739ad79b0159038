// SPDX-License-Identifier: Apache-2.0
// Global functions of structural visits, for language bindings (such as the Python extension). The
// type index of a value selects its callback, which is a Function.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "functions/callbacks.h"
#include "functions/functions.h"
#include "functions/traversal.h"

namespace tvm::ffi::runtime {
namespace {

namespace refl = reflection;

using TypedCallback = Tuple<int64_t, Function>;
using MaybeInterrupt = Optional<VisitInterrupt>;

// ---------------------------------------------------------------- ffi.StructuralWalk

template <WalkOrder order>
class WalkEngine : public detail::VisitEngineBase<StructuralVisitorObj, WalkEngine<order>> {
 public:
  WalkEngine(Callbacks plain, Callbacks with_region)
      : tables_(std::move(plain), std::move(with_region)) {}

 private:
  template <typename, typename>
  friend class detail::VisitEngineBase;

  static constexpr WalkOrder kOrder = order;

  TVMFFIAny CallBack(AnyView value) noexcept {
    TVMFFIAny result =
        tables_.Call(value, this->def_region_mode_, [] { return detail::NoneResult(); });
    if (TVM_FFI_PREDICT_TRUE(result.type_index == kTVMFFINone)) return detail::NoneResult();
    return walk_result(result);
  }

  // Converts the result of a callback to a WalkResult. Returns an Error if it does not convert.
  TVM_FFI_NO_INLINE static TVMFFIAny walk_result(TVMFFIAny result) noexcept {
    return detail::CallToOwned([&]() -> TVMFFIAny {
      Any owned = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(result);
      std::optional<int64_t> tag = owned.as<int64_t>();
      if (tag.has_value() && *tag != WalkResult::kAdvanceTag && *tag != WalkResult::kSkipTag) {
        TVM_FFI_THROW(TypeError) << "CallExpected: result type mismatch, expected WalkResult, but "
                                 << "got " << *tag << ": a callback returns None, "
                                 << "WalkResult.ADVANCE (0), WalkResult.SKIP (1) or a "
                                 << "VisitInterrupt";
      }
      if (std::optional<WalkResult> converted = owned.try_cast<WalkResult>()) {
        return detail::ResultToOwned(*std::move(converted));
      }
      if (owned.type_index() != kTVMFFIError) {
        owned = detail::CallExpectedMismatch(&detail::Type2Str<WalkResult>::v,
                                             &detail::RefusalOf<WalkResult>, owned);
      }
      return detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(owned));
    });
  }

  detail::RegionTables<Callbacks> tables_;
};

MaybeInterrupt structural_walk(AnyView root, const Array<TypedCallback>& callbacks,
                               const Array<TypedCallback>& callbacks_with_region, int64_t order) {
  if (order != static_cast<int64_t>(WalkOrder::kPreOrder) &&
      order != static_cast<int64_t>(WalkOrder::kPostOrder)) {
    TVM_FFI_THROW(ValueError) << "Unknown structural walk order: " << order;
  }
  Callbacks plain("ffi.StructuralWalk", callbacks);
  Callbacks with_region("ffi.StructuralWalk", callbacks_with_region);
  if (order == static_cast<int64_t>(WalkOrder::kPreOrder)) {
    return detail::VisitByEngine<WalkEngine<WalkOrder::kPreOrder>>(root, std::move(plain),
                                                                   std::move(with_region))
        .value();
  }
  return detail::VisitByEngine<WalkEngine<WalkOrder::kPostOrder>>(root, std::move(plain),
                                                                  std::move(with_region))
      .value();
}

// ---------------------------------------------------------------- ffi.StructuralVisit

class VisitEngine : public detail::VisitEngineBase<StructuralVisitorObj, VisitEngine> {
 public:
  explicit VisitEngine(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  void EndTraversal() { callbacks_.release(); }

 private:
  template <typename, typename>
  friend class detail::VisitEngineBase;

  static constexpr WalkOrder kOrder = WalkOrder::kPreOrder;

  TVMFFIAny CallBack(AnyView value) noexcept {
    return detail::CallToOwned([&]() -> TVMFFIAny {
      const Callback* found = callbacks_.find(value);
      if (found == nullptr) return detail::NoneResult();
      Callback callback = *found;  // a copy: another thread may call EndTraversal() meanwhile
      TVMFFIAny result = detail::ResultToOwned(callback.function.CallExpected<MaybeInterrupt>(
          value, static_cast<StructuralVisitorObj*>(this)));
      if (detail::StopsVisit(result)) return result;
      return AnyView(WalkResult::kSkipTag).CopyToTVMFFIAny();
    });
  }

  Callbacks callbacks_;
};

MaybeInterrupt structural_visit(AnyView root, const Array<TypedCallback>& callbacks) {
  return detail::VisitByEngine<VisitEngine>(root, Callbacks("ffi.StructuralVisit", callbacks))
      .value();
}

// ---------------------------------------------------------------- the visitor's methods

// The hook `__s_visit__` of containers, for visitors of other libraries that call it.
TVMFFIAny visit_container(StructuralVisitorObj* visitor, AnyView value) noexcept {
  return detail::CallToOwned([&]() -> TVMFFIAny {
    if (!detail::IsContainer(value.type_index())) {
      TVM_FFI_THROW(TypeError) << "Cannot visit `" << detail::TypeNameInText(value.type_index())
                               << "` as a container";
    }
    detail::CheckCStack(detail::kVisitOperation);
    return detail::VisitEachPart(visitor, value.CopyToTVMFFIAny().v_obj);
  });
}

void register_types() {
  refl::ObjectDef<VisitInterruptObj>(refl::init(false))
      .def_ro("value", &VisitInterruptObj::value, refl::DefaultValue(nullptr));
  refuse_copies<StructuralVisitorObj>();
  TVMFFIAny hook{};
  hook.type_index = kTVMFFIOpaquePtr;
  hook.v_ptr = reinterpret_cast<void*>(visit_container);
  AnyView visit = AnyView::CopyFromTVMFFIAny(hook);
  const char* name = type_attr::kStructuralVisit.name;
  refl::TypeAttrDef<ArrayObj>().def(name, visit);
  refl::TypeAttrDef<ListObj>().def(name, visit);
  refl::TypeAttrDef<MapObj>().def(name, visit);
  refl::TypeAttrDef<DictObj>().def(name, visit);
}

}  // namespace

void register_structural_visit_functions() {
  register_types();
  ShortDef()
      .def("ffi.VisitInterrupt", [](Any value) { return VisitInterrupt(std::move(value)); })
      .def("ffi.StructuralWalk", structural_walk)
      .def("ffi.StructuralVisit", structural_visit)
      .def("ffi.StructuralVisitorVisit",
           [](const StructuralVisitor& visitor, AnyView value) {
             return writable(visitor)->Visit(value);
           })
      .def("ffi.StructuralVisitorDefaultVisit",
           [](const StructuralVisitor& visitor, AnyView value) {
             return writable(visitor)->DefaultVisitExpected(value).value();
           })
      .def("ffi.StructuralVisitorDefRegionKind",
           [](const StructuralVisitor& visitor) {
             return static_cast<int64_t>(visitor->def_region_kind());
           })
      .def("ffi.StructuralVisitorWithDefRegionKind", with_def_region_kind<StructuralVisitor>);
}

}  // namespace tvm::ffi::runtime
