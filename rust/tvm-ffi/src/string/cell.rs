// SPDX-License-Identifier: Apache-2.0
//! The common implementation of strings and bytes: create and read the inline form (up to 7 bytes)
//! and the heap form.

use tvm_ffi_sys::{TVMFFIAny, TVMFFIAnyDataUnion, TVMFFIByteArray, TVMFFIObject, TVMFFITypeIndex};

use crate::object::{unsafe_, Object, ObjectArc, ObjectCore, ObjectCoreWithExtraItems};

const LONGEST_SMALL: usize = 7;

macro_rules! heap_object {
    ($name:ident, $key:literal, $index:ident, $doc:literal) => {
        #[doc = $doc]
        #[repr(C)]
        pub struct $name {
            object: Object,
            data: TVMFFIByteArray,
        }

        // SAFETY: the header is at offset 0; the type derives from `ffi.Object`.
        unsafe impl ObjectCore for $name {
            const TYPE_KEY: &'static str = $key;
            const TYPE_DEPTH: i32 = 1;
            const TYPE_FINAL: bool = true;
            fn type_index() -> i32 {
                TVMFFITypeIndex::$index as i32
            }
            unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
                // SAFETY: the called function has the same conditions, and the caller meets them.
                unsafe { Object::object_header_mut(&mut this.object) }
            }
        }

        // SAFETY: the size does not change. The bytes and a terminating zero follow the struct.
        unsafe impl ObjectCoreWithExtraItems for $name {
            type ExtraItem = u8;
            fn extra_items_count(this: &Self) -> usize {
                this.data.size + 1
            }
        }

        impl HeapBytes for $name {
            fn allocate(bytes: &[u8]) -> *mut TVMFFIObject {
                let data = TVMFFIByteArray::new(std::ptr::null(), bytes.len());
                let object = ObjectArc::new_with_raw_items($name {
                    object: Object::new(),
                    data,
                });
                // SAFETY: the object is new, and `len + 1` bytes of memory follow the struct.
                unsafe {
                    let object = ObjectArc::into_raw(object).cast_mut();
                    let first = object.add(1).cast::<u8>();
                    first.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                    first.add(bytes.len()).write(0);
                    (*object).data.data = first;
                    object.cast()
                }
            }
        }
    };
}

/// An object that contains a string or bytes in the heap form.
pub(super) trait HeapBytes: ObjectCore {
    /// Allocate an object with one strong reference, which the caller owns.
    fn allocate(bytes: &[u8]) -> *mut TVMFFIObject;
}

heap_object!(
    StringObj,
    "ffi.String",
    kTVMFFIStr,
    "Content of a heap string."
);
heap_object!(
    BytesObj,
    "ffi.Bytes",
    kTVMFFIBytes,
    "Content of heap bytes."
);

/// Return up to 7 bytes as a little-endian number. Copying bytes of unknown length would need a
/// call of `memcpy`, which is slower.
#[inline]
fn small_payload(bytes: &[u8]) -> u64 {
    match bytes {
        [a @ .., b1, b2, b3, b4] => {
            // In the number, the bytes of `a` (at most three) are the lowest bytes, and the bytes
            // from `b1` to `b4` follow above them.
            let last = u32::from_le_bytes([*b1, *b2, *b3, *b4]);
            let first = a
                .iter()
                .rev()
                .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            first | u64::from(last) << (8 * a.len())
        }
        _ => bytes
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
    }
}

/// Create an owned value. `small` is the type index of the inline form.
#[inline]
pub(super) fn make<T: HeapBytes>(bytes: &[u8], small: TVMFFITypeIndex) -> TVMFFIAny {
    if bytes.len() <= LONGEST_SMALL {
        let v_uint64 = small_payload(bytes);
        return TVMFFIAny {
            type_index: small as i32,
            small_str_len: bytes.len() as u32,
            data_union: TVMFFIAnyDataUnion { v_uint64 },
        };
    }
    let mut data_union = TVMFFIAnyDataUnion { v_uint64: 0 };
    data_union.v_obj = T::allocate(bytes);
    TVMFFIAny {
        type_index: T::type_index(),
        small_str_len: 0,
        data_union,
    }
}

/// Return the bytes of an owned value in inline or heap form. If all 16 bytes of the
/// value are zero, the result is empty.
///
/// # Safety
///
/// The value is a string, bytes or all zero, and lives during the borrow.
#[inline]
pub(super) unsafe fn bytes_of(data: &TVMFFIAny) -> &[u8] {
    if data.type_index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32 {
        // SAFETY: in an object of this kind, a `TVMFFIByteArray` follows the header.
        return unsafe {
            let body = data.data_union.v_obj.add(1).cast::<TVMFFIByteArray>();
            (*body).as_bytes()
        };
    }
    let length = (data.small_str_len as usize).min(LONGEST_SMALL);
    // SAFETY: all 8 bytes of the payload are initialised.
    unsafe { &data.data_union.v_bytes[..length] }
}

/// Add a reference to the object if the value has the heap form.
///
/// # Safety
///
/// The value is a string or bytes, and is alive.
#[inline]
pub(super) unsafe fn retain(data: &TVMFFIAny) {
    if data.type_index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32 {
        // SAFETY: the payload is a live object.
        unsafe { unsafe_::inc_ref(data.data_union.v_obj) };
    }
}

/// Release a reference to the object if the value has the heap form.
///
/// # Safety
///
/// The caller owns the value, and does not use the value afterwards.
#[inline]
pub(super) unsafe fn release(data: &TVMFFIAny) {
    if data.type_index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32 {
        // SAFETY: the payload is a live object.
        unsafe { unsafe_::dec_ref(data.data_union.v_obj) };
    }
}

/// Implement the common functions of strings and bytes.
macro_rules! impl_cell {
    ($name:ident, $obj:ty, $small:ident, $view_only:ident, $type_str:literal) => {
        // SAFETY: the content does not change, and the reference count is atomic.
        unsafe impl Send for $name {}
        // SAFETY: the content does not change, and the reference count is atomic.
        unsafe impl Sync for $name {}

        impl $name {
            /// Return the empty value.
            pub const fn new() -> Self {
                $name {
                    data: TVMFFIAny {
                        type_index: TVMFFITypeIndex::$small as i32,
                        small_str_len: 0,
                        data_union: TVMFFIAnyDataUnion { v_uint64: 0 },
                    },
                }
            }

            /// Return the number of bytes.
            #[inline]
            pub fn len(&self) -> usize {
                self.content().len()
            }

            /// Return whether there are no bytes.
            pub fn is_empty(&self) -> bool {
                self.content().is_empty()
            }

            #[inline]
            fn make(bytes: &[u8]) -> Self {
                $name { data: cell::make::<$obj>(bytes, TVMFFITypeIndex::$small) }
            }

            #[inline]
            fn content(&self) -> &[u8] {
                // SAFETY: the value has this type and is borrowed.
                unsafe { cell::bytes_of(&self.data) }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl Clone for $name {
            #[inline]
            fn clone(&self) -> Self {
                // SAFETY: the value is alive.
                unsafe { cell::retain(&self.data) };
                $name { data: self.data }
            }
        }

        impl Drop for $name {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: the value is owned.
                unsafe { cell::release(&self.data) };
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.content().cmp(other.content())
            }
        }

        // SAFETY: the inline form and the heap form are both values of the ABI.
        unsafe impl AnyCompatible for $name {
            #[inline]
            unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
                *data = src.data;
            }
            #[inline]
            unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
                *data = std::mem::ManuallyDrop::new(src).data;
            }
            #[inline]
            unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
                let index = data.type_index;
                (index == TVMFFITypeIndex::$small as i32 || index == <$obj>::type_index())
                    // SAFETY: the type index says that the value has this type.
                    && unsafe { Self::is_valid(cell::bytes_of(data)) }
            }
            #[inline]
            unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
                // SAFETY: the caller has called `check_any_strict`, so the value has this type.
                unsafe { cell::retain(data) };
                $name { data: *data }
            }
            #[inline]
            unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
                $name { data: *data }
            }
            unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
                if data.type_index != TVMFFITypeIndex::$view_only as i32 {
                    return Err(());
                }
                // SAFETY: the type index selects the payload.
                let bytes = unsafe { Self::borrowed_bytes(data) };
                if !Self::is_valid(bytes) {
                    return Err(());
                }
                Ok(Self::make(bytes))
            }
            unsafe fn is_undefined(field: *const Self) -> bool {
                // SAFETY: the field is a value or consists of zero bytes.
                unsafe { (*field.cast::<TVMFFIAny>()).type_index == 0 }
            }
            fn conversion_error(data: &TVMFFIAny) -> Error {
                Self::content_error(data)
            }
            fn type_str() -> std::string::String {
                $type_str.to_string()
            }
        }

        crate::impl_try_from_any!($name);
        crate::impl_arg_into_ref!($name);
        crate::impl_into_arg_holder_default!($name);
    };
}
pub(super) use impl_cell;
