/* SPDX-License-Identifier: Apache-2.0 */
/* A library in C: four functions on tensors, maps and text, which check their arguments. */
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_function.h>
#include <tvm/ffi/extra/c_value.h>

#define EXPORT(name)                                                                             \
  TVM_FFI_DLL_EXPORT int __tvm_ffi_##name(void* handle, const TVMFFIAny* args, int32_t num_args, \
                                          TVMFFIAny* result)

static int fail(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

/* ------------------------------------------------------------------ tensors */

static int scale(DLTensor* x, double factor) {
  float* numbers;
  int64_t i;
  if (x->device.device_type != kDLCPU || x->ndim != 1 || x->dtype.code != kDLFloat ||
      x->dtype.bits != 32 || x->dtype.lanes != 1 ||
      (x->strides != NULL && x->strides[0] != 1 && x->shape[0] > 1)) {
    return fail("ValueError", "x: expected a contiguous float32 vector in main memory");
  }
  numbers = (float*)((char*)x->data + x->byte_offset);
  for (i = 0; i < x->shape[0]; ++i) numbers[i] *= (float)factor;
  return 0;
}

/* scale(x: Tensor, options: Map[str, float]) -> None: multiply x by options["factor"]. */
EXPORT(scale) {
  TVMFFIAny map_args[2], factor;
  DLTensor* x = num_args == 2 ? tvm_ffi_any_get_dltensor(&args[0]) : NULL;
  (void)handle;
  (void)result;
  if (num_args != 2) return fail("TypeError", "scale: expected two arguments, x and options");
  if (x == NULL) return fail("TypeError", "scale: expected a tensor as argument x");
  if (args[1].type_index != kTVMFFIMap) {
    return fail("TypeError", "scale: expected a map as argument options");
  }
  map_args[0] = args[1];
  map_args[1] = tvm_ffi_any_str("factor");
  if (tvm_ffi_call_global("ffi.MapGetItem", map_args, 2, &factor) != 0) return -1;
  if (factor.type_index != kTVMFFIFloat) {
    tvm_ffi_any_release(&factor);
    return fail("TypeError", "scale: expected a float as options[\"factor\"]");
  }
  return scale(x, factor.v_float64);
}

/* The memory of a vector: the DLPack struct, followed by the numbers. */
typedef struct {
  DLManagedTensorVersioned managed;
  int64_t shape[1];
  float numbers[1];
} Vector;

static void delete_vector(DLManagedTensorVersioned* self) { free(self->manager_ctx); }

/* count(n: int) -> Tensor: 0, 1, …, n - 1 as float32. */
EXPORT(count) {
  TVMFFIObjectHandle tensor = NULL;
  Vector* vector;
  int64_t n, i;
  (void)handle;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    return fail("TypeError", "count: expected one int");
  }
  n = args[0].v_int64;
  if (n < 0 || n > 1000000) return fail("ValueError", "count: expected 0 to 1000000");
  vector = (Vector*)calloc(1, sizeof(Vector) + (size_t)n * sizeof(float));
  if (vector == NULL) return fail("MemoryError", "count: no memory for the vector");
  for (i = 0; i < n; ++i) vector->numbers[i] = (float)i;
  vector->shape[0] = n;
  vector->managed.version.major = DLPACK_MAJOR_VERSION;
  vector->managed.version.minor = DLPACK_MINOR_VERSION;
  vector->managed.manager_ctx = vector;
  vector->managed.deleter = delete_vector;
  vector->managed.dl_tensor.data = vector->numbers;
  vector->managed.dl_tensor.device.device_type = kDLCPU;
  vector->managed.dl_tensor.ndim = 1;
  vector->managed.dl_tensor.dtype.code = kDLFloat;
  vector->managed.dl_tensor.dtype.bits = 32;
  vector->managed.dl_tensor.dtype.lanes = 1;
  vector->managed.dl_tensor.shape = vector->shape;
  if (TVMFFITensorFromDLPackVersioned(&vector->managed, 0, 0, &tensor) != 0) {
    free(vector); /* the call takes ownership only on success */
    return -1;
  }
  *result = tvm_ffi_any_object(tensor); /* the caller owns the result */
  return 0;
}

/* ------------------------------------------------------------------ text */

enum { kMaxWords = 64 };

/* Creates a string for each word in `text`; the caller releases the `*count` values. */
static int split(const TVMFFIAny* text, TVMFFIAny* words, int32_t* count) {
  TVMFFIByteArray rest = tvm_ffi_any_get_text(text);
  size_t length;
  *count = 0;
  while (rest.size > 0) {
    TVMFFIByteArray word = rest;
    for (length = 0; length < rest.size && rest.data[length] != ' '; ++length) {
    }
    word.size = length;
    rest.data += length < rest.size ? length + 1 : length;
    rest.size -= length < rest.size ? length + 1 : length;
    if (word.size == 0) continue;
    if (*count == kMaxWords) return fail("ValueError", "the text has more than 64 words");
    if (TVMFFIStringFromByteArray(&word, &words[*count]) != 0) return -1;
    ++*count;
  }
  return 0;
}

static int with_words(const char* maker, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result,
                      int (*fill)(const TVMFFIAny* words, int32_t count, TVMFFIAny* values)) {
  TVMFFIAny words[kMaxWords], values[2 * kMaxWords];
  int32_t count = 0, i, num_values;
  int status = -1;
  if (num_args != 1 || tvm_ffi_any_get_text(&args[0]).data == NULL) {
    return fail("TypeError", "expected one str");
  }
  if (split(&args[0], words, &count) == 0) {
    num_values = fill(words, count, values);
    status = tvm_ffi_call_global(maker, values, num_values, result);
  }
  /* Release the references of this function; the container has its own. */
  for (i = 0; i < count; ++i) tvm_ffi_any_release(&words[i]);
  return status;
}

static int fill_array(const TVMFFIAny* words, int32_t count, TVMFFIAny* values) {
  if (count > 0) memcpy(values, words, (size_t)count * sizeof(*values));
  return count;
}

/* Writes each word, followed by its length, to `values`, and returns the number of values. A word
 * that occurs twice is written twice. */
static int fill_map(const TVMFFIAny* words, int32_t count, TVMFFIAny* values) {
  int32_t i;
  for (i = 0; i < count; ++i) {
    values[2 * i] = words[i];
    values[2 * i + 1] = tvm_ffi_any_int((int64_t)tvm_ffi_any_get_text(&words[i]).size);
  }
  return 2 * count;
}

/* words(text: str) -> Array[str] */
EXPORT(words) {
  (void)handle;
  return with_words("ffi.Array", args, num_args, result, fill_array);
}

/* lengths(text: str) -> Map[str, int]: the length of each word. */
EXPORT(lengths) {
  (void)handle;
  return with_words("ffi.Map", args, num_args, result, fill_map);
}
