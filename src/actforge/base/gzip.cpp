#include "actforge/base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void fail(const std::string& origin, const std::string& why) {
  throw Error(ErrorCode::kBadInput, origin + ": " + why);
}

class Inflater {
 public:
  explicit Inflater(const std::string& origin) : origin_(origin) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;  // with zlib's own format and automatic choice refused
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw Error(ErrorCode::kFailed, "zlib cannot be started");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Gives how many bytes were unpacked; it stops when there are `most`. The target grows with what there is.
  std::size_t run(std::span<const std::uint8_t> packed, std::size_t most, std::vector<std::uint8_t>& target) {
    constexpr std::size_t kUsualRatio = 4, kLeast = std::size_t{1} << 16;
    target.resize(std::min(most, std::max(kLeast, kUsualRatio * packed.size())));
    std::size_t taken = 0, made = 0;
    for (int status = Z_OK; status != Z_STREAM_END;) {
      // zlib counts in 32 bits.
      constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
      const auto in = static_cast<uInt>(std::min(packed.size() - taken, kMost));
      const auto out = static_cast<uInt>(std::min(target.size() - made, kMost));
      stream_.next_in = const_cast<Bytef*>(packed.data() + taken);  // zlib reads it only
      stream_.avail_in = in;
      stream_.next_out = target.data() + made;
      stream_.avail_out = out;
      status = inflate(&stream_, Z_NO_FLUSH);
      taken += in - stream_.avail_in;
      made += out - stream_.avail_out;
      if (status == Z_OK && made == target.size()) {
        if (made == most) return made;
        target.resize(std::min(most, 2 * made));
      }
      if (status == Z_BUF_ERROR)
        fail(origin_, "the archive is truncated after " + std::to_string(made) + " unpacked bytes");
      if (status != Z_OK && status != Z_STREAM_END) broken(made);
    }
    if (taken != packed.size()) fail(origin_, std::to_string(packed.size() - taken) + " bytes follow the archive");
    return made;
  }

 private:
  [[noreturn]] void broken(std::size_t made) const {
    fail(origin_, "not a valid gzip archive (" + std::string(stream_.msg != nullptr ? stream_.msg : "no reason given") +
                      ", after " + std::to_string(made) + " unpacked bytes)");
  }

  std::string origin_;
  z_stream stream_ = {};
};

}  // namespace

std::vector<std::uint8_t> gunzip(std::span<const std::uint8_t> packed, std::size_t limit, const std::string& origin) {
  // One byte more than allowed shows that there are too many.
  std::vector<std::uint8_t> bytes;
  const std::size_t made = Inflater(origin).run(packed, limit + 1, bytes);
  if (made > limit) fail(origin, "unpacks to more than the " + std::to_string(limit) + " bytes it may have");
  bytes.resize(made);
  return bytes;
}

std::string gzip(std::string_view bytes) {
  z_stream stream = {};
  constexpr int kGzip = 16 + MAX_WBITS, kMemory = 9;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(ErrorCode::kFailed, "zlib cannot be started");
  }
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
  std::size_t taken = 0, made = 0;
  for (int status = Z_OK; status == Z_OK;) {
    const auto in = static_cast<uInt>(std::min(bytes.size() - taken, kMost));
    const auto out = static_cast<uInt>(std::min(packed.size() - made, kMost));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));  // zlib reads it only
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + made);
    stream.avail_out = out;
    status = deflate(&stream, taken + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  deflateEnd(&stream);
  if (taken != bytes.size())
    throw Error(ErrorCode::kFailed, "zlib cannot pack " + std::to_string(bytes.size()) + " bytes");
  packed.resize(made);
  return packed;
}

}  // namespace actforge
