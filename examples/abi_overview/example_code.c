/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C listings for a description of the ABI. Each part between `[NAME.begin]` and `[NAME.end]` is
 * a listing, which a document includes by its name. `main` runs all listings.
 *
 *   gcc -std=c99 $(pkg-config --cflags tvm-ffi) example_code.c -o example_code \
 *       $(pkg-config --libs tvm-ffi) -Wl,-rpath,"$(pkg-config --variable=libdir tvm-ffi)"
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Whether the values of the listings own their objects (Any) or borrow them (AnyView). */
#ifndef IS_OWNING_ANY
#define IS_OWNING_ANY true
#endif

/* ------------------------------------------------------------------ Any and AnyView */

// [Any_AnyView.FromInt_Float.begin]
TVMFFIAny Any_AnyView_FromInt(int64_t number) {
  TVMFFIAny any;
  any.type_index = kTVMFFIInt;
  any.zero_padding = 0;
  any.v_int64 = number;
  return any;
}

TVMFFIAny Any_AnyView_FromFloat(double number) {
  TVMFFIAny any;
  any.type_index = kTVMFFIFloat;
  any.zero_padding = 0;
  any.v_float64 = number;
  return any;
}
// [Any_AnyView.FromInt_Float.end]

// [Any_AnyView.FromObjectPtr.begin]
TVMFFIAny Any_AnyView_FromObjectPtr(TVMFFIObject* object) {
  TVMFFIAny any;
  any.type_index = object->type_index;
  any.zero_padding = 0;
  any.v_obj = object;
  // An owning value has its own reference.
  if (IS_OWNING_ANY) TVMFFIObjectIncRef(object);
  return any;
}
// [Any_AnyView.FromObjectPtr.end]

// [Any_AnyView.Destroy.begin]
void Any_AnyView_Destroy(TVMFFIAny* any) {
  // Only objects have a reference count. A view does not own a reference.
  if (IS_OWNING_ANY && any->type_index >= kTVMFFIStaticObjectBegin) {
    TVMFFIObjectDecRef(any->v_obj);
  }
  memset(any, 0, sizeof(*any));  // None, so that a second call has no effect
}
// [Any_AnyView.Destroy.end]

// [Any_AnyView.GetInt_Float.begin]
bool Any_AnyView_GetInt(const TVMFFIAny* any, int64_t* out) {
  if (any->type_index != kTVMFFIInt && any->type_index != kTVMFFIBool) return false;
  *out = any->v_int64;
  return true;
}

bool Any_AnyView_GetFloat(const TVMFFIAny* any, double* out) {
  if (any->type_index == kTVMFFIFloat) {
    *out = any->v_float64;
    return true;
  }
  if (any->type_index == kTVMFFIInt || any->type_index == kTVMFFIBool) {
    *out = (double)any->v_int64;
    return true;
  }
  return false;
}
// [Any_AnyView.GetInt_Float.end]

// [Any_AnyView.GetDLTensor.begin]
DLTensor* Any_AnyView_GetDLTensor(const TVMFFIAny* any) {
  if (any->type_index == kTVMFFIDLTensorPtr) return (DLTensor*)any->v_ptr;
  if (any->type_index == kTVMFFITensor) {
    // The DLTensor of a tensor object follows the header of the object.
    return (DLTensor*)((char*)any->v_obj + sizeof(TVMFFIObject));
  }
  return NULL;
}
// [Any_AnyView.GetDLTensor.end]

// [Any_AnyView.GetObject.begin]
TVMFFIObject* Any_AnyView_GetObject(const TVMFFIAny* any) {
  if (any->type_index < kTVMFFIStaticObjectBegin) return NULL;
  return any->v_obj;  // borrowed from the value
}
// [Any_AnyView.GetObject.end]

/* ------------------------------------------------------------------ Object */

// [Object.MoveFromAny.begin]
TVMFFIObject* Object_MoveFromAny(TVMFFIAny* any) {
  TVMFFIObject* object = any->v_obj;
  if (!IS_OWNING_ANY) TVMFFIObjectIncRef(object);  // a view does not own a reference
  memset(any, 0, sizeof(*any));
  return object;
}
// [Object.MoveFromAny.end]

// [Object.Destroy.begin]
void Object_Destroy(TVMFFIObject* object) { TVMFFIObjectDecRef(object); }
// [Object.Destroy.end]

// [Object.IsInstance.begin]
bool Object_IsInstance(int32_t type_index, int32_t base_index) {
  const TVMFFITypeInfo* type;
  const TVMFFITypeInfo* base;
  if (type_index == base_index) return true;
  if (type_index < base_index) return false;  // a base has a smaller index than its subclasses
  type = TVMFFIGetTypeInfo(type_index);
  base = TVMFFIGetTypeInfo(base_index);
  if (type == NULL || base == NULL) return false;  // an error is raised
  return type->type_depth > base->type_depth && type->type_ancestors[base->type_depth] == base;
}
// [Object.IsInstance.end]

/* ------------------------------------------------------------------ Tensor */

// [Tensor.AccessDLTensor.begin]
DLTensor* Tensor_AccessDLTensor(TVMFFIObject* tensor) {
  return (DLTensor*)((char*)tensor + sizeof(TVMFFIObject));
}
// [Tensor.AccessDLTensor.end]

// [Tensor_FromDLPack.begin]
TVMFFIObject* Tensor_FromDLPack(DLManagedTensorVersioned* from) {
  TVMFFIObjectHandle tensor = NULL;
  if (TVMFFITensorFromDLPackVersioned(from, /*require_alignment=*/0, /*require_contiguous=*/1,
                                      &tensor) != 0) {
    return NULL;  // an error is raised, and the caller still owns `from`
  }
  return (TVMFFIObject*)tensor;  // owns `from`
}
// [Tensor_FromDLPack.end]

// [Tensor_ToDLPackVersioned.begin]
DLManagedTensorVersioned* Tensor_ToDLPackVersioned(TVMFFIObject* tensor) {
  DLManagedTensorVersioned* out = NULL;
  if (TVMFFITensorToDLPackVersioned(tensor, &out) != 0) return NULL;  // an error is raised
  return out;  // the caller calls out->deleter(out)
}
// [Tensor_ToDLPackVersioned.end]

/* ------------------------------------------------------------------ Function */

// [Function.SafeCall.begin]
int AddOne(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "AddOne takes one int");
    return -1;
  }
  *result = Any_AnyView_FromInt(args[0].v_int64 + 1);
  return 0;
}
// [Function.SafeCall.end]

// [Function.Construct.begin]
TVMFFIObject* Function_Construct(void) {
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(/*self=*/NULL, AddOne, /*deleter=*/NULL, &function) != 0) return NULL;
  return (TVMFFIObject*)function;
}
// [Function.Construct.end]

// [Function.Call.begin]
int64_t Function_Call(TVMFFIObject* function, int64_t x, int64_t y) {
  TVMFFIAny args[2];
  TVMFFIAny result;
  int64_t number = -1;
  args[0] = Any_AnyView_FromInt(x);
  args[1] = Any_AnyView_FromInt(y);
  // The callee overwrites the result without releasing it, so the result must be None before the
  // call.
  memset(&result, 0, sizeof(result));
  if (TVMFFIFunctionCall(function, args, 2, &result) != 0) return -1;  // an error is raised
  Any_AnyView_GetInt(&result, &number);
  // The caller always owns the result.
  if (result.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(result.v_obj);
  return number;
}
// [Function.Call.end]

// [Function.SetGlobal.begin]
int Function_SetGlobal(TVMFFIObject* function) {
  TVMFFIByteArray name = {"abi_overview.add_one", 20};
  return TVMFFIFunctionSetGlobal(&name, function, /*allow_override=*/1);
}
// [Function.SetGlobal.end]

// [Function.GetGlobal.begin]
TVMFFIObject* Function_GetGlobal(const char* text) {
  TVMFFIByteArray name;
  TVMFFIObjectHandle function = NULL;
  name.data = text;
  name.size = strlen(text);
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0) return NULL;  // an error is raised
  return (TVMFFIObject*)function;  // NULL, without an error, if the name is not registered
}
// [Function.GetGlobal.end]

/* ------------------------------------------------------------------ Error */

// [Error.Raise.begin]
int Error_Raise(void) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "expected a number from 0 on");
  return -1;
}
// [Error.Raise.end]

// [Error.Take.begin]
void Error_Take(char* text, size_t capacity) {
  TVMFFIObjectHandle error = NULL;
  const TVMFFIErrorCell* cell;
  TVMFFIErrorMoveFromRaised(&error);  // removes the error from this thread
  if (error == NULL) return;
  cell = (const TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
  snprintf(text, capacity, "%.*s: %.*s", (int)cell->kind.size, cell->kind.data,
           (int)cell->message.size, cell->message.data);
  TVMFFIObjectDecRef(error);
}
// [Error.Take.end]

/* ------------------------------------------------------------------ String */

// [String.FromText.begin]
int String_FromText(const char* text, TVMFFIAny* out) {
  TVMFFIByteArray bytes;
  bytes.data = text;
  bytes.size = strlen(text);
  return TVMFFIStringFromByteArray(&bytes, out);  // up to 7 bytes inline, else an object
}
// [String.FromText.end]

// [String.GetText.begin]
TVMFFIByteArray String_GetText(const TVMFFIAny* any) {
  TVMFFIByteArray text = {NULL, 0};
  if (any->type_index == kTVMFFISmallStr) {
    text.data = any->v_bytes;
    text.size = any->small_str_len;
  } else if (any->type_index == kTVMFFIStr) {
    text = *(const TVMFFIByteArray*)((char*)any->v_obj + sizeof(TVMFFIObject));
  } else if (any->type_index == kTVMFFIRawStr) {
    text.data = any->v_c_str;
    text.size = strlen(any->v_c_str);
  }
  return text;
}
// [String.GetText.end]

/* ------------------------------------------------------------------ run all listings */

static int g_failures = 0;

static void Expect(bool truth, const char* what) {
  if (!truth) {
    printf("WRONG: %s\n", what);
    ++g_failures;
  }
}

static uint32_t StrongCount(const TVMFFIObject* object) {
  return (uint32_t)(object->combined_ref_count & 0xffffffffu);
}

/* A managed tensor of four floats whose deleter counts its calls. */
static float g_numbers[4] = {0, 1, 2, 3};
static int64_t g_shape[1] = {4};
static int64_t g_strides[1] = {1};
static int g_deletions = 0;

static void Delete(DLManagedTensorVersioned* self) {
  free(self);
  ++g_deletions;
}

static DLManagedTensorVersioned* MakeManaged(void) {
  DLManagedTensorVersioned* made = (DLManagedTensorVersioned*)calloc(1, sizeof(*made));
  if (made == NULL) abort();
  made->version.major = DLPACK_MAJOR_VERSION;
  made->version.minor = DLPACK_MINOR_VERSION;
  made->deleter = Delete;
  made->dl_tensor.data = g_numbers;
  made->dl_tensor.device.device_type = kDLCPU;
  made->dl_tensor.ndim = 1;
  made->dl_tensor.dtype.code = kDLFloat;
  made->dl_tensor.dtype.bits = 32;
  made->dl_tensor.dtype.lanes = 1;
  made->dl_tensor.shape = g_shape;
  made->dl_tensor.strides = g_strides;
  return made;
}

static void RunNumbers(void) {
  TVMFFIAny any = Any_AnyView_FromInt(41);
  int64_t integer = 0;
  double number = 0;
  Expect(Any_AnyView_GetInt(&any, &integer) && integer == 41, "GetInt");
  Expect(Any_AnyView_GetFloat(&any, &number) && number == 41.0, "GetFloat of an int");
  Expect(Any_AnyView_GetObject(&any) == NULL, "GetObject of an int");
  any = Any_AnyView_FromFloat(2.5);
  Expect(Any_AnyView_GetFloat(&any, &number) && number == 2.5, "GetFloat");
  Expect(!Any_AnyView_GetInt(&any, &integer), "GetInt of a float");
  Expect(Any_AnyView_GetDLTensor(&any) == NULL, "GetDLTensor of a float");
  Any_AnyView_Destroy(&any);
  Expect(any.type_index == kTVMFFINone, "Destroy");
}

static void RunTensor(void) {
  TVMFFIObject* tensor = Tensor_FromDLPack(MakeManaged());
  DLManagedTensorVersioned* exported;
  TVMFFIAny any, view;
  uint32_t owned = IS_OWNING_ANY ? 2 : 1;
  Expect(tensor != NULL && Tensor_AccessDLTensor(tensor)->data == g_numbers, "AccessDLTensor");
  if (tensor == NULL) return;
  any = Any_AnyView_FromObjectPtr(tensor);
  Expect(StrongCount(tensor) == owned, "FromObjectPtr");
  Expect(Any_AnyView_GetObject(&any) == tensor, "GetObject");
  Expect(Any_AnyView_GetDLTensor(&any) == Tensor_AccessDLTensor(tensor), "GetDLTensor");
  view.type_index = kTVMFFIDLTensorPtr;
  view.zero_padding = 0;
  view.v_ptr = Tensor_AccessDLTensor(tensor);
  Expect(Any_AnyView_GetDLTensor(&view) == view.v_ptr, "GetDLTensor of a pointer");
  Expect(Object_MoveFromAny(&any) == tensor && StrongCount(tensor) == 2, "MoveFromAny");
  Object_Destroy(tensor);
  any = Any_AnyView_FromObjectPtr(tensor);
  Any_AnyView_Destroy(&any);
  Expect(StrongCount(tensor) == 1, "Destroy");
  exported = Tensor_ToDLPackVersioned(tensor);
  Expect(exported != NULL && exported->dl_tensor.data == g_numbers, "ToDLPackVersioned");
  Object_Destroy(tensor);
  Expect(g_deletions == 0, "the exported tensor keeps the memory");
  if (exported != NULL) exported->deleter(exported);
  Expect(g_deletions == 1, "the last owner releases the memory");
}

static void RunTypes(void) {
  Expect(Object_IsInstance(kTVMFFITensor, kTVMFFIObject), "a tensor is an object");
  Expect(Object_IsInstance(kTVMFFITensor, kTVMFFITensor), "a tensor is a tensor");
  Expect(!Object_IsInstance(kTVMFFIMap, kTVMFFIArray), "a map is not an array");
  Expect(!Object_IsInstance(kTVMFFIObject, kTVMFFITensor), "an object is not always a tensor");
}

static void RunFunction(void) {
  TVMFFIObject* function = Function_Construct();
  TVMFFIObject* found;
  char text[128] = "";
  Expect(Function_SetGlobal(function) == 0, "SetGlobal");
  found = Function_GetGlobal("abi_overview.add_one");
  Expect(found == function, "GetGlobal");
  Expect(Function_GetGlobal("abi_overview.no_such") == NULL, "GetGlobal of an unknown name");
  Expect(Function_Call(found, 1, 2) == -1, "Call");
  Error_Take(text, sizeof(text));
  Expect(strcmp(text, "TypeError: AddOne takes one int") == 0, "Take");
  Expect(Error_Raise() == -1, "Raise");
  Error_Take(text, sizeof(text));
  Expect(strcmp(text, "ValueError: expected a number from 0 on") == 0, "Take after Raise");
  Object_Destroy(found);
  Object_Destroy(function);
  function = Function_GetGlobal("ffi.Array");
  Expect(Function_Call(function, 1, 2) == -1, "Call releases a result that is not a number");
  Object_Destroy(function);
}

static void RunString(void) {
  TVMFFIAny any;
  TVMFFIByteArray text;
  Expect(String_FromText("short", &any) == 0 && any.type_index == kTVMFFISmallStr, "small string");
  text = String_GetText(&any);
  Expect(text.size == 5 && strcmp(text.data, "short") == 0, "GetText of a small string");
  Expect(String_FromText("more than seven bytes", &any) == 0 && any.type_index == kTVMFFIStr,
         "string object");
  text = String_GetText(&any);
  Expect(text.size == 21 && strcmp(text.data, "more than seven bytes") == 0, "GetText");
  TVMFFIObjectDecRef(any.v_obj);
}

int main(void) {
  RunNumbers();
  RunTensor();
  RunTypes();
  RunFunction();
  RunString();
  printf("%d failures\n", g_failures);
  return g_failures == 0 ? 0 : 1;
}
