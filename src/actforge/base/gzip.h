#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// Unpacks one gzip archive of at most `limit` bytes: no more memory than that is ever taken, whatever the archive says.
// `origin` names it in messages. Throws Error (kBadInput).
std::vector<std::uint8_t> gunzip(std::span<const std::uint8_t> packed, std::size_t limit, const std::string& origin);

// One gzip archive, as small as zlib can make it; the same bytes every time.
std::string gzip(std::string_view bytes);

}  // namespace actforge
