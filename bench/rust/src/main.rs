// SPDX-License-Identifier: Apache-2.0
//! Micro benchmarks of the crate `tvm-ffi`. The source is compiled with our crate and with the
//! peer's.
//!
//! A row has the same name, sizes and method (the median of nine repeats) as the row of
//! `bench/cpp/ffi_micro.cpp` that times the same operation. `bench/rust_bench.py` builds the
//! programs and compares their results.

mod harness;

use std::hint::black_box;

use harness::Bench;
use tvm_ffi::object::ObjectRef;
use tvm_ffi::tvm_ffi_sys::{TVMFFIFunctionCall, TVMFFIObjectHandle};
use tvm_ffi::{
    bail, def_object_ref, into_typed_fn, rs_class, Any, AnyView, Array, Error, FieldGetter,
    Function, Map, Object, ObjectArc, ObjectRefCast, ObjectRefCore, Result, String, TVMFFIAny,
    Tensor, VALUE_ERROR,
};

#[rs_class("bench.rust.Small", final)]
pub struct SmallObj {
    base: Object,
    value: i64,
}

def_object_ref!(pub Small, ObjectRef, SmallObj);

#[rs_class("bench.rust.Other", final)]
pub struct OtherObj {
    base: Object,
    value: i64,
}

fn small(value: i64) -> Small {
    SmallObj::new(Object::new(), value).into()
}

fn fail() -> Result<i64> {
    bail!(VALUE_ERROR, "m")
}

fn register() -> Result<()> {
    let nop = Function::from_packed(|_: &[AnyView<'_>]| Ok(Any::new()));
    Function::register_global("bench.rust.nop", nop)?;
    Function::register_global_typed("bench.rust.add", |a: i64, b: i64| Ok(a + b), "")?;
    Function::register_global_typed("bench.rust.fail", fail, "")
}

/// Return the handle of a function, for calls through the C functions.
fn handle_of(function: &Function) -> TVMFFIObjectHandle {
    // SAFETY: the address is used only while the function is alive.
    unsafe { ObjectArc::as_raw(Function::data(function)) as TVMFFIObjectHandle }
}

fn rows_of_any(bench: &mut Bench) {
    bench.time("any/int to Any", |n| {
        for i in 0..n {
            black_box(Any::from(black_box(i)));
        }
    });
    let number = Any::from(3i64);
    bench.time("any/Any cast int", |n| {
        for _ in 0..n {
            black_box(black_box(&number).try_as::<i64>());
        }
    });
    let object = Any::from(small(1));
    bench.time("any/Any copy object", |n| {
        for _ in 0..n {
            black_box(black_box(&object).clone());
        }
    });
    bench.time("any/Any cast object", |n| {
        for _ in 0..n {
            black_box(black_box(&object).try_as::<ObjectRef>());
        }
    });
}

fn rows_of_functions(bench: &mut Bench) -> Result<()> {
    let nop = Function::get_global("bench.rust.nop")?;
    let add = Function::get_global("bench.rust.add")?;
    let echo = Function::from_packed(|args: &[AnyView<'_>]| Ok(Any::from(args[0])));
    bench.time("function/call 0 args", |n| {
        for _ in 0..n {
            black_box(nop.call_tuple(()).unwrap());
        }
    });
    bench.time("function/call 1 arg", |n| {
        for i in 0..n {
            black_box(nop.call_tuple((i,)).unwrap());
        }
    });
    bench.time("function/call 3 args", |n| {
        for i in 0..n {
            black_box(nop.call_tuple((i, 2.0, String::from("abc"))).unwrap());
        }
    });
    bench.time("function/call echo, int result", |n| {
        for i in 0..n {
            black_box(i64::try_from(echo.call_tuple((i,)).unwrap()).unwrap());
        }
    });
    bench.time("function/call typed lambda through Any", |n| {
        for i in 0..n {
            black_box(i64::try_from(add.call_tuple((i, 1i64)).unwrap()).unwrap());
        }
    });
    let typed = into_typed_fn!(add.clone(), Fn(i64, i64) -> Result<i64>);
    bench.time("function/TypedFunction call", |n| {
        for i in 0..n {
            black_box(typed(i, 1).unwrap());
        }
    });
    bench.time("function/C API call 0 args", |n| {
        let handle = handle_of(&nop);
        for _ in 0..n {
            let mut out = TVMFFIAny::new();
            // SAFETY: the function is alive, the call has no arguments, and `out` is valid for the
            // result.
            black_box(unsafe { TVMFFIFunctionCall(handle, std::ptr::null_mut(), 0, &mut out) });
        }
    });
    bench.time("function/C API call 2 args", |n| {
        let handle = handle_of(&add);
        for i in 0..n {
            let one = 1i64;
            let mut args = [AnyView::from(&i), AnyView::from(&one)];
            let mut out = TVMFFIAny::new();
            // SAFETY: the function is alive, and the argument views have the layout of the C
            // struct. The result is an integer, which does not need a release.
            black_box(unsafe { TVMFFIFunctionCall(handle, args.as_mut_ptr().cast(), 2, &mut out) });
            black_box(out);
        }
    });
    bench.time("function/GetGlobal", |n| {
        for _ in 0..n {
            black_box(Function::get_global("bench.rust.add").unwrap());
        }
    });
    bench.time("function/create from lambda", |n| {
        for i in 0..n {
            black_box(Function::from_typed(move |x: i64| Ok(x + i)));
        }
    });
    Ok(())
}

fn rows_of_objects(bench: &mut Bench) -> Result<()> {
    bench.time("object/make_object + free", |n| {
        for i in 0..n {
            black_box(small(i));
        }
    });
    let one = small(1);
    bench.time("object/refcount copy", |n| {
        for _ in 0..n {
            black_box(black_box(&one).clone());
        }
    });
    bench.time("object/field through reference", |n| {
        for _ in 0..n {
            black_box(black_box(&one).value);
        }
    });
    let reference: ObjectRef = one.clone().into();
    bench.time("object/IsInstance exact", |n| {
        for _ in 0..n {
            black_box(black_box(&reference).as_node::<SmallObj>().is_some());
        }
    });
    bench.time("object/IsInstance miss", |n| {
        for _ in 0..n {
            black_box(black_box(&reference).as_node::<OtherObj>().is_some());
        }
    });
    bench.time("object/copy + downcast", |n| {
        for _ in 0..n {
            black_box(black_box(&reference).clone().try_cast::<Small>().unwrap());
        }
    });
    let getter = FieldGetter::new(AnyView::from(&one).type_index(), "value")?;
    bench.time("object/reflected field getter", |n| {
        for _ in 0..n {
            black_box(getter.get_any(&**Small::data(&one)).unwrap());
        }
    });
    Ok(())
}

fn rows_of_strings(bench: &mut Bench) {
    bench.time("string/construct 5 B", |n| {
        for _ in 0..n {
            black_box(String::from(black_box("hello")));
        }
    });
    let text = "x".repeat(100);
    bench.time("string/construct 100 B", |n| {
        for _ in 0..n {
            black_box(String::from(black_box(text.as_str())));
        }
    });
    let (short, other) = (String::from("hello"), String::from("hello"));
    bench.time("string/compare 5 B", |n| {
        for _ in 0..n {
            black_box(black_box(&short) == black_box(&other));
        }
    });
    let (long, copy) = (String::from(text.as_str()), String::from(text.as_str()));
    bench.time("string/compare 100 B equal", |n| {
        for _ in 0..n {
            black_box(black_box(&long) == black_box(&copy));
        }
    });
}

fn rows_of_containers(bench: &mut Bench) {
    bench.time_many("array/construct from vector 1000", 1000, |n| {
        let numbers = vec![7i64; 1000];
        for _ in 0..n {
            black_box(Array::new(numbers.clone()));
        }
    });
    let ints = Array::new((0..1000i64).collect());
    bench.time("array/index int", |n| {
        for i in 0..n {
            black_box(ints.get(i as usize % 1000).unwrap());
        }
    });
    let objects = Array::new((0..1000i64).map(|i| ObjectRef::from(small(i))).collect());
    bench.time("array/index object", |n| {
        for i in 0..n {
            black_box(objects.get(i as usize % 1000).unwrap());
        }
    });
    bench.time_many("array/iterate 1000 ints", 1000, |n| {
        for _ in 0..n {
            for value in ints.iter() {
                black_box(value);
            }
        }
    });
    bench.time_many("array/iterate 1000 objects", 1000, |n| {
        for _ in 0..n {
            for value in objects.iter() {
                black_box(value);
            }
        }
    });
    let keys: Vec<String> = (0..1000).map(|i| String::from(format!("k{i}"))).collect();
    let map: Map<String, i64> = keys.iter().cloned().zip(0i64..).collect();
    // Shuffle the keys as the C++ row does, so that lookups do not follow the order of the entries
    // in memory.
    let mut order = keys;
    let mut state = 12345u64;
    for i in (2..=order.len()).rev() {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        order.swap(i - 1, (state >> 33) as usize % i);
    }
    bench.time("map/find short string keys, 1000", |n| {
        for key in order.iter().cycle().take(n as usize) {
            black_box(map.contains_key(key));
        }
    });
    let tensor = Tensor::from_slice(&[1.0f32; 24], &[2, 3, 4]).unwrap();
    bench.time("tensor/slice of float32", |n| {
        for _ in 0..n {
            black_box(black_box(&tensor).data_as_slice::<f32>().unwrap());
        }
    });
}

fn rows_of_errors(bench: &mut Bench) -> Result<()> {
    bench.time("error/throw + catch, same frame", |n| {
        for _ in 0..n {
            let _ = black_box(fail());
        }
    });
    let function = Function::get_global("bench.rust.fail")?;
    bench.time("error/throw through Function + catch", |n| {
        for _ in 0..n {
            let error: Error = function.call_tuple(()).err().unwrap();
            black_box(error);
        }
    });
    bench.time("error/safe call to error code", |n| {
        let handle = handle_of(&function);
        for _ in 0..n {
            let mut out = TVMFFIAny::new();
            // SAFETY: the function is alive, the call has no arguments, and `out` is valid for the
            // result.
            if unsafe { TVMFFIFunctionCall(handle, std::ptr::null_mut(), 0, &mut out) } != 0 {
                drop(black_box(Error::from_raised()));
            }
        }
    });
    Ok(())
}

fn main() -> Result<()> {
    let mut bench = Bench::from_arguments();
    // Start a thread that only sleeps: real processes have several threads, which makes the mutexes
    // and the allocator of the C library slower.
    std::thread::spawn(|| loop {
        std::thread::sleep(std::time::Duration::from_secs(3600));
    });
    register()?;
    rows_of_any(&mut bench);
    rows_of_functions(&mut bench)?;
    rows_of_objects(&mut bench)?;
    rows_of_strings(&mut bench);
    rows_of_containers(&mut bench);
    rows_of_errors(&mut bench)?;
    bench.write();
    Ok(())
}
