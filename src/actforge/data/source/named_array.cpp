#include "actforge/data/source/named_array.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "actforge/base/error.h"

namespace actforge {
namespace {

std::uint64_t word_at(const NamedArray& array, std::size_t at, std::size_t width) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t place = array.big_endian ? i : width - 1 - i;
    word = word << 8 | static_cast<unsigned char>(array.bytes[at + place]);
  }
  return word;
}

// IEEE 754 binary16.
double half(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), mantissa = static_cast<int>(bits & 1023);
  double value = 0;
  if (exponent == 31) {
    value = mantissa == 0 ? INFINITY : NAN;
  } else {
    value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add(0x80 | (code & 63));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 63));
    add(0x80 | (code & 63));
  } else {
    add(0xF0 | (code >> 18 & 7));
    add(0x80 | (code >> 12 & 63));
    add(0x80 | (code >> 6 & 63));
    add(0x80 | (code & 63));
  }
}

}  // namespace

std::size_t checked_count(const std::vector<std::size_t>& shape, std::size_t width, std::size_t available,
                          const std::string& origin) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (extent != 0 && count > available / extent) {
      throw Error(ErrorCode::kBadInput, origin + ": is truncated: its shape says more than the file has");
    }
    count *= extent;
  }
  if (width == 0 || count > available / width || count * width != available) {
    throw Error(ErrorCode::kBadInput, origin + ": " + std::to_string(available) + " bytes of numbers, not " +
                                          std::to_string(count) + " times " + std::to_string(width));
  }
  return count;
}

std::size_t NamedArray::size() const {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return count;
}

double NamedArray::number(std::size_t index) const {
  const std::uint64_t word = word_at(*this, index * width, width);
  switch (kind) {
    case Kind::kUnsigned: return static_cast<double>(word);
    case Kind::kSigned: {
      const int unused = 64 - static_cast<int>(8 * width);
      return static_cast<double>(static_cast<std::int64_t>(word << unused) >> unused);
    }
    case Kind::kBfloat: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(word << 16)));
    case Kind::kFloat:
      if (width == 2) return half(word);
      if (width == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
      return std::bit_cast<double>(word);
    case Kind::kBytes:
    case Kind::kUnicode: break;
  }
  return NAN;
}

std::string NamedArray::text(std::size_t index) const {
  std::string text;
  if (kind == Kind::kBytes) {
    text = bytes.substr(index * width, width);
    return text.substr(0, text.find_last_not_of('\0') + 1);
  }
  for (std::size_t at = 0; at < width; at += 4) {
    const auto code = static_cast<std::uint32_t>(word_at(*this, index * width + at, 4));
    if (code == 0) break;
    append_utf8(text, code);
  }
  return text;
}

}  // namespace actforge
