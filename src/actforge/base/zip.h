#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// One file in a zip archive, and where the archive says so.
struct ZipEntry {
  std::string name;
  bool deflated = false;       // else as it is
  std::uint32_t checksum = 0;  // CRC-32 of the content
  std::size_t size = 0;        // of the content
  std::size_t packed = 0;      // bytes of it in the archive
  std::size_t data = 0;        // the place of the first of them
  std::size_t local = 0;       // of the record before it
  std::size_t central = 0;     // of its record in the list at the end
  bool checksum_follows = false;
};

// What an archive that is all in memory holds. Places are checked: nothing lies outside of it. Throws Error
// (kBadInput), also for archives of more than 4 GB, encrypted ones, and those that have a name twice.
std::vector<ZipEntry> zip_entries(std::string_view archive);

// Null where there is none.
const ZipEntry* find_zip_entry(std::span<const ZipEntry> entries, std::string_view name);

// The content, of at most `limit` bytes: no more memory than that is ever taken, whatever the archive says. Throws
// Error (kBadInput).
std::string zip_content(std::string_view archive, const ZipEntry& entry, std::size_t limit);

// Puts other content of the same size into the place of a file that is not compressed. Everything else stays. Throws
// Error (kBadInput).
void replace_in_zip(std::string& archive, const ZipEntry& entry, std::string_view content);

}  // namespace actforge
