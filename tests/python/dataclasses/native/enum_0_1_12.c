// SPDX-License-Identifier: Apache-2.0
// A library that registers an enum as libraries compiled for 0.1.11 and 0.1.12 do: it fills two
// Dicts in place, and allocates its variants itself. The source uses only the C ABI.
//
// PROBE_KEY, PROBE_PARENT: the keys of the type and of its parent.
// PROBE_VARIANTS: the names of the variants to register when the library is loaded.
// PROBE_ONLY_ADDS: do not register the type, which another library has registered; only add
// variants.
// PROBE_STATE: register the variants as libraries compiled for 0.1.13 do.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef PROBE_PARENT
#define PROBE_PARENT "ffi.Enum"
#endif

typedef struct {
  TVMFFIObject header;
  int64_t ordinal;
  TVMFFIAny name;
} Variant;

_Static_assert(sizeof(Variant) == 48 && offsetof(Variant, ordinal) == 24 &&
                   offsetof(Variant, name) == 32,
               "the layout of 0.1.12");

// The number of variants; only one thread at a time changes it.
static int64_t num_variants = 0;

static TVMFFIByteArray text(const char* x) { return (TVMFFIByteArray){x, strlen(x)}; }

static TVMFFIAny none(void) {
  TVMFFIAny value;
  memset(&value, 0, sizeof(value));
  return value;
}

static TVMFFIAny from_int(int64_t x) {
  TVMFFIAny value = none();
  value.type_index = kTVMFFIInt;
  value.v_int64 = x;
  return value;
}

static TVMFFIAny from_object(TVMFFIObject* x) {
  TVMFFIAny value = none();
  value.type_index = x->type_index;
  value.v_obj = x;
  return value;
}

static void release(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
  *value = none();
}

static int fail(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

// Call a function of the runtime; the caller owns the result.
static int call(const char* name, TVMFFIAny* args, int num_args, TVMFFIAny* result) {
  TVMFFIByteArray key = text(name);
  TVMFFIObjectHandle function = NULL;
  *result = none();
  if (TVMFFIFunctionGetGlobal(&key, &function) != 0) return -1;
  if (function == NULL) return fail("RuntimeError", name);
  int status = TVMFFIFunctionCall(function, args, num_args, result);
  TVMFFIObjectDecRef(function);
  return status;
}

static int size_of(const char* function, TVMFFIAny container, int64_t* size) {
  TVMFFIAny result;
  if (call(function, &container, 1, &result) != 0) return -1;
  *size = result.v_int64;
  return 0;
}

// ---- the type

static int32_t probe_type(void) {
  TVMFFIByteArray key = text(PROBE_KEY), parent_key = text(PROBE_PARENT);
  int32_t parent;
  if (TVMFFITypeKeyToIndex(&parent_key, &parent) != 0) return -1;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(parent);
  return TVMFFITypeGetOrAllocIndex(&key, -1, info->type_depth + 1, 0, 1, parent);
}

static void delete_variant(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) release(&((Variant*)self)->name);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) {
    --num_variants;
    free(self);
  }
}

static Variant* new_variant(void) {
  Variant* variant = calloc(1, sizeof(Variant));
  variant->header.combined_ref_count = ((uint64_t)1 << 32) | 1;
  variant->header.type_index = probe_type();
  variant->header.deleter = delete_variant;
  variant->name.type_index = kTVMFFISmallStr;
  ++num_variants;
  return variant;
}

static int allocate(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  *result = from_object(&new_variant()->header);
  return 0;
}

static int register_type(void) {
  int32_t type = probe_type();
  TVMFFITypeMetadata metadata;
  memset(&metadata, 0, sizeof(metadata));
  metadata.total_size = sizeof(Variant);
  metadata.structural_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  if (TVMFFITypeRegisterMetadata(type, &metadata) != 0) return -1;
  TVMFFIByteArray name = text("__ffi_new__");
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(NULL, allocate, NULL, &function) != 0) return -1;
  TVMFFIAny value = from_object(function);
  int status = TVMFFITypeRegisterAttr(type, &name, &value);
  TVMFFIObjectDecRef(function);
  return status;
}

// ---- the Dicts

typedef struct {
  const char* name;
  const TVMFFITypeAttrColumn* column;
} Registry;

// The columns are looked up once, as a static variable of an inline C++ function would be.
static Registry entries = {"__ffi_enum_entries__", NULL};
static Registry attrs = {"__ffi_enum_attrs__", NULL};
static pthread_once_t columns_once = PTHREAD_ONCE_INIT;

static void look_up_columns(void) {
  TVMFFIByteArray first = text(entries.name), second = text(attrs.name);
  entries.column = TVMFFIGetTypeAttrColumn(&first);
  attrs.column = TVMFFIGetTypeAttrColumn(&second);
}

// Return the Dict in the column (borrowed), or None if there is no Dict.
static TVMFFIAny find_dict(Registry* registry) {
  pthread_once(&columns_once, look_up_columns);
  int32_t type = probe_type();
  if (registry->column == NULL || type >= registry->column->size) return none();
  return registry->column->data[type];
}

static int find_or_register_dict(Registry* registry, TVMFFIAny* dict) {
  *dict = find_dict(registry);
  if (dict->type_index != kTVMFFINone) return 0;
  TVMFFIAny made;
  if (call("ffi.Dict", NULL, 0, &made) != 0) return -1;
  TVMFFIByteArray name = text(registry->name);
  int status = TVMFFITypeRegisterAttr(probe_type(), &name, &made);
  *dict = made;
  release(&made);  // The column has its own reference now.
  return status;
}

// Return an item of a Dict (owned), or None if there is no such item.
static int find_item(TVMFFIAny dict, const TVMFFIAny* key, TVMFFIAny* item) {
  TVMFFIAny args[2] = {dict, *key}, count;
  *item = none();
  if (dict.type_index == kTVMFFINone) return 0;
  if (call("ffi.DictCount", args, 2, &count) != 0) return -1;
  return count.v_int64 == 0 ? 0 : call("ffi.DictGetItem", args, 2, item);
}

static int add_variant(const TVMFFIAny* name, TVMFFIAny* result) {
  TVMFFIAny dict, known, done;
  int64_t size;
  if (find_or_register_dict(&entries, &dict) != 0) return -1;
  if (find_item(dict, name, &known) != 0) return -1;
  if (known.type_index != kTVMFFINone) {
    release(&known);
    return fail("RuntimeError", "the probe has an entry of that name");
  }
  if (size_of("ffi.DictSize", dict, &size) != 0) return -1;
  Variant* variant = new_variant();
  variant->ordinal = size;
  TVMFFIAny args[3] = {dict, *name, from_object(&variant->header)};
  int status = TVMFFIAnyViewToOwnedAny(name, &variant->name);
  if (status == 0) status = call("ffi.DictSetItem", args, 3, &done);
  if (status == 0) status = find_or_register_dict(&attrs, &dict);
  if (status != 0) {
    TVMFFIObjectDecRef(variant);
    return status;
  }
  *result = args[2];
  return 0;
}

static int set_attr(const TVMFFIAny* column, const Variant* variant, const TVMFFIAny* value) {
  TVMFFIAny dict, list, done;
  int64_t size;
  if (find_or_register_dict(&attrs, &dict) != 0) return -1;
  if (find_item(dict, column, &list) != 0) return -1;
  if (list.type_index == kTVMFFINone) {
    if (call("ffi.List", NULL, 0, &list) != 0) return -1;
    TVMFFIAny args[3] = {dict, *column, list};
    if (call("ffi.DictSetItem", args, 3, &done) != 0) return -1;
  }
  int status = size_of("ffi.ListSize", list, &size);
  for (; status == 0 && size <= variant->ordinal; ++size) {
    TVMFFIAny args[2] = {list, none()};
    status = call("ffi.ListAppend", args, 2, &done);
  }
  if (status == 0) {
    TVMFFIAny args[3] = {list, from_int(variant->ordinal), *value};
    status = call("ffi.ListSetItem", args, 3, &done);
  }
  release(&list);
  return status;
}

static int get_attr(const TVMFFIAny* column, const Variant* variant, TVMFFIAny* result) {
  TVMFFIAny list;
  int64_t size = 0;
  *result = none();
  if (find_item(find_dict(&attrs), column, &list) != 0) return -1;
  if (list.type_index == kTVMFFINone) return 0;
  int status = size_of("ffi.ListSize", list, &size);
  if (status == 0 && variant->ordinal < size) {
    TVMFFIAny args[2] = {list, from_int(variant->ordinal)};
    status = call("ffi.ListGetItem", args, 2, result);
  }
  release(&list);
  return status;
}

// ---- the state, which libraries compiled for 0.1.13 and later change in place

typedef struct {
  TVMFFIObject header;
  TVMFFIObject* entries;
  TVMFFIObject* indexes;
  TVMFFIObject* attrs;
} State;

static Registry states = {"__ffi_enum__", NULL};

static const State* find_state(void) {
  TVMFFIByteArray name = text(states.name);
  if (states.column == NULL) states.column = TVMFFIGetTypeAttrColumn(&name);
  int32_t type = probe_type();
  if (type >= states.column->size) return NULL;
  TVMFFIAny slot = states.column->data[type];
  return slot.type_index == kTVMFFINone ? NULL : (const State*)slot.v_obj;
}

static int add_to_state(const TVMFFIAny* name, TVMFFIAny* result) {
  TVMFFIAny done;
  if (find_state() == NULL) {
    TVMFFIByteArray key = text("ffi.EnumState"), attr = text(states.name),
                    init = text("__ffi_init__");
    int32_t state_type;
    if (TVMFFITypeKeyToIndex(&key, &state_type) != 0) return -1;
    const TVMFFIAny make = TVMFFIGetTypeAttrColumn(&init)->data[state_type];
    TVMFFIAny state = none();
    if (TVMFFIFunctionCall(make.v_obj, NULL, 0, &state) != 0) return -1;
    int status = TVMFFITypeRegisterAttr(probe_type(), &attr, &state);
    release(&state);
    if (status != 0) return status;
  }
  const State* state = find_state();
  int64_t size;
  if (size_of("ffi.ListSize", from_object(state->entries), &size) != 0) return -1;
  Variant* variant = new_variant();
  variant->ordinal = size;
  *result = from_object(&variant->header);
  if (TVMFFIAnyViewToOwnedAny(name, &variant->name) != 0) return -1;
  TVMFFIAny append[2] = {from_object(state->entries), *result};
  TVMFFIAny by_number[3] = {from_object(state->indexes), from_int(size), *result};
  TVMFFIAny by_name[3] = {from_object(state->indexes), *name, *result};
  if (call("ffi.ListAppend", append, 2, &done) != 0) return -1;
  if (call("ffi.DictSetItem", by_number, 3, &done) != 0) return -1;
  return call("ffi.DictSetItem", by_name, 3, &done);
}

// ---- functions for the tests

#define EXPORT(name)                                                                    \
  TVM_FFI_DLL_EXPORT int __tvm_ffi_##name(void* self, const TVMFFIAny* args, int32_t n, \
                                          TVMFFIAny* result)

EXPORT(add) {
  (void)self, (void)n;
  return add_variant(&args[0], result);
}

struct Addition {
  const TVMFFIAny* name;
  TVMFFIAny* result;
  int status;
};

static void* run_addition(void* addition) {
  struct Addition* x = addition;
  x->status = add_variant(x->name, x->result);
  return NULL;
}

EXPORT(add_on_thread) {
  (void)self, (void)n;
  pthread_t thread;
  struct Addition addition = {&args[0], result, 0};
  if (pthread_create(&thread, NULL, run_addition, &addition) != 0) {
    return fail("RuntimeError", "no thread");
  }
  pthread_join(thread, NULL);
  return addition.status;
}

// Return an entry, as `EnumObj::Get<T>(name)` does.
EXPORT(get) {
  (void)self, (void)n;
  if (find_item(find_dict(&entries), &args[0], result) != 0) return -1;
  return result->type_index != kTVMFFINone ? 0 : fail("ValueError", "the probe has no such entry");
}

EXPORT(add_to_state) {
  (void)self, (void)n;
  return add_to_state(&args[0], result);
}

// Return an entry by its number or name.
EXPORT(get_from_state) {
  (void)self, (void)n;
  const State* state = find_state();
  if (state == NULL) return fail("ValueError", "the probe has no state");
  if (find_item(from_object(state->indexes), &args[0], result) != 0) return -1;
  return result->type_index != kTVMFFINone ? 0 : fail("ValueError", "the probe has no such entry");
}

EXPORT(set_attr) {
  (void)self, (void)n;
  *result = none();
  return set_attr(&args[0], (const Variant*)args[1].v_obj, &args[2]);
}

EXPORT(get_attr) {
  (void)self, (void)n;
  return get_attr(&args[0], (const Variant*)args[1].v_obj, result);
}

// Read the ordinal and the name at their offsets.
EXPORT(ordinal_of) {
  (void)self, (void)n;
  *result = from_int(((const Variant*)args[0].v_obj)->ordinal);
  return 0;
}

EXPORT(name_of) {
  (void)self, (void)n;
  return TVMFFIAnyViewToOwnedAny(&((const Variant*)args[0].v_obj)->name, result);
}

// Return the Dict that this library fills; the tests compare it with the Dict in the column.
EXPORT(entries) {
  (void)self, (void)args, (void)n;
  TVMFFIAny dict = find_dict(&entries);
  return TVMFFIAnyViewToOwnedAny(&dict, result);
}

EXPORT(attrs) {
  (void)self, (void)args, (void)n;
  TVMFFIAny dict = find_dict(&attrs);
  return TVMFFIAnyViewToOwnedAny(&dict, result);
}

EXPORT(num_variants) {
  (void)self, (void)args, (void)n;
  *result = from_int(num_variants);
  return 0;
}

static const char* names_at_load[] = {PROBE_VARIANTS NULL};

// An error ends the process, as an exception in a static initialiser of C++ does.
__attribute__((constructor)) static void register_at_load(void) {
  TVMFFIByteArray key = text(PROBE_KEY);
  int32_t known;
#ifdef PROBE_ONLY_ADDS
  const int is_owner = 0;
#else
  const int is_owner = 1;
#endif
  int status = is_owner ? register_type() : TVMFFITypeKeyToIndex(&key, &known);
  for (const char** name = names_at_load; status == 0 && *name != NULL; ++name) {
    TVMFFIAny variant, view = none();
    view.type_index = kTVMFFIRawStr;
    view.v_c_str = *name;
    TVMFFIAny owned;
    status = TVMFFIAnyViewToOwnedAny(&view, &owned);
#ifdef PROBE_STATE
    if (status == 0) status = add_to_state(&owned, &variant);
#else
    if (status == 0) status = add_variant(&owned, &variant);
#endif
    if (status == 0) {
      TVMFFIObjectDecRef(variant.v_obj);
      release(&owned);
    }
  }
  if (status != 0) {
    fprintf(stderr, "the probe of %s could not register\n", PROBE_KEY);
    abort();
  }
}
