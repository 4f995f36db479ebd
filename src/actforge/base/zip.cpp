#include "actforge/base/zip.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "actforge/base/error.h"

namespace actforge {
namespace {

static_assert(std::endian::native == std::endian::little, "the numbers of zip archives are little-endian");

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, "the zip archive " + why); }

// Bytes by place; anything outside is an error.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  std::string_view at(std::size_t place, std::size_t count) const {
    if (place > all_.size() || count > all_.size() - place) refuse("is truncated or damaged");
    return all_.substr(place, count);
  }
  template <class Number>
  Number number(std::size_t place) const {
    Number value;
    at(place, sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::uint16_t two(std::size_t place) const { return number<std::uint16_t>(place); }
  std::uint32_t four(std::size_t place) const { return number<std::uint32_t>(place); }
  bool has_mark(std::size_t place, std::string_view mark) const { return at(place, mark.size()) == mark; }

 private:
  std::string_view all_;
};

constexpr std::string_view kLocalMark("PK\x03\x04", 4), kCentralMark("PK\x01\x02", 4), kEndMark("PK\x05\x06", 4);
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kLongestComment = 65535;
constexpr std::size_t kMostEntries = 65535;
constexpr std::size_t kLargest = 0xFFFFFFFE;  // numbers of four bytes; the last one means that there are longer ones

std::size_t find_end(std::string_view archive) {
  if (archive.size() > kLargest) refuse("is larger than 4 GB");
  const std::size_t first =
      archive.size() > kEndSize + kLongestComment ? archive.size() - kEndSize - kLongestComment : 0;
  const std::size_t found = archive.rfind(kEndMark);
  if (found == std::string_view::npos || found < first || archive.size() - found < kEndSize)
    refuse("is truncated: it has no list of its files");
  return found;
}

constexpr std::uint16_t kEncrypted = 1, kChecksumFollows = 8;

// The record in the list, of which `size` becomes the length.
ZipEntry read_entry(const Bytes& bytes, std::size_t at, std::size_t& size) {
  if (!bytes.has_mark(at, kCentralMark)) refuse("is damaged: its list of files does not hold files");
  const std::uint16_t flags = bytes.two(at + 8), method = bytes.two(at + 10);
  ZipEntry entry = {.name = std::string(bytes.at(at + kCentralSize, bytes.two(at + 28))),
                    .deflated = method == 8,
                    .checksum = bytes.four(at + 16),
                    .size = bytes.four(at + 24),
                    .packed = bytes.four(at + 20),
                    .local = bytes.four(at + 42),
                    .central = at,
                    .checksum_follows = (flags & kChecksumFollows) != 0};
  size = kCentralSize + entry.name.size() + bytes.two(at + 30) + bytes.two(at + 32);
  const std::string shown = "'" + entry.name.substr(0, 100) + "'";
  if ((flags & kEncrypted) != 0) refuse("has " + shown + " encrypted");
  if (method != 0 && method != 8) refuse("has " + shown + " compressed in an unusual way");
  if (entry.size > kLargest || entry.packed > kLargest || entry.local > kLargest) refuse("is larger than 4 GB");
  if (!entry.deflated && entry.packed != entry.size) refuse("is damaged: " + shown + " has two sizes");
  if (!bytes.has_mark(entry.local, kLocalMark)) refuse("is damaged: " + shown + " is not where its list says");
  entry.data = entry.local + kLocalSize + bytes.two(entry.local + 26) + bytes.two(entry.local + 28);
  bytes.at(entry.data, entry.packed);
  return entry;
}

std::uint32_t checksum_of(std::string_view content) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

std::string inflated(std::string_view packed, std::size_t size) {
  // One byte more than there should be shows that there are too many.
  std::string content(size + 1, '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw Error(ErrorCode::kFailed, "zlib cannot be started");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib reads it only
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  const int status = inflate(&stream, Z_FINISH);
  const std::size_t made = content.size() - stream.avail_out;
  inflateEnd(&stream);
  if (status != Z_STREAM_END || made != size) refuse("is damaged: a file in it cannot be unpacked");
  content.resize(size);
  return content;
}

}  // namespace

std::vector<ZipEntry> zip_entries(std::string_view archive) {
  const Bytes bytes(archive);
  const std::size_t end = find_end(archive), count = bytes.two(end + 10);
  std::size_t at = bytes.four(end + 16);
  if (count == kMostEntries || at > kLargest) refuse("is larger than 4 GB");
  std::vector<ZipEntry> entries;
  std::set<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t size = 0;
    entries.push_back(read_entry(bytes, at, size));
    if (!names.insert(entries.back().name).second) refuse("has '" + entries.back().name.substr(0, 100) + "' twice");
    at += size;
  }
  return entries;
}

const ZipEntry* find_zip_entry(std::span<const ZipEntry> entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &ZipEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

std::string zip_content(std::string_view archive, const ZipEntry& entry, std::size_t limit) {
  if (entry.size > limit) {
    refuse("has '" + entry.name.substr(0, 100) + "' unpack to more than the " + std::to_string(limit) +
           " bytes it may have");
  }
  const std::string_view packed = Bytes(archive).at(entry.data, entry.packed);
  std::string content = entry.deflated ? inflated(packed, entry.size) : std::string(packed);
  if (checksum_of(content) != entry.checksum) refuse("is damaged: '" + entry.name.substr(0, 100) + "' was changed");
  return content;
}

void replace_in_zip(std::string& archive, const ZipEntry& entry, std::string_view content) {
  constexpr std::size_t kLocalChecksum = 14, kCentralChecksum = 16;
  if (entry.deflated || entry.checksum_follows || content.size() != entry.size) {
    refuse("has '" + entry.name.substr(0, 100) + "' compressed or streamed; it cannot be replaced in its place");
  }
  const std::uint32_t checksum = checksum_of(content);
  const auto put = [&](std::size_t at, const void* bytes, std::size_t count) {
    Bytes(archive).at(at, count);
    std::memcpy(archive.data() + at, bytes, count);
  };
  put(entry.data, content.data(), content.size());
  put(entry.local + kLocalChecksum, &checksum, sizeof checksum);
  put(entry.central + kCentralChecksum, &checksum, sizeof checksum);
}

}  // namespace actforge
