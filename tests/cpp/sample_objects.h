// SPDX-License-Identifier: Apache-2.0
// Object classes for the tests of objects, values and containers.
#ifndef TVM_FFI_TESTS_CPP_SAMPLE_OBJECTS_H_
#define TVM_FFI_TESTS_CPP_SAMPLE_OBJECTS_H_

#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <string>
#include <utility>

namespace sample {

using tvm::ffi::make_object;
using tvm::ffi::Object;
using tvm::ffi::ObjectPtr;
using tvm::ffi::ObjectRef;

/*! \brief A base class that reserves type indices for two subclasses. */
class NumberObj : public Object {
 public:
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("test.sample.Number", NumberObj, Object);
};

class IntObj : public NumberObj {
 public:
  explicit IntObj(int64_t value) : value(value) {}
  int64_t value;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.sample.Int", IntObj, NumberObj);
};

class FloatObj : public NumberObj {
 public:
  explicit FloatObj(double value) : value(value) {}
  double value;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.sample.Float", FloatObj, NumberObj);
};

/*! \brief The third subclass of NumberObj, for which no index is reserved. */
class OverflowObj : public NumberObj {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("test.sample.Overflow", OverflowObj, NumberObj);
};

class Number : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Number, ObjectRef, NumberObj);
};

class Int : public Number {
 public:
  explicit Int(int64_t value) : Number(tvm::ffi::UnsafeInit{}) {
    data_ = make_object<IntObj>(value);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Int, Number, IntObj);
};

class Float : public Number {
 public:
  explicit Float(double value) : Number(tvm::ffi::UnsafeInit{}) {
    data_ = make_object<FloatObj>(value);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Float, Number, FloatObj);
};

class NullableInt : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(NullableInt, ObjectRef, IntObj);
};

/*! \brief An object whose destructor increments a counter. */
class CountedObj : public Object {
 public:
  explicit CountedObj(int* destroyed) : destroyed_(destroyed) {}
  ~CountedObj() { ++*destroyed_; }
  TVM_FFI_DECLARE_OBJECT_INFO("test.sample.Counted", CountedObj, Object);

 private:
  int* destroyed_;
};

class CountedChildObj : public CountedObj {
 public:
  using CountedObj::CountedObj;
  TVM_FFI_DECLARE_OBJECT_INFO("test.sample.CountedChild", CountedChildObj, CountedObj);
};

}  // namespace sample
#endif  // TVM_FFI_TESTS_CPP_SAMPLE_OBJECTS_H_
