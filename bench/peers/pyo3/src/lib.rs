// SPDX-License-Identifier: Apache-2.0
//! The operations of ffi_bench.py, exposed through PyO3.
use std::borrow::Cow;
use std::collections::HashMap;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};

#[pyclass]
struct IntPair {
    #[pyo3(get)]
    a: i64,
    #[pyo3(get, set)]
    b: i64,
}

#[pymethods]
impl IntPair {
    #[new]
    fn new(a: i64, b: i64) -> Self {
        Self { a, b }
    }

    fn sum(&self) -> i64 {
        self.a + self.b
    }
}

#[pyclass]
struct Point3 {
    #[pyo3(get, set)]
    x: i64,
    #[pyo3(get, set)]
    y: f64,
    #[pyo3(get, set)]
    z: String,
    #[pyo3(get, set)]
    o: Py<IntPair>,
}

#[pymethods]
impl Point3 {
    #[new]
    #[pyo3(signature = (x = 1, y = 2.0, z = "abc".to_string()))]
    fn new(py: Python<'_>, x: i64, y: f64, z: String) -> PyResult<Self> {
        let o = Py::new(py, IntPair { a: 1, b: 2 })?;
        Ok(Self { x, y, z, o })
    }
}

#[pyclass]
struct IntVector(Vec<i64>);

#[pymethods]
impl IntVector {
    #[new]
    fn new(items: Vec<i64>) -> Self {
        Self(items)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<i64> {
        Ok(self.0[self.position(index)?])
    }

    fn __setitem__(&mut self, index: isize, value: i64) -> PyResult<()> {
        let position = self.position(index)?;
        self.0[position] = value;
        Ok(())
    }

    fn __iter__(this: Py<Self>) -> IntVectorIterator {
        IntVectorIterator { of: this, next: 0 }
    }
}

impl IntVector {
    fn position(&self, index: isize) -> PyResult<usize> {
        let length = self.0.len();
        let position = if index < 0 {
            index + length as isize
        } else {
            index
        };
        match usize::try_from(position) {
            Ok(position) if position < length => Ok(position),
            _ => Err(PyIndexError::new_err("list index out of range")),
        }
    }
}

#[pyclass]
struct IntVectorIterator {
    of: Py<IntVector>,
    next: usize,
}

#[pymethods]
impl IntVectorIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<i64> {
        let item = self.of.borrow(py).0.get(self.next).copied();
        self.next += 1;
        item
    }
}

#[pyclass]
struct StrMap(HashMap<String, i64>);

#[pymethods]
impl StrMap {
    #[new]
    fn new() -> Self {
        Self(HashMap::new())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __contains__(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    fn __getitem__(&self, key: &str) -> PyResult<i64> {
        match self.0.get(key) {
            Some(value) => Ok(*value),
            None => Err(PyKeyError::new_err(key.to_string())),
        }
    }

    fn __setitem__(&mut self, key: String, value: i64) {
        self.0.insert(key, value);
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.keys())?.try_iter()
    }

    fn items(&self) -> Vec<(&str, i64)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), *value))
            .collect()
    }
}

#[pyfunction]
fn nop0() {}

#[pyfunction]
fn nop1(_a: i64) {}

#[pyfunction]
fn nop3(_a: i64, _b: i64, _c: i64) {}

#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn nop8(_a: i64, _b: i64, _c: i64, _d: i64, _e: i64, _f: i64, _g: i64, _h: i64) {}

#[pyfunction]
#[pyo3(signature = (*_args))]
fn nop_args(_args: &Bound<'_, PyTuple>) {}

#[pyfunction]
#[pyo3(signature = (a, b, c = 3))]
fn nop3_kw(a: i64, b: i64, c: i64) {
    let _ = (a, b, c);
}

#[pyfunction]
fn nop0_nogil(py: Python<'_>) {
    py.detach(|| ());
}

#[pyfunction]
fn echo_int(x: i64) -> i64 {
    x
}

#[pyfunction]
fn echo_float(x: f64) -> f64 {
    x
}

#[pyfunction]
fn echo_bool(x: bool) -> bool {
    x
}

#[pyfunction]
fn echo_any(x: Py<PyAny>) -> Py<PyAny> {
    x
}

#[pyfunction]
fn echo_str(x: &str) -> &str {
    x
}

#[pyfunction]
fn echo_bytes(x: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(x)
}

#[pyfunction]
fn echo_list(x: Vec<i32>) -> Vec<i32> {
    x
}

#[pyfunction]
fn echo_dict(x: HashMap<String, i32>) -> HashMap<String, i32> {
    x
}

#[pyfunction]
fn echo_object(x: Py<IntPair>) -> Py<IntPair> {
    x
}

/// A contiguous buffer of C floats, as the array of the benchmark is.
#[pyfunction]
fn nop_array(_x: PyBuffer<f32>) {}

#[pyfunction]
fn apply(f: &Bound<'_, PyAny>, x: i64) -> PyResult<i64> {
    f.call1((x,))?.extract()
}

#[pyfunction]
fn apply_any<'py>(f: &Bound<'py, PyAny>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    f.call1((x,))
}

#[pyfunction]
fn fail(text: &str) -> PyResult<()> {
    Err(PyValueError::new_err(text.to_string()))
}

#[pyfunction]
fn call<'py>(f: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    f.call0()
}

#[pymodule]
mod pyo3_peer {
    #[pymodule_export]
    use super::{
        apply, apply_any, call, echo_any, echo_bool, echo_bytes, echo_dict, echo_float, echo_int,
        echo_list, echo_object, echo_str, fail, nop0, nop0_nogil, nop1, nop3, nop3_kw, nop8,
        nop_args, nop_array, IntPair, IntVector, Point3, StrMap,
    };
}
