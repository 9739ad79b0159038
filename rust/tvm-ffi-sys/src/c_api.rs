// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from include/tvm/ffi/c_api.h; do not edit.
//! Declarations of `tvm/ffi/c_api.h`.

use std::os::raw::{c_char, c_void};

use crate::any::TVMFFIAny;
use crate::dlpack::{DLDataType, DLTensor};

/// Three numbers, compared in this order.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TVMFFIVersion {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

/// The type indices in `TVMFFIAny::type_index` and `TVMFFIObject::type_index`.
///
/// A value with an index below `kTVMFFIStaticObjectBegin` does not own anything. From that
/// index on, the payload is a reference-counted object in `v_obj`. Indices from
/// `kTVMFFIDynObjectBegin` on are assigned at run time.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFITypeIndex {
    /// No value; the payload is zero.
    kTVMFFINone = 0,
    /// An integer in `v_int64`.
    kTVMFFIInt = 1,
    /// `v_int64` is 0 or 1.
    kTVMFFIBool = 2,
    /// A number in `v_float64`.
    kTVMFFIFloat = 3,
    /// A pointer in `v_ptr`, without an owner.
    kTVMFFIOpaquePtr = 4,
    /// A data type in `v_dtype`.
    kTVMFFIDataType = 5,
    /// A device in `v_device`.
    kTVMFFIDevice = 6,
    /// Borrowed `DLTensor*`; views only.
    kTVMFFIDLTensorPtr = 7,
    /// Borrowed NUL-terminated `const char*`; views only.
    kTVMFFIRawStr = 8,
    /// Borrowed `TVMFFIByteArray*`; views only.
    kTVMFFIByteArrayPtr = 9,
    /// Address of a pointer variable, only in views. The callee may take the strong
    /// reference out of the variable, and then writes NULL to it.
    kTVMFFIObjectRValueRef = 10,
    /// String of at most 7 bytes held in the value itself.
    kTVMFFISmallStr = 11,
    /// Bytes of at most 7 bytes held in the value itself.
    kTVMFFISmallBytes = 12,
    /// A result of structural mutation: the value does not change.
    kTVMFFIUnchanged = 13,
    /// The first index of an object.
    kTVMFFIStaticObjectBegin = 64,
    /// A string that is longer than 7 bytes.
    kTVMFFIStr = 65,
    /// Bytes that are longer than 7 bytes.
    kTVMFFIBytes = 66,
    /// An error.
    kTVMFFIError = 67,
    /// A function.
    kTVMFFIFunction = 68,
    /// The sizes of a tensor.
    kTVMFFIShape = 69,
    /// A tensor.
    kTVMFFITensor = 70,
    /// A sequence that is copied when it changes.
    kTVMFFIArray = 71,
    /// A mapping that is copied when it changes.
    kTVMFFIMap = 72,
    /// A module.
    kTVMFFIModule = 73,
    /// A Python object.
    kTVMFFIOpaquePyObject = 74,
    /// A sequence that can be changed.
    kTVMFFIList = 75,
    /// A mapping that can be changed.
    kTVMFFIDict = 76,
    /// A result that ends a visit early, and holds a value.
    kTVMFFIVisitInterrupt = 77,
    /// An integer that does not fit int64_t.
    kTVMFFIBigInt = 78,
    /// The last index above plus 1.
    kTVMFFIStaticObjectEnd = 79,
    /// The first index that is assigned at run time.
    kTVMFFIDynObjectBegin = 128,
}

/// Address of a `TVMFFIObject` header.
pub type TVMFFIObjectHandle = *mut c_void;

/// The tasks of a deleter. If both bits are set, the deleter runs the destructor first.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFIObjectDeleterFlagBitMask {
    /// Run the destructor and keep the memory.
    kTVMFFIObjectDeleterFlagBitMaskStrong = 1 << 0,
    /// Release the memory.
    kTVMFFIObjectDeleterFlagBitMaskWeak = 1 << 1,
    /// Run the destructor, then release the memory.
    kTVMFFIObjectDeleterFlagBitMaskBoth = 3,
}

/// Borrowed bytes; `data` may be NULL only when `size` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIByteArray {
    /// The first element; may be NULL if there is none.
    pub data: *const u8,
    /// The C member `size`.
    pub size: usize,
}

/// Cell of a shape object: `size` extents.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIShapeCell {
    /// The first element; may be NULL if there is none.
    pub data: *const i64,
    /// The C member `size`.
    pub size: usize,
}

/// Cell of an array or list object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFISeqCell {
    /// `size` owned `TVMFFIAny`, in memory that is large enough for `capacity` of them.
    pub data: *mut c_void,
    /// The C member `size`.
    pub size: i64,
    /// The number of elements for which there is memory.
    pub capacity: i64,
    /// Frees `data`; NULL when the elements lie in the object itself.
    pub data_deleter: Option<unsafe extern "C" fn(data: *mut c_void)>,
}

/// How `TVMFFIErrorCell::update_backtrace` combines texts.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFIBacktraceUpdateMode {
    /// Replace the former backtrace.
    kTVMFFIBacktraceUpdateModeReplace = 0,
    /// Append to the former backtrace.
    kTVMFFIBacktraceUpdateModeAppend = 1,
}

/// Cell of an error object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIErrorCell {
    /// Class name, e.g. `ValueError`.
    pub kind: TVMFFIByteArray,
    /// Text, NUL-terminated.
    pub message: TVMFFIByteArray,
    /// Lines ` File "F", line N, in G`, most recent call first.
    pub backtrace: TVMFFIByteArray,
    /// Copies the argument `backtrace` into the member of this name, which the copy
    /// replaces or extends; the pointer in the member may change. Call it only while no
    /// other thread can read the error, for example with the only reference to it.
    pub update_backtrace: Option<
        unsafe extern "C" fn(
            this: TVMFFIObjectHandle,
            backtrace: *const TVMFFIByteArray,
            update_mode: i32,
        ),
    >,
    /// The error that caused this error, owned, or NULL.
    pub cause_chain: TVMFFIObjectHandle,
    /// Any object, owned, or NULL.
    pub extra_context: TVMFFIObjectHandle,
}

/// Calling convention of functions.
///
/// * `handle`: the function object, or the `self` that `TVMFFIFunctionCreate` was given.
/// * `args`: `num_args` borrowed views; may be NULL when there are none.
/// * `num_args`: number of arguments.
/// * `result`: points at a value that does not own an object, usually None. On success the
///   function overwrites this value with an owned value, without a release. After a failure the
///   caller must not use the value.
///
/// Returns 0 on success, -1 with an error raised, -2 when an exception is pending in the
/// language binding.
pub type TVMFFISafeCallType = unsafe extern "C" fn(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> i32;

/// Cell of a function object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIFunctionCell {
    /// The code of the function; never NULL.
    pub safe_call: TVMFFISafeCallType,
    /// NULL, or a C++ function that throws its errors, for callers with the same C++
    /// exception ABI as the function.
    pub cxx_call: *mut c_void,
}

/// Cell of an opaque object, which holds an object of another language.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIOpaqueObjectCell {
    /// The Python object, with a strong reference.
    pub handle: *mut c_void,
}

/// Data that a custom allocator writes immediately before the header of an object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIObjectAllocHeader {
    /// Frees the whole block; `ptr` is the address of the object. May be NULL.
    pub delete_space: Option<unsafe extern "C" fn(ptr: *mut c_void)>,
}

/// An allocator of objects; once installed, it must live as long as the process.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFICustomAllocator {
    /// Returns uninitialised, aligned memory for an object, with an initialised
    /// `TVMFFIObjectAllocHeader` directly before it. Returns NULL after raising an error.
    /// May be called on several threads at the same time.
    pub allocate: Option<
        unsafe extern "C" fn(
            size: usize,
            alignment: usize,
            type_index: i32,
            context: *mut c_void,
        ) -> *mut c_void,
    >,
    /// Passed to the functions of the allocator.
    pub context: *mut c_void,
}

/// Bits of `TVMFFIFieldInfo::flags` and `TVMFFIMethodInfo::flags`.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFIFieldFlagBitMask {
    /// The field can be set.
    kTVMFFIFieldFlagBitMaskWritable = 1 << 0,
    /// The field has a default.
    kTVMFFIFieldFlagBitMaskHasDefault = 1 << 1,
    /// The method is static: it does not have a `self` parameter.
    kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
    /// Structural equality and hash ignore the field.
    kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
    /// The field defines the variables in its value, at any depth.
    kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
    /// The default is a function that returns a new value.
    kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
    /// The text that `repr` returns for the object leaves the field out.
    kTVMFFIFieldFlagBitMaskReprOff = 1 << 6,
    /// Comparison ignores the field.
    kTVMFFIFieldFlagBitMaskCompareOff = 1 << 7,
    /// The hash ignores the field.
    kTVMFFIFieldFlagBitMaskHashOff = 1 << 8,
    /// The initializer has no parameter for the field.
    kTVMFFIFieldFlagBitMaskInitOff = 1 << 9,
    /// The parameter of the initializer is keyword-only.
    kTVMFFIFieldFlagBitMaskKwOnly = 1 << 10,
    /// The setter is a function object.
    kTVMFFIFieldFlagBitSetterIsFunctionObj = 1 << 11,
    /// The field defines the variable that it holds.
    kTVMFFIFieldFlagBitMaskSEqHashDefSimple = 1 << 12,
    /// The method or global function is short and does not block, so a language binding may
    /// keep its interpreter lock during the call. An extension of this project; other
    /// implementations ignore the flag.
    kTVMFFIMethodFlagBitMaskShortCall = 1 << 13,
}

/// How structural equality and hash treat a type.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFISEqHashKind {
    /// Structural equality and hash do not support the type, unless it is an enum.
    kTVMFFISEqHashKindUnsupported = 0,
    /// Equal if the fields are equal.
    kTVMFFISEqHashKindTreeNode = 1,
    /// A variable: equal to the variable that the other side defines at the same position.
    kTVMFFISEqHashKindFreeVar = 2,
    /// Equal if the fields are equal and both sides share their objects in the same way.
    kTVMFFISEqHashKindDAGNode = 3,
    /// Like a tree node, but the object contains no variables.
    kTVMFFISEqHashKindConstTreeNode = 4,
    /// Equal only to itself.
    kTVMFFISEqHashKindUniqueInstance = 5,
}

/// How a structural traversal treats the variables that it reaches.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFIDefRegionKind {
    /// Each variable is a use.
    kTVMFFIDefRegionKindNone = 0,
    /// Each variable, at any depth, is a definition unless it is already defined.
    kTVMFFIDefRegionKindPattern = 1,
    /// The variable itself is a definition; variables inside it are uses.
    kTVMFFIDefRegionKindSimple = 2,
}

/// Reads the field at `field` (header address + offset) into an owned `result`.
pub type TVMFFIFieldGetter =
    unsafe extern "C" fn(field: *mut c_void, result: *mut TVMFFIAny) -> i32;

/// Converts the borrowed `value`, writes it to the field at `field`, and releases the old
/// content.
pub type TVMFFIFieldSetter =
    unsafe extern "C" fn(field: *mut c_void, value: *const TVMFFIAny) -> i32;

/// Makes an owned object whose fields still have to be set.
pub type TVMFFIObjectCreator = unsafe extern "C" fn(result: *mut TVMFFIObjectHandle) -> i32;

/// One reflected field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIFieldInfo {
    /// The name; the memory belongs to the type table.
    pub name: TVMFFIByteArray,
    /// The documentation; empty if there is none.
    pub doc: TVMFFIByteArray,
    /// The text of a JSON object, which has at least the member `type_schema`.
    pub metadata: TVMFFIByteArray,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// The size of the field in bytes.
    pub size: i64,
    /// The alignment of the field in bytes.
    pub alignment: i64,
    /// The distance from the object header to the field in bytes.
    pub offset: i64,
    /// Reads the field.
    pub getter: Option<TVMFFIFieldGetter>,
    /// A `TVMFFIFieldSetter`; with `kTVMFFIFieldFlagBitSetterIsFunctionObj`, the handle of
    /// a function that takes (opaque field address, value).
    pub setter: *mut c_void,
    /// The default value; with `kTVMFFIFieldFlagBitMaskDefaultFromFactory`, a function
    /// without parameters that makes the default value.
    pub default_value_or_factory: TVMFFIAny,
    /// The type index of the declared type; `kTVMFFIAny` if that type does not have a
    /// single index.
    pub field_static_type_index: i32,
}

/// One reflected method.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIMethodInfo {
    /// The name; the memory belongs to the type table.
    pub name: TVMFFIByteArray,
    /// The documentation; empty if there is none.
    pub doc: TVMFFIByteArray,
    /// JSON text, with the type schema.
    pub metadata: TVMFFIByteArray,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// The function; argument 0 of an instance method is the receiver.
    pub method: TVMFFIAny,
}

/// Metadata of a type, which can be registered only once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFITypeMetadata {
    /// The documentation; empty if there is none.
    pub doc: TVMFFIByteArray,
    /// Makes an object whose fields are not yet set; NULL if the type has no such function.
    pub creator: Option<TVMFFIObjectCreator>,
    /// Size of the class in bytes; 0 when unknown.
    pub total_size: i32,
    /// How objects of the type are compared.
    pub structural_eq_hash_kind: i32,
}

/// The values of one attribute for all types; the value for type t is `data[t - begin_index]`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFITypeAttrColumn {
    /// The first element; may be NULL if there is none.
    pub data: *const TVMFFIAny,
    /// The C member `size`.
    pub size: i32,
    /// The type index of the first value.
    pub begin_index: i32,
}

/// Entry of the type table; its address never changes, its arrays may grow and move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFITypeInfo {
    /// A `TVMFFITypeIndex`, or an index that was assigned at run time.
    pub type_index: i32,
    /// Number of ancestors.
    pub type_depth: i32,
    /// The name of the type.
    pub type_key: TVMFFIByteArray,
    /// The ancestors: `type_depth` entries from the root to the parent.
    pub type_acenstors: *mut *const TVMFFITypeInfo,
    /// The hash of the name.
    pub type_key_hash: u64,
    /// The number of fields that the type itself declares.
    pub num_fields: i32,
    /// The number of methods that the type itself declares.
    pub num_methods: i32,
    /// The fields that the type itself declares.
    pub fields: *const TVMFFIFieldInfo,
    /// The methods that the type itself declares.
    pub methods: *const TVMFFIMethodInfo,
    /// The metadata of the type; NULL until registered.
    pub metadata: *const TVMFFITypeMetadata,
}

extern "C" {
    /// Get the version of the library.
    pub fn TVMFFIGetVersion(out_version: *mut TVMFFIVersion);
    /// Add a strong reference to `obj`; NULL raises ValueError.
    pub fn TVMFFIObjectIncRef(obj: TVMFFIObjectHandle) -> i32;
    /// Release a strong reference to `obj`; NULL is accepted. May run destructors.
    pub fn TVMFFIObjectDecRef(obj: TVMFFIObjectHandle) -> i32;
    /// Make an opaque object, which holds a foreign object.
    ///
    /// * `handle`: the foreign object.
    /// * `type_index`: must be `kTVMFFIOpaquePyObject`, otherwise RuntimeError is raised.
    /// * `deleter`: called once with `handle` when the new object is destroyed; may be
    ///   NULL.
    /// * `out`: the new object, owned.
    pub fn TVMFFIObjectCreateOpaque(
        handle: *mut c_void,
        type_index: i32,
        deleter: Option<unsafe extern "C" fn(handle: *mut c_void)>,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Make an owned value from a view; overwrite `*out` without releasing it.
    pub fn TVMFFIAnyViewToOwnedAny(any_view: *const TVMFFIAny, out: *mut TVMFFIAny) -> i32;
    /// Copy text into a string value, which is inline up to 7 bytes.
    pub fn TVMFFIStringFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> i32;
    /// Copy bytes into a bytes value, which is inline up to 7 bytes.
    pub fn TVMFFIBytesFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> i32;
    /// Make an integer from 64-bit words in two's complement, the least significant word
    /// first.
    ///
    /// The result is a `kTVMFFIInt` if the number fits. A size that is not a multiple of 8
    /// raises ValueError; size 0 gives the number 0.
    pub fn TVMFFIBigIntFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> i32;
    /// Return the words of an integer, borrowed from `value` (`kTVMFFIInt`) or from its
    /// object.
    pub fn TVMFFIBigIntGetContentByteArray(value: *const TVMFFIAny) -> TVMFFIByteArray;
    /// Initialise a process-wide handle once.
    ///
    /// If `*handle_addr` is NULL, run `init_func` under a process-wide lock that is not
    /// recursive, and store the new handle. If the result of `init_func` is not 0, return
    /// that result and store nothing. A new handle that is NULL raises RuntimeError.
    pub fn TVMFFIHandleInitOnce(
        handle_addr: *mut *mut c_void,
        init_func: Option<unsafe extern "C" fn(result: *mut *mut c_void) -> i32>,
    ) -> i32;
    /// Set `*handle_addr` to NULL, and call `deinit_func` with the former handle, unless
    /// that handle is NULL.
    pub fn TVMFFIHandleDeinitOnce(
        handle_addr: *mut *mut c_void,
        deinit_func: Option<unsafe extern "C" fn(handle: *mut c_void) -> i32>,
    ) -> i32;
    /// Return the installed allocator, which is never NULL.
    pub fn TVMFFIGetCustomAllocator() -> *mut TVMFFICustomAllocator;
    /// Install an allocator that lives as long as the process; NULL restores the default
    /// allocator.
    pub fn TVMFFISetCustomAllocator(allocator: *mut TVMFFICustomAllocator) -> i32;
    /// Make a function from C code.
    ///
    /// * `this`: the handle that `safe_call` gets; if `self` and `deleter` are NULL,
    ///   `safe_call` gets the handle of the function.
    /// * `safe_call`: the code.
    /// * `deleter`: called with `self` when the function is destroyed; may be NULL.
    /// * `out`: the function, owned.
    pub fn TVMFFIFunctionCreate(
        this: *mut c_void,
        safe_call: TVMFFISafeCallType,
        deleter: Option<unsafe extern "C" fn(this: *mut c_void)>,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Look up a global function; for an unknown name return 0 and set `*out` to NULL.
    pub fn TVMFFIFunctionGetGlobal(
        name: *const TVMFFIByteArray,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Register a global function; an existing name raises RuntimeError unless
    /// `allow_override` is set.
    pub fn TVMFFIFunctionSetGlobal(
        name: *const TVMFFIByteArray,
        f: TVMFFIObjectHandle,
        allow_override: i32,
    ) -> i32;
    /// Register a global function with doc, metadata and flags; `method` must be a
    /// function.
    pub fn TVMFFIFunctionSetGlobalFromMethodInfo(
        method_info: *const TVMFFIMethodInfo,
        allow_override: i32,
    ) -> i32;
    /// Call a function and return its status; the parameters are those of
    /// `TVMFFISafeCallType`.
    pub fn TVMFFIFunctionCall(
        func: TVMFFIObjectHandle,
        args: *mut TVMFFIAny,
        num_args: i32,
        result: *mut TVMFFIAny,
    ) -> i32;
    /// Move the error from the error slot of this thread to `*result`; NULL if the slot is
    /// empty.
    pub fn TVMFFIErrorMoveFromRaised(result: *mut TVMFFIObjectHandle);
    /// Store a new reference to `error` in the error slot of this thread.
    pub fn TVMFFIErrorSetRaised(error: TVMFFIObjectHandle);
    /// Make an error with a new backtrace and store it in the error slot of this thread.
    pub fn TVMFFIErrorSetRaisedFromCStr(kind: *const c_char, message: *const c_char);
    /// Like `TVMFFIErrorSetRaisedFromCStr`; the message joins the parts that are not NULL.
    pub fn TVMFFIErrorSetRaisedFromCStrParts(
        kind: *const c_char,
        message_parts: *mut *const c_char,
        num_parts: i32,
    );
    /// Make an error from copies of the texts. When memory is exhausted, return -1 and
    /// leave the error slot of this thread unchanged.
    pub fn TVMFFIErrorCreate(
        kind: *const TVMFFIByteArray,
        message: *const TVMFFIByteArray,
        backtrace: *const TVMFFIByteArray,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Like `TVMFFIErrorCreate`, with a cause and a context. Each of them may be NULL;
    /// otherwise the new error adds a reference to it.
    pub fn TVMFFIErrorCreateWithCauseAndExtraContext(
        kind: *const TVMFFIByteArray,
        message: *const TVMFFIByteArray,
        backtrace: *const TVMFFIByteArray,
        cause_chain: TVMFFIObjectHandle,
        extra_context: TVMFFIObjectHandle,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Return the stack of the calling thread as text, most recent call first.
    ///
    /// * `filename`: the file of the first line. If `filename` and `func` are not NULL,
    ///   that line replaces the two innermost frames.
    /// * `lineno`: the line number in that first line.
    /// * `func`: the function name in that first line.
    /// * `cross_ffi_boundary`: 0 to stop before the innermost frame of
    ///   `TVMFFIFunctionCall`, of the Python extension or of the Python interpreter.
    ///
    /// Returns a thread-local buffer, valid until the next call on this thread; never NULL.
    pub fn TVMFFIBacktrace(
        filename: *const c_char,
        lineno: i32,
        func: *const c_char,
        cross_ffi_boundary: i32,
    ) -> *const TVMFFIByteArray;
    /// Make a tensor object from a managed tensor without copying the data.
    ///
    /// * `from_tensor`: the tensor, taken over on success only.
    /// * `require_alignment`: the alignment in bytes; data with a smaller alignment raises
    ///   RuntimeError. 0 accepts any alignment.
    /// * `require_contiguous`: if not 0, a layout that is not contiguous raises
    ///   RuntimeError.
    /// * `out`: the tensor object, owned.
    ///
    /// A malformed tensor raises a ValueError that names the invalid member.
    pub fn TVMFFITensorFromDLPack(
        from_tensor: *mut c_void,
        require_alignment: i32,
        require_contiguous: i32,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Like `TVMFFITensorFromDLPack`, for the versioned struct; padded sub-byte data raises
    /// RuntimeError.
    pub fn TVMFFITensorFromDLPackVersioned(
        from_tensor: *mut c_void,
        require_alignment: i32,
        require_contiguous: i32,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Export a tensor object. `*out` holds a reference to `from`, which the deleter of
    /// `*out` releases. A read-only tensor raises BufferError.
    pub fn TVMFFITensorToDLPack(from_tensor: TVMFFIObjectHandle, out: *mut *mut c_void) -> i32;
    /// Like `TVMFFITensorToDLPack`, with version {1, 3}. The flags are 0, or the read-only
    /// flag for a read-only tensor.
    pub fn TVMFFITensorToDLPackVersioned(
        from_tensor: TVMFFIObjectHandle,
        out: *mut *mut c_void,
    ) -> i32;
    /// Make a tensor with the members of `prototype`; the tensor keeps `source` alive.
    /// Shape and strides are copied. The function does not check that the new tensor lies
    /// inside `source`.
    pub fn TVMFFITensorCreateUnsafeView(
        source: TVMFFIObjectHandle,
        prototype: *const DLTensor,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Parse a data type; unknown text raises ValueError.
    pub fn TVMFFIDataTypeFromString(str: *const TVMFFIByteArray, out: *mut DLDataType) -> i32;
    /// Make the canonical text of a data type, as a heap string; unknown codes raise
    /// ValueError.
    pub fn TVMFFIDataTypeToString(dtype: *const DLDataType, out: *mut TVMFFIAny) -> i32;
    /// Get the index of a registered type key; an unknown key raises InternalError.
    pub fn TVMFFITypeKeyToIndex(type_key: *const TVMFFIByteArray, out_tindex: *mut i32) -> i32;
    /// Append a field to a type: copy the texts, and keep references to the default and a
    /// function setter. A NULL getter raises ValueError, and so does a NULL setter, unless
    /// the field is read-only and has no default. The offset is negative for a member of a
    /// base before the header.
    pub fn TVMFFITypeRegisterField(type_index: i32, info: *const TVMFFIFieldInfo) -> i32;
    /// Append a method to a type. Several methods may have the same name (overloads).
    pub fn TVMFFITypeRegisterMethod(type_index: i32, info: *const TVMFFIMethodInfo) -> i32;
    /// Register the metadata of a type; a second call for the same type raises
    /// RuntimeError.
    pub fn TVMFFITypeRegisterMetadata(type_index: i32, metadata: *const TVMFFITypeMetadata) -> i32;
    /// Set an attribute of a type. A `type_index` of 0 only makes the attribute's column.
    pub fn TVMFFITypeRegisterAttr(
        type_index: i32,
        attr_name: *const TVMFFIByteArray,
        attr_value: *const TVMFFIAny,
    ) -> i32;
    /// Return the column of an attribute, whose address never changes; NULL for an unknown
    /// name.
    pub fn TVMFFIGetTypeAttrColumn(
        attr_name: *const TVMFFIByteArray,
    ) -> *const TVMFFITypeAttrColumn;
    /// Return the index of a type key; allocate an index when the key is new.
    ///
    /// * `type_key`: unique name.
    /// * `static_type_index`: a fixed free index, or -1 to take the next free index.
    /// * `type_depth`: number of ancestors; must be the depth of the parent plus 1.
    /// * `num_child_slots`: number of indices to reserve for children, directly behind the
    ///   new index.
    /// * `child_slots_can_overflow`: if not 0, children beyond the reserved slots get other
    ///   indices.
    /// * `parent_type_index`: the parent; -1 for a root; -2 to look the key up without an
    ///   allocation, with the result -2 for an unknown key.
    ///
    /// Returns the index; -1 with an error raised when the arguments are invalid.
    pub fn TVMFFITypeGetOrAllocIndex(
        type_key: *const TVMFFIByteArray,
        static_type_index: i32,
        type_depth: i32,
        num_child_slots: i32,
        child_slots_can_overflow: i32,
        parent_type_index: i32,
    ) -> i32;
    /// Return the entry of a type; NULL with an error raised when the index is not
    /// registered.
    pub fn TVMFFIGetTypeInfo(type_index: i32) -> *const TVMFFITypeInfo;
}
