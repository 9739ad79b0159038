// SPDX-License-Identifier: Apache-2.0
// A malloc for LD_PRELOAD that fails on demand, for tests of exhausted memory.
//
// Only requests on the thread that enabled failures are counted and refused, and only if they come
// from code of this project or through operator new; if `failing_allocation_in_libc` is 1, also
// those that the C library makes. The file needs the GNU C library.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

enum { kMaxRanges = 32 };
static struct {
  uintptr_t begin;
  uintptr_t end;
} ranges[kMaxRanges];
static int num_ranges;

// The number of requests that succeed before one fails; -1: no request fails.
static __thread long remaining = -1;
static __thread long seen;
static __thread int fails_for_good;

int failing_allocation_in_libc;

static int is_counted_library(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash == NULL ? path : slash + 1;
  return strncmp(name, "libtvm_ffi", 10) == 0 || strncmp(name, "core.", 5) == 0 ||
         strncmp(name, "libstdc++", 9) == 0 ||
         (failing_allocation_in_libc && strncmp(name, "libc.so", 7) == 0);
}

static int add_ranges(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size;
  (void)unused;
  if (!is_counted_library(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum && num_ranges < kMaxRanges; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    ranges[num_ranges].begin = info->dlpi_addr + segment->p_vaddr;
    ranges[num_ranges].end = ranges[num_ranges].begin + segment->p_memsz;
    ++num_ranges;
  }
  return 0;
}

// Let request number `n` (from 1) of this thread fail, and all later ones if `for_good`.
void failing_allocation_begin(long n, int for_good) {
  if (num_ranges == 0) dl_iterate_phdr(add_ranges, NULL);
  seen = 0;
  fails_for_good = for_good;
  remaining = n - 1;
}

// Let all requests succeed again; return the number of counted requests.
long failing_allocation_end(void) {
  remaining = -1;
  return seen;
}

static int must_fail(void* caller) {
  if (remaining < 0) return 0;
  uintptr_t address = (uintptr_t)caller;
  for (int i = 0; i < num_ranges; ++i) {
    if (address < ranges[i].begin || address >= ranges[i].end) continue;
    ++seen;
    if (remaining > 0) {
      --remaining;
      return 0;
    }
    if (!fails_for_good) remaining = (long)(SIZE_MAX >> 2);
    errno = ENOMEM;
    return 1;
  }
  return 0;
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t size) { return must_fail(CALLER) ? NULL : __libc_malloc(size); }

void* calloc(size_t count, size_t size) {
  return must_fail(CALLER) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  return must_fail(CALLER) ? NULL : __libc_realloc(memory, size);
}

void* memalign(size_t alignment, size_t size) {
  return must_fail(CALLER) ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return must_fail(CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (must_fail(CALLER)) return ENOMEM;
  void* result = __libc_memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *memory = result;
  return 0;
}
