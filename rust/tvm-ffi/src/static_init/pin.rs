// SPDX-License-Identifier: Apache-2.0
//! Keeping the library that contains this code loaded.

/// Keep the library loaded until the process ends: what its blocks have registered is code of it.
/// Where the system refuses, nothing changes.
#[cfg(unix)]
pub(super) fn keep_library_loaded() {
    use std::os::raw::{c_char, c_int, c_void};

    #[repr(C)]
    struct DlInfo {
        file_name: *const c_char,
        file_base: *mut c_void,
        symbol_name: *const c_char,
        symbol_address: *mut c_void,
    }
    extern "C" {
        fn dladdr(address: *const c_void, info: *mut DlInfo) -> c_int;
        fn dlopen(file_name: *const c_char, flags: c_int) -> *mut c_void;
    }
    const NOW: c_int = 2;
    #[cfg(target_vendor = "apple")]
    const NO_LOAD_NO_DELETE: c_int = 0x10 | 0x80;
    #[cfg(not(target_vendor = "apple"))]
    const NO_LOAD_NO_DELETE: c_int = 0x4 | 0x1000;

    let here = keep_library_loaded as *const c_void;
    // SAFETY: `info` is filled in where the result is not zero; the name is that of a loaded file.
    unsafe {
        let mut info: DlInfo = std::mem::zeroed();
        if dladdr(here, &mut info) != 0 && !info.file_name.is_null() {
            dlopen(info.file_name, NOW | NO_LOAD_NO_DELETE);
        }
    }
}

/// Keep the library loaded until the process ends: what its blocks have registered is code of it.
#[cfg(windows)]
pub(super) fn keep_library_loaded() {
    use std::os::raw::{c_int, c_ulong, c_void};

    extern "system" {
        fn GetModuleHandleExW(
            flags: c_ulong,
            address: *const c_void,
            module: *mut *mut c_void,
        ) -> c_int;
    }
    const PIN_FROM_ADDRESS: c_ulong = 0x1 | 0x4;

    let mut module = std::ptr::null_mut();
    // SAFETY: the address is that of code of this module.
    unsafe {
        GetModuleHandleExW(
            PIN_FROM_ADDRESS,
            keep_library_loaded as *const c_void,
            &mut module,
        );
    }
}

/// There are no libraries to keep.
#[cfg(not(any(unix, windows)))]
pub(super) fn keep_library_loaded() {}
