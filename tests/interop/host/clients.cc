// SPDX-License-Identifier: Apache-2.0
// Load the clients of both sides in one C++ program: calls and exceptions between the clients and
// the program.
#include <tvm/ffi/extra/module.h>

#include <map>
#include <string>
#include <utility>

#include "checks.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

struct NotStandard {
  int number;
};

// Loads clients and never closes them: an object needs the code of the library that made it.
class Loader {
 public:
  explicit Loader(std::string folder) : folder_(std::move(folder)) {}
  Module operator()(const std::string& noun, const std::string& side) {
    std::string path = folder_ + "/lib" + noun + "_" + side + ".so";
    auto found = loaded_.find(path);
    if (found == loaded_.end()) found = loaded_.emplace(path, Module::LoadFromFile(path)).first;
    return found->second;
  }

 private:
  std::string folder_;
  std::map<std::string, Module> loaded_;
};

Function Get(const Module& module, const String& name) {
  Optional<Function> found = module->GetFunction(name);
  CHECK_THAT(found.has_value());
  return *found;
}

void CheckKinds(const Module& maker, const Module& reader,
                std::initializer_list<const char*> kinds) {
  for (const char* kind : kinds) {
    Any made = Get(maker, String("make_") + kind)();
    CHECK_THAT(Get(reader, String("check_") + kind)(made).cast<bool>());
  }
}

// spec: SY3
void CheckErrors(const Module& maker, const Module& reader) {
  Function raise_here = Get(maker, "raise_here");
  CHECK_THROWS("ValueError", "thrown by ", raise_here());
  CHECK_THROWS("ValueError", "thrown by ", Get(reader, "rethrows")(raise_here));
  // The functions of both clients are called through cpp_call, which lets any exception pass.
  // spec: E09
  Function raiser = Function::FromTyped([]() -> void { throw NotStandard{5}; });
  int caught = 0;
  try {
    Get(maker, "make_caller")(Get(reader, "make_caller")(raiser)).cast<Function>()();
  } catch (const NotStandard& thrown) {
    caught = thrown.number;
  }
  CHECK_THAT(caught == 5);
  Error original("Kind", "the same object", "");
  Function rethrown = Function::FromTyped([original]() -> void { throw original; });
  try {
    Get(maker, "make_caller")(rethrown).cast<Function>()();
    CHECK_THAT(false);
  } catch (const Error& error) {
    CHECK_THAT(error.same_as(original));
  }
}

void CheckPair(Loader& load, const char* maker, const char* reader) {
  CheckKinds(load("values", maker), load("values", reader),
             {"int", "float", "bool", "none", "small_text", "long_text", "kept_text", "small_bytes",
              "long_bytes", "dtype", "device", "pointer", "shape", "tensor"});
  CheckKinds(load("containers", maker), load("containers", reader),
             {"array", "list", "map", "dense_map", "dict", "tuple", "variant", "optional",
              "empty_optional", "nested"});
  CheckErrors(load("functions", maker), load("functions", reader));
  Module outer = Get(load("modules", maker), "make_module")("outer").cast<Module>();
  outer->ImportModule(Get(load("modules", reader), "make_module")("inner").cast<Module>());
  Optional<Function> inner = outer->GetFunction("inner", true);
  CHECK_THAT(inner.has_value() && (*inner)().cast<String>() == String("inner of ") + reader);
  CHECK_THAT(outer->imports().size() == 1);
}

}  // namespace

void host::CheckClients(const std::string& folder) {
  Loader load(folder);
  for (const char* maker : {"ours", "peer"}) {
    for (const char* reader : {"ours", "peer"}) CheckPair(load, maker, reader);
  }
}
