// SPDX-License-Identifier: Apache-2.0
// Micro benchmarks of the C++ and C API of tvm_ffi.
//
// Uses only public headers, so that this source can be built with this package and with the peer,
// and the times of the two programs can be compared:
//
//   c++ -O2 -DNDEBUG -std=c++17 -pthread -I$INCLUDE -I$DLPACK_INCLUDE ffi_micro.cpp \
//       -o ffi_micro -L$LIB -Wl,-rpath,$LIB -ltvm_ffi
//
//   ./ffi_micro [--json FILE] [--filter SUBSTRING] [--quick]
//
// Every row is repeated; the median, the minimum and the median absolute deviation are reported in
// the layout of ffi_bench.py ("ns" per operation; rows named MB/s hold a rate under "rate", where
// more is better).
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Function;
using ffi::Map;
using ffi::Object;
using ffi::ObjectPtr;
using ffi::ObjectRef;
using ffi::String;

// ---------------------------------------------------------------- types used by the rows
class SmallObj : public Object {
 public:
  int64_t value;
  explicit SmallObj(int64_t value = 0) : value(value) {}
  explicit SmallObj(ffi::UnsafeInit) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.cpp.Small", SmallObj, Object);
};

// A chain of six classes. IsInstance has to look at the ancestors of an object of the last class.
#define BENCH_LEVEL(Name, Key, Parent)              \
  class Name : public Parent {                      \
   public:                                          \
    TVM_FFI_DECLARE_OBJECT_INFO(Key, Name, Parent); \
  };
BENCH_LEVEL(Level1, "bench.cpp.Level1", Object)
BENCH_LEVEL(Level2, "bench.cpp.Level2", Level1)
BENCH_LEVEL(Level3, "bench.cpp.Level3", Level2)
BENCH_LEVEL(Level4, "bench.cpp.Level4", Level3)
BENCH_LEVEL(Level5, "bench.cpp.Level5", Level4)
class Level6 : public Level5 {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.cpp.Level6", Level6, Level5);
};

class NodeObj : public Object {
 public:
  int64_t kind = 0;
  double weight = 0;
  String name;
  Array<ObjectRef> kids;
  NodeObj() = default;
  explicit NodeObj(ffi::UnsafeInit) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.cpp.Node", NodeObj, Object);
};

static void Register() {
  refl::ObjectDef<SmallObj>().def_ro("value", &SmallObj::value);
  refl::ObjectDef<NodeObj>()
      .def_ro("kind", &NodeObj::kind)
      .def_ro("weight", &NodeObj::weight)
      .def_ro("name", &NodeObj::name)
      .def_ro("kids", &NodeObj::kids);
  Level1::_GetOrAllocRuntimeTypeIndex();
  Level6::_GetOrAllocRuntimeTypeIndex();
  refl::GlobalDef()
      .def_packed("bench.cpp.nop", [](ffi::PackedArgs, Any*) {})
      .def("bench.cpp.add", [](int64_t a, int64_t b) { return a + b; })
      .def("bench.cpp.fail", []() -> int64_t { TVM_FFI_THROW(ValueError) << "m"; });
}

// ---------------------------------------------------------------- harness
template <typename T>
inline void Keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}
inline void Clobber() { asm volatile("" : : : "memory"); }

struct Options {
  std::string filter;
  double budget_ns = 60e6;  // time per row, for all repeats together
  int repeats = 9;
  bool quick = false;
};

struct Row {
  std::string name, unit;
  double mid, low, mad;
};

class Bench {
 public:
  explicit Bench(Options opt) : opt_(std::move(opt)) {}

  bool Wanted(const std::string& name) const {
    return opt_.filter.empty() || name.find(opt_.filter) != std::string::npos;
  }

  // Calls body(n), which must run the operation n times. One run of the operation counts as `per`
  // operations.
  void Time(const std::string& name, const std::function<void(int64_t)>& body, double per = 1) {
    if (!Wanted(name)) return;
    try {
      body(1);
      int64_t n = 1;
      double spent;
      double target = opt_.budget_ns / opt_.repeats;
      for (;;) {
        spent = Clock([&] { body(n); });
        if (spent > target * 0.4 || n > (int64_t(1) << 40)) break;
        n = std::max<int64_t>(n + 1, std::min<double>(n * 20.0, n * target / std::max(spent, 1.0)));
      }
      int repeats = spent > target * 4 ? 3 : opt_.repeats;
      std::vector<double> got;
      for (int i = 0; i < repeats; ++i) got.push_back(Clock([&] { body(n); }) / (n * per));
      Put(name, "ns", got);
    } catch (const std::exception& err) {
      std::fprintf(stderr, "%-48s failed: %s\n", name.c_str(), err.what());
    }
  }

  // Like Time, but reports the rate at which an operation processes `bytes`.
  void Rate(const std::string& name, double bytes, const std::function<void()>& body) {
    if (!Wanted(name)) return;
    body();
    std::vector<double> got;
    for (int i = 0; i < 5; ++i) got.push_back(bytes / 1e6 / (Clock(body) / 1e9));
    Put(name, "rate", got);
  }

  // Runs body(thread, n) on `threads` threads at the same time; reports ns per operation of one
  // thread.
  void Threads(const std::string& name, int threads, int64_t n,
               const std::function<void(int, int64_t)>& body) {
    if (!Wanted(name)) return;
    std::vector<double> got;
    for (int r = 0; r < 5; ++r) {
      std::atomic<int> ready{0};
      std::atomic<bool> go{false};
      std::vector<double> spent(threads);
      std::vector<std::thread> pool;
      for (int t = 0; t < threads; ++t) {
        pool.emplace_back([&, t] {
          body(t, n / 100 + 1);
          ready.fetch_add(1);
          while (!go.load(std::memory_order_acquire)) std::this_thread::yield();
          spent[t] = Clock([&] { body(t, n); });
        });
      }
      while (ready.load() != threads) std::this_thread::yield();
      go.store(true, std::memory_order_release);
      for (auto& th : pool) th.join();
      double total = 0;
      for (double s : spent) total += s;
      got.push_back(total / threads / n);
    }
    Put(name, "ns", got);
  }

  void Write(const char* path) const {
    FILE* out = std::strcmp(path, "-") ? std::fopen(path, "w") : stdout;
    if (!out) {
      std::perror(path);
      return;
    }
    std::fprintf(out, "{\"meta\": {\"peer\": \"cpp\"},\n \"rows\": {");
    for (size_t i = 0; i < rows_.size(); ++i) {
      const Row& r = rows_[i];
      std::fprintf(out, "%s\n  \"cpp %s\": {\"%s\": %.3f, \"min\": %.3f, \"mad\": %.3f}",
                   i ? "," : "", r.name.c_str(), r.unit.c_str(), r.mid, r.low, r.mad);
    }
    std::fprintf(out, "\n },\n \"skipped\": {}}\n");
    if (out != stdout) std::fclose(out);
  }

  const Options& opt() const { return opt_; }

 private:
  template <typename F>
  static double Clock(F&& f) {
    auto t0 = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - t0).count();
  }
  static double Median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    size_t n = v.size();
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
  }
  void Put(const std::string& name, const char* unit, const std::vector<double>& got) {
    double mid = Median(got);
    std::vector<double> dev;
    for (double g : got) dev.push_back(std::fabs(g - mid));
    rows_.push_back({name, unit, mid, *std::min_element(got.begin(), got.end()), Median(dev)});
    std::fprintf(stderr, "%-52s %14.2f %s\n", name.c_str(), mid,
                 std::strcmp(unit, "rate") ? unit : "MB/s");
  }
  Options opt_;
  std::vector<Row> rows_;
};

#define LOOP(n) for (int64_t _i = 0; _i < (n); ++_i)

// ---------------------------------------------------------------- rows
static void RowsAny(Bench& b) {
  b.Time("any/int to Any", [](int64_t n) {
    LOOP(n) {
      Any a(_i);
      Keep(a);
    }
  });
  b.Time("any/int to AnyView to int", [](int64_t n) {
    LOOP(n) {
      AnyView v(_i);
      Keep(v);
      Keep(v.cast<int64_t>());
    }
  });
  Any num(int64_t{3}), flt(2.5), str(String("abc")), obj(ObjectRef(ffi::make_object<SmallObj>(1)));
  b.Time("any/Any cast int", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(num.cast<int64_t>());
    }
  });
  b.Time("any/Any cast int to double", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(num.cast<double>());
    }
  });
  b.Time("any/Any try_cast miss", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(str.try_cast<int64_t>().has_value());
    }
  });
  b.Time("any/Any copy int", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Any c = num;
      Keep(c);
    }
  });
  b.Time("any/Any copy object", [&](int64_t n) {
    LOOP(n) {
      Any c = obj;
      Keep(c);
    }
  });
  b.Time("any/Any copy short string", [&](int64_t n) {
    LOOP(n) {
      Any c = str;
      Keep(c);
    }
  });
  b.Time("any/Any cast object", [&](int64_t n) {
    LOOP(n) {
      ObjectRef r = obj.cast<ObjectRef>();
      Keep(r);
    }
  });
  b.Time("any/Any as pointer", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(obj.as<SmallObj>());
    }
  });
  b.Time("any/Any to String", [&](int64_t n) {
    LOOP(n) {
      String s = str.cast<String>();
      Keep(s);
    }
  });
  Any arr(Array<int64_t>{1, 2, 3});
  b.Time("any/Any cast Array<int> of 3", [&](int64_t n) {
    LOOP(n) {
      auto a = arr.cast<Array<int64_t>>();
      Keep(a);
    }
  });
  b.Time("any/AnyView to owned Any, C API", [&](int64_t n) {
    AnyView v(obj);
    LOOP(n) {
      TVMFFIAny out;
      TVMFFIAnyViewToOwnedAny(reinterpret_cast<const TVMFFIAny*>(&v), &out);
      Keep(out);
      TVMFFIObjectDecRef(out.v_obj);
    }
  });
}

static void RowsFunction(Bench& b) {
  Function nop = Function::GetGlobalRequired("bench.cpp.nop");
  Function add = Function::GetGlobalRequired("bench.cpp.add");
  ffi::TypedFunction<int64_t(int64_t, int64_t)> typed(add);
  Function packed = Function::FromPacked([](ffi::PackedArgs args, Any* rv) { *rv = args[0]; });
  b.Time("function/call 0 args", [&](int64_t n) { LOOP(n) nop(); });
  b.Time("function/call 1 arg", [&](int64_t n) { LOOP(n) nop(_i); });
  b.Time("function/call 3 args", [&](int64_t n) { LOOP(n) nop(_i, 2.0, "abc"); });
  b.Time("function/call echo, int result", [&](int64_t n) {
    LOOP(n) Keep(packed(_i).cast<int64_t>());
  });
  b.Time("function/call typed lambda through Any", [&](int64_t n) {
    LOOP(n) Keep(add(_i, 1).cast<int64_t>());
  });
  b.Time("function/TypedFunction call", [&](int64_t n) { LOOP(n) Keep(typed(_i, 1)); });
  b.Time("function/C API call 0 args", [&](int64_t n) {
    TVMFFIObjectHandle h = const_cast<Object*>(static_cast<const Object*>(nop.get()));
    LOOP(n) {
      TVMFFIAny out{};
      Keep(TVMFFIFunctionCall(h, nullptr, 0, &out));
    }
  });
  b.Time("function/C API call 2 args", [&](int64_t n) {
    TVMFFIObjectHandle h = const_cast<Object*>(static_cast<const Object*>(add.get()));
    LOOP(n) {
      AnyView args[2] = {AnyView(_i), AnyView(int64_t{1})};
      TVMFFIAny out{};
      Keep(TVMFFIFunctionCall(h, reinterpret_cast<TVMFFIAny*>(args), 2, &out));
      Keep(out);
    }
  });
  b.Time("function/GetGlobal", [](int64_t n) {
    LOOP(n) {
      auto f = Function::GetGlobal("bench.cpp.add");
      Keep(f);
    }
  });
  b.Time("function/GetGlobal miss", [](int64_t n) {
    LOOP(n) {
      auto f = Function::GetGlobal("bench.cpp.none");
      Keep(f);
    }
  });
  b.Time("function/create from lambda", [](int64_t n) {
    LOOP(n) {
      Function f = Function::FromTyped([_i](int64_t x) { return x + _i; });
      Keep(f);
    }
  });
  b.Time("function/create from C", [](int64_t n) {
    auto safe = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) -> int { return 0; };
    LOOP(n) {
      TVMFFIObjectHandle out;
      TVMFFIFunctionCreate(nullptr, safe, nullptr, &out);
      Keep(out);
      TVMFFIObjectDecRef(out);
    }
  });
}

static void RowsObject(Bench& b) {
  b.Time("object/make_object + free", [](int64_t n) {
    LOOP(n) {
      auto p = ffi::make_object<SmallObj>(_i);
      Keep(p);
    }
  });
  b.Time(
      "object/make_object 1000 then free",
      [](int64_t n) {
        std::vector<ObjectPtr<SmallObj>> keep(1000);
        LOOP(n) for (auto& p : keep) p = ffi::make_object<SmallObj>(_i);
      },
      1000);
  auto p = ffi::make_object<SmallObj>(1);
  b.Time("object/refcount copy", [&](int64_t n) {
    LOOP(n) {
      ObjectPtr<SmallObj> q = p;
      Keep(q);
    }
  });
  b.Time("object/IncRef + DecRef, C API", [&](int64_t n) {
    LOOP(n) {
      TVMFFIObjectIncRef(p.get());
      TVMFFIObjectDecRef(p.get());
    }
  });
  b.Time("object/field through reference", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(p->value);
    }
  });
  ObjectRef deep(ffi::make_object<Level6>()), small(p);
  b.Time("object/IsInstance exact", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(deep->IsInstance<Level6>());
    }
  });
  b.Time("object/IsInstance depth 1 of 6", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(deep->IsInstance<Level1>());
    }
  });
  b.Time("object/IsInstance depth 5 of 6", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(deep->IsInstance<Level5>());
    }
  });
  b.Time("object/IsInstance miss", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(small->IsInstance<Level3>());
    }
  });
  TVMFFIByteArray key{"bench.cpp.Node", 14};
  b.Time("object/TypeKeyToIndex", [&](int64_t n) {
    LOOP(n) {
      int32_t i;
      TVMFFITypeKeyToIndex(&key, &i);
      Keep(i);
    }
  });
  int32_t index = NodeObj::RuntimeTypeIndex();
  b.Time("object/GetTypeInfo", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(TVMFFIGetTypeInfo(index));
    }
  });
  TVMFFIByteArray attr{"__ffi_repr__", 12};
  b.Time("object/find type attribute column", [&](int64_t n) {
    LOOP(n) Keep(TVMFFIGetTypeAttrColumn(&attr));
  });
  refl::TypeAttrColumn column("__ffi_repr__");
  b.Time("object/read type attribute column", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      AnyView v = column[ffi::TypeIndex::kTVMFFIArray];
      Keep(v);
    }
  });
  refl::FieldGetter getter("bench.cpp.Node", "kind");
  ObjectPtr<NodeObj> node = ffi::make_object<NodeObj>();
  b.Time("object/reflected field getter", [&](int64_t n) {
    LOOP(n) {
      Any v = getter(node);
      Keep(v);
    }
  });
}

static void RowsString(Bench& b) {
  b.Time("string/construct 5 B", [](int64_t n) {
    LOOP(n) {
      String s("hello");
      Keep(s);
    }
  });
  const std::string long_text(100, 'x');
  b.Time("string/construct 100 B", [&](int64_t n) {
    LOOP(n) {
      String s(long_text);
      Keep(s);
    }
  });
  b.Time("string/construct 100 B, moved", [&](int64_t n) {
    LOOP(n) {
      std::string t = long_text;
      String s(std::move(t));
      Keep(s);
    }
  });
  String a("hello"), c("hellp"), l1(long_text), l2(long_text);
  b.Time("string/copy 100 B", [&](int64_t n) {
    LOOP(n) {
      String s = l1;
      Keep(s);
    }
  });
  b.Time("string/compare 5 B", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(a == c);
    }
  });
  b.Time("string/compare 100 B equal", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(l1 == l2);
    }
  });
  b.Time("string/hash 5 B", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(ffi::AnyHash()(Any(a)));
    }
  });
  b.Time("string/hash 100 B", [&](int64_t n) {
    LOOP(n) {
      Clobber();
      Keep(ffi::AnyHash()(Any(l1)));
    }
  });
  b.Time("string/concat 5 B + 5 B", [&](int64_t n) {
    LOOP(n) {
      String s = a + c;
      Keep(s);
    }
  });
}

static void RowsSequence(Bench& b) {
  b.Time(
      "array/push_back 1000 ints",
      [](int64_t n) {
        LOOP(n) {
          Array<int64_t> a;
          for (int64_t i = 0; i < 1000; ++i) a.push_back(i);
          Keep(a);
        }
      },
      1000);
  b.Time(
      "array/construct from vector 1000",
      [](int64_t n) {
        std::vector<int64_t> v(1000, 7);
        LOOP(n) {
          Array<int64_t> a(v.begin(), v.end());
          Keep(a);
        }
      },
      1000);
  Array<int64_t> ints;
  Array<ObjectRef> refs;
  Array<Any> anys;
  for (int64_t i = 0; i < 1000; ++i) {
    ints.push_back(i);
    refs.push_back(ObjectRef(ffi::make_object<SmallObj>(i)));
    anys.push_back(i % 2 ? Any(i) : Any(String("abc")));
  }
  b.Time("array/index int", [&](int64_t n) { LOOP(n) Keep(ints[_i % 1000]); });
  b.Time("array/index object", [&](int64_t n) {
    LOOP(n) {
      ObjectRef r = refs[_i % 1000];
      Keep(r);
    }
  });
  b.Time(
      "array/iterate 1000 ints",
      [&](int64_t n) {
        LOOP(n)
        for (int64_t x : ints) Keep(x);
      },
      1000);
  b.Time(
      "array/iterate 1000 objects",
      [&](int64_t n) {
        LOOP(n)
        for (ObjectRef x : refs) Keep(x);
      },
      1000);
  b.Time(
      "array/iterate 1000 Any",
      [&](int64_t n) {
        LOOP(n)
        for (const Any& x : anys) Keep(x);
      },
      1000);
  b.Time(
      "array/Map identity 1000",
      [&](int64_t n) {
        LOOP(n) {
          auto r = refs.Map([](ObjectRef x) { return x; });
          Keep(r);
        }
      },
      1000);
  b.Time("array/copy on write set", [&](int64_t n) { LOOP(n) ints.Set(_i % 1000, _i); });
  b.Time(
      "list/push_back 1000 ints",
      [](int64_t n) {
        LOOP(n) {
          ffi::List<int64_t> a;
          for (int64_t i = 0; i < 1000; ++i) a.push_back(i);
          Keep(a);
        }
      },
      1000);
}

// make(i) returns the i-th key.
template <typename Container, typename K, typename Make>
static void RowsOneMap(Bench& b, const std::string& what, int64_t size, Make make) {
  std::string tail = what + " keys, " + std::to_string(size);
  if (!b.Wanted("map/insert " + tail) && !b.Wanted("map/find " + tail) &&
      !b.Wanted("map/iterate " + tail)) {
    return;
  }
  std::vector<K> keys;
  keys.reserve(size);
  for (int64_t i = 0; i < size; ++i) keys.push_back(make(i));
  b.Time(
      "map/insert " + tail,
      [&](int64_t n) {
        LOOP(n) {
          Container m;
          for (int64_t i = 0; i < size; ++i) m.Set(keys[i], i);
          Keep(m);
        }
      },
      size);
  Container m;
  for (int64_t i = 0; i < size; ++i) m.Set(keys[i], i);
  std::vector<K> order = keys;  // fixed shuffle, so that lookups do not follow the memory order
  for (size_t i = order.size(), s = 12345; i > 1; --i) {
    s = s * 6364136223846793005ULL + 1442695040888963407ULL;
    std::swap(order[i - 1], order[(s >> 33) % i]);
  }
  b.Time("map/find " + tail, [&](int64_t n) {
    size_t j = 0;
    LOOP(n) {
      Keep(m.find(order[j]) != m.end());
      if (++j == order.size()) j = 0;
    }
  });
  b.Time(
      "map/iterate " + tail,
      [&](int64_t n) {
        LOOP(n)
        for (const auto& kv : m) Keep(kv.second);
      },
      size);
}

static void RowsMap(Bench& b) {
  std::vector<int64_t> sizes = {10, 1000, 100000, 1000000};
  if (b.opt().quick) sizes = {10, 1000};
  for (int64_t size : sizes) {
    RowsOneMap<Map<int64_t, int64_t>, int64_t>(b, "int", size, [](int64_t i) { return i * 7919; });
    RowsOneMap<Map<String, int64_t>, String>(
        b, "short string", size, [](int64_t i) { return String("k" + std::to_string(i)); });
    RowsOneMap<Map<String, int64_t>, String>(b, "long string", size, [](int64_t i) {
      return String("a longer key number " + std::to_string(i));
    });
    RowsOneMap<Map<ObjectRef, int64_t>, ObjectRef>(
        b, "object", size, [](int64_t i) { return ObjectRef(ffi::make_object<SmallObj>(i)); });
  }
  RowsOneMap<ffi::Dict<String, int64_t>, String>(
      b, "Dict short string", 1000, [](int64_t i) { return String("k" + std::to_string(i)); });
}

static ObjectRef MakeTree(int64_t* left, int depth) {
  auto node = ffi::make_object<NodeObj>();
  node->kind = *left % 7;
  node->weight = *left * 0.5;
  node->name = *left % 3 ? String("leaf") : String("a node with a longer name");
  --*left;
  if (depth > 0) {
    for (int i = 0; i < 4 && *left > 0; ++i) node->kids.push_back(MakeTree(left, depth - 1));
  }
  return ObjectRef(node);
}

static void RowsStructural(Bench& b) {
  if (!b.Wanted("structural/") && !b.Wanted("serialization/")) return;
  int64_t size = b.opt().quick ? 10000 : 1000000;
  std::string tag = std::to_string(size / 1000) + "k-node tree, per node";
  int64_t left1 = size, left2 = size;
  ObjectRef t1 = MakeTree(&left1, 10), t2 = MakeTree(&left2, 10);
  double nodes = static_cast<double>(size - left1);
  b.Time(
      "structural/equal " + tag,
      [&](int64_t n) {
        LOOP(n)
        Keep(ffi::StructuralEqual::Equal(t1, t2));
      },
      nodes);
  b.Time(
      "structural/hash " + tag,
      [&](int64_t n) {
        LOOP(n)
        Keep(ffi::StructuralHash::Hash(t1));
      },
      nodes);
  int64_t left3 = 10000;
  ObjectRef t3 = MakeTree(&left3, 9);
  double n3 = static_cast<double>(10000 - left3);
  ffi::json::Value graph = ffi::ToJSONGraph(t3);
  b.Time(
      "serialization/to JSON graph, per node",
      [&](int64_t n) {
        LOOP(n)
        Keep(ffi::ToJSONGraph(t3));
      },
      n3);
  b.Time(
      "serialization/from JSON graph, per node",
      [&](int64_t n) {
        LOOP(n)
        Keep(ffi::FromJSONGraph(graph));
      },
      n3);
  b.Time(
      "structural/free tree + build, per node",
      [&](int64_t n) {
        LOOP(n) {
          int64_t l = 10000;
          Keep(MakeTree(&l, 9));
        }
      },
      n3);
}

static void RowsJson(Bench& b) {
  if (!b.Wanted("json/")) return;
  std::string doc = "[";
  for (int i = 0; doc.size() < 4000000; ++i) {
    if (i) doc += ", ";
    doc += "{\"id\": " + std::to_string(i) + ", \"name\": \"entry number " + std::to_string(i) +
           "\", \"ratio\": " + std::to_string(i / 7.0) +
           ", \"ok\": true, \"tags\": [\"alpha\", \"beta\", null], \"child\": {\"x\": -1, \"s\": "
           "\"a\\\"b\\\\c\\u00e9\"}}";
  }
  doc += "]";
  String text(doc);
  ffi::json::Value value = ffi::json::Parse(text);
  String back = ffi::json::Stringify(value);
  b.Rate("json/parse objects, MB/s", static_cast<double>(doc.size()),
         [&] { Keep(ffi::json::Parse(text)); });
  b.Rate("json/stringify objects, MB/s", static_cast<double>(back.size()),
         [&] { Keep(ffi::json::Stringify(value)); });
  std::string nums = "[";
  for (int i = 0; nums.size() < 4000000; ++i) nums += (i ? "," : "") + std::to_string(i * 1.37);
  nums += "]";
  String num_text(nums);
  ffi::json::Value num_value = ffi::json::Parse(num_text);
  b.Rate("json/parse floats, MB/s", static_cast<double>(nums.size()),
         [&] { Keep(ffi::json::Parse(num_text)); });
  b.Rate("json/stringify floats, MB/s", static_cast<double>(nums.size()),
         [&] { Keep(ffi::json::Stringify(num_value)); });
  String str_text("\"" + std::string(4000000, 'x') + "\"");
  b.Rate("json/parse one string, MB/s", 4e6, [&] { Keep(ffi::json::Parse(str_text)); });
}

static void RowsError(Bench& b) {
  Function fail = Function::GetGlobalRequired("bench.cpp.fail");
  b.Time("error/throw + catch, same frame", [](int64_t n) {
    LOOP(n) try { TVM_FFI_THROW(ValueError) << "m"; } catch (const ffi::Error& e) {
      Keep(e);
    }
  });
  b.Time("error/throw through Function + catch", [&](int64_t n) {
    LOOP(n) try { fail(); } catch (const ffi::Error& e) {
      Keep(e);
    }
  });
  b.Time("error/safe call to error code", [&](int64_t n) {
    TVMFFIObjectHandle h = const_cast<Object*>(static_cast<const Object*>(fail.get()));
    LOOP(n) {
      TVMFFIAny out{};
      if (TVMFFIFunctionCall(h, nullptr, 0, &out) != 0) {
        TVMFFIObjectHandle err;
        TVMFFIErrorMoveFromRaised(&err);
        TVMFFIObjectDecRef(err);
      }
    }
  });
  b.Time("error/set and take, C API", [](int64_t n) {
    LOOP(n) {
      TVMFFIErrorSetRaisedFromCStr("ValueError", "m");
      TVMFFIObjectHandle err;
      TVMFFIErrorMoveFromRaised(&err);
      TVMFFIObjectDecRef(err);
    }
  });
  b.Time("error/capture backtrace", [](int64_t n) {
    LOOP(n) Keep(TVMFFIBacktrace(nullptr, 0, nullptr, 0));
  });
  b.Time("error/plain C++ throw + catch (reference)", [](int64_t n) {
    LOOP(n) try { throw std::runtime_error("m"); } catch (const std::exception& e) {
      Keep(&e);
    }
  });
}

static void RowsThreads(Bench& b) {
  if (!b.Wanted("threads/")) return;
  auto shared = ffi::make_object<SmallObj>(1);
  Function nop = Function::GetGlobalRequired("bench.cpp.nop");
  for (int t : {1, 2, 4}) {
    std::string tail = ", " + std::to_string(t) + (t == 1 ? " thread" : " threads");
    b.Threads("threads/refcount one shared object" + tail, t, 1000000, [&](int, int64_t n) {
      LOOP(n) {
        ObjectPtr<SmallObj> q = shared;
        Keep(q);
      }
    });
    b.Threads("threads/refcount own object" + tail, t, 3000000, [&](int, int64_t n) {
      auto own = ffi::make_object<SmallObj>(1);
      LOOP(n) {
        ObjectPtr<SmallObj> q = own;
        Keep(q);
      }
    });
    b.Threads("threads/GetGlobal" + tail, t, 300000, [&](int, int64_t n) {
      LOOP(n) {
        auto f = Function::GetGlobal("bench.cpp.add");
        Keep(f);
      }
    });
    TVMFFIByteArray key{"bench.cpp.Node", 14};
    b.Threads("threads/TypeKeyToIndex" + tail, t, 300000, [&](int, int64_t n) {
      LOOP(n) {
        int32_t i;
        TVMFFITypeKeyToIndex(&key, &i);
        Keep(i);
      }
    });
    b.Threads("threads/GetTypeInfo" + tail, t, 3000000, [&](int, int64_t n) {
      LOOP(n) {
        Clobber();
        Keep(TVMFFIGetTypeInfo(64));
      }
    });
    b.Threads("threads/call 1 arg" + tail, t, 1000000, [&](int, int64_t n) { LOOP(n) nop(_i); });
    b.Threads("threads/make_object + free" + tail, t, 1000000, [&](int, int64_t n) {
      LOOP(n) {
        auto p = ffi::make_object<SmallObj>(_i);
        Keep(p);
      }
    });
    b.Threads("threads/throw + catch" + tail, t, 3000, [&](int, int64_t n) {
      LOOP(n) try { TVM_FFI_THROW(ValueError) << "m"; } catch (const ffi::Error& e) {
        Keep(e);
      }
    });
  }
}

int main(int argc, char** argv) {
  Options opt;
  const char* json = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else if (!std::strcmp(argv[i], "--filter") && i + 1 < argc)
      opt.filter = argv[++i];
    else if (!std::strcmp(argv[i], "--quick")) {
      opt.quick = true;
      opt.budget_ns = 15e6;
    } else {
      std::fprintf(stderr, "usage: %s [--json FILE] [--filter TEXT] [--quick]\n", argv[0]);
      return 2;
    }
  }
  // Start a thread that only sleeps: real processes have several threads, which makes the mutexes
  // and the allocator of the C library slower.
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }).detach();
  Register();
  Bench b(opt);
  RowsAny(b);
  RowsFunction(b);
  RowsObject(b);
  RowsString(b);
  RowsSequence(b);
  RowsMap(b);
  RowsStructural(b);
  RowsJson(b);
  RowsError(b);
  RowsThreads(b);
  if (json) b.Write(json);
  return 0;
}
