#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace actforge {

// A file that is written piece by piece and appears only when it is whole: until commit() a reader sees the old one,
// and if anything fails it stays. Links are followed. Throws Error (kStorage).
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();
  // Leaves the file alone and puts what there is beside it; gives the name, which is the file's with .part at its end.
  std::string commit_part();

 private:
  void commit_to(const std::string& target);

  struct Temporary;
  std::unique_ptr<Temporary> file_;
  std::string target_;
  std::string buffer_;
};

// Throws Error (kStorage) where such a file could not be written: before long work, not after it.
void check_writable(const std::string& path);

// Puts `bytes` into the file at once, the same way.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace actforge
