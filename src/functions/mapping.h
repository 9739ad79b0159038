// SPDX-License-Identifier: Apache-2.0
// The global functions that maps and dicts have in common.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/function.h>

#include <memory>
#include <string>

#include "core/sentinel.h"
#include "functions/functions.h"

namespace tvm::ffi::runtime {

/*! \brief The argument of the function that represents an iteration over a mapping. The function
 * treats every other number as kAdvance. */
enum IterationStep : int32_t { kCurrentKey = 0, kCurrentValue = 1, kAdvance = 2 };

[[noreturn]] inline void throw_iteration_over() {
  TVM_FFI_THROW(IndexError) << "The iteration is over";
  TVM_FFI_UNREACHABLE();
}

/*!
 * \brief Register the functions that make and read mappings.
 * \tparam Mapping `Map<Any, Any>` or `Dict<Any, Any>`.
 * \tparam Iteration a callable class that takes an IterationStep.
 * \param name the name of the first function, with which the other names begin.
 */
template <typename Mapping, typename Iteration>
void register_mapping(const std::string& name) {
  using Body = typename Mapping::ContainerType;
  ShortDef()
      .def_packed(name,
                  [](PackedArgs args, Any* result) {
                    TVM_FFI_ICHECK_EQ(args.size() % 2, 0);
                    Mapping mapping;
                    for (int i = 0; i < args.size(); i += 2) mapping.Set(args[i], args[i + 1]);
                    *result = mapping;
                  })
      .def(name + "Size", [](const Body* body) { return static_cast<int64_t>(body->size()); })
      .def(name + "GetItem", [](const Body* body, const Any& key) -> Any { return body->at(key); })
      .def(name + "GetItemOrMissing",
           [](const Body* body, const Any& key) -> Any {
             auto it = body->find(key);
             if (it == body->end()) return missing_object();
             return it->second;
           })
      .def(name + "Count",
           [](const Body* body, const Any& key) { return static_cast<int64_t>(body->count(key)); })
      .def(name + "ForwardIterFunctor", [](const Body* body) {
        auto iteration =
            std::make_shared<Iteration>(Mapping(GetObjectPtr<Object>(const_cast<Body*>(body))));
        return Function::FromTyped([iteration](int32_t step) { return (*iteration)(step); });
      });
}

}  // namespace tvm::ffi::runtime
