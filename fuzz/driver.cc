// SPDX-License-Identifier: Apache-2.0
// Run a fuzz target without libFuzzer. The driver runs each seed unchanged, and then mutations of
// seeds until the time is over or, with --runs, until the given number of mutations have run. The
// same --seed gives the same inputs in the same order.
//
//   fuzz_<name> [--seconds N | --runs N] [--seed N] SEED_FILE_OR_DIRECTORY...
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

constexpr size_t kMaxSize = 4096;
// Without --runs, each input is written to this file before it runs, so the file shows which input
// caused a crash. With --runs, the same arguments give the same crash again.
constexpr const char* kLastInput = "last_input.bin";

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void AddSeeds(const fs::path& path, std::vector<std::string>* seeds) {
  if (!fs::is_directory(path)) {
    seeds->push_back(ReadFile(path));
    return;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) seeds->push_back(ReadFile(file));
}

size_t Below(Random* random, size_t limit) { return limit == 0 ? 0 : (*random)() % limit; }

// Make one small change: set a byte, insert a character, remove or double a piece, or insert a
// piece of another seed.
void MutateOnce(const std::vector<std::string>& seeds, Random* random, std::string* text) {
  size_t at = Below(random, text->size() + 1);
  size_t length = Below(random, 9);
  switch (Below(random, 6)) {
    case 0:
      if (at < text->size()) (*text)[at] = static_cast<char>((*random)());
      break;
    case 1:
      if (at < text->size()) (*text)[at] ^= static_cast<char>(1 << Below(random, 8));
      break;
    case 2:
      text->erase(at, length);
      break;
    case 3:
      text->insert(at, text->substr(at, length));
      break;
    case 4:
      text->insert(at, 1, "0123456789-+_*.,:[]{}()xX \n"[Below(random, 27)]);
      break;
    default: {
      const std::string& other = seeds[Below(random, seeds.size())];
      size_t from = Below(random, other.size() + 1);
      text->insert(at, other.substr(from, Below(random, 33)));
    }
  }
  if (text->size() > kMaxSize) text->resize(kMaxSize);
}

void WriteLastInput(const std::string& input) {
  if (std::FILE* file = std::fopen(kLastInput, "wb")) {
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
  }
}

void RunOne(const std::string& input) {
  // Copy the input to a buffer of its exact size, so that the sanitizer detects a read beyond the
  // end.
  std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10;
  size_t limit = 0;  // number of mutated inputs; 0: no limit, the time decides
  uint64_t seed = std::random_device{}();
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      limit = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      AddSeeds(argv[i], &seeds);
    }
  }
  if (seeds.empty()) seeds.emplace_back();
  auto run = [limit](const std::string& input) {
    if (limit == 0) WriteLastInput(input);
    RunOne(input);
  };
  for (const std::string& input : seeds) run(input);

  Random random(seed);
  size_t runs = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (limit != 0 ? runs < limit : std::chrono::steady_clock::now() < end) {
    std::string input = seeds[Below(&random, seeds.size())];
    for (size_t n = 1 + Below(&random, 8); n > 0; --n) MutateOnce(seeds, &random, &input);
    run(input);
    ++runs;
  }
  if (limit == 0) std::remove(kLastInput);
  std::printf("%s: %zu inputs, --seed %llu\n", argv[0], seeds.size() + runs,
              static_cast<unsigned long long>(seed));
}
