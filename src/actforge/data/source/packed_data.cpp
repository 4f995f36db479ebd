#include "actforge/data/source/packed_data.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"

namespace actforge {
namespace {

using Json = nlohmann::json;
static_assert(std::endian::native == std::endian::little, "the format is little-endian");

// Whoever changes the form of the file, or what a reader makes of the same bytes, changes this.
constexpr std::string_view kMagic = "actforge data 1\n";
constexpr std::size_t kLengthBytes = sizeof(std::uint64_t), kHashBytes = 32;

// The numbers of one part: labels, pixels, values.
std::string part_bytes(const ImageSet& set) {
  std::string bytes;
  const auto add = [&](const auto& list) {
    if (!list.empty()) bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  };
  add(set.labels);
  add(set.pixels);
  add(set.values);
  return bytes;
}

Json part_json(const ImageSet& set, const std::string& bytes) {
  return {{"count", set.size()},      {"pixels", set.pixels.size()}, {"values", set.values.size()},
          {"held_out", set.held_out}, {"bytes", bytes.size()},       {"hash", Hasher().add(bytes).finish().hex()}};
}

Json header_json(const SourceData& data, const Hash128& identity) {
  Json findings = Json::array();
  for (const Finding& finding : data.findings) findings.push_back({finding.what, finding.text});
  const ImageSet& set = data.train;
  return {{"identity", {identity.high, identity.low}},
          {"channels", set.shape.channels},
          {"height", set.shape.height},
          {"width", set.shape.width},
          {"max_value", set.max_value},
          {"fixed", set.fixed},
          {"classes", data.class_names},
          {"unit", data.unit},
          {"findings", std::move(findings)}};
}

SourceData data_of(const Json& json) {
  SourceData data;
  data.train.shape = {.channels = json.at("channels"), .height = json.at("height"), .width = json.at("width")};
  data.train.max_value = json.at("max_value");
  data.train.fixed = json.at("fixed").get<std::vector<std::uint8_t>>();
  data.class_names = json.at("classes").get<std::vector<std::string>>();
  data.train.classes = static_cast<int>(data.class_names.size());
  data.unit = json.at("unit");
  for (const Json& finding : json.at("findings")) data.findings.push_back({finding.at(0), finding.at(1)});
  return data;
}

struct OpenFile {
  std::ifstream file;
  Json header;
  std::size_t begin = 0;  // of the first part
};

// Nothing for a file that is not one of ours, whole, of this version.
std::optional<OpenFile> open_packed(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  OpenFile open{.file = std::ifstream(path, std::ios::binary), .header = {}};
  std::string head(kMagic.size() + kLengthBytes + kHashBytes, '\0');
  open.file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!open.file || !head.starts_with(kMagic)) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, head.data() + kMagic.size(), kLengthBytes);
  if (length > size - head.size()) return std::nullopt;
  std::string text(length, '\0');
  open.file.read(text.data(), static_cast<std::streamsize>(length));
  if (!open.file || Hasher().add(text).finish().hex() != head.substr(kMagic.size() + kLengthBytes)) return std::nullopt;
  open.header = Json::parse(text, nullptr, false);
  open.begin = head.size() + length;
  std::size_t whole = open.begin;
  for (const char* part : {"train", "test"}) whole += open.header.at(part).at("bytes").get<std::size_t>();
  return whole == size ? std::optional(std::move(open)) : std::nullopt;
}

template <class T>
std::vector<T> take(std::string_view& bytes, std::size_t count) {
  std::vector<T> list(count);
  const std::string_view part = bytes.substr(0, count * sizeof(T));
  if (!part.empty()) std::memcpy(list.data(), part.data(), part.size());
  bytes.remove_prefix(part.size());
  return list;
}

[[noreturn]] void damaged(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  throw Error(ErrorCode::kStorage,
              "'" + path + "' in the cache was damaged and is removed; the same command makes it again");
}

}  // namespace

std::string data_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/actforge/data";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/.cache/actforge/data" : std::string();
}

ImageSet joined_training_part(const SourceData& data) {
  ImageSet set = data.train;
  for (std::size_t i = 0; i < data.validation.size(); ++i) append_image(set, data.validation, i);
  set.held_out = data.validation.size();
  return set;
}

void write_packed(const std::string& path, const SourceData& data, const Hash128& identity) {
  const ImageSet joined = joined_training_part(data);
  const std::string train = part_bytes(joined), test = part_bytes(data.test);
  Json json = header_json(data, identity);
  json["train"] = part_json(joined, train);
  json["test"] = part_json(data.test, test);
  // Names of files and classes may be no UTF-8.
  const std::string header = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::uint64_t length = header.size();
  AtomicFile file(path);
  file.write(kMagic);
  file.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  file.write(Hasher().add(header).finish().hex());
  file.write(header);
  file.write(train);
  file.write(test);
  file.commit();
}

std::optional<PackedHeader> read_packed_header(const std::string& path) {
  try {
    const std::optional<OpenFile> open = open_packed(path);
    if (!open) return std::nullopt;
    const Json& json = open->header;
    PackedHeader header = {.data = data_of(json),
                           .train_count = json.at("train").at("count"),
                           .test_count = json.at("test").at("count"),
                           .identity = {json.at("identity").at(0), json.at("identity").at(1)}};
    header.data.train.held_out = json.at("train").at("held_out");
    return header;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

ImageSet read_packed_part(const std::string& path, Part part) {
  try {
    std::optional<OpenFile> open = open_packed(path);
    if (!open) damaged(path);
    const Json& json = open->header.at(part == Part::kTrain ? "train" : "test");
    const std::size_t before = part == Part::kTrain ? 0 : open->header.at("train").at("bytes").get<std::size_t>();
    std::string bytes(json.at("bytes").get<std::size_t>(), '\0');
    open->file.seekg(static_cast<std::streamoff>(open->begin + before));
    open->file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!open->file || Hasher().add(bytes).finish().hex() != json.at("hash").get<std::string>()) damaged(path);
    ImageSet set = data_of(open->header).train;
    std::string_view rest = bytes;
    const std::size_t pixels = json.at("pixels"), values = json.at("values"), count = json.at("count");
    if (bytes.size() != count * sizeof(int) + pixels + values * sizeof(float)) damaged(path);
    set.labels = take<int>(rest, count);
    set.pixels = take<std::uint8_t>(rest, pixels);
    set.values = take<float>(rest, values);
    set.held_out = json.at("held_out");
    return set;
  } catch (const Json::exception&) {
    damaged(path);
  }
}

}  // namespace actforge
