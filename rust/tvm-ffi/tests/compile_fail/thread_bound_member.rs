// SPDX-License-Identifier: Apache-2.0
//! Members of objects that only one thread may use.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use tvm_ffi::derive::Object as Derive;
use tvm_ffi::{Any, Array, Function, List, Map, Object, ObjectArc, ObjectWeak, Optional, String};

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.Bound"]
struct BoundObj {
    base: Object,
    cell: Cell<i64>, //~ any thread can get an object, so an object cannot contain a `Cell<i64>`
    shared: RefCell<Vec<u8>>, //~ cannot contain a `RefCell<Vec<u8>>`
    counted: Rc<String>, //~ cannot contain a `Rc<tvm_ffi::String>`
    address: *const u8, //~ cannot contain a `*const u8`
    inside: Vec<Mutex<Rc<u8>>>, //~ cannot contain a `Vec<std::sync::Mutex<Rc<u8>>>`
    call: Box<dyn Fn()>, //~ cannot contain a `Box<dyn Fn()>`
}

#[repr(C)]
#[derive(Derive)]
#[type_key = "fail.Free"]
struct FreeObj {
    base: Object,
    number: u8,
    text: Optional<String>,
    any: Any,
    handle: *mut c_void,
    list: List<Array<i64>>,
    function: Option<Function>,
    next: Option<ObjectArc<FreeObj>>,
    parent: ObjectWeak<FreeObj>,
    children: Vec<ObjectArc<FreeObj>>,
    known: Mutex<HashMap<String, Map<i64, Any>>>,
    count: Arc<AtomicUsize>,
    cache: Arc<Mutex<Option<Vec<Array<i64>>>>>,
    call: Box<dyn Fn() + Send + Sync>,
}
