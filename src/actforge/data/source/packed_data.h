#pragma once

#include <optional>
#include <string>

#include "actforge/base/hash.h"
#include "actforge/data/dataset.h"
#include "actforge/data/source/source.h"

namespace actforge {

// A data set as one file of our own, in the user's cache. Each part has a checksum.
struct PackedHeader {
  SourceData data;  // without images; those of the validation part are the last of the training part
  std::size_t train_count = 0, test_count = 0;
  Hash128 identity = {};
};

// $XDG_CACHE_HOME/actforge/data, by default ~/.cache/actforge/data; empty where there is neither variable.
std::string data_cache_folder();

// Writers of the same file do not disturb each other: it appears when it is whole. Throws Error (kStorage).
void write_packed(const std::string& path, const SourceData& data, const Hash128& identity);
// Nothing where there is no such file, or it is not whole.
std::optional<PackedHeader> read_packed_header(const std::string& path);
// Throws Error (kStorage) where the part is not what was written.
ImageSet read_packed_part(const std::string& path, Part part);

// The training part with the validation part at its end.
ImageSet joined_training_part(const SourceData& data);

}  // namespace actforge
