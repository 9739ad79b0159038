// SPDX-License-Identifier: Apache-2.0
//! [`ObjectArc`]: a pointer to an object struct; the pointer owns a strong reference.

use std::alloc::{alloc, dealloc, handle_alloc_error, Layout};
use std::ops::Deref;
use std::os::raw::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIObject, TVMFFIObjectDeleter, TVMFFIObjectDeleterFlagBitMask,
    COMBINED_REF_COUNT_BOTH_ONE, COMBINED_REF_COUNT_MASK_U32,
};

use super::release::destroy_nested;
use super::{unsafe_, ObjectCore, ObjectCoreWithExtraItems, ObjectWeak};
use crate::any::AnyView;

const STRONG: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskStrong as i32;
const WEAK: i32 = TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskWeak as i32;
/// Offset of the word after the header. After the value is dropped, this word stores the number of
/// extra items, which is needed to free the memory.
const COUNT_OFFSET: usize = std::mem::size_of::<TVMFFIObject>();
const LEAST_SIZE: usize = COUNT_OFFSET + std::mem::size_of::<usize>();

/// A strong reference to an object. The last reference frees the object.
///
/// The pointer is neither `Send` nor `Sync`, because the object may have a derived type that is
/// bound to a thread. Reference types whose objects threads may share implement `Send` and `Sync`
/// themselves.
#[repr(C)]
pub struct ObjectArc<T: ObjectCore> {
    pub(super) ptr: NonNull<T>,
}

/// Return the memory layout of an object that is followed by `count` items of type `U`.
fn layout_of<T, U>(count: usize) -> Option<Layout> {
    let items = count.checked_mul(std::mem::size_of::<U>())?;
    let size = std::mem::size_of::<T>().checked_add(items)?.max(LEAST_SIZE);
    let align = std::mem::align_of::<T>().max(std::mem::align_of::<TVMFFIObject>());
    Layout::from_size_align(size, align).ok()
}

/// Drop a copy of the value. A destructor can overwrite the header in safe code; it overwrites only
/// that of the copy, and weak references still use the header of the object. A panic of the
/// destructor ends here, because the caller may be C.
pub(crate) unsafe fn drop_value<T: ObjectCore>(object: *mut T) {
    const MOST_ON_STACK: usize = 1024;
    // SAFETY: the caller guarantees that the value is alive and not used again. It starts with a header.
    unsafe {
        if std::mem::size_of::<T>() > MOST_ON_STACK {
            let mut copy = Vec::<T>::with_capacity(1);
            object.copy_to_nonoverlapping(copy.as_mut_ptr(), 1);
            copy.as_mut_ptr()
                .cast::<TVMFFIObject>()
                .write(TVMFFIObject::new());
            copy.set_len(1);
            crate::panics::ignore(|| drop(copy));
        } else {
            let mut copy = object.read();
            std::ptr::addr_of_mut!(copy)
                .cast::<TVMFFIObject>()
                .write(TVMFFIObject::new());
            crate::panics::ignore(|| drop(copy));
        }
    }
}

unsafe extern "C" fn delete_plain<T: ObjectCore>(this: *mut c_void, flags: i32) {
    if !std::mem::needs_drop::<T>() {
        // SAFETY: the called function has the same conditions, and the caller meets them. The value
        // has no destructor, so destructors cannot nest.
        return unsafe { destroy_plain::<T>(this, flags) };
    }
    // SAFETY: the caller meets the conditions of a deleter. If the flags do not contain `WEAK`, the
    // caller holds the weak reference that all strong references share.
    unsafe { destroy_nested(this, flags, flags & WEAK != 0, destroy_plain::<T>) };
}

unsafe extern "C" fn delete_with_items<T: ObjectCoreWithExtraItems>(this: *mut c_void, flags: i32) {
    if !std::mem::needs_drop::<T>() {
        // SAFETY: the called function has the same conditions, and the caller meets them. The value
        // has no destructor, so destructors cannot nest.
        return unsafe { destroy_with_items::<T>(this, flags) };
    }
    // SAFETY: the reason is the same as in `delete_plain`.
    unsafe { destroy_nested(this, flags, flags & WEAK != 0, destroy_with_items::<T>) };
}

unsafe fn destroy_plain<T: ObjectCore>(this: *mut c_void, flags: i32) {
    let object = this.cast::<T>();
    // SAFETY: the runtime calls the deleter once per flag, first with `STRONG`. `allocate` has
    // allocated the memory with the layout that `dealloc` gets.
    unsafe {
        if flags & STRONG != 0 && std::mem::needs_drop::<T>() {
            drop_value(object);
        }
        if flags & WEAK != 0 {
            if let Some(layout) = layout_of::<T, ()>(0) {
                dealloc(this.cast(), layout);
            }
        }
    }
}

unsafe fn destroy_with_items<T: ObjectCoreWithExtraItems>(this: *mut c_void, flags: i32) {
    let object = this.cast::<T>();
    let stored = this.wrapping_byte_add(COUNT_OFFSET).cast::<usize>();
    // SAFETY: the runtime calls the deleter once with `STRONG`, and then once with `WEAK`. When the
    // value has been dropped, the word after the header is unused, so it can store the item count.
    unsafe {
        if flags & STRONG != 0 {
            let count = T::extra_items_count(&*object);
            crate::panics::ignore(|| object.drop_in_place());
            stored.write(count);
        }
        if flags & WEAK != 0 {
            if let Some(layout) = layout_of::<T, T::ExtraItem>(stored.read()) {
                dealloc(this.cast(), layout);
            }
        }
    }
}

/// Move a value into new memory and set its header. The memory after the value is not initialised.
///
/// Zeroed memory would cost 40 ns more with glibc, because `calloc` does not use the thread-local
/// cache of free memory.
#[inline]
fn allocate<T: ObjectCore>(value: T, layout: Layout, deleter: TVMFFIObjectDeleter) -> NonNull<T> {
    let type_index = T::creatable_type_index();
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc(layout) };
    let Some(object) = NonNull::new(memory.cast::<T>()) else {
        handle_alloc_error(layout)
    };
    // SAFETY: the memory is new, large enough and aligned; the header is at offset 0.
    unsafe {
        object.as_ptr().write(value);
        object.cast::<TVMFFIObject>().as_ptr().write(TVMFFIObject {
            combined_ref_count: AtomicU64::new(COMBINED_REF_COUNT_BOTH_ONE),
            type_index,
            deleter: Some(deleter),
            ..TVMFFIObject::new()
        });
    }
    object
}

impl<T: ObjectCore> ObjectArc<T> {
    /// Move a value into a new object.
    #[inline]
    pub fn new(value: T) -> Self {
        let Some(layout) = layout_of::<T, ()>(0) else {
            unreachable!("the type has a layout")
        };
        ObjectArc {
            ptr: allocate(value, layout, delete_plain::<T>),
        }
    }

    /// Move a value into a new object that is followed by items. The items are initialised with
    /// zero bytes.
    ///
    /// # Panics
    ///
    /// Panics if the items need more memory than a pointer can address, as `Vec` does.
    pub fn new_with_extra_items<U>(value: T) -> Self
    where
        T: ObjectCoreWithExtraItems<ExtraItem = U>,
    {
        const {
            assert!(std::mem::align_of::<T>() % std::mem::align_of::<U>() == 0);
            assert!(std::mem::size_of::<T>() % std::mem::align_of::<U>() == 0);
        }
        let count = T::extra_items_count(&value);
        let object = Self::new_with_raw_items(value);
        // SAFETY: the object is new, and `count` items follow its struct.
        unsafe { object.ptr.as_ptr().add(1).cast::<U>().write_bytes(0, count) };
        object
    }

    /// Do the same as `new_with_extra_items`, but do not initialise the items. The caller must
    /// write them.
    #[inline]
    pub(crate) fn new_with_raw_items(value: T) -> Self
    where
        T: ObjectCoreWithExtraItems,
    {
        let count = T::extra_items_count(&value);
        let layout = layout_of::<T, T::ExtraItem>(count).expect("capacity overflow");
        ObjectArc {
            ptr: allocate(value, layout, delete_with_items::<T>),
        }
    }

    /// Return whether [`ObjectArc::new`] has created the object.
    ///
    /// # Safety
    ///
    /// The object is alive.
    pub(crate) unsafe fn is_deleter_of(object: *const TVMFFIObject) -> bool {
        let own: TVMFFIObjectDeleter = delete_plain::<T>;
        // SAFETY: the caller guarantees that the object is alive.
        unsafe { (*object).deleter }.is_some_and(|deleter| deleter as usize == own as usize)
    }

    /// Take ownership of one strong reference.
    ///
    /// # Safety
    ///
    /// `ptr` is the address of a live `T`, and the caller owns the reference.
    #[inline]
    pub unsafe fn from_raw(ptr: *const T) -> Self {
        // SAFETY: the address of a live object is not null.
        ObjectArc {
            ptr: unsafe { NonNull::new_unchecked(ptr.cast_mut()) },
        }
    }

    /// Return the address, and give the strong reference to the caller.
    ///
    /// # Safety
    ///
    /// The caller must release the reference, for example with [`ObjectArc::from_raw`].
    #[inline]
    pub unsafe fn into_raw(this: Self) -> *const T {
        let ptr = this.ptr.as_ptr();
        std::mem::forget(this);
        ptr
    }

    /// Return the address of the object.
    ///
    /// # Safety
    ///
    /// The address is valid as long as there is a strong reference.
    pub unsafe fn as_raw(this: &Self) -> *const T {
        this.ptr.as_ptr()
    }

    /// Return the address of the object as a mutable pointer.
    ///
    /// # Safety
    ///
    /// The address is valid as long as there is a strong reference. Write only if no other code
    /// uses the object.
    pub unsafe fn as_raw_mut(this: &mut Self) -> *mut T {
        this.ptr.as_ptr()
    }

    /// Return the number of strong references.
    pub fn strong_count(this: &Self) -> usize {
        (this.count(Ordering::Relaxed) & COMBINED_REF_COUNT_MASK_U32) as usize
    }

    /// Return the number of weak references. All strong references together count as one weak
    /// reference.
    pub fn weak_count(this: &Self) -> usize {
        (this.count(Ordering::Relaxed) >> 32) as usize
    }

    /// Return a weak reference.
    pub fn downgrade(this: &Self) -> ObjectWeak<T> {
        ObjectWeak::new(this)
    }

    /// Return whether this is the only reference, strong or weak.
    pub fn is_unique(this: &Self) -> bool {
        this.count(Ordering::Acquire) == COMBINED_REF_COUNT_BOTH_ONE
    }

    /// Return a mutable reference to the object if this is the only reference, strong or weak.
    ///
    /// # Safety
    ///
    /// The object must not be replaced as a whole, for example by [`std::mem::swap`], because it
    /// begins with its header and its type may be derived from `T`. Only its fields may be
    /// assigned.
    pub unsafe fn get_mut(this: &mut Self) -> Option<&mut T> {
        if !Self::is_unique(this) {
            return None;
        }
        // SAFETY: there is no other reference, and `this` is borrowed mutably.
        Some(unsafe { this.ptr.as_mut() })
    }

    /// Return whether the field consists of zero bytes instead of a reference.
    ///
    /// # Safety
    ///
    /// `this` is the address of a field that has the size of a pointer.
    #[doc(hidden)]
    pub unsafe fn is_null(this: *const Self) -> bool {
        // SAFETY: the field has the size and alignment of a pointer.
        unsafe { this.cast::<*const c_void>().read().is_null() }
    }

    /// Return the address of the header.
    #[doc(hidden)]
    #[inline]
    pub fn as_header(this: &Self) -> *mut TVMFFIObject {
        this.ptr.as_ptr().cast()
    }

    /// Return the type index of the object.
    #[doc(hidden)]
    #[inline]
    pub fn dynamic_type_index(this: &Self) -> i32 {
        // SAFETY: the object is alive, and its type index does not change.
        unsafe { (*Self::as_header(this)).type_index }
    }

    fn count(&self, order: Ordering) -> u64 {
        // SAFETY: the object is alive; only its atomic count is read.
        unsafe { (*Self::as_header(self)).combined_ref_count.load(order) }
    }
}

impl<T: ObjectCore> Deref for ObjectArc<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the reference keeps the object alive.
        unsafe { self.ptr.as_ref() }
    }
}

/// Mutable access is not sound if other code uses the object at the same time, or if the object is
/// replaced as a whole. Use [`ObjectArc::get_mut`], which checks that there is no other reference.
#[cfg(feature = "compat")]
impl<T: ObjectCore> std::ops::DerefMut for ObjectArc<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the reference keeps the object alive. Users of the feature `compat` guarantee
        // that no other code uses the object.
        unsafe { self.ptr.as_mut() }
    }
}

impl<T: ObjectCore> Clone for ObjectArc<T> {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: `self` is a strong reference.
        unsafe { unsafe_::inc_ref(Self::as_header(self)) };
        ObjectArc { ptr: self.ptr }
    }
}

impl<T: ObjectCore> Drop for ObjectArc<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `self` is a strong reference, and is not used again.
        unsafe { unsafe_::dec_ref(Self::as_header(self)) };
    }
}

/// Write the text of Python's `repr`.
impl<T: ObjectCore> std::fmt::Debug for ObjectArc<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut value = TVMFFIAny::new();
        super::write_object(self, &mut value);
        // SAFETY: the value is an object, and this reference keeps it alive.
        unsafe { AnyView::from_raw_ffi_any(value) }.fmt(f)
    }
}
