/* SPDX-License-Identifier: Apache-2.0 */
/* Plain C functions, called through ctypes and cffi. */
#include <stdint.h>
#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif
typedef struct {
  int64_t a, b;
} IntPair;
API void nop0(void) {}
API void nop1(int64_t a) { (void)a; }
API void nop3(int64_t a, int64_t b, int64_t c) { (void)a, (void)b, (void)c; }
API void nop8(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g,
              int64_t h) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
}
API int64_t echo_int(int64_t x) { return x; }
API double echo_float(double x) { return x; }
API const char* echo_str(const char* x) { return x; }
API int64_t sum(const IntPair* p) { return p->a + p->b; }
API int64_t apply(int64_t (*f)(int64_t), int64_t x) { return f(x); }
