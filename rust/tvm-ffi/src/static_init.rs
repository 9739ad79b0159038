// SPDX-License-Identifier: Apache-2.0
//! Blocks of code that run when the binary (a library or a program) is loaded.

use std::ffi::CString;
use std::os::raw::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, INTERNAL_ERROR};
use crate::function::Function;
use crate::reentrant::ReentrantLock;

mod pin;

/// A lock that a thread holds while it runs a block. The lock is reentrant, because the code of a
/// block may run the other blocks.
static RUN: ReentrantLock = ReentrantLock::new();

/// The blocks of this binary.
#[doc(hidden)]
pub static STATIC_INIT_BLOCKS: StaticInitBlocks = StaticInitBlocks {
    first: AtomicPtr::new(std::ptr::null_mut()),
};

/// Run a block of code when the binary is loaded, before `main` and before `load_module` returns.
///
/// The block is the body of a function that returns `Result<()>`; `Ok(())` at its end may be left
/// out. The blocks of a binary run in the order of their module path and line (on Apple systems in the order
/// of linking). Each block runs once per process. If a block fails while `load_module` loads the
/// library, `load_module` fails with the error of the block. If a block fails at another time, the
/// error is stored, and
/// [`run_static_init_blocks`](crate::static_init::run_static_init_blocks) returns the error.
///
/// The blocks of a library crate run in each program that uses the crate. A program that needs only
/// the blocks can use the crate with `use my_library as _;`.
///
/// ```
/// use tvm_ffi::{static_init_block, Function};
///
/// static_init_block! {
///     Function::register_global_typed("my_library.add_one", |x: i64| Ok(x + 1), "Add one.")
/// }
///
/// # fn main() {
/// assert!(Function::get_global("my_library.add_one").is_ok());
/// # }
/// ```
#[macro_export]
macro_rules! static_init_block {
    ($($body:tt)*) => {
        const _: () = {
            #[allow(unknown_lints, dependency_on_unit_never_type_fallback)]
            #[allow(unreachable_code, clippy::let_unit_value, clippy::diverging_sub_expression)]
            fn __body() -> $crate::error::Result<()> {
                let result = { $($body)* };
                $crate::static_init::InitResult::into_result(result)
            }
            static __BLOCK: $crate::static_init::StaticInitBlock =
                $crate::static_init::StaticInitBlock::__new(
                    ::core::module_path!(),
                    ::core::line!(),
                    match ::core::option_env!("CARGO_PKG_VERSION") {
                        ::core::option::Option::Some(version) => version,
                        ::core::option::Option::None => "",
                    },
                    ::core::stringify!($($body)*),
                    __body,
                );
            extern "C" fn __link() {
                $crate::static_init::STATIC_INIT_BLOCKS.link(&__BLOCK);
            }
            extern "C" fn __run() {
                $crate::static_init::STATIC_INIT_BLOCKS.link(&__BLOCK);
                $crate::static_init::run_at_load();
            }
            // The section of `__LINK` has a priority, so the loader runs all `__link` functions before
            // the first `__run` function. Apple systems do not have such a section.
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCT")]
            #[cfg_attr(
                not(any(windows, target_vendor = "apple")),
                link_section = ".init_array.00200"
            )]
            static __LINK: extern "C" fn() = __link;
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCU")]
            #[cfg_attr(target_vendor = "apple", link_section = "__DATA,__mod_init_func")]
            #[cfg_attr(not(any(windows, target_vendor = "apple")), link_section = ".init_array")]
            static __RUN: extern "C" fn() = __run;
        };
    };
}

/// A type that a block may return.
#[doc(hidden)]
pub trait InitResult {
    /// Convert to a result.
    fn into_result(self) -> Result<()>;
}

impl InitResult for () {
    fn into_result(self) -> Result<()> {
        Ok(())
    }
}

impl InitResult for Result<()> {
    fn into_result(self) -> Result<()> {
        self
    }
}

/// Gives a name to the type `!`, which stable Rust cannot name. Blocks that always panic return
/// `!`.
#[doc(hidden)]
pub trait Returns {
    /// The return type of the function.
    type Output;
}

impl<T> Returns for fn() -> T {
    type Output = T;
}

impl InitResult for <fn() -> ! as Returns>::Output {
    fn into_result(self) -> Result<()> {
        self
    }
}

enum State {
    New,
    Running,
    Done,
    /// The error that the initialization block returned, and whether a caller has received it.
    Failed {
        error: Error,
        is_reported: bool,
    },
}

/// A static init block and its state.
#[doc(hidden)]
pub struct StaticInitBlock {
    module: &'static str,
    line: u32,
    version: &'static str,
    text_hash: u64,
    body: fn() -> Result<()>,
    state: Mutex<State>,
    next: AtomicPtr<StaticInitBlock>,
}

impl StaticInitBlock {
    /// Create the description of a block.
    pub const fn __new(
        module: &'static str,
        line: u32,
        version: &'static str,
        text: &str,
        body: fn() -> Result<()>,
    ) -> Self {
        StaticInitBlock {
            module,
            line,
            version,
            text_hash: hash_of(text),
            body,
            state: Mutex::new(State::New),
            next: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Return the identity of the block, `MODULE:LINE@CRATEVERSION#HASH16`.
    pub fn identity(&self) -> String {
        format!("{}@{}#{:016x}", self.place(), self.version, self.text_hash)
    }

    /// Return the name of the global function whose existence says that the block has run.
    pub fn marker(&self) -> String {
        format!("ffi.static_init_block.{}", self.identity())
    }

    /// Run the block, unless it has already run in this process.
    ///
    /// # Errors
    ///
    /// The first call after a failure returns the error of the block. Later calls return an
    /// `InternalError` with the text of that error.
    pub fn run(&self) -> Result<()> {
        self.run_once();
        match &mut *self.state() {
            State::Failed { error, is_reported } if *is_reported => {
                let error = text_of(error);
                let message = format!("The static init block at {} failed: {error}", self.place());
                Err(Error::new(INTERNAL_ERROR, &message, ""))
            }
            State::Failed { error, is_reported } => {
                *is_reported = true;
                Err(error.clone())
            }
            State::New | State::Running | State::Done => Ok(()),
        }
    }

    /// Run the block if it has not run yet, and store its error.
    fn run_once(&self) {
        let _guard = RUN.lock();
        if !matches!(*self.state(), State::New) {
            return;
        }
        *self.state() = State::Running;
        let result = self.run_unless_marked();
        *self.state() = match result {
            Ok(()) => State::Done,
            Err(error) => State::Failed {
                error,
                is_reported: false,
            },
        };
    }

    fn run_unless_marked(&self) -> Result<()> {
        let marker = self.marker();
        if Function::get_global(&marker).is_ok() {
            return Ok(());
        }
        {
            crate::panics::record_places();
            crate::panics::catch(self.body)?
        };
        Function::register_global(&marker, Function::from_packed(|_| Ok(Any::new())))
    }

    /// Return the error of the block if no caller has received it yet.
    fn kept_error(&self) -> Option<Error> {
        match &*self.state() {
            State::Failed {
                error,
                is_reported: false,
            } => Some(error.clone()),
            _ => None,
        }
    }

    /// Return the address of the block's code.
    fn address(&self) -> *mut c_void {
        self.body as *mut c_void
    }

    fn place(&self) -> String {
        format!("{}:{}", self.module, self.line)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Return the text `KIND: MESSAGE`.
fn text_of(error: &Error) -> String {
    format!("{}: {}", error.kind(), error.message())
}

/// Return the FNV-1a hash of a text, ignoring white space.
const fn hash_of(text: &str) -> u64 {
    let (bytes, mut hash, mut i) = (text.as_bytes(), 0xcbf2_9ce4_8422_2325, 0);
    while i < bytes.len() {
        if !bytes[i].is_ascii_whitespace() {
            hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
        i += 1;
    }
    hash
}

/// A list of blocks. Each block is added while the binary is loaded.
#[doc(hidden)]
pub struct StaticInitBlocks {
    first: AtomicPtr<StaticInitBlock>,
}

impl StaticInitBlocks {
    /// Add a block, unless it is already in the list.
    pub fn link(&self, block: &'static StaticInitBlock) {
        if self.linked().any(|known| std::ptr::eq(known, block)) {
            return;
        }
        let address = std::ptr::from_ref(block).cast_mut();
        let mut first = self.first.load(Ordering::Acquire);
        loop {
            block.next.store(first, Ordering::Release);
            let swap =
                self.first
                    .compare_exchange(first, address, Ordering::AcqRel, Ordering::Acquire);
            match swap {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// Return the blocks in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = &'static StaticInitBlock> {
        let mut blocks: Vec<_> = self.linked().collect();
        blocks.sort_by_key(|block| (block.module, block.line));
        blocks.into_iter()
    }

    /// Return the blocks; the block that was added last is first.
    fn linked(&self) -> impl Iterator<Item = &'static StaticInitBlock> {
        // SAFETY: the blocks of the list live as long as the process.
        let at = |place: &AtomicPtr<StaticInitBlock>| unsafe {
            place.load(Ordering::Acquire).as_ref::<'static>()
        };
        std::iter::successors(at(&self.first), move |block| at(&block.next))
    }
}

/// Run all blocks that have been added so far, or let the runtime run them after the dynamic linker
/// has returned. The constructors of the binary call this function.
#[doc(hidden)]
pub fn run_at_load() {
    // A panic must not reach the dynamic loader. `run_once` catches the panics of blocks; `ignore`
    // catches all others.
    crate::panics::ignore(|| {
        let Some(first) = STATIC_INIT_BLOCKS.iter().next() else {
            return;
        };
        let run: extern "C" fn(*mut c_void) = run_deferred;
        if !begin_at_loader(first, run as *mut c_void) {
            run_deferred(std::ptr::null_mut());
        }
    });
}

/// Run all blocks that have been added so far.
extern "C" fn run_deferred(_: *mut c_void) {
    crate::panics::ignore(|| {
        let mut is_taken = false;
        for block in STATIC_INIT_BLOCKS.iter() {
            if begin_at_loader(block, std::ptr::null_mut()) {
                return;
            }
            block.run_once();
            if let Some(error) = block.kept_error() {
                let address = block.address();
                let arguments = [AnyView::from(&error), AnyView::from(&address)];
                is_taken |= ask_runtime("ffi.StaticInitFailed", &arguments);
            }
        }
        // If the runtime has taken the error of a block, the call that loads this library fails. In
        // this case, do not keep the library loaded, so that it can be loaded again.
        if !is_taken {
            pin::keep_library_loaded();
        }
    });
}

/// Report the start of a block to the runtime, which may be loading this library. Return whether
/// the load has already failed because of an earlier block, or the runtime will call `run`.
fn begin_at_loader(block: &StaticInitBlock, run: *mut c_void) -> bool {
    let address = block.address();
    let line = i64::from(block.line);
    let Ok(module) = CString::new(block.module) else {
        return false;
    };
    let mut place = TVMFFIAny::new();
    place.type_index = TVMFFITypeIndex::kTVMFFIRawStr as i32;
    place.data_union.v_c_str = module.as_ptr();
    // SAFETY: the text lives until the call has ended.
    let place = unsafe { AnyView::from_raw_ffi_any(place) };
    let arguments = [
        AnyView::from(&address),
        place,
        AnyView::from(&line),
        AnyView::from(&run),
    ];
    ask_runtime("ffi.StaticInitBegin", &arguments)
}

/// Call a global function of the runtime that returns a `bool`. Return false if the call fails.
fn ask_runtime(name: &str, arguments: &[AnyView<'_>]) -> bool {
    let answer = Function::get_global(name).and_then(|function| function.call_packed(arguments));
    answer.is_ok_and(|answer| answer.try_as::<bool>() == Some(true))
}

/// Run the blocks of this binary that have not run yet. Return errors of blocks, including blocks
/// that failed when the binary was loaded.
///
/// # Errors
///
/// The error of the block if one block has failed; an `InternalError` that lists all errors if
/// several blocks have failed.
pub fn run_static_init_blocks() -> Result<()> {
    let mut failures: Vec<(&StaticInitBlock, Error)> = STATIC_INIT_BLOCKS
        .iter()
        .filter_map(|block| block.run().err().map(|error| (block, error)))
        .collect();
    match failures.len() {
        0 => Ok(()),
        1 => Err(failures.remove(0).1),
        count => {
            let mut message = format!("{count} static init blocks failed:");
            for (block, error) in &failures {
                let text = match &*block.state() {
                    State::Failed { error, .. } => text_of(error),
                    State::New | State::Running | State::Done => text_of(error),
                };
                message.push_str(&format!("\n  {}: {text}", block.place()));
            }
            Err(Error::new(INTERNAL_ERROR, &message, ""))
        }
    }
}
