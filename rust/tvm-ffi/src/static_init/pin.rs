// SPDX-License-Identifier: Apache-2.0
//! Prevents the library that contains this code from being unloaded.

/// Keep this library loaded until the process ends, because its blocks have registered functions of
/// the library. If the system refuses, the function has no effect.
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
    // SAFETY: `dladdr` fills `info` if its result is not zero; `info` then contains the name of a
    // loaded file.
    unsafe {
        let mut info: DlInfo = std::mem::zeroed();
        if dladdr(here, &mut info) != 0 && !info.file_name.is_null() {
            dlopen(info.file_name, NOW | NO_LOAD_NO_DELETE);
        }
    }
}

/// Keep this library loaded until the process ends, because its blocks have registered functions of
/// the library.
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
    // SAFETY: the address belongs to code of this module.
    unsafe {
        GetModuleHandleExW(
            PIN_FROM_ADDRESS,
            keep_library_loaded as *const c_void,
            &mut module,
        );
    }
}

/// Do nothing: this system has no libraries that can be unloaded.
#[cfg(not(any(unix, windows)))]
pub(super) fn keep_library_loaded() {}
