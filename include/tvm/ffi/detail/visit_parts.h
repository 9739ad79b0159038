// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/visit_parts.h
 * \brief Visit of the parts of one value, with the hook of its type or one by one.
 *
 * Used by extra/structural_visit.h.
 */
#ifndef TVM_FFI_DETAIL_VISIT_PARTS_H_
#define TVM_FFI_DETAIL_VISIT_PARTS_H_

#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/detail/c_stack.h>
#include <tvm/ffi/detail/graph_walk.h>
#include <tvm/ffi/detail/structural_hook.h>
#include <tvm/ffi/extra/structural_visit.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tvm::ffi::detail {

inline constexpr const char* kVisitOperation = "StructuralVisit";

/*! \brief The number of nested visits after which a visitor with callbacks continues on an explicit
 * stack. */
inline constexpr int kMaxNestedVisits = 100;
/*! \brief The number of nested visits from which each visit checks how much C stack is left. */
inline constexpr int kMaxUncheckedVisits = 32;

/*!
 * \brief Return the hook that visits the parts of objects of a type, or NULL if there is none.
 *
 * For a container, the result is NULL: its hook is for visitors of other libraries, and does the
 * same as the functions in this file.
 */
TVM_FFI_INLINE const TVMFFIAny* FindVisitHook(int32_t type_index) {
  static const TVMFFITypeAttrColumn* const column = GetTypeAttrColumnOrNull("__s_visit__", 11);
  return IsContainer(type_index) ? nullptr : FindTypeAttr(column, type_index);
}

inline TVMFFIAny CallVisitHook(const TVMFFIAny& hook, StructuralVisitorObj* visitor,
                               AnyView value) {
  CheckCStack(kVisitOperation);
  using Hook = StructuralHook<Optional<VisitInterrupt>(StructuralVisitorObj*, AnyView)>;
  // runs foreign code
  return ExpectedUnsafe::MoveToTVMFFIAny(Hook::CallExpected(
      hook, "__s_visit__ must be an opaque function pointer or ffi.Function", visitor, value));
}

/*! \brief Return `result`, the result of the visit of `value` or of its parts. If `result` is an
 * error, record `value` in the error. */
TVM_FFI_INLINE TVMFFIAny RecordedVisit(const TVMFFIAny& result, AnyView value) {
  if (result.type_index == TypeIndex::kTVMFFIError) UpdateVisitErrorContext(result, value);
  return result;
}

// The callers of VisitElements(), VisitEntries() and VisitFields() hold a reference to `object`,
// see NeedsSecondRef(). Because of that reference, foreign code copies an array or a map before a
// change, so arrays and maps do not change during the visit. Lists and objects can change, so the
// functions hold the element or field value that is being visited. VisitEntries() copies all values
// of a dict before it visits the first value.

inline TVMFFIAny VisitElements(StructuralVisitorObj* visitor, TVMFFIObject* object) {
  const SeqBaseObj* elements = AsSequence(object);
  const bool is_loose = object->type_index == TypeIndex::kTVMFFIList;
  for (size_t i = 0; i < elements->size(); ++i) {  // foreign code may change the length
    const Any& element = elements->begin()[i];
    Any kept;
    if (is_loose) kept = element;
    TVMFFIAny result = StructuralVisitorUnsafe::Visit(visitor, element);  // runs foreign code
    if (StopsVisit(result)) return result;
  }
  return NoneResult();
}

inline TVMFFIAny VisitEntries(StructuralVisitorObj* visitor, TVMFFIObject* object) {
  const MapBaseObj* mapping = AsMapping(object);
  std::vector<Any> values;
  if (object->type_index == TypeIndex::kTVMFFIDict) {
    values.reserve(mapping->size());
    for (auto it = mapping->begin(); it != mapping->end(); ++it) values.push_back(it->second);
    for (const Any& value : values) {
      TVMFFIAny result = StructuralVisitorUnsafe::Visit(visitor, value);  // runs foreign code
      if (StopsVisit(result)) return result;
    }
    return NoneResult();
  }
  for (auto it = mapping->begin(); it != mapping->end(); ++it) {
    TVMFFIAny result = StructuralVisitorUnsafe::Visit(visitor, it->second);  // runs foreign code
    if (StopsVisit(result)) return result;
  }
  return NoneResult();
}

inline TVMFFIAny VisitFields(StructuralVisitorObj* visitor, TVMFFIObject* object,
                             const FieldPlan& plan) {
  TVMFFIDefRegionKind* mode = StructuralVisitorUnsafe::DefRegionMode(visitor);
  DefRegionScope scope(mode, *mode);
  const TVMFFIDefRegionKind inside =
      *mode == kTVMFFIDefRegionKindSimple ? DefRegionInside(*mode, plan.kind()) : *mode;
  for (const PlannedField& field : plan.fields) {
    if ((field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    Any part = ReadOwnedField(field, object);
    *mode = DefRegionOfField(inside, field.flags);
    TVMFFIAny result = StructuralVisitorUnsafe::Visit(visitor, part);  // runs foreign code
    if (StopsVisit(result)) return result;
  }
  return NoneResult();
}

/*! \brief Visit the parts of an object one by one with the visitor. */
inline TVMFFIAny VisitEachPart(StructuralVisitorObj* visitor, TVMFFIObject* object) {
  const bool is_container = IsContainer(object->type_index);
  if (is_container && ContainerSize(object) == 0) return NoneResult();
  const FieldPlan* plan = is_container ? nullptr : &GetFieldPlan(object->type_index);
  if (plan != nullptr && plan->fields.empty()) return NoneResult();
  Any owner;
  if (NeedsSecondRef(object)) owner = AnyView::CopyFromTVMFFIAny(ObjectValue(object));
  if (plan != nullptr) return VisitFields(visitor, object, *plan);
  return IsSequence(object->type_index) ? VisitElements(visitor, object)
                                        : VisitEntries(visitor, object);
}

/*! \brief Do the same as VisitParts(), for a caller that has checked the C stack. */
inline TVMFFIAny VisitPartsUnchecked(StructuralVisitorObj* visitor, AnyView value) noexcept {
  return CallToOwned([&]() -> TVMFFIAny {
    TVMFFIAny bits = value.CopyToTVMFFIAny();
    if (!IsObjectValue(bits)) return NoneResult();
    if (const TVMFFIAny* hook = FindVisitHook(bits.type_index)) {
      return CallVisitHook(*hook, visitor, value);
    }
    return VisitEachPart(visitor, bits.v_obj);
  });
}

TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline TVMFFIAny NoCStackForVisit() noexcept {
  return CallToOwned([]() -> TVMFFIAny { ThrowNoCStack(kVisitOperation); });
}

inline TVMFFIAny VisitParts(StructuralVisitorObj* visitor, AnyView value) noexcept {
  if (TVM_FFI_PREDICT_FALSE(!CStackHasSpace())) return NoCStackForVisit();
  return VisitPartsUnchecked(visitor, value);
}

inline TVMFFIAny VisitReflectedFields(StructuralVisitorObj* visitor,
                                      const Object* object) noexcept {
  return CallToOwned([&]() -> TVMFFIAny {
    TVMFFIObject* header = ObjectUnsafe::GetHeader(object);
    if (header == nullptr || IsContainer(header->type_index)) return NoneResult();
    CheckCStack(kVisitOperation);
    return VisitEachPart(visitor, header);
  });
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_VISIT_PARTS_H_
