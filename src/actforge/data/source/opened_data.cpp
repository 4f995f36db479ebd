#include "actforge/data/source/opened_data.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/data/source/packed_data.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

// Whoever changes what a reader makes of the same bytes raises it.
constexpr std::uint64_t kReaderVersion = 1;

std::string options_text(const SourceName& name) { return SourceName{"", name.options}.text(); }

// What files there are, without reading them: as long as this stays, so does what the cache has of them.
Hash128 manifest_of(const SourceName& name, const SourceFormat& format, const SourceFiles& files) {
  std::error_code ignored;
  Hasher hasher;
  hasher.add(kReaderVersion).add(format.name).add(options_text(name));
  hasher.add(fs::absolute(files.path, ignored).lexically_normal().string());
  hasher.add(files.ignored).add(files.first_ignored);  // which are told too
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    const std::string path = files.full(i);
    hasher.add(files.files[i]).add(static_cast<std::uint64_t>(fs::file_size(path, ignored)));
    hasher.add(static_cast<std::uint64_t>(fs::last_write_time(path, ignored).time_since_epoch().count()));
  }
  return hasher.finish();
}

Hash128 content_hash(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string piece(std::size_t{1} << 20, '\0');
  Hasher hasher;
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hasher.add(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  if (!file.eof()) throw Error(ErrorCode::kBadInput, "'" + path + "' cannot be read");
  return hasher.finish();
}

Hash128 identity_of(const SourceName& name, const SourceFormat& format, const SourceFiles& files) {
  std::vector<Hash128> hashes(files.files.size());
  parallel_for(thread_count(0), hashes.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) hashes[i] = content_hash(files.full(i));
  });
  Hasher hasher;
  hasher.add(kReaderVersion).add(format.name).add(options_text(name));
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    // A single file may have any name.
    hasher.add(files.files[i]).add(hashes[i]);
  }
  return hasher.finish();
}

void check_parts(const SourceData& data, const std::string& path) {
  if (data.class_names.size() < 2) {
    throw Error(ErrorCode::kBadInput,
                path + ": there is only one class, '" + (data.class_names.empty() ? "" : data.class_names[0]) + "'");
  }
  if (data.train.size() == 0) throw Error(ErrorCode::kBadInput, path + ": there are no " + data.unit + " to train on");
}

SourceData read_source(const SourceFormat& format, const SourceFiles& files, const SourceOptions& options) {
  SourceData data = format.read(files, options);
  check_parts(data, files.path);
  hold_out_test(data, options);
  check_parts(data, files.path);
  if (data.validation.size() > 0) {
    data.findings.push_back({"validation", "the part that the data came with"});
  }
  if (files.ignored > 0) {
    data.findings.push_back({"not read", counted(files.ignored, "other file") + ", such as " + files.first_ignored});
  }
  return data;
}

// Nothing where the cache cannot be written.
std::optional<PackedHeader> keep_in_cache(const std::string& folder, const std::string& file, const SourceData& data,
                                          const Hash128& identity) {
  if (folder.empty()) return std::nullopt;
  try {
    fs::create_directories(folder);
    write_packed(file, data, identity);
    return read_packed_header(file);
  } catch (const Error&) {
    return std::nullopt;
  } catch (const fs::filesystem_error&) {
    return std::nullopt;
  }
}

// What the cache would say of these data.
PackedHeader header_of(const SourceData& data, const Hash128& identity) {
  PackedHeader header = {.data = {.train = empty_like(data.train),
                                  .validation = {},
                                  .test = {},
                                  .class_names = data.class_names,
                                  .findings = data.findings,
                                  .unit = data.unit},
                         .train_count = data.train.size() + data.validation.size(),
                         .test_count = data.test.size(),
                         .identity = identity};
  header.data.train.held_out = data.validation.size();
  return header;
}

[[noreturn]] void not_recognised(const std::string& path) {
  std::string message = "'" + path + "' is no data that can be read; there are:";
  for (const SourceFormat* format : source_formats()) {
    message += "\n  " + std::string(format->name) + ": " + std::string(format->looks_like);
  }
  throw Error(ErrorCode::kBadInput, message);
}

}  // namespace

struct OpenedData::Parts {
  std::string cached;                // the file that has them,
  std::optional<SourceData> memory;  // unless they are here
};

OpenedData::OpenedData(const SourceName& source, const SourceFormat& format, const SourceFiles& files)
    : Dataset{}, text_(source.text()), path_(source.path), parts_(new Parts) {
  const SourceOptions options = read_source_options(source, format.name, format.options);
  const std::string folder = data_cache_folder();
  parts_->cached = folder + "/" + manifest_of(source, format, files).hex() + ".data";
  std::optional<PackedHeader> header = folder.empty() ? std::nullopt : read_packed_header(parts_->cached);
  if (!header) {
    SourceData data = read_source(format, files, options);
    const Hash128 identity = identity_of(source, format, files);
    header = keep_in_cache(folder, parts_->cached, data, identity);
    if (!header) {
      header = header_of(data, identity);
      parts_->memory = std::move(data);
    }
  }
  describe(*header, format.name, options);
}

OpenedData::~OpenedData() = default;

void OpenedData::describe(const PackedHeader& header, std::string_view format, const SourceOptions& options) {
  const ImageSet& set = header.data.train;
  identity_ = header.identity;
  findings_ = header.data.findings;
  unit_ = header.data.unit;
  class_texts_ = header.data.class_names;
  class_views_.assign(class_texts_.begin(), class_texts_.end());
  summary_ = std::string(format);
  name = text_;
  summary = summary_;
  class_names = class_views_;
  shape = set.shape;
  max_value = set.max_value;
  train_count = header.train_count;
  test_count = header.test_count;
  validation = set.held_out;
  if (validation == 0) {
    validation = static_cast<std::size_t>(std::llround(options.validation * static_cast<double>(train_count)));
  }
  load = load_part;
  in_proportion = true;
}

ImageSet OpenedData::load_part(const Dataset& row, Part part) {
  const OpenedData& self = *opened_data(row);
  if (!self.parts_->memory) return read_packed_part(self.parts_->cached, part);
  return part == Part::kTrain ? joined_training_part(*self.parts_->memory) : self.parts_->memory->test;
}

const OpenedData* opened_data(const Dataset& row) {
  // Nothing else is loaded by this function.
  return row.load == &OpenedData::load_part ? static_cast<const OpenedData*>(&row) : nullptr;
}

const OpenedData& open_data(std::string_view text) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<OpenedData>> opened;
  const SourceName name = parse_source_name(text);
  const std::lock_guard lock(mutex);
  std::unique_ptr<OpenedData>& place = opened[name.text()];
  if (place) return *place;
  std::error_code ignored;
  if (!fs::exists(name.path, ignored)) {
    throw Error(ErrorCode::kBadInput, "there is no file or folder '" + name.path + "'");
  }
  try {
    for (const SourceFormat* format : source_formats()) {
      const SourceFiles files = format->find(name.path);
      if (files.files.empty()) continue;
      place = std::make_unique<OpenedData>(name, *format, files);
      return *place;
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::kBadInput, "'" + error.path1().string() + "' cannot be read: " + error.code().message());
  }
  not_recognised(name.path);
}

}  // namespace actforge
