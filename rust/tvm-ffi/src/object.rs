// SPDX-License-Identifier: Apache-2.0
//! Counted objects: the header, the traits of object structs and of references to them.

mod arc;
mod identity;
mod reference;
mod release;
mod weak;

pub use arc::ObjectArc;
pub use identity::ObjectIdentity;
pub use reference::{ObjectRef, ObjectRefCast, ObjectRefCore};
pub use weak::ObjectWeak;

use tvm_ffi_sys::{TVMFFIGetTypeInfo, TVMFFIObject, TVMFFITypeIndex, TVMFFITypeInfo};

/// Header of every object, and the root of all object types (`ffi.Object`).
///
/// It is the first field of an object struct. [`ObjectArc::new`] fills it in.
#[repr(C)]
#[derive(Debug, Default)]
pub struct Object {
    header: TVMFFIObject,
}

impl Object {
    /// Return a header that [`ObjectArc::new`] fills in.
    pub const fn new() -> Self {
        Object {
            header: TVMFFIObject::new(),
        }
    }
}

/// A struct that is the content of a counted object.
///
/// # Safety
///
/// The struct is `repr(C)` with the object header at offset 0, `TYPE_DEPTH` is the number of
/// ancestors of the type that `type_index()` names, and `TYPE_FINAL` is true only if no type derives
/// from it.
pub unsafe trait ObjectCore: Sized + 'static {
    /// Name of the type in the type table.
    const TYPE_KEY: &'static str;
    /// Number of ancestors.
    const TYPE_DEPTH: i32;
    /// Whether no type derives from this one.
    const TYPE_FINAL: bool = false;
    /// Return the type index.
    fn type_index() -> i32;
    /// Return the header.
    ///
    /// # Safety
    ///
    /// No other thread uses the object during the borrow.
    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject;
}

/// An object struct that is followed by items in the same allocation.
///
/// # Safety
///
/// `extra_items_count` returns the same number during the life of the object, and the slices are
/// those that directly follow the struct. Zero bytes must be a valid `ExtraItem`. Items are not
/// dropped with the object.
pub unsafe trait ObjectCoreWithExtraItems: ObjectCore {
    /// Type of the items.
    type ExtraItem;
    /// Return the number of items.
    fn extra_items_count(this: &Self) -> usize;
    /// Return the items.
    ///
    /// # Safety
    ///
    /// The object was made by [`ObjectArc::new_with_extra_items`].
    unsafe fn extra_items(this: &Self) -> &[Self::ExtraItem] {
        let first = (this as *const Self).wrapping_add(1).cast();
        // SAFETY: the allocation has that many items behind the struct.
        unsafe { std::slice::from_raw_parts(first, Self::extra_items_count(this)) }
    }
    /// Return the items for writing.
    ///
    /// # Safety
    ///
    /// As for `extra_items`, and nothing else uses the object during the borrow.
    unsafe fn extra_items_mut(this: &mut Self) -> &mut [Self::ExtraItem] {
        let count = Self::extra_items_count(this);
        let first = (this as *mut Self).wrapping_add(1).cast();
        // SAFETY: the allocation has that many items behind the struct.
        unsafe { std::slice::from_raw_parts_mut(first, count) }
    }
}

// SAFETY: the header is at offset 0, and `ffi.Object` is the root.
unsafe impl ObjectCore for Object {
    const TYPE_KEY: &'static str = "ffi.Object";
    const TYPE_DEPTH: i32 = 0;
    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32
    }
    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        &mut this.header
    }
}

/// Return the entry of a type, or `None` for an index that is not registered.
pub(crate) fn type_info(type_index: i32) -> Option<&'static TVMFFITypeInfo> {
    // SAFETY: any index may be asked for; entries live as long as the process.
    let info = unsafe { TVMFFIGetTypeInfo(type_index).as_ref() };
    if info.is_none() {
        crate::error::discard_raised();
    }
    info
}

/// Return the name of a type for messages.
pub(crate) fn type_key_of(type_index: i32) -> String {
    match type_info(type_index) {
        Some(info) => info.type_key.as_str().to_string(),
        None => format!("<unknown type index {type_index}>"),
    }
}

/// Return whether an object with this type index is a `T`.
#[inline]
pub fn is_instance_of<T: ObjectCore>(object_type_index: i32) -> bool {
    let target = T::type_index();
    if object_type_index == target {
        return true;
    }
    let first = TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32;
    if T::TYPE_FINAL || object_type_index < first || object_type_index < target {
        return false;
    }
    if target == first {
        return true;
    }
    match type_info(object_type_index) {
        Some(info) if info.type_depth > T::TYPE_DEPTH => {
            // SAFETY: the array has `type_depth` entries, which live as long as the process.
            unsafe { (**info.type_acenstors.add(T::TYPE_DEPTH as usize)).type_index == target }
        }
        _ => false,
    }
}

/// Operations on headers by address.
pub mod unsafe_ {
    use std::sync::atomic::{fence, Ordering};

    use tvm_ffi_sys::{
        TVMFFIObject, TVMFFIObjectDeleterFlagBitMask, COMBINED_REF_COUNT_BOTH_ONE,
        COMBINED_REF_COUNT_MASK_U32, COMBINED_REF_COUNT_STRONG_ONE, COMBINED_REF_COUNT_WEAK_ONE,
    };

    const STRONG: i32 =
        TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskStrong as i32;
    const WEAK: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskWeak as i32;
    const BOTH: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskBoth as i32;

    /// Take one more strong reference.
    ///
    /// # Safety
    ///
    /// The address is that of a live object to which the caller holds a strong reference.
    #[inline]
    pub unsafe fn inc_ref(handle: *mut TVMFFIObject) {
        // SAFETY: the object is alive; only its atomic count is touched.
        let count = unsafe { &(*handle).combined_ref_count };
        count.fetch_add(COMBINED_REF_COUNT_STRONG_ONE, Ordering::Relaxed);
    }

    /// Give one strong reference back, and free the object with the last one.
    ///
    /// # Safety
    ///
    /// The caller owns the reference, and does not use it afterwards.
    #[inline]
    pub unsafe fn dec_ref(handle: *mut TVMFFIObject) {
        // SAFETY: the object is alive until the count says otherwise.
        let old = unsafe {
            (*handle)
                .combined_ref_count
                .fetch_sub(COMBINED_REF_COUNT_STRONG_ONE, Ordering::Release)
        };
        if old == COMBINED_REF_COUNT_BOTH_ONE {
            fence(Ordering::Acquire);
            // SAFETY: nobody else can reach the object.
            unsafe { delete(handle, BOTH) };
        } else if old & COMBINED_REF_COUNT_MASK_U32 == COMBINED_REF_COUNT_STRONG_ONE {
            fence(Ordering::Acquire);
            // SAFETY: weak references keep the memory; nobody else can reach the value. This
            // thread holds the weak reference of all strong ones, so the header stays valid.
            unsafe {
                delete(handle, STRONG);
                dec_weak(handle);
            }
        }
    }

    /// Take one more weak reference.
    ///
    /// # Safety
    ///
    /// The caller holds a strong or weak reference.
    #[inline]
    pub unsafe fn inc_weak(handle: *mut TVMFFIObject) {
        // SAFETY: the memory is alive; only its atomic count is touched.
        let count = unsafe { &(*handle).combined_ref_count };
        count.fetch_add(COMBINED_REF_COUNT_WEAK_ONE, Ordering::Relaxed);
    }

    /// Give one weak reference back.
    ///
    /// # Safety
    ///
    /// The caller owns the reference, and does not use it afterwards.
    pub unsafe fn dec_weak(handle: *mut TVMFFIObject) {
        // SAFETY: the memory is alive until the count says otherwise.
        let old = unsafe {
            (*handle)
                .combined_ref_count
                .fetch_sub(COMBINED_REF_COUNT_WEAK_ONE, Ordering::Release)
        };
        if old == COMBINED_REF_COUNT_WEAK_ONE {
            fence(Ordering::Acquire);
            // SAFETY: nobody else can reach the memory.
            unsafe { delete(handle, WEAK) };
        }
    }

    /// Turn a weak reference into one more strong one; false if the object is gone.
    ///
    /// # Safety
    ///
    /// The caller holds a weak reference.
    pub unsafe fn try_lock(handle: *mut TVMFFIObject) -> bool {
        // SAFETY: the memory is alive; only its atomic count is touched.
        let count = unsafe { &(*handle).combined_ref_count };
        let mut old = count.load(Ordering::Relaxed);
        while old & COMBINED_REF_COUNT_MASK_U32 != 0 {
            let new = old + COMBINED_REF_COUNT_STRONG_ONE;
            match count.compare_exchange_weak(old, new, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
        false
    }

    unsafe fn delete(handle: *mut TVMFFIObject, flags: i32) {
        // SAFETY: the maker of the object set the deleter, which expects the header.
        unsafe {
            if let Some(deleter) = (*handle).deleter {
                deleter(handle.cast(), flags);
            }
        }
    }
}

/// Write the value of an object, borrowed from the reference.
#[doc(hidden)]
#[inline]
pub fn write_object<T: ObjectCore>(reference: &ObjectArc<T>, data: &mut tvm_ffi_sys::TVMFFIAny) {
    // The upper half of the payload is zero where an address has 32 bits.
    *data = tvm_ffi_sys::TVMFFIAny::new();
    data.type_index = ObjectArc::dynamic_type_index(reference);
    data.data_union.v_obj = ObjectArc::as_header(reference);
}

/// Return a new reference to the object of a value.
///
/// # Safety
///
/// The value is a live `T`.
#[doc(hidden)]
#[inline]
pub unsafe fn copy_object<T: ObjectCore>(data: &tvm_ffi_sys::TVMFFIAny) -> ObjectArc<T> {
    // SAFETY: the caller vouches for the object.
    unsafe {
        let object = data.data_union.v_obj;
        unsafe_::inc_ref(object);
        ObjectArc::from_raw(object.cast())
    }
}
