// SPDX-License-Identifier: Apache-2.0
// Test the C++ functions of the dataclass operations, and printing into streams.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/tvm_ffi.h>

#include <sstream>
#include <string>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

struct PairObj : public Object {
  int64_t first = 1;
  Any second;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_dataclass.Pair", PairObj, Object);
};

class Pair : public ObjectRef {
 public:
  explicit Pair(Any second) {
    auto object = make_object<PairObj>();
    object->second = std::move(second);
    data_ = std::move(object);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, ObjectRef, PairObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PairObj>().def_rw("first", &PairObj::first).def_rw("second", &PairObj::second);
}

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Dataclass, ReprPrintIsTheGlobalFunction) {
  Any value = Array<Any>{1, String("x"), Pair(2)};
  EXPECT_EQ(std::string(ReprPrint(value)),
            Function::GetGlobalRequired("ffi.ReprPrint")(value).cast<std::string>());
  EXPECT_EQ(std::string(ReprPrint(value)), "(1, \"x\", test_dataclass.Pair(first=1, second=2))");
}

// spec: Q02
TEST(Dataclass, StreamsPrintValues) {
  EXPECT_EQ(Printed(Any()), "None");
  EXPECT_EQ(Printed(Any(String("x"))), "\"x\"");
  EXPECT_EQ(Printed(Pair(List<Any>{1})), "test_dataclass.Pair(first=1, second=[1])");
  EXPECT_EQ(Printed(ObjectRef(Pair(1))), "test_dataclass.Pair(first=1, second=1)");
  EXPECT_EQ(Printed(Pair()), "None");
  EXPECT_EQ(Printed(Array<Any>{1}), "(1,)");
}

// spec: Q02
TEST(Dataclass, StreamsPrintVariantsAndOptionals) {
  using IntOrText = Variant<int, String>;
  EXPECT_EQ(Printed(IntOrText(1)), "1");
  EXPECT_EQ(Printed(IntOrText(String("x"))), "\"x\"");
  EXPECT_EQ(Printed(Optional<int>(1)), "1");
  EXPECT_EQ(Printed(Optional<int>()), "None");
  EXPECT_EQ(Printed(Optional<Pair>(Pair(1))), "test_dataclass.Pair(first=1, second=1)");
  EXPECT_EQ(Printed(Optional<Pair>()), "None");
}

// `stream << value` prints a String or a Shape with the operator<< of its class, not as ReprPrint
// does.
// spec: Q02
TEST(Dataclass, StringsAndShapesKeepTheirForm) {
  EXPECT_EQ(Printed(String("x")), "x");
  EXPECT_EQ(Printed(Shape({1, 2})), "[1, 2]");
}

TEST(Dataclass, AMillionLevelsArePrinted) {
  constexpr int kDepth = 1000000;
  Any chain = 1;
  for (int i = 0; i < kDepth; ++i) chain = List<Any>{chain};
  EXPECT_EQ(std::string(ReprPrint(chain)),
            std::string(kDepth, '[') + "1" + std::string(kDepth, ']'));
}

TEST(Dataclass, TooManyLevelsAreNotPrinted) {
  Any chain = 1;
  for (int i = 0; i < (1 << 20) + 1; ++i) chain = List<Any>{chain};
  EXPECT_ERROR(ReprPrint(chain), "ValueError", "ReprPrint: maximum stack depth (1048576) exceeded");
}

}  // namespace
