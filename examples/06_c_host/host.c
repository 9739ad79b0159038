/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program in C that loads a library, calls its functions with tensors, strings and maps, reads
 * arrays and maps, prints errors, and releases everything that it owns:
 *
 *   ./host ./plugin.so
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_error.h>
#include <tvm/ffi/extra/c_function.h>
#include <tvm/ffi/extra/c_value.h>

/* ------------------------------------------------------------------ errors */

/* Takes the raised error of this thread; prints the error and the chain of its causes. */
static void print_raised(void) {
  TVMFFIObjectHandle raised = NULL, error;
  TVMFFIErrorMoveFromRaised(&raised);
  for (error = raised; error != NULL; error = tvm_ffi_error_cause(error)) {
    TVMFFIByteArray kind = tvm_ffi_error_kind(error);
    TVMFFIByteArray message = tvm_ffi_error_message(error);
    TVMFFIByteArray backtrace = tvm_ffi_error_backtrace(error);
    printf("%s%.*s: %.*s\n", error == raised ? "" : "caused by ", (int)kind.size, kind.data,
           (int)message.size, message.data);
    fprintf(stderr, "%.*s", (int)backtrace.size, backtrace.data);
  }
  tvm_ffi_object_release(&raised);
}

/* Ends the program if a call failed unexpectedly. */
static void check(int status) {
  if (status == 0) return;
  print_raised();
  exit(1);
}

/* ------------------------------------------------------------------ functions */

/* Calls a function of the module by its name. */
static int call_in(const TVMFFIAny* module, const char* name, TVMFFIAny* args, int32_t num_args,
                   TVMFFIAny* result) {
  TVMFFIObjectHandle function;
  int status;
  *result = tvm_ffi_any_none();
  if (tvm_ffi_get_function(module, name, &function) != 0) return -1;
  status = tvm_ffi_call(function, args, num_args, result);
  tvm_ffi_object_release(&function);
  return status;
}

/* ------------------------------------------------------------------ values */

static void print_vector(const DLTensor* x) {
  const float* numbers = (const float*)((const char*)x->data + x->byte_offset);
  int64_t i;
  for (i = 0; i < x->shape[0]; ++i) printf("%s%g", i == 0 ? "" : " ", (double)numbers[i]);
  printf("\n");
}

static void print_value(const TVMFFIAny* value) {
  TVMFFIByteArray text = tvm_ffi_any_get_text(value);
  if (text.data != NULL) {
    printf("%.*s", (int)text.size, text.data);
  } else if (value->type_index == kTVMFFIInt) {
    printf("%lld", (long long)value->v_int64);
  } else {
    printf("<type index %d>", (int)value->type_index);
  }
}

static void print_array(const TVMFFIAny* array) {
  int64_t size, i;
  const TVMFFIAny* elements = tvm_ffi_any_get_elements(array, &size);
  for (i = 0; i < size; ++i) {
    printf("%s", i == 0 ? "" : ", ");
    print_value(&elements[i]);
  }
  printf("\n");
}

/* Prints a map. The iterator of a map is a function of one number: 0 returns the key, 1 returns the
 * value, and 2 moves to the next entry and returns whether there is one. */
static void print_map(const TVMFFIAny* map) {
  TVMFFIAny view = *map, size, iterator, what, item;
  int64_t i;
  int32_t part;
  check(tvm_ffi_call_global("ffi.MapSize", &view, 1, &size));
  check(tvm_ffi_call_global("ffi.MapForwardIterFunctor", &view, 1, &iterator));
  for (i = 0; i < size.v_int64; ++i) {
    for (part = 0; part < 2; ++part) {
      what = tvm_ffi_any_int(part);
      check(tvm_ffi_call(iterator.v_obj, &what, 1, &item));
      print_value(&item);
      printf("%s", part == 0 ? ": " : "\n");
      tvm_ffi_any_release(&item);
    }
    what = tvm_ffi_any_int(2);
    check(tvm_ffi_call(iterator.v_obj, &what, 1, &item));
  }
  tvm_ffi_any_release(&iterator);
}

/* ------------------------------------------------------------------ the program */

/* Uses two tensors: a view of memory of this program, and a tensor that the library allocates. */
static void show_tensors(const TVMFFIAny* module, const TVMFFIAny* options) {
  float numbers[3] = {1, 2, 3};
  int64_t shape[1] = {3};
  DLTensor x;
  TVMFFIAny args[2], result, none;

  memset(&x, 0, sizeof(x));
  x.data = numbers;
  x.device.device_type = kDLCPU;
  x.ndim = 1;
  x.dtype.code = kDLFloat;
  x.dtype.bits = 32;
  x.dtype.lanes = 1;
  x.shape = shape;
  args[0] = tvm_ffi_any_dltensor(&x);
  args[1] = *options;
  check(call_in(module, "scale", args, 2, &none));
  print_vector(&x);

  args[0] = tvm_ffi_any_int(4);
  check(call_in(module, "count", args, 1, &result));
  print_vector(tvm_ffi_any_get_dltensor(&result));
  args[0] = result; /* `scale` accepts a tensor object as well as a DLTensor */
  args[1] = *options;
  check(call_in(module, "scale", args, 2, &none));
  print_vector(tvm_ffi_any_get_dltensor(&result));
  tvm_ffi_any_release(&result); /* frees the memory in the library */
}

static void show_containers(const TVMFFIAny* module) {
  TVMFFIAny text = tvm_ffi_any_str("the long and the short"), result;
  check(call_in(module, "words", &text, 1, &result));
  print_array(&result);
  tvm_ffi_any_release(&result);
  check(call_in(module, "lengths", &text, 1, &result));
  print_map(&result);
  tvm_ffi_any_release(&result);
}

/* Makes calls that fail, and prints their errors. */
static void show_errors(const TVMFFIAny* module) {
  TVMFFIAny args[2], result;
  args[0] = tvm_ffi_any_str("not a tensor");
  args[1] = tvm_ffi_any_none();
  if (call_in(module, "scale", args, 2, &result) != 0) print_raised();
  args[0] = tvm_ffi_any_int(-1);
  if (call_in(module, "count", args, 1, &result) != 0) print_raised();
  if (call_in(module, "cuont", args, 1, &result) != 0) print_raised();
  if (tvm_ffi_load_module("./no_such_library.so", &result) != 0) print_raised();
}

int main(int argc, char** argv) {
  TVMFFIAny module, options, entry[2];
  if (argc != 2) {
    fprintf(stderr, "usage: %s LIBRARY\n", argv[0]);
    return 2;
  }
  check(tvm_ffi_load_module(argv[1], &module));
  entry[0] = tvm_ffi_any_str("factor");
  entry[1] = tvm_ffi_any_float(2.5);
  check(tvm_ffi_call_global("ffi.Map", entry, 2, &options));

  show_tensors(&module, &options);
  show_containers(&module);
  show_errors(&module);

  tvm_ffi_any_release(&options);
  /* Release the module last: code of the library frees the objects that the library created. */
  tvm_ffi_any_release(&module);
  return 0;
}
