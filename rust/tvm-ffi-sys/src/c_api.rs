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

/// One number space for `TVMFFIAny::type_index` and `TVMFFIObject::type_index`.
///
/// Below `kTVMFFIStaticObjectBegin` a value owns nothing. From there on the payload is a
/// counted object in `v_obj`. Indices from `kTVMFFIDynObjectBegin` are handed out at run time.
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
    /// Address of a pointer variable whose strong reference the callee may take, writing
    /// NULL there; views only.
    kTVMFFIObjectRValueRef = 10,
    /// String of at most 7 bytes held in the value itself.
    kTVMFFISmallStr = 11,
    /// Bytes of at most 7 bytes held in the value itself.
    kTVMFFISmallBytes = 12,
    /// "No new value", a result of structural mutation.
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
    /// The end of a visit, with a value.
    kTVMFFIVisitInterrupt = 77,
    /// An integer of more than 64 bits.
    kTVMFFIBigInt = 78,
    /// The end of the indices that the library assigns.
    kTVMFFIStaticObjectEnd = 79,
    /// The first index that is assigned at run time.
    kTVMFFIDynObjectBegin = 128,
}

/// Address of a `TVMFFIObject` header.
pub type TVMFFIObjectHandle = *mut c_void;

/// What a deleter is asked to do; both bits in one call: destructor first.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFIObjectDeleterFlagBitMask {
    /// Run the destructor, keep the memory.
    kTVMFFIObjectDeleterFlagBitMaskStrong = 1 << 0,
    /// Release the memory.
    kTVMFFIObjectDeleterFlagBitMaskWeak = 1 << 1,
    /// Destroy the value, and free the memory.
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

/// Body of a shape object: `size` extents.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIShapeCell {
    /// The first element; may be NULL if there is none.
    pub data: *const i64,
    /// The C member `size`.
    pub size: usize,
}

/// Body of an array or list object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFISeqCell {
    /// `size` owned `TVMFFIAny`; memory for `capacity` of them.
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

/// Body of an error object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIErrorCell {
    /// Class name, e.g. `ValueError`.
    pub kind: TVMFFIByteArray,
    /// Text, NUL-terminated.
    pub message: TVMFFIByteArray,
    /// Lines ` File "F", line N, in G`, most recent call first.
    pub backtrace: TVMFFIByteArray,
    /// Changes `backtrace`; the text is copied, the pointers in `backtrace` may change.
    pub update_backtrace: Option<
        unsafe extern "C" fn(
            this: TVMFFIObjectHandle,
            backtrace: *const TVMFFIByteArray,
            update_mode: i32,
        ),
    >,
    /// NULL or the owned error that led to this one.
    pub cause_chain: TVMFFIObjectHandle,
    /// NULL or any owned object.
    pub extra_context: TVMFFIObjectHandle,
}

/// Calling convention of functions.
///
/// * `handle`: the function object (or what `TVMFFIFunctionCreate` was given as `self`).
/// * `args`: `num_args` borrowed views; may be NULL when there are none.
/// * `num_args`: number of arguments.
/// * `result`: points at an initialised value below `kTVMFFIStaticObjectBegin` (None);
///   overwritten without release by an owned value on success, not to be used on failure.
///
/// Returns 0; -1 with an error raised; -2 when a frontend exception is pending instead.
pub type TVMFFISafeCallType = unsafe extern "C" fn(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> i32;

/// Body of a function object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIFunctionCell {
    /// Never NULL.
    pub safe_call: TVMFFISafeCallType,
    /// NULL, or a C++ function that throws; for callers that share the exception ABI.
    pub cxx_call: *mut c_void,
}

/// Body of a foreign-language box.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIOpaqueObjectCell {
    /// The Python object, with a strong reference.
    pub handle: *mut c_void,
}

/// What a custom allocator puts immediately before an object body.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIObjectAllocHeader {
    /// Reclaims the whole block, given the body; may be NULL.
    pub delete_space: Option<unsafe extern "C" fn(ptr: *mut c_void)>,
}

/// An allocator of object bodies; must live for ever once installed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFICustomAllocator {
    /// Returns an aligned uninitialised body with an initialised `TVMFFIObjectAllocHeader`
    /// before it, or NULL after raising an error. May run on several threads at the same
    /// time.
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
    /// Of methods: there is no `self` argument.
    kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
    /// Structural equality and hash ignore the field.
    kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
    /// The field defines variables, at any depth.
    kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
    /// The default is a function that returns a new value.
    kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
    /// The representation leaves the field out.
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
    /// The method or global function is short and does not block, so a frontend may keep
    /// its interpreter lock during the call. An extension of this project; others ignore
    /// the flag.
    kTVMFFIMethodFlagBitMaskShortCall = 1 << 13,
}

/// How structural equality and hash treat a type.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFISEqHashKind {
    /// Objects are not compared.
    kTVMFFISEqHashKindUnsupported = 0,
    /// Equal if the fields are equal.
    kTVMFFISEqHashKindTreeNode = 1,
    /// A variable: equal if bound at the same place.
    kTVMFFISEqHashKindFreeVar = 2,
    /// Equal if the fields are equal, and objects are shared alike.
    kTVMFFISEqHashKindDAGNode = 3,
    /// As a tree, without variables inside.
    kTVMFFISEqHashKindConstTreeNode = 4,
    /// Equal only to itself.
    kTVMFFISEqHashKindUniqueInstance = 5,
}

/// What a walk may do with variables that it meets.
#[allow(non_camel_case_types)]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TVMFFIDefRegionKind {
    /// Variables are uses.
    kTVMFFIDefRegionKindNone = 0,
    /// Every variable reached may bind.
    kTVMFFIDefRegionKindPattern = 1,
    /// Only the variable itself binds.
    kTVMFFIDefRegionKindSimple = 2,
}

/// Reads the field at `field` (header address + offset) into an owned `result`.
pub type TVMFFIFieldGetter =
    unsafe extern "C" fn(field: *mut c_void, result: *mut TVMFFIAny) -> i32;

/// Writes the field at `field`; converts the borrowed `value`, releases the old content.
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
    /// JSON object text with at least `type_schema`.
    pub metadata: TVMFFIByteArray,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// Bytes.
    pub size: i64,
    /// The alignment of the field in bytes.
    pub alignment: i64,
    /// Bytes from the object header.
    pub offset: i64,
    /// Reads the field.
    pub getter: Option<TVMFFIFieldGetter>,
    /// A `TVMFFIFieldSetter`, or with `kTVMFFIFieldFlagBitSetterIsFunctionObj` a function
    /// handle called with (opaque field address, value).
    pub setter: *mut c_void,
    /// The default, or with `kTVMFFIFieldFlagBitMaskDefaultFromFactory` a function of no
    /// arguments that makes it.
    pub default_value_or_factory: TVMFFIAny,
    /// Declared type as far as it is one index; `kTVMFFIAny` otherwise.
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
    /// A function; of an instance method argument 0 is the receiver.
    pub method: TVMFFIAny,
}

/// What a type says about itself, once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFITypeMetadata {
    /// The documentation; empty if there is none.
    pub doc: TVMFFIByteArray,
    /// NULL when the type cannot be made empty.
    pub creator: Option<TVMFFIObjectCreator>,
    /// Size of the class in bytes; 0 when unknown.
    pub total_size: i32,
    /// How objects of the type are compared.
    pub structural_eq_hash_kind: i32,
}

/// Values of one attribute by type; entry of type t is `data[t - begin_index]`.
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
    /// `type_depth` entries, root first, parent last.
    pub type_acenstors: *mut *const TVMFFITypeInfo,
    /// The hash of the name.
    pub type_key_hash: u64,
    /// Own fields only.
    pub num_fields: i32,
    /// Own methods only.
    pub num_methods: i32,
    /// The fields that the type itself declares.
    pub fields: *const TVMFFIFieldInfo,
    /// The methods that the type itself declares.
    pub methods: *const TVMFFIMethodInfo,
    /// NULL until registered.
    pub metadata: *const TVMFFITypeMetadata,
}

extern "C" {
    /// Version of the library.
    pub fn TVMFFIGetVersion(out_version: *mut TVMFFIVersion);
    /// Take one more strong reference; NULL raises ValueError.
    pub fn TVMFFIObjectIncRef(obj: TVMFFIObjectHandle) -> i32;
    /// Give one strong reference back; NULL is accepted. May run destructors.
    pub fn TVMFFIObjectDecRef(obj: TVMFFIObjectHandle) -> i32;
    /// Box a foreign object.
    ///
    /// * `handle`: kept in the box.
    /// * `type_index`: must be `kTVMFFIOpaquePyObject`, otherwise RuntimeError.
    /// * `deleter`: called with `handle` once at the end, unless NULL.
    /// * `out`: the new object, owned.
    pub fn TVMFFIObjectCreateOpaque(
        handle: *mut c_void,
        type_index: i32,
        deleter: Option<unsafe extern "C" fn(handle: *mut c_void)>,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Turn a view into an owned value; `out` is overwritten without release.
    pub fn TVMFFIAnyViewToOwnedAny(any_view: *const TVMFFIAny, out: *mut TVMFFIAny) -> i32;
    /// Copy text into a string value, inline up to 7 bytes.
    pub fn TVMFFIStringFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> i32;
    /// Copy bytes into a bytes value, inline up to 7 bytes.
    pub fn TVMFFIBytesFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> i32;
    /// Integer from two's-complement 64-bit words, least significant first.
    ///
    /// Gives `kTVMFFIInt` where it fits. A size that is not a multiple of 8 raises
    /// ValueError; size 0 gives 0.
    pub fn TVMFFIBigIntFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> i32;
    /// Words of an integer value, borrowed from `value` (`kTVMFFIInt`) or from its object.
    pub fn TVMFFIBigIntGetContentByteArray(value: *const TVMFFIAny) -> TVMFFIByteArray;
    /// Initialise a process-wide handle once.
    ///
    /// Runs `init_func` under a process-wide lock that is not recursive when `*handle_addr`
    /// is NULL. A non-zero result is passed on and nothing is stored; a NULL handle raises
    /// RuntimeError.
    pub fn TVMFFIHandleInitOnce(
        handle_addr: *mut *mut c_void,
        init_func: Option<unsafe extern "C" fn(result: *mut *mut c_void) -> i32>,
    ) -> i32;
    /// Exchange `*handle_addr` with NULL and give what was there, if anything, to
    /// `deinit_func`.
    pub fn TVMFFIHandleDeinitOnce(
        handle_addr: *mut *mut c_void,
        deinit_func: Option<unsafe extern "C" fn(handle: *mut c_void) -> i32>,
    ) -> i32;
    /// The installed allocator, never NULL.
    pub fn TVMFFIGetCustomAllocator() -> *mut TVMFFICustomAllocator;
    /// Install an allocator that lives for ever; NULL restores the default one.
    pub fn TVMFFISetCustomAllocator(allocator: *mut TVMFFICustomAllocator) -> i32;
    /// Make a function from C code.
    ///
    /// * `this`: the handle that `safe_call` gets; if `self` and `deleter` are NULL,
    ///   `safe_call` gets the handle of the function.
    /// * `safe_call`: the code.
    /// * `deleter`: called with `self` when the function is destroyed, unless NULL.
    /// * `out`: the function, owned.
    pub fn TVMFFIFunctionCreate(
        this: *mut c_void,
        safe_call: TVMFFISafeCallType,
        deleter: Option<unsafe extern "C" fn(this: *mut c_void)>,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Look a global function up; 0 with `*out` NULL when there is none of that name.
    pub fn TVMFFIFunctionGetGlobal(
        name: *const TVMFFIByteArray,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Register a global function; a taken name without `allow_override` raises
    /// RuntimeError.
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
    /// Call a function by the convention of `TVMFFISafeCallType`; its status is passed on.
    pub fn TVMFFIFunctionCall(
        func: TVMFFIObjectHandle,
        args: *mut TVMFFIAny,
        num_args: i32,
        result: *mut TVMFFIAny,
    ) -> i32;
    /// Empty the thread's slot into `*result`: the owned error, or NULL.
    pub fn TVMFFIErrorMoveFromRaised(result: *mut TVMFFIObjectHandle);
    /// Store an error in the thread's slot, taking a reference of its own.
    pub fn TVMFFIErrorSetRaised(error: TVMFFIObjectHandle);
    /// Make an error with a fresh backtrace and store it in the thread's slot.
    pub fn TVMFFIErrorSetRaisedFromCStr(kind: *const c_char, message: *const c_char);
    /// The same, the message being the concatenation of the parts that are not NULL.
    pub fn TVMFFIErrorSetRaisedFromCStrParts(
        kind: *const c_char,
        message_parts: *mut *const c_char,
        num_parts: i32,
    );
    /// Make an error; texts are copied. Returns -1 when out of memory; the slot is
    /// untouched.
    pub fn TVMFFIErrorCreate(
        kind: *const TVMFFIByteArray,
        message: *const TVMFFIByteArray,
        backtrace: *const TVMFFIByteArray,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// The same with a cause and a context, each NULL or a handle that gains a reference.
    pub fn TVMFFIErrorCreateWithCauseAndExtraContext(
        kind: *const TVMFFIByteArray,
        message: *const TVMFFIByteArray,
        backtrace: *const TVMFFIByteArray,
        cause_chain: TVMFFIObjectHandle,
        extra_context: TVMFFIObjectHandle,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Text of the calling thread's stack, most recent call first.
    ///
    /// * `filename`: with `func`, makes the first line and replaces the two innermost
    ///   frames.
    /// * `lineno`: line of that first line.
    /// * `func`: function name of that first line.
    /// * `cross_ffi_boundary`: 0: stop at the nearest call boundary.
    ///
    /// Returns a thread-local buffer, valid until the next call on this thread; never NULL.
    pub fn TVMFFIBacktrace(
        filename: *const c_char,
        lineno: i32,
        func: *const c_char,
        cross_ffi_boundary: i32,
    ) -> *const TVMFFIByteArray;
    /// Wrap a managed tensor without copying; taken over on success only.
    ///
    /// * `from_tensor`: the tensor.
    /// * `require_alignment`: bytes, 0 for no check; RuntimeError when not met.
    /// * `require_contiguous`: non-zero: RuntimeError for other layouts.
    /// * `out`: the tensor object, owned.
    ///
    /// Malformed tensors raise ValueError that names the member.
    pub fn TVMFFITensorFromDLPack(
        from_tensor: *mut c_void,
        require_alignment: i32,
        require_contiguous: i32,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// The same for the versioned structure; padded sub-byte data raises RuntimeError.
    pub fn TVMFFITensorFromDLPackVersioned(
        from_tensor: *mut c_void,
        require_alignment: i32,
        require_contiguous: i32,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Export a tensor object; `*out` holds one reference to it, released by its deleter.
    pub fn TVMFFITensorToDLPack(from_tensor: TVMFFIObjectHandle, out: *mut *mut c_void) -> i32;
    /// The same with version {1, 3} and flags 0.
    pub fn TVMFFITensorToDLPackVersioned(
        from_tensor: TVMFFIObjectHandle,
        out: *mut *mut c_void,
    ) -> i32;
    /// A tensor with all members of `prototype`, shape and strides copied, that keeps
    /// `source` alive. Nothing checks that the view lies inside the source.
    pub fn TVMFFITensorCreateUnsafeView(
        source: TVMFFIObjectHandle,
        prototype: *const DLTensor,
        out: *mut TVMFFIObjectHandle,
    ) -> i32;
    /// Parse a data type; unknown text raises ValueError.
    pub fn TVMFFIDataTypeFromString(str: *const TVMFFIByteArray, out: *mut DLDataType) -> i32;
    /// Canonical text of a data type, as a heap string; unknown codes raise ValueError.
    pub fn TVMFFIDataTypeToString(dtype: *const DLDataType, out: *mut TVMFFIAny) -> i32;
    /// Index of a registered key; an unknown key raises InternalError.
    pub fn TVMFFITypeKeyToIndex(type_key: *const TVMFFIByteArray, out_tindex: *mut i32) -> i32;
    /// Append a field; the struct's texts are copied, default and function setter retained.
    pub fn TVMFFITypeRegisterField(type_index: i32, info: *const TVMFFIFieldInfo) -> i32;
    /// Append a method; the same name may come again (overloads).
    pub fn TVMFFITypeRegisterMethod(type_index: i32, info: *const TVMFFIMethodInfo) -> i32;
    /// Describe a type; the second time raises RuntimeError.
    pub fn TVMFFITypeRegisterMetadata(type_index: i32, metadata: *const TVMFFITypeMetadata) -> i32;
    /// Set an attribute of a type; `type_index` 0 only makes the column.
    pub fn TVMFFITypeRegisterAttr(
        type_index: i32,
        attr_name: *const TVMFFIByteArray,
        attr_value: *const TVMFFIAny,
    ) -> i32;
    /// Column of an attribute, at an address that never changes; NULL for an unknown name.
    pub fn TVMFFIGetTypeAttrColumn(
        attr_name: *const TVMFFIByteArray,
    ) -> *const TVMFFITypeAttrColumn;
    /// Index of a type key, allocated when the key is new.
    ///
    /// * `type_key`: unique name.
    /// * `static_type_index`: a fixed free index, or -1 to take the next one.
    /// * `type_depth`: number of ancestors; must be the parent's plus 1.
    /// * `num_child_slots`: indices to reserve behind it for children.
    /// * `child_slots_can_overflow`: non-zero: children beyond those get indices elsewhere.
    /// * `parent_type_index`: the parent, -1 for a root, -2 only to query (result -2:
    ///   unknown key).
    ///
    /// Returns the index; -1 with an error raised when the arguments are impossible.
    pub fn TVMFFITypeGetOrAllocIndex(
        type_key: *const TVMFFIByteArray,
        static_type_index: i32,
        type_depth: i32,
        num_child_slots: i32,
        child_slots_can_overflow: i32,
        parent_type_index: i32,
    ) -> i32;
    /// Entry of a type; NULL with an error raised when the index is not registered.
    pub fn TVMFFIGetTypeInfo(type_index: i32) -> *const TVMFFITypeInfo;
}
