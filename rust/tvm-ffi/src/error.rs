// SPDX-License-Identifier: Apache-2.0
//! Errors that cross languages.

mod foreign;
mod kind;

pub use foreign::WithKind;
pub use kind::*;

use std::borrow::Cow;
use std::os::raw::c_void;
use std::panic::Location;
use std::sync::OnceLock;

use tvm_ffi_sys::{
    TVMFFIAny, TVMFFIBacktraceUpdateMode, TVMFFIByteArray, TVMFFIErrorCell,
    TVMFFIErrorCreateWithCauseAndExtraContext, TVMFFIErrorMoveFromRaised, TVMFFIErrorSetRaised,
    TVMFFIObject, TVMFFIObjectHandle, TVMFFITypeIndex, TVMFFITypeKeyToIndex,
};

use crate::object::{Object, ObjectArc, ObjectCore, ObjectRef, ObjectRefCore};
use crate::type_traits::AnyCompatible;

/// The result of a call that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Content of an error object.
#[repr(C)]
pub struct ErrorObj {
    object: Object,
    cell: TVMFFIErrorCell,
}

// SAFETY: the header is at offset 0; `ffi.Error` derives from `ffi.Object`.
unsafe impl ObjectCore for ErrorObj {
    const TYPE_KEY: &'static str = "ffi.Error";
    const TYPE_DEPTH: i32 = 1;
    fn type_index() -> i32 {
        TVMFFITypeIndex::kTVMFFIError as i32
    }
    unsafe fn object_header_mut(this: &mut Self) -> &mut TVMFFIObject {
        // SAFETY: the called function has the same conditions, and the caller meets them.
        unsafe { Object::object_header_mut(&mut this.object) }
    }
}

/// An error with kind, message and backtrace (`ffi.Error`).
#[repr(C)]
#[derive(Clone)]
pub struct Error {
    data: ObjectArc<ErrorObj>,
}

crate::impl_object_ref!(Error, ErrorObj);

// SAFETY: reference counts are atomic, and the texts change only through a unique reference. The
// extra context, which may be any object, is returned only as an `ObjectRef`, which is not `Send`.
unsafe impl Send for Error {}
// SAFETY: reference counts are atomic, and the texts change only through a unique reference. The
// extra context, which may be any object, is returned only as an `ObjectRef`, which is not `Send`.
unsafe impl Sync for Error {}

impl Error {
    /// Create an error. Each line of `traceback` is `  File "F", line N, in G`; the most recent
    /// call is first.
    pub fn new(kind: ErrorKind<'_>, message: &str, traceback: &str) -> Self {
        Self::new_with_cause_and_extra_context(kind, message, traceback, None, None)
    }

    /// Create an error with a cause (the error that led to it) and an extra context (any object).
    pub fn new_with_cause_and_extra_context(
        kind: ErrorKind<'_>,
        message: &str,
        traceback: &str,
        cause_chain: Option<&Error>,
        extra_context: Option<&ObjectRef>,
    ) -> Self {
        let cause = cause_chain.map_or(std::ptr::null_mut(), handle_of);
        let context = extra_context.map_or(std::ptr::null_mut(), handle_of);
        let mut result: TVMFFIObjectHandle = std::ptr::null_mut();
        // SAFETY: the texts are copied during the call; the result is an owned error.
        unsafe {
            let status = TVMFFIErrorCreateWithCauseAndExtraContext(
                &TVMFFIByteArray::from_str(kind.as_str()),
                &TVMFFIByteArray::from_str(message),
                &TVMFFIByteArray::from_str(traceback),
                cause,
                context,
                &mut result,
            );
            if status != 0 || result.is_null() {
                std::alloc::handle_alloc_error(std::alloc::Layout::new::<ErrorObj>());
            }
            Self::from_handle(result)
        }
    }

    /// Create an error about a call of this crate. If the functions of this crate that are called
    /// have `#[track_caller]`, the backtrace has the place of the call.
    #[cold]
    #[track_caller]
    pub(crate) fn at_caller(kind: ErrorKind<'_>, message: &str) -> Self {
        Self::new(kind, message, &line_of(Location::caller(), "<rust>"))
    }

    /// Create an error like [`Error::at_caller`], and mark it: see [`Error::marked`].
    #[cold]
    #[track_caller]
    pub(crate) fn of_crate(kind: ErrorKind<'_>, message: &str) -> Self {
        Self::at_caller(kind, message).marked()
    }

    /// Mark an error whose message this crate has made like errors of the runtime library. Language
    /// bindings translate messages such as `Cannot convert from type ..` and `.. when calling: ..`
    /// only if the error has this mark.
    pub(crate) fn marked(self) -> Self {
        static MARKED: OnceLock<Error> = OnceLock::new();
        let marked = MARKED.get_or_init(|| {
            let mut index = 0;
            // SAFETY: the text and the result live during the call, which fails: no type has an
            // empty key.
            unsafe { TVMFFITypeKeyToIndex(&TVMFFIByteArray::from_str(""), &mut index) };
            Error::from_raised()
        });
        self.marked_like(marked)
    }

    /// Mark this error if `origin`, whose text it repeats, is marked; see [`Error::marked`]. The
    /// mark is a function `update_backtrace` of its own, for errors with the deleter of the runtime.
    pub(crate) fn marked_like(mut self, origin: &Error) -> Self {
        // SAFETY: both errors are alive.
        let deleter = |error: &Error| unsafe { (*ObjectArc::as_header(&error.data)).deleter };
        if deleter(&self).map(|f| f as usize) == deleter(origin).map(|f| f as usize) {
            // SAFETY: the code only assigns a member of the error, and errors with the same deleter
            // have the same layout.
            if let Some(error) = unsafe { ObjectArc::get_mut(&mut self.data) } {
                error.cell.update_backtrace = origin.data.cell.update_backtrace;
            }
        }
        self
    }

    /// Return an error with another kind and message, and with the backtrace and the mark of this
    /// error.
    pub(crate) fn reworded(&self, kind: ErrorKind<'_>, message: &str) -> Self {
        Error::new(kind, message, &self.backtrace_lossy()).marked_like(self)
    }

    /// Return the error in the error slot of this thread, where a failed call of the C ABI put it,
    /// and empty the slot.
    pub fn from_raised() -> Self {
        let mut handle: TVMFFIObjectHandle = std::ptr::null_mut();
        // SAFETY: the result is null or an owned error.
        unsafe {
            TVMFFIErrorMoveFromRaised(&mut handle);
            if handle.is_null() {
                return Error::new(
                    INTERNAL_ERROR,
                    "A call reported a failure, but no error was raised",
                    "",
                );
            }
            Self::from_handle(handle)
        }
    }

    /// Put the error into the error slot of this thread, as C functions do before they return -1.
    /// The slot gets its own reference to the error. The function does not panic.
    pub fn set_raised(error: &Error) {
        // SAFETY: the handle belongs to a live error.
        unsafe { TVMFFIErrorSetRaised(handle_of(error)) };
    }

    unsafe fn from_handle(handle: TVMFFIObjectHandle) -> Self {
        // SAFETY: the caller owns a reference to an error.
        Error {
            data: unsafe { ObjectArc::from_raw(handle.cast::<ErrorObj>()) },
        }
    }

    /// Return the kind, for example `ValueError`.
    pub fn kind(&self) -> ErrorKind<'_> {
        ErrorKind::new(self.data.cell.kind.as_str())
    }

    /// Return the message, up to the first byte that is not UTF-8; see [`Error::message_lossy`].
    pub fn message(&self) -> &str {
        self.data.cell.message.as_str()
    }

    /// Return the message, with bytes that are not UTF-8 replaced.
    pub fn message_lossy(&self) -> Cow<'_, str> {
        lossy(&self.data.cell.message)
    }

    /// Return the backtrace, up to the first byte that is not UTF-8. The most recent call is first.
    ///
    /// This is not sound: other code that has the error may replace the text while it is borrowed,
    /// for example `Error::UpdateBacktrace` in C++. Use [`Error::backtrace_lossy`].
    #[cfg(feature = "compat")]
    pub fn backtrace(&self) -> &str {
        self.data.cell.backtrace.as_str()
    }

    /// Return a copy of the backtrace, with bytes that are not UTF-8 replaced. The most recent call
    /// is first.
    ///
    /// ```
    /// let error = tvm_ffi::Error::new(tvm_ffi::VALUE_ERROR, "bad", "  File \"a\", line 1, in f\n");
    /// let backtrace: String = error.backtrace_lossy();
    /// assert_eq!(backtrace.lines().count(), 1);
    /// ```
    pub fn backtrace_lossy(&self) -> String {
        lossy(&self.data.cell.backtrace).into_owned()
    }

    /// Return the backtrace in the order of Python: the most recent call is last.
    pub fn traceback_most_recent_call_last(&self) -> String {
        let text = lossy(&self.data.cell.backtrace);
        text.lines().rev().flat_map(|line| [line, "\n"]).collect()
    }

    /// Return the cause: the error that led to this error.
    pub fn cause_chain(&self) -> Option<Error> {
        self.cause().cloned()
    }

    /// Return whether the cell has the members `cause_chain` and `extra_context`. If the result is
    /// false, do not access these members.
    ///
    /// Errors of C++ headers up to 0.1.7 have a `std::string` with the kind in place of the two
    /// members. In such an error, the first member is the address of the kind's text, or the text
    /// is inside the two members (some standard libraries store short strings so).
    fn has_links(&self) -> bool {
        let cell = &self.data.cell;
        let kind = cell.kind.data as usize;
        let begin = std::ptr::addr_of!(cell.cause_chain) as usize;
        let size = 2 * std::mem::size_of::<TVMFFIObjectHandle>();
        kind == 0 || (cell.cause_chain as usize != kind && kind.wrapping_sub(begin) >= size)
    }

    fn cause(&self) -> Option<&Error> {
        if !self.has_links() {
            return None;
        }
        let handle: &*mut c_void = &self.data.cell.cause_chain;
        if handle.is_null() {
            return None;
        }
        // SAFETY: the cell owns a reference to an error, and `Error` is one pointer.
        Some(unsafe { &*(handle as *const *mut c_void).cast::<Error>() })
    }

    /// Return the extra context of the error.
    pub fn extra_context(&self) -> Option<ObjectRef> {
        if !self.has_links() {
            return None;
        }
        let handle: &*mut c_void = &self.data.cell.extra_context;
        if handle.is_null() {
            return None;
        }
        // SAFETY: the cell owns a reference to an object, and `ObjectRef` is one pointer.
        Some(unsafe { &*(handle as *const *mut c_void).cast::<ObjectRef>() }.clone())
    }

    /// Return the error with another extra context. If there is no other reference and the object
    /// has the member for the context, change and return the same object; otherwise return a copy.
    pub(crate) fn with_extra_context(mut this: Self, context: ObjectRef) -> Self {
        let has_links = this.has_links();
        // SAFETY: the code only assigns a member of the error.
        let unique = unsafe { ObjectArc::get_mut(&mut this.data) };
        if let Some(error) = unique.filter(|_| has_links) {
            // SAFETY: the cell owns a reference to the former context, or the member is null.
            unsafe {
                let raw = ObjectArc::into_raw(ObjectRef::into_data(context));
                let former = std::mem::replace(
                    &mut error.cell.extra_context,
                    raw.cast_mut().cast::<c_void>(),
                );
                if !former.is_null() {
                    drop(ObjectArc::from_raw(former.cast::<Object>()));
                }
            }
            return this;
        }
        Error::new_with_cause_and_extra_context(
            this.kind(),
            &this.message_lossy(),
            &lossy(&this.data.cell.backtrace),
            this.cause(),
            Some(&context),
        )
        .marked_like(&this)
    }

    /// Return the error with more backtrace lines. If there is no other reference, change and
    /// return the same object; otherwise return a copy.
    pub fn with_appended_backtrace(this: Self, backtrace: &str) -> Self {
        if ObjectArc::is_unique(&this.data) {
            if let Some(update) = this.data.cell.update_backtrace {
                let mode = TVMFFIBacktraceUpdateMode::kTVMFFIBacktraceUpdateModeAppend as i32;
                // SAFETY: there is no other reference to the error; the text is copied during the
                // call.
                unsafe {
                    update(
                        handle_of(&this),
                        &TVMFFIByteArray::from_str(backtrace),
                        mode,
                    )
                };
                return this;
            }
        }
        let traceback = format!("{}{backtrace}", lossy(&this.data.cell.backtrace));
        Error::new_with_cause_and_extra_context(
            this.kind(),
            &this.message_lossy(),
            &traceback,
            this.cause(),
            this.extra_context().as_ref(),
        )
        .marked_like(&this)
    }
}

/// Return the address of the object that `reference` refers to, without a new reference.
fn handle_of<T: ObjectRefCore>(reference: &T) -> TVMFFIObjectHandle {
    ObjectArc::as_header(T::data(reference)).cast()
}

fn lossy(text: &TVMFFIByteArray) -> Cow<'_, str> {
    // SAFETY: the error owns the bytes, which live as long as the borrow.
    std::string::String::from_utf8_lossy(unsafe { text.as_bytes() })
}

/// Discard the error in the error slot of this thread, if there is one.
pub(crate) fn discard_raised() {
    let mut handle: TVMFFIObjectHandle = std::ptr::null_mut();
    // SAFETY: the result is null or an owned error.
    unsafe {
        TVMFFIErrorMoveFromRaised(&mut handle);
        if !handle.is_null() {
            drop(Error::from_handle(handle));
        }
    }
}

/// Return the error for a failed conversion of `data` to `T`. In the message, `name` is the name of
/// the type `T`.
#[track_caller]
pub(crate) fn renamed_conversion_error<T: AnyCompatible>(data: &TVMFFIAny, name: &str) -> Error {
    let error = T::conversion_error(data);
    if error.kind() != TYPE_ERROR {
        return out_of_range(&error, name, "").unwrap_or(error);
    }
    let from = T::get_mismatch_type_info(data);
    Error::of_crate(
        TYPE_ERROR,
        &format!("Cannot convert from type `{from}` to `{name}`"),
    )
}

/// If `error` says that a part of a value is out of range, return an error about the whole value.
/// The message of the new error contains `name`, the type of the value, and `place`, the position
/// of the part. Return `None` for other errors.
pub(crate) fn out_of_range(error: &Error, name: &str, place: &str) -> Option<Error> {
    if error.kind() != OVERFLOW_ERROR {
        return None;
    }
    let message = error.message_lossy();
    let (_, reason) = message
        .strip_prefix("Cannot convert to `")?
        .split_once("`: ")?;
    let message = format!("Cannot convert to `{name}`: {place}{reason}");
    Some(error.reworded(OVERFLOW_ERROR, &message))
}

/// Write the text of Python: the causes, the first one first, and the error, each with its traceback.
impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut errors: Vec<&Error> = std::iter::successors(Some(self), |e| e.cause()).collect();
        while let Some(error) = errors.pop() {
            let traceback = error.traceback_most_recent_call_last();
            let (kind, message) = (error.kind(), error.message_lossy());
            let head = "Traceback (most recent call last):\n";
            write!(f, "{head}{traceback}{kind}: {message}")?;
            if !errors.is_empty() {
                let text = "The above exception was the direct cause of the following exception:";
                write!(f, "\n\n{text}\n\n")?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause()
            .map(|cause| cause as &(dyn std::error::Error + 'static))
    }
}

impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

/// Return the path of the function that encloses `here`. `here` is the path of a nested function.
#[doc(hidden)]
pub fn name_of_function(here: &'static str) -> &'static str {
    let mut name = here.strip_suffix("::here").unwrap_or(here);
    while let Some(outer) = name.strip_suffix("::{{closure}}") {
        name = outer;
    }
    name
}

/// Create an error from a formatted message and one backtrace line. The line consists of `place`
/// and `function`.
#[doc(hidden)]
#[cold]
pub fn new_at(
    kind: ErrorKind<'_>,
    message: std::fmt::Arguments<'_>,
    place: &str,
    function: &str,
) -> Error {
    let line = [place, function, "\n"].concat();
    match message.as_str() {
        Some(text) => Error::new(kind, text, &line),
        None => Error::new(kind, &message.to_string(), &line),
    }
}

/// Return the backtrace line for a place. Return "" for a place in this crate or in the standard
/// library, because its path is that of another machine, or of the one that built the program.
pub(crate) fn line_of(place: &Location<'_>, function: &str) -> String {
    let file = place.file();
    let own = file!().strip_suffix("error.rs").unwrap_or_default();
    let is_own = own.len() > "src/".len() && file.starts_with(own);
    if is_own || file.starts_with("/rustc/") || file.contains("/rustlib/src/rust/") {
        return String::new();
    }
    backtrace_line(file, place.line(), function)
}

/// Format one line of a backtrace.
#[doc(hidden)]
pub fn backtrace_line(file: &str, line: u32, function: &str) -> String {
    format!("  File \"{file}\", line {line}, in {function}\n")
}
