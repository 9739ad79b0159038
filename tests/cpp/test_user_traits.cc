// SPDX-License-Identifier: Apache-2.0
// Test the ways to define TypeTraits for a user's type, in values, containers and functions.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sample_objects.h"

namespace recipes {
using namespace tvm::ffi;

/*! \brief (a) An ObjectRef class; the conversion to it checks the content of the object. */
class Positive : public ObjectRef {
 public:
  explicit Positive(int64_t value) : ObjectRef(make_object<sample::IntObj>(value)) {}
  static constexpr bool _type_container_is_exact = false;
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Positive, ObjectRef, sample::IntObj);
};

class TextObj : public Object {
 public:
  explicit TextObj(std::string text) : text(std::move(text)) {}
  std::string text;
  TVM_FFI_DECLARE_OBJECT_INFO("test.traits.Text", TextObj, Object);
};
/*! \brief (b) An ObjectRef class to which values of other types convert. */
class Text : public ObjectRef {
 public:
  explicit Text(std::string text) : ObjectRef(make_object<TextObj>(std::move(text))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Text, ObjectRef, TextObj);
};
/*! \brief A class like Text for which the default traits of ObjectRef classes are disabled. */
class OwnText : public ObjectRef {
 public:
  explicit OwnText(std::string text) : ObjectRef(make_object<TextObj>(std::move(text))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(OwnText, ObjectRef, TextObj);
};

/*! \brief (c) An argument type to which values of other types convert. */
struct Length {
  int64_t value;
};

/*! \brief (d) A type for arguments and results that containers cannot store. */
struct Token {
  int64_t id;
};
}  // namespace recipes

namespace tvm {
namespace ffi {

template <>
struct TypeTraits<recipes::Positive> : public ObjectRefTypeTraitsBase<recipes::Positive> {
  static bool CheckAnyStrict(const TVMFFIAny* source) {
    return ObjectRefTypeTraitsBase<recipes::Positive>::CheckAnyStrict(source) &&
           detail::ObjectUnsafe::RawObjectPtrFromUnowned<sample::IntObj>(source->v_obj)->value > 0;
  }
};

template <>
struct TypeTraits<recipes::Text>
    : public ObjectRefWithFallbackTraitsBase<recipes::Text, StrictBool, int64_t, double, String> {
  static recipes::Text ConvertFallbackValue(StrictBool value) {
    return recipes::Text(value ? "yes" : "no");
  }
  static recipes::Text ConvertFallbackValue(int64_t value) {
    return recipes::Text("int " + std::to_string(value));
  }
  static recipes::Text ConvertFallbackValue(double value) {
    return recipes::Text("float " + std::to_string(static_cast<int>(value)));
  }
  static recipes::Text ConvertFallbackValue(String value) {
    return recipes::Text("text " + std::string(value));
  }
};

template <>
inline constexpr bool use_default_type_traits_v<recipes::OwnText> = false;
template <>
struct TypeTraits<recipes::OwnText>
    : public ObjectRefWithFallbackTraitsBase<recipes::OwnText, int64_t> {
  static recipes::OwnText ConvertFallbackValue(int64_t value) {
    return recipes::OwnText(std::to_string(value));
  }
};

template <>
struct TypeTraits<recipes::Length>
    : public FallbackOnlyTraitsBase<recipes::Length, int64_t, String, Array<Any>> {
  static std::string TypeStr() { return "Length"; }
  static recipes::Length ConvertFallbackValue(int64_t value) { return {value}; }
  static recipes::Length ConvertFallbackValue(const String& value) {
    return {static_cast<int64_t>(value.size())};
  }
  static recipes::Length ConvertFallbackValue(const Array<Any>& value) {
    return {static_cast<int64_t>(value.size())};
  }
};

template <>
struct TypeTraits<recipes::Token> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;
  static void CopyToAnyView(const recipes::Token& source, TVMFFIAny* result) {
    TypeTraits<int64_t>::CopyToAnyView(source.id, result);
  }
  static void MoveToAny(recipes::Token source, TVMFFIAny* result) {
    TypeTraits<int64_t>::MoveToAny(source.id, result);
  }
  static std::optional<recipes::Token> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIInt) return std::nullopt;
    return recipes::Token{source->v_int64};
  }
  static std::string TypeStr() { return "Token"; }
};

}  // namespace ffi
}  // namespace tvm

namespace {

using namespace tvm::ffi;
using recipes::Length;
using recipes::OwnText;
using recipes::Positive;
using recipes::Text;
using recipes::Token;
using sample::Float;
using sample::Int;
using sample::IntObj;
using sample::NumberObj;

// spec: D12
TEST(UserTraits, StrictCheckAloneMayBeReplaced) {
  Any good = Int(3), bad = Int(-3);
  EXPECT_TRUE(good.as<Positive>().has_value());
  EXPECT_TRUE(good.try_cast<Positive>().has_value());
  EXPECT_FALSE(bad.as<Positive>().has_value());
  EXPECT_FALSE(bad.try_cast<Positive>().has_value());
  EXPECT_TRUE(ObjectRef(Int(3)).as<Positive>().has_value());
  EXPECT_FALSE(ObjectRef(Int(-3)).as<Positive>().has_value());
  EXPECT_FALSE(Any(3).try_cast<Positive>().has_value());
  static_assert(!object_ref_contains_v<Positive, IntObj>);
  Any mixed = Array<Any>{Int(1), Int(-1)};
  EXPECT_FALSE(mixed.try_cast<Array<Positive>>().has_value());
  EXPECT_TRUE(Any(Array<Any>{Int(1)}).as<Array<Positive>>().has_value());
  EXPECT_TRUE(bad.try_cast<Optional<Positive>>() == std::nullopt);
}

// spec: D13
TEST(UserTraits, FallbacksComeInOrderAfterTheTypeItself) {
  Text own("own");
  EXPECT_TRUE(Any(own).cast<Text>().same_as(own));
  EXPECT_EQ(Any(true).cast<Text>()->text, "yes");
  EXPECT_EQ(Any(1).cast<Text>()->text, "int 1");
  EXPECT_EQ(Any(2.0).cast<Text>()->text, "float 2");
  EXPECT_EQ(AnyView("hi").cast<Text>()->text, "text hi");
  EXPECT_FALSE(Any(1).as<Text>().has_value());
  EXPECT_FALSE(Any(Int(1)).try_cast<Text>().has_value());
  EXPECT_FALSE(Any().try_cast<Text>().has_value());
  static_assert(TypeTraits<Text>::storage_enabled);
  EXPECT_EQ(Any(7).cast<OwnText>()->text, "7");
  EXPECT_FALSE(Any(7.0).try_cast<OwnText>().has_value());
}

// spec: D12
TEST(UserTraits, FallbacksWorkInsideContainers) {
  Array<Text> texts = Any(Array<Any>{1, true, String("x")}).cast<Array<Text>>();
  EXPECT_EQ(texts[0]->text, "int 1");
  EXPECT_EQ(texts[1]->text, "yes");
  EXPECT_EQ(texts[2]->text, "text x");
  auto map = Any(Map<String, Any>{{"k", 4}}).cast<Map<String, Text>>();
  EXPECT_EQ(map["k"]->text, "int 4");
  EXPECT_EQ(Any(5).cast<Optional<Text>>().value()->text, "int 5");
  EXPECT_FALSE(Any().cast<Optional<Text>>().has_value());
  Function f = Function::FromTyped([](Text t) { return String(t->text); });
  EXPECT_EQ(f(9).cast<String>(), "int 9");
}

// spec: D12
TEST(UserTraits, FallbackOnlyTypesAreArguments) {
  static_assert(!TypeTraits<Length>::storage_enabled);
  Function f = Function::FromTyped([](Length n) { return n.value; });
  EXPECT_EQ(f(5).cast<int>(), 5);
  EXPECT_EQ(f("four").cast<int>(), 4);
  EXPECT_EQ(f(Array<Any>{1, 2, 3}).cast<int>(), 3);
  EXPECT_THROW(f(2.0), Error);
  EXPECT_THROW(f(nullptr), Error);
}

// spec: D12
TEST(UserTraits, TypesThatCannotBeStoredAreArguments) {
  Function f = Function::FromTyped([](Token token) { return token.id + 1; });
  EXPECT_EQ(f(Token{4}).cast<int>(), 5);
  EXPECT_EQ(f(6).cast<int>(), 7);
  static_assert(!detail::storage_enabled_v<Token> && detail::storage_enabled_v<Any>);
  static_assert(detail::all_storage_enabled_v<int, Any, Int>);
  static_assert(!detail::all_storage_enabled_v<int, Token>);
  static_assert(detail::all_object_ref_v<Int, Float> && !detail::all_object_ref_v<Int, int>);
  Optional<Token> optional = Token{3};
  EXPECT_EQ((*optional).id, 3);
}

}  // namespace

/* ------------------------------------------------------------------ incomplete classes */

namespace recipes {
class TreeObj;
}  // namespace recipes

namespace tvm {
namespace ffi {
template <>
inline constexpr bool is_object_subclass_v<recipes::TreeObj> = true;
}  // namespace ffi
}  // namespace tvm

namespace recipes {
/*! \brief A class with a list of its own type, which is incomplete where the list is declared. */
class TreeObj : public Object {
 public:
  List<Arc<TreeObj>> children;
  Optional<Arc<TreeObj>> first;
  TVM_FFI_DECLARE_OBJECT_INFO("test.traits.Tree", TreeObj, Object);
};
}  // namespace recipes

namespace {

TEST(UserTraits, WithoutASchemaExportsHaveAny) {
  EXPECT_EQ(detail::TypeSchema<recipes::Length>::v(), R"({"type":"Any"})");
}

// spec: D18
TEST(UserTraits, AnIncompleteClassMayBeDeclaredAnObject) {
  Arc<recipes::TreeObj> root = make_arc<recipes::TreeObj>();
  root->children.push_back(make_arc<recipes::TreeObj>());
  root->first = root->children[0];
  EXPECT_EQ(root->children.size(), 1);
  EXPECT_EQ(root->first.get(), root->children[0].get());
  EXPECT_TRUE(root->children[0]->children.empty());
}

// spec: D16
TEST(Containers, OfPointersUpcast) {
  Array<Arc<IntObj>> ints{make_arc<IntObj>(1), make_arc<IntObj>(2)};
  Array<Arc<NumberObj>> numbers = ints;
  EXPECT_TRUE(numbers.same_as(ints));
  Array<ObjectPtr<NumberObj>> pointers = ints;
  EXPECT_TRUE(pointers.same_as(ints));
  Any any = Array<ObjectPtr<IntObj>>{nullptr};
  EXPECT_FALSE(any.as<Array<Arc<IntObj>>>().has_value());
  EXPECT_TRUE(any.as<Array<ObjectPtr<NumberObj>>>().has_value());
}

}  // namespace
