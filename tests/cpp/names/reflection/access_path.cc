// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/access_path.h>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::ObjectRef;
using ffi::String;
using ffi::reflection::AccessKind;
using ffi::reflection::AccessPath;
using ffi::reflection::AccessPathObj;
using ffi::reflection::AccessPathPair;
using ffi::reflection::AccessStep;
using ffi::reflection::AccessStepObj;

SAME_TYPE(std::underlying_type_t<AccessKind>, int32_t);
HOLDS(static_cast<int>(AccessKind::kAttr) == 0 && static_cast<int>(AccessKind::kArrayItem) == 1);
HOLDS(static_cast<int>(AccessKind::kMapItem) == 2 &&
      static_cast<int>(AccessKind::kAttrMissing) == 3);
HOLDS(static_cast<int>(AccessKind::kArrayItemMissing) == 4);
HOLDS(static_cast<int>(AccessKind::kMapItemMissing) == 5);
HOLDS(AccessStepObj::_type_final&& AccessPathObj::_type_final);
HOLDS(AccessStepObj::_type_s_eq_hash_kind == kTVMFFISEqHashKindConstTreeNode);
HAS_TYPE(The<AccessStepObj>().kind, AccessKind);
HAS_TYPE(The<AccessStepObj>().key, Any);
HAS_TYPE(The<const AccessStepObj>().StepEqual(The<const AccessStep>()), bool);
HOLDS(std::is_constructible_v<AccessStep, AccessKind, Any>);
HAS_TYPE(AccessStep::Attr("a"), AccessStep);
HAS_TYPE(AccessStep::AttrMissing("a"), AccessStep);
HAS_TYPE(AccessStep::ArrayItem(1), AccessStep);
HAS_TYPE(AccessStep::ArrayItemMissing(1), AccessStep);
HAS_TYPE(AccessStep::MapItem(1), AccessStep);
HAS_TYPE(AccessStep::MapItemMissing(), AccessStep);
HAS_TYPE(AccessStep::MapItemMissing(1), AccessStep);
HAS_TYPE(The<AccessPathObj>().parent, ffi::Optional<ObjectRef>);
HAS_TYPE(The<AccessPathObj>().step, ffi::Optional<AccessStep>);
HAS_TYPE(The<AccessPathObj>().depth, int32_t);
HAS_TYPE(The<const AccessPathObj>().GetParent(), ffi::Optional<AccessPath>);
HAS_TYPE(The<const AccessPathObj>().Extend(The<AccessStep>()), AccessPath);
HAS_TYPE(The<const AccessPathObj>().Attr("a"), AccessPath);
HAS_TYPE(The<const AccessPathObj>().AttrMissing("a"), AccessPath);
HAS_TYPE(The<const AccessPathObj>().ArrayItem(1), AccessPath);
HAS_TYPE(The<const AccessPathObj>().ArrayItemMissing(1), AccessPath);
HAS_TYPE(The<const AccessPathObj>().MapItem(1), AccessPath);
HAS_TYPE(The<const AccessPathObj>().MapItemMissing(1), AccessPath);
HAS_TYPE(The<const AccessPathObj>().ToSteps(), ffi::Array<AccessStep>);
HAS_TYPE(The<const AccessPathObj>().PathEqual(The<const AccessPath>()), bool);
HAS_TYPE(The<const AccessPathObj>().IsPrefixOf(The<const AccessPath>()), bool);
HAS_TYPE(AccessPath::Root(), AccessPath);
HAS_TYPE(AccessPath::FromSteps(The<const AccessStep*>(), The<const AccessStep*>()), AccessPath);
HAS_TYPE(AccessPath::FromSteps(The<const ffi::Array<AccessStep>>()), AccessPath);
using Pair = ffi::Tuple<AccessPath, AccessPath>;
SAME_TYPE(AccessPathPair, Pair);
