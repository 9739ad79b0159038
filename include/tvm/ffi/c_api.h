/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/c_api.h
 * \brief The stable C ABI in C99: plain structs and functions.
 *
 * Terms used here:
 * - A *handle* is a `void*` that points at a TVMFFIObject header.
 * - *Owned*: the holder must release one strong reference.
 * - *Borrowed*: valid only while another reference keeps the value alive.
 * - *Raised*: stored in the error slot of the calling thread. TVMFFIErrorMoveFromRaised takes the
 *   error from that slot.
 * - *Language binding*: code that makes this ABI available in another language, such as the Python
 *   extension.
 *
 * Unless its comment says otherwise, a function returns 0, or -1 with an error raised. Its
 * arguments are borrowed and its results are owned. It may be called from any thread.
 */
#ifndef TVM_FFI_C_API_H_
#define TVM_FFI_C_API_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TVM_FFI_DLL
#if defined(_WIN32)
#ifdef TVM_FFI_EXPORTS
#define TVM_FFI_DLL __declspec(dllexport)
#else
#define TVM_FFI_DLL __declspec(dllimport)
#endif
#elif defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#define TVM_FFI_DLL EMSCRIPTEN_KEEPALIVE
#else
#define TVM_FFI_DLL __attribute__((visibility("default")))
#endif
#endif

#ifndef TVM_FFI_DLL_EXPORT
#if defined(_WIN32)
#define TVM_FFI_DLL_EXPORT __declspec(dllexport)
#elif defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#define TVM_FFI_DLL_EXPORT EMSCRIPTEN_KEEPALIVE
#else
/*! \brief Export a symbol of your own library. */
#define TVM_FFI_DLL_EXPORT __attribute__((visibility("default")))
#endif
#endif

#ifndef TVM_FFI_WEAK
#if defined(_WIN32)
#define TVM_FFI_WEAK __declspec(selectany)
#else
/*! \brief Let several object files define the symbol. */
#define TVM_FFI_WEAK __attribute__((weak))
#endif
#endif

#ifndef TVM_FFI_ATTRIBUTE_PURE
#if defined(__GNUC__) || defined(__clang__)
#define TVM_FFI_ATTRIBUTE_PURE __attribute__((pure))
#else
/*! \brief Mark a function whose result depends only on its arguments. */
#define TVM_FFI_ATTRIBUTE_PURE
#endif
#endif

/*! \brief The major number of the version of this ABI; TVMFFIGetVersion of a matching library
 * reports the same. */
#define TVM_FFI_VERSION_MAJOR 0
/*! \brief The second number of the version. */
#define TVM_FFI_VERSION_MINOR 1
/*! \brief The third number of the version. */
#define TVM_FFI_VERSION_PATCH 16

/*
 * In C++ the macro makes an enumeration 32 bits wide; in C it is an `int`, which has 32 bits too.
 */
#ifdef __cplusplus
#define TVM_FFI_C_ENUM_INT32 : int32_t
extern "C" {
#else
/*! \brief Empty in C: an enumeration is an `int` there. */
#define TVM_FFI_C_ENUM_INT32
#endif

/*!
 * \brief An unnamed union in a struct.
 *
 * C99 does not have unnamed unions; GCC and Clang accept this form even with -pedantic-errors.
 */
#if defined(__GNUC__) && !defined(__cplusplus)
#define TVM_FFI_C_UNNAMED_UNION __extension__ union
#else
#define TVM_FFI_C_UNNAMED_UNION union
#endif

/* Documents include the text between `[NAME.begin]` and `[NAME.end]` of a declaration. */

/* [TVMFFIVersion.begin] */
/*! \brief Three numbers, compared in this order. */
typedef struct {
  /*! \brief The first number. */
  uint32_t major;
  /*! \brief The second number. */
  uint32_t minor;
  /*! \brief The third number. */
  uint32_t patch;
} TVMFFIVersion;
/* [TVMFFIVersion.end] */

/* ------------------------------------------------------------------ type indices */

/* [TVMFFITypeIndex.begin] */
/*!
 * \brief The type indices in TVMFFIAny::type_index and TVMFFIObject::type_index.
 *
 * A value with an index below kTVMFFIStaticObjectBegin does not own anything. From that index on,
 * the payload is a reference-counted object in `v_obj`. Indices from kTVMFFIDynObjectBegin on are
 * assigned at run time.
 */
typedef enum TVMFFITypeIndex TVM_FFI_C_ENUM_INT32 {
  /*! \brief Only for the static type of a field: "any type". No value has this index. */
  kTVMFFIAny = -1,
  /*! \brief No value; the payload is zero. */
  kTVMFFINone = 0,
  /*! \brief An integer in `v_int64`. */
  kTVMFFIInt = 1,
  /*! \brief `v_int64` is 0 or 1. */
  kTVMFFIBool = 2,
  /*! \brief A number in `v_float64`. */
  kTVMFFIFloat = 3,
  /*! \brief A pointer in `v_ptr`, without an owner. */
  kTVMFFIOpaquePtr = 4,
  /*! \brief A data type in `v_dtype`. */
  kTVMFFIDataType = 5,
  /*! \brief A device in `v_device`. */
  kTVMFFIDevice = 6,
  /*! \brief Borrowed `DLTensor*`; views only. */
  kTVMFFIDLTensorPtr = 7,
  /*! \brief Borrowed NUL-terminated `const char*`; views only. */
  kTVMFFIRawStr = 8,
  /*! \brief Borrowed `TVMFFIByteArray*`; views only. */
  kTVMFFIByteArrayPtr = 9,
  /*! \brief Address of a pointer variable, only in views. The callee may take the strong reference
   * out of the variable, and then writes NULL to it. */
  kTVMFFIObjectRValueRef = 10,
  /*! \brief String of at most 7 bytes held in the value itself. */
  kTVMFFISmallStr = 11,
  /*! \brief Bytes of at most 7 bytes held in the value itself. */
  kTVMFFISmallBytes = 12,
  /*! \brief A result of structural mutation: the value does not change. */
  kTVMFFIUnchanged = 13,
  /*! \brief The first index of an object. */
  kTVMFFIStaticObjectBegin = 64,
  /*! \brief The base of all objects. */
  kTVMFFIObject = 64,
  /*! \brief A string that is longer than 7 bytes. */
  kTVMFFIStr = 65,
  /*! \brief Bytes that are longer than 7 bytes. */
  kTVMFFIBytes = 66,
  /*! \brief An error. */
  kTVMFFIError = 67,
  /*! \brief A function. */
  kTVMFFIFunction = 68,
  /*! \brief The sizes of a tensor. */
  kTVMFFIShape = 69,
  /*! \brief A tensor. */
  kTVMFFITensor = 70,
  /*! \brief A sequence that is copied when it changes. */
  kTVMFFIArray = 71,
  /*! \brief A mapping that is copied when it changes. */
  kTVMFFIMap = 72,
  /*! \brief A module. */
  kTVMFFIModule = 73,
  /*! \brief A Python object. */
  kTVMFFIOpaquePyObject = 74,
  /*! \brief A sequence that can be changed. */
  kTVMFFIList = 75,
  /*! \brief A mapping that can be changed. */
  kTVMFFIDict = 76,
  /*! \brief A result that ends a visit early, and holds a value. */
  kTVMFFIVisitInterrupt = 77,
  /*! \brief An integer that does not fit int64_t. */
  kTVMFFIBigInt = 78,
  /*! \brief The last index above plus 1. */
  kTVMFFIStaticObjectEnd = 79,
  /*! \brief The first index that is assigned at run time. */
  kTVMFFIDynObjectBegin = 128,
} TVMFFITypeIndex;
/* [TVMFFITypeIndex.end] */

/* ------------------------------------------------------------------ objects and values */

/*! \brief Address of a TVMFFIObject header. */
typedef void* TVMFFIObjectHandle;

/* [TVMFFIObjectDeleterFlagBitMask.begin] */
/*! \brief The tasks of a deleter. If both bits are set, the deleter runs the destructor first. */
typedef enum TVMFFIObjectDeleterFlagBitMask TVM_FFI_C_ENUM_INT32 {
  /*! \brief Run the destructor and keep the memory. */
  kTVMFFIObjectDeleterFlagBitMaskStrong = 1 << 0,
  /*! \brief Release the memory. */
  kTVMFFIObjectDeleterFlagBitMaskWeak = 1 << 1,
  /*! \brief Run the destructor, then release the memory. */
  kTVMFFIObjectDeleterFlagBitMaskBoth = 3,
} TVMFFIObjectDeleterFlagBitMask;
/* [TVMFFIObjectDeleterFlagBitMask.end] */

/* [TVMFFIObject.begin] */
/*! \brief Header of every counted object. */
typedef struct TVMFFIObject {
  /*!
   * \brief The strong count in the low 32 bits and the weak count in the high 32 bits; atomic.
   *
   * All strong references together hold one weak reference, so both counts of a new object are 1.
   */
  uint64_t combined_ref_count;
  /*! \brief A TVMFFITypeIndex, or an index that was assigned at run time. */
  int32_t type_index;
  /*! \brief 0 in a new object; afterwards only language bindings use this field. */
  uint32_t __padding;
  TVM_FFI_C_UNNAMED_UNION {
    /*! \brief Destroys the object; `self` is the address of the header, `flags` are bits of
     * TVMFFIObjectDeleterFlagBitMask. An object whose deleter is NULL is never freed. */
    void (*deleter)(void* self, int flags);
    /*! \brief Makes the union 8 bytes wide on every host. */
    int64_t __ensure_align;
  };
} TVMFFIObject;
/* [TVMFFIObject.end] */

/* [TVMFFIAny.begin] */
/*!
 * \brief A value: tag and payload.
 *
 * Equality and hashing read the raw 16 bytes, so padding and unused payload bytes are zero.
 */
typedef struct TVMFFIAny {
  /*! \brief A TVMFFITypeIndex, or an index that was assigned at run time. */
  int32_t type_index;
  TVM_FFI_C_UNNAMED_UNION {
    /*! \brief Zero for values other than small strings and bytes. */
    uint32_t zero_padding;
    /*! \brief Length (0..7) of kTVMFFISmallStr and kTVMFFISmallBytes. */
    uint32_t small_str_len;
  };
  TVM_FFI_C_UNNAMED_UNION {
    /*! \brief An integer; also `bool`. */
    int64_t v_int64;
    /*! \brief A floating-point number. */
    double v_float64;
    /*! \brief A pointer without an owner. */
    void* v_ptr;
    /*! \brief A NUL-terminated string, in views. */
    const char* v_c_str;
    /*! \brief An object. */
    TVMFFIObject* v_obj;
    /*! \brief A data type. */
    DLDataType v_dtype;
    /*! \brief A device. */
    DLDevice v_device;
    /*! \brief The bytes of a small string. */
    char v_bytes[8];
    /*! \brief The payload as bits. */
    uint64_t v_uint64;
  };
} TVMFFIAny;
/* [TVMFFIAny.end] */

/* [TVMFFIByteArray.begin] */
/*! \brief Borrowed bytes; `data` may be NULL only when `size` is 0. */
typedef struct {
  /*! \brief The first element; may be NULL if there is none. */
  const char* data;
  size_t size;
} TVMFFIByteArray;
/* [TVMFFIByteArray.end] */

/* [TVMFFIShapeCell.begin] */
/*! \brief Cell of a shape object: `size` extents. */
typedef struct {
  /*! \brief The first element; may be NULL if there is none. */
  const int64_t* data;
  size_t size;
} TVMFFIShapeCell;
/* [TVMFFIShapeCell.end] */

/* [TVMFFISeqCell.begin] */
/*! \brief Cell of an array or list object. */
typedef struct {
  /*! \brief `size` owned TVMFFIAny, in memory that is large enough for `capacity` of them. */
  void* data;
  int64_t size;
  /*! \brief The number of elements for which there is memory. */
  int64_t capacity;
  /*! \brief Frees `data`; NULL when the elements lie in the object itself. */
  void (*data_deleter)(void* data);
} TVMFFISeqCell;
/* [TVMFFISeqCell.end] */

/* [TVMFFIBacktraceUpdateMode.begin] */
/*! \brief How TVMFFIErrorCell::update_backtrace combines texts. */
typedef enum TVMFFIBacktraceUpdateMode TVM_FFI_C_ENUM_INT32 {
  /*! \brief Replace the former backtrace. */
  kTVMFFIBacktraceUpdateModeReplace = 0,
  /*! \brief Append to the former backtrace. */
  kTVMFFIBacktraceUpdateModeAppend = 1,
} TVMFFIBacktraceUpdateMode;
/* [TVMFFIBacktraceUpdateMode.end] */

/* [TVMFFIErrorCell.begin] */
/*! \brief Cell of an error object. */
typedef struct {
  /*! \brief Class name, e.g. `ValueError`. */
  TVMFFIByteArray kind;
  /*! \brief Text, NUL-terminated. */
  TVMFFIByteArray message;
  /*! \brief Lines `  File "F", line N, in G`, most recent call first. */
  TVMFFIByteArray backtrace;
  /*! \brief Copies the argument `backtrace` into the member of this name, which the copy replaces
   * or extends; the pointer in the member may change. Call it only while no other thread can read
   * the error, for example with the only reference to it. */
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace,
                           int32_t update_mode);
  /*! \brief The error that caused this error, owned, or NULL. */
  TVMFFIObjectHandle cause_chain;
  /*! \brief Any object, owned, or NULL. */
  TVMFFIObjectHandle extra_context;
} TVMFFIErrorCell;
/* [TVMFFIErrorCell.end] */

/* [TVMFFISafeCallType.begin] */
/*!
 * \brief Calling convention of functions.
 * \param handle the function object, or the `self` that TVMFFIFunctionCreate was given.
 * \param args `num_args` borrowed views; may be NULL when there are none.
 * \param num_args number of arguments.
 * \param result points at a value that does not own an object, usually None. On success the
 *         function overwrites this value with an owned value, without a release. After a failure
 *         the caller must not use the value.
 * \return 0 on success, -1 with an error raised, -2 when an exception is pending in the language
 *         binding.
 */
typedef int (*TVMFFISafeCallType)(void* handle, const TVMFFIAny* args, int32_t num_args,
                                  TVMFFIAny* result);
/* [TVMFFISafeCallType.end] */

/* [TVMFFIFunctionCell.begin] */
/*! \brief Cell of a function object. */
typedef struct {
  /*! \brief The code of the function; never NULL. */
  TVMFFISafeCallType safe_call;
  /*! \brief NULL, or a C++ function that throws its errors, for callers with the same C++ exception
   * ABI as the function. */
  void* cpp_call;
} TVMFFIFunctionCell;
/* [TVMFFIFunctionCell.end] */

/* [TVMFFIOpaqueObjectCell.begin] */
/*! \brief Cell of an opaque object, which holds an object of another language. */
typedef struct {
  /*! \brief The Python object, with a strong reference. */
  void* handle;
} TVMFFIOpaqueObjectCell;
/* [TVMFFIOpaqueObjectCell.end] */

/* [TVMFFIObjectAllocHeader.begin] */
/*! \brief Data that a custom allocator writes immediately before the header of an object. */
typedef struct {
  /*! \brief Frees the whole block; `ptr` is the address of the object. May be NULL. */
  void (*delete_space)(void* ptr);
} TVMFFIObjectAllocHeader;
/* [TVMFFIObjectAllocHeader.end] */

/* [TVMFFICustomAllocator.begin] */
/*! \brief An allocator of objects; once installed, it must live as long as the process. */
typedef struct {
  /*! \brief Returns uninitialised, aligned memory for an object, with an initialised
   * TVMFFIObjectAllocHeader directly before it. Returns NULL after raising an error. May be called
   * on several threads at the same time. */
  void* (*allocate)(size_t size, size_t alignment, int32_t type_index, void* context);
  /*! \brief Passed to the functions of the allocator. */
  void* context;
} TVMFFICustomAllocator;
/* [TVMFFICustomAllocator.end] */

/* ------------------------------------------------------------------ reflection */

/* [TVMFFIFieldFlagBitMask.begin] */
/*! \brief Bits of TVMFFIFieldInfo::flags and TVMFFIMethodInfo::flags. */
typedef enum TVMFFIFieldFlagBitMask TVM_FFI_C_ENUM_INT32 {
  /*! \brief The field can be set. */
  kTVMFFIFieldFlagBitMaskWritable = 1 << 0,
  /*! \brief The field has a default. */
  kTVMFFIFieldFlagBitMaskHasDefault = 1 << 1,
  /*! \brief The method is static: it does not have a `self` parameter. */
  kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
  /*! \brief Structural equality and hash ignore the field. */
  kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
  /*! \brief The field defines the variables in its value, at any depth. */
  kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
  /*! \brief The default is a function that returns a new value. */
  kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
  /*! \brief The text that `repr` returns for the object leaves the field out. */
  kTVMFFIFieldFlagBitMaskReprOff = 1 << 6,
  /*! \brief Comparison ignores the field. */
  kTVMFFIFieldFlagBitMaskCompareOff = 1 << 7,
  /*! \brief The hash ignores the field. */
  kTVMFFIFieldFlagBitMaskHashOff = 1 << 8,
  /*! \brief The initializer has no parameter for the field. */
  kTVMFFIFieldFlagBitMaskInitOff = 1 << 9,
  /*! \brief The parameter of the initializer is keyword-only. */
  kTVMFFIFieldFlagBitMaskKwOnly = 1 << 10,
  /*! \brief The setter is a function object. */
  kTVMFFIFieldFlagBitSetterIsFunctionObj = 1 << 11,
  /*! \brief The field defines the variable that it holds. */
  kTVMFFIFieldFlagBitMaskSEqHashDefSimple = 1 << 12,
  /*! \brief The method or global function is short and does not block, so a language binding may
   * keep its interpreter lock during the call. An extension of this project; other implementations
   * ignore the flag. */
  kTVMFFIMethodFlagBitMaskShortCall = 1 << 13,
} TVMFFIFieldFlagBitMask;
/* [TVMFFIFieldFlagBitMask.end] */

/* [TVMFFISEqHashKind.begin] */
/*! \brief How structural equality and hash treat a type. */
typedef enum TVMFFISEqHashKind TVM_FFI_C_ENUM_INT32 {
  /*! \brief Structural equality and hash do not support the type, unless it is an enum. */
  kTVMFFISEqHashKindUnsupported = 0,
  /*! \brief Equal if the fields are equal. */
  kTVMFFISEqHashKindTreeNode = 1,
  /*! \brief A variable: equal to the variable that the other side defines at the same position. */
  kTVMFFISEqHashKindFreeVar = 2,
  /*! \brief Equal if the fields are equal and both sides share their objects in the same way. */
  kTVMFFISEqHashKindDAGNode = 3,
  /*! \brief Like a tree node, but the object contains no variables. */
  kTVMFFISEqHashKindConstTreeNode = 4,
  /*! \brief Equal only to itself. */
  kTVMFFISEqHashKindUniqueInstance = 5,
} TVMFFISEqHashKind;
/* [TVMFFISEqHashKind.end] */

/* [TVMFFIDefRegionKind.begin] */
/*! \brief How a structural traversal treats the variables that it reaches. */
typedef enum TVMFFIDefRegionKind TVM_FFI_C_ENUM_INT32 {
  /*! \brief Each variable is a use. */
  kTVMFFIDefRegionKindNone = 0,
  /*! \brief Each variable, at any depth, is a definition unless it is already defined. */
  kTVMFFIDefRegionKindPattern = 1,
  /*! \brief The variable itself is a definition; variables inside it are uses. */
  kTVMFFIDefRegionKindSimple = 2,
} TVMFFIDefRegionKind;
/* [TVMFFIDefRegionKind.end] */

/*! \brief Reads the field at `field` (header address + offset) into an owned `result`. */
typedef int (*TVMFFIFieldGetter)(void* field, TVMFFIAny* result);
/*! \brief Converts the borrowed `value`, writes it to the field at `field`, and releases the old
 * content. */
typedef int (*TVMFFIFieldSetter)(void* field, const TVMFFIAny* value);
/*! \brief Makes an owned object whose fields still have to be set. */
typedef int (*TVMFFIObjectCreator)(TVMFFIObjectHandle* result);

/* [TVMFFIFieldInfo.begin] */
/*! \brief One reflected field. */
typedef struct {
  /*! \brief The name; the memory belongs to the type table. */
  TVMFFIByteArray name;
  /*! \brief The documentation; empty if there is none. */
  TVMFFIByteArray doc;
  /*! \brief The text of a JSON object, which has at least the member `type_schema`. */
  TVMFFIByteArray metadata;
  /*! \brief Bits of TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /*! \brief The size of the field in bytes. */
  int64_t size;
  /*! \brief The alignment of the field in bytes. */
  int64_t alignment;
  /*! \brief The distance from the object header to the field in bytes. */
  int64_t offset;
  /*! \brief Reads the field. */
  TVMFFIFieldGetter getter;
  /*! \brief A TVMFFIFieldSetter; with kTVMFFIFieldFlagBitSetterIsFunctionObj, the handle of a
   * function that takes (opaque field address, value). */
  void* setter;
  /*! \brief The default value; with kTVMFFIFieldFlagBitMaskDefaultFromFactory, a function without
   * parameters that makes the default value. */
  TVMFFIAny default_value_or_factory;
  /*! \brief The type index of the declared type; kTVMFFIAny if that type does not have a single
   * index. */
  int32_t field_static_type_index;
} TVMFFIFieldInfo;
/* [TVMFFIFieldInfo.end] */

/* [TVMFFIMethodInfo.begin] */
/*! \brief One reflected method. */
typedef struct {
  /*! \brief The name; the memory belongs to the type table. */
  TVMFFIByteArray name;
  /*! \brief The documentation; empty if there is none. */
  TVMFFIByteArray doc;
  /*! \brief JSON text, with the type schema. */
  TVMFFIByteArray metadata;
  /*! \brief Bits of TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /*! \brief The function; argument 0 of an instance method is the receiver. */
  TVMFFIAny method;
} TVMFFIMethodInfo;
/* [TVMFFIMethodInfo.end] */

/* [TVMFFITypeMetadata.begin] */
/*! \brief Metadata of a type, which can be registered only once. */
typedef struct {
  /*! \brief The documentation; empty if there is none. */
  TVMFFIByteArray doc;
  /*! \brief Makes an object whose fields are not yet set; NULL if the type has no such function. */
  TVMFFIObjectCreator creator;
  /*! \brief Size of the class in bytes; 0 when unknown. */
  int32_t total_size;
  /*! \brief How objects of the type are compared. */
  TVMFFISEqHashKind structural_eq_hash_kind;
} TVMFFITypeMetadata;
/* [TVMFFITypeMetadata.end] */

/* [TVMFFITypeAttrColumn.begin] */
/*! \brief The values of one attribute for all types; the value for type t is `data[t -
 * begin_index]`. */
typedef struct {
  /*! \brief The first element; may be NULL if there is none. */
  const TVMFFIAny* data;
  int32_t size;
  /*! \brief The type index of the first value. */
  int32_t begin_index;
} TVMFFITypeAttrColumn;
/* [TVMFFITypeAttrColumn.end] */

/* [TVMFFITypeInfo.begin] */
/*! \brief Entry of the type table; its address never changes, its arrays may grow and move. */
typedef struct TVMFFITypeInfo {
  /*! \brief A TVMFFITypeIndex, or an index that was assigned at run time. */
  int32_t type_index;
  /*! \brief Number of ancestors. */
  int32_t type_depth;
  /*! \brief The name of the type. */
  TVMFFIByteArray type_key;
  /*! \brief The ancestors: `type_depth` entries from the root to the parent. */
  const struct TVMFFITypeInfo** type_ancestors;
  /*! \brief The hash of the name. */
  uint64_t type_key_hash;
  /*! \brief The number of fields that the type itself declares. */
  int32_t num_fields;
  /*! \brief The number of methods that the type itself declares. */
  int32_t num_methods;
  /*! \brief The fields that the type itself declares. */
  const TVMFFIFieldInfo* fields;
  /*! \brief The methods that the type itself declares. */
  const TVMFFIMethodInfo* methods;
  /*! \brief The metadata of the type; NULL until registered. */
  const TVMFFITypeMetadata* metadata;
} TVMFFITypeInfo;
/* [TVMFFITypeInfo.end] */

/* ------------------------------------------------------------------ version, objects, values */

/*! \brief Get the version of the library. */
TVM_FFI_DLL void TVMFFIGetVersion(TVMFFIVersion* out_version);

/*! \brief Add a strong reference to `obj`; NULL raises ValueError. */
TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj);
/*! \brief Release a strong reference to `obj`; NULL is accepted. May run destructors. */
TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj);
/*!
 * \brief Make an opaque object, which holds a foreign object.
 * \param handle the foreign object.
 * \param type_index must be kTVMFFIOpaquePyObject, otherwise RuntimeError is raised.
 * \param deleter called once with `handle` when the new object is destroyed; may be NULL.
 * \param out the new object, owned.
 */
TVM_FFI_DLL int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index,
                                         void (*deleter)(void* handle), TVMFFIObjectHandle* out);

/*! \brief Make an owned value from a view; overwrite `*out` without releasing it. */
TVM_FFI_DLL int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out);
/*! \brief Copy text into a string value, which is inline up to 7 bytes. */
TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
/*! \brief Copy bytes into a bytes value, which is inline up to 7 bytes. */
TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
/*!
 * \brief Make an integer from 64-bit words in two's complement, the least significant word first.
 *
 * The result is a kTVMFFIInt if the number fits. A size that is not a multiple of 8 raises
 * ValueError; size 0 gives the number 0.
 */
TVM_FFI_DLL int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
/*! \brief Return the words of an integer, borrowed from `value` (kTVMFFIInt) or from its object. */
TVM_FFI_DLL TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value);

/*!
 * \brief Initialise a process-wide handle once.
 *
 * If `*handle_addr` is NULL, run `init_func` under a process-wide lock that is not recursive, and
 * store the new handle. If the result of `init_func` is not 0, return that result and store
 * nothing. A new handle that is NULL raises RuntimeError.
 */
TVM_FFI_DLL int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result));
/*! \brief Set `*handle_addr` to NULL, and call `deinit_func` with the former handle, unless that
 * handle is NULL. */
TVM_FFI_DLL int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle));

/*! \brief Return the installed allocator, which is never NULL. */
TVM_FFI_DLL TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void);
/*! \brief Install an allocator that lives as long as the process; NULL restores the default
 * allocator. */
TVM_FFI_DLL int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator);

/* ------------------------------------------------------------------ functions */

/*!
 * \brief Make a function from C code.
 * \param self the handle that `safe_call` gets; if `self` and `deleter` are NULL, `safe_call` gets
 *        the handle of the function.
 * \param safe_call the code.
 * \param deleter called with `self` when the function is destroyed; may be NULL.
 * \param out the function, owned.
 */
TVM_FFI_DLL int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call,
                                     void (*deleter)(void* self), TVMFFIObjectHandle* out);
/*! \brief Look up a global function; for an unknown name return 0 and set `*out` to NULL. */
TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out);
/*! \brief Register a global function; an existing name raises RuntimeError unless `allow_override`
 * is set. */
TVM_FFI_DLL int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f,
                                        int allow_override);
/*! \brief Register a global function with doc, metadata and flags; `method` must be a function. */
TVM_FFI_DLL int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info,
                                                      int allow_override);
/*! \brief Call a function and return its status; the parameters are those of TVMFFISafeCallType. */
TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args,
                                   TVMFFIAny* result);

/* ------------------------------------------------------------------ errors */

/*! \brief Move the error from the error slot of this thread to `*result`; NULL if the slot is
 * empty. */
TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result);
/*! \brief Store a new reference to `error` in the error slot of this thread. */
TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error);
/*! \brief Make an error with a new backtrace and store it in the error slot of this thread. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);
/*! \brief Like TVMFFIErrorSetRaisedFromCStr; the message joins the parts that are not NULL. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts,
                                                   int32_t num_parts);
/*! \brief Make an error from copies of the texts. When memory is exhausted, return -1 and leave the
 * error slot of this thread unchanged. */
TVM_FFI_DLL int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                  const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out);
/*! \brief Like TVMFFIErrorCreate, with a cause and a context. Each of them may be NULL; otherwise
 * the new error adds a reference to it. */
TVM_FFI_DLL int TVMFFIErrorCreateWithCauseAndExtraContext(
    const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
    TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out);
/*!
 * \brief Return the stack of the calling thread as text, most recent call first.
 * \param filename the file of the first line. If `filename` and `func` are not NULL, that line
 *         replaces the two innermost frames.
 * \param lineno the line number in that first line.
 * \param func the function name in that first line.
 * \param cross_ffi_boundary 0 to stop before the innermost frame of TVMFFIFunctionCall, of the
 *         Python extension or of the Python interpreter.
 * \return a thread-local buffer, valid until the next call on this thread; never NULL.
 */
TVM_FFI_DLL const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno,
                                                   const char* func, int cross_ffi_boundary);

/* ------------------------------------------------------------------ tensors and data types */

/*!
 * \brief Make a tensor object from a managed tensor without copying the data.
 * \param from the tensor, taken over on success only.
 * \param require_alignment the alignment in bytes; data with a smaller alignment raises
 *         RuntimeError. 0 accepts any alignment.
 * \param require_contiguous if not 0, a layout that is not contiguous raises RuntimeError.
 * \param out the tensor object, owned.
 *
 * A malformed tensor raises a ValueError that names the invalid member.
 */
TVM_FFI_DLL int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                                       int32_t require_contiguous, TVMFFIObjectHandle* out);
/*! \brief Like TVMFFITensorFromDLPack, for the versioned struct; padded sub-byte data raises
 * RuntimeError. */
TVM_FFI_DLL int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from,
                                                int32_t require_alignment,
                                                int32_t require_contiguous,
                                                TVMFFIObjectHandle* out);
/*! \brief Export a tensor object. `*out` holds a reference to `from`, which the deleter of `*out`
 * releases. A read-only tensor raises BufferError. */
TVM_FFI_DLL int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out);
/*! \brief Like TVMFFITensorToDLPack, with version {1, 3}. The flags are 0, or the read-only flag
 * for a read-only tensor. */
TVM_FFI_DLL int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from,
                                              DLManagedTensorVersioned** out);
/*! \brief Make a tensor with the members of `prototype`; the tensor keeps `source` alive. Shape and
 * strides are copied. The function does not check that the new tensor lies inside `source`. */
TVM_FFI_DLL int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype,
                                             TVMFFIObjectHandle* out);
/*! \brief Parse a data type; unknown text raises ValueError. */
TVM_FFI_DLL int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out);
/*! \brief Make the canonical text of a data type, as a heap string; unknown codes raise
 * ValueError. */
TVM_FFI_DLL int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out);

/* ------------------------------------------------------------------ types */

/*! \brief Get the index of a registered type key; an unknown key raises InternalError. */
TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex);
/*! \brief Append a field to a type: copy the texts, and keep references to the default and a
 * function setter. A NULL getter raises ValueError, and so does a NULL setter, unless the field is
 * read-only and has no default. The offset is negative for a member of a base before the header. */
TVM_FFI_DLL int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info);
/*! \brief Append a method to a type. Several methods may have the same name (overloads). */
TVM_FFI_DLL int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info);
/*! \brief Register the metadata of a type; a second call for the same type raises RuntimeError. */
TVM_FFI_DLL int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata);
/*! \brief Set an attribute of a type. A `type_index` of 0 only makes the attribute's column. */
TVM_FFI_DLL int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name,
                                       const TVMFFIAny* attr_value);
/*! \brief Return the column of an attribute, whose address never changes; NULL for an unknown
 * name. */
TVM_FFI_DLL const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name);
/*!
 * \brief Return the index of a type key; allocate an index when the key is new.
 * \param type_key unique name.
 * \param static_type_index a fixed free index, or -1 to take the next free index.
 * \param type_depth number of ancestors; must be the depth of the parent plus 1.
 * \param num_child_slots number of indices to reserve for children, directly behind the new index.
 * \param child_slots_can_overflow if not 0, children beyond the reserved slots get other indices.
 * \param parent_type_index the parent; -1 for a root; -2 to look the key up without an allocation,
 *         with the result -2 for an unknown key.
 * \return the index; -1 with an error raised when the arguments are invalid.
 */
TVM_FFI_DLL int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key,
                                              int32_t static_type_index, int32_t type_depth,
                                              int32_t num_child_slots,
                                              int32_t child_slots_can_overflow,
                                              int32_t parent_type_index);
/*! \brief Return the entry of a type; NULL with an error raised when the index is not
 * registered. */
TVM_FFI_DLL const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) TVM_FFI_ATTRIBUTE_PURE;

#ifdef __cplusplus
} /* extern "C" */

/* ------------------------------------------------------------------ inline accessors (C++ only) */

/*! \brief Return the type index of an object; `obj` must not be NULL. */
inline int32_t TVMFFIObjectGetTypeIndex(TVMFFIObjectHandle obj) {
  return static_cast<TVMFFIObject*>(obj)->type_index;
}

/*! \brief Return a view of an inline string or bytes value; the view points into `*value`. */
inline TVMFFIByteArray TVMFFISmallBytesGetContentByteArray(const TVMFFIAny* value) {
  return TVMFFIByteArray{value->v_bytes, static_cast<size_t>(value->small_str_len)};
}

/*! \brief Return the content of a heap string or bytes object. */
inline TVMFFIByteArray* TVMFFIBytesGetByteArrayPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIByteArray*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Return the cell of an error object. */
inline TVMFFIErrorCell* TVMFFIErrorGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIErrorCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Return the cell of a function object. */
inline TVMFFIFunctionCell* TVMFFIFunctionGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIFunctionCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Return the cell of an opaque object. */
inline TVMFFIOpaqueObjectCell* TVMFFIOpaqueObjectGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIOpaqueObjectCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Return the cell of a shape object. */
inline TVMFFIShapeCell* TVMFFIShapeGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIShapeCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Return the tensor inside a tensor object. */
inline DLTensor* TVMFFITensorGetDLTensorPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<DLTensor*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Make a device from two numbers. */
inline DLDevice TVMFFIDLDeviceFromIntPair(int32_t device_type, int32_t device_id) {
  return DLDevice{static_cast<DLDeviceType>(device_type), device_id};
}
#endif

#undef TVM_FFI_C_ENUM_INT32
#undef TVM_FFI_C_UNNAMED_UNION

#endif /* TVM_FFI_C_API_H_ */
