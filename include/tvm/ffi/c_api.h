/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/c_api.h
 * \brief Level 0: the stable C ABI. C99; plain structs and functions, nothing else is ABI.
 *
 * Terms used here:
 * - A *handle* is a `void*` that points at a TVMFFIObject header.
 * - *Owned*: the holder must release one strong reference.
 * - *Borrowed*: valid only while another reference keeps the value alive.
 * - *Raised*: stored in the error slot of the calling thread. TVMFFIErrorMoveFromRaised takes the
 *   error from that slot.
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
/*! \brief The result depends on the arguments only. */
#define TVM_FFI_ATTRIBUTE_PURE
#endif
#endif

/*! \brief Version of the ABI described here; what TVMFFIGetVersion of a matching library reports.
 */
#define TVM_FFI_VERSION_MAJOR 0
/*! \brief The second number of the version. */
#define TVM_FFI_VERSION_MINOR 1
/*! \brief The third number of the version. */
#define TVM_FFI_VERSION_PATCH 16

/* C++ fixes the width of an enumeration; in C an `int` has the same one on every supported host. */
#ifdef __cplusplus
#define TVM_FFI_C_ENUM_INT32 : int32_t
extern "C" {
#else
/*! \brief The width of an enumeration, in C++. */
#define TVM_FFI_C_ENUM_INT32
#endif

/*!
 * \brief An unnamed union in a struct.
 *
 * C99 does not have them; GCC and Clang accept this one with -pedantic-errors too.
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
 * \brief One number space for TVMFFIAny::type_index and TVMFFIObject::type_index.
 *
 * Below kTVMFFIStaticObjectBegin a value owns nothing. From there on the payload is a counted
 * object in `v_obj`. Indices from kTVMFFIDynObjectBegin are handed out at run time.
 */
typedef enum TVMFFITypeIndex TVM_FFI_C_ENUM_INT32 {
  /*! \brief Never in a live value; as a static field type it means "any type". */
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
  /*! \brief Address of a pointer variable whose strong reference the callee may take, writing NULL
   * there; views only. */
  kTVMFFIObjectRValueRef = 10,
  /*! \brief String of at most 7 bytes held in the value itself. */
  kTVMFFISmallStr = 11,
  /*! \brief Bytes of at most 7 bytes held in the value itself. */
  kTVMFFISmallBytes = 12,
  /*! \brief "No new value", a result of structural mutation. */
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
  /*! \brief The end of a visit, with a value. */
  kTVMFFIVisitInterrupt = 77,
  /*! \brief An integer of more than 64 bits. */
  kTVMFFIBigInt = 78,
  /*! \brief The end of the indices that the library assigns. */
  kTVMFFIStaticObjectEnd = 79,
  /*! \brief The first index that is assigned at run time. */
  kTVMFFIDynObjectBegin = 128,
} TVMFFITypeIndex;
/* [TVMFFITypeIndex.end] */

/* ------------------------------------------------------------------ objects and values */

/*! \brief Address of a TVMFFIObject header. */
typedef void* TVMFFIObjectHandle;

/* [TVMFFIObjectDeleterFlagBitMask.begin] */
/*! \brief What a deleter is asked to do; both bits in one call: destructor first. */
typedef enum TVMFFIObjectDeleterFlagBitMask TVM_FFI_C_ENUM_INT32 {
  /*! \brief Run the destructor, keep the memory. */
  kTVMFFIObjectDeleterFlagBitMaskStrong = 1 << 0,
  /*! \brief Release the memory. */
  kTVMFFIObjectDeleterFlagBitMaskWeak = 1 << 1,
  /*! \brief Destroy the value, and free the memory. */
  kTVMFFIObjectDeleterFlagBitMaskBoth = 3,
} TVMFFIObjectDeleterFlagBitMask;
/* [TVMFFIObjectDeleterFlagBitMask.end] */

/* [TVMFFIObject.begin] */
/*! \brief Header of every counted object. */
typedef struct TVMFFIObject {
  /*!
   * \brief Strong count in the low, weak count in the high 32 bits; atomic.
   *
   * All strong references together hold one weak reference, so a new object has 1 in both halves.
   */
  uint64_t combined_ref_count;
  /*! \brief A TVMFFITypeIndex, or an index that was assigned at run time. */
  int32_t type_index;
  /*! \brief Written as 0 by the maker; afterwards for frontends only (see the binding). */
  uint32_t __padding;
  TVM_FFI_C_UNNAMED_UNION {
    /*! \brief Called with the header's address and TVMFFIObjectDeleterFlagBitMask; NULL: never
     * freed. */
    void (*deleter)(void* self, int flags);
    /*! \brief Makes the pointer 8 bytes wide on every host. */
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
/*! \brief Body of a shape object: `size` extents. */
typedef struct {
  /*! \brief The first element; may be NULL if there is none. */
  const int64_t* data;
  size_t size;
} TVMFFIShapeCell;
/* [TVMFFIShapeCell.end] */

/* [TVMFFISeqCell.begin] */
/*! \brief Body of an array or list object. */
typedef struct {
  /*! \brief `size` owned TVMFFIAny; memory for `capacity` of them. */
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
/*! \brief Body of an error object. */
typedef struct {
  /*! \brief Class name, e.g. `ValueError`. */
  TVMFFIByteArray kind;
  /*! \brief Text, NUL-terminated. */
  TVMFFIByteArray message;
  /*! \brief Lines `  File "F", line N, in G`, most recent call first. */
  TVMFFIByteArray backtrace;
  /*! \brief Changes `backtrace`; the text is copied, the pointers in `backtrace` may change. */
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace,
                           int32_t update_mode);
  /*! \brief NULL or the owned error that led to this one. */
  TVMFFIObjectHandle cause_chain;
  /*! \brief NULL or any owned object. */
  TVMFFIObjectHandle extra_context;
} TVMFFIErrorCell;
/* [TVMFFIErrorCell.end] */

/* [TVMFFISafeCallType.begin] */
/*!
 * \brief Calling convention of functions.
 * \param handle the function object (or what TVMFFIFunctionCreate was given as `self`).
 * \param args `num_args` borrowed views; may be NULL when there are none.
 * \param num_args number of arguments.
 * \param result points at an initialised value below kTVMFFIStaticObjectBegin (None); overwritten
 *        without release by an owned value on success, not to be used on failure.
 * \return 0; -1 with an error raised; -2 when a frontend exception is pending instead.
 */
typedef int (*TVMFFISafeCallType)(void* handle, const TVMFFIAny* args, int32_t num_args,
                                  TVMFFIAny* result);
/* [TVMFFISafeCallType.end] */

/* [TVMFFIFunctionCell.begin] */
/*! \brief Body of a function object. */
typedef struct {
  /*! \brief Never NULL. */
  TVMFFISafeCallType safe_call;
  /*! \brief NULL, or a C++ function that throws; for callers that share the exception ABI. */
  void* cpp_call;
} TVMFFIFunctionCell;
/* [TVMFFIFunctionCell.end] */

/* [TVMFFIOpaqueObjectCell.begin] */
/*! \brief Body of a foreign-language box. */
typedef struct {
  /*! \brief The Python object, with a strong reference. */
  void* handle;
} TVMFFIOpaqueObjectCell;
/* [TVMFFIOpaqueObjectCell.end] */

/* [TVMFFIObjectAllocHeader.begin] */
/*! \brief What a custom allocator puts immediately before an object body. */
typedef struct {
  /*! \brief Reclaims the whole block, given the body; may be NULL. */
  void (*delete_space)(void* ptr);
} TVMFFIObjectAllocHeader;
/* [TVMFFIObjectAllocHeader.end] */

/* [TVMFFICustomAllocator.begin] */
/*! \brief An allocator of object bodies; must live for ever once installed. */
typedef struct {
  /*!
   * \brief Returns an aligned uninitialised body with an initialised TVMFFIObjectAllocHeader before
   * it, or NULL after raising an error. May run on several threads at the same time.
   */
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
  /*! \brief Of methods: there is no `self` argument. */
  kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
  /*! \brief Structural equality and hash ignore the field. */
  kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
  /*! \brief The field defines variables, at any depth. */
  kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
  /*! \brief The default is a function that returns a new value. */
  kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
  /*! \brief The representation leaves the field out. */
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
  /*! \brief The method or global function is short and does not block, so a frontend may keep its
   * interpreter lock during the call. An extension of this project; others ignore the flag. */
  kTVMFFIMethodFlagBitMaskShortCall = 1 << 13,
} TVMFFIFieldFlagBitMask;
/* [TVMFFIFieldFlagBitMask.end] */

/* [TVMFFISEqHashKind.begin] */
/*! \brief How structural equality and hash treat a type. */
typedef enum TVMFFISEqHashKind TVM_FFI_C_ENUM_INT32 {
  /*! \brief Objects are not compared. */
  kTVMFFISEqHashKindUnsupported = 0,
  /*! \brief Equal if the fields are equal. */
  kTVMFFISEqHashKindTreeNode = 1,
  /*! \brief A variable: equal if bound at the same place. */
  kTVMFFISEqHashKindFreeVar = 2,
  /*! \brief Equal if the fields are equal, and objects are shared alike. */
  kTVMFFISEqHashKindDAGNode = 3,
  /*! \brief As a tree, without variables inside. */
  kTVMFFISEqHashKindConstTreeNode = 4,
  /*! \brief Equal only to itself. */
  kTVMFFISEqHashKindUniqueInstance = 5,
} TVMFFISEqHashKind;
/* [TVMFFISEqHashKind.end] */

/* [TVMFFIDefRegionKind.begin] */
/*! \brief What a walk may do with variables that it meets. */
typedef enum TVMFFIDefRegionKind TVM_FFI_C_ENUM_INT32 {
  /*! \brief Variables are uses. */
  kTVMFFIDefRegionKindNone = 0,
  /*! \brief Every variable reached may bind. */
  kTVMFFIDefRegionKindPattern = 1,
  /*! \brief Only the variable itself binds. */
  kTVMFFIDefRegionKindSimple = 2,
} TVMFFIDefRegionKind;
/* [TVMFFIDefRegionKind.end] */

/*! \brief Reads the field at `field` (header address + offset) into an owned `result`. */
typedef int (*TVMFFIFieldGetter)(void* field, TVMFFIAny* result);
/*! \brief Writes the field at `field`; converts the borrowed `value`, releases the old content. */
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
  /*! \brief JSON object text with at least `type_schema`. */
  TVMFFIByteArray metadata;
  /*! \brief Bits of TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /*! \brief Bytes. */
  int64_t size;
  /*! \brief The alignment of the field in bytes. */
  int64_t alignment;
  /*! \brief Bytes from the object header. */
  int64_t offset;
  /*! \brief Reads the field. */
  TVMFFIFieldGetter getter;
  /*! \brief A TVMFFIFieldSetter, or with kTVMFFIFieldFlagBitSetterIsFunctionObj a function handle
   * called with (opaque field address, value). */
  void* setter;
  /*! \brief The default, or with kTVMFFIFieldFlagBitMaskDefaultFromFactory a function of no
   * arguments that makes it. */
  TVMFFIAny default_value_or_factory;
  /*! \brief Declared type as far as it is one index; kTVMFFIAny otherwise. */
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
  /*! \brief A function; of an instance method argument 0 is the receiver. */
  TVMFFIAny method;
} TVMFFIMethodInfo;
/* [TVMFFIMethodInfo.end] */

/* [TVMFFITypeMetadata.begin] */
/*! \brief What a type says about itself, once. */
typedef struct {
  /*! \brief The documentation; empty if there is none. */
  TVMFFIByteArray doc;
  /*! \brief NULL when the type cannot be made empty. */
  TVMFFIObjectCreator creator;
  /*! \brief Size of the class in bytes; 0 when unknown. */
  int32_t total_size;
  /*! \brief How objects of the type are compared. */
  TVMFFISEqHashKind structural_eq_hash_kind;
} TVMFFITypeMetadata;
/* [TVMFFITypeMetadata.end] */

/* [TVMFFITypeAttrColumn.begin] */
/*! \brief Values of one attribute by type; entry of type t is `data[t - begin_index]`. */
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
  /*! \brief `type_depth` entries, root first, parent last. */
  const struct TVMFFITypeInfo** type_ancestors;
  /*! \brief The hash of the name. */
  uint64_t type_key_hash;
  /*! \brief Own fields only. */
  int32_t num_fields;
  /*! \brief Own methods only. */
  int32_t num_methods;
  /*! \brief The fields that the type itself declares. */
  const TVMFFIFieldInfo* fields;
  /*! \brief The methods that the type itself declares. */
  const TVMFFIMethodInfo* methods;
  /*! \brief NULL until registered. */
  const TVMFFITypeMetadata* metadata;
} TVMFFITypeInfo;
/* [TVMFFITypeInfo.end] */

/* ------------------------------------------------------------------ version, objects, values */

/*! \brief Version of the library. */
TVM_FFI_DLL void TVMFFIGetVersion(TVMFFIVersion* out_version);

/*! \brief Take one more strong reference; NULL raises ValueError. */
TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj);
/*! \brief Give one strong reference back; NULL is accepted. May run destructors. */
TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj);
/*!
 * \brief Box a foreign object.
 * \param handle kept in the box.
 * \param type_index must be kTVMFFIOpaquePyObject, otherwise RuntimeError.
 * \param deleter called with `handle` once at the end, unless NULL.
 * \param out the new object, owned.
 */
TVM_FFI_DLL int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index,
                                         void (*deleter)(void* handle), TVMFFIObjectHandle* out);

/*! \brief Turn a view into an owned value; `out` is overwritten without release. */
TVM_FFI_DLL int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out);
/*! \brief Copy text into a string value, inline up to 7 bytes. */
TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
/*! \brief Copy bytes into a bytes value, inline up to 7 bytes. */
TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
/*!
 * \brief Integer from two's-complement 64-bit words, least significant first.
 *
 * Gives kTVMFFIInt where it fits. A size that is not a multiple of 8 raises ValueError; size 0
 * gives 0.
 */
TVM_FFI_DLL int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);
/*! \brief Words of an integer value, borrowed from `value` (kTVMFFIInt) or from its object. */
TVM_FFI_DLL TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value);

/*!
 * \brief Initialise a process-wide handle once.
 *
 * Runs `init_func` under a process-wide lock that is not recursive when `*handle_addr` is NULL. A
 * non-zero result is passed on and nothing is stored; a NULL handle raises RuntimeError.
 */
TVM_FFI_DLL int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result));
/*! \brief Exchange `*handle_addr` with NULL and give what was there, if anything, to
 * `deinit_func`. */
TVM_FFI_DLL int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle));

/*! \brief The installed allocator, never NULL. */
TVM_FFI_DLL TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void);
/*! \brief Install an allocator that lives for ever; NULL restores the default one. */
TVM_FFI_DLL int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator);

/* ------------------------------------------------------------------ functions */

/*!
 * \brief Make a function from C code.
 * \param self the handle that `safe_call` gets; if `self` and `deleter` are NULL, `safe_call` gets
 *        the handle of the function.
 * \param safe_call the code.
 * \param deleter called with `self` when the function is destroyed, unless NULL.
 * \param out the function, owned.
 */
TVM_FFI_DLL int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call,
                                     void (*deleter)(void* self), TVMFFIObjectHandle* out);
/*! \brief Look a global function up; 0 with `*out` NULL when there is none of that name. */
TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out);
/*! \brief Register a global function; a taken name without `allow_override` raises RuntimeError. */
TVM_FFI_DLL int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f,
                                        int allow_override);
/*! \brief Register a global function with doc, metadata and flags; `method` must be a function. */
TVM_FFI_DLL int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info,
                                                      int allow_override);
/*! \brief Call a function by the convention of TVMFFISafeCallType; its status is passed on. */
TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args,
                                   TVMFFIAny* result);

/* ------------------------------------------------------------------ errors */

/*! \brief Empty the thread's slot into `*result`: the owned error, or NULL. */
TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result);
/*! \brief Store an error in the thread's slot, taking a reference of its own. */
TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error);
/*! \brief Make an error with a fresh backtrace and store it in the thread's slot. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);
/*! \brief The same, the message being the concatenation of the parts that are not NULL. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts,
                                                   int32_t num_parts);
/*! \brief Make an error; texts are copied. Returns -1 when out of memory; the slot is untouched. */
TVM_FFI_DLL int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                  const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out);
/*! \brief The same with a cause and a context, each NULL or a handle that gains a reference. */
TVM_FFI_DLL int TVMFFIErrorCreateWithCauseAndExtraContext(
    const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
    TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out);
/*!
 * \brief Text of the calling thread's stack, most recent call first.
 * \param filename with `func`, makes the first line and replaces the two innermost frames.
 * \param lineno line of that first line.
 * \param func function name of that first line.
 * \param cross_ffi_boundary 0: stop at the nearest call boundary.
 * \return a thread-local buffer, valid until the next call on this thread; never NULL.
 */
TVM_FFI_DLL const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno,
                                                   const char* func, int cross_ffi_boundary);

/* ------------------------------------------------------------------ tensors and data types */

/*!
 * \brief Wrap a managed tensor without copying; taken over on success only.
 * \param from the tensor.
 * \param require_alignment bytes, 0 for no check; RuntimeError when not met.
 * \param require_contiguous non-zero: RuntimeError for other layouts.
 * \param out the tensor object, owned.
 *
 * Malformed tensors raise ValueError that names the member.
 */
TVM_FFI_DLL int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                                       int32_t require_contiguous, TVMFFIObjectHandle* out);
/*! \brief The same for the versioned structure; padded sub-byte data raises RuntimeError. */
TVM_FFI_DLL int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from,
                                                int32_t require_alignment,
                                                int32_t require_contiguous,
                                                TVMFFIObjectHandle* out);
/*! \brief Export a tensor object; `*out` holds one reference to it, released by its deleter. */
TVM_FFI_DLL int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out);
/*! \brief The same with version {1, 3} and flags 0. */
TVM_FFI_DLL int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from,
                                              DLManagedTensorVersioned** out);
/*!
 * \brief A tensor with all members of `prototype`, shape and strides copied, that keeps `source`
 * alive. Nothing checks that the view lies inside the source.
 */
TVM_FFI_DLL int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype,
                                             TVMFFIObjectHandle* out);
/*! \brief Parse a data type; unknown text raises ValueError. */
TVM_FFI_DLL int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out);
/*! \brief Canonical text of a data type, as a heap string; unknown codes raise ValueError. */
TVM_FFI_DLL int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out);

/* ------------------------------------------------------------------ types */

/*! \brief Index of a registered key; an unknown key raises InternalError. */
TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex);
/*! \brief Append a field; the struct's texts are copied, default and function setter retained. */
TVM_FFI_DLL int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info);
/*! \brief Append a method; the same name may come again (overloads). */
TVM_FFI_DLL int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info);
/*! \brief Describe a type; the second time raises RuntimeError. */
TVM_FFI_DLL int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata);
/*! \brief Set an attribute of a type; `type_index` 0 only makes the column. */
TVM_FFI_DLL int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name,
                                       const TVMFFIAny* attr_value);
/*! \brief Column of an attribute, at an address that never changes; NULL for an unknown name. */
TVM_FFI_DLL const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name);
/*!
 * \brief Index of a type key, allocated when the key is new.
 * \param type_key unique name.
 * \param static_type_index a fixed free index, or -1 to take the next one.
 * \param type_depth number of ancestors; must be the parent's plus 1.
 * \param num_child_slots indices to reserve behind it for children.
 * \param child_slots_can_overflow non-zero: children beyond those get indices elsewhere.
 * \param parent_type_index the parent, -1 for a root, -2 only to query (result -2: unknown key).
 * \return the index; -1 with an error raised when the arguments are impossible.
 */
TVM_FFI_DLL int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key,
                                              int32_t static_type_index, int32_t type_depth,
                                              int32_t num_child_slots,
                                              int32_t child_slots_can_overflow,
                                              int32_t parent_type_index);
/*! \brief Entry of a type; NULL with an error raised when the index is not registered. */
TVM_FFI_DLL const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) TVM_FFI_ATTRIBUTE_PURE;

#ifdef __cplusplus
} /* extern "C" */

/* ------------------------------------------------------------------ inline accessors (C++ only) */

/*! \brief Run-time type of an object; `obj` must not be NULL. */
inline int32_t TVMFFIObjectGetTypeIndex(TVMFFIObjectHandle obj) {
  return static_cast<TVMFFIObject*>(obj)->type_index;
}

/*! \brief View of an inline string or bytes value; moves with the value. */
inline TVMFFIByteArray TVMFFISmallBytesGetContentByteArray(const TVMFFIAny* value) {
  return TVMFFIByteArray{value->v_bytes, static_cast<size_t>(value->small_str_len)};
}

/*! \brief Content of a heap string or bytes object. */
inline TVMFFIByteArray* TVMFFIBytesGetByteArrayPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIByteArray*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Body of an error object. */
inline TVMFFIErrorCell* TVMFFIErrorGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIErrorCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Body of a function object. */
inline TVMFFIFunctionCell* TVMFFIFunctionGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIFunctionCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Body of a foreign-language box. */
inline TVMFFIOpaqueObjectCell* TVMFFIOpaqueObjectGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIOpaqueObjectCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Body of a shape object. */
inline TVMFFIShapeCell* TVMFFIShapeGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIShapeCell*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief The tensor inside a tensor object. */
inline DLTensor* TVMFFITensorGetDLTensorPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<DLTensor*>(static_cast<char*>(obj) + sizeof(TVMFFIObject));
}

/*! \brief Device from two numbers. */
inline DLDevice TVMFFIDLDeviceFromIntPair(int32_t device_type, int32_t device_id) {
  return DLDevice{static_cast<DLDeviceType>(device_type), device_id};
}
#endif

#undef TVM_FFI_C_ENUM_INT32
#undef TVM_FFI_C_UNNAMED_UNION

#endif /* TVM_FFI_C_API_H_ */
