/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file dlpack/dlpack.h
 * \brief The DLPack 1.3 exchange structures, written from their published layout (C99 and C++).
 *
 * All types here are plain data, which libraries pass to each other by address. The holder of a
 * managed tensor owns it, and releases it by a call of its `deleter`.
 */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define DLPACK_EXTERN_C extern "C"
#else
#define DLPACK_EXTERN_C
#endif

/*! \brief The major version; another number means another layout of the versioned structures. */
#define DLPACK_MAJOR_VERSION 1
/*! \brief The minor version; a higher number means more enumerators, flags or trailing members. */
#define DLPACK_MINOR_VERSION 3

#if defined(_WIN32) && defined(DLPACK_EXPORTS)
#define DLPACK_DLL __declspec(dllexport)
#elif defined(_WIN32)
#define DLPACK_DLL __declspec(dllimport)
#else
#define DLPACK_DLL
#endif

/*! \brief Bit of DLManagedTensorVersioned::flags: the consumer must not write to the data. */
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
/*! \brief Bit of DLManagedTensorVersioned::flags: the producer made a copy for this export. */
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
/*! \brief Bit of DLManagedTensorVersioned::flags: sub-byte elements occupy one byte each. */
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)

#ifdef __cplusplus
extern "C" {
#endif

/*! \brief Version of the structures that follow it in memory. */
typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

/*! \brief Kind of memory that a tensor lives in; values of 128 and more belong to extensions. */
#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
  kDLOneAPI = 14,
  kDLWebGPU = 15,
  kDLHexagon = 16,
  kDLMAIA = 17,
  kDLTrn = 18,
} DLDeviceType;

/*! \brief One device: its kind, and its number among the devices of that kind (from 0). */
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

/*! \brief Kind of the numbers in an element; DLDataType::bits has their width. */
typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,
  kDLOpaqueHandle = 3U,
  kDLBfloat = 4U,
  kDLComplex = 5U,
  kDLBool = 6U,
  kDLFloat8_e3m4 = 7U,
  kDLFloat8_e4m3 = 8U,
  kDLFloat8_e4m3b11fnuz = 9U,
  kDLFloat8_e4m3fn = 10U,
  kDLFloat8_e4m3fnuz = 11U,
  kDLFloat8_e5m2 = 12U,
  kDLFloat8_e5m2fnuz = 13U,
  kDLFloat8_e8m0fnu = 14U,
  kDLFloat6_e2m3fn = 15U,
  kDLFloat6_e3m2fn = 16U,
  kDLFloat4_e2m1fn = 17U,
} DLDataTypeCode;

/*! \brief Type of an element: `lanes` numbers of the kind `code`, each with `bits` bits. */
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

/*! \brief A strided array. The struct does not own the data, the shape or the strides. */
typedef struct {
  /*! \brief Start of the allocation; the first element is at `data + byte_offset`. */
  void* data;
  DLDevice device;
  /*! \brief Number of dimensions, 0 for a scalar. */
  int32_t ndim;
  DLDataType dtype;
  /*! \brief `ndim` extents, in elements; may be NULL only when `ndim` is 0. */
  int64_t* shape;
  /*! \brief `ndim` strides in elements, or NULL for a compact row-major array. */
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;

/*! \brief An owned tensor without a version; the holder calls `deleter` once, unless it is NULL. */
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;

/*!
 * \brief An owned tensor with the version of its layout.
 *
 * A consumer reads `version` first. If the consumer does not know that major number, it must call
 * `deleter`, and must not use any other member.
 */
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  /*! \brief Bits DLPACK_FLAG_BITMASK_*. */
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

/*!
 * \brief Make an uninitialised tensor.
 * \param prototype dtype, ndim, shape and device of the wanted tensor; the rest is ignored.
 * \param out the new tensor, owned by the caller.
 * \param error_ctx passed on to SetError.
 * \param SetError called with an error kind and a message before a non-zero return.
 * \return 0, or -1 after SetError was called.
 */
typedef int (*DLPackManagedTensorAllocator)(DLTensor* prototype, DLManagedTensorVersioned** out,
                                            void* error_ctx,
                                            void (*SetError)(void* error_ctx, const char* kind,
                                                             const char* message));

/*!
 * \brief Export a framework tensor without synchronising streams.
 * \param py_object a `PyObject*`, borrowed.
 * \param out the tensor, owned by the caller.
 * \return 0, or -1 with a Python exception set.
 */
typedef int (*DLPackManagedTensorFromPyObjectNoSync)(void* py_object,
                                                     DLManagedTensorVersioned** out);

/*!
 * \brief Build a framework tensor without synchronising streams.
 * \param tensor the tensor, which the function takes over.
 * \param out_py_object a new reference to a `PyObject`.
 * \return 0, or -1 with a Python exception set.
 */
typedef int (*DLPackManagedTensorToPyObjectNoSync)(DLManagedTensorVersioned* tensor,
                                                   void** out_py_object);

/*!
 * \brief Describe a framework tensor in `out`, which is valid as long as `py_object` is alive and
 * unchanged.
 * \return 0, or -1 with a Python exception set.
 */
typedef int (*DLPackDLTensorFromPyObjectNoSync)(void* py_object, DLTensor* out);

/*!
 * \brief Get the stream on which the framework currently works.
 * \return 0, or -1 with a Python exception set.
 */
typedef int (*DLPackCurrentWorkStream)(DLDeviceType device_type, int32_t device_id,
                                       void** out_current_stream);

/*! \brief First member of an exchange table; `prev_api` is the table of an older major version. */
typedef struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  struct DLPackExchangeAPIHeader* prev_api;
} DLPackExchangeAPIHeader;

/*!
 * \brief The functions of a framework that exchange tensors without Python calls.
 *
 * A tensor class has a capsule named `dlpack_exchange_api` in its attribute
 * `__dlpack_c_exchange_api__`. The capsule holds the address of this table, which lives as long as
 * the process. Any member function may be NULL except `managed_tensor_from_py_object_no_sync`.
 */
typedef struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;
  DLPackManagedTensorAllocator managed_tensor_allocator;
  DLPackManagedTensorFromPyObjectNoSync managed_tensor_from_py_object_no_sync;
  DLPackManagedTensorToPyObjectNoSync managed_tensor_to_py_object_no_sync;
  DLPackDLTensorFromPyObjectNoSync dltensor_from_py_object_no_sync;
  DLPackCurrentWorkStream current_work_stream;
} DLPackExchangeAPI;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DLPACK_DLPACK_H_ */
