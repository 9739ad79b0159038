// SPDX-License-Identifier: Apache-2.0
// Run one function on several threads.
#ifndef TVM_FFI_TESTS_CPP_ON_THREADS_H_
#define TVM_FFI_TESTS_CPP_ON_THREADS_H_

#include <thread>
#include <vector>

/*! \brief Call `run(i)` for each `i` below `count` on a thread of its own; wait for all of them. */
template <typename F>
void OnThreads(int count, const F& run) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(run, i);
  for (std::thread& thread : threads) thread.join();
}

#endif  // TVM_FFI_TESTS_CPP_ON_THREADS_H_
