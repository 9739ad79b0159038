// SPDX-License-Identifier: Apache-2.0
//! Blocks of code that run when the binary is loaded.

use std::ffi::CString;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tvm_ffi_sys::{TVMFFIAny, TVMFFITypeIndex};

use crate::any::{Any, AnyView};
use crate::error::{Error, Result, INTERNAL_ERROR};
use crate::function::Function;
use crate::reentrant::ReentrantLock;

mod pin;

/// Serializes the runs of blocks; a block may ask for the others.
static RUN: ReentrantLock = ReentrantLock::new();

/// The blocks of this binary.
#[doc(hidden)]
pub static STATIC_INIT_BLOCKS: StaticInitBlocks = StaticInitBlocks {
    first: AtomicPtr::new(std::ptr::null_mut()),
};

/// Run a block of code when the binary is loaded, before `main` and before `load_module` returns.
///
/// The block is a function body that returns `()` or `Result<()>`; it may use `?` and `return`. The
/// blocks of a binary run in the order of their module path and line (on Apple systems in the order
/// of linking), each once per process. When a block fails while `load_module` loads the library, the
/// load fails with its error. Otherwise the error is kept:
/// [`run_static_init_blocks`](crate::static_init::run_static_init_blocks) returns it.
///
/// The blocks of a library crate are part of each program that uses the crate; `use my_library as _;`
/// is enough.
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
            fn body() -> $crate::error::Result<()> {
                $crate::static_init::into_result(|| { $($body)* })
            }
            static BLOCK: $crate::static_init::StaticInitBlock =
                $crate::static_init::StaticInitBlock::__new(
                    ::core::module_path!(),
                    ::core::line!(),
                    match ::core::option_env!("CARGO_PKG_VERSION") {
                        ::core::option::Option::Some(version) => version,
                        ::core::option::Option::None => "",
                    },
                    ::core::stringify!($($body)*),
                    body,
                );
            extern "C" fn link() {
                $crate::static_init::STATIC_INIT_BLOCKS.link(&BLOCK);
            }
            extern "C" fn run() {
                $crate::static_init::STATIC_INIT_BLOCKS.link(&BLOCK);
                $crate::static_init::run_at_load();
            }
            // The loader runs the constructors with a priority first.
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCT")]
            #[cfg_attr(
                not(any(windows, target_vendor = "apple")),
                link_section = ".init_array.00200"
            )]
            static LINK: extern "C" fn() = link;
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCU")]
            #[cfg_attr(target_vendor = "apple", link_section = "__DATA,__mod_init_func")]
            #[cfg_attr(not(any(windows, target_vendor = "apple")), link_section = ".init_array")]
            static RUN: extern "C" fn() = run;
        };
    };
}

/// What a block returns.
#[doc(hidden)]
pub trait InitResult {
    /// Return the same as a result.
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

/// Names `!`, which stable Rust does not have as a type, for blocks that always panic.
#[doc(hidden)]
pub trait Returns {
    /// What the function returns.
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

/// Call the body of a block.
#[doc(hidden)]
pub fn into_result<R: InitResult>(body: impl FnOnce() -> R) -> Result<()> {
    body().into_result()
}

enum State {
    New,
    Running,
    Done,
    /// The error, and whether a caller has had it.
    Failed {
        error: Error,
        is_reported: bool,
    },
}

/// One block.
#[doc(hidden)]
pub struct StaticInitBlock {
    module: &'static str,
    line: u32,
    version: &'static str,
    text: &'static str,
    body: fn() -> Result<()>,
    state: Mutex<State>,
    next: AtomicPtr<StaticInitBlock>,
}

impl StaticInitBlock {
    /// Describe a block.
    pub const fn __new(
        module: &'static str,
        line: u32,
        version: &'static str,
        text: &'static str,
        body: fn() -> Result<()>,
    ) -> Self {
        StaticInitBlock {
            module,
            line,
            version,
            text,
            body,
            state: Mutex::new(State::New),
            next: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Return `MODULE:LINE@CRATEVERSION#HASH16`.
    pub fn identity(&self) -> String {
        format!(
            "{}@{}#{:016x}",
            self.place(),
            self.version,
            hash_of(self.text)
        )
    }

    /// Return the name of the global function that marks the block as done.
    pub fn marker(&self) -> String {
        format!("ffi.static_init_block.{}", self.identity())
    }

    /// Run the block, unless it has run in this process.
    ///
    /// # Errors
    ///
    /// The error of the block; from the second time on `InternalError` with its text.
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

    /// Run the block if nothing has run it yet; keep its error.
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

    /// The error that no caller has had yet.
    fn kept_error(&self) -> Option<Error> {
        match &*self.state() {
            State::Failed {
                error,
                is_reported: false,
            } => Some(error.clone()),
            _ => None,
        }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.module, self.line)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Return `KIND: MESSAGE`.
fn text_of(error: &Error) -> String {
    format!("{}: {}", error.kind(), error.message())
}

/// Return the FNV-1a hash of a text without its white space.
fn hash_of(text: &str) -> u64 {
    let bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A list of blocks, to which each block adds itself while the binary is loaded.
#[doc(hidden)]
pub struct StaticInitBlocks {
    first: AtomicPtr<StaticInitBlock>,
}

impl StaticInitBlocks {
    /// Add a block; a block that is in the list stays where it is.
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

    /// The blocks, the one that was added last first.
    fn linked(&self) -> impl Iterator<Item = &'static StaticInitBlock> {
        // SAFETY: the list consists of references that live as long as the process.
        let at = |place: &AtomicPtr<StaticInitBlock>| unsafe {
            place.load(Ordering::Acquire).as_ref::<'static>()
        };
        std::iter::successors(at(&self.first), move |block| at(&block.next))
    }
}

/// Run the blocks that have been added so far. Constructors of the binary call this.
#[doc(hidden)]
pub fn run_at_load() {
    // A panic must not reach the loader. `run_once` keeps those of blocks.
    crate::panics::ignore(|| {
        let mut is_taken = false;
        for block in STATIC_INIT_BLOCKS.iter() {
            if begin_at_loader(block) {
                return;
            }
            block.run_once();
            if let Some(error) = block.kept_error() {
                is_taken |= ask_runtime("ffi.StaticInitFailed", &[AnyView::from(&error)]);
            }
        }
        // When the load fails, the loader unloads the library, and can load it again.
        if !is_taken {
            pin::keep_library_loaded();
        }
    });
}

/// Tell the load in progress, if there is one, that a block begins; return whether the load has
/// failed already.
fn begin_at_loader(block: &StaticInitBlock) -> bool {
    let address = block.body as *mut std::os::raw::c_void;
    let line = i64::from(block.line);
    let Ok(module) = CString::new(block.module) else {
        return false;
    };
    let mut place = TVMFFIAny::new();
    place.type_index = TVMFFITypeIndex::kTVMFFIRawStr as i32;
    place.data_union.v_c_str = module.as_ptr();
    // SAFETY: the text lives until the end of the call.
    let place = unsafe { AnyView::from_raw_ffi_any(place) };
    let arguments = [AnyView::from(&address), place, AnyView::from(&line)];
    ask_runtime("ffi.StaticInitBegin", &arguments)
}

/// Call a global function of the runtime that returns a `bool`; false if the call is not possible.
fn ask_runtime(name: &str, arguments: &[AnyView<'_>]) -> bool {
    let answer = Function::get_global(name).and_then(|function| function.call_packed(arguments));
    answer.is_ok_and(|answer| answer.try_as::<bool>() == Some(true))
}

/// Run the blocks of this binary that have not run yet, and return the errors that no caller has had
/// yet, also those of blocks that failed when the binary was loaded.
///
/// # Errors
///
/// The error of the block if one has failed, `InternalError` with all of them if several have.
pub fn run_static_init_blocks() -> Result<()> {
    let mut failures: Vec<(String, Error)> = STATIC_INIT_BLOCKS
        .iter()
        .filter_map(|block| block.run().err().map(|error| (block.place(), error)))
        .collect();
    match failures.len() {
        0 => Ok(()),
        1 => Err(failures.remove(0).1),
        count => {
            let mut message = format!("{count} static init blocks failed:");
            for (place, error) in &failures {
                message.push_str(&format!("\n  {place}: {}", text_of(error)));
            }
            Err(Error::new(INTERNAL_ERROR, &message, ""))
        }
    }
}
