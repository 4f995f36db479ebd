// Runs a fuzzer's function on changed copies of its seeds for a while: what g++'s sanitizers can do without libFuzzer,
// whose library would have to be compiled once more by clang. No coverage guides it; `make fuzz` has that.
//   mutate_onnx FOLDER SECONDS [SEED]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "actforge/base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;
using actforge::Random;

std::vector<Bytes> read_seeds(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

std::size_t place(const Bytes& bytes, Random& random) { return random.below(bytes.size() + 1); }

void mutate(Bytes& bytes, const std::vector<Bytes>& seeds, Random& random) {
  constexpr std::uint8_t kInteresting[] = {0, 1, 127, 128, 255, '"', '{', '[', '-', '9'};
  if (bytes.empty()) bytes.push_back(0);
  const std::size_t at = random.below(bytes.size());
  switch (random.below(7)) {
    case 0: bytes[at] = static_cast<std::uint8_t>(random.next()); break;
    case 1: bytes[at] ^= static_cast<std::uint8_t>(1U << random.below(8)); break;
    case 2: bytes[at] = kInteresting[random.below(std::size(kInteresting))]; break;
    case 3: bytes.resize(at); break;
    case 4: {  // a piece is gone
      const std::size_t end = std::min(bytes.size(), at + 1 + random.below(32));
      bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(end));
      break;
    }
    default: {  // a piece of another seed comes in
      const Bytes& other = seeds[random.below(seeds.size())];
      if (other.empty()) break;
      const std::size_t from = random.below(other.size());
      const std::size_t end = std::min(other.size(), from + 1 + random.below(64));
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place(bytes, random)),
                   other.begin() + static_cast<std::ptrdiff_t>(from), other.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: %s FOLDER SECONDS [SEED]\n", argv[0]), 2;
  const std::vector<Bytes> seeds = read_seeds(argv[1]);
  if (seeds.empty()) return std::fprintf(stderr, "no seeds in %s\n", argv[1]), 2;
  for (const Bytes& seed : seeds) LLVMFuzzerTestOneInput(seed.data(), seed.size());
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::strtod(argv[2], nullptr));
  std::uint64_t run = 0;
  for (; std::chrono::steady_clock::now() < end; ++run) {
    Random random(first, run, "mutate");
    Bytes bytes = seeds[random.below(seeds.size())];
    for (std::uint64_t changes = 1 + random.below(6); changes > 0; --changes) mutate(bytes, seeds, random);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%llu changed files, from seed %llu\n", static_cast<unsigned long long>(run),
              static_cast<unsigned long long>(first));
  return 0;
}
