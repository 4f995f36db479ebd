#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace actforge {

// The bytes as a gzip archive.
inline std::vector<std::uint8_t> packed(std::vector<std::uint8_t> bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::vector<std::uint8_t> result(deflateBound(&stream, bytes.size()) + 64);
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

}  // namespace actforge
