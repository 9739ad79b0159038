# SPDX-License-Identifier: Apache-2.0
"""Two examples of classes in the classic style: `IntImm` in whole files, `GlobalVar` in place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import core, libinfo
from tvm_ffi_schema.build import toolchain

needs_compiler = pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")

INT_IMM = '''
from tvm_ffi_schema import declare, module, ty, Object

__tschema__ = module(namespace="%(namespace)s", type_key_prefix="%(prefix)s", closed=True)


@declare
class BaseExprNode(Object):
    """
    Base type of all the expression.

    See Also
    --------
    BaseExpr
    """
    type_key = "BaseExpr"
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False


@declare
class PrimExprNode(BaseExprNode):
    """
    Base of primitive expressions.

    Attributes
    ----------
    dtype
        The data type.
    """
    type_key = "PrimExpr"
    dtype: ty.DataType


@declare
class IntImmNode(PrimExprNode):
    """
    Constant integer literals in the program.

    See Also
    --------
    IntImm

    Attributes
    ----------
    value
        The internal value.
    """
    type_key = "IntImm"
    value: ty.int64_t
'''

GLOBAL_VAR = '''
from tvm_ffi_schema import declare, field, module, ty, Object

__tschema__ = module(namespace="demo", header="demo/var.h", source="src/var.cc")


@declare
class RelayExprNode(Object):
    """Base of all expressions with a place and a type."""
    type_key = "RelayExpr"
    span: ty.ObjectRef = field(init=False, structural_eq="ignore")
    checked_type_: ty.ObjectRef = field(init=False, structural_eq="ignore")


@declare
class GlobalVarNode(RelayExprNode):
    """
    Global variable that lives in the top-level module.

    A GlobalVar only refers to function definitions. This is used to enable recursive calls
    between function.

    See Also
    --------
    GlobalVarNode

    Attributes
    ----------
    name_hint
        The name of the variable, this only acts as a hint.
    """
    type_key = "GlobalVar"%(kind)s
    default_sequal_reduce = False
    default_shash_reduce = False
    name_hint: ty.String
'''

CLASSIC_BEFORE = """\
// tschema: GlobalVarNode
// tschema: custom-begin
bool SEqualReduce(const GlobalVarNode* other, SEqualReducer equal) const {
  return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
}
void SHashReduce(SHashReducer hash_reduce) const {
  hash_reduce(name_hint);
  hash_reduce.FreeVarHashImpl(this);
}
// tschema: custom-end
// tschema: end
"""

# The C++ file after `generate`, which qualified names with the namespace of the runtime and added
# the members that the modern runtime needs.
CLASSIC_AFTER = """\
// tschema: GlobalVarNode
/*!
 * \\brief Global variable that lives in the top-level module.
 *
 * A GlobalVar only refers to function definitions. This is used to enable recursive calls
 * between function.
 * \\sa GlobalVarNode
 */
class GlobalVarNode : public RelayExprNode {
 public:
  /*! \\brief The name of the variable, this only acts as a hint. */
  ffi::String name_hint;

  GlobalVarNode() = default;
  explicit GlobalVarNode(ffi::String name_hint) : name_hint(std::move(name_hint)) {}

  void VisitAttrs(ffi::AttrVisitor* v) {
    v->Visit("span", &span);
    v->Visit("checked_type_", &checked_type_);
    v->Visit("name_hint", &name_hint);
  }

  static constexpr const char* _type_key = "GlobalVar";
  static constexpr const bool _type_has_method_sequal_reduce = true;
  static constexpr const bool _type_has_method_shash_reduce = true;
  static constexpr const uint32_t _type_child_slots = 0;
  TVM_DECLARE_BASE_OBJECT_INFO(GlobalVarNode, RelayExprNode);
// tschema: custom-begin
bool SEqualReduce(const GlobalVarNode* other, SEqualReducer equal) const {
  return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
}
void SHashReduce(SHashReducer hash_reduce) const {
  hash_reduce(name_hint);
  hash_reduce.FreeVarHashImpl(this);
}
// tschema: custom-end
};
// tschema: end
"""


@pytest.mark.spec("SC4", "SC5")
def test_classic_dialect_in_place_with_the_literal_markers(project):
    project.write("schema/var.py", GLOBAL_VAR % {"kind": ""})
    project.write("include/demo/var.h", CLASSIC_BEFORE)
    options = 'mode = "inplace"\ndialect = "classic"\nffi_alias = "ffi"\n'
    project.write("tschema.toml", options)
    assert project.run("generate", "-q") == 0, project.err
    text = project.read("include/demo/var.h")
    assert re.sub(r"(// tschema: end) sum=\w+", r"\1", text) == CLASSIC_AFTER
    assert project.run("check") == 0


@pytest.mark.spec("SC4")
def test_custom_code_is_known_in_the_classic_dialect(project):
    """The C++ declares `_type_has_method_sequal_reduce` only if the member is written by hand."""
    project.write("schema/var.py", GLOBAL_VAR % {"kind": ""})
    without = CLASSIC_BEFORE.replace("SEqualReduce(", "Other(").replace("SHashReduce(", "More(")
    project.write("include/demo/var.h", without)
    options = 'mode = "inplace"\ndialect = "classic"\n'
    project.write("tschema.toml", options)
    assert project.run("generate", "-q") == 0, project.err
    assert "_type_has_method_sequal_reduce" not in project.read("include/demo/var.h")


@pytest.mark.spec("SC89")
@pytest.mark.parametrize("removed", ["SEqualReduce(", "SHashReduce("])
def test_one_of_equality_and_hash_alone_is_found_before_anything_is_written(project, removed):
    project.write("schema/var.py", GLOBAL_VAR % {"kind": ""})
    project.write("include/demo/var.h", CLASSIC_BEFORE.replace(removed, "Other("))
    project.write("tschema.toml", 'mode = "inplace"\ndialect = "classic"\n')
    before = project.files()
    assert project.run("generate") == 1 and "TS418" in project.ids()
    assert project.files() == before


MODERN_BEFORE = """\
#ifndef DEMO_VAR_H_
#define DEMO_VAR_H_
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace demo {
namespace ffi = ::tvm::ffi;

// tschema: RelayExprNode
// tschema: end

// tschema: RelayExpr
// tschema: end

// tschema: GlobalVarNode
// tschema: custom-begin
bool SEqual(const GlobalVarNode* other,
            ffi::TypedFunction<bool(ffi::AnyView, ffi::AnyView, bool, ffi::AnyView)> equal) const {
  return equal(name_hint, other->name_hint, false, "name_hint");
}
int64_t SHash(int64_t init_hash,
              ffi::TypedFunction<int64_t(ffi::AnyView, int64_t, bool)> hash) const {
  return hash(name_hint, init_hash, false);
}
// tschema: custom-end
// tschema: end

// tschema: GlobalVar
// tschema: end
}  // namespace demo
#endif  // DEMO_VAR_H_
"""
MODERN_SOURCE = """\
#include <demo/var.h>
#include <tvm/ffi/reflection/registry.h>

namespace demo {
// tschema: @registration
// tschema: end
}  // namespace demo
"""


@pytest.fixture
def modern(project):
    kind = '\n    structural_eq = "var"'
    project.write("schema/var.py", GLOBAL_VAR % {"kind": kind})
    project.write("include/demo/var.h", MODERN_BEFORE)
    project.write("src/var.cc", MODERN_SOURCE)
    project.write("tschema.toml", 'mode = "inplace"\nffi_alias = "ffi"\n')
    assert project.run("generate", "-q") == 0, project.err
    return project


@pytest.mark.spec("SC5", "SC32")
def test_modern_dialect_in_place(modern):
    header = modern.read("include/demo/var.h")
    custom = MODERN_BEFORE[
        MODERN_BEFORE.index("bool SEqual") : MODERN_BEFORE.index("// tschema: custom-end")
    ]
    assert custom in header
    assert header.index(custom) < header.index("};\n// tschema: end", header.index(custom))
    assert "kTVMFFISEqHashKindFreeVar" in header
    assert '.def("__s_equal__", &GlobalVarNode::SEqual)' in modern.read("src/var.cc")
    before = modern.files()
    assert modern.run("generate", "--normalize") == 0
    assert modern.files() == before


@pytest.mark.spec("SC6", "SC32")
@needs_compiler
def test_modern_dialect_in_place_compiles(modern):
    modern.compile("src/var.cc")


USE = """\
#include <demo/imm.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/reflection/registry.h>
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  using ::tvm::ffi::ObjectRef;
  refl::GlobalDef()
      .def("%(prefix)smake", [](int64_t v) { return demo::IntImm(DLDataType{0, 64, 1}, v); })
      .def("%(prefix)svalue", [](demo::IntImm imm) { return imm->value; })
      .def("%(prefix)sis_prim", [](ObjectRef x) { return x.as<demo::PrimExprNode>() != nullptr; });
}
"""


@pytest.mark.spec("SC1", "SC2", "SC3", "SC13", "SC36", "SC72")
@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_whole_files_compile_load_and_make_objects(project, dialect):
    if (
        dialect == "classic"
        and not Path(libinfo.find_include_path(), "tvm/ffi/compat/classic.h").exists()
    ):
        pytest.skip("there is no compat/classic.h yet")
    prefix = f"test.schema.{dialect}."
    project.write("schema/imm.py", INT_IMM % {"namespace": "demo", "prefix": prefix})
    assert project.run("generate", "-q", "--dialect", dialect) == 0, project.err
    project.write("src/use.cc", USE % {"prefix": prefix})
    project.compile("src/imm.cc", "src/use.cc", output=f"libimm_{dialect}.so")
    library = tvm_ffi.load_module(str(project.root / f"libimm_{dialect}.so"))
    make, value, is_prim = (
        tvm_ffi.get_global_func(prefix + name) for name in ("make", "value", "is_prim")
    )
    assert value(make(41)) == 41
    assert is_prim(make(41)) and not is_prim(tvm_ffi.convert([1]))
    info = core._lookup_or_register_type_info_from_type_key(prefix + "IntImm")
    assert [field.name for field in info.fields] == ["value"]
    assert info.parent_type_info.type_key == prefix + "PrimExpr"
    deep_copy = tvm_ffi.get_global_func("ffi.DeepCopy", allow_missing=True)
    if deep_copy is not None:
        assert value(deep_copy(make(7))) == 7
    equal = tvm_ffi.get_global_func("ffi.StructuralEqual", allow_missing=True)
    if equal is not None:
        assert equal(make(1), make(1), False, False)
        assert not equal(make(1), make(2), False, False)
    del make, value, is_prim, library
