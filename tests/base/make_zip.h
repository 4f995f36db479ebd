#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

struct ZipPart {
  std::string name;
  std::string content;
  bool deflated = false;
};

// A zip archive, as other programs write it.
inline std::string make_zip(const std::vector<ZipPart>& parts) {
  std::string archive, list;
  const auto add = [](std::string& to, std::uint64_t number, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to += static_cast<char>(i < sizeof(number) ? number >> (8 * i) : 0);
  };
  for (const ZipPart& part : parts) {
    std::string packed = part.content;
    if (part.deflated) {
      z_stream stream = {};
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
      packed.resize(deflateBound(&stream, part.content.size()));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.content.data()));
      stream.avail_in = static_cast<uInt>(part.content.size());
      stream.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_out = static_cast<uInt>(packed.size());
      deflate(&stream, Z_FINISH);
      packed.resize(stream.total_out);
      deflateEnd(&stream);
    }
    std::string common;  // of both records
    add(common, 20, 2);
    add(common, 0, 2);
    add(common, part.deflated ? 8 : 0, 2);
    add(common, 0, 4);
    add(common, crc32_z(0, reinterpret_cast<const Bytef*>(part.content.data()), part.content.size()), 4);
    add(common, packed.size(), 4);
    add(common, part.content.size(), 4);
    add(common, part.name.size(), 2);
    add(common, 0, 2);
    const std::size_t local = archive.size();
    archive += "PK\x03\x04" + common + part.name + packed;
    list += "PK\x01\x02";
    add(list, 20, 2);
    list += common;
    add(list, 0, 10);
    add(list, local, 4);
    list += part.name;
  }
  const std::size_t at = archive.size();
  archive += list + "PK\x05\x06";
  add(archive, 0, 4);
  add(archive, parts.size(), 2);
  add(archive, parts.size(), 2);
  add(archive, list.size(), 4);
  add(archive, at, 4);
  add(archive, 0, 2);
  return archive;
}

}  // namespace actforge
