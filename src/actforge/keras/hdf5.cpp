// The format: https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html. Its library writes everything that
// the format can be, and reads it with more trust than a stranger's file deserves; this much is enough for weights.
#include "actforge/keras/hdf5.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>

#include "actforge/base/error.h"

namespace actforge {
namespace {

static_assert(std::endian::native == std::endian::little, "the numbers of HDF5 are little-endian");

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, "the HDF5 file " + why); }

using Address = std::uint64_t;
constexpr Address kNowhere = ~Address{0};

class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  bool holds(Address place, std::uint64_t count) const { return place <= all_.size() && count <= all_.size() - place; }
  std::string_view at(Address place, std::uint64_t count) const {
    if (!holds(place, count)) refuse("is truncated or damaged");
    return all_.substr(place, count);
  }
  template <class Number>
  Number number(Address place) const {
    Number value;
    at(place, sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::uint8_t one(Address place) const { return number<std::uint8_t>(place); }
  std::uint16_t two(Address place) const { return number<std::uint16_t>(place); }
  std::uint32_t four(Address place) const { return number<std::uint32_t>(place); }
  std::uint64_t eight(Address place) const { return number<std::uint64_t>(place); }
  void expect(Address place, std::string_view mark) const {
    if (at(place, mark.size()) != mark) refuse("is damaged: there is no " + std::string(mark) + " where one should be");
  }

 private:
  std::string_view all_;
};

enum Message : std::uint16_t { kDataspace = 1, kDatatype = 3, kLayout = 8, kContinuation = 16, kSymbolTable = 17 };

struct Place {
  Address at = kNowhere;  // of a message's content
  std::uint16_t size = 0;
  bool shared = false;  // it is somewhere else

  explicit operator bool() const { return at != kNowhere; }
};

class Reader {
 public:
  explicit Reader(std::string_view file) : bytes_(file) {}

  std::map<std::string, Hdf5Dataset> run() {
    constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";
    if (!bytes_.holds(0, kMagic.size()) || bytes_.at(0, kMagic.size()) != kMagic) refuse("is none");
    const std::uint8_t version = bytes_.one(8);
    if (version > 1) refuse("is of a newer form than the one that h5py writes by itself");
    if (bytes_.one(13) != 8 || bytes_.one(14) != 8) refuse("has addresses that are not of 8 bytes");
    const Address base = version == 0 ? 24 : 28;
    if (bytes_.eight(base) != 0) refuse("begins somewhere in a file");
    read_object(bytes_.eight(base + 40), "", 0);
    return std::move(datasets_);
  }

 private:
  // Counts what is read, so that a file of loops ends.
  void step() {
    constexpr std::size_t kMost = 4'000'000;
    if (++steps_ > kMost) refuse("has too many parts");
  }

  // The messages of an object that say what it is.
  std::map<std::uint16_t, Place> messages_of(Address header) {
    if (bytes_.one(header) != 1) refuse("has objects of a newer form than the one that h5py writes by itself");
    constexpr Address kHead = 16, kMessageHead = 8;
    std::uint32_t left = bytes_.two(header + 2);
    std::vector<std::pair<Address, Address>> blocks = {{header + kHead, bytes_.four(header + 8)}};
    std::map<std::uint16_t, Place> found;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      auto [at, size] = blocks[i];
      bytes_.at(at, size);
      const Address end = at + size;
      for (; left > 0 && end - at >= kMessageHead; --left) {
        step();
        const std::uint16_t type = bytes_.two(at), length = bytes_.two(at + 2);
        const Place place = {at + kMessageHead, length, (bytes_.one(at + 4) & 2) != 0};
        if (length > end - place.at) refuse("is damaged: a message is longer than its block");
        if (type == kContinuation) blocks.emplace_back(bytes_.eight(place.at), bytes_.eight(place.at + 8));
        found.emplace(type, place);
        at = place.at + length;
      }
    }
    return found;
  }

  void read_object(Address header, const std::string& path, int depth) {
    constexpr int kDeepest = 64;
    if (depth > kDeepest) refuse("nests more than 64 groups");
    step();
    if (!seen_.insert(header).second) return;
    const std::map<std::uint16_t, Place> messages = messages_of(header);
    if (const auto group = messages.find(kSymbolTable); group != messages.end()) {
      const Address tree = bytes_.eight(group->second.at), heap = bytes_.eight(group->second.at + 8);
      read_tree(tree, heap, path, depth, -1);
    } else if (messages.contains(kDataspace)) {
      constexpr std::size_t kMostOfPaths = 16'000'000;
      length_of_paths_ += path.size();
      if (length_of_paths_ > kMostOfPaths) refuse("has too long names");
      datasets_[path] = read_dataset(messages);
    }
  }

  void read_tree(Address node, Address heap, const std::string& path, int depth, int level) {
    step();
    if (!seen_.insert(node).second) return;
    bytes_.expect(node, "TREE");
    const int own_level = bytes_.one(node + 5);
    if (bytes_.one(node + 4) != 0 || (level >= 0 && own_level != level - 1)) refuse("is damaged: a tree grows wrongly");
    const std::uint16_t count = bytes_.two(node + 6);
    for (std::uint16_t i = 0; i < count; ++i) {
      const Address child = bytes_.eight(node + 24 + 8 + std::uint64_t{i} * 16);
      if (own_level > 0) {
        read_tree(child, heap, path, depth, own_level);
      } else {
        read_names(child, heap, path, depth);
      }
    }
  }

  void read_names(Address node, Address heap, const std::string& path, int depth) {
    constexpr std::uint64_t kHead = 8, kEntry = 40;
    constexpr std::uint32_t kSoftLink = 2;
    step();
    bytes_.expect(node, "SNOD");
    const std::uint16_t count = bytes_.two(node + 6);
    for (std::uint16_t i = 0; i < count; ++i) {
      step();
      const Address entry = node + kHead + i * kEntry;
      if (bytes_.four(entry + 16) == kSoftLink) continue;
      const std::string name = name_at(heap, bytes_.eight(entry));
      read_object(bytes_.eight(entry + 8), path.empty() ? name : path + "/" + name, depth + 1);
    }
  }

  std::string name_at(Address heap, std::uint64_t offset) const {
    constexpr std::size_t kLongest = 1024;
    bytes_.expect(heap, "HEAP");
    const std::uint64_t size = bytes_.eight(heap + 8);
    const std::string_view names = bytes_.at(bytes_.eight(heap + 24), size);
    if (offset >= names.size()) refuse("is damaged: a name lies outside of the names");
    const std::string_view name = names.substr(offset, kLongest + 1);
    const std::size_t end = name.find('\0');
    if (end == std::string_view::npos) refuse("has a name that does not end");
    return std::string(name.substr(0, end));
  }

  Hdf5Dataset read_dataset(const std::map<std::uint16_t, Place>& messages) const {
    Hdf5Dataset dataset;
    const auto place = [&](Message type) {
      const auto found = messages.find(type);
      return found == messages.end() || found->second.shared ? Place() : found->second;
    };
    const Place type = place(kDatatype), layout = place(kLayout);
    dataset.shape = read_shape(place(kDataspace));
    if (!type || !is_float32(type)) {
      dataset.problem = "its numbers are not of float32";
    } else if (!layout || !in_one_piece(layout)) {
      dataset.problem = "its numbers are compressed or in pieces";
    } else {
      find_numbers(layout, dataset);
    }
    return dataset;
  }

  Shape read_shape(const Place& place) const {
    if (!place) refuse("has a dataset without a shape");
    constexpr std::uint8_t kMostExtents = 32;
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
    const std::uint8_t version = bytes_.one(place.at), rank = bytes_.one(place.at + 1);
    if (version < 1 || version > 2 || rank > kMostExtents) refuse("has a shape of an unknown form");
    Shape shape;
    std::uint64_t count = 1;
    for (std::uint8_t i = 0; i < rank; ++i) {
      const std::uint64_t extent = bytes_.eight(place.at + (version == 1 ? 8 : 4) + std::uint64_t{i} * 8);
      if (extent > kLargest || (extent > 0 && count > kLargest / extent)) refuse("has a dataset that is too large");
      count *= extent;
      shape.push_back(static_cast<std::int64_t>(extent));
    }
    return shape;
  }

  // Class 1 of the types, and the places of sign, exponent and mantissa that IEEE gives them.
  bool is_float32(const Place& place) const {
    constexpr std::uint8_t kBigEndian = 0x41;
    const Address at = place.at;
    return place.size >= 20 && (bytes_.one(at) & 15) == 1 && (bytes_.one(at + 1) & kBigEndian) == 0 &&
           bytes_.four(at + 4) == 4 && bytes_.two(at + 8) == 0 && bytes_.two(at + 10) == 32 &&
           bytes_.one(at + 12) == 23 && bytes_.one(at + 13) == 8 && bytes_.one(at + 14) == 0 &&
           bytes_.one(at + 15) == 23 && bytes_.four(at + 16) == 127;
  }

  bool in_one_piece(const Place& place) const {
    const std::uint8_t version = bytes_.one(place.at);
    return (version == 3 || version == 4) && bytes_.one(place.at + 1) == 1;
  }

  void find_numbers(const Place& layout, Hdf5Dataset& dataset) const {
    const Address address = bytes_.eight(layout.at + 2);
    std::uint64_t size = sizeof(float);
    for (const std::int64_t extent : dataset.shape) size *= static_cast<std::uint64_t>(extent);
    if (address == kNowhere && size > 0) {
      dataset.problem = "it has no numbers yet";
    } else if (size > 0 && !bytes_.holds(address, size)) {
      refuse("is truncated: numbers lie outside of it");
    } else {
      dataset.offset = size > 0 ? address : 0;
    }
  }

  Bytes bytes_;
  std::map<std::string, Hdf5Dataset> datasets_;
  std::size_t length_of_paths_ = 0;
  std::set<Address> seen_;
  std::size_t steps_ = 0;
};

}  // namespace

std::map<std::string, Hdf5Dataset> hdf5_datasets(std::string_view file) { return Reader(file).run(); }

}  // namespace actforge
