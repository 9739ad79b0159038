# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3, boundscheck=True, embedsignature=False
# distutils: language = c++
"""The operations of ffi_bench.py, exposed through Cython."""

from libc.stdint cimport int32_t, int64_t
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector
from cython.operator cimport dereference


def nop0():
    pass


def nop1(int64_t a):
    pass


def nop3(int64_t a, int64_t b, int64_t c):
    pass


def nop8(
    int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h
):
    pass


def nop_args(*args):
    pass


def nop3_kw(int64_t a, int64_t b, int64_t c=3):
    pass


def nop0_nogil():
    with nogil:
        pass


def echo_int(int64_t x):
    return x


def echo_float(double x):
    return x


def echo_bool(bint x):
    return x


def echo_any(object x):
    return x


def echo_str(str x not None):
    # The text is copied to C++ and back, as in the other libraries.
    cdef string text = x.encode()
    return text.decode()


def echo_bytes(bytes x not None):
    cdef string text = x
    return <bytes>text


def echo_list(list x not None):
    cdef vector[int32_t] values = x
    return values


def echo_dict(dict x not None):
    cdef unordered_map[string, int32_t] values
    for key, value in x.items():
        values[(<str?>key).encode()] = value
    cdef dict result = {}
    for pair in values:
        result[pair.first.decode()] = pair.second
    return result


def echo_object(IntPair x not None):
    return x


def nop_array(x):
    cdef const unsigned char[:] data = memoryview(x).cast("B")


cdef int64_t apply_to(object f, int64_t x) except? -1:
    return f(x)


def apply(object f, int64_t x):
    return apply_to(f, x)


def apply_any(object f, object x):
    return f(x)


def fail(str text not None):
    raise ValueError(text)


def call(object f):
    return f()


cdef class IntPair:
    cdef readonly int64_t a
    cdef public int64_t b

    def __init__(self, int64_t a, int64_t b):
        self.a = a
        self.b = b

    def sum(self):
        return self.a + self.b


cdef class Point3:
    cdef public int64_t x
    cdef public double y
    cdef public str z
    cdef public IntPair o

    def __init__(self, int64_t x=1, double y=2.0, str z="abc"):
        self.x = x
        self.y = y
        self.z = z
        self.o = IntPair(1, 2)


cdef class IntVector:
    cdef vector[int64_t] values

    def __init__(self, values):
        for value in values:
            self.values.push_back(value)

    def __len__(self):
        return self.values.size()

    def __getitem__(self, Py_ssize_t index):
        if not 0 <= index < <Py_ssize_t>self.values.size():
            raise IndexError(index)
        return self.values[index]

    def __setitem__(self, Py_ssize_t index, int64_t value):
        if not 0 <= index < <Py_ssize_t>self.values.size():
            raise IndexError(index)
        self.values[index] = value

    def __iter__(self):
        for value in self.values:
            yield value


cdef class StrMap:
    cdef unordered_map[string, int64_t] values

    def __setitem__(self, str key not None, int64_t value):
        self.values[key.encode()] = value

    def __getitem__(self, str key not None):
        found = self.values.find(key.encode())
        if found == self.values.end():
            raise KeyError(key)
        return dereference(found).second

    def __contains__(self, str key not None):
        return self.values.count(key.encode()) != 0

    def __iter__(self):
        for pair in self.values:
            yield pair.first.decode()

    def items(self):
        for pair in self.values:
            yield pair.first.decode(), pair.second
