// Any bytes, read as a .keras archive and as the HDF5 file within one, are refused as bad input or give a network whose
// weights can be set or are refused to be; what is written is an archive of the same size and network.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/keras/file.h"
#include "actforge/keras/hdf5.h"
#include "actforge/net/graph/network_text.h"

namespace {

using actforge::KerasFile;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Call>
void try_call(Call call) {
  try {
    call();
  } catch (const actforge::Error& error) {
    require(error.code() == actforge::ErrorCode::kBadInput);
    require(*error.what() != '\0');
  }
}

void check_writing(const KerasFile& file, std::size_t size) {
  const std::string text = actforge::network_text(file.network());
  const std::string written = file.archive_with([&](actforge::LayerId layer, std::size_t weight) {
    return std::vector<float>(
        static_cast<std::size_t>(actforge::element_count(file.network().layer(layer).weights[weight].shape)), 0.5F);
  });
  require(written.size() == size);
  require(actforge::network_text(KerasFile::parse_archive(written).network()) == text);
}

// Only what the file can hold is worth the numbers.
bool is_small(const KerasFile& file) {
  constexpr std::int64_t kMost = 1 << 20;
  std::int64_t count = 0;
  for (const actforge::Layer& layer : file.network().layers()) {
    for (const actforge::Weight& weight : layer.weights) {
      const std::int64_t size = actforge::element_count(weight.shape);
      count += size <= kMost ? size : kMost + 1;
      if (count > kMost) return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  try_call([&] { actforge::hdf5_datasets(bytes); });
  try_call([&] {
    const KerasFile file = KerasFile::parse_archive(bytes);
    if (is_small(file)) check_writing(file, size);
  });
  return 0;
}
