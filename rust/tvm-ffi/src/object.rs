// SPDX-License-Identifier: Apache-2.0
//! Objects with reference counts: the header, and the traits of object structs and of references.

mod arc;
mod identity;
mod reference;
mod release;
mod upcast;
mod weak;

pub(crate) use arc::drop_value;
pub use arc::ObjectArc;
pub use identity::ObjectIdentity;
pub use reference::{ObjectRef, ObjectRefCast, ObjectRefCore};
#[doc(hidden)]
pub use upcast::{Ancestors, Upcast};
pub use weak::ObjectWeak;

use tvm_ffi_sys::{TVMFFIGetTypeInfo, TVMFFIObject, TVMFFITypeIndex, TVMFFITypeInfo};

use crate::error::Result;

/// Header of every object, and the root of all object types (`ffi.Object`).
///
/// The header is the first field of an object struct. [`ObjectArc::new`] sets its members.
#[repr(C)]
#[derive(Debug, Default)]
pub struct Object {
    header: TVMFFIObject,
}

impl Object {
    /// Return an empty header. [`ObjectArc::new`] sets its members.
    pub const fn new() -> Self {
        Object {
            header: TVMFFIObject::new(),
        }
    }
}

/// A struct that is the content of an object with reference counts.
///
/// # Safety
///
/// The struct is `repr(C)` with the object header at offset 0. `TYPE_DEPTH` is the number of
/// ancestors of the type with the index `type_index()`. `TYPE_FINAL` is true only if no type
/// derives from this type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an object struct",
    note = "expected a struct with `#[rs_class(..)]` or `derive(Object)` (`ShapeObj`), or \
            `tvm_ffi::Object`; a reference (`Shape`) is not an object struct"
)]
pub unsafe trait ObjectCore: Sized + 'static {
    /// The type key.
    const TYPE_KEY: &'static str;
    /// Number of ancestors of the type.
    const TYPE_DEPTH: i32;
    /// Whether no type derives from this type.
    const TYPE_FINAL: bool = false;
    /// The types of the structs that the struct begins with.
    #[doc(hidden)]
    const ANCESTORS: Ancestors = Ancestors::Unknown;
    /// Return the type index.
    ///
    /// # Panics
    ///
    /// Panics if another library defines the type and is not loaded.
    fn type_index() -> i32;
    /// Return the type index.
    ///
    /// # Errors
    ///
    /// `TypeError` if another library defines the type and is not loaded.
    #[track_caller]
    fn try_type_index() -> Result<i32> {
        Ok(Self::type_index())
    }
    /// Return the type index of objects that can be read as this struct, or a number that no object
    /// has.
    #[doc(hidden)]
    #[inline]
    fn readable_type_index() -> i32 {
        Self::type_index()
    }
    /// Return the type index for a new object.
    #[doc(hidden)]
    #[inline]
    fn creatable_type_index() -> i32 {
        Self::type_index()
    }
    /// Return how this struct, or one that can be reached from it, differs from its class.
    #[doc(hidden)]
    fn check_layout(_reached: &mut Reached) -> Result<(), &'static str> {
        Ok(())
    }
    /// Whether other libraries create objects of exactly this type, whose fields may have no value.
    #[doc(hidden)]
    const CHECKS_FIELDS: bool = false;
    /// Return whether all fields have a value. Constructors of other languages may set the fields
    /// after they have passed the object to a function.
    ///
    /// # Safety
    ///
    /// The object is alive.
    #[doc(hidden)]
    #[inline]
    unsafe fn is_defined(_this: *const Self) -> bool {
        true
    }
    /// Return the header of the object.
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
/// `extra_items_count` returns the same number during the whole life of the object, and the items
/// directly follow the struct. Zero bytes must be a valid `ExtraItem`. The items are not dropped
/// with the object. The destructor of the struct does not change the header.
pub unsafe trait ObjectCoreWithExtraItems: ObjectCore {
    /// Type of the items.
    type ExtraItem;
    /// Return the number of items.
    fn extra_items_count(this: &Self) -> usize;
    /// Return the items.
    ///
    /// # Safety
    ///
    /// [`ObjectArc::new_with_extra_items`] has created the object.
    unsafe fn extra_items(this: &Self) -> &[Self::ExtraItem] {
        let first = (this as *const Self).wrapping_add(1).cast();
        // SAFETY: in the allocation, this number of items follows the struct.
        unsafe { std::slice::from_raw_parts(first, Self::extra_items_count(this)) }
    }
    /// Return the items as a mutable slice.
    ///
    /// # Safety
    ///
    /// The condition of `extra_items` holds, and no other code uses the object during the borrow.
    unsafe fn extra_items_mut(this: &mut Self) -> &mut [Self::ExtraItem] {
        let count = Self::extra_items_count(this);
        let first = (this as *mut Self).wrapping_add(1).cast();
        // SAFETY: in the allocation, this number of items follows the struct.
        unsafe { std::slice::from_raw_parts_mut(first, count) }
    }
}

// SAFETY: the header is at offset 0, and `ffi.Object` is the root.
unsafe impl ObjectCore for Object {
    const TYPE_KEY: &'static str = "ffi.Object";
    const TYPE_DEPTH: i32 = 0;
    const ANCESTORS: Ancestors = Ancestors::Root;
    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32
    }
    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        &mut this.header
    }
}

/// Implement [`ObjectCore`] for a struct of this crate and a class that the runtime registers with
/// fewer fields or more general ones. The struct must fit the C++ class; its field `base` is an
/// `Object`.
macro_rules! impl_unchecked_mirror {
    ($name:ident, $type_key:literal, $is_final:literal) => {
        unsafe impl $crate::object::ObjectCore for $name {
            const TYPE_KEY: &'static str = $type_key;
            const TYPE_DEPTH: i32 = 1;
            const TYPE_FINAL: bool = $is_final;
            fn type_index() -> i32 {
                static INDEX: $crate::reflection::LazyTypeIndex =
                    $crate::reflection::LazyTypeIndex::new();
                INDEX.look_up($type_key)
            }
            unsafe fn object_header_mut(this: &mut Self) -> &mut $crate::tvm_ffi_sys::TVMFFIObject {
                // SAFETY: the caller meets the conditions of this function.
                unsafe { $crate::object::Object::object_header_mut(&mut this.base) }
            }
        }
    };
}
pub(crate) use impl_unchecked_mirror;

/// Return the information about a type, or `None` if the type index is not registered.
pub(crate) fn type_info(type_index: i32) -> Option<&'static TVMFFITypeInfo> {
    // SAFETY: the function accepts any index; the information lives as long as the process.
    let info = unsafe { TVMFFIGetTypeInfo(type_index).as_ref() };
    if info.is_none() {
        crate::error::discard_raised();
    }
    info
}

/// Return the type key for a type index, for messages.
pub(crate) fn type_key_of(type_index: i32) -> String {
    match type_info(type_index) {
        Some(info) => info.type_key.as_str().to_string(),
        None => format!("<unknown type index {type_index}>"),
    }
}

/// Return whether an object with this type index can be read as a `T`.
#[inline]
pub fn is_instance_of<T: ObjectCore>(object_type_index: i32) -> bool {
    let target = T::readable_type_index();
    object_type_index == target
        || !T::TYPE_FINAL && is_derived(object_type_index, target, T::TYPE_DEPTH)
}

/// Return whether the value is an object that can be read as a `T`.
///
/// # Safety
///
/// The value is valid.
#[doc(hidden)]
#[inline]
pub unsafe fn is_object<T: ObjectCore>(data: &tvm_ffi_sys::TVMFFIAny) -> bool {
    let target = T::readable_type_index();
    // SAFETY: the value is an object if its type index is that of a class.
    unsafe {
        let object = data.data_union.v_obj;
        if data.type_index == target {
            return !T::CHECKS_FIELDS
                || ObjectArc::<T>::is_deleter_of(object)
                || T::is_defined(object.cast());
        }
        !T::TYPE_FINAL
            && is_derived(data.type_index, target, T::TYPE_DEPTH)
            && T::is_defined(object.cast())
            || target == REFUSED && is_own_object::<T>(data)
    }
}

/// The addresses of the descriptions of structs that a check of layouts has reached.
#[doc(hidden)]
pub type Reached = Vec<*const ()>;

/// A number that no object has as its type index.
pub(crate) const REFUSED: i32 = i32::MAX;

/// Return whether the value is a `T` that this crate has created, although the struct does not fit
/// the registered class.
///
/// # Safety
///
/// The value is valid.
#[cold]
unsafe fn is_own_object<T: ObjectCore>(data: &tvm_ffi_sys::TVMFFIAny) -> bool {
    // SAFETY: a value with the type index of a class is a live object.
    cfg!(feature = "compat")
        && data.type_index == T::type_index()
        && unsafe { ObjectArc::<T>::is_deleter_of(data.data_union.v_obj) }
}

/// Whether fields of classes of other libraries are checked.
#[doc(hidden)]
pub const CHECKS_FOREIGN_FIELDS: bool = cfg!(not(feature = "compat"));

/// Return whether the type with the index `index` is the type with the index `target`, which has the
/// depth `depth`, or derives from it.
#[inline]
pub(crate) fn is_derived(index: i32, target: i32, depth: i32) -> bool {
    let first = TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32;
    if index == target {
        return true;
    }
    if index < first || index < target {
        return false;
    }
    if target == first {
        return true;
    }
    match type_info(index) {
        Some(info) if info.type_depth > depth => {
            // SAFETY: the array has `type_depth` entries, which live as long as the process.
            unsafe { (**info.type_acenstors.add(depth as usize)).type_index == target }
        }
        _ => false,
    }
}

/// Functions that take the address of an object header.
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

    /// Add one strong reference.
    ///
    /// # Safety
    ///
    /// `handle` is the address of a live object. The caller holds a strong reference to the object.
    #[inline]
    pub unsafe fn inc_ref(handle: *mut TVMFFIObject) {
        // SAFETY: the object is alive; only its atomic count is touched.
        let count = unsafe { &(*handle).combined_ref_count };
        count.fetch_add(COMBINED_REF_COUNT_STRONG_ONE, Ordering::Relaxed);
    }

    /// Release one strong reference. If it was the last reference, free the object.
    ///
    /// # Safety
    ///
    /// The caller owns the reference, and does not use it afterwards.
    #[inline]
    pub unsafe fn dec_ref(handle: *mut TVMFFIObject) {
        // SAFETY: the object is alive until its last reference is released.
        let old = unsafe {
            (*handle)
                .combined_ref_count
                .fetch_sub(COMBINED_REF_COUNT_STRONG_ONE, Ordering::Release)
        };
        if old == COMBINED_REF_COUNT_BOTH_ONE {
            fence(Ordering::Acquire);
            // SAFETY: there is no other reference to the object.
            unsafe { delete(handle, BOTH) };
        } else if old & COMBINED_REF_COUNT_MASK_U32 == COMBINED_REF_COUNT_STRONG_ONE {
            fence(Ordering::Acquire);
            // SAFETY: this was the last strong reference, so no other code can reach the value.
            // This thread still holds the weak reference that all strong references share, so the
            // header stays valid.
            unsafe {
                delete(handle, STRONG);
                dec_weak(handle);
            }
        }
    }

    /// Add one weak reference.
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

    /// Release one weak reference.
    ///
    /// # Safety
    ///
    /// The caller owns the reference, and does not use it afterwards.
    pub unsafe fn dec_weak(handle: *mut TVMFFIObject) {
        // SAFETY: the memory is alive until the last weak reference is released.
        let old = unsafe {
            (*handle)
                .combined_ref_count
                .fetch_sub(COMBINED_REF_COUNT_WEAK_ONE, Ordering::Release)
        };
        if old == COMBINED_REF_COUNT_WEAK_ONE {
            fence(Ordering::Acquire);
            // SAFETY: there is no other reference to the memory.
            unsafe { delete(handle, WEAK) };
        }
    }

    /// Add a strong reference if the object is still alive; otherwise return false.
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
        // SAFETY: the creator of the object has set the deleter, which gets the address of the
        // header.
        unsafe {
            if let Some(deleter) = (*handle).deleter {
                deleter(handle.cast(), flags);
            }
        }
    }
}

/// Write the object of `reference` to `data` as a borrowed value.
#[doc(hidden)]
#[inline]
pub fn write_object<T: ObjectCore>(reference: &ObjectArc<T>, data: &mut tvm_ffi_sys::TVMFFIAny) {
    // The upper half of the payload must be zero on systems with 32-bit addresses.
    *data = tvm_ffi_sys::TVMFFIAny::new();
    data.type_index = ObjectArc::dynamic_type_index(reference);
    data.data_union.v_obj = ObjectArc::as_header(reference);
}

/// Return a new reference to the object of a value.
///
/// # Safety
///
/// The value is a live object of type `T`.
#[doc(hidden)]
#[inline]
pub unsafe fn copy_object<T: ObjectCore>(data: &tvm_ffi_sys::TVMFFIAny) -> ObjectArc<T> {
    // SAFETY: the caller guarantees that the object is valid.
    unsafe {
        let object = data.data_union.v_obj;
        unsafe_::inc_ref(object);
        ObjectArc::from_raw(object.cast())
    }
}
