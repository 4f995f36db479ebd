#include "actforge/data/data_files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "actforge/base/error.h"
#include "actforge/base/gzip.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

// An empty variable counts as none, as for every variable of XDG.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The file in this folder, packed or not; empty where there is none.
std::string find_file(const std::string& folder, std::string_view file) {
  for (const char* ending : {"", ".gz"}) {
    const fs::path path = fs::path(folder) / (std::string(file) + ending);
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) return path.string();
  }
  return {};
}

// The paths of all files, or of as many as there are before the first that is missing.
std::vector<std::string> find_files(const std::string& folder, std::span<const std::string_view> files) {
  std::vector<std::string> paths;
  for (const std::string_view file : files) {
    std::string path = find_file(folder, file);
    if (path.empty()) break;
    paths.push_back(std::move(path));
  }
  return paths;
}

[[noreturn]] void missing(const Dataset& row, Part part) {
  std::string message = "the data set '" + std::string(row.name) + "' is not installed; looked in ";
  std::string_view separator;
  for (const std::string& folder : data_folders(row.name)) {
    message.append(separator).append(folder);
    separator = ", ";
    const auto files = row.files(part);
    const std::size_t found = find_files(folder, files).size();
    if (found > 0) message.append(" (where ").append(files[found]).append(" is missing)");
  }
  throw Error(ErrorCode::kBadInput, message + ". To get it: " + std::string(row.get_with));
}

[[noreturn]] void fail_to_read(const std::string& path, int number) {
  throw Error(ErrorCode::kStorage, "cannot read '" + path + "': " + std::generic_category().message(number));
}

// At most `limit` bytes; it reads to the end of the file and does not trust the size that the file system reports.
std::vector<std::uint8_t> read_bytes(const std::string& path, std::size_t limit) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail_to_read(path, errno);
  std::vector<std::uint8_t> bytes;
  std::error_code ignored;
  if (const auto size = fs::file_size(path, ignored); !ignored && size <= limit) bytes.reserve(size + kPiece);
  for (std::size_t got = kPiece; got == kPiece;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    got = std::fread(bytes.data() + before, 1, kPiece, file.get());
    bytes.resize(before + got);
    if (std::ferror(file.get()) != 0) fail_to_read(path, errno);
    if (bytes.size() > limit) {
      throw Error(ErrorCode::kBadInput, path + ": longer than the " + std::to_string(limit) + " bytes it may have");
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::string> data_folders(std::string_view name) {
  std::vector<std::string> folders;
  const std::string own = environment("ACTFORGE_DATA"), home = environment("HOME");
  std::string shared = environment("XDG_DATA_HOME");
  if (shared.empty() && !home.empty()) shared = home + "/.local/share";
  if (!own.empty()) folders.push_back((fs::path(own) / name).string());
  if (!shared.empty()) folders.push_back((fs::path(shared) / "actforge" / name).string());
  folders.push_back((fs::path("/usr/share/datasets") / name).string());
  return folders;
}

std::optional<std::string> find_data_folder(std::string_view name, std::span<const std::string_view> files) {
  for (const std::string& folder : data_folders(name)) {
    if (find_files(folder, files).size() == files.size()) return folder;
  }
  return std::nullopt;
}

std::vector<std::string> find_part(const Dataset& row, Part part) {
  const auto folder = find_data_folder(row.name, row.files(part));
  if (!folder) missing(row, part);
  return find_files(*folder, row.files(part));
}

std::vector<std::uint8_t> read_data_file(const std::string& path, std::size_t limit) {
  if (!path.ends_with(".gz")) return read_bytes(path, limit);
  // Incompressible data grow by 5 bytes in 16 kB, and the header holds a name.
  const std::size_t largest_archive = limit + limit / 1024 + (std::size_t{1} << 16);
  return gunzip(read_bytes(path, largest_archive), limit, path);
}

}  // namespace actforge
